import{a as e,l as t,o as n,s as r}from"./lit.js";import{u as i}from"./acts.js";import{n as a,s as o}from"./shared.js";import{i as s,l as c}from"./index.js";import{n as l}from"./emitter.js";async function u(e,t=!0){let n=s.whyNot(e.name);if(n!==``)return c(`${e.verb}: ${n}`,!0),!1;let r=document.querySelector(`console-app`)?.shadowRoot?.querySelector(`confirm-act`);if(t&&!await r?.ask(e))return!1;try{let t=await i(e);return c(`${e.verb}: done. ${e.reply?.(t)??``}`),!0}catch(t){return c(`${e.verb}: ${o(t)}`,!0),!1}}var d=class extends e{static properties={what:{attribute:!1},label:{},disabled:{type:Boolean},line:{type:Boolean}};static styles=[a,t`
      :host {
        display: block;
        min-width: 0;
      }
      div {
        display: grid;
        grid-template-columns: 92px minmax(0, 1fr);
        align-items: center;
        gap: 8px;
      }
      div button {
        justify-content: center;
      }
    `];constructor(){super(),this.what=void 0,this.label=``,this.disabled=!1,this.line=!1,new l(this,s)}render(){let{what:e}=this;if(!e)return n;let t=s.whyNot(e.name),i=r`<button
      class="act ${e.harmful?`harmful`:``} ${this.line?``:`small`}"
      ?disabled=${t!==``||this.disabled}
      title=${t||`${e.consequence}\n${e.command}`}
      @click=${()=>u(e)}
    >
      ${this.label||e.verb}
    </button>`;return this.line?r`<div>${i}<cmd-line .text=${e.command}></cmd-line></div>`:i}};customElements.define(`act-button`,d);export{u as t};