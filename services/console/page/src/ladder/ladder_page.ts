import { LitElement, html } from 'lit';
class P extends LitElement { override render() { return html`ladder`; } }
customElements.define('ladder-page', P);
