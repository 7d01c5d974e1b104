import{a as e,l as t,o as n,s as r}from"./lit.js";import{c as i,l as a,n as o,s,u as c}from"./shared.js";import{a as l,c as u,h as d,i as f,o as p,p as m,t as h}from"./index.js";import{n as ee,t as te}from"./screen.js";import{A as ne,D as re,F as ie,G as ae,H as oe,J as se,K as ce,L as g,M as _,N as le,O as ue,P as de,R as fe,S as pe,V as me,W as he,X as ge,Y as v,b as _e,c as y,d as ve,f as ye,g as be,h as xe,j as b,k as Se,l as Ce,p as x,s as S,u as we,v as Te,w as Ee,x as De,y as C,z as w}from"./three.js";import{n as Oe,t as ke}from"./emitter.js";import{t as Ae}from"./frame_timer.js";import{d as je,i as Me}from"./acts.js";import{t as Ne}from"./act_button.js";import{t as Pe}from"./palette.js";import{n as Fe,t as T}from"./pilot.js";var Ie=1225,Le={badArgument:-1,badToken:-2,bufferTooSmall:-3,notPlaying:-4,internal:-5},Re={"token-expired":-6,"token-invalid":-5,"timed-out":-4,"response-timed-out":-3,"request-timed-out":-2,denied:-1,disconnected:0,connecting:1,joining:2,playing:3,reconnecting:4},E={jump:1,run:2,jetpack:4,dampers:8,fire:16,alternate:32,dig:64,fill:128},ze={own:1,smoothing:2,extrapolated:4},Be={played:0,confirmed:1,cancelled:2},D={bytes:20,family:0,ip:1,port:18},Ve={bytes:36,structBytes:0,right:4,up:8,forward:12,yawRad:16,pitchRad:20,held:24,pressed:28,useHandle:32},He={bytes:152,handle:0,parent:4,type:8,flags:12,localPositionM:16,localRotation:40,worldPositionM:72,worldRotation:96,smoothingM:128},Ue={bytes:24,tick:0,index:4,effect:8,subject:12,state:16,detail:20},We={bytes:32,structBytes:0,size:4,cellM:16,version:24},Ge={bytes:40,structBytes:0,known:4,predictedTick:8,viewOriginTick:12,viewTicks:16,viewDelayS:24,rate:32},Ke={bytes:80,structBytes:0,rttUs:8,fullLoopUs:16,jitterUs:24,leadUs:32,packets:40,packetsLost:48,bytesReceived:56,corrections:64,largestCorrectionM:72},qe={bytes:64,endUs:0,rttUs:8,jitterUs:16,leadUs:24,packetsReceived:32,packetsLost:36,bytesReceived:40,packetsSent:44,bytesSent:48,corrections:52,largestCorrectionM:56},Je=16,Ye=class e{encoded;host;port;text;constructor(e,t,n){this.encoded=e,this.host=t,this.port=n,this.text=t.includes(`:`)?`[${t}]:${n}`:`${t}:${n}`}static read(t,n){let r=t.slice(n,n+D.bytes),i=new DataView(r.buffer),a=r.subarray(D.ip,D.ip+Je),o=i.getUint16(D.port,!0);if(r[D.family]===4)return new e(r,a.subarray(0,4).join(`.`),o);let s=[];for(let e=0;e<Je;e+=2)s.push((a[e]<<8|a[e+1]).toString(16));return new e(r,s.join(`:`),o)}isAt(e,t){return this.encoded.every((n,r)=>n===e[t+r])}},O=class extends Error{fault;name=`PerigeeError`;constructor(e,t,n){super(t,n),this.fault=e}};function Xe(e){return e instanceof Error?e.message:String(e)}var Ze={};function Qe(e,t,n){let r=Ve;e.setUint32(t+r.structBytes,r.bytes,!0),e.setFloat32(t+r.right,n.right??0,!0),e.setFloat32(t+r.up,n.up??0,!0),e.setFloat32(t+r.forward,n.forward??0,!0),e.setFloat32(t+r.yawRad,n.yawRad??0,!0),e.setFloat32(t+r.pitchRad,n.pitchRad??0,!0),e.setUint32(t+r.held,n.held??0,!0),e.setUint32(t+r.pressed,n.pressed??0,!0),e.setUint32(t+r.useHandle,n.useHandle??0,!0)}var $e=Object.keys(Be);function et(e,t){let n=Ue,r=n=>e.getUint32(t+n,!0);return{tick:r(n.tick),index:r(n.index),effect:r(n.effect),subject:r(n.subject),state:$e.find(e=>Be[e]===r(n.state))??`cancelled`,detail:r(n.detail)}}function tt(e,t){let n=We,r=r=>e.getInt32(t+n.size+4*r,!0);return{size:[r(0),r(1),r(2)],cellM:e.getFloat64(t+n.cellM,!0),version:e.getBigUint64(t+n.version,!0)}}function nt(){return{known:!1,predictedTick:0,viewOriginTick:0,viewTicks:0,viewDelayS:0,rate:0}}function rt(e,t,n){let r=Ge;return n.known=e.getUint32(t+r.known,!0)!==0,n.predictedTick=e.getUint32(t+r.predictedTick,!0),n.viewOriginTick=e.getUint32(t+r.viewOriginTick,!0),n.viewTicks=e.getFloat64(t+r.viewTicks,!0),n.viewDelayS=e.getFloat64(t+r.viewDelayS,!0),n.rate=e.getFloat64(t+r.rate,!0),n}function it(){return{rttMs:0,fullLoopMs:0,jitterMs:0,leadMs:0,packets:0,packetsLost:0,bytesReceived:0,corrections:0,largestCorrectionM:0}}function k(e,t){return e.getInt32(t+4,!0)*2**32+e.getUint32(t,!0)}function at(e,t,n){let r=Ke;return n.rttMs=k(e,t+r.rttUs)/1e3,n.fullLoopMs=k(e,t+r.fullLoopUs)/1e3,n.jitterMs=k(e,t+r.jitterUs)/1e3,n.leadMs=k(e,t+r.leadUs)/1e3,n.packets=k(e,t+r.packets),n.packetsLost=k(e,t+r.packetsLost),n.bytesReceived=k(e,t+r.bytesReceived),n.corrections=k(e,t+r.corrections),n.largestCorrectionM=e.getFloat64(t+r.largestCorrectionM,!0),n}var ot=class{count=0;endMs=new Float64Array(256);rttMs=new Float64Array(256);jitterMs=new Float64Array(256);leadMs=new Float64Array(256);packetsReceived=new Uint32Array(256);packetsLost=new Uint32Array(256);bytesReceived=new Uint32Array(256);packetsSent=new Uint32Array(256);bytesSent=new Uint32Array(256);corrections=new Uint32Array(256);largestCorrectionM=new Float64Array(256);read(e,t,n){let r=qe;this.count=n;for(let i=0;i<n;++i){let n=t+i*r.bytes;this.endMs[i]=k(e,n+r.endUs)/1e3,this.rttMs[i]=k(e,n+r.rttUs)/1e3,this.jitterMs[i]=k(e,n+r.jitterUs)/1e3,this.leadMs[i]=k(e,n+r.leadUs)/1e3,this.packetsReceived[i]=e.getUint32(n+r.packetsReceived,!0),this.packetsLost[i]=e.getUint32(n+r.packetsLost,!0),this.bytesReceived[i]=e.getUint32(n+r.bytesReceived,!0),this.packetsSent[i]=e.getUint32(n+r.packetsSent,!0),this.bytesSent[i]=e.getUint32(n+r.bytesSent,!0),this.corrections[i]=e.getUint32(n+r.corrections,!0),this.largestCorrectionM[i]=e.getFloat64(n+r.largestCorrectionM,!0)}return this}},A=He,st=8,j=4,ct=256,lt=class{handle=0;parent=0;type=0;flags=0;localPositionM;localRotation;worldPositionM;worldRotation;smoothingM;constructor(e,t){let n=(n,r)=>e.subarray(t+n/st,t+n/st+r);this.localPositionM=n(A.localPositionM,3),this.localRotation=n(A.localRotation,4),this.worldPositionM=n(A.worldPositionM,3),this.worldRotation=n(A.worldRotation,4),this.smoothingM=n(A.smoothingM,3)}get own(){return(this.flags&ze.own)!==0}get smoothing(){return(this.flags&ze.smoothing)!==0}get extrapolated(){return(this.flags&ze.extrapolated)!==0}},ut=class{#e;#t;#n=ct;#r=new Uint8Array;#i=new Uint32Array;#a=[];#o=0;#s;constructor(e){this.#e=e,this.#t=e.allocate(this.#n*A.bytes),this.#l()}get count(){return this.#o}at(e){if(!(e>=0&&e<this.#o))throw RangeError(`the scene has no entity ${e}`);return this.#a[e]}get own(){return this.#s}*[Symbol.iterator](){for(let e=0;e<this.#o;++e)yield this.#a[e]}update(e){let t=e(this.#t,A.bytes,this.#n);if(t>this.#n){for(;t>this.#n;)this.#n*=2;this.#e.release(this.#t),this.#t=this.#e.allocate(this.#n*A.bytes),this.#l(),t=e(this.#t,A.bytes,this.#n)}this.#o=Math.max(0,Math.min(t,this.#n));let n=this.#t+this.#o*A.bytes;return this.#r.set(this.#e.bytes.subarray(this.#t,n)),this.#c(),this}release(){this.#e.release(this.#t),this.#o=0,this.#s=void 0}#c(){this.#s=void 0;for(let e=0;e<this.#o;++e){let t=this.#a[e],n=e*A.bytes/j;t.handle=this.#i[n+A.handle/j],t.parent=this.#i[n+A.parent/j],t.type=this.#i[n+A.type/j],t.flags=this.#i[n+A.flags/j],t.own&&(this.#s=t)}}#l(){this.#r=new Uint8Array(this.#n*A.bytes),this.#i=new Uint32Array(this.#r.buffer);let e=new Float64Array(this.#r.buffer);this.#a.length=0;for(let t=0;t<this.#n;++t)this.#a.push(new lt(e,t*A.bytes/st))}},dt=new Map(Object.entries(Re).map(([e,t])=>[t,e]));function ft(e){return dt.get(e)??`disconnected`}function pt(e){return Re[e]<=Re.disconnected}var mt={"token-expired":`the connection took longer than the token was valid; log in again`,"token-invalid":`the token is none; log in again`,"timed-out":`the server has not been heard of for too long`,"response-timed-out":`the server answered at first, and then no more`,"request-timed-out":`no server answered`,denied:`the server refused the connection: it is full, or an operator has ended the session`,disconnected:`the session has ended`};function ht(e){return mt[e]??e}var gt=256,_t=4,vt=2<<20,yt=1<<20,bt=4,xt=[],St=8,Ct=e=>Math.ceil(e/St)*St,M=(()=>{let e=0,t=t=>(e+=Ct(t))-Ct(t);return{address:t(D.bytes),datagram:t(Ie),datagramBytes:t(_t),input:t(Ve.bytes),ground:t(We.bytes),low:t(12),size:t(12),time:t(Ge.bytes),telemetry:t(Ke.bytes),cues:t(gt*Ue.bytes),netSamples:t(256*qe.bytes),bytes:e}})(),wt=class{#e;#t;#n;#r=nt();#i=it();#a=new ot;#o=[];#s;#c;constructor(e){if(this.#e=e,this.#s=e.call.create(1),this.#s===0)throw new O(`out-of-memory`,`the page has no memory left for a client`);this.#t=e.allocate(M.bytes),this.#n=new ut(e)}destroy(){this.#s!==0&&(this.#n.release(),this.#e.release(this.#t),this.#e.call.destroy(this.#s),this.#s=0)}get wireVersion(){return this.#e.call.wire_version()}get schemaHash(){return BigInt.asUintN(64,this.#e.call.schema_hash(this.#d()))}begin(e,t){let n=this.#e.allocate(t.length);this.#e.bytes.set(t,n);let r=this.#e.call.begin(this.#d(),N(e),n,t.length);if(this.#e.release(n),r===Le.badToken)throw new O(`bad-token`,`these ${t.length} bytes are no connect token; log in again`);this.#f(r,`begin`)}receive(e,t,n){if(n.length>1225)return;let r=this.#e.bytes;r.set(t.encoded,this.#t+M.address),r.set(n,this.#t+M.datagram);let i=this.#e.call.receive(this.#d(),N(e),this.#t+M.address,this.#t+M.datagram,n.length);this.#f(i,`receive`)}advance(e,t){let n=this.#t+M.input;Qe(this.#e.view,n,t),this.#f(this.#e.call.advance(this.#d(),N(e),n),`advance`)}pollSend(){let e=this.#t+M.address,t=this.#t+M.datagram,n=this.#t+M.datagramBytes,r=this.#e.call.poll_send(this.#d(),e,t,Ie,n);if(this.#f(r,`pollSend`)===0)return;let i=this.#e.bytes;this.#c?.isAt(i,e)||(this.#c=Ye.read(i,e));let a=this.#e.view.getUint32(n,!0);return{to:this.#c,bytes:i.slice(t,t+a)}}disconnect(e){this.#f(this.#e.call.disconnect(this.#d(),N(e)),`disconnect`)}get state(){return ft(this.#e.call.get_state(this.#d()))}scene(e){let[t,n]=[this.#d(),N(e)];return this.#n.update((e,r,i)=>this.#f(this.#e.call.scene(t,n,e,r,i),`scene`))}typeName(e){if(!(e in this.#o)){let t=this.#e.call.type_name(this.#d(),e);if(t===0)return;this.#o[e]=this.#e.textAt(t)}return this.#o[e]}cues(){let e=this.#t+M.cues,t=this.#f(this.#e.call.cues(this.#d(),e,Ue.bytes,gt),`cues`);if(t===0)return xt;let n=this.#e.view;return Array.from({length:Math.min(t,gt)},(t,r)=>et(n,e+r*Ue.bytes))}ground(e){let t=this.#t+M.ground;return this.#e.view.setUint32(t+We.structBytes,We.bytes,!0),this.#e.call.get_ground(this.#d(),e,t)<0?void 0:tt(this.#e.view,t)}cells(e,t,n){let r=n[0]*n[1]*n[2],i=this.#e.allocate(Math.max(r,1)),a=this.#e.view;for(let e=0;e<3;++e)a.setInt32(this.#t+M.low+bt*e,t[e],!0),a.setInt32(this.#t+M.size+bt*e,n[e],!0);let o=this.#e.call.cells(this.#d(),e,this.#t+M.low,this.#t+M.size,i,r),s=this.#e.bytes.slice(i,i+r);if(this.#e.release(i),o<0)throw new O(`bad-argument`,`entity ${e} is no ground made of cells, or the box is too large`);return s}time(){let e=this.#t+M.time;return this.#e.view.setUint32(e+Ge.structBytes,Ge.bytes,!0),this.#f(this.#e.call.get_time(this.#d(),e),`time`),rt(this.#e.view,e,this.#r)}telemetry(){let e=this.#t+M.telemetry;return this.#e.view.setUint32(e+Ke.structBytes,Ke.bytes,!0),this.#f(this.#e.call.get_telemetry(this.#d(),e),`telemetry`),at(this.#e.view,e,this.#i)}netGraph(){let e=this.#t+M.netSamples,t=this.#f(this.#e.call.net_graph(this.#d(),e,qe.bytes,256),`netGraph`);return this.#a.read(this.#e.view,e,Math.min(t,256))}link(e,t){let n=N(e);if(this.#u(t,e=>this.#e.call.link(this.#d(),n,e))<0)throw new O(`bad-argument`,`"${t}" has a word that is no condition of a link: write a profile such as P5, delay-ms=, jitter-ms= (one way), loss-permille=, or none`)}use(e){if(this.#u(e,e=>this.#e.call.use(this.#d(),e))<0)throw new O(`bad-argument`,`"${e}" has a technique or a value that does not exist; docs/tuning.md lists them`)}record(e){this.#f(this.#e.call.record(this.#d(),e),`record`)}recording(){let{bytes:e,result:t}=this.#l(vt,(e,t,n)=>this.#e.call.recording(this.#d(),e,t,n));return this.#f(t,`recording`)===0?void 0:e}reportFlight(e,t,n=!1){let r=this.#e,i=[e,t].map(e=>{if(!e)return 0;let t=r.allocate(Math.max(e.length,1));return r.bytes.set(e,t),t}),{bytes:a,result:o}=this.#l(yt,(a,o,s)=>r.call.report_flight(this.#d(),i[0],e.length,i[1],t?.length??0,+!!n,a,o,s));for(let e of i)e!==0&&r.release(e);let s=new TextDecoder().decode(a);if(this.#f(o,`reportFlight`)===0)throw new O(`bad-recording`,s);return JSON.parse(s)}injectDesync(e,t,n){this.#f(this.#e.call.inject_desync(this.#d(),e,t,n),`injectDesync`)}#l(e,t){let n=this.#e,r=this.#t+M.datagramBytes;for(;;){let i=n.allocate(e);n.view.setUint32(r,0,!0);let a=t(i,e,r),o=n.view.getUint32(r,!0),s=n.bytes.slice(i,i+Math.min(o,e));if(n.release(i),a!==Le.bufferTooSmall)return{bytes:s,result:a};e=o+o/4}}#u(e,t){let n=new TextEncoder().encode(`${e}\0`),r=this.#e.allocate(n.length);this.#e.bytes.set(n,r);let i=t(r);return this.#e.release(r),i}#d(){if(this.#s===0)throw new O(`ended`,`this client has been destroyed`);return this.#s}#f(e,t){if(e>=0)return e;throw e===Le.notPlaying?new O(`not-playing`,`${t} needs a player in the world`):e===Le.badArgument?new O(`bad-argument`,`an argument of ${t} is not a number, or out of range`):new O(`stopped`,`${t} failed inside the client library (${e})`)}};function N(e){if(!Number.isFinite(e))throw new O(`bad-argument`,`the time is not a number`);return BigInt(Math.round(e*1e3))}var Tt=1,Et=2,Dt=8,Ot=70,kt=2,At=24,jt=8,Mt=`wasi_snapshot_preview1`,Nt=class{#e;#t=[``,``,``];#n=``;functions={fd_write:(e,t,n,r)=>this.#r(e,t,n,r),fd_fdstat_get:(e,t)=>this.#a(e,t),fd_close:()=>0,fd_seek:()=>Ot};use(e){this.#e=e}get errors(){return(this.#n+this.#t[Et]).trim()}#r(e,t,n,r){if(e!==Tt&&e!==Et)return Dt;let i=new DataView(this.#e.buffer),a=this.#t[e],o=0;for(let e=0;e<n;++e){let n=i.getUint32(t+e*jt,!0),r=i.getUint32(t+e*jt+4,!0);a+=new TextDecoder().decode(new Uint8Array(i.buffer,n,r)),o+=r}let s=a.split(`
`);this.#t[e]=s.pop().slice(-4096);for(let t of s)this.#i(e,t);return i.setUint32(r,o,!0),0}#i(e,t){e===Tt?console.log(t):(console.error(t),this.#n=`${this.#n}${t}\n`.slice(-4096))}#a(e,t){if(e!==Tt&&e!==Et)return Dt;let n=new Uint8Array(this.#e.buffer,t,At).fill(0);return n[0]=kt,0}},Pt=`perigee_client_`,Ft=[`abi`,`create`,`destroy`,`wire_version`,`schema_hash`,`begin`,`receive`,`advance`,`poll_send`,`disconnect`,`get_state`,`scene`,`type_name`,`cues`,`get_ground`,`cells`,`get_time`,`get_telemetry`,`net_graph`,`link`,`use`,`record`,`recording`,`report_flight`,`inject_desync`],It=class e{call;#e=new Nt;#t;#n;#r;#i;#a;#o;constructor(e){let t=WebAssembly.Module.imports(e).find(e=>e.module!==`wasi_snapshot_preview1`||!(e.name in this.#e.functions));if(t)throw new O(`module-missing`,`the game's module imports ${t.name}, which a page does not have: the game may use no files, clocks, threads or random devices`);let n=new WebAssembly.Instance(e,{[Mt]:this.#e.functions}).exports,r=[`memory`,`_initialize`,`malloc`,`free`,`${Pt}abi`].find(e=>!(e in n));if(r)throw Rt(r);this.#t=n.memory,this.#e.use(this.#t),this.#i=new Uint8Array(this.#t.buffer),this.#a=new DataView(this.#i.buffer),this.#n=this.#l(n.malloc),this.#r=this.#l(n.free),this.#l(n._initialize)(),Lt(this.#l(n[`${Pt}abi`])()),this.call=this.#c(n)}static of(t){return new e(t)}get bytes(){return this.#i.buffer!==this.#t.buffer&&this.#s(),this.#i}get view(){return this.#i.buffer!==this.#t.buffer&&this.#s(),this.#a}allocate(e){let t=this.#n(e)>>>0;if(t===0)throw new O(`out-of-memory`,`the page has no memory left for ${e} bytes`);return t}release(e){this.#o===void 0&&this.#r(e)}textAt(e){let t=this.bytes;return new TextDecoder().decode(t.slice(e,t.indexOf(0,e)))}#s(){this.#i=new Uint8Array(this.#t.buffer),this.#a=new DataView(this.#i.buffer)}#c(e){let t={};for(let n of Ft){let r=e[Pt+n];if(typeof r!=`function`)throw Rt(Pt+n);t[n]=this.#l(r)}return t}#l(e){return(...t)=>{if(this.#o)throw this.#o;try{return e(...t)}catch(e){let t=this.#e.errors||Xe(e);throw this.#o=new O(`stopped`,`the game's module has stopped because of a bug: ${t}`,{cause:e}),this.#o}}}};function Lt(e){if(e!==1)throw new O(`other-abi`,`the game's module has version ${e} of the client library's interface, and this package has version 1: build the module from the same version of perigee as @perigee/client`)}function Rt(e){return new O(`module-missing`,`the game's module does not export ${e}: build it with client/browser/build.sh of perigee`)}var zt=new URL(new URL(`skiff.wasm`,import.meta.url).href,``+import.meta.url),Bt=`application/wasm`,Vt=class e{#e;constructor(e){this.#e=e}static async load(t=zt){if(typeof WebAssembly!=`object`)throw new O(`no-webassembly`,`this browser has no WebAssembly, which the game needs: update it, or switch WebAssembly on`);return new e(It.of(await Ht(t)))}get wireVersion(){return this.#e.call.wire_version()}createClient(){return new wt(this.#e)}};async function Ht(e){if(e instanceof WebAssembly.Module)return e;try{if(e instanceof ArrayBuffer||ArrayBuffer.isView(e))return await WebAssembly.compile(e);if(e instanceof Response)return await Ut(e);let t=new URL(e,globalThis.location?.href);return t.protocol===`file:`?await WebAssembly.compile(await Wt(t)):await Ut(await fetch(t))}catch(t){throw new O(`module-missing`,`the game's module cannot be loaded${e instanceof URL||typeof e==`string`?` from ${e}`:``}: ${Xe(t)}`,{cause:t})}}async function Ut(e){if(!e.ok)throw Error(`the server answers ${e.status}`);return e.headers.get(`content-type`)?.split(`;`)[0]?.trim()===Bt&&`compileStreaming`in WebAssembly?WebAssembly.compileStreaming(e):WebAssembly.compile(await e.arrayBuffer())}async function Wt(e){let{readFile:t}=await import(`node:fs/promises`);return t(e)}var Gt=1e4,Kt=`/v1/log_in`,P=class extends O{status;httpStatus;retryAfterS;name=`LogInError`;constructor(e,t,n,r,i){super(`log-in`,e,i),this.status=t,this.httpStatus=n,this.retryAfterS=r}get otherVersion(){return this.status===`FAILED_PRECONDITION`}};async function qt(e,t,n={}){let r=new URL(Kt,new URL(e,globalThis.location?.href)),i=JSON.stringify({...t,schemaHash:t.schemaHash.toString()}),a,o;try{a=await fetch(r,{method:`POST`,headers:{...n.headers,"content-type":`application/json`},body:i,signal:n.signal??AbortSignal.timeout(Gt)}),o=await a.text()}catch(e){throw new P(`${r.origin} does not answer the log-in (${Xe(e)}); is it running, and does it allow this page?`,``,0,void 0,{cause:e})}let s=Jt(o);if(!a.ok)throw Yt(r,a,s);let c=Xt(s);if(!c)throw new P(`what ${r.origin} answers is no log-in`,``,a.status);return c}function Jt(e){try{let t=JSON.parse(e);return typeof t==`object`&&t?t:{}}catch{return{}}}function Yt(e,t,n){let{message:r,status:i}=n.error??{},a=Number(t.headers.get(`retry-after`)??NaN);return new P(typeof r==`string`&&r!==``?r:`${e.origin} answers the log-in with ${t.status} ${t.statusText}`,typeof i==`string`?i:``,t.status,Number.isFinite(a)?a:void 0)}function Xt(e){let{connectToken:t,clientId:n=`0`,gatewayAddress:r=``,tickRateHz:i=0}=e;if(typeof t!=`string`||typeof r!=`string`||typeof i!=`number`||!/^\d+$/.test(String(n)))return;let a=Zt(t);if(a)return{connectToken:a,clientId:BigInt(String(n)),gatewayAddress:r,tickRateHz:i}}function Zt(e){try{return Uint8Array.from(atob(e),e=>e.charCodeAt(0))}catch{return}}function Qt(e,t,n){let r=new URL(e,globalThis.location?.href);return r.protocol=n[r.protocol]??r.protocol,r.search=`${r.search===``?`?`:`${r.search}&`}gateway=${t.text}`,r}var $t=4,en=1e3,tn=3e3,nn=class{open;receive;problem=``;#e=new Map;#t=0;constructor(e,t){this.open=e,this.receive=t}send(e,t,n){this.#t=e;let r=this.#e.get(t.text);r&&e-r.usedMs>=en&&(r.heardMs=e),r?.path&&e-r.heardMs>=tn&&(r.path.close(),r=void 0),(!r||!r.path&&e-r.usedMs>=en)&&(r=this.#n(e,t)),r.path&&(r.usedMs=e,r.path.send(n))}close(){for(let{path:e}of this.#e.values())e?.close();this.#e.clear()}#n(e,t){!this.#e.has(t.text)&&this.#e.size>=$t&&this.#r();let n=this.open(t),r={path:n,usedMs:e,heardMs:e};return n.onDatagram=e=>{r.heardMs=this.#t,this.receive(t,e)},n.onClose=e=>{r.path=void 0,this.problem=e},this.#e.set(t.text,r),r}#r(){let e;for(let t of this.#e)(!e||t[1].usedMs<e[1].usedMs)&&(e=t);e[1].path?.close(),this.#e.delete(e[0])}},rn=8,an=65536,on=class{onDatagram=()=>{};onClose=()=>{};dropped=0;#e;#t=[];constructor(e,t){if(typeof WebSocket!=`function`)throw new O(`no-websocket`,`this browser has no WebSocket, with which the game reaches its server`);let n=Qt(e,t,{"http:":`ws:`,"https:":`wss:`});this.#e=new WebSocket(n),this.#e.binaryType=`arraybuffer`;let r=!1;this.#e.onopen=()=>{r=!0;for(let e of this.#t.splice(0))this.#e.send(e)},this.#e.onmessage=({data:e})=>{e instanceof ArrayBuffer&&this.onDatagram(new Uint8Array(e))},this.#e.onclose=({code:e,reason:t})=>{let i=r?`closed the connection`:`cannot be reached`;this.onClose(`the relay ${n.origin}${n.pathname} ${i} (${t||e})`)}}send(e){this.#e.readyState===WebSocket.CONNECTING?(this.#t.push(e),this.#t.length>rn&&(this.#t.shift(),++this.dropped)):this.#e.readyState!==WebSocket.OPEN||this.#e.bufferedAmount>an?++this.dropped:this.#e.send(e)}close(){this.onDatagram=this.onClose=()=>{},this.#e.close()}},sn=15e3,cn=10,ln=100,un=256,dn=class e{client;#e;#t=()=>{};#n=[];#r=0;#i=0;#a;#o=`disconnected`;constructor(e,t){this.client=e,this.#e=new nn(t,(e,t)=>this.#u(e,t))}static async join(t){let{game:n,player:r,path:i}=t,a=(n instanceof Vt?n:await Vt.load(n)).createClient(),o=new e(a,typeof i==`function`?i:e=>new on(i,e));try{t.techniques&&a.use(t.techniques);let e=r instanceof Uint8Array?r:await fn(a,r);return a.begin(o.#d(performance.now()),e),await o.#s(t.timeoutMs??sn),t.onEnd&&(o.#t=t.onEnd),o}catch(e){throw o.#m(),e}}get state(){return this.#a?this.#o:this.client.state}get end(){return this.#a}frame(e,t){let n=this.#d(e);this.#c(n,t);try{return this.client.scene(n)}catch(e){throw this.#p(e)}}takeCues(){return this.#n.splice(0)}leave(){this.#a||(this.client.disconnect(this.#d(performance.now())),this.#l(),this.#a=new O(`ended`,`the player has left`),this.#m())}async#s(e){let t=performance.now();for(let n=t;n<t+e;n=performance.now()){if(this.#c(this.#d(n),Ze),this.client.state===`playing`)return;await new Promise(e=>setTimeout(e,cn))}throw new O(`timeout`,`no avatar after ${e/1e3} s (${this.client.state})${this.#f()}`)}#c(e,t){if(this.#a)throw this.#a;try{this.client.advance(e,t),this.#i=e;for(let e of this.client.cues())this.#n.push(e),this.#n.length>un&&this.#n.shift();this.#l()}catch(e){throw this.#p(e)}let n=this.client.state;if(pt(n))throw this.#o=n,this.#p(new O(`ended`,ht(n)+this.#f()))}#l(){for(let e=this.client.pollSend();e;e=this.client.pollSend())this.#e.send(this.#r,e.to,e.bytes)}#u(e,t){if(this.#a)return;let n=this.#d(performance.now());try{this.client.receive(n,e,t),n-this.#i>=ln&&this.#c(n,Ze)}catch(e){this.#p(e)}}#d(e){return this.#r=Math.max(this.#r,e),this.#r}#f(){return this.#e.problem===``?``:`: ${this.#e.problem}`}#p(e){return this.#a||(this.#a=e instanceof O?e:new O(`stopped`,Xe(e),{cause:e}),this.#m(),this.#t(this.#a)),this.#a}#m(){this.#e.close(),this.#a?.fault!==`stopped`&&this.client.destroy()}};async function fn(e,t){let{url:n,playerName:r,credential:i,wantedRegion:a}=t,{wireVersion:o,schemaHash:s}=e,c=a===void 0?{}:{wantedRegion:a};try{return(await qt(n,{playerName:r,credential:i,wireVersion:o,schemaHash:s,...c})).connectToken}catch(e){throw!(e instanceof P)||!e.otherVersion?e:new P(`${e.message} (the client is this page's module of the game: load the page again, or build the module from the same sources as the server)`,e.status,e.httpStatus,e.retryAfterS,{cause:e})}}var pn=.0022,mn=Math.PI/2-.001,hn=.15,gn=2.6,_n={Space:E.jump,ShiftLeft:E.run,ShiftRight:E.run,KeyG:E.dig,KeyH:E.fill},vn={0:E.fire,2:E.alternate},yn=[[0,E.jump],[3,E.jetpack],[10,E.run],[4,E.run],[7,E.fire],[6,E.alternate],[14,E.dig],[15,E.fill]],bn=2,xn=new Set([`KeyW`,`KeyA`,`KeyS`,`KeyD`]),Sn=new Set([`ArrowUp`,`ArrowLeft`,`ArrowDown`,`ArrowRight`]),Cn=1.7,wn=.1,Tn=class{yawRad=0;pitchRad=-.12;dampers=!0;#e;#t;#n=new Set;#r=new Set;#i=new AbortController;#a=0;#o=0;#s=0;#c=!1;#l=0;constructor(e,t){this.#e=e,this.#t=t;let{signal:n}=this.#i;addEventListener(`keydown`,e=>this.#u(e),{signal:n}),addEventListener(`keyup`,e=>this.#d(e),{signal:n}),addEventListener(`blur`,()=>this.release(),{signal:n}),addEventListener(`mouseup`,e=>this.#r.delete(e.button),{signal:n}),e.addEventListener(`mousedown`,e=>this.#f(e),{signal:n}),e.addEventListener(`contextmenu`,e=>e.preventDefault(),{signal:n}),document.addEventListener(`mousemove`,e=>this.#p(e),{signal:n})}get captured(){return document.pointerLockElement===this.#e||this.#m()}release(){this.#n.clear(),this.#r.clear()}end(){this.#i.abort(),this.captured&&document.exitPointerLock()}sample(e){let t=e=>+!!this.#n.has(e),n={right:t(`KeyD`)-t(`KeyA`),forward:t(`KeyW`)-t(`KeyS`),up:t(`Space`)-t(`KeyC`),yawRad:0,pitchRad:0,held:this.dampers?E.dampers:0,pressed:this.#a,useHandle:this.#o};for(let e of this.#n)n.held|=_n[e]??0;for(let e of this.#r)n.held|=vn[e]??0;let r=Math.min((e-this.#l)/1e3,wn),i=Cn*r;return this.turn(i*(t(`ArrowLeft`)-t(`ArrowRight`)),i*.6*(t(`ArrowUp`)-t(`ArrowDown`))),this.#h(n,r),n.yawRad=this.yawRad,n.pitchRad=this.pitchRad,this.#l=e,this.#a=0,this.#o=0,n}#u(e){if(Dn(e)||e.ctrlKey||e.metaKey||e.altKey)return;let{code:t}=e;(t===`Space`||t===`Tab`||t.startsWith(`Arrow`))&&e.preventDefault(),e.repeat||(xn.has(t)&&!this.#n.has(t)&&this.#t.onMoveKey(e.timeStamp),this.#n.add(t),this.#a|=_n[t]??0,t===`KeyJ`?this.#a|=E.jetpack:t===`KeyX`?this.dampers=!this.dampers:t===`KeyF`?this.#o=this.#t.onUse():t in _n||xn.has(t)||Sn.has(t)||this.#t.onKey(t))}#d(e){xn.has(e.code)&&this.#n.has(e.code)&&this.#t.onMoveKey(e.timeStamp),this.#n.delete(e.code)}#f(e){e.preventDefault(),this.#e.focus(),this.captured?(this.#r.add(e.button),this.#a|=vn[e.button]??0):Promise.resolve(this.#e.requestPointerLock()).catch(()=>{})}#p({movementX:e,movementY:t}){this.captured&&this.turn(-e*pn,-t*pn)}turn(e,t){this.yawRad+=e,this.pitchRad=Math.max(-mn,Math.min(mn,this.pitchRad+t))}#m(){let e=this.#e.getRootNode();return e instanceof ShadowRoot&&e.pointerLockElement===this.#e}#h(e,t){let n=navigator.getGamepads?.().find(e=>e?.connected&&e.mapping===`standard`);if(!n)return;let r=e=>{let t=n.axes[e]??0;return Math.abs(t)<hn?0:t};e.right=En(e.right+r(0)),e.forward=En(e.forward-r(1)),this.turn(-r(2)*gn*t,-r(3)*gn*.7*t);let i=0;for(let[e,t]of yn)n.buttons[e]?.pressed&&(i|=t);n.buttons[0]?.pressed&&(e.up=1),n.buttons[1]?.pressed&&(e.up=-1),e.held|=i&~E.jetpack,e.pressed|=i&~this.#s,this.#s=i;let a=n.buttons[bn]?.pressed??!1;a&&!this.#c&&(e.useHandle=this.#t.onUse()),this.#c=a}};function En(e){return Math.max(-1,Math.min(1,e))}function Dn(e){return e.composedPath().some(e=>e instanceof HTMLElement&&/^(INPUT|SELECT|TEXTAREA|DIALOG)$/.test(e.tagName)&&e.type!==`range`)}var On=2500,kn=3e4,An=class{gap;#e=0;#t=0;#n=-1;#r=0;onKilled(e,t,n){this.gap={worker:t,successor:n,ms:0,healed:!1},this.#e=e,this.#r=e}onFrame(e,t){let n=t!==this.#n;this.#n=t;let{gap:r}=this;if(r&&!r.healed){let t=e-this.#t;t>r.ms&&(r.ms=t,this.#r=e),(n&&e-this.#r>On&&e-this.#e>On||e-this.#e>kn)&&(r.healed=!0)}n&&(this.#t=e)}},jn=.003,Mn=3e3,Nn=350,Pn=15,Fn=3,In=class{lastMs=NaN;count=0;#e=[];#t;#n=[];#r;#i=0;#a=0;get medianMs(){if(this.#e.length===0)return NaN;let e=this.#e.toSorted((e,t)=>e-t);return e[e.length>>1]}onKey(e,t){let n=e-this.#a>Nn+1.3*t;if(this.#a=e,this.#t=n?e:void 0,!n)return;let[r,i]=[this.#n[0],this.#n[2]];if(this.#r=void 0,!r||!i)return;let a=Math.max(r.atMs-i.atMs,1);this.#r={...r,vx:(r.x-i.x)/a,vy:(r.y-i.y)/a,vz:(r.z-i.z)/a}}onFrame(e,t,n){let r={atMs:e,x:n[0],y:n[1],z:n[2]};t!==this.#i&&(this.#i=t,this.#n.length=0,this.#r=void 0),this.#n.unshift(r),this.#n.length=Math.min(this.#n.length,Fn),this.#t!==void 0&&(e-this.#t>Mn?this.#t=void 0:this.#r&&this.#o(r,this.#r)&&this.#s(e-this.#t))}restart(){this.#e.length=0,this.#t=void 0,this.lastMs=NaN}#o(e,t){let n=e.atMs-t.atMs;return Math.hypot(e.x-t.x-t.vx*n,(e.y-t.y-t.vy*n)*.2,e.z-t.z-t.vz*n)>jn}#s(e){this.#t=void 0,this.lastMs=e,++this.count,this.#e.push(e),this.#e.length>Pn&&this.#e.shift()}},F=[{key:`prediction`,on:`on`,off:`off`,title:`Prediction`,without:`your avatar moves one round trip after the key`},{key:`relative-prediction`,on:`on`,off:`off`,title:`Relative prediction`,without:`aboard a ship you stand beside the place that you see`},{key:`smoothing`,on:`quintic`,off:`none`,title:`Smoothing`,without:`corrections are jumps`},{key:`rollback`,on:`on`,off:`off`,title:`Rollback`,without:`late inputs are lost`},{key:`redundancy`,on:`all`,off:`none`,title:`Redundancy`,without:`each lost packet is a gap`},{key:`reconciler`,on:`replay`,off:`shift`,title:`Replay`,without:`corrections go through walls until the next state`},{key:`storm-breaker`,on:`on`,off:`off`,title:`Storm breaker`,without:`storms of corrections are displayed`},{key:`timeline`,on:`lead`,off:`on-arrival`,title:`Lead`,without:`each late packet is felt`},{key:`view`,on:`near`,off:`shared-clock`,title:`Near view`,without:`others are 100 ms late`}];function Ln({key:e,on:t,off:n},r){return`${e}=${r?t:n}`}var Rn=130,I=new Float32Array(7),zn=new w,Bn=new w;function Vn(e,t,n){let r=l.owned,i=Math.min(r.stepMs[e],Rn),a=i<=0?1:Math.min(1,(t-r.movedMs[e])/i),o=e*7;for(let e=0;e<3;++e){let t=r.before[o+e];n[e]=t+(r.pose[o+e]-t)*a}zn.fromArray(r.before,o+3).slerp(Bn.fromArray(r.pose,o+3),a),zn.toArray(n,3)}function L(e,t){let n=l.owned.find(e);if(n!==void 0)return Vn(n,t,I),{position:new v().fromArray(I),rotation:new w().fromArray(I,3),parent:l.owned.parent[n],slot:l.owned.slot[n]}}function Hn(e,t){let n=l.owned;for(let r=0;r<n.count;++r)n.flags[r]&1||(Vn(r,e,I),t(n.handle[r],n.type[r],n.parent[r],I));return n.count}var Un=1e4,Wn=class{#e=[];#t=[];#n=[];#r=[];#i=[];#a=[];#o=[];#s=new x;block({low:e,high:t,yawRad:n=0,...r}){let i=e.map((e,n)=>(e+t[n])/2),a=e.map((e,n)=>(t[n]-e)/2),o=new w().setFromAxisAngle(new v(0,1,0),n),s=new v;for(let e=0;e<3;++e){let[t,n]=[(e+1)%3,(e+2)%3];for(let c of[-1,1]){let l=this.#e.length/3;for(let[l,u]of[[-1,-1],[1,-1],[1,1],[-1,1]]){let d=[0,0,0];d[e]=c*a[e],d[t]=l*a[t],d[n]=u*a[n],s.fromArray(d).applyQuaternion(o),this.#e.push(s.x+i[0],s.y+i[1],s.z+i[2]);let f=[0,0,0];f[e]=c,s.fromArray(f).applyQuaternion(o),this.#t.push(s.x,s.y,s.z),this.#r.push(l*a[t],u*a[n],a[t],a[n]),this.#c(r)}let u=c>0?[0,1,2,0,2,3]:[0,2,1,0,3,2];this.#o.push(...u.map(e=>l+e))}}return this}blocks(e){for(let t of e)this.block(t);return this}solid(e,t,n=new b){let r=e.clone().applyMatrix4(n),i=r.getAttribute(`position`),a=r.getAttribute(`normal`),o=this.#e.length/3;for(let e=0;e<i.count;++e)this.#e.push(i.getX(e),i.getY(e),i.getZ(e)),this.#t.push(a.getX(e),a.getY(e),a.getZ(e)),this.#r.push(0,0,Un,Un),this.#c(t);let s=r.getIndex();if(s)for(let e=0;e<s.count;++e)this.#o.push(o+s.getX(e));else for(let e=0;e<i.count;++e)this.#o.push(o+e);return r.dispose(),e.dispose(),this}geometry(){let e=new Ce,t=(t,n,r)=>e.setAttribute(t,new C(n,r));return t(`position`,this.#e,3),t(`normal`,this.#t,3),t(`color`,this.#n,3),t(`face`,this.#r,4),t(`glow`,this.#i,1),t(`limb`,this.#a,1),e.setIndex(this.#o),e.computeBoundingSphere(),e}#c({color:e,glow:t=0,limb:n=0}){this.#s.set(e),this.#n.push(this.#s.r,this.#s.g,this.#s.b),this.#i.push(t),this.#a.push(n)}};function R(e,t,n,r=0,i=0,a=0){return new b().makeRotationFromEuler(new Te(r,i,a)).setPosition(e,t,n)}var z=`#8fb6ff`;function Gn(){let e=new Wn,[t,n,r,i]=[`#8d7a5d`,`#6e5f49`,.5,.085];e.block({low:[-r+.03,-r+.03,-r+.03],high:[r-.03,r-.03,r-.03],color:n});for(let n=0;n<3;++n)for(let a of[-1,1])for(let o of[-1,1]){let s=[-r,-r,-r],c=[r,r,r],[l,u]=[(n+1)%3,(n+2)%3];s[l]=a<0?-r:r-i,c[l]=a<0?-r+i:r,s[u]=o<0?-r:r-i,c[u]=o<0?-r+i:r,e.block({low:s,high:c,color:t})}return e}function Kn(){let e=`#8f99a8`,t=`#cdd5df`,n=`#333a45`,r=new Wn,i=e=>new re(e.map(([e,t])=>new se(e,t)),20),a=(e,t)=>new ve(e,t,4,12),o=(e,t)=>new b().makeScale(e,1,t),s=i([[.001,-.14],[.17,-.13],[.185,-.04],[.165,.06],[.21,.3],[.2,.43],[.11,.5],[.001,.51]]);r.solid(s.applyMatrix4(o(1.08,.78)),{color:e}),r.solid(i([[.186,-.1],[.196,-.08],[.196,-.02],[.18,0]]).applyMatrix4(o(1.08,.8)),{color:n}),r.solid(i([[.1,.47],[.145,.5],[.145,.545],[.1,.57]]),{color:n}),r.solid(new S(.24,.15,.05),{color:n},R(0,.28,.15)),r.solid(new S(.06,.025,.01),{color:z,glow:1},R(.05,.31,.18)),r.solid(new ce(.165,24,18).applyMatrix4(new b().makeScale(.94,1.04,1)),{color:t},R(0,.715,0)),r.solid(new ce(.158,22,12,Math.PI*.13,Math.PI*.74,Math.PI*.3,Math.PI*.34),{color:`#5b8fe8`,glow:.5},R(0,.715,.022)),r.solid(new S(.3,.44,.15),{color:t},R(0,.23,-.215)),r.solid(new S(.24,.1,.12),{color:n},R(0,-.02,-.21));for(let o of[-1,1])r.solid(new S(.022,.26,.012),{color:z,glow:1},R(.095*o,.25,-.294)),r.solid(new ce(.095,14,10),{color:t,limb:2*o},R(.255*o,.39,0)),r.solid(a(.062,.2),{color:e,limb:2*o},R(.285*o,.23,.01,.05,0,.12*o)),r.solid(a(.056,.2),{color:t,limb:2*o},R(.31*o,0,.05,-.3,0,.04*o)),r.solid(new ce(.062,10,8),{color:n,limb:2*o},R(.315*o,-.14,.1)),r.solid(a(.086,.24),{color:e,limb:o},R(.1*o,-.29,0,0,0,.03*o)),r.solid(i([[.08,-.52],[.092,-.5],[.092,-.45],[.08,-.43]]),{color:n,limb:o},R(.108*o,-.02,0)),r.solid(a(.074,.22),{color:t,limb:o},R(.112*o,-.63,0)),r.solid(new S(.14,.1,.26),{color:n,limb:o},R(.112*o,-.85,.045));return r}function qn(e){let t=(e,t)=>R(e,.022,t,-Math.PI/2),n=`#6b7687`;for(let[r,i]of[[62,-24],[62,24]]){e.solid(new oe(17.7,18,96),{color:n,glow:.12},t(r,i)),e.solid(new oe(9.85,10,72),{color:z,glow:.55},t(r,i));for(let a=0;a<12;++a){let o=a/12*2*Math.PI,s=new g(.35,3.2).translate(0,14,0).rotateZ(o);e.solid(s,{color:a%3==0?z:n,glow:a%3==0?.55:.12},t(r,i))}e.solid(new ye(.7,32),{color:z,glow:.5},t(r,i))}for(let r=2;r<44;r+=3)e.solid(new g(1.8,.22),{color:n,glow:.15},t(r,0));for(let r of[-56,56])e.solid(new g(190,.18),{color:n,glow:.1},t(0,r));for(let n=-54;n<56;n+=4)e.solid(new g(.5,2),{color:`#c9a25a`,glow:.2},t(97.6,n));return e}var Jn=`#3a424f`,B=`#4b5666`,V=`#667286`,H=`#262d38`,U=`#8fb6ff`,W=`#ffd9a0`,Yn=`#3e4a5e`,Xn=`#77859b`,G=(e,t,n,r={})=>({low:e,high:t,color:n,...r}),K=(e,t,n=U,r=1)=>G(e,t,n,{glow:r,decor:!0}),Zn=.3,q=1.1,Qn=4.3,J={x:-30,z:-12};function $n(){let e=(e,t)=>G(e,t,V);return[e([-60,0,-20],[-20,4,-19.7]),e([-60,0,19.7],[-20,4,20]),e([-60,0,-20],[-59.7,4,20]),e([-20.3,0,-20],[-20,4,-1]),e([-20.3,0,1],[-20,4,20]),e([-20.3,3,-1],[-20,4,1]),G([-60,4,-20],[J.x-1,Qn,20],B),G([J.x+1,4,-20],[-20,Qn,20],B),G([J.x-1,4,-20],[J.x+1,Qn,J.z-1],B),G([J.x-1,4,J.z+1],[J.x+1,Qn,20],B),K([-20,3.72,-19],[-19.97,3.8,-1.4]),K([-20,3.72,1.4],[-19.97,3.8,19]),K([-20,0,-1.1],[-19.96,3,-1],W,.9),K([-20,0,1],[-19.96,3,1.1],W,.9),K([-59,3.96,-6],[-22,3.99,-5.8],W,.9),K([-59,3.96,5.8],[-22,3.99,6],W,.9)]}function er(){return[-50,-38,-26,-14,-2,10].flatMap(e=>[G([22-Zn/2,0,e-3],[22.15,3.3,e-1],V),G([22-Zn/2,0,e+1],[22.15,3.3,e+3],V),G([22-Zn/2,3,e-1],[22.15,3.3,e+1],V),K([22.15,3.08,e-.9],[22.17,3.2,e+.9])])}function tr(){return Array.from({length:10},(e,t)=>G([-10+.35*t,0,30],[20,.3*(t+1),36],t%2?B:`#546072`))}function nr(){return Array.from({length:10},(e,t)=>{let[n,r]=[-90+22*Math.floor(t/2),t%2==0?-45:45];return[G([n-.5,0,r-.5],[n+.5,6,r+.5],V),K([n-.52,5.3,r-.52],[n+.52,5.45,r+.52])]}).flat()}function rr(){let e=Array.from({length:20},(e,t)=>-95+10*t).flatMap(e=>[K([e-1.2,.9400000000000001,59.68],[e+1.2,1,59.7]),K([e-1.2,.9400000000000001,-59.7],[e+1.2,1,-59.68])]),t=Array.from({length:24},(e,t)=>-57.5+5*t).map(e=>K([99.5,0,e-.3],[99.75,.05,e+.3],W,1));return[...e,...t]}var ir=[G([-88,-5,-48],[88,-1,48],H,{decor:!0}),G([-60,-11,-26],[60,-5,26],`#1d232d`,{decor:!0}),K([-88.05,-3.2,-47],[-88,-3,47],U,.6),K([88,-3.2,-47],[88.05,-3,47],U,.6)],ar=[G([-100,-1,-60],[100,0,60],Jn),G([-100,0,-60],[100,q,-59.7],B),G([-100,0,59.7],[100,q,60],B),G([-100,0,-60],[-99.7,q,60],B),...$n(),G([-20,0,1],[0,3,1.3],V),G([-20,0,-1.3],[0,3,-1],V),...er(),...tr(),...nr(),...rr(),...ir];function or(e){let t=(e,t)=>G(e,t,Xn),n=Array.from({length:11},(e,t)=>-25+5*t).flatMap(e=>[K([10,-2.6,e-1.6],[10.03,-1.9,e+1.6],W,.75),K([-10.03,-2.6,e-1.6],[-10,-1.9,e+1.6],W,.75)]);return[G([-10,-8,-30],[10,0,30],e),t([9.7,0,-30],[10,4,30]),t([-10,0,-30],[10,4,-29.7]),t([-10,0,29.7],[10,4,30]),t([-10,0,-30],[-9.7,4,-1]),t([-10,0,1],[-9.7,4,30]),t([-10,3,-1],[-9.7,4,1]),...n,K([-10.04,-.5,-29.5],[-10,-.36,29.5]),K([10,-.5,-29.5],[10.04,-.36,29.5]),K([-10.05,0,-1.14],[-9.7,3,-1],U,1),K([-10.05,0,1],[-9.7,3,1.14],U,1),K([-7.5,-6.4,-30.3],[-3.5,-3.2,-30],`#9cc4ff`,1.6),K([3.5,-6.4,-30.3],[7.5,-3.2,-30],`#9cc4ff`,1.6),G([-8,-7,30],[8,-2,33],H,{decor:!0}),G([-5.5,-6,33],[5.5,-3,36],H,{decor:!0})]}var sr=[G([-25,-1,-20],[25,0,20],`#454c5c`),G([-18,-3,-14],[18,-1,14],H,{decor:!0}),...[-20,20].map(e=>K([-25,-.3,e-.03],[25,-.2,e+.03])),...[-25,25].map(e=>K([e-.03,-.3,-20],[e+.03,-.2,20])),K([-25,.004,-.15],[25,.03,.15],U,.4)],cr=[G([-4,-2.9,-6],[4,0,6],`#56637a`),G([3.8,0,-6],[4,q,6],Xn),G([-4,0,-6],[-3.8,q,6],Xn),G([-4,0,-6],[4,q,-5.8],Xn),G([-4,0,5.8],[4,q,6],Xn),G([-.7,0,4.9],[.7,.92,5.5],H,{decor:!0}),K([-.55,.92,4.98],[.55,.95,5.42]),K([-3.4,-2,-6.25],[-1.2,-.9,-6],`#9cc4ff`,1.7),K([1.2,-2,-6.25],[3.4,-.9,-6],`#9cc4ff`,1.7),K([-4.03,-.6,-5.5],[-4,-.5,5.8]),K([4,-.6,-5.5],[4.03,-.5,5.8]),G([-3,-2.6,6],[3,-.8,7.4],`#3c4656`,{decor:!0}),G([-1.6,-2.3,7.4],[1.6,-1.2,8.6],`#333c4a`,{decor:!0})],lr=8,ur=Array.from({length:8},(e,t)=>{let n=Math.PI/16,[r,i]=[lr*Math.cos(n),lr*Math.sin(n)];return G([-r,0,-i],[r,.3,i],t%2?`#4e5a6d`:`#465165`,{yawRad:Math.PI/8*t})}),dr=[G([-.1,-1.5,-1],[.1,1.5,1],`#7d8ba3`),K([-.115,.2,-.85],[.115,.28,.85],U,1),K([-.115,-.9,-.85],[.115,-.84,.85],U,.5)],fr=[G([-2,-4.3,-2],[2,0,2],`#58647a`),...[-1.9,1.82].flatMap(e=>[K([-1.9,.004,e],[1.9,.03,e+.08],W,.9),K([e,.004,-1.9],[e+.08,.03,1.9],W,.9)])],pr=[G([-.975,-.15,-.975],[.975,.15,.975],`#7d8ba3`),K([-.8,.151,-.05],[.8,.16,.05],W,.9)],mr=[G([-.9,-.2,-.25],[.9,.2,.25],`#8a6a58`),G([-.6,.2,-.16],[.6,.27,.16],`#5e463a`,{decor:!0}),K([-.08,.27,-.08],[.08,.31,.08],`#ffb27a`,1)],Y=e=>({blocks:e,geometry:()=>new Wn().blocks(e).geometry()}),hr=(e,t)=>[G(e,t,B)],gr={station:{blocks:ar,geometry:()=>qn(new Wn().blocks(ar)).geometry()},station_door:Y(dr),ferry:Y(or(Yn)),ferry_door:Y(dr),station_lift:Y(fr),station_trap:Y(pr),station_rotor:Y([...ur,K([-.5,.3,-.5],[.5,.34,.5],U,.8)]),carousel:Y(sr),gyre:Y(or(`#554a63`)),skiff:Y(cr),walker_link:Y(mr),crate:{blocks:hr([-.5,-.5,-.5],[.5,.5,.5]),geometry:()=>Gn().geometry()},character:{blocks:hr([-.4,-.9,-.4],[.4,.9,.4]),geometry:()=>Kn().geometry(),walks:!0}};function _r(e,t){return Y([G(e,t,`#6b7890`)])}var vr={station_door:{verb:`open or close the door`},ferry_door:{verb:`open or close the door`},station_trap:{verb:`open or close the trap door`},station_lift:{verb:`move the lift`,strokeM:4},skiff:{verb:`take the helm`,seat:[0,.91,4]}},yr=.6,br=new v,X=new v,xr=2.2;function Sr(e,t,n,r){if(r!==0)return{handle:r,sentence:`leave the helm`};let i,a=1/0;for(let r of e){let e=vr[r.typeName];if(!e)continue;br.set(...e.seat??[0,0,0]).applyQuaternion(r.rotation).add(r.position),X.copy(br).sub(t);let o=Math.min(X.length(),...[-1,1].map(t=>Math.hypot(X.x,X.y+t*(e.strokeM??0),X.z)));if(o>3)continue;let s=o+xr*(1-(X.lengthSq()<.01?1:X.normalize().dot(n)));s<a&&(a=s,i={handle:r.handle,sentence:e.verb})}return i}function Cr(e,t){let n=e===void 0?void 0:vr[e]?.seat;return n?Math.hypot(t[0]-n[0],t[1]-n[1],t[2]-n[2])<.06:!1}var wr=120,Tr=.5,Er=.1,Dr=new v,Or=class extends ke{pilot;session;picture;playerName;controls;reaction=new In;failover=new An;wasmTimes=new Ae;frameTimes=new Ae;intervals=new Ae;choices={split:!1,serverGhost:!1};off;link;target;outlinedFrames=0;telemetry;sceneCount=0;#e;#t=0;#n=0;#r=0;constructor({canvas:e,picture:t,pilot:n,onKey:r}){super(),this.pilot=n,this.session=n.session,this.picture=t,this.playerName=n.playerName,this.off=n.off,this.link=n.link,this.controls=new Tn(e,{onKey:e=>this.#i(e)||r(e),onUse:()=>this.target?.handle??0,onMoveKey:e=>this.reaction.onKey(e,this.telemetry?.fullLoopMs??0)}),this.#e=p.watchEntities(),this.#t=requestAnimationFrame(this.#a)}end(){this.park().armed.end(),this.session.leave()}park(){return cancelAnimationFrame(this.#t),this.controls.end(),this.#e(),this.picture.clear(),this.pilot}get framesPerSecond(){return 1e3/this.intervals.mean()}get trueOwnM(){return L(this.picture.own.handle,performance.now())?.position.toArray()}get workerSlot(){let e=L(this.picture.own.handle,performance.now())?.slot;if(e!==void 0)return e;let[t,n,r]=this.picture.own.origin;return f.regionAt({x:t,y:n,z:r})?.owner}setTechnique(e,t){let n=F.find(t=>t.key===e);n&&(this.session.client.use(Ln(n,t)),t?this.off.delete(e):this.off.add(e),this.reaction.restart(),this.changed())}setLink(e){e!==this.link&&(this.session.client.link(performance.now(),e),this.link=this.pilot.link=e,this.reaction.restart(),this.changed())}desync(e){if(this.session.state!==`playing`)return;let t=new v(-e,0,0).applyQuaternion(this.picture.rig.turn);this.session.client.injectDesync(t.x,0,t.z)}#i(e){let t=/^Digit(\d)$/.exec(e)?.[1];if(t===`0`)for(let e of[...this.off])this.setTechnique(e,!0);else if(t!==void 0){let e=F[Number(t)-1];e&&this.setTechnique(e.key,this.off.has(e.key))}else if(e===`KeyE`)this.desync(Tr);else if(e===`KeyR`)this.desync(-.5);else if(e===`KeyV`)this.picture.rig.firstPerson=!this.picture.rig.firstPerson;else if(e===`KeyB`)this.choices.serverGhost=!this.choices.serverGhost;else if(e===`KeyT`)this.choices.split=!this.choices.split;else return!1;return this.changed(),!0}#a=e=>{this.#t=requestAnimationFrame(this.#a);let t=performance.now(),n;try{n=this.session.frame(e,this.controls.sample(e))}catch{cancelAnimationFrame(this.#t);return}this.wasmTimes.add(performance.now()-t),this.#n>0&&this.intervals.add(e-this.#n),this.#o(n,e,Math.min((e-this.#n)/1e3,Er)),this.#n=e;let r=performance.now();this.frameTimes.add(r-t),this.telemetry=this.session.client.telemetry(),this.failover.onFrame(e,this.telemetry.fullLoopMs);let{own:i}=this.picture;i.local&&this.reaction.onFrame(r,i.parent,i.local),e-this.#r<wr||(this.#r=e,this.changed())};#o(e,t,n){let{picture:r,session:i,controls:a,choices:o}=this;r.draw(e,i.client,i.takeCues(),a,o,t,n),this.sceneCount=e.count,r.mine.smoothing&&++this.outlinedFrames,this.target=Sr(r.mine.bodies,Dr,r.rig.direction,r.own.helm)}},kr=t`
  .panel {
    padding: 11px 13px 12px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--bg-panel);
    backdrop-filter: var(--blur);
  }
  .panel > header {
    display: flex;
    align-items: baseline;
    gap: 8px;
    margin-bottom: 8px;
  }
  .panel > header .right {
    margin-left: auto;
    font-size: 11px;
    color: var(--text-faint);
  }
  .figure {
    font-size: 22px;
    font-weight: 600;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
    line-height: 1.1;
  }
  .figure small {
    font-size: 11px;
    font-weight: 500;
    letter-spacing: 0;
    color: var(--text-soft);
  }
  .label {
    font-size: 11px;
    color: var(--text-faint);
  }
`,Ar=class extends e{static properties={cockpit:{attribute:!1},tick:{type:Number}};static styles=[o,kr,t`
      .who {
        display: flex;
        align-items: center;
        gap: 8px;
        margin-bottom: 9px;
      }
      .who b {
        font-weight: 600;
      }
      .swatch {
        width: 10px;
        height: 10px;
        border-radius: 3px;
      }
      .who .tag {
        margin-left: auto;
      }
      .kill {
        width: 100%;
        justify-content: center;
        margin-bottom: 7px;
      }
      .gap {
        display: grid;
        grid-template-columns: auto 1fr;
        align-items: center;
        gap: 12px;
        margin-top: 10px;
        padding-top: 10px;
        border-top: 1px solid var(--line);
      }
      .gap.healed .figure {
        color: var(--good);
      }
    `];constructor(){super(),new Oe(this,f)}render(){let{cockpit:e}=this,t=e.workerSlot,i=f.worker(t),o=f.worker(i?.standby),{gap:s}=e.failover,c=i?.name??`sim-0`;return r`<section class="panel" aria-label="Failover">
      <header><h2>Below your feet</h2></header>
      <div class="who">
        <span class="swatch" style="background:${Pe(t)}"></span>
        <b>${i?.name??`no worker`}</b>
        <span class="faint">${o?r`standby ${o.name}`:n}</span>
        <span class="tag ${i?.standbyInSync?`good`:`warn`}">${i?.standbyInSync?`in sync`:`no standby`}</span>
      </div>
      <button class="harmful kill" id="kill" ?disabled=${!i||!f.mayAct}
        title=${f.mayAct?Me(c).consequence:`To act, ${a}.`} @click=${()=>this.#e(c)}>
        Kill ${i?.name??`the worker`} <kbd>K</kbd>
      </button>
      <cmd-line .text=${Me(c).command}></cmd-line>
      ${s?r`<div class="gap ${s.healed?`healed`:``}">
            <div class="figure" id="gap">${d(s.ms)} <small>ms</small></div>
            <div class="label">
              ${s.healed?r`without the server's answers.<br /><span class="soft">${s.successor||`Its standby`} goes on for ${s.worker}.</span>`:r`without the server's answers so far.<br /><span class="soft">${s.successor||`Its standby`} takes over from ${s.worker}.</span>`}
            </div>
          </div>`:n}
    </section>`}async#e(e){document.pointerLockElement&&document.exitPointerLock();let t=f.worker(f.map?.workers.find(t=>t.name===e)?.standby)?.name??``,n=Me(e),r=!1,i={...n,reply:i=>(r=!0,this.cockpit.failover.onKilled(performance.now(),e,i.successor||t),n.reply(i))};await Ne(i),r&&this.requestUpdate()}kill(){this.renderRoot.querySelector(`#kill`)?.click()}};customElements.define(`failover-panel`,Ar);var Z={shot:1,loose:3,dig:4,fill:5,hit:6},jr={shots:Z.shot,arrows:Z.loose,digs:Z.dig,fills:Z.fill},Mr=class{counts=Object.fromEntries(Object.keys(jr).map(e=>[e,{played:0,confirmed:0,cancelled:0}]));hits=0;take(e){for(let{effect:t,state:n,detail:r}of e){let e=Object.keys(jr).find(e=>jr[e]===t);e&&(++this.counts[e][n],(e===`shots`||e===`arrows`)&&n===`confirmed`&&r===1&&++this.hits)}}},Nr=new Set([`station`,`ferry`,`gyre`,`carousel`,`skiff`,`station_rotor`]),Pr=new Mr;function Fr({own:e,mine:t}){let n=performance.now(),r=L(e.handle,n);return t.bodies.filter(({typeName:e})=>Nr.has(e)).toSorted((e,t)=>e.position.lengthSq()-t.position.lengthSq()).map(t=>{let i=r&&L(t.handle,n);return{handle:t.handle,type:t.typeName,positionM:t.position.toArray().map((t,n)=>t+e.origin[n]),rotation:t.rotation.toArray(),ownM:Ir(new v,t),trueOwnM:i&&Ir(r.position,i)}})}function Ir(e,t){return e.clone().sub(t.position).applyQuaternion(t.rotation.clone().invert()).toArray()}function Lr(e){let t=e?.picture.own,n=e?.telemetry,{failover:r,reaction:i}=e??{};return{state:e?.session.state??``,playerName:e?.playerName??``,inputToEyeMs:{last:i?.lastMs??NaN,median:i?.medianMs??NaN,count:i?.count??0},frameMs:{wasmP50:e?.wasmTimes.quantile(.5)??NaN,wasmP99:e?.wasmTimes.quantile(.99)??NaN,totalP50:e?.frameTimes.quantile(.5)??NaN,totalP99:e?.frameTimes.quantile(.99)??NaN},framesPerSecond:e?.framesPerSecond??0,telemetry:{rttMs:n?.rttMs??NaN,fullLoopMs:n?.fullLoopMs??NaN,jitterMs:n?.jitterMs??NaN,corrections:n?.corrections??0,largestCorrectionM:n?.largestCorrectionM??0},own:t?.local&&{handle:t.handle,positionM:[...t.origin],localM:[...t.local],yawRad:e.controls.yawRad,look:e.picture.rig.direction.toArray(),parent:t.parent,parentType:t.parentType??``,helm:t.helm,smoothing:e.picture.mine.smoothing},ships:e?Fr(e.picture):[],actions:structuredClone((e?.picture.actions??Pr).counts),hits:e?.picture.actions.hits??0,solidCells:[...e?.picture.mine.grounds.values()??[]].reduce((e,t)=>e+t.solidCells,0),scene:{entities:e?.sceneCount??0,types:e?.picture.mine.typeCounts??{}},truth:{entities:e?.picture.truth.count??0,ownPositionM:e?.trueOwnM},techniques:F.filter(({key:t})=>e?.off.has(t)).map(e=>Ln(e,!1)),link:e?.link??`none`,outlinedFrames:e?.outlinedFrames??0,gap:r?.gap&&{...r.gap},split:e?.choices.split??!1}}var Rr=[[`Move`,[[`W A S D`,`walk, fly, steer`],[`Space`,`jump; up with jetpack or helm`],[`C`,`down`],[`Shift`,`run`],[`J`,`jetpack on or off`],[`X`,`dampers on or off`],[`F`,`use: doors, lifts, helm`]]],[`Act`,[[`Mouse`,`look, as the arrows; Esc frees it`],[`Left button`,`rifle`],[`Right button`,`bow: hold to draw`],[`G`,`dig a cell`],[`H`,`place a stone`]]],[`See`,[[`V`,`first or third person`],[`B`,`where the server has you`],[`T`,`split: mine, the server’s truth`],[`L`,`the last 30 s under the lens`],[`Tab`,`panels on or off`],[`?`,`these keys`]]],[`Break`,[[`1 – 9`,`take a technique away`],[`0`,`all techniques on`],[`E R`,`move the prediction by 0.5 m`],[`K`,`kill the worker below you`]]]],zr=class extends e{static styles=[o,t`
      :host {
        position: absolute;
        inset: 0;
        z-index: 12;
        display: grid;
        place-items: center;
        background: rgb(5 7 11 / 66%);
        backdrop-filter: var(--blur);
      }
      section {
        display: grid;
        grid-template-columns: repeat(2, minmax(270px, 1fr));
        gap: 22px 44px;
        padding: 28px 34px;
        border: 1px solid var(--line);
        border-radius: 12px;
        background: #0c1118;
      }
      dl {
        display: grid;
        grid-template-columns: 104px 1fr;
        gap: 6px 12px;
        margin: 10px 0 0;
      }
      dt {
        display: flex;
        gap: 4px;
      }
      dd {
        margin: 0;
        color: var(--text-soft);
      }
      footer {
        grid-column: 1 / -1;
        color: var(--text-faint);
        font-size: 12px;
      }
      @media (max-width: 760px) {
        section {
          grid-template-columns: 1fr;
        }
      }
    `];render(){return r`<section role="dialog" aria-label="Keys" @click=${()=>this.dispatchEvent(new Event(`close`))}>
      ${Rr.map(([e,t])=>r`<div>
          <h2>${e}</h2>
          <dl>${t.map(([e,t])=>r`<dt>${Br(e)}</dt><dd>${t}</dd>`)}</dl>
        </div>`)}
      <footer>Gamepad: left stick moves, right stick looks, A jumps, X uses, Y is the jetpack, triggers shoot.</footer>
    </section>`}};customElements.define(`help-panel`,zr);function Br(e){return/^([A-Z] )+[A-Z]$/.test(e)?e.split(` `).map(e=>r`<kbd>${e}</kbd>`):r`<kbd>${e}</kbd>`}var Vr;async function Hr(e,t){let n=await(Vr??=Vt.load().catch(e=>{throw Vr=void 0,e})),r=n.createClient(),{wireVersion:a,schemaHash:o}=r;r.destroy();let s={playerName:e,credential:``,wireVersion:a,schemaHash:o},{connectToken:l,clientId:u}=await qt(location.href,s,{headers:i()}),d=c(`relay`),f=await dn.join({game:n,player:l,path:e=>new on(d,e),onEnd:e=>t(e.message)});return Fe(f,u.toString(),e)}var Ur=[[`P0`,`LAN, 1 ms`],[`P1`,`good: 50 ± 2 ms, 0.1 % loss`],[`P2`,`average: 100 ± 20 ms, 1 % loss`],[`P3`,`far: 300 ± 30 ms, 1 % loss`],[`P4`,`satellite: 700 ± 50 ms, 2 % loss`],[`P5`,`bursty wifi: 40 ± 5 ms, 2 % loss in bursts, stalls`],[`P6`,`reorder-heavy: 10 % displaced by up to 60 ms`],[`P8`,`bufferbloat: the queue to 3 s, once a minute`],[`P11`,`outages: interrupted for 1.5 s every 20 s`],[`P12`,`cellular beside a download, queue of 1 s`]],Wr=600,Gr=200,Kr=class extends e{static properties={cockpit:{attribute:!1},link:{},pingMs:{state:!0},jitterMs:{state:!0},lossPermille:{state:!0}};static styles=[o,kr,t`
      .slider {
        display: grid;
        grid-template-columns: 44px 1fr 58px;
        align-items: center;
        gap: 9px;
        height: 23px;
      }
      .slider output {
        text-align: right;
        font-variant-numeric: tabular-nums;
      }
      .profiles {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
        margin: 8px 0 9px;
      }
      .profiles button {
        height: 22px;
        padding: 0 7px;
        font-size: 11px;
      }
      .profiles button.chosen {
        border-color: var(--accent);
        background: var(--accent-soft);
        color: #cfe0ff;
      }
    `];constructor(){super(),this.link=`none`,this.pingMs=this.jitterMs=this.lossPermille=0}render(){let{link:e}=this,t=Ur.find(([t])=>t===e);return r`<section class="panel" aria-label="Network">
      <header>
        <h2>Network</h2>
        <span class="right">${t?t[1]:e!==`none`&&!t?`simulated`:`as it is`}</span>
      </header>
      ${this.#e(`Ping`,`ping`,this.pingMs,Wr,10,`${this.pingMs} ms`)}
      ${this.#e(`Jitter`,`jitter`,this.jitterMs,100,5,`± ${this.jitterMs} ms`)}
      ${this.#e(`Loss`,`loss`,this.lossPermille,Gr,5,`${(this.lossPermille/10).toFixed(1)} %`)}
      <div class="profiles">
        <button class=${e===`none`?`chosen`:``} @click=${()=>this.#n(`none`)}>none</button>
        ${Ur.map(([t,n])=>r`<button class=${e===t?`chosen`:``} title=${n} @click=${()=>this.#n(t)}>${t}</button>`)}
      </div>
      <cmd-line .text=${qr(e)} .prompt=${Jr(e)?`$`:`C`}></cmd-line>
    </section>`}#e(e,t,n,i,a,o){return r`<label class="slider">
      <span class="soft">${e}</span>
      <input type="range" id=${t} min="0" max=${i} step=${a} .value=${String(n)}
        @change=${e=>e.target.blur()}
        @input=${e=>this.#t(t,Number(e.target.value))} />
      <output>${o}</output>
    </label>`}#t(e,t){e===`ping`?this.pingMs=t:e===`jitter`?this.jitterMs=t:this.lossPermille=t;let n=[`delay-ms=${this.pingMs/2}`,...this.jitterMs>0?[`jitter-ms=${Math.ceil(this.jitterMs/2)}`]:[],...this.lossPermille>0?[`loss-permille=${this.lossPermille}`]:[]],r=this.pingMs===0&&this.jitterMs===0&&this.lossPermille===0;this.cockpit.setLink(r?`none`:n.join(` `))}#n(e){this.pingMs=this.jitterMs=this.lossPermille=0,this.cockpit.setLink(e)}};function qr(e){return Jr(e)?`./perigee bots --count 20 --profile ${e}`:`perigee_client_link(client, now_us, "${e}")`}function Jr(e){return/^P\d+$/.test(e)}customElements.define(`link-panel`,Kr);var Yr=50,Xr=200,Zr=20,Qr=92,$r=34,Q={rtt:`#8fb6ff`,jitter:`rgb(143 182 255 / 22%)`,bytes:`rgb(150 170 205 / 38%)`,loss:`#f2757a`,correction:`#e8c468`,line:`rgb(150 170 205 / 14%)`,text:`#66728a`},ei=class extends e{static properties={cockpit:{attribute:!1},tick:{type:Number}};#e=60;#t=0;#n=new ResizeObserver(([e])=>this.#t=e?.contentRect.width??0);static styles=[o,kr,t`
      .figures {
        display: grid;
        grid-template-columns: 1.25fr 1fr 1fr;
        gap: 8px 12px;
      }
      .eye .figure {
        color: var(--accent);
      }
      .eye.slow .figure {
        color: var(--warn);
      }
      canvas {
        display: block;
        width: 100%;
        height: ${126}px;
        margin: 10px 0 7px;
      }
      .row {
        display: flex;
        justify-content: space-between;
        gap: 8px;
        font-size: 11px;
        color: var(--text-soft);
        font-variant-numeric: tabular-nums;
      }
      .row + .row {
        margin-top: 2px;
      }
      b {
        font-weight: 500;
        color: var(--text);
      }
      i {
        display: inline-block;
        width: 7px;
        height: 7px;
        margin-right: 4px;
        border-radius: 2px;
      }
    `];render(){let{cockpit:e}=this,t=e.telemetry,n=e.session.end?void 0:e.session.client.netGraph(),i=n?ni(n):void 0,{medianMs:a,lastMs:o}=e.reaction;return r`<section class="panel" aria-label="Net graph">
      <div class="figures">
        <div class="eye ${a>120?`slow`:``}" title="From a move key to the first frame that shows its effect: median of the last keys">
          <div class="label">input to eye</div>
          <div class="figure" id="eye">${d(a)} <small>ms</small></div>
          <div class="label">${Number.isNaN(o)?`press W A S D`:r`last ${d(o)} ms`}</div>
        </div>
        <div>
          <div class="label">ping</div>
          <div class="figure" id="rtt">${d(t?.rttMs)} <small>ms</small></div>
          <div class="label">± ${d(t?.jitterMs)} ms</div>
        </div>
        <div>
          <div class="label">corrections</div>
          <div class="figure" id="corrections">${m(t?.corrections)}</div>
          <div class="label">${t?.corrections?r`up to ${m(t.largestCorrectionM,2)} m`:`over 5 cm`}</div>
        </div>
      </div>
      <canvas></canvas>
      <div class="row">
        <span><i style="background:${Q.bytes}"></i><b>${m(i?.inKB,1)}</b> in <b>${m(i?.outKB,1)}</b> out kB/s</span>
        <span><i style="background:${Q.loss}"></i>loss <b>${m(i?.lossPercent,1)} %</b></span>
      </div>
      <div class="row">
        <span>lead <b>${d(t?.leadMs)} ms</b></span>
        <span>full loop <b>${d(t?.fullLoopMs)} ms</b></span>
      </div>
    </section>`}firstUpdated(){this.#n.observe(this.renderRoot.querySelector(`canvas`))}disconnectedCallback(){super.disconnectedCallback(),this.#n.disconnect()}updated(){let e=this.renderRoot.querySelector(`canvas`);e&&!this.cockpit.session.end&&this.#r(e,this.cockpit.session.client.netGraph())}#r(e,t){let n=devicePixelRatio,[r,i]=[this.#t,126];if(r===0)return;e.width!==r*n&&(e.width=r*n),e.height!==i*n&&(e.height=i*n);let a=e.getContext(`2d`);a.setTransform(n,0,0,n,0,0),a.clearRect(0,0,r,i);let o=Math.max(0,t.count-Xr),s=e=>r-(t.count-e)*(r/Xr),c=40,l=400;for(let e=o;e<t.count;++e)c=Math.max(c,t.rttMs[e]+t.jitterMs[e]),l=Math.max(l,t.bytesReceived[e]);this.#e+=(c*1.15-this.#e)*.25;let u=e=>Qr-e/this.#e*84;ti(a,r,this.#e,u),a.beginPath();for(let e=o;e<t.count;++e)a.lineTo(s(e),u(t.rttMs[e]+t.jitterMs[e]));for(let e=t.count-1;e>=o;--e)a.lineTo(s(e),u(Math.max(0,t.rttMs[e]-t.jitterMs[e])));a.fillStyle=Q.jitter,a.fill(),a.beginPath();for(let e=o;e<t.count;++e)a.lineTo(s(e),u(t.rttMs[e]));a.strokeStyle=Q.rtt,a.lineWidth=1.4,a.stroke();let d=r/Xr;for(let e=o;e<t.count;++e){let n=t.bytesReceived[e]/l*30;a.fillStyle=t.packetsLost[e]>0?Q.loss:Q.bytes,a.fillRect(s(e),i-n,Math.max(d-.5,.7),n),t.packetsLost[e]>0&&a.fillRect(s(e),i-$r+2,Math.max(d,1),3),t.corrections[e]!==0&&(a.fillStyle=Q.correction,a.fillRect(s(e),0,1.5,Qr))}}};customElements.define(`net-panel`,ei);function ti(e,t,n,r){let i=[10,20,50,100,200,500,1e3].find(e=>n/e<4)??2e3;e.font=`10px Inter, system-ui, sans-serif`,e.fillStyle=Q.text;for(let a=i;a<n;a+=i)e.strokeStyle=Q.line,e.lineWidth=1,e.beginPath(),e.moveTo(0,Math.round(r(a))+.5),e.lineTo(t,Math.round(r(a))+.5),e.stroke(),e.fillText(`${a} ms`,1,r(a)-3)}function ni(e){let[t,n,r,i]=[0,0,0,0],a=Math.max(0,e.count-Zr);for(let r=a;r<e.count;++r)t+=e.bytesReceived[r],n+=e.bytesSent[r];for(let t=Math.max(0,e.count-Xr);t<e.count;++t)r+=e.packetsReceived[t],i+=e.packetsLost[t];let o=Math.max((e.count-a)*Yr,Yr)/1e3;return{inKB:t/o/1e3,outKB:n/o/1e3,lossPercent:r+i===0?0:100*i/(r+i)}}var ri=class extends e{static properties={cockpit:{attribute:!1},off:{attribute:!1}};static styles=[o,kr,t`
      ul {
        display: grid;
        gap: 1px;
        margin: 0 -6px;
        padding: 0;
        list-style: none;
      }
      li button {
        display: grid;
        grid-template-columns: 22px 1fr auto;
        align-items: center;
        gap: 8px;
        width: 100%;
        height: 25px;
        padding: 0 6px;
        border: 0;
        background: none;
        text-align: left;
      }
      li.off {
        border-radius: 4px;
        background: rgb(232 196 104 / 9%);
      }
      li.off .name {
        color: var(--warn);
        text-decoration: line-through;
        text-decoration-color: rgb(232 196 104 / 55%);
      }
      .state {
        width: 22px;
        height: 12px;
        padding: 2px;
        border-radius: 7px;
        background: var(--accent-soft);
      }
      .state::after {
        content: '';
        display: block;
        width: 8px;
        height: 8px;
        border-radius: 50%;
        background: var(--accent);
        transform: translateX(10px);
        transition: transform 0.14s;
      }
      li.off .state {
        background: rgb(150 170 205 / 14%);
      }
      li.off .state::after {
        background: var(--text-faint);
        transform: none;
      }
      .without {
        padding: 0 6px 5px 36px;
        font-size: 11px;
        line-height: 1.3;
        color: var(--text-soft);
      }
      cmd-line {
        margin-top: 9px;
      }
    `];render(){let{cockpit:e,off:t}=this,i=F.filter(({key:e})=>t.includes(e)).map(e=>Ln(e,!1)),a=i.length>0?` ${i.join(` `)}`:``;return r`<section class="panel" aria-label="Techniques">
      <header>
        <h2>Techniques</h2>
        <span class="right">${t.length===0?`all on`:r`<kbd>0</kbd> all on`}</span>
      </header>
      <ul>
        ${F.map(({key:i,title:a,without:o},s)=>{let c=t.includes(i);return r`<li class=${c?`off`:``}>
            <button title=${`${i}: ${o}`} aria-pressed=${!c} @click=${()=>e.setTechnique(i,c)}>
              <kbd>${s+1}</kbd><span class="name">${a}</span><span class="state"></span>
            </button>
            ${c?r`<div class="without">${o}</div>`:n}
          </li>`})}
      </ul>
      <cmd-line .text=${`./perigee ctl techniques ${je(e.playerName)}${a}`}></cmd-line>
    </section>`}};customElements.define(`techniques-panel`,ri);var ii=t`
  :host {
    position: relative;
    display: block;
    height: 100%;
    background: #05070b;
    overflow: hidden;
  }
  canvas#view {
    position: absolute;
    inset: 0;
    display: block;
    width: 100%;
    height: 100%;
    outline: none;
  }

  .join {
    position: absolute;
    inset: 0;
    display: grid;
    place-items: center start;
    padding: 0 clamp(24px, 9vw, 140px);
    background: linear-gradient(90deg, rgb(5 7 11 / 72%), rgb(5 7 11 / 12%) 62%, transparent);
  }
  .join form {
    width: min(430px, 100%);
  }
  .join .title {
    margin-bottom: 12px;
    font-size: 44px;
    font-weight: 600;
    letter-spacing: -0.035em;
  }
  .join p {
    margin-bottom: 24px;
    font-size: 15px;
    font-weight: 400;
    line-height: 1.55;
    color: #b6c1d3;
  }
  .join .row {
    display: flex;
    gap: 8px;
  }
  .join .row input {
    flex: 1;
    height: 40px;
    padding: 0 13px;
    font-size: 15px;
    background: rgb(8 11 17 / 70%);
  }
  .join .row button {
    height: 40px;
    padding: 0 24px;
    font-size: 15px;
  }
  .join .why {
    margin: 14px 0 0;
    font-size: 13px;
    color: #efd389;
  }

  .column {
    position: absolute;
    top: 14px;
    bottom: 14px;
    z-index: 5;
    display: flex;
    flex-direction: column;
    gap: 10px;
    width: 252px;
    overflow-y: auto;
    scrollbar-width: none;
    pointer-events: none;
  }
  .column > * {
    flex: none;
    pointer-events: auto;
  }
  .column.left {
    left: 14px;
    justify-content: space-between;
  }
  .column.right {
    right: 14px;
    width: 308px;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 5px;
    margin-top: auto;
  }
  .tools button {
    background: var(--bg-panel);
    backdrop-filter: var(--blur);
  }
  .tools button.on {
    border-color: var(--accent);
    color: #cfe0ff;
  }

  .sight {
    position: absolute;
    top: 50%;
    left: 50%;
    width: 5px;
    height: 5px;
    margin: -2.5px;
    border-radius: 50%;
    background: rgb(235 242 255 / 78%);
    box-shadow: 0 0 4px rgb(0 0 0 / 60%);
    pointer-events: none;
  }
  .sight.split {
    left: 25%;
  }
  .sight.hit {
    width: 18px;
    height: 18px;
    margin: -9px;
    background: none;
    box-shadow: none;
    border: 2px solid #fff;
  }
  .frame {
    position: absolute;
    inset: 0;
    pointer-events: none;
    transition: box-shadow 0.25s;
  }
  .frame.smoothing {
    box-shadow: inset 0 0 0 2px rgb(86 240 138 / 60%), inset 0 0 60px rgb(86 240 138 / 16%);
    transition: none;
  }
  .frame.hurt {
    box-shadow: inset 0 0 140px rgb(242 90 90 / 55%);
    transition: none;
  }
  .divider {
    position: absolute;
    inset: 0 auto 0 50%;
    width: 1px;
    background: rgb(200 215 240 / 45%);
    pointer-events: none;
  }
  .half {
    position: absolute;
    bottom: 46px;
    padding: 2px 9px;
    border-radius: 4px;
    background: rgb(5 7 11 / 62%);
    font-size: 12px;
    pointer-events: none;
  }
  .half.left {
    right: calc(50% + 12px);
  }
  .half.right {
    left: calc(50% + 12px);
    color: #ffcf9a;
  }
  .banner {
    position: absolute;
    top: 18px;
    left: 50%;
    z-index: 6;
    max-width: min(560px, 90%);
    padding: 7px 15px;
    transform: translateX(-50%);
    border: 1px solid rgb(232 196 104 / 45%);
    border-radius: 99px;
    background: rgb(30 25 12 / 82%);
    color: #f2d88f;
    text-align: center;
    backdrop-filter: var(--blur);
  }
  .status {
    position: absolute;
    bottom: 14px;
    left: 50%;
    display: flex;
    gap: 14px;
    padding: 3px 12px;
    transform: translateX(-50%);
    border-radius: 99px;
    background: rgb(5 7 11 / 50%);
    font-size: 11px;
    color: var(--text-soft);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .status b {
    font-weight: 500;
    color: var(--text);
  }
  .prompt {
    position: absolute;
    bottom: 17%;
    left: 50%;
    transform: translateX(-50%);
    padding: 5px 13px;
    border-radius: 99px;
    background: rgb(5 7 11 / 58%);
    white-space: nowrap;
    pointer-events: none;
  }
  .prompt kbd {
    margin-right: 3px;
  }
  @media (max-width: 900px) {
    .column.left,
    .tools,
    .status {
      display: none;
    }
  }
`,ai=`
attribute vec4 face;
attribute float glow;
attribute float limb;
#ifdef USE_WALK
attribute vec2 walk; // phase in radians, swing in radians
#endif
varying vec4 vFace;
varying float vGlow;
`,oi=`
vFace = face;
vGlow = glow;
#ifdef USE_WALK
if (limb != 0.0) {
  float hinge = abs(limb) > 1.5 ? 0.42 : -0.12;
  float angle = sin(walk.x) * walk.y * (limb == 1.0 || limb == -2.0 ? 1.0 : -1.0);
  float c = cos(angle), s = sin(angle);
  vec2 arm = vec2(transformed.y - hinge, transformed.z);
  transformed.y = hinge + arm.x * c - arm.y * s;
  transformed.z = arm.x * s + arm.y * c;
}
#endif
`,si=`
varying vec4 vFace;
varying float vGlow;

// 1 on lines that are \`step\` metres apart; fades where lines are thinner than pixels.
float panelLines(vec2 at, float stepM, float widthM) {
  vec2 cell = abs(fract(at / stepM - 0.5) - 0.5) * stepM;
  vec2 pixel = fwidth(at);
  vec2 line = 1.0 - smoothstep(vec2(widthM), vec2(widthM) + pixel * 1.2 + 0.004, cell);
  vec2 shown = 1.0 - smoothstep(vec2(0.12 * stepM), vec2(0.4 * stepM), pixel);
  return max(line.x * shown.x, line.y * shown.y);
}
`,ci=`
float edgeM = min(vFace.z - abs(vFace.x), vFace.w - abs(vFace.y));
if (vFace.z < 5000.0) {
  float large = min(vFace.z, vFace.w);
  float pixel = fwidth(edgeM);
  float rim = (1.0 - smoothstep(0.02, 0.05 + pixel, edgeM)) * (1.0 - smoothstep(0.25, 1.2, pixel));
  float fine = large > 1.5 ? panelLines(vFace.xy, 1.0, 0.008) : 0.0;
  float coarse = large > 6.0 ? panelLines(vFace.xy, 5.0, 0.035) : 0.0;
  diffuseColor.rgb *= 1.0 - 0.24 * fine - 0.42 * coarse;
  diffuseColor.rgb += (0.035 + 0.5 * diffuseColor.rgb) * rim;
}
`,li=`
totalEmissiveRadiance += vGlow * diffuseColor.rgb * 1.15;
`;function ui({walks:e=!1,hologram:t}={}){let n=new de({vertexColors:!0,roughness:.62,metalness:.28,...t?{transparent:!0,opacity:.34,depthWrite:!1,blending:2}:{}});e&&(n.defines={...n.defines,USE_WALK:``});let r=t?new x(t):void 0;return n.onBeforeCompile=e=>{r&&(e.uniforms.hologram={value:r}),e.vertexShader=e.vertexShader.replace(`#include <common>`,`#include <common>\n${ai}`).replace(`#include <begin_vertex>`,`#include <begin_vertex>\n${oi}`),e.fragmentShader=e.fragmentShader.replace(`#include <common>`,`#include <common>\n${si}${r?`uniform vec3 hologram;
`:``}`).replace(`#include <color_fragment>`,`#include <color_fragment>\n${ci}`).replace(`#include <emissivemap_fragment>`,`#include <emissivemap_fragment>\n${r?`totalEmissiveRadiance += hologram * 0.8;`:li}`)},n.customProgramCacheKey=()=>`hull${e?` walks`:``}${r?` hologram`:``}`,n}function di(e,t=!1){let n=new le({color:e,side:1,toneMapped:!1,fog:!1});return t&&(n.defines={...n.defines,USE_WALK:``}),n.onBeforeCompile=e=>{e.vertexShader=e.vertexShader.replace(`#include <common>`,`#include <common>\n${ai}`).replace(`#include <begin_vertex>`,`#include <begin_vertex>\n${oi}\ntransformed += normal * 0.045;`)},n.customProgramCacheKey=()=>`outline${t?` walks`:``}`,n}var fi=16,pi=`#56f08a`,mi=class{group=new _e;#e;#t;#n;#r;#i;#a=0;#o=!1;#s=new b;#c=new v;#l=new w;#u=new v(1,1,1);constructor(e){this.#e=e,this.#t=ui({walks:e.walks,...e.hologram?{hologram:e.hologram}:{}}),this.#n=this.#d(fi)}get count(){return this.#a}begin(){this.#a=0,this.#r&&(this.#r.visible=!1)}put(e,t,n,r){return this.#a===this.#n.instanceMatrix.count&&this.#p(),this.#l.set(r[0],r[1],r[2],r[3]),this.#s.compose(this.#c.set(e,t,n),this.#l,this.#u),this.#s.toArray(this.#n.instanceMatrix.array,this.#a*16),this.#a++}tint(e,t){this.#n.setColorAt(e,t),this.#o=!0}walk(e,t,n){this.#i?.setXY(e,t,n)}outline(){this.#r??=this.#f(),this.#r.matrix.copy(this.#s),this.#r.matrixWorldNeedsUpdate=!0,this.#r.visible=!0}end(){let e=this.#n;e.count=this.#a,e.visible=this.#a>0,e.instanceMatrix.needsUpdate=!0,this.#o&&e.instanceColor&&(e.instanceColor.needsUpdate=!0),this.#i&&(this.#i.needsUpdate=!0)}dispose(){this.#n.dispose(),this.#t.dispose(),(this.#r?.material)?.dispose()}#d(e){let{geometry:t,walks:n,hologram:r}=this.#e,i=t;n&&(i=t.clone(),this.#i=new pe(new Float32Array(e*2),2),this.#i.setUsage(be),i.setAttribute(`walk`,this.#i));let a=new Ee(i,this.#t,e);return a.instanceMatrix.setUsage(be),a.frustumCulled=!1,a.castShadow=a.receiveShadow=r===void 0,this.group.add(a),a}#f(){let e=this.#e.geometry.clone();if(this.#e.walks){let t=e.getAttribute(`position`).count;e.setAttribute(`walk`,new y(new Float32Array(t*2),2))}let t=new _(e,di(pi,this.#e.walks));return t.matrixAutoUpdate=!1,t.frustumCulled=!1,this.group.add(t),t}#p(){let e=this.#n,t=this.#i;this.#n=this.#d(e.instanceMatrix.count*2),this.#n.instanceMatrix.array.set(e.instanceMatrix.array),e.instanceColor&&(this.#n.setColorAt(0,new x),this.#n.instanceColor.array.set(e.instanceColor.array)),t&&this.#i&&this.#i.array.set(t.array),this.group.remove(e),e.dispose()}},hi=3200,gi=new v(.08,.66,-.62).normalize(),_i=new v(.86,-.36,.42).normalize(),vi=.64,yi=`
float hash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
`,bi=`
${yi}
float soft(vec3 p) {
  vec3 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(
    mix(mix(hash(i), hash(i + vec3(1, 0, 0)), f.x), mix(hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)), f.x), f.y),
    mix(mix(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), f.x),
        mix(hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
float clouds(vec3 p) {
  float sum = 0.0, weight = 0.5;
  for (int i = 0; i < 6; ++i) { sum += weight * soft(p); p = p * 2.03 + 17.1; weight *= 0.5; }
  return sum;
}
`;function xi(e){let t=new ge(2048,1024,{wrapS:me,generateMipmaps:!0,minFilter:ne}),n=new ae({vertexShader:`varying vec2 vAt; void main() { vAt = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`,fragmentShader:`varying vec2 vAt; ${bi}
      void main() {
        float lon = (vAt.x - 0.5) * 6.2831853, lat = (vAt.y - 0.5) * 3.14159265;
        vec3 p = vec3(cos(lat) * cos(lon), sin(lat), cos(lat) * sin(lon));
        float land = clouds(p * 2.2 + 3.0);
        vec3 warp = p * 5.2 + 2.6 * vec3(soft(p * 3.0), soft(p * 3.0 + 9.0), soft(p * 3.0 + 21.0))
            + 0.8 * vec3(soft(p * 9.0), soft(p * 9.0 + 5.0), soft(p * 9.0 + 11.0));
        float cover = clouds(warp * vec3(1.0, 1.5, 1.0));
        gl_FragColor = vec4(land, cover, clouds(p * 1.6 + 40.0), clouds(p * 3.1 + 70.0));
      }`,depthTest:!1,depthWrite:!1}),r=new _(new g(2,2),n);r.frustumCulled=!1;let i=e.getRenderTarget();return e.setRenderTarget(t),e.render(new he().add(r),new we),e.setRenderTarget(i),n.dispose(),r.geometry.dispose(),t}function Si(e){let t=new ae({uniforms:{baked:{value:e},sun:{value:gi}},vertexShader:`varying vec3 vDirection;
      void main() { vDirection = position; gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww; }`,fragmentShader:`varying vec3 vDirection; uniform sampler2D baked; uniform vec3 sun;
      void main() {
        vec3 d = normalize(vDirection);
        vec2 at = vec2(atan(d.z, d.x) / 6.2831853 + 0.5, asin(clamp(d.y, -1.0, 1.0)) / 3.14159265 + 0.5);
        vec4 n = textureLod(baked, at, 0.0);
        float band = exp(-pow(dot(d, normalize(vec3(0.35, 0.78, 0.52))) * 2.6, 2.0));
        vec3 color = vec3(0.0042, 0.0058, 0.0098);
        color += band * vec3(0.012, 0.017, 0.032) * smoothstep(0.25, 0.75, n.z);
        color += band * vec3(0.024, 0.014, 0.028) * pow(smoothstep(0.35, 0.8, n.w), 2.0);
        float toSun = max(dot(d, sun), 0.0);
        color += vec3(1.0, 0.93, 0.82) * (smoothstep(0.99985, 0.99993, toSun) * 40.0 + pow(toSun, 900.0) * 1.6 + pow(toSun, 60.0) * 0.09);
        gl_FragColor = vec4(color, 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,side:1,depthWrite:!1}),n=new _(new ce(1,32,16),t);return n.renderOrder=-30,n}function Ci(){let e=7,t=()=>(e=e*16807%2147483647)/2147483647,n=new Float32Array(hi*3),r=new Float32Array(hi*3),i=new Float32Array(hi),a=new v,o=new v(.35,.78,.52).normalize();for(let e=0;e<hi;++e){a.set(t()*2-1,t()*2-1,t()*2-1).normalize(),e%5<2&&a.addScaledVector(o,-a.dot(o)*.86).normalize(),a.toArray(n,e*3);let s=t()**7,c=t();i[e]=1+2.1*s;let l=.2+.8*s;r.set([l*(.78+.22*c),l*.88,l*(1-.2*c)],e*3)}let s=new Ce;s.setAttribute(`position`,new y(n,3)),s.setAttribute(`color`,new y(r,3)),s.setAttribute(`size`,new y(i,1));let c=new ae({uniforms:{pixels:{value:1}},vertexShader:`attribute float size; attribute vec3 color; varying vec3 vColor; uniform float pixels;
      void main() {
        vColor = color;
        gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww;
        gl_PointSize = size * pixels * 1.35;
      }`,fragmentShader:`varying vec3 vColor;
      void main() {
        float r = length(gl_PointCoord - 0.5) * 2.0;
        gl_FragColor = vec4(vColor * smoothstep(1.0, 0.15, r), 1.0);
      }`,blending:2,transparent:!0,depthWrite:!1}),l=new fe(s,c);return l.frustumCulled=!1,l.renderOrder=-20,l}function wi(e){let t=new ae({uniforms:{baked:{value:e},sun:{value:gi},middle:{value:_i},radius:{value:vi}},vertexShader:`uniform vec3 middle; varying vec3 vDirection;
      void main() {
        vec3 side = normalize(cross(middle, vec3(0.0, 1.0, 0.0)));
        vec3 up = cross(side, middle);
        vDirection = middle * 0.75 + (side * position.x + up * position.y) * 0.95;
        gl_Position = (projectionMatrix * vec4(mat3(viewMatrix) * vDirection, 1.0)).xyww;
      }`,fragmentShader:`varying vec3 vDirection; uniform vec3 middle, sun; uniform float radius; uniform sampler2D baked;
      ${yi}
      void main() {
        vec3 d = normalize(vDirection);
        float along = dot(d, middle);
        float near2 = 1.0 - along * along;          // squared distance of the ray from the middle
        float miss = sqrt(max(near2, 0.0)) - radius; // beyond the limb, in planet distances
        float rim = exp(-max(miss, 0.0) * 62.0);
        vec3 limb = normalize(d * along - middle);
        float day = smoothstep(-0.3, 0.6, dot(limb, sun));
        vec3 air = vec3(0.24, 0.50, 1.0);
        if (miss > 0.0) {
          gl_FragColor = vec4(air * rim * rim * (0.02 + 0.85 * day), 0.0);
        } else {
          vec3 hit = d * (along - sqrt(max(radius * radius - near2, 0.0)));
          vec3 normal = (hit - middle) / radius;
          vec3 p = normal;
          vec2 at = vec2(atan(p.z, p.x) / 6.2831853 + 0.5, asin(clamp(p.y, -1.0, 1.0)) / 3.14159265 + 0.5);
          vec4 n = textureLod(baked, at, 0.0);
          float land = smoothstep(0.5, 0.56, n.x);
          vec3 ground = mix(vec3(0.012, 0.035, 0.085), mix(vec3(0.07, 0.075, 0.055), vec3(0.16, 0.13, 0.095), n.w), land);
          float cover = smoothstep(0.42, 0.68, n.y);
          float sunlight = dot(normal, sun);
          float lit = smoothstep(-0.12, 0.55, sunlight);
          vec3 color = mix(ground, vec3(0.62, 0.66, 0.72), cover * 0.85) * lit;
          color += (1.0 - cover) * (1.0 - land) * vec3(0.5, 0.6, 0.7) * pow(max(dot(reflect(-sun, normal), -d), 0.0), 40.0) * lit;
          float grazing = 1.0 - max(dot(normal, -d), 0.0);
          color += air * pow(grazing, 3.2) * (0.02 + 0.75 * smoothstep(-0.25, 0.5, sunlight));
          color += vec3(0.6, 0.27, 0.1) * (0.25 + grazing) * exp(-pow((sunlight - 0.02) * 9.0, 2.0)) * 0.16;
          vec3 grid = normal * 150.0;
          float town = smoothstep(0.42, 0.05, length(fract(grid) - 0.5)) * step(0.8, hash(floor(grid)));
          float cities = land * (1.0 - cover) * town * smoothstep(0.42, 0.62, n.w);
          color += vec3(1.0, 0.66, 0.3) * cities * smoothstep(0.05, -0.15, sunlight) * 0.5;
          gl_FragColor = vec4(color * 1.15, 1.0);
        }
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,transparent:!0,blending:5,blendSrc:201,blendDst:205,depthWrite:!1}),n=new _(new g(2,2),t);return n.frustumCulled=!1,n.renderOrder=-10,n}var Ti=class{group=new _e;#e;#t;constructor(e,t=!0){this.#e=xi(e),this.#t=Ci(),this.#t.material.uniforms.pixels.value=e.getPixelRatio(),this.group.add(Si(this.#e.texture),this.#t),t&&this.group.add(wi(this.#e.texture))}dispose(){this.#e.dispose(),this.group.traverse(e=>{(e instanceof _||e instanceof fe)&&(e.geometry.dispose(),e.material.dispose())})}},Ei=70,Di=2048,Oi=class{#e=new Map;of(e){let t=this.#e.get(e);return t||this.#e.set(e,t=e.geometry()),t}dispose(){for(let e of this.#e.values())e.dispose();this.#e.clear()}},ki=class{scene=new he;sun;#e=new Map;#t;#n;#r;constructor(e,t,n){this.#t=t,this.#n=new Ti(e),this.scene.add(this.#n.group),this.scene.add(new De(`#8ea9d8`,`#2b3348`,1.15)),this.sun=new xe(`#fff1dd`,3.1),this.sun.position.copy(gi).multiplyScalar(200),this.scene.add(this.sun,this.sun.target);let r=new xe(`#5d86d6`,.5);r.position.set(.86,-.36,.42).multiplyScalar(100),this.scene.add(r),this.#r=n,n&&this.#i()}kind(e,t,n){let r=this.#e.get(e);return r||(r=new mi({geometry:this.#t.of(t),walks:t.walks===!0,hologram:n}),this.#e.set(e,r),this.scene.add(r.group)),r}begin(){for(let e of this.#e.values())e.begin()}end(e){for(let e of this.#e.values())e.end();this.sun.target.position.copy(e),this.sun.position.copy(e).addScaledVector(gi,200)}setQuality(e){this.sun.castShadow=this.#r&&e===`full`}dispose(){for(let e of this.#e.values())e.dispose();this.#e.clear(),this.#n.dispose(),this.sun.dispose()}#i(){let{shadow:e}=this.sun;this.sun.castShadow=!0,e.mapSize.set(Di,Di);let{camera:t}=e;t.left=t.bottom=-70,t.right=t.top=Ei,t.near=20,t.far=420,e.bias=-4e-4,e.normalBias=.06}},Ai=new v,ji=new v,Mi=new w;function Ni(e,t,n,r,i){let a;for(let o=0;o<e.length;++o){let s=e[o];if(!(s.position.distanceTo(t)>r+s.reachM||i(s))){Mi.copy(s.rotation).invert(),Ai.copy(t).sub(s.position).applyQuaternion(Mi),ji.copy(n).applyQuaternion(Mi);for(let e of s.model.blocks){if(e.decor||e.yawRad)continue;let t=Pi(Ai,ji,e.low,e.high);t<(a?.distanceM??r)&&(a={distanceM:t,body:o})}}}return a}function Pi(e,t,n,r){let i=-1/0,a=1/0;for(let o=0;o<3;++o){let[s,c]=[e.getComponent(o),t.getComponent(o)];if(Math.abs(c)<1e-9){if(s<n[o]||s>r[o])return 1/0;continue}let[l,u]=[(n[o]-s)/c,(r[o]-s)/c];i=Math.max(i,Math.min(l,u)),a=Math.min(a,Math.max(l,u))}return i<=a&&i>0?i:1/0}var Fi=4.2,Ii=15,Li=.55,Ri=.35,zi=.25,Bi=class{firstPerson=!1;camera=new ie(68,1,.14,9e3);eye=new v;direction=new v;turn=new w;#e=new v;#t=new v;#n=new v;#r=Fi;place(e,t,n,r,i,a,o){this.turn.setFromEuler(new Te(-r,n,0,`YXZ`));let s=t.clone().multiply(this.turn);this.direction.set(0,0,1).applyQuaternion(s),this.#t.set(0,1,0).applyQuaternion(t),this.eye.copy(e).addScaledVector(this.#t,yr);let{camera:c}=this;if(c.quaternion.copy(s).multiply(Vi),this.firstPerson&&!i){c.position.copy(this.eye);return}let l=i?Ii:Fi;this.#n.copy(this.direction).negate(),this.#e.set(-(i?0:Li),0,0).applyQuaternion(s);let u=this.eye.clone().add(this.#e).addScaledVector(this.#t,i?3:Ri),d=Ni(a,u,this.#n,l+zi,e=>e.model.walks===!0||i),f=d?Math.max(.3,d.distanceM-zi):l;this.#r=f<this.#r?f:Math.min(f,this.#r+o*9),c.position.copy(u).addScaledVector(this.#n,this.#r)}get boomM(){return this.firstPerson?0:this.#r}},Vi=new w(0,1,0,0),Hi=48,Ui=130,Wi=60,Gi=2200,Ki=420,qi={shot:Ui,arrow:Gi,puff:Ki},Ji={shot:new x(`#bcd6ff`),arrow:new x(`#ffe3b8`),puff:new x(`#b3a58f`)},Yi=class{object;#e=[];#t=new y(new Float32Array(288),3);#n=new y(new Float32Array(288),3);constructor(){let e=new Ce;e.setAttribute(`position`,this.#t),e.setAttribute(`color`,this.#n),this.object=new Se(e,new ue({vertexColors:!0,blending:2,depthWrite:!1,toneMapped:!1})),this.object.frustumCulled=!1}add(e,t,n,r,i,a){let o=[n.x+a[0],n.y+a[1],n.z+a[2]];this.#e.push({kind:e,bornMs:t,lengthM:i,from:o,to:[r.x,r.y,r.z]}),this.#e.length>Hi&&this.#e.shift()}puff(e,t,n){let r=new v;for(let i=0;i<7;++i)r.setFromSphericalCoords(1,.3+i%3*.35,i*.9),this.add(`puff`,e,t,r,.5,n)}draw(e,t){for(;this.#e[0]&&e-this.#e[0].bornMs>qi[this.#e[0].kind];)this.#e.shift();let n=0;for(let{kind:r,bornMs:i,lengthM:a,from:o,to:s}of this.#e){let c=e-i,l=1-c/qi[r];if(l<=0)continue;let[u,d]=Xi(r,c,a);for(let[e,i]of[[0,u],[1,d]]){let a=n*2+e,c=r===`arrow`?4.9*(i/Wi)**2:0;this.#t.setXYZ(a,o[0]-t[0]+s[0]*i,o[1]-t[1]+s[1]*i-c,o[2]-t[2]+s[2]*i);let{r:u,g:d,b:f}=Ji[r],p=l*(e===0&&r===`shot`?.25:1);this.#n.setXYZ(a,u*p,d*p,f*p)}++n}this.object.geometry.setDrawRange(0,n*2),this.object.visible=n>0,this.#t.needsUpdate=this.#n.needsUpdate=!0}dispose(){this.object.geometry.dispose(),this.object.material.dispose()}};function Xi(e,t,n){return e===`shot`?[Math.min(n,t*.6),n]:e===`arrow`?[t/1e3*Wi,Math.min(n,t/1e3*Wi+1.1)]:[t/Ki*n*.6,t/Ki*n*.6+.09]}var Zi=32,Qi=2,$i=new x(`#6c7467`),ea=new x(`#57514b`),ta=new x(`#3d3a3b`),na=class{group=new _e;#e=new _e;seen=!1;#t;#n;#r=[];#i=1;constructor(e,t){this.#t=e,this.#n=t}get solidCells(){return this.#r.reduce((e,t)=>e+t.solidCells,0)}update(e){let t=e.ground(this.#t);if(!t)return!1;this.#r.length===0&&this.#a(t.size,t.cellM);let n=Qi,r=!1;for(let i of this.#r)i.version===t.version||n--<=0||(i.version=t.version,r=this.#o(e,i)||r);return r}placeTruth(e,t,n){this.#e.parent!==e&&e.add(this.#e),this.#e.position.copy(t),this.#e.quaternion.copy(n)}remove(){this.group.removeFromParent(),this.#e.removeFromParent()}dispose(){for(let{meshes:e}of this.#r)e[0].geometry.dispose()}#a(e,t){this.#i=t;let[n,r,i]=e;for(let e=0;e<n;e+=Zi)for(let t=0;t<i;t+=Zi){let a=new _(new Ce,this.#n);a.castShadow=a.receiveShadow=!0,a.visible=!1;let o=new _(a.geometry,this.#n);o.visible=!1,this.group.add(a),this.#e.add(o),this.#r.push({low:[e,0,t],size:[Math.min(Zi,n-e),r,Math.min(Zi,i-t)],version:-1n,shown:void 0,solidCells:0,meshes:[a,o]})}}#o(e,t){let n=t.size.map(e=>e+2),r=t.low.map(e=>e-1),i=e.cells(this.#t,r,n);if(t.shown&&i.every((e,n)=>e===t.shown[n]))return!1;t.shown=i,t.solidCells=ia(i,n),t.meshes[0].geometry.dispose();let a=oa(i,n,r,this.#i);for(let e of t.meshes)e.geometry=a,e.visible=!0;return!0}},ra=[{step:[1,0,0],corners:[[1,0,0],[1,1,0],[1,1,1],[1,0,1]]},{step:[-1,0,0],corners:[[0,0,0],[0,0,1],[0,1,1],[0,1,0]]},{step:[0,1,0],corners:[[0,1,0],[0,1,1],[1,1,1],[1,1,0]]},{step:[0,-1,0],corners:[[0,0,0],[1,0,0],[1,0,1],[0,0,1]]},{step:[0,0,1],corners:[[0,0,1],[1,0,1],[1,1,1],[0,1,1]]},{step:[0,0,-1],corners:[[0,0,0],[0,1,0],[1,1,0],[1,0,0]]}];function ia(e,[t,n,r]){let i=0;for(let a=1;a<n-1;++a)for(let n=1;n<r-1;++n)for(let o=1;o<t-1;++o)i+=e[o+t*(n+r*a)];return i}function aa(e,t,n){return .86+.28*((Math.imul(e*73856093^t*19349663^n*83492791,2654435761)>>>0)%1e3)/1e3}function oa(e,[t,n,r],i,a){let o=(n,i,a)=>e[n+t*(a+r*i)]===1,s=[],c=[],l=[],u=[],d=[],f=new x;for(let e=1;e<n-1;++e)for(let p=1;p<r-1;++p)for(let r=1;r<t-1;++r)if(o(r,e,p))for(let{step:t,corners:m}of ra){if(o(r+t[0],e+t[1],p+t[2]))continue;let h=s.length/3,ee=e<n-2&&!o(r,e+1,p);f.copy(t[1]>0?$i:ee?ea:ta).multiplyScalar(aa(r+i[0],e,p+i[2])),m.forEach((n,o)=>{s.push((r+n[0]+i[0])*a,(e+n[1]+i[1])*a,(p+n[2]+i[2])*a),c.push(...t),l.push(f.r,f.g,f.b),u.push((o===0||o===3?-.5:.5)*a,(o<2?-.5:.5)*a,a/2,a/2)}),d.push(h,h+1,h+2,h,h+2,h+3)}let p=new Ce,m=s.length/3;return p.setAttribute(`position`,new C(s,3)),p.setAttribute(`normal`,new C(c,3)),p.setAttribute(`color`,new C(l,3)),p.setAttribute(`face`,new C(u,4)),p.setAttribute(`glow`,new C(new Float32Array(m),1)),p.setAttribute(`limb`,new C(new Float32Array(m),1)),p.setIndex(d),p}var sa={lowM:[-.5,-.5,-.5],highM:[.5,.5,.5]},ca=class{#e=new Map;of(e,t){let n=gr[e];if(n)return n;let{lowM:r,highM:i}=t.find(({name:t})=>t===e)??sa,a=`${e} ${r.join()} ${i.join()}`,o=this.#e.get(a);return o||this.#e.set(a,o=_r(r,i)),o}};function la(e){let t=0;for(let{low:n,high:r}of e.blocks){let e=n.map((e,t)=>Math.max(Math.abs(e),Math.abs(r[t])));t=Math.max(t,Math.hypot(...e))}return t}var ua=class{origin=[0,0,0];turn=new w;handle=0;parent=0;parentType;local;helm=0;follow(e,t,n){let{own:r}=e;if(!r)return;for(let e=0;e<3;++e)this.origin[e]=r.worldPositionM[e];this.handle=r.handle,this.local=r.localPositionM;let i=da(e,r.parent),a=new w;i&&a.fromArray(i.worldRotation),r.parent!==this.parent&&this.#e(n,a),this.turn.copy(a),this.parent=r.parent,this.parentType=i&&t(i.type),this.helm=Cr(this.parentType,r.localPositionM)?r.parent:0}#e(e,t){let n=new v(0,0,1).applyEuler(new Te(-e.pitchRad,e.yawRad,0,`YXZ`)).applyQuaternion(this.turn).applyQuaternion(t.clone().invert());e.yawRad=Math.atan2(n.x,n.z),e.pitchRad=Math.asin(Math.max(-1,Math.min(1,n.y)))}};function da(e,t){if(t!==0){for(let n of e)if(n.handle===t)return n}}var fa=new x(`#ffffff`),pa=Array.from({length:12},(e,t)=>new x().setHSL(t*.618034%1,.42,.66));function ma(e,t){return t?fa:pa[(Math.imul(e,2654435761)>>>8)%pa.length]}var ha=1.5,ga=.75,_a=3e3,va=class{#e=new Map;#t=0;step(e,t,n,r){let[i,a,o]=[n[0],n[1],n[2]],s=this.#e.get(e);s||(s={x:i,y:a,z:o,parent:t,atMs:r,phaseRad:e*1.7%6.28,swingRad:0},this.#e.set(e,s));let c=(r-s.atMs)/1e3;if(c<=0)return s;let l=s.parent===t?Math.hypot(i-s.x,o-s.z):0,u=Math.min(l/c,12),d=Math.abs(a-s.y)/c>1.2,f=d?.12:Math.min(ga,u*.14);return s.swingRad+=(f-s.swingRad)*Math.min(1,c*10),s.phaseRad+=d?0:Math.min(l,1)/ha*Math.PI*2*.7,Object.assign(s,{x:i,y:a,z:o,parent:t,atMs:r}),s}sweep(e){if(!(e-this.#t<_a)){this.#t=e;for(let[t,{atMs:n}]of this.#e)e-n>_a&&this.#e.delete(t)}}},ya=400,ba=.12,xa=.01,Sa=`#ffb35c`,Ca=class{bodies=[];grounds=new Map;smoothing=!1;close=!1;typeCounts={};#e;#t;#n=new va;#r=new Map;#i=ui();constructor(e,t){this.#e=e,this.#t=t}put(e,t,n,r,i){this.bodies.length=0,this.typeCounts={},this.smoothing=!1;for(let a of e){let e=t.typeName(a.type)??``;this.typeCounts[e]=(this.typeCounts[e]??0)+1,this.#a(a,e,n,r,i)}this.#n.sweep(r);for(let e of this.grounds.values())e.group.visible=e.seen,e.seen&&e.update(t),e.seen=!1}putServerGhost(e,t,n){let r=L(t.handle,n);if(!r)return;let i=da(e,r.parent),a=L(r.parent,n);if(i&&a){let e=a.rotation.clone().invert(),t=new w().fromArray(i.worldRotation);r.position.sub(a.position).applyQuaternion(e).applyQuaternion(t),r.position.add(new v().fromArray(i.worldPositionM)),r.rotation.premultiply(e).premultiply(t)}let[o,s,c]=wa(r.position.toArray(),t.origin);Math.hypot(o,s,c)<ba||this.#e.kind(`server ghost`,this.#t.of(`character`,f.kinds),Sa).put(o,s,c,r.rotation.toArray())}dispose(){for(let e of this.grounds.values())e.dispose();this.#i.dispose()}#a(e,t,n,r,i){let[a,o,s]=wa(e.worldPositionM,n.origin);if(t===`ground`){this.#s(e,a,o,s);return}let c=this.#t.of(t,f.kinds);this.#o(e,t,a,o,s);let l=(e.flags&ze.smoothing)!==0&&Math.hypot(...e.smoothingM)>xa;if(this.smoothing||=l,e.own&&i)return;let u=this.#e.kind(t,c),d=u.put(a,o,s,e.worldRotation);if(c.walks){u.tint(d,ma(e.handle,e.own));let t=e.own&&n.helm!==0,{phaseRad:i,swingRad:a}=this.#n.step(e.handle,e.parent,e.localPositionM,r);u.walk(d,i,t?0:a)}l&&!(e.own&&this.close)&&u.outline()}#o({handle:e,worldRotation:t},n,r,i,a){let o=this.#t.of(n,f.kinds),s=this.#r.get(n);s===void 0&&this.#r.set(n,s=la(o)),Math.hypot(r,i,a)>ya+s||this.bodies.push({handle:e,typeName:n,model:o,reachM:s,position:new v(r,i,a),rotation:new w().fromArray(t)})}#s(e,t,n,r){let i=this.grounds.get(e.handle);i||(i=new na(e.handle,this.#i),this.grounds.set(e.handle,i),this.#e.scene.add(i.group)),i.group.position.set(t,n,r),i.group.quaternion.fromArray(e.worldRotation),i.seen=!0}};function wa(e,t){return[e[0]-t[0],e[1]-t[1],e[2]-t[2]]}var Ta=class{count=0;#e;#t;#n=new va;#r=new v;#i=new w;constructor(e,t){this.#e=e,this.#t=t}put(e,t,n,r){let{matrix:i,turn:a}=Ea(e,t,r);this.count=Hn(r,(t,o,s,c)=>{let l=this.#r.set(...wa(c,e.origin)).applyMatrix4(i),u=this.#i.fromArray(c,3).premultiply(a),d=n.get(t);if(d){d.placeTruth(this.#e.scene,l,u);return}let p=f.kinds[o]?.name??``,m=this.#t.of(p,f.kinds),h=this.#e.kind(p,m),ee=h.put(l.x,l.y,l.z,u.toArray());if(!m.walks)return;h.tint(ee,ma(t,t===e.handle));let{phaseRad:te,swingRad:ne}=this.#n.step(t,s,l.toArray(),r);h.walk(ee,te,ne)}),this.#n.sweep(r)}};function Ea(e,t,n){let r=L(e.parent,n),i=new w,a=new b;if(!t||!r)return{matrix:a,turn:i};i.copy(t.rotation).multiply(r.rotation.clone().invert());let o=new v(...wa(r.position.toArray(),e.origin)).applyQuaternion(i);return a.makeRotationFromQuaternion(i).setPosition(t.position.clone().sub(o)),{matrix:a,turn:i}}var Da=300,Oa=1.2,ka=.006,$=new v,Aa=class{rig=new Bi;own=new ua;mine;truth;marks={hitMs:-1e9,hurtMs:-1e9};actions=new Mr;#e;#t=new Oi;#n;#r;#i=new Yi;constructor(e){this.#e=new te(e);let{renderer:t}=this.#e,n=new ca;this.#n=new ki(t,this.#t,!0),this.#r=new ki(t,this.#t,!1),this.mine=new Ca(this.#n,n),this.truth=new Ta(this.#r,n),this.#n.scene.add(this.#i.object)}get drawCalls(){return this.#e.renderer.info.render.calls}async warmUp(){for(let e of[this.#n,this.#r]){e.setQuality(this.#e.quality);for(let[t,n]of Object.entries(gr))e.kind(t,n).put(0,-1e4,0,[0,0,0,1]);e.end($),await this.#e.renderer.compileAsync(e.scene,this.rig.camera),e.begin(),e.end($)}}drawIdle(e){this.#e.begin(e);let{camera:t}=this.rig;t.position.set(0,0,0),t.rotation.set(-.08,-1.62+e/1e3*ka,0,`YXZ`),this.#e.show(this.#n.scene,t,0,this.#e.width)}draw(e,t,n,r,i,a,o){let{own:s,rig:c,mine:l}=this;this.#e.begin(a),this.#n.setQuality(this.#e.quality),s.follow(e,e=>t.typeName(e),r),this.#n.begin(),l.close=c.boomM<Oa,l.put(e,t,s,a,c.firstPerson&&s.helm===0),i.serverGhost&&l.putServerGhost(e,s,a),c.place($,s.turn,r.yawRad,r.pitchRad,s.helm!==0,l.bodies,o),this.#a(n,a),this.#i.draw(a,s.origin),this.#n.end($);let u=Math.floor(this.#e.width/2);if(this.#e.show(this.#n.scene,c.camera,0,i.split?u:this.#e.width),!i.split)return;this.#r.begin();let d=s.parent===0?void 0:l.bodies.find(({handle:e})=>e===s.parent);this.truth.put(s,d,l.grounds,a),this.#r.end($),this.#e.show(this.#r.scene,c.camera,u,this.#e.width-u)}clear(){this.mine.dispose(),this.actions=new Mr;for(let e of[this.#n,this.#r])e.begin(),e.end($);for(let e of this.mine.grounds.values())e.remove();this.mine.grounds.clear()}dispose(){this.mine.dispose(),this.#n.dispose(),this.#r.dispose(),this.#i.dispose(),this.#t.dispose(),this.#e.dispose()}#a(e,t){this.actions.take(e);for(let{effect:n,state:r,detail:i}of e){let e=n===Z.shot||n===Z.loose;if(r===`confirmed`&&e&&i===1&&(this.marks.hitMs=t),r!==`played`)continue;let{eye:a,direction:o}=this.rig,{origin:s,handle:c}=this.own;if(e){let e=a.clone().addScaledVector(o,.5);e.y-=.16;let r=Ni(this.mine.bodies,a,o,Da,e=>e.handle===c),i=n===Z.shot?`shot`:`arrow`;this.#i.add(i,t,e,o,r?.distanceM??Da,s)}else n===Z.dig||n===Z.fill?this.#i.puff(t,a.clone().addScaledVector(o,2),s):n===Z.hit&&(this.marks.hurtMs=t)}}},ja=`perigee.name`,Ma=220,Na=420,Pa,Fa=class extends e{static properties={cockpit:{state:!0},joining:{state:!0},failure:{state:!0},panels:{state:!0},help:{state:!0},tick:{state:!0},noPicture:{state:!0}};#e=()=>{};#t;#n=0;static styles=[o,ii];constructor(){super(),this.joining=this.help=this.noPicture=!1,this.panels=!0,this.failure=``,this.tick=0,new Oe(this,f)}connectedCallback(){super.connectedCallback(),h(()=>Lr(this.cockpit)),Pa=this,addEventListener(`pagehide`,this.#l)}disconnectedCallback(){super.disconnectedCallback(),h(void 0),removeEventListener(`pagehide`,this.#l),u.page===`lens`&&this.cockpit?this.#c(this.cockpit):this.#l(),cancelAnimationFrame(this.#n),this.#t?.dispose(),this.#t=void 0}render(){return r`
      <canvas id="view" tabindex="0" aria-label="The world"></canvas>
      ${this.cockpit?this.#f(this.cockpit):this.#a()}
    `}updated(){if(this.#t||this.noPicture||!this.isConnected)return;try{this.#t=new Aa(this.#r)}catch(e){console.error(e),this.noPicture=!0;return}this.#t.warmUp();let e=T.take();e?this.#s(e,this.#t):this.#i(),T.ended!==``&&([this.failure,T.ended]=[T.ended,``])}get#r(){return this.renderRoot.querySelector(`#view`)}#i(){let e=t=>{this.#n=requestAnimationFrame(e),this.#t?.drawIdle(t)};cancelAnimationFrame(this.#n),this.#n=requestAnimationFrame(e)}#a(){let e=f.mayAct||f.hello===void 0;return r`<div class="join">
      <form @submit=${this.#o}>
        <div class="title">Fly</div>
        <p>
          The client library itself runs in this page: prediction, physics and encryption as in an engine. Take its
          techniques away, make the network worse, and kill the server below you.
        </p>
        <div class="row">
          <input type="text" id="name" maxlength="32" autocomplete="off" spellcheck="false" placeholder="Your name"
            aria-label="Your name" .value=${localStorage.getItem(ja)??``} ?disabled=${this.joining} />
          <button class="main" id="join" ?disabled=${this.joining||!e||this.noPicture}>${this.joining?`Joining…`:`Join`}</button>
        </div>
        ${e?n:r`<p class="why">To play, ${a}.</p>`}
        ${this.noPicture?r`<p class="why" role="alert">${ee}</p>`:n}
        ${this.failure?r`<p class="why" role="alert">${this.failure}</p>`:n}
      </form>
    </div>`}async#o(e){e.preventDefault();let t=this.renderRoot.querySelector(`#name`)?.value.trim()||`Pilot ${Math.floor(Math.random()*900+100)}`;localStorage.setItem(ja,t),this.joining=!0,this.failure=``;try{let e=await Hr(t,e=>T.pilot?T.end(e):Pa?.ended(e));this.#t?this.#s(e,this.#t):(T.keep(e),T.leave())}catch(e){this.failure=s(e)}this.joining=!1}#s(e,t){cancelAnimationFrame(this.#n);let n=this.#r;this.cockpit=new Or({canvas:n,picture:t,pilot:e,onKey:e=>this.#d(e)}),this.#e=this.cockpit.listen(()=>++this.tick),n.focus()}#c(e){this.#e(),this.cockpit=void 0,T.keep(e.park())}ended(e){this.#u(),this.failure=e,this.#i()}#l=()=>this.#u();#u(){this.#e(),this.cockpit?.end(),this.cockpit=void 0}#d(e){e===`Tab`?this.panels=!this.panels:e===`Slash`||e===`F1`?this.help=!this.help:e===`Escape`?this.help=!1:e===`KeyL`&&this.cockpit?location.hash=`#/lens/${this.cockpit.pilot.clientId}`:e===`KeyK`&&this.renderRoot.querySelector(`failover-panel`)?.kill()}#f(e){let t=performance.now();return r`
      ${e.choices.split?r`<div class="divider"></div><span class="half left">mine</span><span class="half right">the server’s truth</span>`:n}
      <div class="sight ${t-e.picture.marks.hitMs<Ma?`hit`:``} ${e.choices.split?`split`:``}"></div>
      <div class="frame ${e.picture.mine.smoothing?`smoothing`:``} ${t-e.picture.marks.hurtMs<Na?`hurt`:``}"></div>
      ${this.#_(e)} ${this.#v(e)}
      ${this.panels?this.#p(e):n} ${this.panels?this.#m(e):n}
      ${this.help?r`<help-panel @close=${()=>this.help=!1}></help-panel>`:n}
    `}#p(e){return r`
      <div class="column left">
        <techniques-panel .cockpit=${e} .off=${[...e.off]}></techniques-panel>
        <link-panel .cockpit=${e} .link=${e.link}></link-panel>
      </div>
      <div class="column right">
        <net-panel .cockpit=${e} .tick=${this.tick}></net-panel>
        <failover-panel .cockpit=${e} .tick=${this.tick}></failover-panel>
        <div class="tools">
          <button class="small ${e.choices.split?`on`:``}" @click=${()=>this.#h(`split`)}>Split <kbd>T</kbd></button>
          <button class="small ${e.choices.serverGhost?`on`:``}" @click=${()=>this.#h(`serverGhost`)}>Server’s me <kbd>B</kbd></button>
          <button class="small" @click=${()=>e.desync(.5)} title="Moves the prediction by 0.5 m">Desync <kbd>E</kbd></button>
          <button class="small" @click=${()=>location.hash=`#/lens/${e.pilot.clientId}`}
            title="The last 30 s of this flight: both paths, and the cause of each correction">Lens <kbd>L</kbd></button>
          <button class="small" @click=${()=>this.help=!0}>Keys <kbd>?</kbd></button>
          <button class="small" @click=${this.#g}>Leave</button>
        </div>
      </div>
    `}#m(e){return r`<div class="status" title="Main thread, 99th percentile of the last frames: the client library, and the whole frame">
      <span><b>${m(e.framesPerSecond)}</b> fps</span>
      <span>JS p99: library <b>${m(e.wasmTimes.quantile(.99),1)}</b> · frame <b>${m(e.frameTimes.quantile(.99),1)} ms</b></span>
      <span><b>${e.sceneCount}</b> entities</span>
    </div>`}#h(e){let t=this.cockpit?.choices;t&&(t[e]=!t[e],++this.tick)}#g(){this.#u(),this.failure=``,this.#i()}#_(e){let{gap:t}=e.failover;return e.session.state===`reconnecting`?r`<div class="banner warn" role="alert">The gateway is silent: the client reconnects, and goes on predicting.</div>`:t&&!t.healed?r`<div class="banner warn" role="alert">${t.worker} is dead. ${t.successor||`Its standby`} takes over; your client goes on.</div>`:n}#v(e){let{target:t}=e;return t?r`<div class="prompt"><kbd>F</kbd> ${t.sentence}</div>`:e.controls.captured?n:r`<div class="prompt faint">Click to look around · <kbd>?</kbd> all keys</div>`}};customElements.define(`fly-page`,Fa);export{Fa as FlyPage};