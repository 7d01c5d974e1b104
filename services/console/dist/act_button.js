import{a as e,l as t,o as n,s as r}from"./lit.js";import{u as i}from"./acts.js";import{l as a,n as o,s}from"./shared.js";import{i as c,l}from"./index.js";import{n as u}from"./emitter.js";async function d(e,t=!0){if(!c.mayAct)return l(`This page may only look. To act, ${a}.`,!0),!1;let n=document.querySelector(`console-app`)?.shadowRoot?.querySelector(`confirm-act`);if(t&&!await n?.ask(e))return!1;try{let t=await i(e);return l(`${e.verb}: done. ${e.reply?.(t)??``}`),!0}catch(t){return l(`${e.verb}: ${s(t)}`,!0),!1}}var f=class extends e{static properties={what:{attribute:!1},label:{},disabled:{type:Boolean},line:{type:Boolean}};static styles=[o,t`
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
    `];constructor(){super(),this.what=void 0,this.label=``,this.disabled=!1,this.line=!1,new u(this,c)}render(){let{what:e}=this;if(!e)return n;let t=c.mayAct,i=r`<button
      class="act ${e.harmful?`harmful`:``} ${this.line?``:`small`}"
      ?disabled=${!t||this.disabled}
      title=${t?`${e.consequence}\n${e.command}`:`To act, ${a}.`}
      @click=${()=>d(e)}
    >
      ${this.label||e.verb}
    </button>`;return this.line?r`<div>${i}<cmd-line .text=${e.command}></cmd-line></div>`:i}};customElements.define(`act-button`,f);export{d as t};