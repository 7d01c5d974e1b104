import{a as e,i as t,o as n,s as r}from"./lit.js";import{a as i,c as a,d as o,i as s,l as c,n as l,p as u,r as d,s as f}from"./index.js";import{a as p,d as m,f as h,h as ee,i as te,l as ne,m as re,n as g,o as ie,p as ae,s as oe,t as _,u as se}from"./palette.js";import{A as ce,C as v,D as y,E as le,F as ue,H as de,L as b,M as fe,N as x,O as pe,R as me,U as S,V as C,_ as he,a as w,b as T,d as E,f as D,h as O,i as k,j as ge,l as A,m as _e,o as j,r as M,t as ve,v as ye,w as N,x as P,z as F}from"./three.js";var be=[void 0,100,75,50],xe=class extends t{static properties={percent:{state:!0}};static styles=[o,r`
      :host {
        display: grid;
        gap: 9px;
      }
      p {
        font-size: 12px;
        font-weight: 400;
        color: var(--text-soft);
      }
      select {
        height: 24px;
        padding: 0 4px;
      }
    `];constructor(){super(),this.percent=void 0,new u(this,d)}render(){let{map:t}=d;if(!t)return e;let r=t.ratePercent===void 0?`by load`:`ordered: ${t.ratePercent} %`;return n`
      <p>Balancing by load is <b>${t.balance?`on`:`off`}</b>.</p>
      <act-button line .what=${ne(!t.balance)} label=${t.balance?`Stop`:`Balance`}></act-button>
      <p>
        World time runs at <b>${a(d.rate*100)} %</b> of real time, ${r}. Set it to
        <select @change=${e=>this.percent=Number(e.target.value)||void 0}>
          ${be.map(e=>n`<option value=${e??``} ?selected=${e===this.percent}>${e===void 0?`auto`:`${e} %`}</option>`)}
        </select>
      </p>
      <act-button line .what=${se(this.percent)}></act-button>
    `}};customElements.define(`cluster-controls`,xe);function I(e,t){return e===void 0||t===void 0?e===t:e.kind===`worker`?t.kind===`worker`&&e.slot===t.slot:t.kind===`region`&&e.region===t.region}var L=class extends Event{selection;constructor(e){super(`choose`,{bubbles:!0,composed:!0}),this.selection=e}},Se=class extends t{static properties={selection:{attribute:!1},axis:{state:!0},to:{state:!0}};static styles=[o,r`
      .title {
        display: flex;
        align-items: center;
        gap: 9px;
        margin-bottom: 12px;
        font-size: 16px;
        font-weight: 600;
        letter-spacing: -0.01em;
      }
      .title button {
        margin-left: auto;
      }
      .swatch {
        width: 11px;
        height: 11px;
        border-radius: 3px;
      }
      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 4px 14px;
        margin: 0 0 14px;
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
      .acts {
        display: grid;
        gap: 8px;
        margin-top: 14px;
        padding-top: 14px;
        border-top: 1px solid var(--line);
      }
      .choice {
        display: flex;
        align-items: center;
        gap: 8px;
        color: var(--text-soft);
        font-size: 12px;
      }
      .choice select {
        height: 24px;
        padding: 0 4px;
      }
      table {
        font-size: 12px;
      }
      td,
      th {
        padding-top: 3px;
        padding-bottom: 3px;
      }
      td:last-child,
      th:last-child {
        padding-right: 0;
      }
    `];constructor(){super(),this.selection=void 0,this.axis=``,this.to=``,new u(this,d)}render(){let{selection:t}=this;if(t?.kind===`worker`){let n=d.worker(t.slot);return n?this.#t(n):e}let n=t&&d.region(t.region);return n?this.#n(n):e}#e(e,t){return n`<div class="title">
      <span class="swatch" style="background:${_(t)}"></span>${e}
      <button class="plain small" aria-label="Close" @click=${()=>this.dispatchEvent(new L(void 0))}>✕</button>
    </div>`}#t(t){let r=d.statuses.get(t.slot),i=Number(r?.tickLagUs??0)/1e3;return n`
      ${this.#e(t.name,t.slot)}
      <dl>
        <dt>tick p50, p99</dt>
        <dd>${a((r?.tickP50Us??NaN)/1e3,2)}, ${a((r?.tickP99Us??NaN)/1e3,2)} ms</dd>
        <dt>load, of it fixed</dt>
        <dd>${a(t.loadMs,2)}, ${a(t.overheadMs,2)} ms</dd>
        <dt>behind world time</dt>
        <dd>${a(i,1)} ms</dd>
        <dt>overruns, late inputs</dt>
        <dd>${r?.overruns??`–`}, ${r?.inputsLate??`–`}</dd>
        <dt>standby</dt>
        <dd>${t.standby===void 0?`none`:d.workerName(t.standby)}${t.standbyInSync?`, in sync`:``}</dd>
        <dt>incarnation, slot</dt>
        <dd>${t.incarnation}, ${t.slot}</dd>
        <dt>in doubt</dt>
        <dd>${r?.groupsInDoubt??`–`} groups</dd>
        <dt>build</dt>
        <dd class="mono">${t.build}</dd>
      </dl>
      ${r?Ce(r.entities):e}
      <div class="acts">
        <act-button line .what=${t.draining?h(t.name):te(t.name)} ?disabled=${!t.alive}></act-button>
        <act-button line .what=${p(t.name)} ?disabled=${!t.alive}></act-button>
        ${t.alive&&!t.standbyInSync?n`<act-button line label="Kill, force" .what=${p(t.name,!0)}></act-button>`:e}
      </div>
    `}#n(t){let{low:r,high:i}=t,o=(d.map?.workers??[]).filter(({alive:e,slot:n})=>e&&n!==t.owner),s=o.find(({name:e})=>e===this.to)??o[0],l=(e,t)=>`${c(e)} … ${c(t)}`;return n`
      ${this.#e(`Region ${t.region}`,t.owner)}
      <dl>
        <dt>owner</dt>
        <dd>${d.workerName(t.owner)}</dd>
        <dt>epoch</dt>
        <dd>${t.epoch}${t.changing?`, changing`:``}</dd>
        <dt>cost of a tick</dt>
        <dd>${a(t.costMs,2)} ms</dd>
        <dt>entities</dt>
        <dd>${f(t.entities)}${t.away>0?n` <span class="tag warn">${t.away} not here yet</span>`:e}</dd>
        <dt>x</dt>
        <dd>${l(r.x,i.x)}</dd>
        <dt>y</dt>
        <dd>${l(r.y,i.y)}</dd>
        <dt>z</dt>
        <dd>${l(r.z,i.z)}</dd>
      </dl>
      <div class="acts">
        <label class="choice">Split across
          <select @change=${e=>this.axis=e.target.value}>
            <option value="" ?selected=${this.axis===``}>the longest side</option>
            ${[`x`,`y`,`z`].map(e=>n`<option value=${e} ?selected=${this.axis===e}>${e}</option>`)}
          </select>
        </label>
        <act-button line .what=${this.axis===``?m(t.region):m(t.region,this.axis)}></act-button>
        <act-button line .what=${ie(t.region)}></act-button>
        ${s?n`<label class="choice">Move to
                <select @change=${e=>this.to=e.target.value}>
                  ${o.map(({name:e})=>n`<option value=${e} ?selected=${e===s.name}>${e}</option>`)}
                </select>
              </label>
              <act-button line .what=${oe(t.region,s.name)}></act-button>`:e}
      </div>
    `}};customElements.define(`detail-panel`,Se);function Ce(e){let t=e.filter(({count:e,ghosts:t})=>e>0||t>0).toSorted((e,t)=>t.count-e.count);return n`<table>
    <thead>
      <tr><th>kind</th><th class="number">own</th><th class="number">ghosts</th></tr>
    </thead>
    <tbody>
      ${t.map(e=>n`<tr><td>${e.kind}</td><td class="number">${f(e.count)}</td><td class="number faint">${f(e.ghosts)}</td></tr>`)}
    </tbody>
  </table>`}var R=1e3/60,we=class extends t{static properties={selection:{attribute:!1}};static styles=[o,r`
      button {
        display: grid;
        grid-template-columns: 10px minmax(0, 1fr) auto;
        gap: 4px 9px;
        align-items: center;
        width: 100%;
        height: auto;
        padding: 8px 10px;
        border: 1px solid transparent;
        border-radius: 6px;
        background: none;
        text-align: left;
      }
      button.chosen {
        border-color: var(--line-strong);
        background: var(--accent-soft);
      }
      .swatch {
        width: 10px;
        height: 10px;
        border-radius: 3px;
      }
      .name {
        display: flex;
        align-items: baseline;
        gap: 7px;
        font-weight: 600;
      }
      .name small {
        font-weight: 400;
        color: var(--text-faint);
      }
      .bar {
        grid-column: 2 / -1;
        height: 3px;
        border-radius: 2px;
        background: rgb(150 170 205 / 13%);
        overflow: hidden;
      }
      .bar i {
        display: block;
        height: 100%;
        border-radius: 2px;
        transition: width 0.4s;
      }
      .figures {
        grid-column: 2 / -1;
        display: flex;
        flex-wrap: wrap;
        gap: 0 12px;
        font-size: 11px;
        color: var(--text-faint);
        font-variant-numeric: tabular-nums;
      }
      b {
        font-weight: 500;
        color: var(--text-soft);
      }
    `];constructor(){super(),this.selection=void 0,new u(this,d)}render(){return(d.map?.workers??[]).map(e=>this.#e(e))}#e(e){let t={kind:`worker`,slot:e.slot},r=d.map.regions.filter(({owner:t})=>t===e.slot).length,i=Math.min(1,(e.loadMs??0)/R),o=(d.statuses.get(e.slot)?.tickP99Us??(e.tickP99Ms??0)*1e3)/1e3;return n`<button
      class=${I(this.selection,t)?`chosen`:``}
      @click=${()=>this.dispatchEvent(new L(t))}
    >
      <span class="swatch" style="background:${e.alive?_(e.slot):`#3b4352`}"></span>
      <span class="name">${e.name}<small>${r} ${r===1?`region`:`regions`}</small></span>
      ${Ee(e)}
      <span class="bar" title="Processor time of a tick: ${a(e.loadMs,2)} of ${R.toFixed(1)} ms">
        <i style="width:${(i*100).toFixed(1)}%;background:${i>.75?`var(--bad)`:_(e.slot)}"></i>
      </span>
      <span class="figures">
        <span>load <b>${a(e.loadMs,1)} ms</b></span>
        <span>p99 <b>${a(o,1)} ms</b></span>
        <span><b>${f(e.entities)}</b> entities</span>
        <span><b>${f(e.players)}</b> players</span>
      </span>
    </button>`}};customElements.define(`worker-list`,we);var Te={OVERLOAD_LEVEL_STRETCHED:`stretched`,OVERLOAD_LEVEL_RELIEF:`overloaded`};function Ee(t){if(!t.alive)return n`<span class="tag bad">not alive</span>`;if(t.draining)return n`<span class="tag warn">draining</span>`;let r=Te[t.level??``];return r?n`<span class="tag warn">${r}</span>`:t.standbyInSync?e:n`<span class="tag warn" title="No other worker has everything that it has.">no standby</span>`}var z=10,De=`
attribute vec3 before;
attribute float slot, flags, movedMs, stepMs;
uniform float nowMs, pixels, hollow;
uniform vec3 colors[${z}];
varying vec3 vColor;
varying float vActor, vResting;

void main() {
  float share = stepMs <= 0.0 ? 1.0 : clamp((nowMs - movedMs) / min(stepMs, 150.0), 0.0, 1.0);
  vec4 at = modelViewMatrix * vec4(mix(before, position, share), 1.0);
  gl_Position = projectionMatrix * at;
  vActor = mod(floor(flags / 4.0), 2.0);
  vResting = mod(floor(flags / 2.0), 2.0);
  vColor = colors[int(mod(slot + 0.5, ${z}.0))];
  float near = clamp(900.0 / max(-at.z, 1.0), 0.0, 2.4);
  gl_PointSize = ((vActor > 0.5 ? 8.5 + 2.0 * near : 3.4 + 1.8 * near) + hollow * 6.0) * pixels;
}
`,Oe=`
uniform float hollow;
varying vec3 vColor;
varying float vActor, vResting;

void main() {
  float r = length(gl_PointCoord - 0.5) * 2.0;
  float soft = fwidth(r) * 1.2;
  float disc = 1.0 - smoothstep(1.0 - soft, 1.0, r);
  float ring = disc * smoothstep(0.72, 0.72 + soft, r);
  float alpha = hollow > 0.5 ? ring * 0.75 : vResting > 0.5 && vActor < 0.5 ? disc * 0.55 : disc;
  vec3 color = vColor;
  if (vActor > 0.5 && hollow < 0.5) {
    color = mix(vec3(0.96, 0.98, 1.0), vColor, smoothstep(0.42, 0.5, r));
    alpha *= r > 0.42 && r < 0.6 ? 0.15 : 1.0;
  }
  if (alpha < 0.02) discard;
  gl_FragColor = vec4(color, alpha);
  #include <colorspace_fragment>
}
`;function B(){return Array.from({length:z},(e,t)=>{let[n,r,i]=g(t);return new A().setRGB(n,r,i,b)})}var V=class{object;#e;#t;#n;#r;#i=new Map;constructor(e,t){this.#e=e,this.#t=new F({vertexShader:De,fragmentShader:Oe,uniforms:{nowMs:{value:0},pixels:{value:1},hollow:{value:+!!t},colors:{value:B()}},transparent:!0,depthWrite:!1}),this.object=new x(new j,this.#t),this.object.frustumCulled=!1,this.object.renderOrder=t?4:5}tick(e,t){this.#t.uniforms.nowMs.value=e,this.#t.uniforms.pixels.value=t}upload(){let e=this.#e;this.#n?.array!==e.pose&&this.#a();let t=e.count*7;for(let e of[this.#n,this.#r])e.clearUpdateRanges(),e.addUpdateRange(0,t),e.needsUpdate=!0;for(let t of this.#i.values())t.clearUpdateRanges(),t.addUpdateRange(0,e.count),t.needsUpdate=!0;this.object.geometry.setDrawRange(0,e.count)}dispose(){this.object.geometry.dispose(),this.#t.dispose()}#a(){let e=this.#e;this.object.geometry.dispose();let t=this.object.geometry=new j;this.#n=new T(e.pose,7),this.#r=new T(e.before,7),t.setAttribute(`position`,new P(this.#n,3,0)),t.setAttribute(`before`,new P(this.#r,3,0)),this.#i.clear();for(let[n,r]of[[`slot`,e.slot],[`flags`,e.flags],[`movedMs`,e.movedMs],[`stepMs`,e.stepMs]]){let e=new w(r,1);e.setUsage(E),t.setAttribute(n,e),this.#i.set(n,e)}}},H=128,ke=1400,Ae=class{object;#e=new w(new Float32Array(384),3);#t=new w(new Float32Array(H),1);#n=new w(new Float32Array(H),1);#r;constructor(){let e=new j;e.setAttribute(`position`,this.#e),e.setAttribute(`age`,this.#t),e.setAttribute(`slot`,this.#n),this.#r=new F({uniforms:{colors:{value:B()},pixels:{value:1}},vertexShader:`attribute float age, slot; uniform vec3 colors[10]; uniform float pixels; varying vec3 vColor; varying float vAge;
        void main() {
          vAge = age; vColor = colors[int(mod(slot + 0.5, 10.0))];
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
          gl_PointSize = (10.0 + 58.0 * sqrt(age)) * pixels;
        }`,fragmentShader:`varying vec3 vColor; varying float vAge;
        void main() {
          float r = length(gl_PointCoord - 0.5) * 2.0;
          float ring = smoothstep(0.8, 0.92, r) * (1.0 - smoothstep(0.94, 1.0, r));
          float glow = (1.0 - smoothstep(0.0, 1.0, r)) * 0.28;
          gl_FragColor = vec4(mix(vColor, vec3(1.0), 0.35), (ring + glow) * (1.0 - vAge));
          #include <colorspace_fragment>
        }`,transparent:!0,depthWrite:!1,depthTest:!1,blending:2}),this.object=new x(e,this.#r),this.object.frustumCulled=!1,this.object.renderOrder=8}draw(e,t,n){let r=0;for(let n=e.length-1;n>=0&&r<H;--n){let{x:i,y:a,z:o,to:s,atMs:c}=e[n],l=(t-c)/ke;if(l>=1)break;this.#e.setXYZ(r,i,a,o),this.#t.setX(r,l),this.#n.setX(r,s),++r}this.#r.uniforms.pixels.value=n,this.object.geometry.setDrawRange(0,r),this.object.visible=r>0,r>0&&(this.#e.needsUpdate=this.#t.needsUpdate=this.#n.needsUpdate=!0)}dispose(){this.object.geometry.dispose(),this.#r.dispose()}},je=6,U=2e3,Me=`
attribute vec3 at, before, middle, size, color;
attribute vec4 turn;
attribute vec2 moved; // when, and how long after the observation before, in milliseconds
uniform float nowMs;
varying vec3 vColor;
varying float vUp;

void main() {
  float share = moved.y <= 0.0 ? 1.0 : clamp((nowMs - moved.x) / min(moved.y, 150.0), 0.0, 1.0);
  vec3 p = middle + position * size;
  p += 2.0 * cross(turn.xyz, cross(turn.xyz, p) + turn.w * p);
  vColor = color;
  vUp = position.y + 0.5;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(p + mix(before, at, share), 1.0);
}
`;function W(e){return`varying vec3 vColor; varying float vUp;
    void main() { gl_FragColor = vec4(vColor, ${e}); \n#include <colorspace_fragment>\n }`}var Ne=[[`at`,3],[`before`,3],[`middle`,3],[`size`,3],[`turn`,4],[`color`,3],[`moved`,2]],Pe=class{object=new O;#e;#t=new Map;#n=[];#r=[];#i=new A;constructor(e){this.#e=e;for(let[e,t]of Ne){let n=new he(new Float32Array(U*t),t);n.setUsage(E),this.#t.set(e,n)}let t=new k(1,1,1),n=new y(this.#o(t),this.#s(W(`0.12 + 0.2 * vUp`),!0)),r=new N(this.#o(new D(t)),this.#s(W(`0.9`),!1));n.renderOrder=2,r.renderOrder=3;for(let e of[n,r])e.frustumCulled=!1;this.object.add(n,r)}upload(e){let{owned:t}=this.#e,n=0;for(let r=0;r<t.count&&n<U;++r){let i=e[t.type[r]];i&&Fe(i)>=je&&this.#a(n++,r,i)}for(let e of this.#t.values())e.clearUpdateRanges(),e.addUpdateRange(0,n*e.itemSize),e.needsUpdate=!0;for(let e of this.#n)e.instanceCount=n;this.object.visible=n>0}tick(e){for(let t of this.#r)t.uniforms.nowMs.value=e}dispose(){for(let e of[...this.#n,...this.#r])e.dispose()}#a(e,t,{lowM:n,highM:r}){let{owned:i}=this.#e,a=t*7,o=(t,n,r)=>{let i=this.#t.get(t);i.array[e*i.itemSize+n]=r};for(let e=0;e<3;++e)o(`at`,e,i.pose[a+e]),o(`before`,e,i.before[a+e]),o(`middle`,e,(n[e]+r[e])/2),o(`size`,e,r[e]-n[e]);for(let e=0;e<4;++e)o(`turn`,e,i.pose[a+3+e]);let[s,c,l]=g(i.slot[t]);this.#i.setRGB(s,c,l,b).toArray().forEach((e,t)=>o(`color`,t,e)),o(`moved`,0,i.movedMs[t]),o(`moved`,1,i.stepMs[t])}#o(e){let t=new ye;t.setIndex(e.getIndex()),t.setAttribute(`position`,e.getAttribute(`position`));for(let[e,n]of this.#t)t.setAttribute(e,n);return t.instanceCount=0,this.#n.push(t),t}#s(e,t){let n=new F({vertexShader:Me,fragmentShader:e,uniforms:{nowMs:{value:0}},transparent:!0,depthWrite:!1,side:t?0:2});return this.#r.push(n),n}};function Fe({lowM:e,highM:t}){return Math.max(...e.map((e,n)=>t[n]-e))}var Ie=2200,G=-1,Le=class{object=new O;#e=new Map;show(e,t){let n=new Set(e.map(({region:e})=>e));for(let[e,t]of this.#e)n.has(e)||this.#t(e,t);for(let n of e){let e=JSON.stringify([n.low,n.high]),r=this.#e.get(n.region);if(r&&r.box!==e&&(this.#t(n.region,r),r=void 0),r||(r=Re(n,e),this.#e.set(n.region,r),this.object.add(r.group)),r.owner===n.owner)continue;r.owner!==G&&(r.changedMs=t),r.owner=n.owner;let i=new A(_(n.owner));for(let e of[r.edges,r.floor,r.rim])e.color.copy(i)}}tick(e,t,n){for(let[r,i]of this.#e){let a=Math.max(0,1-(e-i.changedMs)/Ie),o=+!!t.has(r);i.floor.opacity=.05+.045*o+.3*a*a,i.rim.opacity=.55+.45*Math.max(o,a),i.edges.opacity=(.16+.4*o+.4*a)*(1-n)}}dispose(){for(let[e,t]of this.#e)this.#t(e,t)}#t(e,{group:t,edges:n,floor:r,rim:i}){this.#e.delete(e),this.object.remove(t),t.traverse(e=>e instanceof y||e instanceof N?e.geometry.dispose():void 0);for(let e of[n,r,i])e.dispose()}};function Re({low:e,high:t},n){let r=new O,i=new S(t.x-e.x,t.y-e.y,t.z-e.z),a=new S(e.x,e.y,e.z).addScaledVector(i,.5),o=()=>new v({transparent:!0,depthWrite:!1}),[s,c]=[o(),o()],l=new k(i.x,i.y,i.z),u=new N(new D(l),s);l.dispose(),u.position.copy(a),r.add(u);let d=new pe({transparent:!0,depthWrite:!1,side:2}),f=Math.min(Math.max(0,e.y),t.y),p=new y(new fe(i.x,i.z).rotateX(-Math.PI/2),d);p.position.set(a.x,f,a.z);let m=new N(new D(p.geometry),c);return m.position.copy(p.position),r.add(p,m),{group:r,edges:s,floor:d,rim:c,owner:G,box:n,changedMs:-1e9}}var K=320,ze=300,q=K*27,Be=class{object;#e;#t=new Map;#n=new w(new Float32Array(q*6),3);#r=new w(new Float32Array(q*8),4);#i=new v({vertexColors:!0,transparent:!0,depthWrite:!1});#a=new A;#o=0;constructor(e){this.#e=e;let t=new j;t.setAttribute(`position`,this.#n),t.setAttribute(`color`,this.#r),this.object=new N(t,this.#i),this.object.frustumCulled=!1,this.object.renderOrder=1}sample(e){if(e-this.#o<ze)return;this.#o=e;let{owned:t}=this.#e;for(let n=0;n<t.count;++n){let r=t.flags[n];r&2&&!this.#t.has(t.handle[n])||this.#s(n,!!(r&4),e)}for(let[t,{seenMs:n}]of this.#t)n!==e&&this.#t.delete(t);this.#c()}dispose(){this.object.geometry.dispose(),this.#i.dispose()}#s(e,t,n){let{owned:r}=this.#e,i=r.handle[e],a=this.#t.get(i);if(!a){if(this.#t.size>=K)return;this.#t.set(i,a={places:[],slot:0,actor:t,seenMs:0})}a.slot=r.slot[e],a.seenMs=n,a.places.push(r.pose[e*7],r.pose[e*7+1],r.pose[e*7+2]),a.places.length>84&&a.places.splice(0,3)}#c(){let e=0;for(let{places:t,slot:n,actor:r}of this.#t.values()){let[i,a,o]=g(n);this.#a.setRGB(i,a,o,b);let s=t.length/3;for(let n=0;n+1<s;++n)for(let i of[n,n+1]){let n=(i/s)**1.6*(r?.75:.35);this.#n.setXYZ(e,t[i*3],t[i*3+1],t[i*3+2]),this.#r.setXYZW(e,this.#a.r,this.#a.g,this.#a.b,n),++e}}for(let t of[this.#n,this.#r])t.clearUpdateRanges(),t.addUpdateRange(0,e*t.itemSize),t.needsUpdate=!0;this.object.geometry.setDrawRange(0,e)}},J=38,Ve=650,He=350,Y=1e3,Ue=12,We=class{frameTimes=new ae;showGhosts=!1;selected=new Set;view=`perspective`;onFrame=()=>{};#e;#t=new me;#n=new ce(J,1,10,12e4);#r;#i=new Le;#a=new V(s.owned,!1);#o=new V(s.ghosts,!0);#s=new Pe(s);#c=new Be(s);#l=new Ae;#u;#d;#f=0;#p=-1;#m=0;#h;#g=!1;constructor(e){this.#e=new re(e,1),this.#e.renderer.toneMapping=0,this.#e.renderer.shadowMap.enabled=!1,this.#t.background=new A(`#07090d`),this.#u=qe(),this.#t.add(this.#u,this.#i.object,this.#c.object,this.#s.object,this.#a.object,this.#o.object,this.#l.object),this.#n.position.set(0,9e3,9e3),this.#r=new ve(this.#n,e),this.#r.enableDamping=!0,this.#r.dampingFactor=.12,this.#r.maxPolarAngle=Math.PI*.495,this.#r.minDistance=30,this.#r.maxDistance=45e3,this.#r.zoomToCursor=!0,this.#d=d.listen(()=>this.#v()),this.#v(),this.#f=requestAnimationFrame(this.#y)}end(){cancelAnimationFrame(this.#f),this.#d(),this.#r.dispose(),this.#i.dispose(),this.#a.dispose(),this.#o.dispose(),this.#s.dispose(),this.#c.dispose(),this.#l.dispose(),this.#u.geometry.dispose(),this.#e.dispose()}fit(e){let t=e===`content`&&Z()||Ke();t&&this.#x(t,this.view)}turn(e){this.view=e;let t=this.#r.target,n=this.#n.position.distanceTo(t);this.#S({target:t.clone(),offset:X(e).multiplyScalar(n)})}project({x:e,y:t,z:n}){let r=new S(e,t,n).project(this.#n);if(r.z>1||Math.abs(r.x)>1.2||Math.abs(r.y)>1.2)return;let{clientWidth:i,clientHeight:a}=this.#e.renderer.domElement;return{x:(r.x+1)/2*i,y:(1-r.y)/2*a}}pick(e,t){let{clientWidth:n,clientHeight:r}=this.#e.renderer.domElement,i=new de(e/n*2-1,1-t/r*2),a=new ue;a.setFromCamera(i,this.#n);let o=a.ray.intersectPlane(new ge(new S(0,1,0),0),new S);return{region:o?d.regionAt(o):void 0,row:this.#_(e,t)}}#_(e,t){let{clientWidth:n,clientHeight:r}=this.#e.renderer.domElement,{owned:i}=s,a=new le().multiplyMatrices(this.#n.projectionMatrix,this.#n.matrixWorldInverse).elements,o,c=Ue;for(let s=0;s<i.count;++s){let[l,u,d]=[i.pose[s*7],i.pose[s*7+1],i.pose[s*7+2]],f=a[3]*l+a[7]*u+a[11]*d+a[15];if(f<=0)continue;let p=((a[0]*l+a[4]*u+a[8]*d+a[12])/f+1)/2*n,m=(1-(a[1]*l+a[5]*u+a[9]*d+a[13])/f)/2*r,h=Math.hypot(p-e,m-t);h>=c||(c=h,o=s)}return o}#v(){this.#i.show(d.map?.regions??[],performance.now())}#y=e=>{this.#f=requestAnimationFrame(this.#y);let t=performance.now();this.#e.begin(e),s.version!==this.#p&&this.#b(),!this.#g&&Z()&&(this.#g=!0,this.fit(`content`)),this.#C(e),this.#r.update();let n=this.#e.renderer.getPixelRatio(),r=+(this.view===`above`);this.#m+=(r-this.#m)*.15,this.#i.tick(e,this.selected,this.#m),this.#a.tick(e,n),this.#o.tick(e,n),this.#o.object.visible=this.showGhosts,this.#s.tick(e),this.#l.draw(s.migrations,e,n),this.#e.show(this.#t,this.#n,0,this.#e.width),this.onFrame(),this.frameTimes.add(performance.now()-t)};#b(){this.#p=s.version,this.#a.upload(),this.showGhosts&&this.#o.upload(),this.#s.upload(d.kinds),this.#c.sample(performance.now())}#x(e,t){let n=e.getCenter(new S),r=e.getSize(new S);n.y=0;let i=this.#n.aspect||1.6,a=Math.tan(J/2*(Math.PI/180)),o=t===`above`?r.z:r.z*.75,s=Math.max(o/2/a,r.x/2/a/i)*(t===`above`?1.06:1.02);this.#S({target:n,offset:X(t).multiplyScalar(s)})}#S(e){let{target:t}=this.#r;this.#r.enableRotate=this.view===`perspective`;let n={target:t.clone(),offset:this.#n.position.clone().sub(t)};this.#h={began:performance.now(),from:n,to:e}}#C(e){if(!this.#h)return;let{began:t,from:n,to:r}=this.#h,i=Math.min(1,Math.max(0,(e-t)/Ve)),a=i*i*(3-2*i);this.#r.target.lerpVectors(n.target,r.target,a);let o=e=>new C().setFromVector3(e),[s,c]=[o(n.offset),o(r.offset)],l=new C(s.radius+(c.radius-s.radius)*a,s.phi+(c.phi-s.phi)*a,s.theta+Ge(c.theta-s.theta)*a).makeSafe();this.#n.position.copy(this.#r.target).add(new S().setFromSpherical(l)),i>=1&&(this.#h=void 0)}};function X(e){return e===`above`?new S(0,1,1e-4).normalize():new S(.32,.62,.9).normalize()}function Ge(e){return Math.atan2(Math.sin(e),Math.cos(e))}function Ke(){let e=d.map?.regions;if(!e?.length)return;let t=new M;for(let{low:n,high:r}of e)t.expandByPoint(new S(n.x,n.y,n.z)).expandByPoint(new S(r.x,r.y,r.z));return t}function Z(){let{owned:e}=s;if(e.count===0)return;let t=new M,n=new S;for(let r=0;r<e.count;++r)t.expandByPoint(n.fromArray(e.pose,r*7));return t.expandByScalar(He)}function qe(){let e=[];for(let t=-12;t<=12;++t)e.push(t*Y,0,-12*Y,t*Y,0,12*Y),e.push(-12*Y,0,t*Y,12*Y,0,t*Y);let t=new j;return t.setAttribute(`position`,new _e(e,3)),new N(t,new v({color:`#8fa6cc`,transparent:!0,opacity:.07,depthWrite:!1}))}var Je=60,Q=84,Ye=340,Xe=80,Ze=400,$=class extends t{static properties={selection:{state:!0},view:{state:!0},ghosts:{state:!0},noPicture:{state:!0},hover:{state:!0},figures:{state:!0}};#e;#t=()=>{};#n=0;#r=0;static styles=[o,r`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 348px;
        height: 100%;
      }
      .map {
        position: relative;
        min-height: 0;
        overflow: hidden;
      }
      canvas {
        display: block;
        width: 100%;
        height: 100%;
        cursor: crosshair;
        touch-action: none;
      }
      .labels {
        position: absolute;
        inset: 0;
        overflow: hidden;
        pointer-events: none;
      }
      .labels span {
        position: absolute;
        left: 0;
        top: 0;
        padding: 1px 7px 2px;
        border-radius: 4px;
        background: rgb(7 9 13 / 66%);
        font-size: 11px;
        white-space: nowrap;
        will-change: transform;
      }
      .labels small {
        color: var(--text-faint);
        font-size: 11px;
      }
      .tools {
        position: absolute;
        top: 14px;
        left: 14px;
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
      }
      .group {
        display: flex;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: rgb(10 13 19 / 82%);
        overflow: hidden;
      }
      .group button {
        height: 26px;
        border: 0;
        border-radius: 0;
        background: none;
        color: var(--text-soft);
        font-size: 12px;
      }
      .group button.on {
        background: var(--accent-soft);
        color: #cfe0ff;
      }
      .tip {
        position: absolute;
        z-index: 3;
        padding: 4px 9px;
        border: 1px solid var(--line-strong);
        border-radius: 5px;
        background: rgb(10 13 19 / 92%);
        font-size: 12px;
        white-space: nowrap;
        pointer-events: none;
        transform: translate(14px, 10px);
      }
      .status {
        position: absolute;
        left: 14px;
        bottom: 12px;
        display: flex;
        flex-wrap: wrap;
        gap: 2px 14px;
        font-size: 11px;
        color: var(--text-faint);
        font-variant-numeric: tabular-nums;
        pointer-events: none;
      }
      .status b {
        font-weight: 500;
        color: var(--text-soft);
      }
      aside {
        display: flex;
        flex-direction: column;
        min-height: 0;
        border-left: 1px solid var(--line);
        overflow-y: auto;
        scrollbar-width: thin;
        scrollbar-color: rgb(150 170 205 / 25%) transparent;
      }
      section {
        padding: 16px 18px;
        border-bottom: 1px solid var(--line);
      }
      section h2 {
        margin-bottom: 10px;
      }
      worker-list {
        display: block;
        margin: 0 -10px;
      }
      .regions {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(64px, 1fr));
        gap: 5px;
      }
      .regions button {
        justify-content: space-between;
        height: 24px;
        padding: 0 7px;
        font-size: 11px;
        font-variant-numeric: tabular-nums;
      }
      .regions button.chosen {
        border-color: var(--accent);
        background: var(--accent-soft);
      }
      .regions i {
        width: 7px;
        height: 7px;
        border-radius: 2px;
      }
      .notice {
        display: grid;
        place-content: center;
        height: 100%;
        padding: 40px;
        text-align: center;
        color: var(--text-soft);
      }
      @media (max-width: 860px) {
        :host {
          grid-template-columns: minmax(0, 1fr);
          grid-template-rows: 46% minmax(0, 1fr);
        }
        aside {
          border-left: 0;
          border-top: 1px solid var(--line);
          padding-bottom: 64px;
        }
        .status {
          bottom: 6px;
        }
      }
    `];constructor(){super(),this.selection=void 0,this.view=`perspective`,this.ghosts=this.noPicture=!1,this.figures={players:0},new u(this,d),this.addEventListener(`choose`,e=>this.#u(e.selection))}connectedCallback(){super.connectedCallback(),this.#t=i.watchEntities(),l(()=>this.#_())}disconnectedCallback(){super.disconnectedCallback(),this.#t(),l(void 0),this.#e?.end(),this.#e=void 0}updated(){!this.#e&&!this.noPicture&&this.isConnected&&this.#s()}render(){let t=d.map?.regions??[];return n`
      <div class="map">
        ${this.noPicture?n`<div class="notice">${ee}</div>`:n`<canvas @pointermove=${this.#m} @pointerleave=${()=>this.hover=void 0}
                @pointerdown=${this.#f} @pointerup=${this.#p}></canvas>
              <div class="labels">
                ${t.slice(0,Je).map(({region:e,owner:t,epoch:r})=>n`<span data-region=${e} style="color:${_(t)}">
                    ${d.workerName(t)} <small>region ${e} · epoch ${r}</small></span>`)}
              </div>
              ${this.#i()}`}
        ${this.hover?n`<div class="tip" style=${this.#h(this.hover)}>${this.hover.text}</div>`:e}
        ${this.#a()}
      </div>
      <aside>
        ${this.selection?n`<section><detail-panel .selection=${this.selection}></detail-panel></section>`:e}
        <section><h2>Workers</h2><worker-list .selection=${this.selection}></worker-list></section>
        <section>
          <h2>Regions</h2>
          <div class="regions">${t.map(e=>this.#o(e))}</div>
        </section>
        <section><h2>Cluster</h2><cluster-controls></cluster-controls></section>
      </aside>
    `}#i(){let e=(e,t)=>n`<button class=${this.view===e?`on`:``} @click=${()=>this.#c(e)}>${t}</button>`;return n`<div class="tools">
      <div class="group">${e(`perspective`,`Perspective`)}${e(`above`,`Above`)}</div>
      <div class="group">
        <button @click=${()=>this.#e?.fit(`content`)}>Entities</button>
        <button @click=${()=>this.#e?.fit(`world`)}>World</button>
      </div>
      <div class="group">
        <button class=${this.ghosts?`on`:``} aria-pressed=${this.ghosts} @click=${this.#l}
          title="What workers know of others’ entities, as rings in the colour of the worker that knows them">Ghosts</button>
      </div>
    </div>`}#a(){return n`<div class="status">
      <span><b>${f(s.owned.count)}</b> entities</span>
      <span><b>${f(s.ghosts.count)}</b> ghosts</span>
      <span><b>${f(this.figures.players)}</b> players</span>
      <span><b>${f(s.migrationsSeen)}</b> migrations</span>
      <span>frame p99 <b>${a(this.#e?.frameTimes.quantile(.99),1)} ms</b></span>
    </div>`}#o(e){let t={kind:`region`,region:e.region};return n`<button class=${I(this.selection,t)?`chosen`:``}
      title="${d.workerName(e.owner)}, ${e.entities} entities, ${a(e.costMs,2)} ms a tick"
      @click=${()=>this.#u(t)}>
      <i style="background:${_(e.owner)}"></i>${e.region}<span class="faint">${f(e.entities)}</span>
    </button>`}#s(){let e=this.renderRoot.querySelector(`canvas`);try{this.#e=new We(e)}catch(e){console.error(e),this.noPicture=!0;return}this.#e.onFrame=()=>this.#g()}#c(e){this.view=e,this.#e?.turn(e)}#l(){this.ghosts=!this.ghosts,this.#e&&(this.#e.showGhosts=this.ghosts)}#u(e){this.selection=e;let t=this.#e;if(!t)return;let n=(d.map?.regions??[]).filter(({region:t,owner:n})=>e?.kind===`region`?t===e.region:e?.kind===`worker`&&n===e.slot);t.selected=new Set(n.map(({region:e})=>e))}#d={x:0,y:0};#f(e){this.#d={x:e.clientX,y:e.clientY}}#p(e){if(Math.hypot(e.clientX-this.#d.x,e.clientY-this.#d.y)>5)return;let{region:t}=this.#e?.pick(e.offsetX,e.offsetY)??{};this.#u(t&&{kind:`region`,region:t.region})}#m({offsetX:e,offsetY:t,timeStamp:n,buttons:r}){if(n-this.#n<Xe)return;this.#n=n;let{row:i}=r===0?this.#e?.pick(e,t)??{}:{};if(i===void 0){this.hover=void 0;return}let{owned:a}=s,o=d.kinds[a.type[i]]?.name??`type ${a.type[i]}`,l=[0,1,2].map(e=>c(a.pose[i*7+e])).join(`, `);this.hover={x:e,y:t,text:`${o} #${a.handle[i]} · ${d.workerName(a.slot[i])} · ${l}`}}#h({x:e,y:t}){let n=this.renderRoot.querySelector(`canvas`)?.clientWidth??0;return e<n-Ye?`left:${e}px;top:${t}px`:`right:${n-e+28}px;top:${t}px`}#g(){let e=this.#e,t=this.renderRoot.querySelector(`canvas`)?.clientWidth??0;for(let n of this.renderRoot.querySelectorAll(`.labels span`)){let r=d.region(Number(n.dataset.region)),i=r&&e.project($e(r));if(n.style.visibility=i?`visible`:`hidden`,!i)continue;let a=Math.max(Q,Math.min(t-Q,i.x));n.style.transform=`translate(${a.toFixed(1)}px, ${i.y.toFixed(1)}px) translate(-50%, -50%)`}let n=performance.now();n-this.#r<Ze||(this.#r=n,this.figures={players:Qe()})}#_(){let{selection:e}=this;return{regions:d.map?.regions.length??0,workers:d.map?.workers.filter(({alive:e})=>e).length??0,entities:s.owned.count,ghosts:s.ghosts.count,players:Qe(),migrations:s.migrationsSeen,selected:e===void 0?``:e.kind===`worker`?`worker ${e.slot}`:`region ${e.region}`,frameMs:{p50:this.#e?.frameTimes.quantile(.5)??NaN,p99:this.#e?.frameTimes.quantile(.99)??NaN}}}};customElements.define(`world-page`,$);function Qe(){let{owned:e}=s,t=0;for(let n=0;n<e.count;++n)e.flags[n]&4&&++t;return t}function $e({low:e,high:t}){let n=(e,t)=>(Math.max(e,-2600)+Math.min(t,2600))/2,r=(e,t)=>Math.min(Math.max(n(e,t),e),t);return{x:r(e.x,t.x),y:Math.max(e.y,Math.min(0,t.y)),z:r(e.z,t.z)}}export{$ as WorldPage};