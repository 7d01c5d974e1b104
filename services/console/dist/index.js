const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./fly_page.js","./lit.js","./three.js","./palette.js","./world_page.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,o as r,r as i,s as a,t as o}from"./lit.js";var s=`perigee.token`,c=/[#&]token=([^&]*)/;function l(){let e=c.exec(location.hash);if(!e)return;sessionStorage.setItem(s,decodeURIComponent(e[1]));let t=location.hash.replace(c,``).replace(/^#?&?/,``);history.replaceState(null,``,location.pathname+location.search+(t===``?``:`#${t}`))}function u(){return sessionStorage.getItem(s)??``}function d(e){let t=new URL(e,location.href);t.protocol=t.protocol===`https:`?`wss:`:`ws:`,t.hash=``;let n=u();return n!==``&&(t.search=`?token=${encodeURIComponent(n)}`),t}function f(){let e=u();return e===``?{}:{authorization:`Bearer ${e}`}}var p=`open the address that perigee-console prints, with #token= at its end`,m=class extends Error{httpStatus;status;name=`ApiError`;constructor(e,t,n){super(e),this.httpStatus=t,this.status=n}},h=12e3;async function g(e,t){let n,r;try{n=await fetch(e,{signal:AbortSignal.timeout(h),...t}),r=await n.text()}catch{throw new m(`The console does not answer. Is perigee-console running?`,0,``)}let i;try{i=JSON.parse(r)}catch{i={}}if(n.ok)return i;let{message:a,status:o}=i.error??{};throw new m(typeof a==`string`&&a!==``?a:`${e} answers with ${n.status}`,n.status,typeof o==`string`?o:``)}function _(e){return g(e,{headers:f()})}function v(e,t){return g(e,{method:`POST`,headers:{...f(),"content-type":`application/json`},body:JSON.stringify(t)})}function y(e){return e instanceof Error?e.message:String(e)}var b=class{#e=new Set;listen(e){return this.#e.add(e),()=>this.#e.delete(e)}changed(){for(let e of this.#e)e()}},x=class{#e;#t;#n=[];constructor(e,...t){this.#e=e,this.#t=t,e.addController(this)}hostConnected(){this.#n=this.#t.map(e=>e.listen(()=>this.#e.requestUpdate()))}hostDisconnected(){for(let e of this.#n.splice(0))e()}},ee=1200,te=class extends t{static properties={text:{},prompt:{},copied:{state:!0}};static styles=a`
    :host {
      display: block;
      min-width: 0;
    }
    button {
      display: block;
      width: 100%;
      padding: 4px 8px;
      border: 1px solid transparent;
      border-radius: 4px;
      background: rgb(0 0 0 / 32%);
      color: var(--text-soft);
      font: 11px/1.4 var(--mono);
      text-align: left;
      overflow-wrap: anywhere;
      cursor: copy;
    }
    button:hover {
      color: var(--text);
      border-color: var(--line-strong);
    }
    button:focus-visible {
      outline: 2px solid var(--accent);
    }
    i {
      font-style: normal;
      color: var(--accent);
      user-select: none;
    }
    :host([bare]) button {
      background: none;
      padding: 0;
    }
  `;constructor(){super(),this.text=``,this.prompt=`$`,this.copied=!1}render(){return r`<button @click=${this.#e} title="Copy">
      <i>${this.copied?`✓`:this.prompt}</i> ${this.text}
    </button>`}async#e(){try{await navigator.clipboard.writeText(this.text)}catch{return}this.copied=!0,setTimeout(()=>this.copied=!1,ee)}};customElements.define(`cmd-line`,te);var S=a`
  :host {
    box-sizing: border-box;
  }
  *,
  *::before,
  *::after {
    box-sizing: inherit;
  }
  [hidden] {
    display: none !important;
  }
  h1,
  h2,
  h3,
  p {
    margin: 0;
    font-weight: 500;
  }
  h2 {
    font-size: 11px;
    font-weight: 600;
    letter-spacing: 0.07em;
    text-transform: uppercase;
    color: var(--text-faint);
  }
  .number,
  td.number,
  th.number {
    font-variant-numeric: tabular-nums;
    text-align: right;
  }
  .soft {
    color: var(--text-soft);
  }
  .faint {
    color: var(--text-faint);
  }
  .mono {
    font-family: var(--mono);
    font-size: 0.92em;
  }
  a {
    color: var(--accent);
    text-decoration: none;
  }
  a:hover {
    text-decoration: underline;
  }

  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    height: 28px;
    padding: 0 11px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: rgb(150 170 205 / 6%);
    white-space: nowrap;
    cursor: pointer;
    transition: background 0.12s, border-color 0.12s, color 0.12s;
  }
  button:hover:not(:disabled) {
    background: rgb(150 170 205 / 13%);
    border-color: rgb(150 170 205 / 40%);
  }
  button:focus-visible,
  input:focus-visible,
  select:focus-visible,
  a:focus-visible,
  [tabindex]:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  button:disabled {
    opacity: 0.42;
    cursor: not-allowed;
  }
  button.main {
    background: var(--accent);
    border-color: transparent;
    color: var(--accent-ink);
    font-weight: 600;
  }
  button.main:hover:not(:disabled) {
    background: #a8c6ff;
    border-color: transparent;
  }
  button.harmful {
    border-color: rgb(242 117 122 / 42%);
    color: #f6a3a6;
    background: rgb(242 117 122 / 8%);
  }
  button.harmful:hover:not(:disabled) {
    background: rgb(242 117 122 / 18%);
    border-color: rgb(242 117 122 / 65%);
  }
  button.plain {
    border-color: transparent;
    background: none;
    padding: 0 7px;
    color: var(--text-soft);
  }
  button.plain:hover:not(:disabled) {
    color: var(--text);
    background: var(--bg-hover);
  }
  button.small {
    height: 24px;
    padding: 0 8px;
    font-size: 12px;
  }
  input[type='text'],
  input[type='number'],
  select {
    height: 28px;
    padding: 0 9px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: rgb(0 0 0 / 28%);
    min-width: 0;
  }
  input[type='range'] {
    accent-color: var(--accent);
    width: 100%;
    margin: 0;
    height: 18px;
  }

  table {
    width: 100%;
    border-collapse: collapse;
  }
  th {
    text-align: left;
    font-size: 11px;
    font-weight: 500;
    color: var(--text-faint);
    padding: 0 10px 6px 0;
    white-space: nowrap;
  }
  td {
    padding: 6px 10px 6px 0;
    border-top: 1px solid var(--line);
    vertical-align: middle;
  }
  .card {
    background: var(--bg-raised);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: 14px 16px;
  }
  .dot {
    display: inline-block;
    flex: none;
    width: 7px;
    height: 7px;
    border-radius: 50%;
    background: var(--text-faint);
  }
  .dot.good {
    background: var(--good);
    box-shadow: 0 0 8px rgb(111 211 163 / 45%);
  }
  .dot.warn {
    background: var(--warn);
  }
  .dot.bad {
    background: var(--bad);
    box-shadow: 0 0 8px rgb(242 117 122 / 50%);
  }
  .tag {
    display: inline-block;
    padding: 0 6px;
    border-radius: 4px;
    font-size: 11px;
    line-height: 17px;
    background: rgb(150 170 205 / 10%);
    color: var(--text-soft);
    white-space: nowrap;
  }
  .tag.good {
    background: rgb(111 211 163 / 14%);
    color: #8fe0b9;
  }
  .tag.warn {
    background: rgb(232 196 104 / 14%);
    color: #efd389;
  }
  .tag.bad {
    background: rgb(242 117 122 / 16%);
    color: #f6a3a6;
  }
  kbd {
    display: inline-block;
    min-width: 19px;
    padding: 0 5px;
    border: 1px solid var(--line-strong);
    border-bottom-width: 2px;
    border-radius: 4px;
    background: rgb(150 170 205 / 8%);
    font: 500 11px/16px var(--mono);
    text-align: center;
    color: var(--text);
  }
`;a`
  :host {
    display: block;
    height: 100%;
    overflow: auto;
    padding: 22px 28px 40px;
    scrollbar-width: thin;
    scrollbar-color: rgb(150 170 205 / 25%) transparent;
  }
  .head {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 4px 14px;
    margin-bottom: 16px;
  }
  h1 {
    font-size: 19px;
    font-weight: 600;
    letter-spacing: -0.01em;
  }
  @media (max-width: 720px) {
    :host {
      padding: 14px 14px 84px;
    }
  }
`;var ne=class extends t{static properties={act:{state:!0}};#e=()=>{};static styles=[S,a`
      dialog {
        width: min(440px, calc(100vw - 32px));
        padding: 20px 22px;
        border: 1px solid var(--line-strong);
        border-radius: 10px;
        background: #0e131b;
        color: var(--text);
        box-shadow: 0 30px 90px rgb(0 0 0 / 70%);
      }
      dialog::backdrop {
        background: rgb(4 6 10 / 62%);
      }
      p {
        margin: 0 0 14px;
        font-size: 14px;
        font-weight: 400;
      }
      .label {
        margin-bottom: 4px;
        font-size: 11px;
        color: var(--text-faint);
      }
      footer {
        display: flex;
        justify-content: flex-end;
        gap: 8px;
        margin-top: 18px;
      }
    `];ask(e){return this.#e(!1),this.act=e,new Promise(e=>this.#e=e)}render(){let{act:t}=this;return t?r`<dialog @close=${()=>this.#t(!1)} aria-label=${t.verb}>
      <p>${t.consequence}</p>
      <div class="label">The same from a shell:</div>
      <cmd-line .text=${t.command}></cmd-line>
      <footer>
        <button @click=${()=>this.#t(!1)}>Cancel</button>
        <button class=${t.harmful?`harmful`:`main`} id="yes" @click=${()=>this.#t(!0)}>${t.verb}</button>
      </footer>
    </dialog>`:e}updated(){let e=this.renderRoot.querySelector(`dialog`);e&&!e.open&&(e.showModal(),this.renderRoot.querySelector(`#yes`)?.focus())}#t(e){let t=this.#e;this.#e=()=>{},this.act=void 0,t(e)}};customElements.define(`confirm-act`,ne);var C=`–`;function w(e,t=0){return e===void 0||!Number.isFinite(e)?C:e.toFixed(t)}function T(e){return e===void 0||!Number.isFinite(e)?C:e.toFixed(+(e<10))}function E(e){return e===void 0||!Number.isFinite(e)?C:Math.round(e).toLocaleString(`en-US`).replaceAll(`,`,` `)}function D(e){return Math.abs(e)>=1e3?`${(e/1e3).toFixed(Math.abs(e)%1e3==0?0:2)} km`:`${Math.round(e)} m`}function O(e,t){return`${E(e)} ${t}${e===1?``:`s`}`}var k=7e3,A=class extends t{static properties={toasts:{state:!0}};#e=1;static styles=a`
    :host {
      position: fixed;
      left: 50%;
      bottom: 48px;
      transform: translateX(-50%);
      z-index: 60;
      display: grid;
      gap: 8px;
      width: min(380px, calc(100vw - 36px));
    }
    div {
      padding: 10px 13px;
      border: 1px solid var(--line-strong);
      border-left: 3px solid var(--good);
      border-radius: var(--radius-small);
      background: #10151e;
      box-shadow: 0 12px 40px rgb(0 0 0 / 55%);
      animation: in 0.16s ease-out;
    }
    div.bad {
      border-left-color: var(--bad);
    }
    @keyframes in {
      from {
        transform: translateY(8px);
        opacity: 0;
      }
    }
    @media (max-width: 720px) {
      :host {
        bottom: 74px;
      }
    }
  `;constructor(){super(),this.toasts=[]}show(e,t){let n=this.#e++;this.toasts=[...this.toasts,{id:n,text:e,bad:t}].slice(-4),setTimeout(()=>this.toasts=this.toasts.filter(e=>e.id!==n),k)}render(){return o(this.toasts,({id:e})=>e,({text:e,bad:t})=>r`<div class=${t?`bad`:``} role="status">${e}</div>`)}};customElements.define(`toast-list`,A);function j(e,t=!1){document.querySelector(`console-app`)?.shadowRoot?.querySelector(`toast-list`)?.show(e,t)}var M=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),N=function(e,t){return new URL(e,t).href},re={},ie=function(e){return e.pathname.endsWith(`.css`)},ae=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},P=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=N(t,n);let r=s(t),i=ie(r);return ae(re,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:M,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},F=[{name:`fly`,title:`Fly`,load:()=>P(()=>import(`./fly_page.js`),__vite__mapDeps([0,1,2,3]),import.meta.url)},{name:`world`,title:`World`,load:()=>P(()=>import(`./world_page.js`),__vite__mapDeps([4,1,3,2]),import.meta.url)}],I=new class extends b{page=`fly`;part=``;begin(){let e=()=>{let[e=``,t=``]=location.hash.replace(/^#\/?/,``).split(`/`);this.page=F.find(t=>t.name===e)?.name??`fly`,this.part=decodeURIComponent(t),this.changed()};addEventListener(`hashchange`,e),e()}},L=500,R=5e3,z=class extends b{state=`connecting`;reason=``;retryAtMs=0;#e;#t;#n;#r=0;#i=L;#a=0;constructor(e,t){super(),this.#e=e,this.#t=t}connect(){if(clearTimeout(this.#a),typeof WebSocket!=`function`){this.#c(`This browser has no WebSocket, by which the console sends everything that changes.`,!1);return}this.#l(`connecting`);let e=this.#n=new WebSocket(d(`live`));e.binaryType=`arraybuffer`,e.onopen=()=>{this.#i=L,this.#l(`open`),this.#r>0&&this.#o(),this.#e.greet()},e.onmessage=({data:e})=>this.#s(e),e.onclose=({reason:t})=>{this.#n===e&&(this.#n=void 0,this.#c(t||`The console does not answer.`,!0))}}watchEntities(){this.#r++===0&&this.#o();let e=!1;return()=>{e||(e=!0,--this.#r>0||(this.#o(),this.#t.clear()))}}#o(){this.#n?.readyState===WebSocket.OPEN&&this.#n.send(JSON.stringify({watch:this.#r>0?`entities`:`nothing`}))}#s(e){if(e instanceof ArrayBuffer){this.#t.apply(e,performance.now());return}let t=JSON.parse(String(e)),n=this.#e;t.map&&n.setMap(t.map),t.status&&t.slot!==void 0&&n.setStatus(t.slot,t.status),t.unreachable&&n.setUnreachable(t.unreachable.why),t.kinds&&(n.kinds=t.kinds,n.changed()),t.players&&(n.players=t.players,n.changed())}#c(e,t){this.reason=e,this.#t.clear(),t&&(this.retryAtMs=performance.now()+this.#i,this.#a=window.setTimeout(()=>this.connect(),this.#i),this.#i=Math.min(this.#i*2,R)),this.#l(`lost`)}#l(e){this.state=e,this.changed()}},B=64,V=class extends b{map;mapAtMs=0;unreachable=``;kinds=[];players=[];statuses=new Map;changes=[];hello;refused=``;get mayAct(){return this.hello?.mayAct??!1}async greet(){try{this.hello=await _(`api/hello`),this.refused=``}catch(e){this.refused=e instanceof m&&e.httpStatus===0?``:y(e)}this.changed()}setMap(e){this.#e(e),this.map=e,this.mapAtMs=performance.now(),this.unreachable=``;for(let t of this.statuses.keys())e.workers.some(e=>e.slot===t&&e.alive)||this.statuses.delete(t);this.changed()}setUnreachable(e){this.unreachable=e,this.changed()}setStatus(e,t){this.statuses.set(e,t),this.changed()}worker(e){return this.map?.workers.find(t=>t.slot===e)}workerName(e){return e===void 0?`nobody`:this.worker(e)?.name??`slot ${e}`}region(e){return this.map?.regions.find(({region:t})=>t===e)}regionAt({x:e,y:t,z:n}){return this.map?.regions.find(({low:r,high:i})=>e>=r.x&&e<i.x&&t>=r.y&&t<i.y&&n>=r.z&&n<i.z)}get rate(){return(this.map?.time.at(-1)?.ratePpm??1e6)/1e6}#e(e){if(this.map&&this.map.clusterId===e.clusterId){for(let{region:t,owner:n}of e.regions){let e=this.region(t);e&&e.owner!==n&&this.changes.unshift({atMs:Date.now(),region:t,from:e.owner,to:n})}this.changes.length=Math.min(this.changes.length,B)}}},H=2e3,U=32,W=8,G=1/32767,K=1024,q=class{count=0;handle=new Uint32Array(K);parent=new Uint32Array(K);type=new Uint16Array(K);flags=new Uint16Array(K);slot=new Uint8Array(K);seenMs=new Float64Array(K);pose=new Float32Array(K*7);before=new Float32Array(K*7);movedMs=new Float32Array(K);stepMs=new Float32Array(K);#e=new Map;find(e){return this.#e.get(e)}row(e,t){let n=this.#e.get(e);return n===void 0&&(n=this.count++,n===this.handle.length&&this.#n(),this.#e.set(e,n),this.handle[n]=t,this.stepMs[n]=0,this.seenMs[n]=0),n}forget(e,t){for(let n=this.count-1;n>=0;--n)e-this.seenMs[n]>H&&this.#t(n,t)}clear(){this.count=0,this.#e.clear()}#t(e,t){let n=this.count-1;if(this.#e.delete(t(e)),e!==n){this.#e.set(t(n),e);for(let t of[this.handle,this.parent,this.type,this.flags,this.slot,this.seenMs,this.movedMs,this.stepMs])t[e]=t[n];this.pose.copyWithin(e*7,n*7,n*7+7),this.before.copyWithin(e*7,n*7,n*7+7)}this.count=n}#n(){let e=e=>{let t=new e.constructor(e.length*2);return t.set(e),t};this.handle=e(this.handle),this.parent=e(this.parent),this.type=e(this.type),this.flags=e(this.flags),this.slot=e(this.slot),this.seenMs=e(this.seenMs),this.pose=e(this.pose),this.before=e(this.before),this.movedMs=e(this.movedMs),this.stepMs=e(this.stepMs)}},oe=256,se=class{owned=new q;ghosts=new q;migrations=[];migrationsSeen=0;observations=0;heardMs=new Map;version=0;#e=0;apply(e,t){let n=new DataView(e);if(e.byteLength<W||n.getUint8(0)!==1)return;let r=n.getUint8(1);for(let i=W;i+U<=e.byteLength;i+=U)this.#t(n,i,r,t);++this.observations,++this.version,this.heardMs.set(r,t),t-this.#e>250&&this.sweep(t)}sweep(e){for(this.#e=e,this.owned.forget(e,e=>this.owned.handle[e]),this.ghosts.forget(e,e=>J(this.ghosts.handle[e],this.ghosts.slot[e]));this.migrations[0]&&e-this.migrations[0].atMs>H;)this.migrations.shift();++this.version}clear(){this.owned.clear(),this.ghosts.clear(),this.migrations.length=0,this.heardMs.clear(),++this.version}#t(e,t,n,r){let i=e.getUint32(t,!0),a=e.getUint16(t+10,!0),o=!!(a&1),s=o?this.ghosts:this.owned,c=s.row(o?J(i,n):i,i),{pose:l,before:u}=s,d=s.seenMs[c]===0,f=c*7;for(let e=0;e<7;++e)u[f+e]=l[f+e];for(let n=0;n<3;++n)l[f+n]=e.getFloat32(t+12+4*n,!0);for(let n=0;n<4;++n)l[f+3+n]=e.getInt16(t+24+2*n,!0)*G;if(d)for(let e=0;e<7;++e)u[f+e]=l[f+e];else!o&&s.slot[c]!==n&&this.#n(l,f,s.slot[c],n,r);s.parent[c]=e.getUint32(t+4,!0),s.type[c]=e.getUint16(t+8,!0),s.flags[c]=a,s.slot[c]=n,s.stepMs[c]=d?0:r-s.movedMs[c],s.movedMs[c]=r,s.seenMs[c]=r}#n(e,t,n,r,i){++this.migrationsSeen,this.migrations.push({atMs:i,x:e[t],y:e[t+1],z:e[t+2],from:n,to:r}),this.migrations.length>oe&&this.migrations.shift()}};function J(e,t){return e*256+t}var ce=30,le=class{#e;#t=new Map;#n=[];constructor(e){this.#e=e,e.listen(()=>this.#r())}rttsOf(e){return this.#t.get(e)?.values??[]}#r(){if(this.#e.players!==this.#n){this.#n=this.#e.players;for(let e of this.#t.values())++e.missed;for(let{clientId:e,rttMs:t}of this.#n){let n=this.#t.get(e)?.values??[];this.#t.set(e,{values:[...n,t].slice(-60),missed:0})}for(let[e,{missed:t}]of this.#t)t>ce&&this.#t.delete(e)}}},Y=new V,X=new se,Z=new z(Y,X);new le(Y);var ue=class extends t{static properties={loaded:{state:!0},failure:{state:!0}};#e;#t=0;static styles=[S,a`
      :host {
        display: grid;
        grid-template-rows: 46px auto minmax(0, 1fr);
        height: 100dvh;
      }
      header {
        display: flex;
        align-items: center;
        gap: 26px;
        padding: 0 18px;
        border-bottom: 1px solid var(--line);
        background: var(--bg);
      }
      .brand {
        display: flex;
        align-items: center;
        gap: 9px;
        font-size: 15px;
        font-weight: 600;
        letter-spacing: -0.015em;
        color: var(--text);
        text-decoration: none;
      }
      .brand img {
        width: 22px;
        height: 22px;
        display: block;
      }
      nav {
        display: flex;
        align-self: stretch;
        gap: 2px;
      }
      nav a {
        position: relative;
        display: flex;
        align-items: center;
        padding: 0 11px;
        color: var(--text-soft);
        text-decoration: none;
        transition: color 0.12s;
      }
      nav a:hover {
        color: var(--text);
      }
      nav a[aria-current] {
        color: var(--text);
        font-weight: 500;
      }
      nav a[aria-current]::after {
        content: '';
        position: absolute;
        inset: auto 11px -1px;
        height: 2px;
        border-radius: 2px;
        background: var(--accent);
      }
      .health {
        margin-left: auto;
        display: flex;
        align-items: center;
        gap: 16px;
        color: var(--text-soft);
        font-size: 12px;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      .health span {
        display: inline-flex;
        align-items: center;
        gap: 7px;
      }
      .health b {
        font-weight: 500;
        color: var(--text);
      }
      .banner {
        display: flex;
        align-items: center;
        gap: 12px;
        padding: 7px 18px;
        background: rgb(232 196 104 / 10%);
        border-bottom: 1px solid rgb(232 196 104 / 30%);
        color: #efd389;
      }
      .banner.bad {
        background: rgb(242 117 122 / 11%);
        border-color: rgb(242 117 122 / 32%);
        color: #f6b1b4;
      }
      main {
        position: relative;
        min-height: 0;
        overflow: hidden;
      }
      main > .notice {
        display: grid;
        place-content: center;
        height: 100%;
        padding: 24px;
        text-align: center;
        color: var(--text-soft);
      }
      @media (max-width: 1080px) {
        .wide {
          display: none !important;
        }
      }
      @media (max-width: 720px) {
        header {
          gap: 12px;
          padding: 0 14px;
        }
        nav {
          position: fixed;
          inset: auto 0 0;
          z-index: 40;
          height: 54px;
          padding-bottom: env(safe-area-inset-bottom);
          justify-content: space-around;
          background: #0a0d13;
          border-top: 1px solid var(--line);
        }
        nav a {
          padding: 0 6px;
          font-size: 12px;
        }
        nav a[aria-current]::after {
          inset: 0 6px auto;
        }
        .health {
          gap: 10px;
        }
      }
    `];constructor(){super(),this.loaded=void 0,this.failure=``,new x(this,I,Y,Z)}connectedCallback(){super.connectedCallback(),this.#t=window.setInterval(()=>Z.state===`lost`&&this.requestUpdate(),500)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.#t)}render(){return this.#r(I.page),r`
      <header>
        <a class="brand" href="#/fly"><img src="./icon.svg" alt="" />perigee</a>
        <nav>
          ${F.map(({name:t,title:n})=>r`<a href="#/${t}" aria-current=${I.page===t?`page`:e}>${n}</a>`)}
        </nav>
        <div class="health">${this.#i()}</div>
      </header>
      <div>${this.#a()}</div>
      <main>${this.#n()}</main>
      <confirm-act></confirm-act>
      <toast-list></toast-list>
    `}#n(){if(this.failure!==``)return r`<div class="notice">${this.failure}</div>`;if(!this.loaded)return r`<div class="notice"></div>`;let e=n(`${this.loaded}-page`);return i`<${e}></${e}>`}async#r(e){if(this.#e!==e){this.#e=e;try{if(await F.find(({name:t})=>t===e).load(),this.#e!==e)return;this.failure=``,this.loaded=e,document.title=`${F.find(({name:t})=>t===e).title} · perigee`}catch(e){this.failure=`This page could not be loaded: ${y(e)}. Load it again.`}}}#i(){let{map:t}=Y,n=Y.hello?r`<span class="tag ${Y.mayAct?`good`:``}"
          title=${Y.mayAct?`This page has the console’s token.`:`To act, ${p}.`}
          >${Y.mayAct?`operator`:`read only`}</span>`:e;if(!t)return r`${n}`;let i=t.workers.filter(e=>e.alive),a=i.reduce((e,t)=>e+(t.players??0),0),o=Math.max(0,...i.map(e=>e.tickP99Ms??0)),s=t.workers.length-i.length,c=Z.state!==`open`||Y.unreachable?`bad`:s>0?`warn`:`good`;return r`
      <span><i class="dot ${c}"></i><b>${i.length}</b>${i.length===1?`worker`:`workers`}</span>
      <span class="wide">tick p99 <b>${w(o,1)} ms</b></span>
      <span class="wide">${Y.rate<1?r`time at <b>${w(Y.rate*100)} %</b>`:e}</span>
      <span><b>${a}</b>${a===1?`player`:`players`}</span>
      ${n}
    `}#a(){if(Z.state===`lost`){let t=Math.max(0,Math.ceil((Z.retryAtMs-performance.now())/1e3));return r`<div class="banner bad" role="alert">
        <span>${Z.reason}</span>
        ${Z.retryAtMs>0?r`<span class="faint">Next try in ${O(t,`second`)}.</span>
              <button class="small" @click=${()=>Z.connect()}>Try now</button>`:e}
      </div>`}return Y.refused?r`<div class="banner bad" role="alert">${Y.refused}</div>`:Y.unreachable?r`<div class="banner" role="alert">${Y.unreachable}</div>`:e}};customElements.define(`console-app`,ue);var Q,$;function de(){window.perigee={get live(){let{state:e}=Z;return{state:e,observations:X.observations,mapVersion:Y.map?.version??``}},get fly(){return Q?.()},get world(){return $?.()}}}function fe(e){Q=e}function pe(e){$=e}l(),de(),I.begin(),Z.connect();export{p as _,Z as a,w as c,S as d,b as f,f as g,y as h,X as i,D as l,v as m,pe as n,j as o,x as p,Y as r,E as s,fe as t,T as u,d as v};