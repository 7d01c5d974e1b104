import{a as e,l as t,n,o as r,s as i}from"./lit.js";import{a,o,t as s}from"./acts.js";import{c,g as l,i as u,n as d,u as f}from"./index.js";import{r as p,t as m}from"./pilot.js";import{n as h,t as ee}from"./emitter.js";import{i as g,n as _,s as v}from"./shared.js";import{t as te}from"./screen.js";import{F as ne,M as y,N as re,O as b,P as ie,W as ae,Y as x,_ as oe,b as se,d as S,h as ce,i as C,k as w,l as le,m as ue,n as T,p as E,r as D,x as de,y as O}from"./three.js";var fe={input_lost:{title:`Input lost`,color:`#f2757a`,sentence:`An input never arrived: the server guessed it.`},input_late:{title:`Input late`,color:`#f0955c`,sentence:`An input arrived after its tick was final.`},stale_object:{title:`Stale object`,color:`#e8c468`,sentence:`A moving object was known at an older version.`},not_streamed:{title:`Not streamed`,color:`#c9a2ff`,sentence:`The client did not know an obstacle at all.`},hit_animated_body:{title:`Hit a body`,color:`#f59ac0`,sentence:`The player touched a body that clients do not predict.`},parent_switch:{title:`Parent switch`,color:`#7fb2ff`,sentence:`The parent changed at another tick than predicted.`},rotating_frame:{title:`Rotating frame`,color:`#5fd4cf`,sentence:`The parent turned otherwise than extrapolated.`},constraint:{title:`Constraint`,color:`#a9cf76`,sentence:`The player is part of a chain of bodies.`},controller_state:{title:`Controller state`,color:`#8f9bff`,sentence:`Hidden state of the controller differed.`},clock_step:{title:`Clock step`,color:`#b9c3d4`,sentence:`The clock jumped.`},migration:{title:`Migration`,color:`#6fc3ee`,sentence:`The owner changed.`},server_override:{title:`Server override`,color:`#d59ce6`,sentence:`The server moved the player: respawn, reset, teleport.`},residual:{title:`Residual`,color:`#f4f7fc`,sentence:`No input to any tick explains it: the predicted state itself was changed, as the key E does, or rounding differed.`},unknown:{title:`Unknown`,color:`#7d8aa3`,sentence:`Not analyzed.`}};function k(e){return fe[e??`unknown`]??{title:e,color:`#7d8aa3`,sentence:``}}function A(e){return e===void 0||!Number.isFinite(e)?`–`:e<5e-4?`0 mm`:e<.1?`${(e*1e3).toFixed(+(e<.01))} mm`:`${e.toFixed(e<10?3:1)} m`}var pe=[[1,`jump`],[2,`run`],[4,`jetpack`],[8,`dampers`],[16,`fire`],[32,`alternate`],[64,`dig`],[128,`fill`]],me=class extends Event{correction;constructor(e){super(`choose`,{bubbles:!0,composed:!0}),this.correction=e}},he=class extends e{static properties={model:{attribute:!1},chosen:{attribute:!1}};static styles=[_,t`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        gap: 18px;
        min-height: 0;
      }
      .cause {
        display: flex;
        align-items: baseline;
        gap: 9px;
        margin: 7px 0 3px;
        font-size: 19px;
        font-weight: 600;
        letter-spacing: -0.015em;
      }
      .cause i {
        width: 10px;
        height: 10px;
        border-radius: 2px;
        rotate: 45deg;
        flex: none;
      }
      .cause b {
        margin-left: auto;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
      }
      .why {
        font-size: 12px;
        font-weight: 400;
        line-height: 1.5;
        color: var(--text-soft);
      }
      .bar {
        height: 5px;
        margin: 14px 0 5px;
        border-radius: 3px;
        background: rgb(150 170 205 / 12%);
        overflow: hidden;
      }
      .bar span {
        display: block;
        height: 100%;
        border-radius: 3px;
      }
      .left {
        display: flex;
        justify-content: space-between;
        font-size: 11px;
        color: var(--text-faint);
        font-variant-numeric: tabular-nums;
      }
      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 5px 14px;
        margin: 15px 0 0;
        font-size: 12px;
      }
      dt {
        color: var(--text-faint);
      }
      dd {
        margin: 0;
        text-align: right;
        font-variant-numeric: tabular-nums;
        overflow-wrap: anywhere;
      }
      .difference {
        margin-top: 12px;
        padding: 9px 11px;
        border-radius: var(--radius-small);
        background: rgb(0 0 0 / 26%);
        font-size: 11px;
        line-height: 1.55;
      }
      .difference b {
        display: block;
        margin-bottom: 2px;
        font-weight: 500;
        color: var(--text);
      }
      .difference div {
        display: grid;
        grid-template-columns: 46px minmax(0, 1fr);
        gap: 8px;
        overflow-wrap: anywhere;
      }
      ol {
        list-style: none;
        margin: 8px -8px 0;
        padding: 0;
        overflow: auto;
        min-height: 0;
        scrollbar-width: thin;
        scrollbar-color: rgb(150 170 205 / 25%) transparent;
      }
      .list {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-height: 0;
      }
      li button {
        display: grid;
        grid-template-columns: 10px minmax(0, 1fr) auto 58px;
        gap: 10px;
        width: 100%;
        height: 27px;
        padding: 0 8px;
        border: 0;
        background: none;
        font-size: 12px;
        text-align: left;
        font-variant-numeric: tabular-nums;
      }
      li button[aria-current='true'] {
        background: var(--accent-soft);
      }
      li i {
        width: 8px;
        height: 8px;
        border-radius: 2px;
        rotate: 45deg;
      }
      li span:nth-of-type(1) {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      li .number {
        color: var(--text-faint);
      }
    `];render(){let{model:e,chosen:t}=this,{corrections:n}=e;return i`
      <section id="details" aria-label="Correction" aria-live="polite">
        <h2>Correction</h2>
        ${t?this.#n(t):i`<p class="why" style="margin-top:8px">
          ${n.length===0?this.#e():`Choose a correction below or on the time line.`}
        </p>`}
      </section>
      <section class="list">
        <h2>${l(n.length,`correction`)}</h2>
        <ol>${[...n].reverse().map(e=>this.#t(e))}</ol>
      </section>
    `}#e(){return this.model.hasServer||this.model.hasClient?`None in these seconds: no error was over 5 cm.`:``}#t(e){let t=k(e.cause??e.noted),n=this.model.ageS(this.model.rowOf(e.at));return i`<li>
      <button aria-current=${e===this.chosen} @click=${()=>this.dispatchEvent(new me(e))}>
        <i style="background:${t.color}"></i><span>${e.cause??e.noted?t.title:`misprediction`}</span>
        <span>${A(e.meters)}</span><span class="number">−${n.toFixed(1)} s</span>
      </button>
    </li>`}#n(e){let t=e.cause??e.noted,n=k(t);return i`
      <div class="cause" id="cause" data-cause=${t??``}>
        <i style="background:${n.color}"></i><span>${t?n.title:`Misprediction`}</span><b>${A(e.meters)}</b>
      </div>
      <p class="why">${this.#r(e,t,n.sentence)}</p>
      ${this.#o(e,n.color)}
      <dl>
        <dt>noticed at tick</dt>
        <dd id="tick">${e.at}</dd>
        ${e.noted?i`<dt>the client's own guess</dt><dd id="noted">${k(e.noted).title}</dd>`:r}
        ${e.cause?i`<dt>by counterfactual replay</dt><dd id="replayed">${k(e.cause).title}</dd>`:r}
        ${e.parted===void 0?r:i`<dt>the paths part at</dt><dd>${e.parted}${this.#i(e)}</dd>`}
        ${e.since===void 0||e.since===e.parted?r:i`<dt>the cause acts since</dt><dd>${e.since}</dd>`}
      </dl>
      ${this.#s(e)}
    `}#r(e,t,n){return t?e.betweenTicks?`No recorded tick has this error: the predicted state itself was moved, and moved back between two ticks. The key E does that.`:n:this.#a(e)}#i({at:e,parted:t}){let n=e-t|0;return n>0?i` <span class="faint">${(n*1e3/60).toFixed(0)} ms before</span>`:r}#a({guessedBefore:e}){return`What the client claimed was off. ${e?`The worker had to guess ${l(e,`input`)} just before.`:`All inputs had arrived in time.`} The cause needs the client's half, too.`}#o({errorM:e,leftM:t},n){if(e===void 0||t===void 0||e<=0)return r;let a=Math.max(0,Math.min(1,1-t/e));return i`
      <div class="bar"><span style="width:${(a*100).toFixed(1)}%;background:${n}"></span></div>
      <div class="left"><span>without this cause</span><span id="left">${A(t)} of ${A(e)} remain</span></div>
    `}#s({difference:e,beforehand:t,parted:n}){return t?i`<p class="difference">The paths had parted before the recording begins: the cause is not in it.</p>`:e?i`<div class="difference">
        <b>First difference: ${e.field}</b>
        <div><span class="faint">client</span><span class="mono">${e.client}</span></div>
        <div><span class="faint">server</span><span class="mono">${e.worker}</span></div>
      </div>`:n===void 0||!this.model.hasClient||!this.model.hasServer?r:i`<p class="difference">Both sides had the same inputs to that tick: the steps differ, so the builds do.</p>`}};customElements.define(`correction-panel`,he);var ge=.05,_e=class{flight;first;count;server;believed;serverLocal;believedLocal;parentPose;parent;errorM;compared;hasClient;hasServer;constructor(e){this.flight=e;let{rows:t}=e;this.first=t.first,this.count=t.count,this.hasClient=e.halves.some(({side:e})=>e===`client`),this.hasServer=e.halves.some(({side:e})=>e===`worker`),this.server=j(t.serverM),this.believed=j(this.hasClient?t.predictedM:t.claimedM),this.parentPose=Float64Array.from(t.parentPose),this.parent=Int32Array.from(t.serverParent,(e,n)=>e>=0?e:t.clientParent[n]),this.serverLocal=this.#e(this.server),this.believedLocal=this.#e(this.believed),this.errorM=new Float32Array(this.count);let n=0;for(let e=0;e<this.count;++e)this.errorM[e]=ve(this.server,this.believed,e),Number.isNaN(this.errorM[e])||++n;this.compared=n}get corrections(){return this.flight.corrections}tickOf(e){return this.first+e>>>0}rowOf(e){return Math.max(0,Math.min(this.count-1,e-this.first|0))}ageS(e){return(this.count-1-e)/60}rowOfCorrection({at:e,parted:t}){let n=this.rowOf(e-1),r=t===void 0?n:Math.min(this.rowOf(t),n),i=n;for(let e=r;e<=n;++e)this.errorM[e]>(this.errorM[i]||0)&&(i=e);return i}get newestShared(){for(let e=this.count-1;e>=0;--e)if(!Number.isNaN(this.errorM[e]))return e;return this.count-1}errorAt(e){for(let t=e;t>=Math.max(0,e-8);--t)if(!Number.isNaN(this.errorM[t]))return this.errorM[t];return NaN}pathFrom(e,t,n,r){let i=this.parent[e];for(let a=0;a<this.count;++a)if(this.parent[a]===i)for(let e=0;e<3;++e)r[3*a+e]=n[3*a+e];else M(this.parentPose,e,t,a,r)}#e(e){let t=new Float64Array(e.length);for(let n=0;n<this.count;++n)M(this.parentPose,n,e,n,t);return t}};function j(e){return Float64Array.from(e,e=>e??NaN)}function ve(e,t,n){let r=3*n;return Math.hypot(e[r]-t[r],e[r+1]-t[r+1],e[r+2]-t[r+2])}function M(e,t,n,r,i){let a=7*t,[o,s,c]=[n[3*r]-e[a],n[3*r+1]-e[a+1],n[3*r+2]-e[a+2]],[l,u,d,f]=[-e[a+3],-e[a+4],-e[a+5],e[a+6]],[p,m,h]=[2*(u*c-d*s),2*(d*o-l*c),2*(l*s-u*o)];i[3*r]=o+f*p+u*h-d*m,i[3*r+1]=s+f*m+d*p-l*h,i[3*r+2]=c+f*h+l*m-u*p}var ye=class{#e=new Worker(new URL(new URL(`replay_worker.js`,import.meta.url).href,``+import.meta.url),{type:`module`,name:`replay`});#t=new Map;#n=0;constructor(){this.#e.onmessage=({data:e})=>this.#r(e),this.#e.onerror=()=>{for(let{reject:e}of this.#t.values())e(Error(`The replay could not be loaded: load the page again.`));this.#t.clear()}}report(e,t){let n=++this.#n;return new Promise((r,i)=>{this.#t.set(n,{resolve:r,reject:i}),this.#e.postMessage({id:n,halves:e,reruns:t})})}end(){this.#e.terminate()}#r({id:e,flight:t,failure:n,tookMs:r}){let i=this.#t.get(e);this.#t.delete(e),t?i?.resolve({flight:t,tookMs:r??0}):i?.reject(Error(n))}},be=1e3,xe=700,Se=class extends ee{armed;playerName=``;files=[];halves={client:void 0,worker:void 0};model;failure=``;live=!1;replayMs=NaN;#e=new ye;#t=0;#n=0;#r=!1;get own(){return this.#r}follow(e,t){this.#a();let n=m.pilot;this.#r=n?.clientId===e,this.armed=this.#r?n.armed:new p(e),this.playerName=t,this.#r||this.armed.begin(),this.#i=this.armed.listen(()=>this.changed()),this.setLive(!0)}async open(e){this.#a(),this.files=e.map(({name:e})=>e);let t=this.#n;if(e.length>2)this.failure=`Open one recording, or the two halves of a flight.`;else try{let n=await this.#e.report(e.map(({bytes:e})=>e),!0);if(t!==this.#n)return;this.#s(n.flight,n.tookMs);let r=n.flight.halves.map(({side:e})=>e);e.length===1&&(this.halves[r[0]]=e[0].bytes)}catch(e){if(t!==this.#n)return;this.failure=v(e)}this.changed()}setLive(e){this.live===e||e&&!this.armed||(this.live=e,clearTimeout(this.#t),e?this.#o():this.#t=window.setTimeout(()=>void this.#o(),xe),this.changed())}end(){this.#a(),this.#e.end()}#i=()=>{};#a(){++this.#n,clearTimeout(this.#t),this.#i(),this.#i=()=>{},this.#r||this.armed?.end(),this.armed=this.model=void 0,this.#r=this.live=!1,this.files=[],this.playerName=this.failure=``,this.halves={client:void 0,worker:void 0},this.changed()}async#o(){let e=this.#n,{armed:t}=this;if(!t)return;let{live:n}=this;try{let r=this.#r?m.pilot:void 0,i=t.recorder?await g(`api/recording?client=${t.clientId}`):void 0,a=r?.session.client.recording(),o=[a,i].filter(e=>e!==void 0);if(e!==this.#n)return;if(o.length>0){let t=await this.#e.report(o,!n);if(e!==this.#n||n&&!this.live)return;this.halves={client:a,worker:i},this.#s(t.flight,t.tookMs)}this.failure=``}catch(n){if(e!==this.#n)return;t.recorder&&(this.failure=v(n))}this.changed(),this.live&&(this.#t=window.setTimeout(()=>void this.#o(),be))}#s(e,t){this.model=new _e(e),this.replayMs=t}},Ce=t`
  :host {
    display: grid;
    grid-template-columns: 216px minmax(0, 1fr);
    height: 100%;
  }
  .players {
    border-right: 1px solid var(--line);
  }
  .main {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 318px;
    grid-template-rows: 48px auto minmax(0, 1fr) auto;
    grid-template-areas: 'head head' 'failure failure' 'picture side' 'time time';
    min-height: 0;
  }
  .head {
    grid-area: head;
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 0 16px;
    border-bottom: 1px solid var(--line);
    min-width: 0;
  }
  h1 {
    font-size: 15px;
    font-weight: 600;
    letter-spacing: -0.01em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .head .soft,
  .head .recording {
    font-size: 12px;
    white-space: nowrap;
  }
  .recording {
    display: inline-flex;
    align-items: center;
    gap: 7px;
    color: var(--text-soft);
    font-variant-numeric: tabular-nums;
  }
  .recording i {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--bad);
    animation: beat 2s ease-in-out infinite;
  }
  @keyframes beat {
    50% {
      opacity: 0.35;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .recording i {
      animation: none;
    }
  }
  .head .why {
    font-size: 12px;
    color: #efd389;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .grow {
    flex: 1;
  }
  button.on {
    border-color: rgb(143 182 255 / 55%);
    background: var(--accent-soft);
    color: #cfe0ff;
  }
  .back {
    font-size: 12px;
    margin-left: 6px;
  }
  .failure {
    grid-area: failure;
    padding: 9px 16px;
    background: rgb(242 117 122 / 11%);
    border-bottom: 1px solid rgb(242 117 122 / 30%);
    color: #f6b1b4;
    font-weight: 400;
  }
  .picture {
    grid-area: picture;
    position: relative;
    min-height: 0;
    overflow: hidden;
  }
  path-view {
    position: absolute;
    inset: 0;
  }
  .legend {
    position: absolute;
    left: 16px;
    bottom: 12px;
    display: flex;
    gap: 16px;
    font-size: 11px;
    color: var(--text-soft);
    pointer-events: none;
  }
  .legend i {
    display: inline-block;
    width: 14px;
    height: 3px;
    margin-right: 6px;
    border-radius: 2px;
    vertical-align: middle;
  }
  .side {
    grid-area: side;
    padding: 16px 16px 12px;
    border-left: 1px solid var(--line);
    background: var(--bg-raised);
    min-height: 0;
  }
  .time {
    grid-area: time;
    padding: 6px 0 10px;
    border-top: 1px solid var(--line);
    background: var(--bg);
  }
  .foot {
    display: flex;
    align-items: center;
    gap: 14px;
    padding: 6px 16px 0;
    font-size: 11px;
    white-space: nowrap;
  }
  .foot cmd-line {
    margin-left: auto;
    overflow: hidden;
  }
  .empty {
    grid-area: picture-start / picture-start / time-end / side-end;
    display: grid;
    align-content: center;
    justify-items: center;
    gap: 18px;
    padding: 40px;
    text-align: center;
    color: var(--text-soft);
    font-size: 14px;
  }
  .empty p {
    max-width: 460px;
    font-weight: 400;
    line-height: 1.55;
  }
  @media (max-width: 960px) {
    :host {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: auto minmax(0, 1fr);
      overflow: auto;
    }
    .players {
      max-height: 190px;
      border-right: 0;
      border-bottom: 1px solid var(--line);
    }
    .main {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: auto auto 300px auto auto;
      grid-template-areas: 'head' 'failure' 'picture' 'time' 'side';
      padding-bottom: 60px;
    }
    .head {
      flex-wrap: wrap;
      padding: 8px 14px;
    }
    .side {
      border-left: 0;
    }
    .foot {
      flex-wrap: wrap;
    }
  }
`,we=class extends e{static properties={model:{attribute:!1},row:{type:Number}};static styles=[_,t`
      :host {
        position: absolute;
        left: 16px;
        top: 14px;
        pointer-events: none;
        font-variant-numeric: tabular-nums;
      }
      .error {
        font-size: 34px;
        font-weight: 600;
        letter-spacing: -0.03em;
        line-height: 1.1;
      }
      .error.large {
        color: #f6a3a6;
      }
      .line {
        margin-top: 3px;
        font-size: 12px;
        color: var(--text-soft);
      }
      .vector {
        display: flex;
        gap: 11px;
        margin-top: 5px;
        color: var(--text);
      }
      .vector i {
        margin-right: 4px;
        font-style: normal;
        color: var(--text-faint);
      }
      .keys {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
        margin-top: 9px;
      }
      .guessed {
        color: #f6a3a6;
      }
    `];render(){let{model:e,row:t}=this,n=e.errorAt(t),r=this.#t();return i`
      <div class="error ${n>=.05?`large`:``}" id="moment-error">${A(n)}</div>
      ${Number.isFinite(n)?i`<div class="line vector">${this.#e()}</div>`:``}
      <div class="line">tick <span id="moment-tick">${e.tickOf(t)}</span> · ${e.ageS(t).toFixed(2)} s before the end</div>
      <div class="line">in the frame of ${e.parent[t]>0?`entity ${e.parent[t]}`:`the world`}</div>
      <div class="keys">${r.map(e=>i`<kbd>${e}</kbd>`)}
        ${e.flight.rows.guessed[t]?i`<span class="tag bad">guessed input</span>`:``}</div>
    `}#e(){let{model:e,row:t}=this,n=[0,1,2].map(n=>e.serverLocal[3*t+n]-e.believedLocal[3*t+n]);return n.some(Number.isNaN)?``:[`x`,`y`,`z`].map((e,t)=>i`<span><i>${e}</i>${n[t]<0?`−`:`+`}${Math.abs(n[t]).toFixed(3)}</span>`)}#t(){let{forward:e,right:t,up:n,held:r,pressed:i}=this.model.flight.rows,{row:a}=this,o=r[a]|i[a];return[...e[a]>0?[`W`]:e[a]<0?[`S`]:[],...t[a]>0?[`D`]:t[a]<0?[`A`]:[],...n[a]>0?[`up`]:n[a]<0?[`down`]:[],...pe.filter(([e])=>o&e).map(([,e])=>e)]}};customElements.define(`moment-panel`,we);var N={believed:`#7fb2ff`,server:`#f2b66d`,error:`#f2757a`},P=240;function Te(e,t,n,r,i){e.clearRect(0,0,r,i);let[a,o]=[new Float32Array(3*t.count),new Float32Array(3*t.count)];t.pathFrom(n,t.believed,t.believedLocal,a),t.pathFrom(n,t.server,t.serverLocal,o);let s=r/2;F(e,`from above`,a,o,n,0,2,{left:0,width:s,height:i}),F(e,`from the side`,a,o,n,0,1,{left:s,width:s,height:i})}function F(e,t,n,r,i,a,o,s){let c=[0,1].map(e=>{let t=e===0?a:o,s=[r,n].map(e=>e[3*i+t]).filter(e=>!Number.isNaN(e));return s.reduce((e,t)=>e+t,0)/Math.max(s.length,1)}),l=1,[u,d]=[Math.max(0,i-P),Math.min(r.length/3,i+P)];for(let e of[n,r])for(let t=u;t<d;++t){let n=Math.max(Math.abs(e[3*t+a]-c[0]),Math.abs(e[3*t+o]-c[1]));n>l&&(l=n)}let f=Math.min(s.width,s.height)/2.4/l,p=(e,t)=>s.left+s.width/2+(e[3*t+a]-c[0])*f,m=(e,t)=>s.height/2-(e[3*t+o]-c[1])*f;e.save(),e.beginPath(),e.rect(s.left,0,s.width,s.height),e.clip(),e.font=`11px Inter, ui-sans-serif, system-ui, sans-serif`,e.fillStyle=`#66728a`,e.fillText(`${t}, ${(2*l).toFixed(1)} m`,s.left+16,s.height-36);for(let[t,a]of[[r,N.server],[n,N.believed]]){e.beginPath();for(let n=u;n<d;++n)Number.isNaN(t[3*n])||e.lineTo(p(t,n),m(t,n));e.strokeStyle=a,e.lineWidth=2,e.stroke(),e.beginPath(),e.arc(p(t,i),m(t,i),5,0,2*Math.PI),e.fillStyle=a,e.fill()}e.beginPath(),e.moveTo(p(n,i),m(n,i)),e.lineTo(p(r,i),m(r,i)),e.strokeStyle=N.error,e.lineWidth=3,e.stroke(),e.restore()}var I={radius:.34,height:1.8},L=24,R=class{line;#e;#t;#n=new E(`#0a0d13`);constructor(e,t){this.#t=new E(e),this.#e=new C({linewidth:t,vertexColors:!0,alphaToCoverage:!1}),this.line=new T(new D,this.#e),this.line.frustumCulled=!1}set(e,t,n){let[r,i]=[[],[]],a=new E,o=e.length/3;for(let s=Math.max(0,t-360);s<Math.min(o,t+360);++s){if(Number.isNaN(e[3*s]))continue;r.push(e[3*s]-n.x,e[3*s+1]-n.y,e[3*s+2]-n.z);let o=(1-Math.abs(s-t)/360)**1.6;a.copy(this.#n).lerp(this.#t,o),i.push(a.r,a.g,a.b)}this.line.visible=r.length>=6,this.line.visible&&(this.line.geometry.dispose(),this.line.geometry=new D,this.line.geometry.setPositions(r),this.line.geometry.setColors(i))}dispose(){this.line.geometry.dispose(),this.#e.dispose()}};function z(e,t){let n=new S(I.radius,I.height-2*I.radius,8,24),r=new se,i=new y(n,new ie({color:e,roughness:.55,metalness:.05,transparent:!0,opacity:t?.32:.9,depthWrite:!t,emissive:e,emissiveIntensity:t?.35:.12}));if(r.add(i),t){let t=new w(new oe(new S(I.radius,I.height-2*I.radius,4,10),1),new b({color:e,transparent:!0,opacity:.5}));r.add(t)}return r}function Ee(){let[e,t]=[[],[]],n=new E(`#33425e`),r=(r,i)=>{let a=Math.max(0,1-Math.hypot(r,i)/L)**1.5;e.push(r,0,i),t.push(n.r,n.g,n.b,a*(.35+.65*Number(r%5==0||i%5==0)))};for(let e=-24;e<=L;++e)for(let t=-24;t<L;t+=2)r(e,t),r(e,t+2),r(t,e),r(t+2,e);let i=new le;return i.setAttribute(`position`,new O(e,3)),i.setAttribute(`color`,new O(t,4)),new w(i,new b({vertexColors:!0,transparent:!0,depthWrite:!1}))}var De=class{scene=new ae;camera=new ne(42,1,.05,4e3);serverAt=new x;believedAt=new x;known={server:!1,believed:!1};yawRad=-.7;pitchRad=.42;distanceM=7;#e={believed:new R(N.believed,3),server:new R(N.server,3)};#t={believed:z(N.believed,!1),server:z(N.server,!0)};#n=new T(new D,new C({color:N.error,linewidth:4,depthTest:!1,transparent:!0}));#r=new y(new ue(.07,.2,20),new re({color:N.error,depthTest:!1,transparent:!0}));#i=Ee();#a={believed:new Float32Array,server:new Float32Array};#o=new x;#s=0;constructor(){this.scene.add(new de(`#b9cbf0`,`#39415a`,1.7));let e=new ce(`#fff3e2`,2.2);e.position.set(4,9,6),this.scene.add(e),this.#n.renderOrder=5,this.#r.renderOrder=6;for(let e of Object.values(this.#e))this.scene.add(e.line);this.scene.add(this.#t.believed,this.#t.server,this.#n,this.#r,this.#i)}set(e,t){let n=3*e.count;this.#a.server.length!==n&&(this.#a={believed:new Float32Array(n),server:new Float32Array(n)}),e.pathFrom(t,e.believed,e.believedLocal,this.#a.believed),e.pathFrom(t,e.server,e.serverLocal,this.#a.server);let r=(e,n)=>(n.fromArray(e,3*t),!Number.isNaN(n.x));this.known={server:r(this.#a.server,this.serverAt),believed:r(this.#a.believed,this.believedAt)},this.known.server&&this.known.believed?this.#o.copy(this.serverAt).add(this.believedAt).multiplyScalar(.5):this.known.server?this.#o.copy(this.serverAt):this.known.believed&&this.#o.copy(this.believedAt),this.serverAt.sub(this.#o),this.believedAt.sub(this.#o),this.#e.believed.set(this.#a.believed,t,this.#o),this.#e.server.set(this.#a.server,t,this.#o),this.#c()}turn(e,t){this.yawRad+=e,this.pitchRad=Math.max(-.2,Math.min(1.5,this.pitchRad+t))}zoom(e){this.distanceM=Math.max(1.5,Math.min(400,this.distanceM*e))}aim(e){let{camera:t}=this,n=this.known.server&&this.known.believed?this.serverAt.distanceTo(this.believedAt):0,r=this.distanceM+n*1.2,i=Math.cos(this.pitchRad)*r;t.position.set(Math.sin(this.yawRad)*i,Math.sin(this.pitchRad)*r,Math.cos(this.yawRad)*i),t.lookAt(0,0,0),t.aspect=e,t.updateProjectionMatrix(),t.updateMatrixWorld()}dispose(){for(let e of Object.values(this.#e))e.dispose();this.scene.traverse(e=>{let{geometry:t,material:n}=e;t?.dispose();for(let e of Array.isArray(n)?n:n?[n]:[])e.dispose()})}#c(){let{believed:e,server:t}=this.#t;e.visible=this.known.believed,t.visible=this.known.server,e.position.copy(this.believedAt),t.position.copy(this.serverAt),this.#s=Math.min(this.known.server?this.serverAt.y:0,this.known.believed?this.believedAt.y:0)-I.height/2,this.#i.position.set(-(this.#o.x%5),this.#s,-(this.#o.z%5));let n=this.serverAt.clone().sub(this.believedAt),r=n.length(),i=this.known.server&&this.known.believed&&r>.004;if(this.#n.visible=i,this.#r.visible=i&&r>.1,!i)return;let a=Math.min(.2,r*.4),o=this.serverAt.clone().addScaledVector(n,-a/r/2);this.#n.geometry.dispose(),this.#n.geometry=new D,this.#n.geometry.setPositions([...this.believedAt.toArray(),...o.toArray()]),this.#r.scale.setScalar(a/.2),this.#r.position.copy(this.serverAt).addScaledVector(n,-a/r/2),this.#r.quaternion.setFromUnitVectors(new x(0,1,0),n.divideScalar(r))}},Oe=class extends e{static properties={model:{attribute:!1},row:{type:Number},flat:{state:!0}};#e;#t;#n=0;#r=new ResizeObserver(()=>this.#a());static styles=[_,t`
      :host {
        position: relative;
        display: block;
        overflow: hidden;
        background: radial-gradient(ellipse at 50% 42%, #121826 0%, #0a0d13 68%);
      }
      canvas {
        position: absolute;
        inset: 0;
        display: block;
        width: 100%;
        height: 100%;
        cursor: grab;
        touch-action: none;
      }
      canvas:active {
        cursor: grabbing;
      }
      .label {
        position: absolute;
        left: 0;
        top: 0;
        padding: 1px 7px 2px;
        border-radius: 4px;
        background: rgb(7 9 13 / 70%);
        font-size: 11px;
        white-space: nowrap;
        pointer-events: none;
        will-change: transform;
      }
      .label.error {
        font-size: 13px;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
        color: #ffc2c4;
        border: 1px solid rgb(242 117 122 / 45%);
      }
      .keys {
        position: absolute;
        right: 16px;
        bottom: 12px;
        font-size: 11px;
        color: var(--text-faint);
        pointer-events: none;
      }
    `];constructor(){super(),this.flat=!1}render(){return i`
      <canvas @pointerdown=${this.#l} @pointermove=${this.#u} @wheel=${this.#d} aria-label="Both paths"></canvas>
      ${this.flat?i`<span class="keys">This browser has no WebGL 2: the paths are flat.</span>`:i`
            <span class="label" id="server" style="color:${N.server}">server</span>
            <span class="label" id="believed" style="color:${N.believed}">${this.model.hasClient?`predicted`:`claimed`}</span>
            <span class="label error" id="error"></span>
            <span class="keys">drag to turn, wheel to zoom</span>
          `}
      ${r}
    `}firstUpdated(){try{this.#e=new te(this.#i,1),this.#e.renderer.setClearColor(0,0),this.#t=new De}catch{this.flat=!0}this.#r.observe(this)}disconnectedCallback(){super.disconnectedCallback(),this.#r.disconnect(),cancelAnimationFrame(this.#n),this.#t?.dispose(),this.#e?.dispose()}updated(){this.#t?.set(this.model,this.row),this.#a()}get#i(){return this.renderRoot.querySelector(`canvas`)}#a(){cancelAnimationFrame(this.#n),this.#n=requestAnimationFrame(e=>{let{clientWidth:t,clientHeight:n}=this.#i;t!==0&&n!==0&&this.model&&(this.flat?this.#o(t,n):this.#s(e,t,n))})}#o(e,t){let n=this.#i,r=devicePixelRatio;n.width=Math.round(e*r),n.height=Math.round(t*r);let i=n.getContext(`2d`);i.setTransform(r,0,0,r,0,0),Te(i,this.model,this.row,e,t)}#s(e,t,n){let[r,i]=[this.#e,this.#t];r.begin(e),i.aim(t/n),r.show(i.scene,i.camera,0,t);let{server:a,believed:o}=i.known;this.#c(`server`,a,i.serverAt,1.12,t,n),this.#c(`believed`,o,i.believedAt,-1.2,t,n);let s=this.renderRoot.querySelector(`#error`);s.textContent=A(this.model.errorM[this.row]),this.#c(`error`,a&&o,new x,0,t,n)}#c(e,t,n,r,i,a){let o=this.renderRoot.querySelector(`#${e}`);if(!o||(o.hidden=!t,!t))return;let s=n.clone();s.y+=r,s.project(this.#t.camera);let c=(s.x+1)/2*i,l=(1-s.y)/2*a,u=r===0?`translate(28px, -50%)`:`translate(-50%, -50%)`;o.style.transform=`translate(${c.toFixed(1)}px, ${l.toFixed(1)}px) ${u}`}#l=e=>this.#i.setPointerCapture(e.pointerId);#u=e=>{e.buttons!==0&&this.#t&&(this.#t.turn(-e.movementX*.006,e.movementY*.006),this.#a())};#d=e=>{e.preventDefault(),this.#t?.zoom(Math.exp(Math.max(-60,Math.min(60,e.deltaY))*.003)),this.#a()}};customElements.define(`path-view`,Oe);var ke=3e3,Ae=200,je=12,B=class extends Event{files;constructor(e){super(`open-files`,{bubbles:!0,composed:!0}),this.files=e}},Me=class extends Event{sentence;constructor(e){super(`fail`,{bubbles:!0,composed:!0}),this.sentence=e}},Ne=class extends e{static properties={clientId:{},sessions:{state:!0},recorded:{state:!0},files:{state:!0},filter:{state:!0}};#e=0;static styles=[_,t`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto;
        gap: 10px;
        min-height: 0;
        padding: 16px 12px 14px;
      }
      h2 {
        padding: 0 8px;
      }
      input {
        width: 100%;
        margin-top: 9px;
      }
      ol {
        list-style: none;
        margin: 0;
        padding: 0;
        overflow: auto;
        min-height: 0;
        scrollbar-width: thin;
        scrollbar-color: rgb(150 170 205 / 25%) transparent;
      }
      a {
        display: flex;
        align-items: center;
        gap: 8px;
        height: 29px;
        padding: 0 8px;
        border-radius: var(--radius-small);
        color: var(--text-soft);
      }
      a:hover {
        text-decoration: none;
        color: var(--text);
        background: var(--bg-hover);
      }
      a[aria-current='true'] {
        color: var(--text);
        background: var(--accent-soft);
      }
      a span:first-child {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      a .rec {
        margin-left: auto;
        flex: none;
        width: 7px;
        height: 7px;
        border-radius: 50%;
        background: var(--bad);
      }
      .files button {
        width: 100%;
        justify-content: space-between;
        gap: 8px;
        font-size: 11px;
      }
      .files span:first-child {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .open {
        width: 100%;
        justify-content: center;
      }
    `];constructor(){super(),this.clientId=this.filter=``,this.sessions=[],this.recorded=new Set,this.files=[],new h(this,m)}connectedCallback(){super.connectedCallback(),this.#i(),this.#e=window.setInterval(()=>void this.#i(),ke)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.#e)}render(){let e=m.pilot?.clientId??``,t=this.filter.trim().toLowerCase(),a=this.sessions.filter(({playerName:e})=>e.toLowerCase().includes(t)).sort((t,n)=>Number(n.clientId===e)-Number(t.clientId===e)||Number(this.recorded.has(n.clientId))-Number(this.recorded.has(t.clientId))||t.playerName.localeCompare(n.playerName,`en`,{numeric:!0})).slice(0,Ae);return i`
      <div>
        <h2>Player</h2>
        <input type="text" placeholder="Name" aria-label="Filter by name" .value=${this.filter}
          @input=${e=>this.filter=e.target.value} />
      </div>
      <ol>
        ${n(a,({clientId:e})=>e,({clientId:t,playerName:n})=>i`<li>
          <a href="#/lens/${t}" aria-current=${t===this.clientId}>
            <span>${n}</span>
            ${t===e?i`<span class="tag">you</span>`:r}
            ${this.recorded.has(t)?i`<i class="rec" title="recorded"></i>`:r}
          </a>
        </li>`)}
      </ol>
      <div class="files">
        ${this.files.length===0?r:i`<h2 style="margin-bottom:6px">Files of workers</h2>`}
        ${this.files.slice(0,je).map(e=>i`<button class="small plain" title=${`${e.worker}: ${e.name}`} @click=${()=>this.#r(e)}>
          <span>${e.name.replace(/^flight-|\.flight$/g,``)}</span>
          <span class="faint">${f(Date.now()/1e3-Number(e.changedUnixS))}</span>
        </button>`)}
        <button class="open" id="open" style="margin-top:8px" @click=${this.#t}>Open recording…</button>
        <input type="file" id="file" accept=".flight" multiple hidden @change=${this.#n} />
      </div>
    `}#t=()=>this.renderRoot.querySelector(`#file`).click();#n=async e=>{let t=e.target,n=[...t.files??[]];t.value=``,n.length>0&&this.dispatchEvent(new B(await V(n)))};async#r({worker:e,name:t}){try{let n=await g(`api/recording?worker=${encodeURIComponent(e)}&file=${encodeURIComponent(t)}`);this.dispatchEvent(new B([{name:t,bytes:n}]))}catch(e){this.dispatchEvent(new Me(v(e)))}}async#i(){if(!document.hidden)try{let[e,t]=await Promise.all([o(),a()]);this.sessions=e,this.dispatchEvent(new Event(`known`)),this.recorded=new Set(t.flatMap(({armed:e})=>e.filter(({left:e})=>!e).map(({clientId:e})=>e))),this.files=t.flatMap(({worker:e,files:t})=>t.map(t=>({...t,worker:e}))).sort((e,t)=>Number(t.changedUnixS)-Number(e.changedUnixS))}catch{}}};customElements.define(`player-list`,Ne);async function V(e){return Promise.all(e.map(async e=>({name:e.name,bytes:new Uint8Array(await e.arrayBuffer())})))}var Pe=6,H=24,U=132,Fe=148,W=8,Ie=10,G=.001,K={grid:`rgb(150 170 205 / 10%)`,text:`#66728a`,line:`#8fb6ff`,threshold:`rgb(232 196 104 / 45%)`,key:`#8fb6ff`,button:`#c9a2ff`,guessed:`#f2757a`,lane:`rgb(150 170 205 / 6%)`},Le=`10px Inter, ui-sans-serif, system-ui, sans-serif`,Re=[[10,`10 m`],[1,`1 m`],[.1,`10 cm`],[.01,`1 cm`],[.001,`1 mm`]];function q(e){let t=Math.log10(Math.max(e,G)/G)/Math.log10(Ie/G);return U-Math.min(t,1)*108}function J(e,t,n){return 54+t/Math.max(e.count-1,1)*(n-54-16)}function Y(e,t,n){let r=(t-54)/Math.max(n-54-16,1);return Math.max(0,Math.min(e.count-1,Math.round(r*(e.count-1))))}function ze(e,t,n){e.clearRect(0,0,n,232),e.font=Le,Be(e,t,n),Ve(e,t,n),Ue(e,t,n),We(e,t,n)}function Be(e,t,n){e.lineWidth=1,e.textBaseline=`middle`,e.textAlign=`right`;for(let[t,r]of Re){let i=Math.round(q(t))+.5;X(e,54,i,n-16,i,K.grid),e.fillStyle=K.text,e.fillText(r,46,i)}e.setLineDash([3,4]);let r=Math.round(q(ge))+.5;X(e,54,r,n-16,r,K.threshold),e.setLineDash([]);let i=(t.count-1)/60,a=[.5,1,2,5,10].find(e=>i/e<=12)??10;e.textAlign=`center`;for(let r=0;r<=i+1e-6;r+=a){let i=Math.round(J(t,t.count-1-r*60,n))+.5;if(i<54)break;X(e,i,H,i,218,K.grid),e.fillStyle=K.text,e.textAlign=r===0?`right`:`center`,e.fillText(r===0?`newest`:`−${r} s`,r===0?i+8:i,226)}}function X(e,t,n,r,i,a){e.strokeStyle=a,e.beginPath(),e.moveTo(t,n),e.lineTo(r,i),e.stroke()}function Ve(e,t,n){if(t.compared===0)return;let r=new Path2D,i=!1,a=0,o=Math.max(Math.floor(n-54-16),1);for(let e=0;e<=o;++e){let n=Math.floor(e/(o+1)*t.count),s=Math.max(n+1,Math.floor((e+1)/(o+1)*t.count)),c=NaN;for(let e=n;e<Math.min(s,t.count);++e){let n=t.errorM[e];n<=c||(c=Number.isNaN(n)?c:n)}Number.isNaN(c)||(a=54+e,i?r.lineTo(a,q(c)):r.moveTo(a,q(c)),i=!0)}let s=new Path2D(r);s.lineTo(a,U),s.lineTo(54,U),s.closePath();let c=e.createLinearGradient(0,H,0,U);c.addColorStop(0,`rgb(143 182 255 / 42%)`),c.addColorStop(1,`rgb(143 182 255 / 4%)`),e.fillStyle=c,e.fill(s),e.strokeStyle=K.line,e.lineWidth=1.5,e.lineJoin=`round`,e.stroke(r)}function He(e){let{right:t,up:n,forward:r,held:i,pressed:a,guessed:o}=e.flight.rows,s=e=>t=>e[t]/127,c=e=>t=>(i[t]|a[t])&e?1:0;return[{title:`ahead`,color:K.key,value:s(r)},{title:`side`,color:K.key,value:s(t)},{title:`up`,color:K.key,value:e=>n[e]/127||c(5)(e)},{title:`act`,color:K.button,value:c(240)},{title:`guessed`,color:K.guessed,value:e=>o[e]}]}function Ue(e,t,n){let r=Fe;for(let{title:i,color:a,value:o}of He(t)){e.fillStyle=K.lane,e.fillRect(54,r,n-54-16,W),e.fillStyle=K.text,e.textAlign=`right`,e.fillText(i,46,r+W/2),e.fillStyle=a;for(let i=0;i<t.count;){let a=o(i),s=i+1;for(;s<t.count&&o(s)===a;)++s;if(a!==0){e.globalAlpha=a<0?.42:.9;let o=J(t,i-.5,n);e.fillRect(o,r,Math.max(J(t,s-.5,n)-o,1.5),W)}i=s}e.globalAlpha=1,r+=13}}function We(e,t,n){for(let r of t.corrections){let i=J(t,t.rowOf(r.at),n),{color:a}=k(r.cause??r.noted),o=e.createLinearGradient(0,Pe,0,U);o.addColorStop(0,a),o.addColorStop(1,`transparent`),e.fillStyle=o,e.fillRect(i-.75,12,1.5,120);let s=Math.min(3+Math.sqrt(r.meters)*3,7);e.fillStyle=a,e.beginPath(),e.moveTo(i,12+s),e.lineTo(i-s,12),e.lineTo(i,12-s),e.lineTo(i+s,12),e.closePath(),e.fill()}}function Ge(e,t,n,r){e.clearRect(0,0,r,232);let i=Math.round(J(t,n,r))+.5;e.lineWidth=1,X(e,i,2,i,218,`rgb(223 230 241 / 75%)`);let a=t.errorAt(n);Number.isNaN(a)||(e.beginPath(),e.arc(i,q(a),4,0,2*Math.PI),e.fillStyle=`#07090d`,e.fill(),e.strokeStyle=`#dfe6f1`,e.lineWidth=2,e.stroke())}var Z=class extends Event{row;constructor(e){super(`scrub`,{bubbles:!0,composed:!0}),this.row=e}},Ke=class extends e{static properties={model:{attribute:!1},row:{type:Number}};#e;#t=0;#n=0;#r=new ResizeObserver(([e])=>{this.#n=Math.floor(e?.contentRect.width??0),this.requestUpdate()});static styles=[_,t`
      :host {
        display: block;
        position: relative;
        height: ${232}px;
      }
      #slider {
        position: absolute;
        inset: 0;
        cursor: ew-resize;
        touch-action: none;
        border-radius: var(--radius-small);
      }
      canvas {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        pointer-events: none;
      }
    `];render(){let{model:e,row:t}=this;return i`
      <div id="slider" role="slider" tabindex="0" aria-label="Time in the flight" aria-valuemin="0" aria-valuemax=${e.count-1}
        aria-valuenow=${t} aria-valuetext=${`${e.ageS(t).toFixed(2)} s before the end, ${A(e.errorAt(t))} of error`}
        @pointerdown=${this.#i} @pointermove=${this.#a} @keydown=${this.#s}>
        <canvas></canvas><canvas></canvas>
      </div>
    `}firstUpdated(){this.#r.observe(this)}disconnectedCallback(){super.disconnectedCallback(),this.#r.disconnect()}updated(){let e=this.#n;if(e===0)return;let[t,n]=this.renderRoot.querySelectorAll(`canvas`);(this.#e!==this.model||this.#t!==e)&&(ze(Q(t,e),this.model,e),this.#e=this.model,this.#t=e),Ge(Q(n,e),this.model,this.row,e)}#i=e=>{e.currentTarget.setPointerCapture(e.pointerId),this.#o(e)};#a=e=>{e.buttons!==0&&this.#o(e)};#o(e){let{left:t}=this.getBoundingClientRect();this.dispatchEvent(new Z(Y(this.model,e.clientX-t,this.#n)))}#s=e=>{let t={ArrowLeft:-1,ArrowRight:1,PageDown:-60,PageUp:60,Home:-this.model.count,End:this.model.count}[e.key];if(t===void 0)return;e.preventDefault();let n=this.row+t*(e.shiftKey?10:1);this.dispatchEvent(new Z(Math.max(0,Math.min(this.model.count-1,n))))}};customElements.define(`flight-timeline`,Ke);function Q(e,t){let n=devicePixelRatio;e.width!==Math.round(t*n)&&(e.width=Math.round(t*n)),e.height!==Math.round(232*n)&&(e.height=Math.round(232*n));let r=e.getContext(`2d`);return r.setTransform(n,0,0,n,0,0),r}var $=class extends e{static properties={cursor:{state:!0},chosenAt:{state:!0}};#e=new Se;#t=``;static styles=[_,Ce];constructor(){super(),this.cursor=this.chosenAt=void 0,new h(this,c,u,this.#e)}connectedCallback(){super.connectedCallback(),addEventListener(`keydown`,this.#u),d(()=>this.#y()),this.#n()}disconnectedCallback(){super.disconnectedCallback(),removeEventListener(`keydown`,this.#u),d(void 0),this.#e.end(),c.page!==`fly`&&m.leave()}willUpdate(){this.#n()}render(){let{model:e,failure:t}=this.#e;return i`
      <player-list class="players" .clientId=${this.#e.armed?.clientId??``}
        @known=${()=>this.requestUpdate()} @open-files=${e=>void this.#r(e.files)}
        @fail=${e=>(this.#e.failure=e.sentence,this.requestUpdate())}></player-list>
      <div class="main" @dragover=${e=>e.preventDefault()} @drop=${this.#i}
        @scrub=${e=>this.#s(e.row)} @choose=${e=>this.#c(e.correction)}>
        ${this.#d()}
        ${t?i`<p class="failure" role="alert" id="failure">${t}</p>`:r}
        ${e?i`
              <div class="picture">
                <path-view .model=${e} .row=${this.#a}></path-view>
                <moment-panel .model=${e} .row=${this.#a}></moment-panel>
                ${this.#p()}
              </div>
              <correction-panel class="side" .model=${e} .chosen=${this.#o}></correction-panel>
              <div class="time">
                <flight-timeline .model=${e} .row=${this.#a}></flight-timeline>
                ${this.#m()}
              </div>
            `:i`<div class="empty">${this.#g()}</div>`}
      </div>
    `}#n(){let e=(c.page===`lens`?c.part:``)||(this.#t===``?m.pilot?.clientId??``:``);if(e===``||e===this.#t)return;this.#t=e,this.cursor=this.chosenAt=void 0;let t=m.pilot?.clientId===e?m.pilot.playerName:`#${e}`;this.#e.follow(e,t)}async#r(e){this.#t=`files`,c.part!==``&&history.replaceState(null,``,`#/lens`),c.part=``,this.cursor=this.chosenAt=void 0,await this.#e.open(e);let t=[...this.#e.model?.corrections??[]].sort((e,t)=>t.meters-e.meters)[0];t&&this.#c(t)}#i=async e=>{e.preventDefault();let t=[...e.dataTransfer?.files??[]];t.length>0&&await this.#r(await V(t))};get#a(){let{model:e}=this.#e;return e?this.cursor===void 0?e.newestShared:e.rowOf(this.cursor):0}get#o(){let e=this.#e.model?.corrections??[];return this.#e.live?e.at(-1):e.find(({at:e})=>e===this.chosenAt)}#s(e){let{model:t}=this.#e;if(!t)return;this.cursor=t.tickOf(e),this.#e.setLive(!1);let n=t.corrections.find(n=>{let r=t.rowOf(n.at);return e<=r&&e>=(n.parted===void 0?r-1:t.rowOf(n.parted)-1)});n&&(this.chosenAt=n.at)}#c(e){let{model:t}=this.#e;t&&(this.#s(t.rowOfCorrection(e)),this.chosenAt=e.at)}#l(e){let{model:t}=this.#e;if(!t)return;let n=t.count,r=this.#e.live?n:this.chosenAt===void 0?this.#a+1:t.rowOf(this.chosenAt),i=t.corrections.map(e=>({correction:e,row:t.rowOf(e.at)})),a=e<0?i.findLast(({row:e})=>e<r):i.find(({row:e})=>e>r);a&&this.#c(a.correction)}#u=e=>{let t=e.composedPath()[0]instanceof HTMLInputElement,{model:n}=this.#e;if(!(t||!n||e.ctrlKey||e.metaKey||e.altKey)){if(e.key===`[`)this.#l(-1);else if(e.key===`]`)this.#l(1);else if(e.key===`ArrowLeft`||e.key===`ArrowRight`){if(e.defaultPrevented)return;let t=(e.key===`ArrowLeft`?-1:1)*(e.shiftKey?10:1);this.#s(Math.max(0,Math.min(n.count-1,this.#a+t)))}else return;e.preventDefault()}};#d(){let e=this.#e,{armed:t}=e;if(e.files.length>0)return i`<div class="head"><h1>${e.files.join(` + `)}</h1></div>`;if(!t)return i`<div class="head"><h1>Lens</h1></div>`;let{recorder:n}=t,a=s(t.clientId,e.playerName,n?0:600),o=u.whyNot(a.name);return i`<div class="head">
      <h1>${this.#f}</h1>
      ${e.own?i`<span class="tag">you</span>`:r}
      ${n?i`<span class="recording"><i></i>${(n.ticks/60).toFixed(0)} s on ${t.worker}</span>`:i`<span class="soft">not recorded</span>`}
      ${t.failure?i`<span class="why" role="alert">${t.failure}</span>`:r}
      <span class="grow"></span>
      <button class="small ${e.live?`on`:``}" id="live" ?disabled=${!n&&!e.own} @click=${this.#_}
        title="The newest seconds, once a second">${e.live?`Live`:`Go live`}</button>
      ${n?i`<button class="small" id="stop" ?disabled=${o!==``} title=${o||a.command} @click=${()=>void t.free()}>Stop recording</button>`:i`<button class="small main" id="record" ?disabled=${o!==``} title=${o||`${a.consequence}\n${a.command}`}
            @click=${()=>void t.keep()}>Record</button>`}
      <button class="small" id="save" ?disabled=${!e.model} @click=${this.#v}>Save recording</button>
      ${e.own?i`<a class="back" href="#/fly">Back to the cockpit</a>`:r}
    </div>`}get#f(){let{playerName:e}=this.#e;return e.startsWith(`#`)?this.renderRoot.querySelector(`player-list`)?.sessions.find(({clientId:t})=>`#${t}`===e)?.playerName??e:e}#p(){let{model:e}=this.#e;return i`<div class="legend">
      <span><i style="background:${N.believed}"></i>${e.hasClient?`predicted`:`claimed by the client`}</span>
      <span><i style="background:${N.server}"></i>server</span>
      <span><i style="background:${N.error}"></i>error</span>
    </div>`}#m(){let{model:e,armed:t,files:n}=this.#e,r=`flight-${e.flight.avatar}`,a=n.length>0?`./perigee replay ${n.join(` `)}`:t&&`./perigee ctl recording '#${t.clientId}' ${r}-worker.flight && ./perigee replay ${this.#e.halves.client?`${r}-client.flight `:``}${r}-worker.flight`;return i`<div class="foot">
      <span class="faint"><kbd>←</kbd> <kbd>→</kbd> a tick · <kbd>[</kbd> <kbd>]</kbd> a correction</span>
      ${this.#h()}
      <cmd-line .text=${a??``}></cmd-line>
    </div>`}#h(){let{flight:e}=this.#e.model;if(!e.rules)return i`<span class="tag warn">this page has not the rules of ${e.game}: no causes</span>`;if(e.tunables.length>0)return i`<span class="tag bad" title=${e.tunables.map(({field:e})=>e).join(`, `)}>client and worker have other tunables</span>`;let t=e.halves.flatMap(({rerun:e})=>e?[e]:[]);if(t.length===0)return r;let n=t.reduce((e,{bitsDiffer:t})=>e+t,0);return n===0?i`<span class="tag good" title="Every recorded tick ran again in this page">replayed: 0 bits differ</span>`:i`<span class="tag bad" title="Another build, or other rules">replayed: ${n} bits differ</span>`}#g(){let{armed:e,failure:t}=this.#e;if(t)return i`<p>Choose a player, or open another recording.</p>`;if(e?.recorder||e&&this.#e.own)return i`<p>The first seconds are on their way.</p>`;if(e){let t=u.whyNot(`arm_recorder`);return i`<p><b>${this.#f}</b> is not recorded. A recorder keeps the last 30 s: what the server computed, and what the client claimed.</p>
        <button class="main" id="record-now" ?disabled=${t!==``} title=${t} @click=${()=>void e.keep()}>Record ${this.#f}</button>
        <cmd-line .text=${s(e.clientId,``,600).command}></cmd-line>
        ${t===``?r:i`<p class="faint">${t}</p>`}`}return i`<p>Every correction has a cause. Choose a player, or drop the files of a flight here: one side's, or both.</p>
      <cmd-line text="./perigee lab --scenarios L2 --profiles P3 --record /tmp/flights"></cmd-line>`}#_=()=>{let e=!this.#e.live;e&&(this.cursor=this.chosenAt=void 0),this.#e.setLive(e)};#v=()=>{let{halves:e,model:t}=this.#e;for(let[n,r]of Object.entries(e)){if(!r)continue;let e=document.createElement(`a`);e.href=URL.createObjectURL(new Blob([r],{type:`application/octet-stream`})),e.download=`flight-${t.flight.avatar}-${t.tickOf(t.count-1)}-${n}.flight`,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e4)}};#y(){let{model:e,live:t,failure:n,replayMs:r,own:i}=this.#e,a=this.#o;return{clientId:this.#e.armed?.clientId??``,own:i,live:t,failure:n,replayMs:r,ticks:e?.count??0,hasClient:e?.hasClient??!1,hasServer:e?.hasServer??!1,tick:e?.tickOf(this.#a)??0,errorM:e?.errorAt(this.#a)??NaN,corrections:(e?.corrections??[]).map(({at:e,meters:t,noted:n,cause:r})=>({at:e,meters:t,noted:n??``,cause:r??``})),chosen:a&&{at:a.at,meters:a.meters,noted:a.noted??``,cause:a.cause??``,leftM:a.leftM??NaN},bitsDiffer:e?.flight.halves.reduce((e,{rerun:t})=>e+(t?.bitsDiffer??0),0)??0}}};customElements.define(`lens-page`,$);export{$ as LensPage};