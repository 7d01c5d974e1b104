import{a as e,l as t,o as n,s as r}from"./lit.js";import{n as i,s as a,t as o}from"./shared.js";import{p as s}from"./index.js";import{t as c}from"./prometheus.js";var l=[{name:`key to sample`,family:`client_sample_interval`,half:`median`,talkMs:18,about:`A key waits for the next frame: half an interval on average, a whole one at worst.`},{name:`sample to send`,family:`client_send_wait`,about:`Until a packet with the input leaves the client.`},{name:`up, half a ping`,family:`client_rtt`,half:`both`,talkMs:25,about:`Half of the network’s round trip.`},{name:`gateway and fabric`,family:`sim_fabric_transit`,about:`From the gateway’s socket to the worker.`},{name:`thereof in the gateway`,family:`gateway_receive_to_forward`,within:!0,about:`Decrypted, checked and forwarded.`},{name:`worker, until its tick`,family:`sim_input_wait`,talkMs:66,about:`The talk has a playout buffer here; perigee’s client leads instead.`},{name:`tick, until the gateway has its block`,family:`gateway_tick_to_gateway`,talkMs:16.6,about:`The simulation step and the way of its result.`},{name:`gateway, until blocks share a packet`,family:`gateway_block_hold`,about:`Blocks of several workers leave together.`},{name:`down, half a ping`,family:`client_rtt`,half:`both`,talkMs:25,about:`The other half of the round trip.`},{name:`client, until rendered with the others`,family:`client_view_delay`,talkMs:16.6,about:`Remote entities are drawn a little in the past, so that they move smoothly.`},{name:`render`,talkMs:16.6,about:`Yours, and not measured here.`},{name:`graphics card`,talkMs:16.6,about:`Yours, and not measured here.`},{name:`monitor`,talkMs:30,about:`Yours, and not measured here: 10 to 100 ms.`}],u=`1m`;async function d(e,t){let[n]=await c(`histogram_quantile(${t}, sum by (le) (rate(perigee_${e}_seconds_bucket[${u}])))`);return(n?.values[0]??NaN)*1e3}async function f(e){let[t,n]=await Promise.all([d(e,.5),d(e,.99)]);return Number.isFinite(t)?{p50Ms:t,p99Ms:n}:void 0}async function p(){let e=[...new Set(l.flatMap(({family:e})=>e??[]))],t=[`client_full_loop`,`client_input_to_display`],n=new Map(await Promise.all([...e,...t].map(async e=>[e,await f(e)])));return{stages:l.map(({family:e,half:t})=>{let r=e===void 0?void 0:n.get(e);return!r||!t?r:{p50Ms:r.p50Ms/2,p99Ms:t===`both`?r.p99Ms/2:r.p99Ms}}),fullLoop:n.get(`client_full_loop`),predicted:n.get(`client_input_to_display`)}}var m=t`
  .sums {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(210px, 1fr));
    gap: 12px;
    margin-bottom: 22px;
  }
  .sums .figure {
    font-size: 34px;
    font-weight: 600;
    letter-spacing: -0.035em;
    line-height: 1.15;
    font-variant-numeric: tabular-nums;
  }
  .sums .figure small {
    font-size: 15px;
    font-weight: 500;
    letter-spacing: 0;
    color: var(--text-soft);
  }
  .sums .accent {
    color: var(--accent);
  }
  .sums p {
    margin-top: 4px;
    font-weight: 400;
    color: var(--text-soft);
  }
  .ladder {
    display: grid;
    grid-template-columns: minmax(170px, 260px) 62px 62px minmax(0, 1fr);
    align-items: center;
  }
  .ladder > * {
    min-height: 34px;
    display: flex;
    align-items: center;
    border-top: 1px solid var(--line);
  }
  .ladder > .head {
    min-height: 30px;
    border-top: 0;
    font-size: 11px;
    color: var(--text-faint);
  }
  .ladder .number {
    justify-content: flex-end;
    padding-right: 14px;
    font-variant-numeric: tabular-nums;
  }
  .within {
    padding-left: 18px;
    color: var(--text-faint);
  }
  .track {
    position: relative;
    height: 100%;
    overflow: hidden;
  }
  .track i {
    position: absolute;
    height: 8px;
    border-radius: 2px;
  }
  .ours {
    top: 8px;
    background: var(--accent);
    min-width: 2px;
  }
  .ours.within-bar {
    background: rgb(143 182 255 / 45%);
  }
  .tail {
    top: 11px;
    height: 2px !important;
    background: rgb(143 182 255 / 38%);
  }
  .talk {
    top: 19px;
    background: rgb(150 170 205 / 26%);
  }
  .yours {
    background: repeating-linear-gradient(115deg, rgb(150 170 205 / 22%) 0 4px, transparent 4px 8px);
  }
  .scale span {
    position: absolute;
    top: 6px;
    transform: translateX(-50%);
    font-size: 11px;
    color: var(--text-faint);
  }
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 20px;
    margin: 16px 0 20px;
    font-size: 12px;
    color: var(--text-soft);
  }
  .key i {
    display: inline-block;
    width: 18px;
    height: 8px;
    margin-right: 7px;
    border-radius: 2px;
  }
  .key .ours,
  .key .talk,
  .key .yours {
    position: static;
  }
  .line {
    max-width: 420px;
  }
  @media (max-width: 720px) {
    .ladder {
      grid-template-columns: minmax(0, 1fr) 52px 52px;
    }
    .ladder > .track {
      grid-column: 1 / -1;
      border-top: 0;
    }
    .ladder > .scale {
      display: none;
    }
  }
`,h=5e3,g=50,_=class extends e{static properties={ladder:{state:!0},failure:{state:!0}};#e=0;static styles=[i,o,m];constructor(){super(),this.ladder=void 0,this.failure=``}connectedCallback(){super.connectedCallback(),this.#r(),this.#e=window.setInterval(()=>void this.#r(),h)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.#e)}render(){return r`
      <div class="head">
        <h1>Ladder</h1>
        <span class="soft">from a key to the eye, stage by stage, over all players of the last minute</span>
      </div>
      ${this.failure?r`<p class="soft">${this.failure}</p>`:n}
      ${this.ladder?this.#t(this.ladder):n}
    `}#t(e){let t=y(e.stages.map(e=>e?.p50Ms)),n=t.at(-1),i=l.reduce((e,{family:t,talkMs:n})=>e+(t===void 0?n??0:0),0);return r`
      <div class="sums">
        ${v(e.predicted?.p50Ms,`accent`,r`your own avatar: from sampling the key to the frame with its full effect, at any ping. p99 ${s(e.predicted?.p99Ms,0)} ms.`)}
        ${v(n-i||NaN,``,r`what others see of it, until they render it: the sum of the measured medians below.`)}
        ${v(e.fullLoop?.p50Ms,``,r`the full loop: sampled, applied by the server, and known to the client. p99 ${s(e.fullLoop?.p99Ms,0)} ms.`)}
        ${v(231,``,r`the budget of the talk that is perigee’s reference, at a ping of 50 ms, with ${s(i,0)} ms of rendering and monitor.`)}
      </div>
      ${e.stages.every(e=>e===void 0)?r`<p class="soft">No player sends measurements. <span class="mono">./perigee bots --count 20 --seconds 60</span> adds some.</p>`:this.#n(e,t)}
      <div class="key">
        <span><i class="ours"></i>median here</span>
        <span><i class="tail" style="position:static;vertical-align:middle"></i>up to the 99th percentile</span>
        <span><i class="talk"></i>the talk</span>
        <span><i class="yours"></i>yours: not measured, as in the talk</span>
      </div>
      <div class="line"><cmd-line .text=${`./perigee ctl waterfall --seconds 10`}></cmd-line></div>
    `}#n(e,t){let i=y(l.map(({talkMs:e})=>e),!0),a=Math.max(t.at(-1),231)*1.03,o=e=>`${(100*e/a).toFixed(2)}%`,c=Array.from({length:Math.floor(a/g)},(e,t)=>(t+1)*g);return r`<div class="ladder">
      <div class="head">stage</div>
      <div class="head number">p50, ms</div>
      <div class="head number">p99</div>
      <div class="head track scale">${c.map(e=>r`<span style="left:${o(e)}">${e} ms</span>`)}</div>
      ${l.map(({name:a,about:c,talkMs:l,within:u,family:d},f)=>{let p=e.stages[f],m=d===void 0,h=m?l:p?.p50Ms??0;return r`
          <div class=${u?`within`:``} title=${c}>${a}</div>
          <div class="number">${m?r`<span class="faint">yours</span>`:s(p?.p50Ms,1)}</div>
          <div class="number soft">${m?``:s(p?.p99Ms,1)}</div>
          <div class="track" title=${c}>
            ${b(p,t[f],o)}
            <i class="ours ${m?`yours`:``} ${u?`within-bar`:``}" style="left:${o(t[f])};width:${o(h)}"></i>
            ${l===void 0?n:r`<i class="talk" style="left:${o(i[f])};width:${o(l)}"></i>`}
          </div>
        `})}
    </div>`}async#r(){if(!document.hidden)try{this.ladder=await p(),this.failure=``}catch(e){this.failure=a(e)}}};customElements.define(`ladder-page`,_);function v(e,t,n){return r`<div class="card"><div class="figure ${t}">${s(e,0)} <small>ms</small></div><p>${n}</p></div>`}function y(e,t=!1){let n=[],r=0;return l.forEach(({within:i,family:a,talkMs:o},s)=>{n.push(i?r-(e[s-1]??0):r),i||(r+=t||a!==void 0?e[s]??0:o)}),[...n,r]}function b(e,t,i){return!e||!Number.isFinite(e.p99Ms)?n:r`<i class="tail" style="left:${i(t)};width:${i(Math.min(e.p99Ms,400))}"></i>`}export{_ as LadderPage};