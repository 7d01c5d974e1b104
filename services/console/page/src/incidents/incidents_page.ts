import { LitElement, html } from 'lit';
class P extends LitElement { override render() { return html`incidents`; } }
customElements.define('incidents-page', P);
