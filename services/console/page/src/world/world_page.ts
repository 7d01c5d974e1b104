import { LitElement, html } from 'lit';
class P extends LitElement { override render() { return html`world`; } }
customElements.define('world-page', P);
