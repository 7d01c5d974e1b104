import { LitElement, html } from 'lit';
class P extends LitElement { override render() { return html`dashboards`; } }
customElements.define('dashboards-page', P);
