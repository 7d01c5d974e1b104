import{a as e,l as t,o as n,s as r}from"./lit.js";import{a as i,f as a,i as o,m as s,o as c,p as l,r as u}from"./index.js";import{n as d,t as f}from"./screen.js";import{n as p}from"./emitter.js";import{n as m,t as h}from"./palette.js";import{n as g}from"./shared.js";import{c as ee,f as te,h as ne,i as _,m as v,n as re,p as ie,s as ae}from"./acts.js";import"./act_button.js";import{B as oe,C as se,E as y,F as ce,G as b,I as le,J as ue,L as de,M as x,N as fe,O as S,R as C,S as pe,T as w,U as T,W as me,Y as E,_ as D,b as O,c as k,g as A,j as he,k as j,l as M,o as N,p as P,q as F,s as I,t as ge,y as _e}from"./three.js";import{t as ve}from"./frame_timer.js";var ye=[void 0,100,75,50],be=class extends e{static properties={percent:{state:!0}};static styles=[g,t`
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
    `];constructor(){super(),this.percent=void 0,new p(this,o)}render(){let{map:e}=o;if(!e)return n;let t=e.ratePercent===void 0?`by load`:`ordered: ${e.ratePercent} %`;return r`
      <p>Balancing by load is <b>${e.balance?`on`:`off`}</b>.</p>
      <act-button line .what=${te(!e.balance)} label=${e.balance?`Stop`:`Balance`}></act-button>
      <p>
        World time runs at <b>${l(o.rate*100)} %</b> of real time, ${t}. Set it to
        <select @change=${e=>this.percent=Number(e.target.value)||void 0}>
          ${ye.map(e=>r`<option value=${e??``} ?selected=${e===this.percent}>${e===void 0?`auto`:`${e} %`}</option>`)}
        </select>
      </p>
      <act-button line .what=${ie(this.percent)}></act-button>
    `}};customElements.define(`cluster-controls`,be);function L(e,t){return e===void 0||t===void 0?e===t:e.kind===`worker`?t.kind===`worker`&&e.slot===t.slot:t.kind===`region`&&e.region===t.region}var R=class extends Event{selection;constructor(e){super(`choose`,{bubbles:!0,composed:!0}),this.selection=e}},xe=class extends e{static properties={selection:{attribute:!1},axis:{state:!0},to:{state:!0}};static styles=[g,t`
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
    `];constructor(){super(),this.selection=void 0,this.axis=``,this.to=``,new p(this,o)}render(){let{selection:e}=this;if(e?.kind===`worker`){let t=o.worker(e.slot);return t?this.#t(t):n}let t=e&&o.region(e.region);return t?this.#n(t):n}#e(e,t){return r`<div class="title">
      <span class="swatch" style="background:${h(t)}"></span>${e}
      <button class="plain small" aria-label="Close" @click=${()=>this.dispatchEvent(new R(void 0))}>✕</button>
    </div>`}#t(e){let t=o.statuses.get(e.slot),i=Number(t?.tickLagUs??0)/1e3;return r`
      ${this.#e(e.name,e.slot)}
      <dl>
        <dt>tick p50, p99</dt>
        <dd>${l((t?.tickP50Us??NaN)/1e3,2)}, ${l((t?.tickP99Us??NaN)/1e3,2)} ms</dd>
        <dt>load, of it fixed</dt>
        <dd>${l(e.loadMs,2)}, ${l(e.overheadMs,2)} ms</dd>
        <dt>behind world time</dt>
        <dd>${l(i,1)} ms</dd>
        <dt>overruns, late inputs</dt>
        <dd>${t?.overruns??`–`}, ${t?.inputsLate??`–`}</dd>
        <dt>standby</dt>
        <dd>${e.standby===void 0?`none`:o.workerName(e.standby)}${e.standbyInSync?`, in sync`:``}</dd>
        <dt>incarnation, slot</dt>
        <dd>${e.incarnation}, ${e.slot}</dd>
        <dt>in doubt</dt>
        <dd>${t?.groupsInDoubt??`–`} groups</dd>
        <dt>build</dt>
        <dd class="mono">${e.build}</dd>
      </dl>
      ${t?Se(t.entities):n}
      <div class="acts">
        <act-button line .what=${e.draining?ne(e.name):re(e.name)} ?disabled=${!e.alive}></act-button>
        <act-button line .what=${_(e.name)} ?disabled=${!e.alive}></act-button>
        ${e.alive&&!e.standbyInSync?r`<act-button line label="Kill, force" .what=${_(e.name,!0)}></act-button>`:n}
      </div>
    `}#n(e){let{low:t,high:i}=e,c=(o.map?.workers??[]).filter(({alive:t,slot:n})=>t&&n!==e.owner),u=c.find(({name:e})=>e===this.to)??c[0],d=(e,t)=>`${s(e)} … ${s(t)}`;return r`
      ${this.#e(`Region ${e.region}`,e.owner)}
      <dl>
        <dt>owner</dt>
        <dd>${o.workerName(e.owner)}</dd>
        <dt>epoch</dt>
        <dd>${e.epoch}${e.changing?`, changing`:``}</dd>
        <dt>cost of a tick</dt>
        <dd>${l(e.costMs,2)} ms</dd>
        <dt>entities</dt>
        <dd>${a(e.entities)}${e.away>0?r` <span class="tag warn">${e.away} not here yet</span>`:n}</dd>
        <dt>x</dt>
        <dd>${d(t.x,i.x)}</dd>
        <dt>y</dt>
        <dd>${d(t.y,i.y)}</dd>
        <dt>z</dt>
        <dd>${d(t.z,i.z)}</dd>
      </dl>
      <div class="acts">
        <label class="choice">Split across
          <select @change=${e=>this.axis=e.target.value}>
            <option value="" ?selected=${this.axis===``}>the longest side</option>
            ${[`x`,`y`,`z`].map(e=>r`<option value=${e} ?selected=${this.axis===e}>${e}</option>`)}
          </select>
        </label>
        <act-button line .what=${this.axis===``?v(e.region):v(e.region,this.axis)}></act-button>
        <act-button line .what=${ae(e.region)}></act-button>
        ${u?r`<label class="choice">Move to
                <select @change=${e=>this.to=e.target.value}>
                  ${c.map(({name:e})=>r`<option value=${e} ?selected=${e===u.name}>${e}</option>`)}
                </select>
              </label>
              <act-button line .what=${ee(e.region,u.name)}></act-button>`:n}
      </div>
    `}};customElements.define(`detail-panel`,xe);function Se(e){let t=e.filter(({count:e,ghosts:t})=>e>0||t>0).toSorted((e,t)=>t.count-e.count);return r`<table>
    <thead>
      <tr><th>kind</th><th class="number">own</th><th class="number">ghosts</th></tr>
    </thead>
    <tbody>
      ${t.map(e=>r`<tr><td>${e.kind}</td><td class="number">${a(e.count)}</td><td class="number faint">${a(e.ghosts)}</td></tr>`)}
    </tbody>
  </table>`}var z=1e3/60,Ce=class extends e{static properties={selection:{attribute:!1}};static styles=[g,t`
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
    `];constructor(){super(),this.selection=void 0,new p(this,o)}render(){return(o.map?.workers??[]).map(e=>this.#e(e))}#e(e){let t={kind:`worker`,slot:e.slot},n=o.map.regions.filter(({owner:t})=>t===e.slot).length,i=Math.min(1,(e.loadMs??0)/z),s=(o.statuses.get(e.slot)?.tickP99Us??(e.tickP99Ms??0)*1e3)/1e3;return r`<button
      class=${L(this.selection,t)?`chosen`:``}
      @click=${()=>this.dispatchEvent(new R(t))}
    >
      <span class="swatch" style="background:${e.alive?h(e.slot):`#3b4352`}"></span>
      <span class="name">${e.name}<small>${n} ${n===1?`region`:`regions`}</small></span>
      ${Te(e)}
      <span class="bar" title="Processor time of a tick: ${l(e.loadMs,2)} of ${z.toFixed(1)} ms">
        <i style="width:${(i*100).toFixed(1)}%;background:${i>.75?`var(--bad)`:h(e.slot)}"></i>
      </span>
      <span class="figures">
        <span>load <b>${l(e.loadMs,1)} ms</b></span>
        <span>p99 <b>${l(s,1)} ms</b></span>
        <span><b>${a(e.entities)}</b> entities</span>
        <span><b>${a(e.players)}</b> players</span>
      </span>
    </button>`}};customElements.define(`worker-list`,Ce);var we={OVERLOAD_LEVEL_STRETCHED:`stretched`,OVERLOAD_LEVEL_RELIEF:`overloaded`};function Te(e){if(!e.alive)return r`<span class="tag bad">not alive</span>`;if(e.draining)return r`<span class="tag warn">draining</span>`;let t=we[e.level??``];return t?r`<span class="tag warn">${t}</span>`:e.standbyInSync?n:r`<span class="tag warn" title="No other worker has everything that it has.">no standby</span>`}var B=10,Ee=`
attribute vec3 before;
attribute float slot, flags, movedMs, stepMs;
uniform float nowMs, pixels, hollow;
uniform vec3 colors[${B}];
varying vec3 vColor;
varying float vPlayer, vResting;

void main() {
  float share = stepMs <= 0.0 ? 1.0 : clamp((nowMs - movedMs) / min(stepMs, 150.0), 0.0, 1.0);
  vec4 at = modelViewMatrix * vec4(mix(before, position, share), 1.0);
  gl_Position = projectionMatrix * at;
  vPlayer = mod(floor(flags / 4.0), 2.0);
  vResting = mod(floor(flags / 2.0), 2.0);
  vColor = colors[int(mod(slot + 0.5, ${B}.0))];
  float near = clamp(900.0 / max(-at.z, 1.0), 0.0, 2.4);
  gl_PointSize = ((vPlayer > 0.5 ? 8.5 + 2.0 * near : 3.4 + 1.8 * near) + hollow * 6.0) * pixels;
}
`,De=`
uniform float hollow;
varying vec3 vColor;
varying float vPlayer, vResting;

void main() {
  float r = length(gl_PointCoord - 0.5) * 2.0;
  float soft = fwidth(r) * 1.2;
  float disc = 1.0 - smoothstep(1.0 - soft, 1.0, r);
  float ring = disc * smoothstep(0.72, 0.72 + soft, r);
  float alpha = hollow > 0.5 ? ring * 0.75 : vResting > 0.5 && vPlayer < 0.5 ? disc * 0.55 : disc;
  vec3 color = vColor;
  if (vPlayer > 0.5 && hollow < 0.5) {
    color = mix(vec3(0.96, 0.98, 1.0), vColor, smoothstep(0.42, 0.5, r));
    alpha *= r > 0.42 && r < 0.6 ? 0.15 : 1.0;
  }
  if (alpha < 0.02) discard;
  gl_FragColor = vec4(color, alpha);
  #include <colorspace_fragment>
}
`;function V(){return Array.from({length:B},(e,t)=>{let[n,r,i]=m(t);return new P().setRGB(n,r,i,T)})}var H=class{object;#e;#t;#n;#r;#i=new Map;constructor(e,t){this.#e=e,this.#t=new b({vertexShader:Ee,fragmentShader:De,uniforms:{nowMs:{value:0},pixels:{value:1},hollow:{value:+!!t},colors:{value:V()}},transparent:!0,depthWrite:!1}),this.object=new C(new M,this.#t),this.object.frustumCulled=!1,this.object.renderOrder=t?4:5}tick(e,t){this.#t.uniforms.nowMs.value=e,this.#t.uniforms.pixels.value=t}upload(){let e=this.#e;this.#n?.array!==e.pose&&this.#a();let t=e.count*7;for(let e of[this.#n,this.#r])e.clearUpdateRanges(),e.addUpdateRange(0,t),e.needsUpdate=!0;for(let t of this.#i.values())t.clearUpdateRanges(),t.addUpdateRange(0,e.count),t.needsUpdate=!0;this.object.geometry.setDrawRange(0,e.count)}dispose(){this.object.geometry.dispose(),this.#t.dispose()}#a(){let e=this.#e;this.object.geometry.dispose();let t=this.object.geometry=new M;this.#n=new w(e.pose,7),this.#r=new w(e.before,7),t.setAttribute(`position`,new y(this.#n,3,0)),t.setAttribute(`before`,new y(this.#r,3,0)),this.#i.clear();for(let[n,r]of[[`slot`,e.slot],[`flags`,e.flags],[`movedMs`,e.movedMs],[`stepMs`,e.stepMs]]){let e=new k(r,1);e.setUsage(A),t.setAttribute(n,e),this.#i.set(n,e)}}},U=128,Oe=1400,ke=class{object;#e=new k(new Float32Array(384),3);#t=new k(new Float32Array(U),1);#n=new k(new Float32Array(U),1);#r;constructor(){let e=new M;e.setAttribute(`position`,this.#e),e.setAttribute(`age`,this.#t),e.setAttribute(`slot`,this.#n),this.#r=new b({uniforms:{colors:{value:V()},pixels:{value:1}},vertexShader:`attribute float age, slot; uniform vec3 colors[10]; uniform float pixels; varying vec3 vColor; varying float vAge;
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
        }`,transparent:!0,depthWrite:!1,depthTest:!1,blending:2}),this.object=new C(e,this.#r),this.object.frustumCulled=!1,this.object.renderOrder=8}draw(e,t,n){let r=0;for(let n=e.length-1;n>=0&&r<U;--n){let{x:i,y:a,z:o,to:s,atMs:c}=e[n],l=(t-c)/Oe;if(l>=1)break;this.#e.setXYZ(r,i,a,o),this.#t.setX(r,l),this.#n.setX(r,s),++r}this.#r.uniforms.pixels.value=n,this.object.geometry.setDrawRange(0,r),this.object.visible=r>0,r>0&&(this.#e.needsUpdate=this.#t.needsUpdate=this.#n.needsUpdate=!0)}dispose(){this.object.geometry.dispose(),this.#r.dispose()}},Ae=6,W=2e3,je=`
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
`;function G(e){return`varying vec3 vColor; varying float vUp;
    void main() { gl_FragColor = vec4(vColor, ${e}); \n#include <colorspace_fragment>\n }`}var Me=[[`at`,3],[`before`,3],[`middle`,3],[`size`,3],[`turn`,4],[`color`,3],[`moved`,2]],Ne=class{object=new O;#e;#t=new Map;#n=[];#r=[];#i=new P;constructor(e){this.#e=e;for(let[e,t]of Me){let n=new pe(new Float32Array(W*t),t);n.setUsage(A),this.#t.set(e,n)}let t=new I(1,1,1),n=new x(this.#o(t),this.#s(G(`0.12 + 0.2 * vUp`),!0)),r=new j(this.#o(new D(t)),this.#s(G(`0.9`),!1));n.renderOrder=2,r.renderOrder=3;for(let e of[n,r])e.frustumCulled=!1;this.object.add(n,r)}upload(e){let{owned:t}=this.#e,n=e.map(e=>Pe(e)>=Ae),r=0;for(let i=0;i<t.count&&r<W;++i){let a=t.type[i];n[a]&&this.#a(r++,i,e[a])}for(let e of this.#t.values())e.clearUpdateRanges(),e.addUpdateRange(0,r*e.itemSize),e.needsUpdate=!0;for(let e of this.#n)e.instanceCount=r;this.object.visible=r>0}tick(e){for(let t of this.#r)t.uniforms.nowMs.value=e}dispose(){for(let e of[...this.#n,...this.#r])e.dispose()}#a(e,t,{lowM:n,highM:r}){let{owned:i}=this.#e,a=t*7,o=(t,n,r)=>{let i=this.#t.get(t);i.array[e*i.itemSize+n]=r};for(let e=0;e<3;++e)o(`at`,e,i.pose[a+e]),o(`before`,e,i.before[a+e]),o(`middle`,e,(n[e]+r[e])/2),o(`size`,e,r[e]-n[e]);for(let e=0;e<4;++e)o(`turn`,e,i.pose[a+3+e]);let[s,c,l]=m(i.slot[t]);this.#i.setRGB(s,c,l,T).toArray().forEach((e,t)=>o(`color`,t,e)),o(`moved`,0,i.movedMs[t]),o(`moved`,1,i.stepMs[t])}#o(e){let t=new se;t.setIndex(e.getIndex()),t.setAttribute(`position`,e.getAttribute(`position`));for(let[e,n]of this.#t)t.setAttribute(e,n);return t.instanceCount=0,this.#n.push(t),t}#s(e,t){let n=new b({vertexShader:je,fragmentShader:e,uniforms:{nowMs:{value:0}},transparent:!0,depthWrite:!1,side:t?0:2});return this.#r.push(n),n}};function Pe({lowM:e,highM:t}){return Math.max(...e.map((e,n)=>t[n]-e))}var Fe=2200,K=-1,Ie=class{object=new O;#e=new Map;show(e,t){let n=new Set(e.map(({region:e})=>e));for(let[e,t]of this.#e)n.has(e)||this.#t(e,t);for(let n of e){let e=JSON.stringify([n.low,n.high]),r=this.#e.get(n.region);if(r&&r.box!==e&&(this.#t(n.region,r),r=void 0),r||(r=Le(n,e),this.#e.set(n.region,r),this.object.add(r.group)),r.owner===n.owner)continue;r.owner!==K&&(r.changedMs=t),r.owner=n.owner;let i=new P(h(n.owner));for(let e of[r.edges,r.floor,r.rim])e.color.copy(i)}}tick(e,t,n){for(let[r,i]of this.#e){let a=Math.max(0,1-(e-i.changedMs)/Fe),o=+!!t.has(r);i.floor.opacity=.05+.045*o+.3*a*a,i.rim.opacity=.55+.45*Math.max(o,a),i.edges.opacity=(.16+.4*o+.4*a)*(1-n)}}dispose(){for(let[e,t]of this.#e)this.#t(e,t)}#t(e,{group:t,edges:n,floor:r,rim:i}){this.#e.delete(e),this.object.remove(t),t.traverse(e=>e instanceof x||e instanceof j?e.geometry.dispose():void 0);for(let e of[n,r,i])e.dispose()}};function Le({low:e,high:t},n){let r=new O,i=new E(t.x-e.x,t.y-e.y,t.z-e.z),a=new E(e.x,e.y,e.z).addScaledVector(i,.5),o=()=>new S({transparent:!0,depthWrite:!1}),[s,c]=[o(),o()],l=new I(i.x,i.y,i.z),u=new j(new D(l),s);l.dispose(),u.position.copy(a),r.add(u);let d=new fe({transparent:!0,depthWrite:!1,side:2}),f=Math.min(Math.max(0,e.y),t.y),p=new x(new de(i.x,i.z).rotateX(-Math.PI/2),d);p.position.set(a.x,f,a.z);let m=new j(new D(p.geometry),c);return m.position.copy(p.position),r.add(p,m),{group:r,edges:s,floor:d,rim:c,owner:K,box:n,changedMs:-1e9}}var q=320,Re=300,J=q*27,ze=class{object;#e;#t=new Map;#n=new k(new Float32Array(J*6),3);#r=new k(new Float32Array(J*8),4);#i=new S({vertexColors:!0,transparent:!0,depthWrite:!1});#a=new P;#o=0;constructor(e){this.#e=e;let t=new M;t.setAttribute(`position`,this.#n),t.setAttribute(`color`,this.#r),this.object=new j(t,this.#i),this.object.frustumCulled=!1,this.object.renderOrder=1}sample(e){if(e-this.#o<Re)return;this.#o=e;let{owned:t}=this.#e;for(let n=0;n<t.count;++n){let r=t.flags[n];r&2&&!this.#t.has(t.handle[n])||this.#s(n,!!(r&4),e)}for(let[t,{seenMs:n}]of this.#t)n!==e&&this.#t.delete(t);this.#c()}dispose(){this.object.geometry.dispose(),this.#i.dispose()}#s(e,t,n){let{owned:r}=this.#e,i=r.handle[e],a=this.#t.get(i);if(!a){if(this.#t.size>=q)return;this.#t.set(i,a={places:[],slot:0,actor:t,seenMs:0})}a.slot=r.slot[e],a.seenMs=n,a.places.push(r.pose[e*7],r.pose[e*7+1],r.pose[e*7+2]),a.places.length>84&&a.places.splice(0,3)}#c(){let e=0;for(let{places:t,slot:n,actor:r}of this.#t.values()){let[i,a,o]=m(n);this.#a.setRGB(i,a,o,T);let s=t.length/3;for(let n=0;n+1<s;++n)for(let i of[n,n+1]){let n=(i/s)**1.6*(r?.75:.35);this.#n.setXYZ(e,t[i*3],t[i*3+1],t[i*3+2]),this.#r.setXYZW(e,this.#a.r,this.#a.g,this.#a.b,n),++e}}for(let t of[this.#n,this.#r])t.clearUpdateRanges(),t.addUpdateRange(0,e*t.itemSize),t.needsUpdate=!0;this.object.geometry.setDrawRange(0,e)}},Y=38,Be=650,Ve=350,X=1e3,He=12,Ue=class{frameTimes=new ve;showGhosts=!1;selected=new Set;view=`perspective`;onFrame=()=>{};#e;#t=new me;#n=new ce(Y,1,10,12e4);#r;#i=new Ie;#a=new H(i.owned,!1);#o=new H(i.ghosts,!0);#s=new Ne(i);#c=new ze(i);#l=new ke;#u;#d;#f=0;#p=-1;#m=0;#h;#g=!1;constructor(e){this.#e=new f(e,1),this.#e.renderer.toneMapping=0,this.#e.renderer.shadowMap.enabled=!1,this.#t.background=new P(`#07090d`),this.#u=Ke(),this.#t.add(this.#u,this.#i.object,this.#c.object,this.#s.object,this.#a.object,this.#o.object,this.#l.object),this.#n.position.set(0,9e3,9e3),this.#r=new ge(this.#n,e),this.#r.enableDamping=!0,this.#r.dampingFactor=.12,this.#r.maxPolarAngle=Math.PI*.495,this.#r.minDistance=30,this.#r.maxDistance=45e3,this.#r.zoomToCursor=!0,this.#d=o.listen(()=>this.#v()),this.#v(),this.#f=requestAnimationFrame(this.#y)}end(){cancelAnimationFrame(this.#f),this.#d(),this.#r.dispose(),this.#i.dispose(),this.#a.dispose(),this.#o.dispose(),this.#s.dispose(),this.#c.dispose(),this.#l.dispose(),this.#u.geometry.dispose(),this.#e.dispose()}fit(e){let t=e===`content`&&Q()||Ge();t&&this.#x(t,this.view)}turn(e){this.view=e;let t=this.#r.target,n=this.#n.position.distanceTo(t);this.#S({target:t.clone(),offset:Z(e).multiplyScalar(n)})}project({x:e,y:t,z:n}){let r=new E(e,t,n).project(this.#n);if(r.z>1||Math.abs(r.x)>1.2||Math.abs(r.y)>1.2)return;let{clientWidth:i,clientHeight:a}=this.#e.renderer.domElement;return{x:(r.x+1)/2*i,y:(1-r.y)/2*a}}pick(e,t){let{clientWidth:n,clientHeight:r}=this.#e.renderer.domElement,i=new ue(e/n*2-1,1-t/r*2),a=new oe;a.setFromCamera(i,this.#n);let s=a.ray.intersectPlane(new le(new E(0,1,0),0),new E);return{region:s?o.regionAt(s):void 0,row:this.#_(e,t)}}#_(e,t){let{clientWidth:n,clientHeight:r}=this.#e.renderer.domElement,{owned:a}=i,o=new he().multiplyMatrices(this.#n.projectionMatrix,this.#n.matrixWorldInverse).elements,s,c=He;for(let i=0;i<a.count;++i){let[l,u,d]=[a.pose[i*7],a.pose[i*7+1],a.pose[i*7+2]],f=o[3]*l+o[7]*u+o[11]*d+o[15];if(f<=0)continue;let p=((o[0]*l+o[4]*u+o[8]*d+o[12])/f+1)/2*n,m=(1-(o[1]*l+o[5]*u+o[9]*d+o[13])/f)/2*r,h=Math.hypot(p-e,m-t);h>=c||(c=h,s=i)}return s}#v(){this.#i.show(o.map?.regions??[],performance.now())}#y=e=>{this.#f=requestAnimationFrame(this.#y);let t=performance.now();this.#e.begin(e),i.version!==this.#p&&this.#b(),!this.#g&&Q()&&(this.#g=!0,this.fit(`content`)),this.#C(e),this.#r.update();let n=this.#e.renderer.getPixelRatio(),r=+(this.view===`above`);this.#m+=(r-this.#m)*.15,this.#i.tick(e,this.selected,this.#m),this.#a.tick(e,n),this.#o.tick(e,n),this.#o.object.visible=this.showGhosts,this.#s.tick(e),this.#l.draw(i.migrations,e,n),this.#e.show(this.#t,this.#n,0,this.#e.width),this.onFrame(),this.frameTimes.add(performance.now()-t)};#b(){this.#p=i.version,this.#a.upload(),this.showGhosts&&this.#o.upload(),this.#s.upload(o.kinds),this.#c.sample(performance.now())}#x(e,t){let n=e.getCenter(new E),r=e.getSize(new E);n.y=0;let i=this.#n.aspect||1.6,a=Math.tan(Y/2*(Math.PI/180)),o=t===`above`?r.z:r.z*.75,s=Math.max(o/2/a,r.x/2/a/i)*(t===`above`?1.06:1.02);this.#S({target:n,offset:Z(t).multiplyScalar(s)})}#S(e){let{target:t}=this.#r;this.#r.enableRotate=this.view===`perspective`;let n={target:t.clone(),offset:this.#n.position.clone().sub(t)};this.#h={began:performance.now(),from:n,to:e}}#C(e){if(!this.#h)return;let{began:t,from:n,to:r}=this.#h,i=Math.min(1,Math.max(0,(e-t)/Be)),a=i*i*(3-2*i);this.#r.target.lerpVectors(n.target,r.target,a);let o=e=>new F().setFromVector3(e),[s,c]=[o(n.offset),o(r.offset)],l=new F(s.radius+(c.radius-s.radius)*a,s.phi+(c.phi-s.phi)*a,s.theta+We(c.theta-s.theta)*a).makeSafe();this.#n.position.copy(this.#r.target).add(new E().setFromSpherical(l)),i>=1&&(this.#h=void 0)}};function Z(e){return e===`above`?new E(0,1,1e-4).normalize():new E(.32,.62,.9).normalize()}function We(e){return Math.atan2(Math.sin(e),Math.cos(e))}function Ge(){let e=o.map?.regions;if(!e?.length)return;let t=new N;for(let{low:n,high:r}of e)t.expandByPoint(new E(n.x,n.y,n.z)).expandByPoint(new E(r.x,r.y,r.z));return t}function Q(){let{owned:e}=i;if(e.count===0)return;let t=new N,n=new E;for(let r=0;r<e.count;++r)t.expandByPoint(n.fromArray(e.pose,r*7));return t.expandByScalar(Ve)}function Ke(){let e=[];for(let t=-12;t<=12;++t)e.push(t*X,0,-12*X,t*X,0,12*X),e.push(-12*X,0,t*X,12*X,0,t*X);let t=new M;return t.setAttribute(`position`,new _e(e,3)),new j(t,new S({color:`#8fa6cc`,transparent:!0,opacity:.07,depthWrite:!1}))}var qe=t`
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
`,Je=60,Ye=84,Xe=340,Ze=80,Qe=400,$e=class extends e{static properties={selection:{state:!0},view:{state:!0},ghosts:{state:!0},noPicture:{state:!0},hover:{state:!0},figures:{state:!0}};#e;#t=()=>{};#n=0;#r=0;static styles=[g,qe];constructor(){super(),this.selection=void 0,this.view=`perspective`,this.ghosts=this.noPicture=!1,this.figures={players:0},new p(this,o),this.addEventListener(`choose`,e=>this.#u(e.selection))}connectedCallback(){super.connectedCallback(),this.#t=c.watchEntities(),u(()=>this.#_())}disconnectedCallback(){super.disconnectedCallback(),this.#t(),u(void 0),this.#e?.end(),this.#e=void 0}updated(){!this.#e&&!this.noPicture&&this.isConnected&&this.#s()}render(){let e=o.map?.regions??[];return r`
      <div class="map">
        ${this.noPicture?r`<div class="notice">${d}</div>`:r`<canvas @pointermove=${this.#m} @pointerleave=${()=>this.hover=void 0}
                @pointerdown=${this.#f} @pointerup=${this.#p}></canvas>
              <div class="labels">
                ${e.slice(0,Je).map(({region:e,owner:t,epoch:n})=>r`<span data-region=${e} style="color:${h(t)}">
                    ${o.workerName(t)} <small>region ${e} · epoch ${n}</small></span>`)}
              </div>
              ${this.#i()}`}
        ${this.hover?r`<div class="tip" style=${this.#h(this.hover)}>${this.hover.text}</div>`:n}
        ${this.#a()}
      </div>
      <aside>
        ${this.selection?r`<section><detail-panel .selection=${this.selection}></detail-panel></section>`:n}
        <section><h2>Workers</h2><worker-list .selection=${this.selection}></worker-list></section>
        <section>
          <h2>Regions</h2>
          <div class="regions">${e.map(e=>this.#o(e))}</div>
        </section>
        <section><h2>Cluster</h2><cluster-controls></cluster-controls></section>
      </aside>
    `}#i(){let e=(e,t)=>r`<button class=${this.view===e?`on`:``} @click=${()=>this.#c(e)}>${t}</button>`;return r`<div class="tools">
      <div class="group">${e(`perspective`,`Perspective`)}${e(`above`,`Above`)}</div>
      <div class="group">
        <button @click=${()=>this.#e?.fit(`content`)}>Entities</button>
        <button @click=${()=>this.#e?.fit(`world`)}>World</button>
      </div>
      <div class="group">
        <button class=${this.ghosts?`on`:``} aria-pressed=${this.ghosts} @click=${this.#l}
          title="What workers know of others’ entities, as rings in the colour of the worker that knows them">Ghosts</button>
      </div>
    </div>`}#a(){return r`<div class="status">
      <span><b>${a(i.owned.count)}</b> entities</span>
      <span><b>${a(i.ghosts.count)}</b> ghosts</span>
      <span><b>${a(this.figures.players)}</b> players</span>
      <span><b>${a(i.migrationsSeen)}</b> migrations</span>
      <span>frame p99 <b>${l(this.#e?.frameTimes.quantile(.99),1)} ms</b></span>
    </div>`}#o(e){let t={kind:`region`,region:e.region};return r`<button class=${L(this.selection,t)?`chosen`:``}
      title="${o.workerName(e.owner)}, ${e.entities} entities, ${l(e.costMs,2)} ms a tick"
      @click=${()=>this.#u(t)}>
      <i style="background:${h(e.owner)}"></i>${e.region}<span class="faint">${a(e.entities)}</span>
    </button>`}#s(){let e=this.renderRoot.querySelector(`canvas`);try{this.#e=new Ue(e)}catch(e){console.error(e),this.noPicture=!0;return}this.#e.onFrame=()=>this.#g()}#c(e){this.view=e,this.#e?.turn(e)}#l(){this.ghosts=!this.ghosts,this.#e&&(this.#e.showGhosts=this.ghosts)}#u(e){this.selection=e;let t=this.#e;if(!t)return;let n=(o.map?.regions??[]).filter(({region:t,owner:n})=>e?.kind===`region`?t===e.region:e?.kind===`worker`&&n===e.slot);t.selected=new Set(n.map(({region:e})=>e))}#d={x:0,y:0};#f(e){this.#d={x:e.clientX,y:e.clientY}}#p(e){if(Math.hypot(e.clientX-this.#d.x,e.clientY-this.#d.y)>5)return;let{region:t}=this.#e?.pick(e.offsetX,e.offsetY)??{};this.#u(t&&{kind:`region`,region:t.region})}#m({offsetX:e,offsetY:t,timeStamp:n,buttons:r}){if(n-this.#n<Ze)return;this.#n=n;let{row:a}=r===0?this.#e?.pick(e,t)??{}:{};if(a===void 0){this.hover=void 0;return}let{owned:c}=i,l=o.kinds[c.type[a]]?.name??`type ${c.type[a]}`,u=[0,1,2].map(e=>s(c.pose[a*7+e])).join(`, `);this.hover={x:e,y:t,text:`${l} #${c.handle[a]} · ${o.workerName(c.slot[a])} · ${u}`}}#h({x:e,y:t}){let n=this.renderRoot.querySelector(`canvas`)?.clientWidth??0;return e<n-Xe?`left:${e}px;top:${t}px`:`right:${n-e+28}px;top:${t}px`}#g(){let e=this.#e,t=this.renderRoot.querySelector(`canvas`)?.clientWidth??0;for(let n of this.renderRoot.querySelectorAll(`.labels span`)){let r=o.region(Number(n.dataset.region)),i=r&&e.project(et(r));if(n.style.visibility=i?`visible`:`hidden`,!i)continue;let a=Math.max(Ye,Math.min(t-Ye,i.x));n.style.transform=`translate(${a.toFixed(1)}px, ${i.y.toFixed(1)}px) translate(-50%, -50%)`}let n=performance.now();n-this.#r<Qe||(this.#r=n,this.figures={players:$()})}#_(){let{selection:e}=this;return{regions:o.map?.regions.length??0,workers:o.map?.workers.filter(({alive:e})=>e).length??0,entities:i.owned.count,ghosts:i.ghosts.count,players:$(),migrations:i.migrationsSeen,selected:e===void 0?``:e.kind===`worker`?`worker ${e.slot}`:`region ${e.region}`,frameMs:{p50:this.#e?.frameTimes.quantile(.5)??NaN,p99:this.#e?.frameTimes.quantile(.99)??NaN}}}};customElements.define(`world-page`,$e);function $(){let{owned:e}=i,t=0;for(let n=0;n<e.count;++n)e.flags[n]&4&&++t;return t}function et({low:e,high:t}){let n=(e,t)=>(Math.max(e,-2600)+Math.min(t,2600))/2,r=(e,t)=>Math.min(Math.max(n(e,t),e),t);return{x:r(e.x,t.x),y:Math.max(e.y,Math.min(0,t.y)),z:r(e.z,t.z)}}export{$e as WorldPage};