import{a as e,l as t,o as n,s as r}from"./lit.js";import{a as i,n as a,s as o,t as s}from"./shared.js";import{t as c}from"./prometheus.js";import{d as l,i as u}from"./index.js";import{n as d}from"./emitter.js";import{t as f}from"./palette.js";function p(e){let{map:t}=e,n=[],r=(e,t,r)=>n.push({tone:e,title:t,sentence:r});if(e.unreachable&&r(`bad`,`No map`,e.unreachable),!t)return n;for(let e of t.workers)e.alive?e.standbyInSync||r(`warn`,e.name,`No other worker has everything that it has: if it dies now, its entities are lost.`):r(`bad`,e.name,`The worker has not been heard of for 5 s. Its log and its crash report have the reason.`),e.level===`OVERLOAD_LEVEL_RELIEF`?r(`bad`,e.name,`The worker is overloaded: other workers must take load, or time slows down.`):e.level===`OVERLOAD_LEVEL_STRETCHED`&&r(`warn`,e.name,`Ticks take too long: distant things are sent to clients less often.`),e.alive&&(e.lateMs??0)>100&&r(`warn`,e.name,`The worker is ${e.lateMs.toFixed(0)} ms behind world time.`);for(let e of t.gateways)e.alive||r(`bad`,e.name,`The gateway has not been heard of for 5 s. Its players reconnect through another one.`);let i=t.regions.filter(({owner:e})=>e===void 0).map(({region:e})=>e);i.length>0&&r(`bad`,`Regions ${i.join(`, `)}`,`They have no owner and are not simulated. Start a worker.`);for(let{name:e,why:n}of t.refused)r(`bad`,e,n);e.rate<1&&r(`warn`,`World time`,`It runs at ${(e.rate*100).toFixed(0)} % of real time${t.ratePercent===void 0?`, because workers are overloaded`:`, by order of an operator`}.`);for(let t of e.statuses.values())t.groupsInDoubt>0&&r(`warn`,t.name,`${t.groupsInDoubt} groups are in doubt: sent, but not acknowledged. ./perigee ctl in-doubt names the remedy.`);return n}var m=3e3,h=8,g=12,_=class extends e{static properties={audit:{state:!0},failure:{state:!0},alerts:{state:!0},alertsWhy:{state:!0}};#e=0;static styles=[a,s,t`
      .grid {
        display: grid;
        grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr);
        gap: 16px;
        align-items: start;
      }
      .grid > div {
        display: grid;
        gap: 16px;
      }
      .card h2 {
        margin-bottom: 10px;
      }
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 10px minmax(0, 1fr) auto;
        gap: 2px 10px;
        align-items: baseline;
        padding: 8px 0;
        border-top: 1px solid var(--line);
      }
      li:first-child {
        border-top: 0;
        padding-top: 0;
      }
      li p {
        grid-column: 2 / -1;
        font-weight: 400;
        color: var(--text-soft);
      }
      .calm {
        display: flex;
        align-items: center;
        gap: 10px;
        padding: 4px 0;
        font-size: 15px;
      }
      .swatch {
        display: inline-block;
        width: 8px;
        height: 8px;
        margin-right: 5px;
        border-radius: 2px;
      }
      td.request {
        max-width: 320px;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      @media (max-width: 980px) {
        .grid {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `];constructor(){super(),this.audit=[],this.alerts=[],this.failure=this.alertsWhy=``,new d(this,u)}connectedCallback(){super.connectedCallback(),this.#o(),this.#e=window.setInterval(()=>void this.#o(),m)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.#e)}render(){return r`
      <div class="head"><h1>Incidents</h1></div>
      <div class="grid">
        <div>${this.#t()} ${this.#a()}</div>
        <div>${this.#n()} ${this.#r()} ${this.#i()}</div>
      </div>
    `}#t(){let e=p(u);return r`<section class="card">
      <h2>Now</h2>
      ${e.length===0?r`<div class="calm"><i class="dot good"></i>Nothing is wrong.</div>`:r`<ul>
            ${e.map(({tone:e,title:t,sentence:n})=>r`<li><i class="dot ${e}"></i><b>${t}</b><span></span><p>${n}</p></li>`)}
          </ul>`}
    </section>`}#n(){return r`<section class="card">
      <h2>Firing alerts</h2>
      ${this.alertsWhy?r`<span class="faint">${this.alertsWhy}</span>`:this.alerts.length===0?r`<span class="soft">None.</span>`:r`<ul>
              ${this.alerts.map(({name:e,severity:t,where:n})=>r`<li><i class="dot ${t===`page`?`bad`:`warn`}"></i><b>${e}</b><span class="tag">${t}</span><p>${n}</p></li>`)}
            </ul>`}
    </section>`}#r(){let e=u.map?.failoverRecords.toReversed()??[],t=e.slice(0,h);return r`<section class="card">
      <h2>Failovers</h2>
      ${t.length===0?r`<span class="soft">No worker that died has a living successor.</span>`:r`<table>
            <thead><tr><th>ended incarnation</th><th>taken over by</th><th>log's epoch</th><th></th></tr></thead>
            <tbody>
              ${t.map(({handleBase:e,successor:t,epoch:i,crashes:a,copied:o})=>r`<tr>
                  <td>${e>>>20}</td>
                  <td><span class="swatch" style="background:${f(t)}"></span>${u.workerName(t)}</td>
                  <td>${i}</td>
                  <td>
                    ${a>1?r`<span class="tag bad" title="Workers that died within 8 s of the one before">chain of ${a}</span>`:n}
                    <span class="tag ${o?`good`:`warn`}" title="Whether the successor's own standby has it, too">${o?`copied`:`one copy`}</span>
                  </td>
                </tr>`)}
            </tbody>
          </table>
          ${e.length>h?r`<span class="faint">and ${e.length-h} before</span>`:n}`}
    </section>`}#i(){return r`<section class="card">
      <h2>Changes of owners, as this page saw them</h2>
      ${u.changes.length===0?r`<span class="soft">None.</span>`:r`<table>
            <tbody>
              ${u.changes.slice(0,g).map(({atMs:e,region:t,from:n,to:i})=>r`<tr>
                  <td class="faint mono">${l(e)}</td>
                  <td>region ${t}</td>
                  <td><span class="swatch" style="background:${f(n)}"></span>${u.workerName(n)} →
                    <span class="swatch" style="background:${f(i)}"></span>${u.workerName(i)}</td>
                </tr>`)}
            </tbody>
          </table>`}
    </section>`}#a(){return r`<section class="card">
      <h2>Acts of operators</h2>
      ${this.failure?r`<span class="soft">${this.failure}</span>`:n}
      ${this.audit.length===0&&!this.failure?r`<span class="soft">No operator has acted from this console.</span>`:r`<table>
            <tbody>
              ${this.audit.map(({unix_ms:e,who:t,act:n,request:i,result:a,message:o})=>{let s=typeof i==`string`?i:JSON.stringify(i),c=a===`OK`;return r`<tr>
                    <td class="faint mono" title=${new Date(e).toISOString()}>${l(e)}</td>
                    <td class="who">${t}</td>
                    <td>${n.replaceAll(`_`,` `)}</td>
                    <td class="request mono soft" title=${s}>${s}</td>
                    <td class="number"><span class="tag ${c?`good`:`bad`}" title=${o??``}>${c?`done`:a===`PERMISSION_DENIED`?`refused`:a}</span></td>
                  </tr>`})}
            </tbody>
          </table>`}
    </section>`}async#o(){if(!document.hidden){try{this.audit=await i(`api/audit`),this.failure=``}catch(e){this.failure=o(e)}try{let e=await c(`ALERTS{alertstate="firing"}`);this.alertsWhy=``,this.alerts=e.map(({labels:e})=>({name:e.alertname??``,severity:e.severity??``,where:Object.entries(e).filter(([e])=>![`__name__`,`alertname`,`alertstate`,`severity`,`job`].includes(e)).map(([e,t])=>`${e} ${t}`).join(`, `)}))}catch(e){this.alertsWhy=o(e)}}}};customElements.define(`incidents-page`,_);export{_ as IncidentsPage};