import{a as e,l as t,n,o as r,s as i,t as a,u as o}from"./lit.js";import{a as s,n as c,s as l,t as u}from"./shared.js";import{n as d,t as f}from"./prometheus.js";import{c as p}from"./index.js";import{n as m}from"./emitter.js";import{n as h,t as g}from"./uplot.js";var _=[`overview`,`gateway_floods`,`latency_corrections`,`cluster_traffic`],v=new Map;function y(e){let t=v.get(e);return t||(t=s(`dashboards/${e}.json`),v.set(e,t),t.catch(()=>v.delete(e))),t}function b({expr:e,interval:t},{worker:n,stepS:r}){let i=w(t),a=Math.max(r+i,4*i);return e.replaceAll(`$__rate_interval`,`${a}s`).replaceAll(`$worker`,n)}function x({interval:e}){return w(e)}function ee({legendFormat:e},t){return e.replaceAll(/\{\{\s*(\w+)\s*\}\}/g,(e,n)=>t[n]??``)}function S(e,t){let n=e[0]?.color??`green`;for(let r of e)(r.value===null||t>=r.value)&&(n=r.color);return n}var C={green:`var(--good)`,yellow:`var(--warn)`,orange:`var(--alert)`,red:`var(--bad)`};function w(e){return e?Number.parseInt(e,10):1}var T=[`B`,`KiB`,`MiB`,`GiB`,`TiB`],E=[``,`k`,`M`,`G`,`T`];function D(e,t,n,r){let i=Math.abs(e),a=0;for(;i>=t&&a<n.length-1;)i/=t,++a;return[O(Math.sign(e)*i,r),n[a]]}function O(e,t){if(t!==void 0)return e.toFixed(t);let n=Math.abs(e);return n===0||Number.isInteger(e)?String(e):e.toFixed(n>=100?0:n>=10?1:n>=1?2:3)}function k(e,t,n){if(!Number.isFinite(e))return[`–`,``];switch(t){case`s`:{let t=Math.abs(e);return t===0||t>=1?t>=120?[O(e/60,n),`min`]:[O(e,n),`s`]:t>=.001?[O(e*1e3,n),`ms`]:[O(e*1e6,n),`µs`]}case`m`:return[O(e,n),`m`];case`percentunit`:return[O(e*100,n),`%`];case`bytes`:return D(e,1024,T,n);case`Bps`:return j(D(e,1e3,E,n),`B/s`);case`bps`:return j(D(e,1e3,E,n),`bit/s`);case`pps`:return j(D(e,1e3,E,n),`/s`);case`reqps`:return j(D(e,1e3,E,n),`/s`);default:return D(e,1e3,E,n)}}function A(e,t){let[n,r]=k(e,t),i=n.includes(`.`)?n.replace(/0+$/,``).replace(/\.$/,``):n;return r?`${i} ${r}`:i}function j([e,t],n){return[e,t+n]}function M(e,t,n){return k(e,t,n).filter(Boolean).join(` `)}var N=[`#8fb6ff`,`#c9a2ff`,`#5fd4cf`,`#f59ac0`,`#a5b4cb`,`#7fc6a4`,`#8f9bff`,`#d9b98a`,`#6fc3ee`,`#b8c97a`];function P(e){return N[e%N.length]}var F=`#66728a`,I=`rgba(150, 170, 205, 0.09)`,L=`10px Inter, system-ui, sans-serif`,R=class{#e;#t;constructor(e,t,n,r,i,a){this.#t=r;let o=r.stacked;this.#e=new g({...t,legend:{show:!1},cursor:{sync:{key:i},points:{size:5},drag:{x:!1,y:!1}},scales:{x:{time:!0},y:{range:(e,t,n)=>this.#n(t,n)}},axes:[{stroke:F,grid:{stroke:I,width:1},ticks:{show:!1},font:L,size:20,space:64,values:(e,t)=>t.map(z)},{stroke:F,grid:{stroke:I,width:1},ticks:{show:!1},font:L,size:56,space:28,gap:4,values:(e,t)=>t.map(e=>A(e,r.unit))}],series:[{},...n.names.map((e,t)=>{let n=P(t);return{label:e,stroke:n,width:1.3,points:{show:!1},spanGaps:!1,fill:B(n,r.fillOpacity,o)}})],hooks:{drawClear:[e=>this.#r(e)],setCursor:[e=>a(e.cursor.idx??null)]},...o?{bands:n.names.slice(1).map((e,t)=>({series:[t+2,t+1]}))}:{}},V(n,o),e)}set(e){this.#e.setData(V(e,this.#t.stacked))}resize(e,t){this.#e.setSize({width:e,height:t})}end(){this.#e.destroy()}#n(e,t){let{min:n,max:r,lines:i}=this.#t,a=n??Math.min(e??0,0),o=Math.max(t??0,a)||1;for(let{value:e}of i)e>o&&e<o*1.8&&(o=e);return[a,r===void 0?o*1.08:Math.max(r,o)]}#r(e){let{ctx:t,bbox:n}=e;for(let{value:r,color:i}of this.#t.lines){let a=e.valToPos(r,`y`,!0);a<n.top||a>n.top+n.height||(t.save(),t.strokeStyle=i,t.globalAlpha=.6,t.setLineDash([5*devicePixelRatio,4*devicePixelRatio]),t.beginPath(),t.moveTo(n.left,a),t.lineTo(n.left+n.width,a),t.stroke(),t.restore())}}};function z(e){let t=new Date(e*1e3),n=e=>String(e).padStart(2,`0`),r=`${n(t.getHours())}:${n(t.getMinutes())}`;return t.getSeconds()===0?r:`${r}:${n(t.getSeconds())}`}function B(e,t,n){return e+Math.round((n?.32:t/100)*255).toString(16).padStart(2,`0`)}function V({timesS:e,columns:t},n){if(!n)return[e,...t];let r=e.map(()=>0);return[e,...t.map(e=>e.map((e,t)=>r[t]+=e??0))]}var H=t`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    padding: 9px 12px 8px;
    background: var(--bg-raised);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    overflow: hidden;
  }
  .title {
    display: flex;
    gap: 8px;
    font-size: 12px;
    font-weight: 500;
    color: var(--text-soft);
    white-space: nowrap;
    cursor: help;
  }
  .title span {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .figures {
    flex: 1;
    display: flex;
    flex-wrap: wrap;
    align-content: center;
    gap: 2px 20px;
    min-height: 0;
    overflow: hidden;
  }
  .figure {
    font-size: clamp(19px, 2.1vw, 29px);
    font-weight: 600;
    letter-spacing: -0.025em;
    line-height: 1.15;
    font-variant-numeric: tabular-nums;
  }
  .figure small {
    font-size: 0.5em;
    font-weight: 500;
    letter-spacing: 0;
    color: var(--text-soft);
  }
  .figure em {
    display: block;
    font-size: 11px;
    font-style: normal;
    font-weight: 400;
    letter-spacing: 0;
    color: var(--text-faint);
  }
  .plot {
    flex: 1;
    min-height: 0;
    margin: 3px -6px 0 -8px;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    max-height: 32px;
    overflow: hidden;
    font-size: 11px;
    line-height: 16px;
    color: var(--text-soft);
    font-variant-numeric: tabular-nums;
  }
  .legend i {
    display: inline-block;
    width: 8px;
    height: 3px;
    margin-right: 5px;
    border-radius: 2px;
    vertical-align: middle;
  }
  .legend b {
    font-weight: 500;
    color: var(--text);
  }
  .note {
    flex: 1;
    display: grid;
    place-content: center;
    text-align: center;
    font-size: 12px;
    color: var(--text-faint);
  }
  .scroll {
    flex: 1;
    overflow: auto;
    margin-top: 6px;
    font-size: 12px;
  }
  td {
    padding-top: 3px;
    padding-bottom: 3px;
  }
  .u-over {
    cursor: crosshair;
  }
`,U=5e3,W=240,G=66,K=60,q={green:`#6fd3a3`,yellow:`#e8c468`,orange:`#f0955c`,red:`#f2757a`},J=class extends e{static properties={panel:{attribute:!1},worker:{},spanS:{type:Number},shownFailure:{},rows:{state:!0},failure:{state:!0},at:{state:!0}};#e;#t=``;#n;#r=0;#i=!1;#a=0;#o=new IntersectionObserver(([e])=>this.#m(e?.isIntersecting??!1),{rootMargin:`120px`});#s=new ResizeObserver(()=>this.#g());static styles=[c,o(h),H];constructor(){super(),this.worker=`.*`,this.spanS=900,this.failure=this.shownFailure=``,this.rows=void 0,this.at=null}connectedCallback(){super.connectedCallback(),this.#o.observe(this),this.#s.observe(this),this.#r=window.setInterval(()=>void this.#f(),U)}disconnectedCallback(){super.disconnectedCallback(),this.#o.disconnect(),this.#s.disconnect(),clearInterval(this.#r),this.#_()}willUpdate(e){(e.has(`worker`)||e.has(`spanS`)||e.has(`panel`))&&(this.#_(),this.rows=void 0,this.#f())}render(){let{panel:e,rows:t}=this;return i`
      <div class="title" title=${e.description??``}><span>${e.title}</span></div>
      ${this.failure?i`<div class="note">${this.failure===this.shownFailure?`–`:this.failure}</div>`:t?this.#c(t):i`<div class="note"></div>`}
    `}#c(e){let{panel:t}=this;return t.type===`stat`?this.#l(e):t.type===`table`?this.#u(e):e.length===0?i`<div class="note">no data</div>`:i`<div class="plot"></div>${this.#d()}`}#l(e){let{unit:t=`short`,decimals:n,thresholds:a}=this.panel.fieldConfig?.defaults??{};return e.length===0?i`<div class="figures"><div class="figure">–</div></div>`:i`<div class="figures">
      ${e.map(({name:o,series:s})=>{let c=s.values.at(-1)??NaN,[l,u]=k(c,t,n),d=a&&Number.isFinite(c)?S(a.steps,c):`green`,f=this.panel.options?.colorMode===`background`||d!==`green`?C[d]:`var(--text)`;return i`<div class="figure" style="color:${f}">${l} <small>${u}</small>${e.length>1?i`<em>${o}</em>`:r}</div>`})}
    </div>`}#u(e){let{unit:t=`short`,decimals:n,noValue:r}=this.panel.fieldConfig?.defaults??{};return e.length===0?i`<div class="note">${r??`none`}</div>`:i`<div class="scroll">
      <table>
        ${e.slice(0,K).map(({name:e,series:r})=>i`<tr><td>${e||Object.values(r.labels).join(` `)}</td><td class="number">${M(r.values.at(-1)??NaN,t,n)}</td></tr>`)}
      </table>
    </div>`}#d(){let{unit:e=`short`,decimals:t}=this.panel.fieldConfig?.defaults??{},n=this.#n,r=this.at??n.timesS.length-1;return i`<div class="legend">
      ${n.names.map((a,o)=>i`<span><i style="background:${P(o)}"></i>${a} <b>${M(n.columns[o][r]??NaN,e,t)}</b></span>`)}
    </div>`}updated(){let e=this.renderRoot.querySelector(`.plot`);if(!e||!this.#n)return this.#_();let t=this.#n.names.join(`
`);if(this.#e&&t===this.#t&&e.firstChild)return;this.#_(),this.#t=t;let{unit:n=`short`,min:r,max:i,custom:a,thresholds:o}=this.panel.fieldConfig?.defaults??{},s=(o?.steps??[]).flatMap(({value:e,color:t})=>e===null?[]:[{value:e,color:q[t]}]);this.#e=new R(e,{width:e.clientWidth,height:this.#h()},this.#n,{unit:n,min:r,max:i,stacked:a?.stacking?.mode===`normal`,fillOpacity:a?.fillOpacity??0,lines:s},`board`,e=>this.at=e)}async#f(){if(!this.#i||document.hidden||!this.isConnected)return;let e=++this.#a;try{let t=await Promise.all((this.panel.targets??[]).map(e=>this.#p(e)));if(e!==this.#a)return;let n=t.flat();this.panel.type===`timeseries`&&(this.#n=Y(n),this.#n.names.join(`
`)===this.#t&&this.#e?.set(this.#n)),this.rows=n,this.failure=``}catch(t){e===this.#a&&(this.failure=l(t))}}async#p(e){let t=Math.max(x(e),Math.ceil(this.spanS/W)),n=b(e,{worker:this.worker,stepS:t}),r=Math.floor(Date.now()/1e3/t)*t;return(this.panel.type===`timeseries`?await d(n,r-this.spanS,r,t):await f(n)).map(t=>({name:ee(e,t.labels),series:t}))}#m(e){let t=e&&!this.#i;this.#i=e,t&&this.#f()}#h(){return Math.max(40,this.clientHeight-G)}#g(){let e=this.renderRoot.querySelector(`.plot`);e&&this.#e?.resize(e.clientWidth,this.#h())}#_(){this.#e?.end(),this.#e=void 0,this.#t=``}};customElements.define(`board-panel`,J);function Y(e){let t=[...new Set(e.flatMap(({series:e})=>e.times))].sort((e,t)=>e-t),n=e.map(({series:e})=>{let n=new Map(e.times.map((t,n)=>[t,e.values[n]]));return t.map(e=>{let t=n.get(e);return t===void 0||!Number.isFinite(t)?null:t})});return{names:e.map(({name:e})=>e),timesS:t,columns:n}}var X=24,Z=6,Q=5e3,te=[[`5 min`,300],[`15 min`,900],[`1 h`,3600],[`6 h`,21600]],ne={overview:`Overview`,gateway_floods:`Gateway & floods`,latency_corrections:`Latency & corrections`,cluster_traffic:`Cluster & traffic`},$=class extends e{static properties={shown:{state:!0},failure:{state:!0},spanS:{state:!0},worker:{state:!0},workers:{state:!0},unanswered:{state:!0}};#e=``;#t=0;static styles=[c,u,t`
      .bar {
        position: sticky;
        top: -22px;
        z-index: 3;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 18px;
        margin: -22px -28px 14px;
        padding: 14px 28px 10px;
        background: rgb(7 9 13 / 92%);
      }
      .bar a {
        color: var(--text-soft);
        padding: 3px 0;
        border-bottom: 2px solid transparent;
      }
      .bar a:hover {
        text-decoration: none;
        color: var(--text);
      }
      .bar a[aria-current] {
        color: var(--text);
        border-color: var(--accent);
      }
      .bar .right {
        display: flex;
        gap: 6px;
        margin-left: auto;
      }
      .about {
        margin-bottom: 14px;
        max-width: 90ch;
        font-weight: 400;
        color: var(--text-faint);
      }
      .unanswered {
        margin-bottom: 14px;
        padding: 9px 14px;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        color: var(--warn);
      }
      .board {
        display: grid;
        grid-template-columns: repeat(24, minmax(0, 1fr));
        grid-auto-rows: ${X}px;
        gap: ${Z}px 8px;
      }
      .board h2 {
        align-self: end;
      }
      .notice {
        padding: 60px 0;
        text-align: center;
        color: var(--text-soft);
      }
      @media (max-width: 860px) {
        .bar {
          top: -14px;
          margin: -14px -14px 12px;
          padding: 10px 14px;
        }
        .board {
          display: flex;
          flex-direction: column;
        }
        .board > board-panel {
          min-height: var(--h);
        }
      }
    `];constructor(){super(),this.shown=void 0,this.failure=this.unanswered=``,this.spanS=900,this.worker=`.*`,this.workers=[],new m(this,p)}connectedCallback(){super.connectedCallback(),this.#a(),this.#t=window.setInterval(()=>this.unanswered&&void this.#a(),Q)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.#t)}render(){let e=_.find(e=>e===p.part)??`overview`;return this.#i(e),i`
      <div class="bar">
        ${_.map(t=>i`<a href="#/dashboards/${t}" aria-current=${t===e?`page`:r}>${ne[t]}</a>`)}
        <div class="right">
          ${this.shown?.templating.list.length?i`<select aria-label="Worker" @change=${e=>this.worker=e.target.value}>
                <option value=".*">all workers</option>
                ${this.workers.map(e=>i`<option value=${e.replaceAll(`.`,String.raw`\\.`)}>${e}</option>`)}
              </select>`:r}
          <select aria-label="Time" @change=${e=>this.spanS=Number(e.target.value)}>
            ${te.map(([e,t])=>i`<option value=${t} ?selected=${t===this.spanS}>${e}</option>`)}
          </select>
        </div>
      </div>
      ${this.failure?i`<div class="notice">${this.failure}</div>`:this.shown?a(this.shown.uid,this.#n(this.shown)):r}
    `}#n({panels:e,description:t}){return i`<p class="about">${t}</p>
      ${this.unanswered?i`<p class="unanswered">No figures: ${this.unanswered}.</p>`:r}
      <div class="board">${n(e,({id:e})=>e,e=>this.#r(e))}</div>`}#r(e){let{x:t,y:n,w:r,h:a}=e.gridPos,o=`grid-column:${t+1} / span ${r};grid-row:${n+1} / span ${a};--h:${a*30}px`;return e.type===`row`?i`<h2 style=${o}>${e.title}</h2>`:i`<board-panel style=${o} .panel=${e} .worker=${this.worker} .spanS=${this.spanS} .shownFailure=${this.unanswered}></board-panel>`}async#i(e){if(this.#e!==e){this.#e=e;try{let t=await y(e);if(this.#e!==e)return;this.shown=t,this.failure=``}catch(e){this.failure=l(e)}}}async#a(){try{let e=await f(`perigee_sim_players`);this.workers=e.map(({labels:e})=>e.instance??``).filter(Boolean).sort(),this.unanswered=``}catch(e){this.workers=[],this.unanswered=l(e)}}};customElements.define(`dashboards-page`,$);export{$ as DashboardsPage};