const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./fly_page.js","./lit.js","./shared.js","./screen.js","./three.js","./emitter.js","./frame_timer.js","./acts.js","./act_button.js","./palette.js","./pilot.js","./world_page.js","./lens_page.js","./players_page.js","./incidents_page.js","./prometheus.js","./dashboards_page.js","./uplot.js","./ladder_page.js"])))=>i.map(i=>d[i]);
import{a as e,d as t,l as n,n as r,r as i,s as a,u as o}from"./shared.js";import{a as s,i as c,l,n as u,o as d,r as f,s as p}from"./lit.js";import{n as ee,t as m}from"./emitter.js";var h=1200,te=class extends s{static properties={text:{},prompt:{},copied:{state:!0}};static styles=l`
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
  `;constructor(){super(),this.text=``,this.prompt=`$`,this.copied=!1}render(){return p`<button @click=${this.#e} title="Copy">
      <i>${this.copied?`✓`:this.prompt}</i> ${this.text}
    </button>`}async#e(){try{await navigator.clipboard.writeText(this.text)}catch{return}this.copied=!0,setTimeout(()=>this.copied=!1,h)}};customElements.define(`cmd-line`,te);var ne=class extends s{static properties={act:{state:!0}};#e=()=>{};static styles=[r,l`
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
    `];ask(e){return this.#e(!1),this.act=e,new Promise(e=>this.#e=e)}render(){let{act:e}=this;return e?p`<dialog @close=${()=>this.#t(!1)} aria-label=${e.verb}>
      <p>${e.consequence}</p>
      <div class="label">The same from a shell:</div>
      <cmd-line .text=${e.command}></cmd-line>
      <footer>
        <button @click=${()=>this.#t(!1)}>Cancel</button>
        <button class=${e.harmful?`harmful`:`main`} id="yes" @click=${()=>this.#t(!0)}>${e.verb}</button>
      </footer>
    </dialog>`:d}updated(){let e=this.renderRoot.querySelector(`dialog`);e&&!e.open&&(e.showModal(),this.renderRoot.querySelector(`#yes`)?.focus())}#t(e){let t=this.#e;this.#e=()=>{},this.act=void 0,t(e)}};customElements.define(`confirm-act`,ne);var g=`–`;function _(e,t=0){return e===void 0||!Number.isFinite(e)?g:e.toFixed(t)}function re(e){return e===void 0||!Number.isFinite(e)?g:e.toFixed(+(e<10))}function v(e){return e===void 0||!Number.isFinite(e)?g:Math.round(e).toLocaleString(`en-US`).replaceAll(`,`,` `)}function ie(e){return Math.abs(e)>=1e3?`${(e/1e3).toFixed(Math.abs(e)%1e3==0?0:2)} km`:`${Math.round(e)} m`}function ae(e){return e<1.5?`now`:e<90?`${Math.round(e)} s ago`:e<5400?`${Math.round(e/60)} min ago`:e<172800?`${Math.round(e/3600)} h ago`:`${Math.round(e/86400)} d ago`}function oe(e){return new Date(e).toLocaleTimeString(`en-GB`)}function y(e,t){return`${v(e)} ${t}${e===1?``:`s`}`}var b=7e3,x=class extends s{static properties={toasts:{state:!0}};#e=1;static styles=l`
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
  `;constructor(){super(),this.toasts=[]}show(e,t){let n=this.#e++;this.toasts=[...this.toasts,{id:n,text:e,bad:t}].slice(-4),setTimeout(()=>this.toasts=this.toasts.filter(e=>e.id!==n),b)}render(){return u(this.toasts,({id:e})=>e,({text:e,bad:t})=>p`<div class=${t?`bad`:``} role="status">${e}</div>`)}};customElements.define(`toast-list`,x);function S(e,t=!1){document.querySelector(`console-app`)?.shadowRoot?.querySelector(`toast-list`)?.show(e,t)}var C=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),w=function(e,t){return new URL(e,t).href},T={},E=function(e){return e.pathname.endsWith(`.css`)},se=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},D=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=w(t,n);let r=s(t),i=E(r);return se(T,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:C,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},O=[{name:`fly`,title:`Fly`,load:()=>D(()=>import(`./fly_page.js`),__vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10]),import.meta.url)},{name:`world`,title:`World`,load:()=>D(()=>import(`./world_page.js`),__vite__mapDeps([11,1,3,4,5,9,2,7,8,6]),import.meta.url)},{name:`lens`,title:`Lens`,load:()=>D(()=>import(`./lens_page.js`),__vite__mapDeps([12,1,7,2,10,5,3,4]),import.meta.url)},{name:`players`,title:`Players`,load:()=>D(()=>import(`./players_page.js`),__vite__mapDeps([13,1,7,2,5,8]),import.meta.url)},{name:`incidents`,title:`Incidents`,load:()=>D(()=>import(`./incidents_page.js`),__vite__mapDeps([14,1,2,15,5,9]),import.meta.url)},{name:`dashboards`,title:`Dashboards`,load:()=>D(()=>import(`./dashboards_page.js`),__vite__mapDeps([16,1,2,15,5,17]),import.meta.url)},{name:`ladder`,title:`Ladder`,load:()=>D(()=>import(`./ladder_page.js`),__vite__mapDeps([18,1,2,15]),import.meta.url)}],k=new class extends m{page=`fly`;part=``;begin(){let e=()=>{let[e=``,t=``]=location.hash.replace(/^#\/?/,``).split(`/`);this.page=O.find(t=>t.name===e)?.name??`fly`,this.part=decodeURIComponent(t),this.changed()};addEventListener(`hashchange`,e),e()}},A=500,j=5e3,M=class extends m{state=`connecting`;reason=``;retryAtMs=0;#e;#t;#n;#r;#i={entities:0,players:0};#a=A;#o=0;constructor(e,t,n){super(),this.#e=e,this.#t=t,this.#n=n}connect(){if(clearTimeout(this.#o),typeof WebSocket!=`function`){this.#d(`This browser has no WebSocket, by which the console sends everything that changes.`,!1);return}this.#f(`connecting`);let e=this.#r=new WebSocket(o(`live`));e.binaryType=`arraybuffer`,e.onopen=()=>{this.#a=A,this.#f(`open`),this.#c()!==`nothing`&&this.#l(),this.#e.greet()},e.onmessage=({data:e})=>this.#u(e),e.onclose=({reason:t})=>{this.#r===e&&(this.#r=void 0,this.#d(t||`The console does not answer.`,!0))}}watchEntities(){return this.#s(`entities`,()=>this.#t.clear())}watchPlayers(){return this.#s(`players`,()=>this.#n.clear())}#s(e,t){this.#i[e]++===0&&this.#l();let n=!1;return()=>{n||(n=!0,--this.#i[e]>0||(this.#l(),t()))}}#c(){let{entities:e,players:t}=this.#i;return e>0?t>0?`all`:`entities`:t>0?`players`:`nothing`}#l(){this.#r?.readyState===WebSocket.OPEN&&this.#r.send(JSON.stringify({watch:this.#c()}))}#u(e){if(e instanceof ArrayBuffer){this.#t.apply(e,performance.now());return}let t=JSON.parse(String(e)),n=this.#e;t.map&&n.setMap(t.map),t.status&&t.slot!==void 0&&n.setStatus(t.slot,t.status),t.unreachable&&n.setUnreachable(t.unreachable.why),t.kinds&&(n.kinds=t.kinds,n.changed()),t.report&&this.#n.take(t.gateway??0,t.report,performance.now())}#d(e,t){this.reason=e,this.#t.clear(),t&&(this.retryAtMs=performance.now()+this.#a,this.#o=window.setTimeout(()=>this.connect(),this.#a),this.#a=Math.min(this.#a*2,j)),this.#f(`lost`)}#f(e){this.state=e,this.changed()}},N=64,P=class extends m{map;mapAtMs=0;unreachable=``;kinds=[];statuses=new Map;changes=[];hello;refused=``;get mayAct(){return this.hello?.mayAct??!1}whyNot(e){let{hello:t}=this;if(!t||t.operator===``)return`To act, ${n}.`;let r=t.acts[e];return r===void 0?`This console has no act ${e}: it is of another version than the page. Load the page again.`:t.scopes===`all`||r===`read`||t.scopes.split(`,`).includes(r)?``:`This needs the scope ${r}; ${t.operator} has the scope ${t.scopes}.`}async greet(){try{this.hello=await e(`api/hello`),this.refused=``}catch(e){this.refused=e instanceof i&&e.httpStatus===0?``:a(e)}this.changed()}setMap(e){this.#e(e),this.map=e,this.mapAtMs=performance.now(),this.unreachable=``;for(let t of this.statuses.keys())e.workers.some(e=>e.slot===t&&e.alive)||this.statuses.delete(t);this.changed()}setUnreachable(e){this.unreachable=e,this.changed()}setStatus(e,t){this.statuses.set(e,t),this.changed()}worker(e){return this.map?.workers.find(t=>t.slot===e)}workerName(e){return e===void 0?`nobody`:this.worker(e)?.name??`slot ${e}`}region(e){return this.map?.regions.find(({region:t})=>t===e)}regionAt({x:e,y:t,z:n}){return this.map?.regions.find(({low:r,high:i})=>e>=r.x&&e<i.x&&t>=r.y&&t<i.y&&n>=r.z&&n<i.z)}get rate(){return(this.map?.time.at(-1)?.ratePpm??1e6)/1e6}#e(e){if(this.map&&this.map.clusterId===e.clusterId){for(let{region:t,owner:n}of e.regions){let e=this.region(t);e&&e.owner!==n&&this.changes.unshift({atMs:Date.now(),region:t,from:e.owner,to:n})}this.changes.length=Math.min(this.changes.length,N)}}},F=2e3,I=32,L=8,R=1/32767,z=1024,B=class{count=0;handle=new Uint32Array(z);parent=new Uint32Array(z);type=new Uint16Array(z);flags=new Uint16Array(z);slot=new Uint8Array(z);seenMs=new Float64Array(z);pose=new Float32Array(z*7);before=new Float32Array(z*7);movedMs=new Float32Array(z);stepMs=new Float32Array(z);#e=new Map;find(e){return this.#e.get(e)}row(e,t){let n=this.#e.get(e);return n===void 0&&(n=this.count++,n===this.handle.length&&this.#n(),this.#e.set(e,n),this.handle[n]=t,this.stepMs[n]=0,this.seenMs[n]=0),n}forget(e,t){for(let n=this.count-1;n>=0;--n)e-this.seenMs[n]>F&&this.#t(n,t)}clear(){this.count=0,this.#e.clear()}#t(e,t){let n=this.count-1;if(this.#e.delete(t(e)),e!==n){this.#e.set(t(n),e);for(let t of[this.handle,this.parent,this.type,this.flags,this.slot,this.seenMs,this.movedMs,this.stepMs])t[e]=t[n];this.pose.copyWithin(e*7,n*7,n*7+7),this.before.copyWithin(e*7,n*7,n*7+7)}this.count=n}#n(){let e=e=>{let t=new e.constructor(e.length*2);return t.set(e),t};this.handle=e(this.handle),this.parent=e(this.parent),this.type=e(this.type),this.flags=e(this.flags),this.slot=e(this.slot),this.seenMs=e(this.seenMs),this.pose=e(this.pose),this.before=e(this.before),this.movedMs=e(this.movedMs),this.stepMs=e(this.stepMs)}},V=256,H=class{owned=new B;ghosts=new B;migrations=[];migrationsSeen=0;observations=0;heardMs=new Map;version=0;#e=0;apply(e,t){let n=new DataView(e);if(e.byteLength<L||n.getUint8(0)!==1)return;let r=n.getUint8(1);for(let i=L;i+I<=e.byteLength;i+=I)this.#t(n,i,r,t);++this.observations,++this.version,this.heardMs.set(r,t),t-this.#e>250&&this.sweep(t)}sweep(e){for(this.#e=e,this.owned.forget(e,e=>this.owned.handle[e]),this.ghosts.forget(e,e=>U(this.ghosts.handle[e],this.ghosts.slot[e]));this.migrations[0]&&e-this.migrations[0].atMs>F;)this.migrations.shift();++this.version}clear(){this.owned.clear(),this.ghosts.clear(),this.migrations.length=0,this.heardMs.clear(),++this.version}#t(e,t,n,r){let i=e.getUint32(t,!0),a=e.getUint16(t+10,!0),o=!!(a&1),s=o?this.ghosts:this.owned,c=s.row(o?U(i,n):i,i),{pose:l,before:u}=s,d=s.seenMs[c]===0,f=c*7;for(let e=0;e<7;++e)u[f+e]=l[f+e];for(let n=0;n<3;++n)l[f+n]=e.getFloat32(t+12+4*n,!0);for(let n=0;n<4;++n)l[f+3+n]=e.getInt16(t+24+2*n,!0)*R;if(d)for(let e=0;e<7;++e)u[f+e]=l[f+e];else!o&&s.slot[c]!==n&&this.#n(l,f,s.slot[c],n,r);s.parent[c]=e.getUint32(t+4,!0),s.type[c]=e.getUint16(t+8,!0),s.flags[c]=a,s.slot[c]=n,s.stepMs[c]=d?0:r-s.movedMs[c],s.movedMs[c]=r,s.seenMs[c]=r}#n(e,t,n,r,i){++this.migrationsSeen,this.migrations.push({atMs:i,x:e[t],y:e[t+1],z:e[t+2],from:n,to:r}),this.migrations.length>V&&this.migrations.shift()}};function U(e,t){return e*256+t}var W=6e4,G=5e3,ce=class extends m{all=new Map;leftOut=0;take(e,{players:t,leftOut:n},r){this.leftOut=n;for(let n of t){let t=this.all.get(n.clientId),i=Number(n.corrections),a=[...t?.corrections??[],{atMs:r,count:i}].filter(({atMs:e})=>r-e<=W);this.all.set(n.clientId,{clientId:n.clientId,gatewaySlot:e,silentS:n.silentS,rttMs:n.rttUs/1e3,jitterMs:n.jitterUs/1e3,lossPermille:n.lossPermille,leadMs:n.leadUs/1e3,inputToEyeMs:n.inputToDisplayUs/1e3,correctionsPerMinute:le(a,n.sessionS),largestCorrectionM:n.largestCorrectionMm/1e3,kBPerS:n.receivedBytesPerS/1e3,rttsMs:[...t?.rttsMs??[],n.rttUs/1e3].slice(-60),corrections:a,seenMs:r})}for(let[e,{seenMs:t}]of this.all)r-t>G&&this.all.delete(e);this.changed()}clear(){this.all.clear(),this.changed()}};function le(e,t){let[n,r]=[e[0],e.at(-1)],i=r.atMs-n.atMs;return i<1e4?t>0?r.count*60/Math.max(t,60):0:Math.max(0,r.count-n.count)*W/i}var K=new P,q=new H,J=new ce,Y=new M(K,q,J),X=l`
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
`,ue=class extends s{static properties={loaded:{state:!0},failure:{state:!0}};#e;#t=0;static styles=[r,X];constructor(){super(),this.loaded=void 0,this.failure=``,new ee(this,k,K,Y)}connectedCallback(){super.connectedCallback(),this.#t=window.setInterval(()=>Y.state===`lost`&&this.requestUpdate(),500)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.#t)}render(){return this.#r(k.page),p`
      <header>
        <a class="brand" href="#/fly"><img src="./icon.svg" alt="" />perigee</a>
        <nav>
          ${O.map(({name:e,title:t})=>p`<a href="#/${e}" aria-current=${k.page===e?`page`:d}>${t}</a>`)}
        </nav>
        <div class="health">${this.#i()}</div>
      </header>
      <div>${this.#a()}</div>
      <main>${this.#n()}</main>
      <confirm-act></confirm-act>
      <toast-list></toast-list>
    `}#n(){if(this.failure!==``)return p`<div class="notice">${this.failure}</div>`;if(!this.loaded)return p`<div class="notice"></div>`;let e=f(`${this.loaded}-page`);return c`<${e}></${e}>`}async#r(e){if(this.#e!==e){this.#e=e;try{if(await O.find(({name:t})=>t===e).load(),this.#e!==e)return;this.failure=``,this.loaded=e,document.title=`${O.find(({name:t})=>t===e).title} · perigee`}catch(e){this.failure=`This page could not be loaded: ${a(e)}. Load it again.`}}}#i(){let{map:e}=K,t=K.hello?p`<span class="tag ${K.mayAct?`good`:``}"
          title=${K.mayAct?`This page has a token of ${K.hello.operator}, with the scope ${K.hello.scopes}.`:`To act, ${n}.`}
          >${K.mayAct?K.hello.operator===`console`?`operator`:K.hello.operator:`read only`}</span>`:d;if(!e)return p`${t}`;let r=e.workers.filter(e=>e.alive),i=r.reduce((e,t)=>e+(t.players??0),0),a=Math.max(0,...r.map(e=>e.tickP99Ms??0)),o=e.workers.length-r.length,s=Y.state!==`open`||K.unreachable?`bad`:o>0?`warn`:`good`;return p`
      <span><i class="dot ${s}"></i><b>${r.length}</b>${r.length===1?`worker`:`workers`}</span>
      <span class="wide">tick p99 <b>${_(a,1)} ms</b></span>
      <span class="wide">${K.rate<1?p`time at <b>${_(K.rate*100)} %</b>`:d}</span>
      <span><b>${i}</b>${i===1?`player`:`players`}</span>
      ${t}
    `}#a(){if(Y.state===`lost`){let e=Math.max(0,Math.ceil((Y.retryAtMs-performance.now())/1e3));return p`<div class="banner bad" role="alert">
        <span>${Y.reason}</span>
        ${Y.retryAtMs>0?p`<span class="faint">Next try in ${y(e,`second`)}.</span>
              <button class="small" @click=${()=>Y.connect()}>Try now</button>`:d}
      </div>`}return K.refused?p`<div class="banner bad" role="alert">${K.refused}</div>`:K.unreachable?p`<div class="banner" role="alert">${K.unreachable}</div>`:d}};customElements.define(`console-app`,ue);var Z,Q,$;function de(){window.perigee={get live(){let{state:e}=Y;return{state:e,observations:q.observations,mapVersion:K.map?.version??``}},get fly(){return Z?.()},get world(){return Q?.()},get lens(){return $?.()}}}function fe(e){Z=e}function pe(e){Q=e}function me(e){$=e}t(),de(),k.begin(),Y.connect();export{q as a,k as c,oe as d,v as f,y as g,re as h,K as i,S as l,ie as m,me as n,Y as o,_ as p,pe as r,J as s,fe as t,ae as u};