import{a as e,c as t,l as n,n as r,o as i,s as a}from"./lit.js";import{d as o,l as s,o as c,r as l,u}from"./acts.js";import{n as d,s as f,t as p}from"./shared.js";import{g as m,h,i as g,o as _,p as v,s as y,u as b}from"./index.js";import{n as x}from"./emitter.js";import"./act_button.js";var S=class extends e{static properties={values:{attribute:!1},floor:{type:Number}};static styles=n`
    :host {
      display: inline-block;
      width: 84px;
      height: 20px;
      vertical-align: middle;
    }
    svg {
      display: block;
      width: 100%;
      height: 100%;
    }
  `;constructor(){super(),this.values=[],this.floor=1}render(){let{values:e}=this,n=Math.max(this.floor,...e)*1.1,r=100/Math.max(e.length-1,1),i=e.map((e,t)=>`${(t*r).toFixed(1)},${(23-22*e/n).toFixed(1)}`);return a`<svg viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      ${e.length>1?t`<polygon points="0,24 ${i.join(` `)} 100,24" fill="rgb(143 182 255 / 12%)"></polygon>
              <polyline points=${i.join(` `)} fill="none" stroke="var(--accent)" stroke-width="1.3"
                vector-effect="non-scaling-stroke" stroke-linejoin="round"></polyline>`:``}
    </svg>`}};customElements.define(`spark-line`,S);var C=[[`prediction`,[`on`,`off`]],[`relative-prediction`,[`on`,`off`]],[`timeline`,[`lead`,`playout`,`playout-in-trouble`,`on-arrival`,`suggested`]],[`rollback`,[`on`,`off`]],[`redundancy`,[`all`,`none`]],[`send-every-ms`,[`0`,`20`,`25`]],[`view`,[`near`,`shared-clock`]],[`reconciler`,[`replay`,`shift`]],[`smoothing`,[`quintic`,`none`,`constant-weight`,`fading-weight`,`exponential`]],[`storm-breaker`,[`on`,`off`]]],w=class extends e{static properties={clientId:{},name:{},wanted:{state:!0},used:{state:!0},failure:{state:!0}};static styles=[d,n`
      :host {
        display: grid;
        gap: 12px;
        padding: 6px 0 12px;
      }
      .keys {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(190px, 1fr));
        gap: 8px 16px;
      }
      label {
        display: grid;
        gap: 2px;
        font-size: 11px;
        color: var(--text-faint);
      }
      label.differs {
        color: var(--warn);
      }
      select {
        color: var(--text);
        font-size: 12px;
      }
    `];constructor(){super(),this.clientId=this.name=this.failure=``,this.wanted=new Map,this.used=new Map}render(){let e=[...this.wanted].map(([e,t])=>`${e}=${t}`).join(` `),t=s(this.clientId,this.name,e),n=g.whyNot(t.name);return a`
      <div class="keys">
        ${C.map(([e,t])=>{let r=this.wanted.get(e)??this.used.get(e)??``;return a`<label class=${r!==``&&r!==t[0]?`differs`:``}>${e}
            <select @change=${t=>this.#e(e,t.target.value)} ?disabled=${n!==``} title=${n}>
              ${r===``?a`<option selected>–</option>`:i}
              ${t.map(e=>a`<option ?selected=${e===r}>${e}</option>`)}
            </select>
          </label>`})}
      </div>
      ${this.failure?a`<span class="soft">${this.failure}</span>`:i}
      ${e?a`<act-button line .what=${t}></act-button>`:a`<div class="soft">
            ${n===``?a`<button class="small" @click=${this.#t} title=${`./perigee ctl techniques ${o(`#${this.clientId}`)}`}>Ask the client</button>`:n}
          </div>`}
    `}#e(e,t){let n=new Map(this.wanted);this.used.get(e)===t?n.delete(e):n.set(e,t),this.wanted=n}async#t(){this.failure=``;try{let{players:e}=await u(s(this.clientId,this.name,``)),t=e[0]?.techniques??``;this.used=new Map(t.split(/[ ,]+/).filter(Boolean).map(e=>e.split(`=`))),t===``&&(this.failure=`The client has not answered within 3 s.`)}catch(e){this.failure=f(e)}}};customElements.define(`player-techniques`,w);function T(e){let{rttMs:t,jitterMs:n,lossPermille:r,leadMs:i,correctionsPerMinute:a,silentS:o}=e;return o>=3?{word:`silent`,tone:`bad`,sentence:`The client has not reported for ${o.toFixed(0)} s: its network is interrupted.`}:r>=50?{word:`lossy`,tone:`bad`,sentence:`${(r/10).toFixed(1)} % of the packets are lost: the player's own network, mostly wifi.`}:a>=6?{word:`corrected`,tone:`bad`,sentence:`Many visible corrections: see their causes on the dashboard Latency & corrections.`}:n>=40?{word:`unsteady`,tone:`bad`,sentence:`Round trips differ by ${n.toFixed(0)} ms: a full queue on the way, or wifi.`}:i-t/2>=150?{word:`late`,tone:`warn`,sentence:`The client leads far more than its path needs: it stalls, or its frames take long.`}:t>=250?{word:`far`,tone:`warn`,sentence:`The player is far away; prediction hides most of it.`}:r>=15?{word:`some loss`,tone:`warn`,sentence:`${(r/10).toFixed(1)} % of the packets are lost.`}:n>=15?{word:`some jitter`,tone:`warn`,sentence:`Round trips differ by ${n.toFixed(0)} ms.`}:{word:`good`,tone:`good`,sentence:`Nothing is wrong with this connection.`}}var E=n`
  .head input {
    margin-left: auto;
    width: 210px;
  }
  th button {
    height: auto;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font-size: inherit;
  }
  th button:hover {
    color: var(--text);
    background: none;
  }
  th {
    position: sticky;
    top: -22px;
    z-index: 1;
    padding-top: 8px;
    background: var(--bg);
  }
  th.sorted {
    color: var(--accent);
  }
  tbody tr.row:hover td {
    background: var(--bg-hover);
  }
  td.name {
    font-weight: 500;
    max-width: 240px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  td.acts {
    text-align: right;
    white-space: nowrap;
    padding-right: 0;
  }
  td.acts .lens {
    padding: 0 7px;
    font-size: 12px;
  }
  td.acts act-button {
    display: inline-block;
    margin-left: 4px;
  }
  td small {
    color: var(--text-faint);
  }
  .empty {
    padding: 60px 0;
    text-align: center;
    color: var(--text-soft);
  }
  .note {
    margin: 0 0 14px;
    font-size: 12px;
    font-weight: 400;
    color: var(--text-faint);
  }
  @media (max-width: 720px) {
    .wide {
      display: none;
    }
    th {
      top: -14px;
    }
    td,
    th {
      padding-right: 7px;
      white-space: nowrap;
    }
    td.acts .plain {
      display: none;
    }
    td.acts act-button {
      margin-left: 0;
    }
    .head input {
      width: 100%;
      margin: 6px 0 0;
    }
  }
`,D=3e3,O=500,k=[{key:`rttMs`,title:`ping`,unit:`ms`,about:`Round trip of the network`},{key:`jitterMs`,title:`jitter`,unit:`ms`,about:`How much round trips differ`,wide:!0},{key:`lossPermille`,title:`loss`,unit:`%`,about:`Packets that were lost`},{key:`inputToEyeMs`,title:`key to eye`,unit:`ms`,about:`From sampling an input to the frame with its full effect`,wide:!0},{key:`leadMs`,title:`lead`,unit:`ms`,about:`How far the client predicts ahead`,wide:!0},{key:`correctionsPerMinute`,title:`corr./min`,about:`Visible corrections, over 5 cm`},{key:`kBPerS`,title:`kB/s`,about:`To the client`,wide:!0}],A=class extends e{static properties={sessions:{state:!0},failure:{state:!0},filter:{state:!0},sortBy:{state:!0},down:{state:!0},open:{state:!0}};#e=0;#t=()=>{};static styles=[d,p,E];constructor(){super(),this.sessions=void 0,this.failure=this.filter=this.open=``,this.sortBy=`name`,this.down=!1,new x(this,g,y)}connectedCallback(){super.connectedCallback(),this.#t=_.watchPlayers(),this.#o(),this.#e=window.setInterval(()=>void this.#o(),D)}disconnectedCallback(){super.disconnectedCallback(),this.#t(),clearInterval(this.#e)}render(){let e=this.#i(),t=e.slice(0,O);return a`
      <div class="head">
        <h1>Players</h1>
        <span class="soft">${m(e.length,`player`)}${e.length>O?a`, ${O} shown`:i}</span>
        <input type="text" placeholder="Name" aria-label="Filter by name" .value=${this.filter}
          @input=${e=>this.filter=e.target.value} />
      </div>
      ${this.failure?a`<p class="note">${this.failure}</p>`:i}
      ${y.leftOut>0?a`<p class="note">${m(y.leftOut,`player`)} more have no figures here.</p>`:i}
      ${e.length===0?a`<div class="empty">${this.filter?`Nobody has such a name.`:a`Nobody plays. <span class="mono">./perigee bots --count 20 --seconds 60</span> adds bots.`}</div>`:this.#n(t)}
    `}#n(e){let t=(e,t,n,r)=>a`<th
      class="${r} ${this.sortBy===e?`sorted`:``}" title=${n}>
      <button @click=${()=>this.#a(e)}>${t}${this.sortBy===e?this.down?` ↓`:` ↑`:``}</button>
    </th>`;return a`<table>
      <thead>
        <tr>
          ${t(`name`,`name`,`As logged in`,``)}
          <th></th>
          ${k.map(({key:e,title:n,about:r,wide:i})=>t(e,n,r,`number ${i?`wide`:``}`))}
          <th class="wide">ping over a minute</th>
          <th class="wide">gateway</th>
          <th></th>
        </tr>
      </thead>
      <tbody>
        ${r(e,({clientId:e})=>e,e=>this.#r(e))}
      </tbody>
    </table>`}#r({clientId:e,name:t,session:n,figures:r}){let o=r&&T(r),s=n?.state??`playing`,c=Date.now()/1e3-Number(n?.loggedInUnixS??NaN),u=this.open===e;return a`<tr class="row">
        <td class="name" title=${`#${e}${Number.isFinite(c)?`, logged in ${b(c)}`:``}`}>${t}</td>
        <td>
          ${s===`playing`?o?a`<span class="tag ${o.tone}" title=${o.sentence}>${o.word}</span>`:i:a`<span class="tag ${s===`lost`?`bad`:``}">${s}</span>`}
        </td>
        ${k.map(({key:e,unit:t,wide:n})=>a`<td class="number ${n?`wide`:``}">${j(e,r)} ${r&&t?a`<small>${t}</small>`:i}</td>`)}
        <td class="wide"><spark-line .values=${r?.rttsMs??[]} floor="40"></spark-line></td>
        <td class="wide faint mono">${n?.gatewayAddress??g.map?.gateways.find(({slot:e})=>e===r?.gatewaySlot)?.name??``}</td>
        <td class="acts">
          <a class="lens" href="#/lens/${e}" title="The last 30 s, and the cause of each correction">Lens</a>
          <button class="small plain" aria-expanded=${u} @click=${()=>this.open=u?``:e}>Techniques</button>
          <act-button .what=${l(e,t)}></act-button>
        </td>
      </tr>
      ${u?a`<tr>
            <td colspan="12"><player-techniques .clientId=${e} .name=${t}></player-techniques></td>
          </tr>`:i}`}#i(){let e=new Map;for(let t of this.sessions??[])e.set(t.clientId,{clientId:t.clientId,name:t.playerName,session:t,figures:void 0});for(let t of y.all.values()){let{clientId:n}=t,r=e.get(n);r?r.figures=t:e.set(n,{clientId:n,name:`#${n}`,session:void 0,figures:t})}let t=this.filter.trim().toLowerCase(),{sortBy:n,down:r}=this,i=e=>n===`name`?0:e.figures?.[n]??-1;return[...e.values()].filter(({name:e})=>e.toLowerCase().includes(t)).sort((e,t)=>(r?-1:1)*(i(e)-i(t))||e.name.localeCompare(t.name,`en`,{numeric:!0}))}#a(e){this.sortBy===e?this.down=!this.down:[this.sortBy,this.down]=[e,e!==`name`]}async#o(){if(!document.hidden)try{this.sessions=await c(),this.failure=``}catch(e){this.failure=`Sessions are not known: ${f(e)}`}}};customElements.define(`players-page`,A);function j(e,t){return!t||e===`name`?`–`:e===`lossPermille`?v(t.lossPermille/10,1):e===`correctionsPerMinute`||e===`kBPerS`?v(t[e],1):h(t[e])}export{A as PlayersPage};