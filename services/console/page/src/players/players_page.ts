import { LitElement, html } from 'lit';
class P extends LitElement { override render() { return html`players`; } }
customElements.define('players-page', P);
