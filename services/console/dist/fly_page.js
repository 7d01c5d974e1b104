import{a as e,i as t,o as n,s as r}from"./lit.js";import{a as i,c as a,d as o,f as s,h as c,i as l,l as u,m as d,n as f,o as p,p as m,r as h,s as g,t as ee,u as te}from"./index.js";import{A as _,C as ne,D as v,E as re,M as ie,N as y,O as ae,P as oe,S as se,T as ce,_ as le,a as ue,b as de,c as fe,d as pe,f as b,g as me,h as he,i as x,j as ge,k as _e,l as ve,m as ye,n as be,o as xe,p as Se,r as S,s as C,t as Ce,u as we,v as Te,w as Ee,x as w,y as De}from"./three.js";var Oe=1225,ke={badArgument:-1,badToken:-2,bufferTooSmall:-3,notPlaying:-4,internal:-5},Ae={"token-expired":-6,"token-invalid":-5,"timed-out":-4,"response-timed-out":-3,"request-timed-out":-2,denied:-1,disconnected:0,connecting:1,joining:2,playing:3,reconnecting:4},T={jump:1,run:2,jetpack:4,dampers:8,fire:16,alternate:32,dig:64,fill:128},je={own:1,smoothing:2,extrapolated:4},Me={played:0,confirmed:1,cancelled:2},E={bytes:20,family:0,ip:1,port:18},Ne={bytes:36,structBytes:0,right:4,up:8,forward:12,yawRad:16,pitchRad:20,held:24,pressed:28,useHandle:32},Pe={bytes:152,handle:0,parent:4,type:8,flags:12,localPositionM:16,localRotation:40,worldPositionM:72,worldRotation:96,smoothingM:128},Fe={bytes:24,tick:0,index:4,effect:8,subject:12,state:16,detail:20},Ie={bytes:32,structBytes:0,size:4,cellM:16,version:24},Le={bytes:40,structBytes:0,known:4,predictedTick:8,viewOriginTick:12,viewTicks:16,viewDelayS:24,rate:32},Re={bytes:80,structBytes:0,rttUs:8,fullLoopUs:16,jitterUs:24,leadUs:32,packets:40,packetsLost:48,bytesReceived:56,corrections:64,largestCorrectionM:72},ze={bytes:64,endUs:0,rttUs:8,jitterUs:16,leadUs:24,packetsReceived:32,packetsLost:36,bytesReceived:40,packetsSent:44,bytesSent:48,corrections:52,largestCorrectionM:56},Be=16,Ve=class e{encoded;host;port;text;constructor(e,t,n){this.encoded=e,this.host=t,this.port=n,this.text=t.includes(`:`)?`[${t}]:${n}`:`${t}:${n}`}static read(t,n){let r=t.slice(n,n+E.bytes),i=new DataView(r.buffer),a=r.subarray(E.ip,E.ip+Be),o=i.getUint16(E.port,!0);if(r[E.family]===4)return new e(r,a.subarray(0,4).join(`.`),o);let s=[];for(let e=0;e<Be;e+=2)s.push((a[e]<<8|a[e+1]).toString(16));return new e(r,s.join(`:`),o)}isAt(e,t){return this.encoded.every((n,r)=>n===e[t+r])}},D=class extends Error{fault;name=`PerigeeError`;constructor(e,t,n){super(t,n),this.fault=e}};function O(e){return e instanceof Error?e.message:String(e)}var He={};function Ue(e,t,n){let r=Ne;e.setUint32(t+r.structBytes,r.bytes,!0),e.setFloat32(t+r.right,n.right??0,!0),e.setFloat32(t+r.up,n.up??0,!0),e.setFloat32(t+r.forward,n.forward??0,!0),e.setFloat32(t+r.yawRad,n.yawRad??0,!0),e.setFloat32(t+r.pitchRad,n.pitchRad??0,!0),e.setUint32(t+r.held,n.held??0,!0),e.setUint32(t+r.pressed,n.pressed??0,!0),e.setUint32(t+r.useHandle,n.useHandle??0,!0)}var We=Object.keys(Me);function Ge(e,t){let n=Fe,r=n=>e.getUint32(t+n,!0);return{tick:r(n.tick),index:r(n.index),effect:r(n.effect),subject:r(n.subject),state:We.find(e=>Me[e]===r(n.state))??`cancelled`,detail:r(n.detail)}}function Ke(e,t){let n=Ie,r=r=>e.getInt32(t+n.size+4*r,!0);return{size:[r(0),r(1),r(2)],cellM:e.getFloat64(t+n.cellM,!0),version:e.getBigUint64(t+n.version,!0)}}function qe(){return{known:!1,predictedTick:0,viewOriginTick:0,viewTicks:0,viewDelayS:0,rate:0}}function Je(e,t,n){let r=Le;return n.known=e.getUint32(t+r.known,!0)!==0,n.predictedTick=e.getUint32(t+r.predictedTick,!0),n.viewOriginTick=e.getUint32(t+r.viewOriginTick,!0),n.viewTicks=e.getFloat64(t+r.viewTicks,!0),n.viewDelayS=e.getFloat64(t+r.viewDelayS,!0),n.rate=e.getFloat64(t+r.rate,!0),n}function Ye(){return{rttMs:0,fullLoopMs:0,jitterMs:0,leadMs:0,packets:0,packetsLost:0,bytesReceived:0,corrections:0,largestCorrectionM:0}}function k(e,t){return e.getInt32(t+4,!0)*2**32+e.getUint32(t,!0)}function Xe(e,t,n){let r=Re;return n.rttMs=k(e,t+r.rttUs)/1e3,n.fullLoopMs=k(e,t+r.fullLoopUs)/1e3,n.jitterMs=k(e,t+r.jitterUs)/1e3,n.leadMs=k(e,t+r.leadUs)/1e3,n.packets=k(e,t+r.packets),n.packetsLost=k(e,t+r.packetsLost),n.bytesReceived=k(e,t+r.bytesReceived),n.corrections=k(e,t+r.corrections),n.largestCorrectionM=e.getFloat64(t+r.largestCorrectionM,!0),n}var Ze=class{count=0;endMs=new Float64Array(256);rttMs=new Float64Array(256);jitterMs=new Float64Array(256);leadMs=new Float64Array(256);packetsReceived=new Uint32Array(256);packetsLost=new Uint32Array(256);bytesReceived=new Uint32Array(256);packetsSent=new Uint32Array(256);bytesSent=new Uint32Array(256);corrections=new Uint32Array(256);largestCorrectionM=new Float64Array(256);read(e,t,n){let r=ze;this.count=n;for(let i=0;i<n;++i){let n=t+i*r.bytes;this.endMs[i]=k(e,n+r.endUs)/1e3,this.rttMs[i]=k(e,n+r.rttUs)/1e3,this.jitterMs[i]=k(e,n+r.jitterUs)/1e3,this.leadMs[i]=k(e,n+r.leadUs)/1e3,this.packetsReceived[i]=e.getUint32(n+r.packetsReceived,!0),this.packetsLost[i]=e.getUint32(n+r.packetsLost,!0),this.bytesReceived[i]=e.getUint32(n+r.bytesReceived,!0),this.packetsSent[i]=e.getUint32(n+r.packetsSent,!0),this.bytesSent[i]=e.getUint32(n+r.bytesSent,!0),this.corrections[i]=e.getUint32(n+r.corrections,!0),this.largestCorrectionM[i]=e.getFloat64(n+r.largestCorrectionM,!0)}return this}},A=Pe,Qe=8,j=4,$e=256,et=class{handle=0;parent=0;type=0;flags=0;localPositionM;localRotation;worldPositionM;worldRotation;smoothingM;constructor(e,t){let n=(n,r)=>e.subarray(t+n/Qe,t+n/Qe+r);this.localPositionM=n(A.localPositionM,3),this.localRotation=n(A.localRotation,4),this.worldPositionM=n(A.worldPositionM,3),this.worldRotation=n(A.worldRotation,4),this.smoothingM=n(A.smoothingM,3)}get own(){return(this.flags&je.own)!==0}get smoothing(){return(this.flags&je.smoothing)!==0}get extrapolated(){return(this.flags&je.extrapolated)!==0}},tt=class{#e;#t;#n=$e;#r=new Uint8Array;#i=new Uint32Array;#a=[];#o=0;#s;constructor(e){this.#e=e,this.#t=e.allocate(this.#n*A.bytes),this.#l()}get count(){return this.#o}at(e){if(!(e>=0&&e<this.#o))throw RangeError(`the scene has no entity ${e}`);return this.#a[e]}get own(){return this.#s}*[Symbol.iterator](){for(let e=0;e<this.#o;++e)yield this.#a[e]}update(e){let t=e(this.#t,A.bytes,this.#n);if(t>this.#n){for(;t>this.#n;)this.#n*=2;this.#e.release(this.#t),this.#t=this.#e.allocate(this.#n*A.bytes),this.#l(),t=e(this.#t,A.bytes,this.#n)}this.#o=Math.max(0,Math.min(t,this.#n));let n=this.#t+this.#o*A.bytes;return this.#r.set(this.#e.bytes.subarray(this.#t,n)),this.#c(),this}release(){this.#e.release(this.#t),this.#o=0,this.#s=void 0}#c(){this.#s=void 0;for(let e=0;e<this.#o;++e){let t=this.#a[e],n=e*A.bytes/j;t.handle=this.#i[n+A.handle/j],t.parent=this.#i[n+A.parent/j],t.type=this.#i[n+A.type/j],t.flags=this.#i[n+A.flags/j],t.own&&(this.#s=t)}}#l(){this.#r=new Uint8Array(this.#n*A.bytes),this.#i=new Uint32Array(this.#r.buffer);let e=new Float64Array(this.#r.buffer);this.#a.length=0;for(let t=0;t<this.#n;++t)this.#a.push(new et(e,t*A.bytes/Qe))}},nt=new Map(Object.entries(Ae).map(([e,t])=>[t,e]));function rt(e){return nt.get(e)??`disconnected`}function it(e){return Ae[e]<=Ae.disconnected}var at={"token-expired":`the connection took longer than the token was valid; log in again`,"token-invalid":`the token is none; log in again`,"timed-out":`the server has not been heard of for too long`,"response-timed-out":`the server answered at first, and then no more`,"request-timed-out":`no server answered`,denied:`the server refused the connection: it is full, or an operator has ended the session`,disconnected:`the session has ended`};function ot(e){return at[e]??e}var st=256,ct=4,lt=4,ut=[],dt=8,ft=e=>Math.ceil(e/dt)*dt,M=(()=>{let e=0,t=t=>(e+=ft(t))-ft(t);return{address:t(E.bytes),datagram:t(Oe),datagramBytes:t(ct),input:t(Ne.bytes),ground:t(Ie.bytes),low:t(12),size:t(12),time:t(Le.bytes),telemetry:t(Re.bytes),cues:t(st*Fe.bytes),netSamples:t(256*ze.bytes),bytes:e}})(),pt=class{#e;#t;#n;#r=qe();#i=Ye();#a=new Ze;#o=[];#s;#c;constructor(e){if(this.#e=e,this.#s=e.call.create(1),this.#s===0)throw new D(`out-of-memory`,`the page has no memory left for a client`);this.#t=e.allocate(M.bytes),this.#n=new tt(e)}destroy(){this.#s!==0&&(this.#n.release(),this.#e.release(this.#t),this.#e.call.destroy(this.#s),this.#s=0)}get wireVersion(){return this.#e.call.wire_version()}get schemaHash(){return BigInt.asUintN(64,this.#e.call.schema_hash(this.#u()))}begin(e,t){let n=this.#e.allocate(t.length);this.#e.bytes.set(t,n);let r=this.#e.call.begin(this.#u(),N(e),n,t.length);if(this.#e.release(n),r===ke.badToken)throw new D(`bad-token`,`these ${t.length} bytes are no connect token; log in again`);this.#d(r,`begin`)}receive(e,t,n){if(n.length>1225)return;let r=this.#e.bytes;r.set(t.encoded,this.#t+M.address),r.set(n,this.#t+M.datagram);let i=this.#e.call.receive(this.#u(),N(e),this.#t+M.address,this.#t+M.datagram,n.length);this.#d(i,`receive`)}advance(e,t){let n=this.#t+M.input;Ue(this.#e.view,n,t),this.#d(this.#e.call.advance(this.#u(),N(e),n),`advance`)}pollSend(){let e=this.#t+M.address,t=this.#t+M.datagram,n=this.#t+M.datagramBytes,r=this.#e.call.poll_send(this.#u(),e,t,Oe,n);if(this.#d(r,`pollSend`)===0)return;let i=this.#e.bytes;this.#c?.isAt(i,e)||(this.#c=Ve.read(i,e));let a=this.#e.view.getUint32(n,!0);return{to:this.#c,bytes:i.slice(t,t+a)}}disconnect(e){this.#d(this.#e.call.disconnect(this.#u(),N(e)),`disconnect`)}get state(){return rt(this.#e.call.get_state(this.#u()))}scene(e){let[t,n]=[this.#u(),N(e)];return this.#n.update((e,r,i)=>this.#d(this.#e.call.scene(t,n,e,r,i),`scene`))}typeName(e){if(!(e in this.#o)){let t=this.#e.call.type_name(this.#u(),e);if(t===0)return;this.#o[e]=this.#e.textAt(t)}return this.#o[e]}cues(){let e=this.#t+M.cues,t=this.#d(this.#e.call.cues(this.#u(),e,Fe.bytes,st),`cues`);if(t===0)return ut;let n=this.#e.view;return Array.from({length:Math.min(t,st)},(t,r)=>Ge(n,e+r*Fe.bytes))}ground(e){let t=this.#t+M.ground;return this.#e.view.setUint32(t+Ie.structBytes,Ie.bytes,!0),this.#e.call.get_ground(this.#u(),e,t)<0?void 0:Ke(this.#e.view,t)}cells(e,t,n){let r=n[0]*n[1]*n[2],i=this.#e.allocate(Math.max(r,1)),a=this.#e.view;for(let e=0;e<3;++e)a.setInt32(this.#t+M.low+lt*e,t[e],!0),a.setInt32(this.#t+M.size+lt*e,n[e],!0);let o=this.#e.call.cells(this.#u(),e,this.#t+M.low,this.#t+M.size,i,r),s=this.#e.bytes.slice(i,i+r);if(this.#e.release(i),o<0)throw new D(`bad-argument`,`entity ${e} is no ground made of cells, or the box is too large`);return s}time(){let e=this.#t+M.time;return this.#e.view.setUint32(e+Le.structBytes,Le.bytes,!0),this.#d(this.#e.call.get_time(this.#u(),e),`time`),Je(this.#e.view,e,this.#r)}telemetry(){let e=this.#t+M.telemetry;return this.#e.view.setUint32(e+Re.structBytes,Re.bytes,!0),this.#d(this.#e.call.get_telemetry(this.#u(),e),`telemetry`),Xe(this.#e.view,e,this.#i)}netGraph(){let e=this.#t+M.netSamples,t=this.#d(this.#e.call.net_graph(this.#u(),e,ze.bytes,256),`netGraph`);return this.#a.read(this.#e.view,e,Math.min(t,256))}link(e,t){let n=N(e);if(this.#l(t,e=>this.#e.call.link(this.#u(),n,e))<0)throw new D(`bad-argument`,`"${t}" has a word that is no condition of a link: write a profile such as P5, delay-ms=, jitter-ms= (one way), loss-permille=, or none`)}use(e){if(this.#l(e,e=>this.#e.call.use(this.#u(),e))<0)throw new D(`bad-argument`,`"${e}" has a technique or a value that does not exist; docs/tuning.md lists them`)}injectDesync(e,t,n){this.#d(this.#e.call.inject_desync(this.#u(),e,t,n),`injectDesync`)}#l(e,t){let n=new TextEncoder().encode(`${e}\0`),r=this.#e.allocate(n.length);this.#e.bytes.set(n,r);let i=t(r);return this.#e.release(r),i}#u(){if(this.#s===0)throw new D(`ended`,`this client has been destroyed`);return this.#s}#d(e,t){if(e>=0)return e;throw e===ke.notPlaying?new D(`not-playing`,`${t} needs a player in the world`):e===ke.badArgument?new D(`bad-argument`,`an argument of ${t} is not a number, or out of range`):new D(`stopped`,`${t} failed inside the client library (${e})`)}};function N(e){if(!Number.isFinite(e))throw new D(`bad-argument`,`the time is not a number`);return BigInt(Math.round(e*1e3))}var mt=1,ht=2,gt=8,_t=70,vt=2,yt=24,bt=8,xt=`wasi_snapshot_preview1`,St=class{#e;#t=[``,``,``];#n=``;functions={fd_write:(e,t,n,r)=>this.#r(e,t,n,r),fd_fdstat_get:(e,t)=>this.#a(e,t),fd_close:()=>0,fd_seek:()=>_t};use(e){this.#e=e}get errors(){return(this.#n+this.#t[ht]).trim()}#r(e,t,n,r){if(e!==mt&&e!==ht)return gt;let i=new DataView(this.#e.buffer),a=this.#t[e],o=0;for(let e=0;e<n;++e){let n=i.getUint32(t+e*bt,!0),r=i.getUint32(t+e*bt+4,!0);a+=new TextDecoder().decode(new Uint8Array(i.buffer,n,r)),o+=r}let s=a.split(`
`);this.#t[e]=s.pop().slice(-4096);for(let t of s)this.#i(e,t);return i.setUint32(r,o,!0),0}#i(e,t){e===mt?console.log(t):(console.error(t),this.#n=`${this.#n}${t}\n`.slice(-4096))}#a(e,t){if(e!==mt&&e!==ht)return gt;let n=new Uint8Array(this.#e.buffer,t,yt).fill(0);return n[0]=vt,0}},Ct=`perigee_client_`,wt=[`abi`,`create`,`destroy`,`wire_version`,`schema_hash`,`begin`,`receive`,`advance`,`poll_send`,`disconnect`,`get_state`,`scene`,`type_name`,`cues`,`get_ground`,`cells`,`get_time`,`get_telemetry`,`net_graph`,`link`,`use`,`inject_desync`],Tt=class e{call;#e=new St;#t;#n;#r;#i;#a;#o;constructor(e){let t=WebAssembly.Module.imports(e).find(e=>e.module!==`wasi_snapshot_preview1`||!(e.name in this.#e.functions));if(t)throw new D(`module-missing`,`the game's module imports ${t.name}, which a page does not have: the game may use no files, clocks, threads or random devices`);let n=new WebAssembly.Instance(e,{[xt]:this.#e.functions}).exports,r=[`memory`,`_initialize`,`malloc`,`free`,`${Ct}abi`].find(e=>!(e in n));if(r)throw Dt(r);this.#t=n.memory,this.#e.use(this.#t),this.#i=new Uint8Array(this.#t.buffer),this.#a=new DataView(this.#i.buffer),this.#n=this.#l(n.malloc),this.#r=this.#l(n.free),this.#l(n._initialize)(),Et(this.#l(n[`${Ct}abi`])()),this.call=this.#c(n)}static of(t){return new e(t)}get bytes(){return this.#i.buffer!==this.#t.buffer&&this.#s(),this.#i}get view(){return this.#i.buffer!==this.#t.buffer&&this.#s(),this.#a}allocate(e){let t=this.#n(e)>>>0;if(t===0)throw new D(`out-of-memory`,`the page has no memory left for ${e} bytes`);return t}release(e){this.#o===void 0&&this.#r(e)}textAt(e){let t=this.bytes;return new TextDecoder().decode(t.slice(e,t.indexOf(0,e)))}#s(){this.#i=new Uint8Array(this.#t.buffer),this.#a=new DataView(this.#i.buffer)}#c(e){let t={};for(let n of wt){let r=e[Ct+n];if(typeof r!=`function`)throw Dt(Ct+n);t[n]=this.#l(r)}return t}#l(e){return(...t)=>{if(this.#o)throw this.#o;try{return e(...t)}catch(e){let t=this.#e.errors||O(e);throw this.#o=new D(`stopped`,`the game's module has stopped because of a bug: ${t}`,{cause:e}),this.#o}}}};function Et(e){if(e!==1)throw new D(`other-abi`,`the game's module has version ${e} of the client library's interface, and this package has version 1: build the module from the same version of perigee as @perigee/client`)}function Dt(e){return new D(`module-missing`,`the game's module does not export ${e}: build it with client/browser/build.sh of perigee`)}var Ot=new URL(new URL(`skiff.wasm`,import.meta.url).href,``+import.meta.url),kt=`application/wasm`,At=class e{#e;constructor(e){this.#e=e}static async load(t=Ot){if(typeof WebAssembly!=`object`)throw new D(`no-webassembly`,`this browser has no WebAssembly, which the game needs: update it, or switch WebAssembly on`);return new e(Tt.of(await jt(t)))}get wireVersion(){return this.#e.call.wire_version()}createClient(){return new pt(this.#e)}};async function jt(e){if(e instanceof WebAssembly.Module)return e;try{if(e instanceof ArrayBuffer||ArrayBuffer.isView(e))return await WebAssembly.compile(e);if(e instanceof Response)return await Mt(e);let t=new URL(e,globalThis.location?.href);return t.protocol===`file:`?await WebAssembly.compile(await Nt(t)):await Mt(await fetch(t))}catch(t){throw new D(`module-missing`,`the game's module cannot be loaded${e instanceof URL||typeof e==`string`?` from ${e}`:``}: ${O(t)}`,{cause:t})}}async function Mt(e){if(!e.ok)throw Error(`the server answers ${e.status}`);return e.headers.get(`content-type`)?.split(`;`)[0]?.trim()===kt&&`compileStreaming`in WebAssembly?WebAssembly.compileStreaming(e):WebAssembly.compile(await e.arrayBuffer())}async function Nt(e){let{readFile:t}=await import(`node:fs/promises`);return t(e)}var Pt=1e4,Ft=`/v1/log_in`,P=class extends D{status;httpStatus;retryAfterS;name=`LogInError`;constructor(e,t,n,r,i){super(`log-in`,e,i),this.status=t,this.httpStatus=n,this.retryAfterS=r}get otherVersion(){return this.status===`FAILED_PRECONDITION`}};async function It(e,t,n={}){let r=new URL(Ft,new URL(e,globalThis.location?.href)),i=JSON.stringify({...t,schemaHash:t.schemaHash.toString()}),a,o;try{a=await fetch(r,{method:`POST`,headers:{...n.headers,"content-type":`application/json`},body:i,signal:n.signal??AbortSignal.timeout(Pt)}),o=await a.text()}catch(e){throw new P(`${r.origin} does not answer the log-in (${O(e)}); is it running, and does it allow this page?`,``,0,void 0,{cause:e})}let s=Lt(o);if(!a.ok)throw Rt(r,a,s);let c=zt(s);if(!c)throw new P(`what ${r.origin} answers is no log-in`,``,a.status);return c}function Lt(e){try{let t=JSON.parse(e);return typeof t==`object`&&t?t:{}}catch{return{}}}function Rt(e,t,n){let{message:r,status:i}=n.error??{},a=Number(t.headers.get(`retry-after`)??NaN);return new P(typeof r==`string`&&r!==``?r:`${e.origin} answers the log-in with ${t.status} ${t.statusText}`,typeof i==`string`?i:``,t.status,Number.isFinite(a)?a:void 0)}function zt(e){let{connectToken:t,clientId:n=`0`,gatewayAddress:r=``,tickRateHz:i=0}=e;if(typeof t!=`string`||typeof r!=`string`||typeof i!=`number`||!/^\d+$/.test(String(n)))return;let a=Bt(t);if(a)return{connectToken:a,clientId:BigInt(String(n)),gatewayAddress:r,tickRateHz:i}}function Bt(e){try{return Uint8Array.from(atob(e),e=>e.charCodeAt(0))}catch{return}}function Vt(e,t,n){let r=new URL(e,globalThis.location?.href);return r.protocol=n[r.protocol]??r.protocol,r.search=`${r.search===``?`?`:`${r.search}&`}gateway=${t.text}`,r}var Ht=4,Ut=1e3,Wt=class{open;receive;problem=``;#e=new Map;constructor(e,t){this.open=e,this.receive=t}send(e,t,n){let r=this.#e.get(t.text);(!r||!r.path&&e-r.usedMs>=Ut)&&(r=this.#t(e,t)),r.path&&(r.usedMs=e,r.path.send(n))}close(){for(let{path:e}of this.#e.values())e?.close();this.#e.clear()}#t(e,t){!this.#e.has(t.text)&&this.#e.size>=Ht&&this.#n();let n=this.open(t),r={path:n,usedMs:e};return n.onDatagram=e=>this.receive(t,e),n.onClose=e=>{r.path=void 0,this.problem=e},this.#e.set(t.text,r),r}#n(){let e;for(let t of this.#e)(!e||t[1].usedMs<e[1].usedMs)&&(e=t);e[1].path?.close(),this.#e.delete(e[0])}},Gt=8,Kt=65536,qt=class{onDatagram=()=>{};onClose=()=>{};dropped=0;#e;#t=[];constructor(e,t){if(typeof WebSocket!=`function`)throw new D(`no-websocket`,`this browser has no WebSocket, with which the game reaches its server`);let n=Vt(e,t,{"http:":`ws:`,"https:":`wss:`});this.#e=new WebSocket(n),this.#e.binaryType=`arraybuffer`;let r=!1;this.#e.onopen=()=>{r=!0;for(let e of this.#t.splice(0))this.#e.send(e)},this.#e.onmessage=({data:e})=>{e instanceof ArrayBuffer&&this.onDatagram(new Uint8Array(e))},this.#e.onclose=({code:e,reason:t})=>{let i=r?`closed the connection`:`cannot be reached`;this.onClose(`the relay ${n.origin}${n.pathname} ${i} (${t||e})`)}}send(e){this.#e.readyState===WebSocket.CONNECTING?(this.#t.push(e),this.#t.length>Gt&&(this.#t.shift(),++this.dropped)):this.#e.readyState!==WebSocket.OPEN||this.#e.bufferedAmount>Kt?++this.dropped:this.#e.send(e)}close(){this.onDatagram=this.onClose=()=>{},this.#e.close()}},Jt=15e3,Yt=10,Xt=100,Zt=256,Qt=class e{client;#e;#t=()=>{};#n=[];#r=0;#i=0;#a;#o=`disconnected`;constructor(e,t){this.client=e,this.#e=new Wt(t,(e,t)=>this.#u(e,t))}static async join(t){let{game:n,player:r,path:i}=t,a=(n instanceof At?n:await At.load(n)).createClient(),o=new e(a,typeof i==`function`?i:e=>new qt(i,e));try{t.techniques&&a.use(t.techniques);let e=r instanceof Uint8Array?r:await $t(a,r);return a.begin(o.#d(performance.now()),e),await o.#s(t.timeoutMs??Jt),t.onEnd&&(o.#t=t.onEnd),o}catch(e){throw o.#m(),e}}get state(){return this.#a?this.#o:this.client.state}get end(){return this.#a}frame(e,t){let n=this.#d(e);this.#c(n,t);try{return this.client.scene(n)}catch(e){throw this.#p(e)}}takeCues(){return this.#n.splice(0)}leave(){this.#a||(this.client.disconnect(this.#d(performance.now())),this.#l(),this.#a=new D(`ended`,`the player has left`),this.#m())}async#s(e){let t=performance.now();for(let n=t;n<t+e;n=performance.now()){if(this.#c(this.#d(n),He),this.client.state===`playing`)return;await new Promise(e=>setTimeout(e,Yt))}throw new D(`timeout`,`no avatar after ${e/1e3} s (${this.client.state})${this.#f()}`)}#c(e,t){if(this.#a)throw this.#a;try{this.client.advance(e,t),this.#i=e;for(let e of this.client.cues())this.#n.push(e),this.#n.length>Zt&&this.#n.shift();this.#l()}catch(e){throw this.#p(e)}let n=this.client.state;if(it(n))throw this.#o=n,this.#p(new D(`ended`,ot(n)+this.#f()))}#l(){for(let e=this.client.pollSend();e;e=this.client.pollSend())this.#e.send(this.#r,e.to,e.bytes)}#u(e,t){if(this.#a)return;let n=this.#d(performance.now());try{this.client.receive(n,e,t),n-this.#i>=Xt&&this.#c(n,He)}catch(e){this.#p(e)}}#d(e){return this.#r=Math.max(this.#r,e),this.#r}#f(){return this.#e.problem===``?``:`: ${this.#e.problem}`}#p(e){return this.#a||(this.#a=e instanceof D?e:new D(`stopped`,O(e),{cause:e}),this.#m(),this.#t(this.#a)),this.#a}#m(){this.#e.close(),this.#a?.fault!==`stopped`&&this.client.destroy()}};async function $t(e,t){let{url:n,playerName:r,credential:i,wantedRegion:a}=t,{wireVersion:o,schemaHash:s}=e,c=a===void 0?{}:{wantedRegion:a};try{return(await It(n,{playerName:r,credential:i,wireVersion:o,schemaHash:s,...c})).connectToken}catch(e){throw!(e instanceof P)||!e.otherVersion?e:new P(`${e.message} (the client is this page's module of the game: load the page again, or build the module from the same sources as the server)`,e.status,e.httpStatus,e.retryAfterS,{cause:e})}}var en=`
attribute vec4 face;
attribute float glow;
attribute float limb;
#ifdef USE_WALK
attribute vec2 walk; // phase in radians, swing in radians
#endif
varying vec4 vFace;
varying float vGlow;
`,tn=`
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
`,nn=`
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
`,rn=`
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
`,an=`
totalEmissiveRadiance += vGlow * diffuseColor.rgb * 1.6;
`;function on({walks:e=!1,hologram:t}={}){let n=new ne({vertexColors:!0,roughness:.62,metalness:.28,...t?{transparent:!0,opacity:.34,depthWrite:!1,blending:2}:{}});e&&(n.defines={...n.defines,USE_WALK:``});let r=t?new C(t):void 0;return n.onBeforeCompile=e=>{r&&(e.uniforms.hologram={value:r}),e.vertexShader=e.vertexShader.replace(`#include <common>`,`#include <common>\n${en}`).replace(`#include <begin_vertex>`,`#include <begin_vertex>\n${tn}`),e.fragmentShader=e.fragmentShader.replace(`#include <common>`,`#include <common>\n${nn}${r?`uniform vec3 hologram;
`:``}`).replace(`#include <color_fragment>`,`#include <color_fragment>\n${rn}`).replace(`#include <emissivemap_fragment>`,`#include <emissivemap_fragment>\n${r?`totalEmissiveRadiance += hologram * 0.8;`:an}`)},n.customProgramCacheKey=()=>`hull${e?` walks`:``}${r?` hologram`:``}`,n}function sn(e,t=!1){let n=new se({color:e,side:1,toneMapped:!1,fog:!1});return t&&(n.defines={...n.defines,USE_WALK:``}),n.onBeforeCompile=e=>{e.vertexShader=e.vertexShader.replace(`#include <common>`,`#include <common>\n${en}`).replace(`#include <begin_vertex>`,`#include <begin_vertex>\n${tn}\ntransformed += normal * 0.045;`)},n.customProgramCacheKey=()=>`outline${t?` walks`:``}`,n}var cn=16,ln=`#56f08a`,un=class{group=new Se;#e;#t;#n;#r;#i;#a=0;#o=!1;#s=new de;#c=new y;#l=new v;#u=new y(1,1,1);constructor(e){this.#e=e,this.#t=on({walks:e.walks,...e.hologram?{hologram:e.hologram}:{}}),this.#n=this.#d(cn)}get count(){return this.#a}begin(){this.#a=0,this.#r&&(this.#r.visible=!1)}put(e,t,n,r){return this.#a===this.#n.instanceMatrix.count&&this.#p(),this.#l.set(r[0],r[1],r[2],r[3]),this.#s.compose(this.#c.set(e,t,n),this.#l,this.#u),this.#s.toArray(this.#n.instanceMatrix.array,this.#a*16),this.#a++}tint(e,t){this.#n.setColorAt(e,t),this.#o=!0}walk(e,t,n){this.#i?.setXY(e,t,n)}outline(){this.#r??=this.#f(),this.#r.matrix.copy(this.#s),this.#r.matrixWorldNeedsUpdate=!0,this.#r.visible=!0}end(){let e=this.#n;e.count=this.#a,e.visible=this.#a>0,e.instanceMatrix.needsUpdate=!0,this.#o&&e.instanceColor&&(e.instanceColor.needsUpdate=!0),this.#i&&(this.#i.needsUpdate=!0)}dispose(){this.#n.dispose(),this.#t.dispose(),(this.#r?.material)?.dispose()}#d(e){let{geometry:t,walks:n,hologram:r}=this.#e,i=t;n&&(i=t.clone(),this.#i=new he(new Float32Array(e*2),2),this.#i.setUsage(we),i.setAttribute(`walk`,this.#i));let a=new me(i,this.#t,e);return a.instanceMatrix.setUsage(we),a.frustumCulled=!1,a.castShadow=a.receiveShadow=r===void 0,this.group.add(a),a}#f(){let e=this.#e.geometry.clone();if(this.#e.walks){let t=e.getAttribute(`position`).count;e.setAttribute(`walk`,new S(new Float32Array(t*2),2))}let t=new w(e,sn(ln,this.#e.walks));return t.matrixAutoUpdate=!1,t.frustumCulled=!1,this.group.add(t),t}#p(){let e=this.#n,t=this.#i;this.#n=this.#d(e.instanceMatrix.count*2),this.#n.instanceMatrix.array.set(e.instanceMatrix.array),e.instanceColor&&(this.#n.setColorAt(0,new C),this.#n.instanceColor.array.set(e.instanceColor.array)),t&&this.#i&&this.#i.array.set(t.array),this.group.remove(e),e.dispose()}},dn=3200,fn=new y(.46,.5,-.52).normalize(),pn=new y(.86,-.36,.42).normalize(),mn=.64,hn=`
float hash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
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
  for (int i = 0; i < 5; ++i) { sum += weight * soft(p); p = p * 2.03 + 17.1; weight *= 0.5; }
  return sum;
}
`;function gn(e){let t=new oe(1024,512,{wrapS:ae,generateMipmaps:!0,minFilter:De}),n=new _({vertexShader:`varying vec2 vAt; void main() { vAt = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`,fragmentShader:`varying vec2 vAt; ${hn}
      void main() {
        float lon = (vAt.x - 0.5) * 6.2831853, lat = (vAt.y - 0.5) * 3.14159265;
        vec3 p = vec3(cos(lat) * cos(lon), sin(lat), cos(lat) * sin(lon));
        float land = clouds(p * 2.2 + 3.0);
        vec3 warp = p * 3.4 + 1.7 * vec3(soft(p * 2.0), soft(p * 2.0 + 9.0), soft(p * 2.0 + 21.0));
        float cover = clouds(warp * vec3(1.0, 2.1, 1.0));
        gl_FragColor = vec4(land, cover, clouds(p * 1.6 + 40.0), clouds(p * 3.1 + 70.0));
      }`,depthTest:!1,depthWrite:!1}),r=new w(new ce(2,2),n);r.frustumCulled=!1;let i=e.getRenderTarget();return e.setRenderTarget(t),e.render(new _e().add(r),new ue),e.setRenderTarget(i),n.dispose(),r.geometry.dispose(),t}function _n(e){let t=new _({uniforms:{baked:{value:e}},vertexShader:`varying vec3 vDirection;
      void main() { vDirection = position; gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww; }`,fragmentShader:`varying vec3 vDirection; uniform sampler2D baked;
      void main() {
        vec3 d = normalize(vDirection);
        vec2 at = vec2(atan(d.z, d.x) / 6.2831853 + 0.5, asin(clamp(d.y, -1.0, 1.0)) / 3.14159265 + 0.5);
        vec4 n = textureLod(baked, at, 0.0);
        float band = exp(-pow(dot(d, normalize(vec3(0.35, 0.78, 0.52))) * 2.6, 2.0));
        vec3 color = vec3(0.0042, 0.0058, 0.0098);
        color += band * vec3(0.012, 0.017, 0.032) * smoothstep(0.25, 0.75, n.z);
        color += band * vec3(0.024, 0.014, 0.028) * pow(smoothstep(0.35, 0.8, n.w), 2.0);
        gl_FragColor = vec4(color, 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,side:1,depthWrite:!1,depthTest:!1}),n=new w(new ge(1,32,16),t);return n.renderOrder=-30,n}function vn(){let e=7,t=()=>(e=e*16807%2147483647)/2147483647,n=new Float32Array(dn*3),r=new Float32Array(dn*3),i=new Float32Array(dn),a=new y,o=new y(.35,.78,.52).normalize();for(let e=0;e<dn;++e){a.set(t()*2-1,t()*2-1,t()*2-1).normalize(),e%5<2&&a.addScaledVector(o,-a.dot(o)*.86).normalize(),a.toArray(n,e*3);let s=t()**7,c=t();i[e]=1+2.1*s;let l=.2+.8*s;r.set([l*(.78+.22*c),l*.88,l*(1-.2*c)],e*3)}let s=new x;s.setAttribute(`position`,new S(n,3)),s.setAttribute(`color`,new S(r,3)),s.setAttribute(`size`,new S(i,1));let c=new _({uniforms:{pixels:{value:1}},vertexShader:`attribute float size; attribute vec3 color; varying vec3 vColor; uniform float pixels;
      void main() {
        vColor = color;
        gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww;
        gl_PointSize = size * pixels * 1.35;
      }`,fragmentShader:`varying vec3 vColor;
      void main() {
        float r = length(gl_PointCoord - 0.5) * 2.0;
        gl_FragColor = vec4(vColor * smoothstep(1.0, 0.15, r), 1.0);
      }`,blending:2,transparent:!0,depthWrite:!1,depthTest:!1}),l=new re(s,c);return l.frustumCulled=!1,l.renderOrder=-20,l}function yn(e){let t=new _({uniforms:{baked:{value:e},sun:{value:fn},middle:{value:pn},radius:{value:mn}},vertexShader:`uniform vec3 middle; varying vec3 vDirection;
      void main() {
        vec3 side = normalize(cross(middle, vec3(0.0, 1.0, 0.0)));
        vec3 up = cross(side, middle);
        vDirection = middle * 0.75 + (side * position.x + up * position.y) * 0.95;
        gl_Position = (projectionMatrix * vec4(mat3(viewMatrix) * vDirection, 1.0)).xyww;
      }`,fragmentShader:`varying vec3 vDirection; uniform vec3 middle, sun; uniform float radius; uniform sampler2D baked;
      void main() {
        vec3 d = normalize(vDirection);
        float along = dot(d, middle);
        float near2 = 1.0 - along * along;          // squared distance of the ray from the middle
        float miss = sqrt(max(near2, 0.0)) - radius; // beyond the limb, in planet distances
        float rim = exp(-max(miss, 0.0) * 34.0);
        vec3 limb = normalize(d * along - middle);
        float day = smoothstep(-0.32, 0.55, dot(limb, sun));
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
          color += vec3(0.5, 0.2, 0.07) * pow(grazing, 2.0) * exp(-pow((sunlight + 0.03) * 7.0, 2.0)) * 0.35;
          gl_FragColor = vec4(color * 0.8, 1.0);
        }
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,transparent:!0,blending:5,blendSrc:201,blendDst:205,depthWrite:!1,depthTest:!1}),n=new w(new ce(2,2),t);return n.frustumCulled=!1,n.renderOrder=-10,n}var bn=class{group=new Se;#e;#t;constructor(e,t=!0){this.#e=gn(e),this.#t=vn(),this.#t.material.uniforms.pixels.value=e.getPixelRatio(),this.group.add(_n(this.#e.texture),this.#t),t&&this.group.add(yn(this.#e.texture))}dispose(){this.#e.dispose(),this.group.traverse(e=>{(e instanceof w||e instanceof re)&&(e.geometry.dispose(),e.material.dispose())})}},xn=70,Sn=2048,Cn=class{#e=new Map;of(e){let t=this.#e.get(e);return t||this.#e.set(e,t=e.geometry()),t}dispose(){for(let e of this.#e.values())e.dispose();this.#e.clear()}},wn=class{scene=new _e;sun;#e=new Map;#t;#n;constructor(e,t,n){this.#t=t,this.#n=new bn(e),this.scene.add(this.#n.group),this.scene.add(new ye(`#8ea9d8`,`#2b3348`,.85)),this.sun=new ve(`#fff1dd`,3.1),this.sun.position.copy(fn).multiplyScalar(200),this.scene.add(this.sun,this.sun.target);let r=new ve(`#5d86d6`,.5);r.position.set(.86,-.36,.42).multiplyScalar(100),this.scene.add(r),n&&this.#r()}kind(e,t,n){let r=this.#e.get(e);return r||(r=new un({geometry:this.#t.of(t),walks:t.walks===!0,hologram:n}),this.#e.set(e,r),this.scene.add(r.group)),r}begin(){for(let e of this.#e.values())e.begin()}end(e){for(let e of this.#e.values())e.end();this.sun.target.position.copy(e),this.sun.position.copy(e).addScaledVector(fn,200)}setShadows(e){this.sun.castShadow=e}dispose(){for(let e of this.#e.values())e.dispose();this.#e.clear(),this.#n.dispose(),this.sun.dispose()}#r(){let{shadow:e}=this.sun;this.sun.castShadow=!0,e.mapSize.set(Sn,Sn);let{camera:t}=e;t.left=t.bottom=-70,t.right=t.top=xn,t.near=20,t.far=420,e.bias=-4e-4,e.normalBias=.06}},Tn=new y,En=new y,Dn=new v;function On(e,t,n,r,i){let a;for(let o=0;o<e.length;++o){let s=e[o];if(!(s.position.distanceTo(t)>r+s.reachM||i(s))){Dn.copy(s.rotation).invert(),Tn.copy(t).sub(s.position).applyQuaternion(Dn),En.copy(n).applyQuaternion(Dn);for(let e of s.model.blocks){if(e.decor||e.yawRad)continue;let t=kn(Tn,En,e.low,e.high);t<(a?.distanceM??r)&&(a={distanceM:t,body:o})}}}return a}function kn(e,t,n,r){let i=-1/0,a=1/0;for(let o=0;o<3;++o){let[s,c]=[e.getComponent(o),t.getComponent(o)];if(Math.abs(c)<1e-9){if(s<n[o]||s>r[o])return 1/0;continue}let[l,u]=[(n[o]-s)/c,(r[o]-s)/c];i=Math.max(i,Math.min(l,u)),a=Math.min(a,Math.max(l,u))}return i<=a&&i>0?i:1/0}var An=1e4,jn=class{#e=[];#t=[];#n=[];#r=[];#i=[];#a=[];#o=[];#s=new C;block({low:e,high:t,yawRad:n=0,...r}){let i=e.map((e,n)=>(e+t[n])/2),a=e.map((e,n)=>(t[n]-e)/2),o=new v().setFromAxisAngle(new y(0,1,0),n),s=new y;for(let e=0;e<3;++e){let[t,n]=[(e+1)%3,(e+2)%3];for(let c of[-1,1]){let l=this.#e.length/3;for(let[l,u]of[[-1,-1],[1,-1],[1,1],[-1,1]]){let d=[0,0,0];d[e]=c*a[e],d[t]=l*a[t],d[n]=u*a[n],s.fromArray(d).applyQuaternion(o),this.#e.push(s.x+i[0],s.y+i[1],s.z+i[2]);let f=[0,0,0];f[e]=c,s.fromArray(f).applyQuaternion(o),this.#t.push(s.x,s.y,s.z),this.#r.push(l*a[t],u*a[n],a[t],a[n]),this.#c(r)}let u=c>0?[0,1,2,0,2,3]:[0,2,1,0,3,2];this.#o.push(...u.map(e=>l+e))}}return this}blocks(e){for(let t of e)this.block(t);return this}solid(e,t,n=new de){let r=e.clone().applyMatrix4(n),i=r.getAttribute(`position`),a=r.getAttribute(`normal`),o=this.#e.length/3;for(let e=0;e<i.count;++e)this.#e.push(i.getX(e),i.getY(e),i.getZ(e)),this.#t.push(a.getX(e),a.getY(e),a.getZ(e)),this.#r.push(0,0,An,An),this.#c(t);let s=r.getIndex();if(s)for(let e=0;e<s.count;++e)this.#o.push(o+s.getX(e));else for(let e=0;e<i.count;++e)this.#o.push(o+e);return r.dispose(),e.dispose(),this}geometry(){let e=new x,t=(t,n,r)=>e.setAttribute(t,new b(n,r));return t(`position`,this.#e,3),t(`normal`,this.#t,3),t(`color`,this.#n,3),t(`face`,this.#r,4),t(`glow`,this.#i,1),t(`limb`,this.#a,1),e.setIndex(this.#o),e.computeBoundingSphere(),e}#c({color:e,glow:t=0,limb:n=0}){this.#s.set(e),this.#n.push(this.#s.r,this.#s.g,this.#s.b),this.#i.push(t),this.#a.push(n)}};function F(e,t,n,r=0,i=0,a=0){return new de().makeRotationFromEuler(new pe(r,i,a)).setPosition(e,t,n)}var Mn=`#3a424f`,I=`#4b5666`,L=`#667286`,R=`#262d38`,z=`#8fb6ff`,B=`#ffd9a0`,Nn=`#3e4a5e`,V=`#77859b`,H=(e,t,n,r={})=>({low:e,high:t,color:n,...r}),U=(e,t,n=z,r=1)=>H(e,t,n,{glow:r,decor:!0}),Pn=.3,W=1.1,Fn=4.3,G={x:-30,z:-12};function In(){let e=(e,t)=>H(e,t,L);return[e([-60,0,-20],[-20,4,-19.7]),e([-60,0,19.7],[-20,4,20]),e([-60,0,-20],[-59.7,4,20]),e([-20.3,0,-20],[-20,4,-1]),e([-20.3,0,1],[-20,4,20]),e([-20.3,3,-1],[-20,4,1]),H([-60,4,-20],[G.x-1,Fn,20],I),H([G.x+1,4,-20],[-20,Fn,20],I),H([G.x-1,4,-20],[G.x+1,Fn,G.z-1],I),H([G.x-1,4,G.z+1],[G.x+1,Fn,20],I),U([-20,3.72,-19],[-19.97,3.8,-1.4]),U([-20,3.72,1.4],[-19.97,3.8,19]),U([-20,0,-1.1],[-19.96,3,-1],B,.9),U([-20,0,1],[-19.96,3,1.1],B,.9),U([-59,3.96,-6],[-22,3.99,-5.8],B,.9),U([-59,3.96,5.8],[-22,3.99,6],B,.9)]}function Ln(){return[-50,-38,-26,-14,-2,10].flatMap(e=>[H([22-Pn/2,0,e-3],[22.15,3.3,e-1],L),H([22-Pn/2,0,e+1],[22.15,3.3,e+3],L),H([22-Pn/2,3,e-1],[22.15,3.3,e+1],L),U([22.15,3.08,e-.9],[22.17,3.2,e+.9])])}function Rn(){return Array.from({length:10},(e,t)=>H([-10+.35*t,0,30],[20,.3*(t+1),36],t%2?I:`#546072`))}function zn(){return Array.from({length:10},(e,t)=>{let[n,r]=[-90+22*Math.floor(t/2),t%2==0?-45:45];return[H([n-.5,0,r-.5],[n+.5,6,r+.5],L),U([n-.52,5.3,r-.52],[n+.52,5.45,r+.52])]}).flat()}function Bn(){let e=Array.from({length:20},(e,t)=>-95+10*t).flatMap(e=>[U([e-1.2,.9400000000000001,59.68],[e+1.2,1,59.7]),U([e-1.2,.9400000000000001,-59.7],[e+1.2,1,-59.68])]),t=Array.from({length:24},(e,t)=>-57.5+5*t).map(e=>U([99.55,0,e-.25],[99.75,.03,e+.25],B,1));return[...e,...t,U([34,.002,-50],[34.12,.012,50],z,.35)]}var Vn=[H([-88,-5,-48],[88,-1,48],R,{decor:!0}),H([-60,-11,-26],[60,-5,26],`#1d232d`,{decor:!0}),U([-88.05,-3.2,-47],[-88,-3,47],z,.6),U([88,-3.2,-47],[88.05,-3,47],z,.6)],Hn=[H([-100,-1,-60],[100,0,60],Mn),H([-100,0,-60],[100,W,-59.7],I),H([-100,0,59.7],[100,W,60],I),H([-100,0,-60],[-99.7,W,60],I),...In(),H([-20,0,1],[0,3,1.3],L),H([-20,0,-1.3],[0,3,-1],L),...Ln(),...Rn(),...zn(),...Bn(),...Vn];function Un(e){let t=(e,t)=>H(e,t,V),n=Array.from({length:11},(e,t)=>-25+5*t).flatMap(e=>[U([10,-2.6,e-1.6],[10.03,-1.9,e+1.6],B,.75),U([-10.03,-2.6,e-1.6],[-10,-1.9,e+1.6],B,.75)]);return[H([-10,-8,-30],[10,0,30],e),t([9.7,0,-30],[10,4,30]),t([-10,0,-30],[10,4,-29.7]),t([-10,0,29.7],[10,4,30]),t([-10,0,-30],[-9.7,4,-1]),t([-10,0,1],[-9.7,4,30]),t([-10,3,-1],[-9.7,4,1]),...n,U([-10.04,-.5,-29.5],[-10,-.36,29.5]),U([10,-.5,-29.5],[10.04,-.36,29.5]),U([-10.05,0,-1.14],[-9.7,3,-1],z,1),U([-10.05,0,1],[-9.7,3,1.14],z,1),U([-7.5,-6.4,-30.3],[-3.5,-3.2,-30],`#9cc4ff`,1.6),U([3.5,-6.4,-30.3],[7.5,-3.2,-30],`#9cc4ff`,1.6),H([-8,-7,30],[8,-2,33],R,{decor:!0}),H([-5.5,-6,33],[5.5,-3,36],R,{decor:!0})]}var Wn=[H([-25,-1,-20],[25,0,20],`#454c5c`),H([-18,-3,-14],[18,-1,14],R,{decor:!0}),...[-20,20].map(e=>U([-25,-.3,e-.03],[25,-.2,e+.03])),...[-25,25].map(e=>U([e-.03,-.3,-20],[e+.03,-.2,20])),U([-25,.003,-.15],[25,.013,.15],z,.4)],Gn=[H([-4,-2.9,-6],[4,0,6],`#56637a`),H([3.8,0,-6],[4,W,6],V),H([-4,0,-6],[-3.8,W,6],V),H([-4,0,-6],[4,W,-5.8],V),H([-4,0,5.8],[4,W,6],V),H([-.7,0,4.9],[.7,.92,5.5],R,{decor:!0}),U([-.55,.92,4.98],[.55,.95,5.42]),U([-3.4,-2,-6.25],[-1.2,-.9,-6],`#9cc4ff`,1.7),U([1.2,-2,-6.25],[3.4,-.9,-6],`#9cc4ff`,1.7),U([-4.03,-.6,-5.5],[-4,-.5,5.8]),U([4,-.6,-5.5],[4.03,-.5,5.8]),H([-3,-2.6,6],[3,-.8,7.4],`#3c4656`,{decor:!0}),H([-1.6,-2.3,7.4],[1.6,-1.2,8.6],`#333c4a`,{decor:!0})],Kn=8,qn=Array.from({length:8},(e,t)=>{let n=Math.PI/16,[r,i]=[Kn*Math.cos(n),Kn*Math.sin(n)];return H([-r,0,-i],[r,.3,i],t%2?`#4e5a6d`:`#465165`,{yawRad:Math.PI/8*t})}),Jn=[H([-.1,-1.5,-1],[.1,1.5,1],`#7d8ba3`),U([-.115,.2,-.85],[.115,.28,.85],z,1),U([-.115,-.9,-.85],[.115,-.84,.85],z,.5)],Yn=[H([-2,-4.3,-2],[2,0,2],`#58647a`),...[-1.9,1.82].flatMap(e=>[U([-1.9,.002,e],[1.9,.012,e+.08],B,.9),U([e,.002,-1.9],[e+.08,.012,1.9],B,.9)])],Xn=[H([-.975,-.15,-.975],[.975,.15,.975],`#7d8ba3`),U([-.8,.151,-.05],[.8,.16,.05],B,.9)],Zn=[H([-.9,-.2,-.25],[.9,.2,.25],`#8a6a58`),H([-.6,.2,-.16],[.6,.27,.16],`#5e463a`,{decor:!0}),U([-.08,.27,-.08],[.08,.31,.08],`#ffb27a`,1)];function Qn(){let e=new jn,[t,n,r,i]=[`#8d7a5d`,`#6e5f49`,.5,.085];e.block(H([-r+.03,-r+.03,-r+.03],[r-.03,r-.03,r-.03],n));for(let n=0;n<3;++n)for(let a of[-1,1])for(let o of[-1,1]){let s=[-r,-r,-r],c=[r,r,r],[l,u]=[(n+1)%3,(n+2)%3];s[l]=a<0?-r:r-i,c[l]=a<0?-r+i:r,s[u]=o<0?-r:r-i,c[u]=o<0?-r+i:r,e.block(H(s,c,t))}return e}function $n(){let e=`#c9d2df`,t=`#49525f`,n=new jn,r=(e,t)=>new xe(e,t,4,12);n.solid(r(.235,.3),{color:e},F(0,.2,0)),n.solid(new fe(.245,.235,.1,16),{color:t},F(0,-.06,0)),n.solid(new ge(.21,20,14),{color:`#e6ebf2`},F(0,.67,0)),n.solid(new ge(.19,18,10,0,Math.PI,Math.PI*.27,Math.PI*.38),{color:`#6fa4ff`,glow:.55},F(0,.66,.04)),n.solid(new be(.34,.46,.17),{color:t},F(0,.27,-.26)),n.solid(new be(.05,.3,.02),{color:z,glow:1},F(-.1,.27,-.352)),n.solid(new be(.05,.3,.02),{color:z,glow:1},F(.1,.27,-.352));for(let i of[-1,1])n.solid(r(.095,.42),{color:e,limb:i},F(.125*i,-.42,0)),n.solid(new be(.17,.13,.3),{color:t,limb:i},F(.125*i,-.835,.05)),n.solid(r(.078,.4),{color:e,limb:2*i},F(.315*i,.17,.02,.12,0,.1*i)),n.solid(new ge(.088,10,8),{color:t,limb:2*i},F(.345*i,-.09,.05));return n}var K=e=>({blocks:e,geometry:()=>new jn().blocks(e).geometry()}),er=(e,t)=>[H(e,t,I)],tr={station:K(Hn),station_door:K(Jn),ferry:K(Un(Nn)),ferry_door:K(Jn),station_lift:K(Yn),station_trap:K(Xn),station_rotor:K([...qn,U([-.5,.3,-.5],[.5,.34,.5],z,.8)]),carousel:K(Wn),gyre:K(Un(`#554a63`)),skiff:K(Gn),walker_link:K(Zn),crate:{blocks:er([-.5,-.5,-.5],[.5,.5,.5]),geometry:()=>Qn().geometry()},character:{blocks:er([-.4,-.9,-.4],[.4,.9,.4]),geometry:()=>$n().geometry(),walks:!0}};function nr(e,t){return K([H(e,t,`#6b7890`)])}var rr={station_door:{verb:`open or close the door`},ferry_door:{verb:`open or close the door`},station_trap:{verb:`open or close the trap door`},station_lift:{verb:`move the lift`,strokeM:4},skiff:{verb:`take the helm`,seat:[0,.91,4]}},ir=.6,ar=4.2,or=15,sr=.55,cr=.35,lr=.25,ur=class{firstPerson=!1;camera=new Ee(68,1,.08,9e3);eye=new y;direction=new y;turn=new v;#e=new y;#t=new y;#n=new y;#r=ar;place(e,t,n,r,i,a,o){this.turn.setFromEuler(new pe(-r,n,0,`YXZ`));let s=t.clone().multiply(this.turn);this.direction.set(0,0,1).applyQuaternion(s),this.#t.set(0,1,0).applyQuaternion(t),this.eye.copy(e).addScaledVector(this.#t,ir);let{camera:c}=this;if(c.quaternion.copy(s).multiply(dr),this.firstPerson&&!i){c.position.copy(this.eye);return}let l=i?or:ar;this.#n.copy(this.direction).negate(),this.#e.set(-(i?0:sr),0,0).applyQuaternion(s);let u=this.eye.clone().add(this.#e).addScaledVector(this.#t,i?3:cr),d=On(a,u,this.#n,l+lr,e=>e.model.walks===!0||i),f=d?Math.max(.3,d.distanceM-lr):l;this.#r=f<this.#r?f:Math.min(f,this.#r+o*9),c.position.copy(u).addScaledVector(this.#n,this.#r)}get boomM(){return this.firstPerson?0:this.#r}},dr=new v(0,1,0,0),fr=.0022,pr=Math.PI/2-.001,mr=.15,hr=2.6,gr={Space:T.jump,ShiftLeft:T.run,ShiftRight:T.run,KeyG:T.dig,KeyH:T.fill},_r={0:T.fire,2:T.alternate},vr=[[0,T.jump],[3,T.jetpack],[10,T.run],[4,T.run],[7,T.fire],[6,T.alternate],[14,T.dig],[15,T.fill]],yr=2,br=new Set([`KeyW`,`KeyA`,`KeyS`,`KeyD`,`ArrowUp`,`ArrowLeft`,`ArrowDown`,`ArrowRight`]),xr=class{yawRad=0;pitchRad=-.12;dampers=!0;#e;#t;#n=new Set;#r=new Set;#i=new AbortController;#a=0;#o=0;#s=0;#c=!1;#l=0;constructor(e,t){this.#e=e,this.#t=t;let{signal:n}=this.#i;addEventListener(`keydown`,e=>this.#u(e),{signal:n}),addEventListener(`keyup`,e=>this.#d(e),{signal:n}),addEventListener(`blur`,()=>this.release(),{signal:n}),addEventListener(`mouseup`,e=>this.#r.delete(e.button),{signal:n}),e.addEventListener(`mousedown`,e=>this.#f(e),{signal:n}),e.addEventListener(`contextmenu`,e=>e.preventDefault(),{signal:n}),document.addEventListener(`mousemove`,e=>this.#p(e),{signal:n})}get captured(){return document.pointerLockElement===this.#e||this.#m()}release(){this.#n.clear(),this.#r.clear()}end(){this.#i.abort(),this.captured&&document.exitPointerLock()}sample(e){let t=(...e)=>+!!e.some(e=>this.#n.has(e)),n={right:t(`KeyD`,`ArrowRight`)-t(`KeyA`,`ArrowLeft`),forward:t(`KeyW`,`ArrowUp`)-t(`KeyS`,`ArrowDown`),up:t(`Space`)-t(`KeyC`),yawRad:0,pitchRad:0,held:this.dampers?T.dampers:0,pressed:this.#a,useHandle:this.#o};for(let e of this.#n)n.held|=gr[e]??0;for(let e of this.#r)n.held|=_r[e]??0;return this.#h(n,Math.min(e-this.#l,50)/1e3),n.yawRad=this.yawRad,n.pitchRad=this.pitchRad,this.#l=e,this.#a=0,this.#o=0,n}#u(e){if(Cr(e)||e.ctrlKey||e.metaKey||e.altKey)return;let{code:t}=e;(t===`Space`||t===`Tab`||t.startsWith(`Arrow`))&&e.preventDefault(),e.repeat||(br.has(t)&&!this.#n.has(t)&&this.#t.onMoveKey(e.timeStamp),this.#n.add(t),this.#a|=gr[t]??0,t===`KeyJ`?this.#a|=T.jetpack:t===`KeyX`?this.dampers=!this.dampers:t===`KeyF`?this.#o=this.#t.onUse():!(t in gr)&&!br.has(t)&&this.#t.onKey(t))}#d(e){br.has(e.code)&&this.#n.has(e.code)&&this.#t.onMoveKey(e.timeStamp),this.#n.delete(e.code)}#f(e){e.preventDefault(),this.#e.focus(),this.captured?(this.#r.add(e.button),this.#a|=_r[e.button]??0):Promise.resolve(this.#e.requestPointerLock()).catch(()=>{})}#p({movementX:e,movementY:t}){this.captured&&this.turn(-e*fr,-t*fr)}turn(e,t){this.yawRad+=e,this.pitchRad=Math.max(-pr,Math.min(pr,this.pitchRad+t))}#m(){let e=this.#e.getRootNode();return e instanceof ShadowRoot&&e.pointerLockElement===this.#e}#h(e,t){let n=navigator.getGamepads?.().find(e=>e?.connected&&e.mapping===`standard`);if(!n)return;let r=e=>{let t=n.axes[e]??0;return Math.abs(t)<mr?0:t};e.right=Sr(e.right+r(0)),e.forward=Sr(e.forward-r(1)),this.turn(-r(2)*hr*t,-r(3)*hr*.7*t);let i=0;for(let[e,t]of vr)n.buttons[e]?.pressed&&(i|=t);n.buttons[0]?.pressed&&(e.up=1),n.buttons[1]?.pressed&&(e.up=-1),e.held|=i&~T.jetpack,e.pressed|=i&~this.#s,this.#s=i;let a=n.buttons[yr]?.pressed??!1;a&&!this.#c&&(e.useHandle=this.#t.onUse()),this.#c=a}};function Sr(e){return Math.max(-1,Math.min(1,e))}function Cr(e){return e.composedPath().some(e=>e instanceof HTMLElement&&/^(INPUT|SELECT|TEXTAREA|DIALOG)$/.test(e.tagName)&&e.type!==`range`)}var wr=48,Tr=130,Er=60,Dr=2200,Or=420,kr={shot:Tr,arrow:Dr,puff:Or},Ar={shot:new C(`#bcd6ff`),arrow:new C(`#ffe3b8`),puff:new C(`#b3a58f`)},jr=class{object;#e=[];#t=new S(new Float32Array(288),3);#n=new S(new Float32Array(288),3);constructor(){let e=new x;e.setAttribute(`position`,this.#t),e.setAttribute(`color`,this.#n),this.object=new Te(e,new le({vertexColors:!0,blending:2,depthWrite:!1,toneMapped:!1})),this.object.frustumCulled=!1}add(e,t,n,r,i,a){let o=[n.x+a[0],n.y+a[1],n.z+a[2]];this.#e.push({kind:e,bornMs:t,lengthM:i,from:o,to:[r.x,r.y,r.z]}),this.#e.length>wr&&this.#e.shift()}puff(e,t,n){let r=new y;for(let i=0;i<7;++i)r.setFromSphericalCoords(1,.3+i%3*.35,i*.9),this.add(`puff`,e,t,r,.5,n)}draw(e,t){for(;this.#e[0]&&e-this.#e[0].bornMs>kr[this.#e[0].kind];)this.#e.shift();let n=0;for(let{kind:r,bornMs:i,lengthM:a,from:o,to:s}of this.#e){let c=e-i,l=1-c/kr[r];if(l<=0)continue;let[u,d]=Mr(r,c,a);for(let[e,i]of[[0,u],[1,d]]){let a=n*2+e,c=r===`arrow`?4.9*(i/Er)**2:0;this.#t.setXYZ(a,o[0]-t[0]+s[0]*i,o[1]-t[1]+s[1]*i-c,o[2]-t[2]+s[2]*i);let{r:u,g:d,b:f}=Ar[r],p=l*(e===0&&r===`shot`?.25:1);this.#n.setXYZ(a,u*p,d*p,f*p)}++n}this.object.geometry.setDrawRange(0,n*2),this.object.visible=n>0,this.#t.needsUpdate=this.#n.needsUpdate=!0}dispose(){this.object.geometry.dispose(),this.object.material.dispose()}};function Mr(e,t,n){return e===`shot`?[Math.min(n,t*.6),n]:e===`arrow`?[t/1e3*Er,Math.min(n,t/1e3*Er+1.1)]:[t/Or*n*.6,t/Or*n*.6+.09]}var Nr=2500,Pr=3e4,Fr=class{gap;#e=0;#t=0;#n=-1;#r=0;onKilled(e,t,n){this.gap={worker:t,successor:n,ms:0,healed:!1},this.#e=e,this.#r=e}onFrame(e,t){let n=t!==this.#n;this.#n=t;let{gap:r}=this;if(r&&!r.healed){let t=e-this.#t;t>r.ms&&(r.ms=t,this.#r=e),(n&&e-this.#r>Nr&&e-this.#e>Nr||e-this.#e>Pr)&&(r.healed=!0)}n&&(this.#t=e)}},Ir=300,Lr=class{#e=new Float64Array(Ir);#t=new Float64Array(Ir);#n=0;#r=0;add(e){this.#e[this.#r]=e,this.#r=(this.#r+1)%Ir,this.#n=Math.min(this.#n+1,Ir)}quantile(e){if(this.#n===0)return NaN;let t=this.#t.subarray(0,this.#n);return t.set(this.#e.subarray(0,this.#n)),t.sort(),t[Math.min(this.#n-1,Math.floor(e*this.#n))]}mean(){let e=0;for(let t=0;t<this.#n;++t)e+=this.#e[t];return this.#n===0?NaN:e/this.#n}},Rr=32,zr=2,Br=new C(`#6c7467`),Vr=new C(`#57514b`),Hr=new C(`#3d3a3b`),Ur=class{group=new Se;#e=new Se;seen=!1;#t;#n;#r=[];#i=1;constructor(e,t){this.#t=e,this.#n=t}update(e){let t=e.ground(this.#t);if(!t)return!1;this.#r.length===0&&this.#a(t.size,t.cellM);let n=zr,r=!1;for(let i of this.#r)i.version===t.version||n--<=0||(i.version=t.version,r=this.#o(e,i)||r);return r}placeTruth(e,t,n){this.#e.parent!==e&&e.add(this.#e),this.#e.position.copy(t),this.#e.quaternion.copy(n)}dispose(){for(let{meshes:e}of this.#r)e[0].geometry.dispose()}#a(e,t){this.#i=t;let[n,r,i]=e;for(let e=0;e<n;e+=Rr)for(let t=0;t<i;t+=Rr){let a=new w(new x,this.#n);a.castShadow=a.receiveShadow=!0,a.visible=!1;let o=new w(a.geometry,this.#n);o.visible=!1,this.group.add(a),this.#e.add(o),this.#r.push({low:[e,0,t],size:[Math.min(Rr,n-e),r,Math.min(Rr,i-t)],version:-1n,shown:void 0,meshes:[a,o]})}}#o(e,t){let n=t.size.map(e=>e+2),r=t.low.map(e=>e-1),i=e.cells(this.#t,r,n);if(t.shown&&i.every((e,n)=>e===t.shown[n]))return!1;t.shown=i,t.meshes[0].geometry.dispose();let a=Kr(i,n,r,this.#i);for(let e of t.meshes)e.geometry=a,e.visible=!0;return!0}},Wr=[{step:[1,0,0],corners:[[1,0,0],[1,1,0],[1,1,1],[1,0,1]]},{step:[-1,0,0],corners:[[0,0,0],[0,0,1],[0,1,1],[0,1,0]]},{step:[0,1,0],corners:[[0,1,0],[0,1,1],[1,1,1],[1,1,0]]},{step:[0,-1,0],corners:[[0,0,0],[1,0,0],[1,0,1],[0,0,1]]},{step:[0,0,1],corners:[[0,0,1],[1,0,1],[1,1,1],[0,1,1]]},{step:[0,0,-1],corners:[[0,0,0],[0,1,0],[1,1,0],[1,0,0]]}];function Gr(e,t,n){return .86+.28*((Math.imul(e*73856093^t*19349663^n*83492791,2654435761)>>>0)%1e3)/1e3}function Kr(e,[t,n,r],i,a){let o=(n,i,a)=>e[n+t*(a+r*i)]===1,s=[],c=[],l=[],u=[],d=[],f=new C;for(let e=1;e<n-1;++e)for(let p=1;p<r-1;++p)for(let r=1;r<t-1;++r)if(o(r,e,p))for(let{step:t,corners:m}of Wr){if(o(r+t[0],e+t[1],p+t[2]))continue;let h=s.length/3,g=e<n-2&&!o(r,e+1,p);f.copy(t[1]>0?Br:g?Vr:Hr).multiplyScalar(Gr(r+i[0],e,p+i[2])),m.forEach((n,o)=>{s.push((r+n[0]+i[0])*a,(e+n[1]+i[1])*a,(p+n[2]+i[2])*a),c.push(...t),l.push(f.r,f.g,f.b),u.push((o===0||o===3?-.5:.5)*a,(o<2?-.5:.5)*a,a/2,a/2)}),d.push(h,h+1,h+2,h,h+2,h+3)}let p=new x,m=s.length/3;return p.setAttribute(`position`,new b(s,3)),p.setAttribute(`normal`,new b(c,3)),p.setAttribute(`color`,new b(l,3)),p.setAttribute(`face`,new b(u,4)),p.setAttribute(`glow`,new b(new Float32Array(m),1)),p.setAttribute(`limb`,new b(new Float32Array(m),1)),p.setIndex(d),p}var qr={lowM:[-.5,-.5,-.5],highM:[.5,.5,.5]},Jr=class{#e=new Map;of(e,t){let n=tr[e];if(n)return n;let{lowM:r,highM:i}=t.find(({name:t})=>t===e)??qr,a=`${e} ${r.join()} ${i.join()}`,o=this.#e.get(a);return o||this.#e.set(a,o=nr(r,i)),o}};function Yr(e){let t=0;for(let{low:n,high:r}of e.blocks){let e=n.map((e,t)=>Math.max(Math.abs(e),Math.abs(r[t])));t=Math.max(t,Math.hypot(...e))}return t}var Xr=.003,Zr=3e3,Qr=15,$r=3,ei=class{lastMs=NaN;count=0;#e=[];#t;#n=[];#r;#i=0;get medianMs(){if(this.#e.length===0)return NaN;let e=this.#e.toSorted((e,t)=>e-t);return e[e.length>>1]}onKey(e){this.#t=e;let[t,n]=[this.#n[0],this.#n[2]];if(this.#r=void 0,!t||!n)return;let r=Math.max(t.atMs-n.atMs,1);this.#r={...t,vx:(t.x-n.x)/r,vy:(t.y-n.y)/r,vz:(t.z-n.z)/r}}onFrame(e,t,n){let r={atMs:e,x:n[0],y:n[1],z:n[2]};t!==this.#i&&(this.#i=t,this.#n.length=0,this.#r=void 0),this.#n.unshift(r),this.#n.length=Math.min(this.#n.length,$r),this.#t!==void 0&&(e-this.#t>Zr?this.#t=void 0:this.#r&&this.#a(r,this.#r)&&this.#o(e-this.#t))}restart(){this.#e.length=0,this.#t=void 0,this.lastMs=NaN}#a(e,t){let n=e.atMs-t.atMs;return Math.hypot(e.x-t.x-t.vx*n,(e.y-t.y-t.vy*n)*.2,e.z-t.z-t.vz*n)>Xr}#o(e){this.#t=void 0,this.lastMs=e,++this.count,this.#e.push(e),this.#e.length>Qr&&this.#e.shift()}},ti=25,ni=90,ri=2,ii=.6,ai=`This browser has no WebGL 2, which draws the world: switch on hardware acceleration, or use another browser. World, Players and the other pages still have their tables.`,oi=class{renderer;shadows=!0;#e;#t=Math.min(devicePixelRatio,ri);#n=0;#r=0;#i=0;constructor(e){this.#e=e,this.renderer=new Ce({canvas:e,antialias:!0,powerPreference:`high-performance`}),this.renderer.toneMapping=4,this.renderer.toneMappingExposure=1.08,this.renderer.shadowMap.enabled=!0,this.renderer.shadowMap.type=1,this.renderer.autoClear=!1,this.renderer.info.autoReset=!1}fit(e){let{clientWidth:t,clientHeight:n}=this.#e,r=this.renderer.getSize(new ie);return this.renderer.getPixelRatio()!==this.#t&&this.renderer.setPixelRatio(this.#t),(r.x!==t||r.y!==n)&&this.renderer.setSize(t,n,!1),this.renderer.info.reset(),this.#a(e)}dispose(){this.renderer.dispose()}#a(e){if(e-this.#n>ti&&e-this.#n<1e3&&++this.#r,this.#n=e,++this.#i<ni)return!1;let t=this.#r>ni/2;if(this.#i=this.#r=0,!t)return!1;if(this.shadows)this.shadows=!1;else if(this.#t>ii)this.#t=Math.max(ii,this.#t*.75);else return!1;return!0}},q=[{key:`prediction`,on:`on`,off:`off`,title:`Prediction`,without:`your avatar moves one round trip after the key`},{key:`relative-prediction`,on:`on`,off:`off`,title:`Relative prediction`,without:`aboard a ship you stand beside the place that you see`},{key:`smoothing`,on:`quintic`,off:`none`,title:`Smoothing`,without:`corrections are jumps`},{key:`rollback`,on:`on`,off:`off`,title:`Rollback`,without:`late inputs are lost`},{key:`redundancy`,on:`all`,off:`none`,title:`Redundancy`,without:`each lost packet is a gap`},{key:`reconciler`,on:`replay`,off:`shift`,title:`Replay`,without:`corrections go through walls until the next state`},{key:`storm-breaker`,on:`on`,off:`off`,title:`Storm breaker`,without:`storms of corrections are displayed`},{key:`timeline`,on:`lead`,off:`on-arrival`,title:`Lead`,without:`each late packet is felt`},{key:`view`,on:`near`,off:`shared-clock`,title:`Near view`,without:`others are 100 ms late`}];function si({key:e,on:t,off:n},r){return`${e}=${r?t:n}`}var ci=new C(`#ffffff`),li=Array.from({length:12},(e,t)=>new C().setHSL(t*.618034%1,.42,.66));function ui(e,t){return t?ci:li[(Math.imul(e,2654435761)>>>8)%li.length]}var di=130,J=new Float32Array(7),fi=new v,pi=new v;function mi(e,t,n){let r=h.owned,i=Math.min(r.stepMs[e],di),a=i<=0?1:Math.min(1,(t-r.movedMs[e])/i),o=e*7;for(let e=0;e<3;++e){let t=r.before[o+e];n[e]=t+(r.pose[o+e]-t)*a}fi.fromArray(r.before,o+3).slerp(pi.fromArray(r.pose,o+3),a),fi.toArray(n,3)}function Y(e,t){let n=h.owned.find(e);if(n!==void 0)return mi(n,t,J),{position:new y().fromArray(J),rotation:new v().fromArray(J,3),parent:h.owned.parent[n],slot:h.owned.slot[n]}}function hi(e,t){let n=h.owned;for(let r=0;r<n.count;++r)n.flags[r]&1||(mi(r,e,J),t(n.handle[r],n.type[r],n.parent[r],J));return n.count}var gi=new y,X=new y,_i=2.2;function vi(e,t,n,r){if(r!==0)return{handle:r,sentence:`leave the helm`};let i,a=1/0;for(let r of e){let e=rr[r.typeName];if(!e)continue;gi.set(...e.seat??[0,0,0]).applyQuaternion(r.rotation).add(r.position),X.copy(gi).sub(t);let o=Math.min(X.length(),...[-1,1].map(t=>Math.hypot(X.x,X.y+t*(e.strokeM??0),X.z)));if(o>3)continue;let s=o+_i*(1-(X.lengthSq()<.01?1:X.normalize().dot(n)));s<a&&(a=s,i={handle:r.handle,sentence:e.verb})}return i}function yi(e,t){let n=e===void 0?void 0:rr[e]?.seat;return n?Math.hypot(t[0]-n[0],t[1]-n[1],t[2]-n[2])<.06:!1}var bi=1.5,xi=.75,Si=3e3,Ci=class{#e=new Map;#t=0;step(e,t,n,r){let[i,a,o]=[n[0],n[1],n[2]],s=this.#e.get(e);s||(s={x:i,y:a,z:o,parent:t,atMs:r,phaseRad:e*1.7%6.28,swingRad:0},this.#e.set(e,s));let c=(r-s.atMs)/1e3;if(c<=0)return s;let l=s.parent===t?Math.hypot(i-s.x,o-s.z):0,u=Math.min(l/c,12),d=Math.abs(a-s.y)/c>1.2,f=d?.12:Math.min(xi,u*.14);return s.swingRad+=(f-s.swingRad)*Math.min(1,c*10),s.phaseRad+=d?0:Math.min(l,1)/bi*Math.PI*2*.7,Object.assign(s,{x:i,y:a,z:o,parent:t,atMs:r}),s}sweep(e){if(!(e-this.#t<Si)){this.#t=e;for(let[t,{atMs:n}]of this.#e)e-n>Si&&this.#e.delete(t)}}},wi=120,Ti=400,Ei=.5,Di=`#ffb35c`,Oi=300,ki=class extends u{session;playerName;clientId;controls;rig=new ur;reaction=new ei;failover=new Fr;wasmTimes=new Lr;frameTimes=new Lr;intervals=new Lr;off=new Set;link=`none`;split=!1;serverGhost=!1;target;outlinedFrames=0;smoothing=!1;ownParentType;atHelm=!1;helm=0;marks={hitMs:-1e9,hurtMs:-1e9};#e;#t=new Cn;#n=new Jr;#r;#i;#a=new jr;#o=new Ci;#s=new Ci;#c=new Map;#l=on();#u=[];#d=new Map;#f;#p=[0,0,0];#m=new y;#h=new v;#g=0;#_=0;#v;#y=0;#b=0;#x=0;#S=0;#C={};#w=0;#T;constructor({canvas:e,session:t,playerName:n,clientId:r,onKey:i}){super(),this.#e=new oi(e),this.session=t,this.playerName=n,this.clientId=r,this.#r=new wn(this.#e.renderer,this.#t,!0),this.#i=new wn(this.#e.renderer,this.#t,!1),this.#r.scene.add(this.#a.object),this.controls=new xr(e,{onKey:e=>this.#E(e)||i(e),onUse:()=>this.target?.handle??0,onMoveKey:e=>this.reaction.onKey(e)}),this.#f=l.watchEntities(),this.#y=requestAnimationFrame(this.#D)}end(){cancelAnimationFrame(this.#y),this.controls.end(),this.#f(),this.session.leave(),this.#r.dispose(),this.#i.dispose(),this.#a.dispose();for(let e of this.#c.values())e.dispose();this.#t.dispose(),this.#l.dispose(),this.#e.dispose()}get telemetry(){return this.#T}get framesPerSecond(){return 1e3/this.intervals.mean()}get sceneCount(){return this.#S}get typeCounts(){return this.#C}get truthCount(){return this.#w}get drawCalls(){return this.#e.renderer.info.render.calls}get own(){if(this.#_!==0&&this.#v)return{handle:this.#_,parent:this.#g,worldM:[...this.#p],localM:[...this.#v]}}get trueOwnM(){return Y(this.#_,performance.now())?.position.toArray()}get workerSlot(){let e=Y(this.#_,performance.now())?.slot;if(e!==void 0)return e;let[t,n,r]=this.#p;return f.regionAt({x:t,y:n,z:r})?.owner}setTechnique(e,t){let n=q.find(t=>t.key===e);n&&(this.session.client.use(si(n,t)),t?this.off.delete(e):this.off.add(e),this.reaction.restart(),this.changed())}setLink(e){e!==this.link&&(this.session.client.link(performance.now(),e),this.link=e,this.reaction.restart(),this.changed())}desync(e){let t=new y(-e,0,0).applyQuaternion(this.rig.turn);try{this.session.client.injectDesync(t.x,0,t.z)}catch{return}}#E(e){let t=/^Digit(\d)$/.exec(e)?.[1];if(t===`0`)for(let e of[...this.off])this.setTechnique(e,!0);else if(t!==void 0){let e=q[Number(t)-1];e&&this.setTechnique(e.key,this.off.has(e.key))}else if(e===`KeyE`)this.desync(Ei);else if(e===`KeyR`)this.desync(-.5);else if(e===`KeyV`)this.rig.firstPerson=!this.rig.firstPerson;else if(e===`KeyB`)this.serverGhost=!this.serverGhost;else if(e===`KeyT`)this.split=!this.split;else return!1;return this.changed(),!0}#D=e=>{this.#y=requestAnimationFrame(this.#D);let t=performance.now(),n;try{n=this.session.frame(e,this.controls.sample(e))}catch{cancelAnimationFrame(this.#y),this.changed();return}this.wasmTimes.add(performance.now()-t);let r=Math.min((e-this.#b)/1e3,.1);this.#b>0&&this.intervals.add(e-this.#b),this.#b=e,this.#O(n,e,r);let i=performance.now();this.frameTimes.add(i-t),this.#T=this.session.client.telemetry(),this.failover.onFrame(e,this.#T.fullLoopMs),this.#v&&this.reaction.onFrame(i,this.#g,this.#v),e-this.#x<wi||(this.#x=e,this.changed())};#O(e,t,n){this.#e.fit(t)&&this.#r.setShadows(this.#e.shadows),this.#A(e),this.#M(e,t),this.rig.place(this.#m,this.#h,this.controls.yawRad,this.controls.pitchRad,this.atHelm,this.#u,n),this.target=vi(this.#u,this.#m,this.rig.direction,this.helm),this.#B(this.session.takeCues(),t),this.#a.draw(t,this.#p),this.#z(),this.#r.end(this.#m);let{renderer:r}=this.#e,{width:i,height:a}=r.domElement,[o,s]=[i/r.getPixelRatio(),a/r.getPixelRatio()];r.setScissorTest(this.split);let c=Math.floor(o/2);this.#k(this.#r.scene,0,this.split?c:o,s),this.split&&(this.#I(t),this.#k(this.#i.scene,c,o-c,s))}#k(e,t,n,r){let{renderer:i}=this.#e,{camera:a}=this.rig;i.setViewport(t,0,n,r),i.setScissor(t,0,n,r),a.aspect=n/Math.max(r,1),a.updateProjectionMatrix(),i.clear(),i.render(e,a)}#A(e){let{own:t}=e;if(!t)return;for(let e=0;e<3;++e)this.#p[e]=t.worldPositionM[e];this.#_=t.handle,this.#v=t.localPositionM;let n=t.parent===0?void 0:Ai(e,t.parent),r=new v;n&&r.fromArray(n.worldRotation),t.parent!==this.#g&&this.#j(r),this.#h.copy(r),this.#g=t.parent,this.ownParentType=n&&this.session.client.typeName(n.type),this.atHelm=yi(this.ownParentType,t.localPositionM),this.helm=this.atHelm?t.parent:0}#j(e){let t=new y(0,0,1).applyEuler(new pe(-this.controls.pitchRad,this.controls.yawRad,0,`YXZ`)).applyQuaternion(this.#h).applyQuaternion(e.clone().invert());this.controls.yawRad=Math.atan2(t.x,t.z),this.controls.pitchRad=Math.asin(Math.max(-1,Math.min(1,t.y)))}#M(e,t){this.#r.begin(),this.#u.length=0,this.#C={},this.#S=e.count,this.smoothing=!1;for(let n of e){let e=this.session.client.typeName(n.type)??``;this.#C[e]=(this.#C[e]??0)+1,this.#N(n,e,t)}this.smoothing&&++this.outlinedFrames,this.serverGhost&&this.#F(e,t),this.#o.sweep(t)}#N(e,t,n){let[r,i,a]=[0,1,2].map(t=>e.worldPositionM[t]-this.#p[t]),o=this.#n.of(t,f.kinds);if(t===`ground`){this.#R(e,r,i,a);return}this.#P(e.handle,t,r,i,a,e.worldRotation);let s=(e.flags&je.smoothing)!==0;if(this.smoothing||=s,e.own&&this.rig.firstPerson&&!this.atHelm)return;let c=this.#r.kind(t,o),l=c.put(r,i,a,e.worldRotation);if(o.walks){c.tint(l,ui(e.handle,e.own));let{phaseRad:t,swingRad:r}=this.#o.step(e.handle,e.parent,e.localPositionM,n);c.walk(l,t,this.atHelm&&e.own?0:r)}s&&c.outline()}#P(e,t,n,r,i,a){let o=this.#n.of(t,f.kinds),s=this.#d.get(t);s===void 0&&this.#d.set(t,s=Yr(o)),Math.hypot(n,r,i)>Ti+s||this.#u.push({handle:e,typeName:t,model:o,reachM:s,position:new y(n,r,i),rotation:new v().fromArray(a)})}#F(e,t){let n=Y(this.#_,t);if(!n||!e.own)return;let r=n.parent===0?void 0:Ai(e,n.parent),i=n.parent===0?void 0:Y(n.parent,t),a=n.position.clone(),o=n.rotation.clone();if(r&&i){let e=i.rotation.clone().invert(),t=new v().fromArray(r.worldRotation);a.sub(i.position).applyQuaternion(e).applyQuaternion(t),a.add(new y().fromArray(r.worldPositionM)),o.premultiply(e).premultiply(t)}let s=this.#n.of(`character`,f.kinds),c=this.#r.kind(`server ghost`,s,Di),[l,u,d]=a.toArray().map((e,t)=>e-this.#p[t]);c.put(l,u,d,o.toArray())}#I(e){this.#i.begin();let t=this.#L(e);this.#w=hi(e,(n,r,i,a)=>{let o=f.kinds[r]?.name??``,s=new y(a[0]-this.#p[0],a[1]-this.#p[1],a[2]-this.#p[2]),c=new v(a[3],a[4],a[5],a[6]);s.applyMatrix4(t.matrix),c.premultiply(t.turn);let l=this.#c.get(n);if(l){l.placeTruth(this.#i.scene,s,c);return}let u=this.#n.of(o,f.kinds),d=this.#i.kind(o,u),p=d.put(s.x,s.y,s.z,c.toArray());if(!u.walks)return;d.tint(p,ui(n,n===this.#_));let{phaseRad:m,swingRad:h}=this.#s.step(n,i,s.toArray(),e);d.walk(p,m,h)}),this.#s.sweep(e),this.#i.end(this.#m)}#L(e){let t=this.#u.find(({handle:e})=>e===this.#g),n=this.#g===0?void 0:Y(this.#g,e),r=new v,i=new de;if(!t||!n)return{matrix:i,turn:r};r.copy(t.rotation).multiply(n.rotation.clone().invert());let a=n.position.clone().sub(new y().fromArray(this.#p));return i.makeRotationFromQuaternion(r).setPosition(t.position.clone().sub(a.applyQuaternion(r))),{matrix:i,turn:r}}#R(e,t,n,r){let i=this.#c.get(e.handle);i||(i=new Ur(e.handle,this.#l),this.#c.set(e.handle,i),this.#r.scene.add(i.group)),i.group.position.set(t,n,r),i.group.quaternion.fromArray(e.worldRotation),i.seen=!0}#z(){for(let e of this.#c.values())e.group.visible=e.seen,e.seen&&e.update(this.session.client),e.seen=!1}#B(e,t){for(let{effect:n,state:r,detail:i}of e){if(r===`confirmed`&&i===1&&(n===1||n===3)&&(this.marks.hitMs=t),r!==`played`)continue;let{eye:e,direction:a}=this.rig,o=e.clone().addScaledVector(a,.5);o.y-=.16;let s=On(this.#u,e,a,Oi,e=>e.handle===this.#_)?.distanceM??Oi;n===1&&this.#a.add(`shot`,t,o,a,s,this.#p),n===3&&this.#a.add(`arrow`,t,o,a,s,this.#p),(n===4||n===5)&&this.#a.puff(t,e.clone().addScaledVector(a,2),this.#p),n===6&&(this.marks.hurtMs=t)}}};function Ai(e,t){for(let n of e)if(n.handle===t)return n}var ji=e=>`./perigee ctl ${e}`,Mi=e=>/^[\w.:@%+=/-]+$/.test(e)?e:`'${e.replaceAll(`'`,String.raw`'\''`)}'`;function Ni(e,t=!1){return{name:`kill_worker`,request:{worker:e,force:t},command:ji(`kill ${Mi(e)}${t?` --force`:``}`),consequence:t?`${e} counts as dead at once. Without a standby its entities are lost.`:`${e} counts as dead at once, as if it had crashed. Its standby takes over everything that it has.`,verb:`Kill`,harmful:!0,reply:({successor:e})=>e?`${e} takes over.`:`Nobody takes over.`}}function Pi(e){return o(`api/act/${e.name}`,e.request)}async function Fi(e,t=!0){if(!f.mayAct)return i(`This page may only look. To act, ${d}.`,!0),!1;let n=document.querySelector(`console-app`)?.shadowRoot?.querySelector(`confirm-act`);if(t&&!await n?.ask(e))return!1;try{let t=await Pi(e);return i(`${e.verb}: done. ${e.reply?.(t)??``}`),!0}catch(t){return i(`${e.verb}: ${s(t)}`,!0),!1}}var Ii=class extends t{static properties={what:{attribute:!1},label:{},disabled:{type:Boolean},line:{type:Boolean}};static styles=[a,r`
      :host {
        display: block;
        min-width: 0;
      }
      div {
        display: grid;
        grid-template-columns: 92px minmax(0, 1fr);
        align-items: center;
        gap: 8px;
      }
      div button {
        justify-content: center;
      }
    `];constructor(){super(),this.what=void 0,this.label=``,this.disabled=!1,this.line=!1,new te(this,f)}render(){let{what:t}=this;if(!t)return e;let r=f.mayAct,i=n`<button
      class="${t.harmful?`harmful`:``} ${this.line?``:`small`}"
      ?disabled=${!r||this.disabled}
      title=${r?`${t.consequence}\n${t.command}`:`To act, ${d}.`}
      @click=${()=>Fi(t)}
    >
      ${this.label||t.verb}
    </button>`;return this.line?n`<div>${i}<cmd-line .text=${t.command}></cmd-line></div>`:i}};customElements.define(`act-button`,Ii);var Li=[`#7fb2ff`,`#c9a2ff`,`#5fd4cf`,`#f2b58a`,`#f59ac0`,`#a9cf76`,`#8f9bff`,`#e0c27a`,`#6fc3ee`,`#d59ce6`];function Ri(e){return e===void 0?`#5b6577`:Li[e%Li.length]}var Z=r`
  .panel {
    padding: 11px 13px 12px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--bg-panel);
    backdrop-filter: blur(14px) saturate(1.2);
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
`,zi=class extends t{static properties={cockpit:{attribute:!1},tick:{type:Number}};static styles=[a,Z,r`
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
    `];constructor(){super(),new te(this,f)}render(){let{cockpit:t}=this,r=t.workerSlot,i=f.worker(r),a=f.worker(i?.standby),{gap:o}=t.failover,s=i?.name??`sim-0`;return n`<section class="panel" aria-label="Failover">
      <header><h2>Below your feet</h2></header>
      <div class="who">
        <span class="swatch" style="background:${Ri(r)}"></span>
        <b>${i?.name??`no worker`}</b>
        <span class="faint">${a?n`standby ${a.name}`:e}</span>
        <span class="tag ${i?.standbyInSync?`good`:`warn`}">${i?.standbyInSync?`in sync`:`no standby`}</span>
      </div>
      <button class="harmful kill" id="kill" ?disabled=${!i||!f.mayAct}
        title=${f.mayAct?Ni(s).consequence:`To act, ${d}.`} @click=${()=>this.#e(s)}>
        Kill ${i?.name??`the worker`} <kbd>K</kbd>
      </button>
      <cmd-line .text=${Ni(s).command}></cmd-line>
      ${o?n`<div class="gap ${o.healed?`healed`:``}">
            <div class="figure" id="gap">${g(o.ms)} <small>ms</small></div>
            <div class="label">
              ${o.healed?n`without the server's answers.<br /><span class="soft">${o.successor||`Its standby`} goes on for ${o.worker}.</span>`:n`without the server's answers so far.<br /><span class="soft">${o.successor||`Its standby`} takes over from ${o.worker}.</span>`}
            </div>
          </div>`:e}
    </section>`}async#e(e){document.pointerLockElement&&document.exitPointerLock();let t=f.worker(f.map?.workers.find(t=>t.name===e)?.standby)?.name??``,n=Ni(e),r=!1;await Fi({...n,reply:i=>(r=!0,this.cockpit.failover.onKilled(performance.now(),e,i.successor||t),n.reply(i))}),r&&this.requestUpdate()}kill(){this.renderRoot.querySelector(`#kill`)?.click()}};customElements.define(`failover-panel`,zi);var Bi=[[`Move`,[[`W A S D`,`walk, fly, steer`],[`Space`,`jump; up with jetpack or helm`],[`C`,`down`],[`Shift`,`run`],[`J`,`jetpack on or off`],[`X`,`dampers on or off`],[`F`,`use: doors, lifts, helm`]]],[`Act`,[[`Mouse`,`look; Esc frees it`],[`Left button`,`rifle`],[`Right button`,`bow: hold to draw`],[`G`,`dig a cell`],[`H`,`place a stone`]]],[`See`,[[`V`,`first or third person`],[`B`,`where the server has you`],[`T`,`split: mine, the server’s truth`],[`Tab`,`panels on or off`],[`?`,`these keys`]]],[`Break`,[[`1 – 9`,`take a technique away`],[`0`,`all techniques on`],[`E R`,`move the prediction by 0.5 m`],[`K`,`kill the worker below you`]]]],Vi=class extends t{static styles=[a,r`
      :host {
        position: absolute;
        inset: 0;
        z-index: 12;
        display: grid;
        place-items: center;
        background: rgb(5 7 11 / 66%);
        backdrop-filter: blur(6px);
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
    `];render(){return n`<section role="dialog" aria-label="Keys" @click=${()=>this.dispatchEvent(new Event(`close`))}>
      ${Bi.map(([e,t])=>n`<div>
          <h2>${e}</h2>
          <dl>${t.map(([e,t])=>n`<dt>${Hi(e)}</dt><dd>${t}</dd>`)}</dl>
        </div>`)}
      <footer>Gamepad: left stick moves, right stick looks, A jumps, X uses, Y is the jetpack, triggers shoot.</footer>
    </section>`}};customElements.define(`help-panel`,Vi);function Hi(e){return/^([A-Z] )+[A-Z]$/.test(e)?e.split(` `).map(e=>n`<kbd>${e}</kbd>`):n`<kbd>${e}</kbd>`}var Ui;async function Wi(e,t){let n=await(Ui??=At.load().catch(e=>{throw Ui=void 0,e})),r=n.createClient(),{wireVersion:i,schemaHash:a}=r;r.destroy();let o={playerName:e,credential:``,wireVersion:i,schemaHash:a},{connectToken:s,clientId:l}=await It(location.href,o,{headers:m()}),u=c(`relay`);return{session:await Qt.join({game:n,player:s,path:e=>new qt(u,e),onEnd:e=>t(e.message)}),clientId:l}}var Gi=[[`P0`,`LAN, 1 ms`],[`P1`,`good: 50 ± 2 ms, 0.1 % loss`],[`P2`,`average: 100 ± 20 ms, 1 % loss`],[`P3`,`far: 300 ± 30 ms, 1 % loss`],[`P4`,`satellite: 700 ± 50 ms, 2 % loss`],[`P5`,`bursty wifi: 40 ± 5 ms, 2 % loss in bursts, stalls`],[`P6`,`reorder-heavy: 10 % displaced by up to 60 ms`],[`P8`,`bufferbloat: the queue to 3 s, once a minute`],[`P11`,`outages: interrupted for 1.5 s every 20 s`],[`P12`,`cellular beside a download, queue of 1 s`]],Ki=600,qi=200,Ji=class extends t{static properties={cockpit:{attribute:!1},link:{},pingMs:{state:!0},jitterMs:{state:!0},lossPermille:{state:!0}};static styles=[a,Z,r`
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
    `];constructor(){super(),this.link=`none`,this.pingMs=this.jitterMs=this.lossPermille=0}render(){let{link:e}=this,t=Gi.find(([t])=>t===e);return n`<section class="panel" aria-label="Network">
      <header>
        <h2>Network</h2>
        <span class="right">${t?t[1]:e!==`none`&&!t?`simulated`:`as it is`}</span>
      </header>
      ${this.#e(`Ping`,`ping`,this.pingMs,Ki,10,`${this.pingMs} ms`)}
      ${this.#e(`Jitter`,`jitter`,this.jitterMs,100,5,`± ${this.jitterMs} ms`)}
      ${this.#e(`Loss`,`loss`,this.lossPermille,qi,5,`${(this.lossPermille/10).toFixed(1)} %`)}
      <div class="profiles">
        <button class=${e===`none`?`chosen`:``} @click=${()=>this.#n(`none`)}>none</button>
        ${Gi.map(([t,r])=>n`<button class=${e===t?`chosen`:``} title=${r} @click=${()=>this.#n(t)}>${t}</button>`)}
      </div>
      <cmd-line .text=${Yi(e)} .prompt=${Xi(e)?`$`:`C`}></cmd-line>
    </section>`}#e(e,t,r,i,a,o){return n`<label class="slider">
      <span class="soft">${e}</span>
      <input type="range" id=${t} min="0" max=${i} step=${a} .value=${String(r)}
        @input=${e=>this.#t(t,Number(e.target.value))} />
      <output>${o}</output>
    </label>`}#t(e,t){e===`ping`?this.pingMs=t:e===`jitter`?this.jitterMs=t:this.lossPermille=t;let n=[`delay-ms=${this.pingMs/2}`,...this.jitterMs>0?[`jitter-ms=${Math.ceil(this.jitterMs/2)}`]:[],...this.lossPermille>0?[`loss-permille=${this.lossPermille}`]:[]],r=this.pingMs===0&&this.jitterMs===0&&this.lossPermille===0;this.cockpit.setLink(r?`none`:n.join(` `))}#n(e){this.pingMs=this.jitterMs=this.lossPermille=0,this.cockpit.setLink(e)}};function Yi(e){return Xi(e)?`./perigee bots --count 20 --profile ${e}`:`perigee_client_link(client, now_us, "${e}")`}function Xi(e){return/^P\d+$/.test(e)}customElements.define(`link-panel`,Ji);var Zi=50,Q=200,Qi=20,$i=92,ea=34,$={rtt:`#8fb6ff`,jitter:`rgb(143 182 255 / 22%)`,bytes:`rgb(150 170 205 / 38%)`,loss:`#f2757a`,correction:`#e8c468`,line:`rgb(150 170 205 / 14%)`,text:`#66728a`},ta=class extends t{static properties={cockpit:{attribute:!1},tick:{type:Number}};#e=60;static styles=[a,Z,r`
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
    `];render(){let{cockpit:e}=this,t=e.telemetry,r=e.session.end?void 0:e.session.client.netGraph(),i=r?ra(r):void 0,{medianMs:a,lastMs:o}=e.reaction;return n`<section class="panel" aria-label="Net graph">
      <div class="figures">
        <div class="eye ${a>120?`slow`:``}" title="From a move key to the first frame that shows its effect: median of the last keys">
          <div class="label">input to eye</div>
          <div class="figure" id="eye">${g(a)} <small>ms</small></div>
          <div class="label">${Number.isNaN(o)?`press W A S D`:n`last ${g(o)} ms`}</div>
        </div>
        <div>
          <div class="label">ping</div>
          <div class="figure" id="rtt">${g(t?.rttMs)} <small>ms</small></div>
          <div class="label">± ${g(t?.jitterMs)} ms</div>
        </div>
        <div>
          <div class="label">corrections</div>
          <div class="figure" id="corrections">${p(t?.corrections)}</div>
          <div class="label">${t?.corrections?n`up to ${p(t.largestCorrectionM,2)} m`:`over 5 cm`}</div>
        </div>
      </div>
      <canvas></canvas>
      <div class="row">
        <span><i style="background:${$.bytes}"></i>in <b>${p(i?.inKB,1)}</b> out <b>${p(i?.outKB,1)}</b> kB/s</span>
        <span><i style="background:${$.loss}"></i>loss <b>${p(i?.lossPercent,1)} %</b></span>
        <span>full loop <b>${g(t?.fullLoopMs)} ms</b></span>
      </div>
      <div class="row">
        <span>lead <b>${g(t?.leadMs)} ms</b></span>
        <span>${p(e.framesPerSecond)} fps</span>
        <span title="Main thread, 99th percentile: the client library, and the whole frame">JS p99 wasm <b>${p(e.wasmTimes.quantile(.99),1)}</b> frame <b>${p(e.frameTimes.quantile(.99),1)} ms</b></span>
      </div>
    </section>`}updated(){let e=this.renderRoot.querySelector(`canvas`);e&&!this.cockpit.session.end&&this.#t(e,this.cockpit.session.client.netGraph())}#t(e,t){let n=devicePixelRatio,[r,i]=[e.clientWidth,126];e.width!==r*n&&(e.width=r*n),e.height!==i*n&&(e.height=i*n);let a=e.getContext(`2d`);a.setTransform(n,0,0,n,0,0),a.clearRect(0,0,r,i);let o=Math.max(0,t.count-Q),s=e=>r-(t.count-e)*(r/Q),c=40,l=400;for(let e=o;e<t.count;++e)c=Math.max(c,t.rttMs[e]+t.jitterMs[e]),l=Math.max(l,t.bytesReceived[e]);this.#e+=(c*1.15-this.#e)*.25;let u=e=>$i-e/this.#e*84;na(a,r,this.#e,u),a.beginPath();for(let e=o;e<t.count;++e)a.lineTo(s(e),u(t.rttMs[e]+t.jitterMs[e]));for(let e=t.count-1;e>=o;--e)a.lineTo(s(e),u(Math.max(0,t.rttMs[e]-t.jitterMs[e])));a.fillStyle=$.jitter,a.fill(),a.beginPath();for(let e=o;e<t.count;++e)a.lineTo(s(e),u(t.rttMs[e]));a.strokeStyle=$.rtt,a.lineWidth=1.4,a.stroke();let d=r/Q;for(let e=o;e<t.count;++e){let n=t.bytesReceived[e]/l*30;a.fillStyle=t.packetsLost[e]>0?$.loss:$.bytes,a.fillRect(s(e),i-n,Math.max(d-.5,.7),n),t.packetsLost[e]>0&&a.fillRect(s(e),i-ea+2,Math.max(d,1),3),t.corrections[e]!==0&&(a.fillStyle=$.correction,a.fillRect(s(e),0,1.5,$i))}}};customElements.define(`net-panel`,ta);function na(e,t,n,r){let i=[10,20,50,100,200,500,1e3].find(e=>n/e<4)??2e3;e.font=`10px Inter, system-ui, sans-serif`,e.fillStyle=$.text;for(let a=i;a<n;a+=i)e.strokeStyle=$.line,e.lineWidth=1,e.beginPath(),e.moveTo(0,Math.round(r(a))+.5),e.lineTo(t,Math.round(r(a))+.5),e.stroke(),e.fillText(`${a} ms`,1,r(a)-3)}function ra(e){let[t,n,r,i]=[0,0,0,0],a=Math.max(0,e.count-Qi);for(let r=a;r<e.count;++r)t+=e.bytesReceived[r],n+=e.bytesSent[r];for(let t=Math.max(0,e.count-Q);t<e.count;++t)r+=e.packetsReceived[t],i+=e.packetsLost[t];let o=Math.max((e.count-a)*Zi,Zi)/1e3;return{inKB:t/o/1e3,outKB:n/o/1e3,lossPercent:r+i===0?0:100*i/(r+i)}}var ia=class extends t{static properties={cockpit:{attribute:!1},off:{attribute:!1}};static styles=[a,Z,r`
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
    `];render(){let{cockpit:t,off:r}=this,i=q.filter(({key:e})=>r.includes(e)).map(e=>si(e,!1)),a=i.length>0?` ${i.join(` `)}`:``;return n`<section class="panel" aria-label="Techniques">
      <header>
        <h2>Techniques</h2>
        <span class="right">${r.length===0?`all on`:n`<kbd>0</kbd> all on`}</span>
      </header>
      <ul>
        ${q.map(({key:i,title:a,without:o},s)=>{let c=r.includes(i);return n`<li class=${c?`off`:``}>
            <button title=${`${i}: ${o}`} aria-pressed=${!c} @click=${()=>t.setTechnique(i,c)}>
              <kbd>${s+1}</kbd><span class="name">${a}</span><span class="state"></span>
            </button>
            ${c?n`<div class="without">${o}</div>`:e}
          </li>`})}
      </ul>
      <cmd-line .text=${`./perigee ctl techniques ${Mi(t.playerName)}${a}`}></cmd-line>
    </section>`}};customElements.define(`techniques-panel`,ia);var aa=r`
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
    backdrop-filter: blur(10px);
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
    bottom: 18px;
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
    backdrop-filter: blur(10px);
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
    .tools {
      display: none;
    }
  }
`,oa=.006,sa=class{#e;#t;#n=new _e;#r=new Ee(58,1,.1,10);#i=0;constructor(e){this.#e=new Ce({canvas:e,antialias:!0}),this.#e.toneMapping=4,this.#e.setPixelRatio(Math.min(devicePixelRatio,2)),this.#t=new bn(this.#e),this.#n.add(this.#t.group),this.#i=requestAnimationFrame(this.#a)}end(){cancelAnimationFrame(this.#i),this.#t.dispose(),this.#e.dispose()}#a=e=>{this.#i=requestAnimationFrame(this.#a);let{clientWidth:t,clientHeight:n}=this.#e.domElement,r=this.#e.getSize(new ie);(r.x!==t||r.y!==n)&&this.#e.setSize(t,n,!1),this.#r.aspect=t/Math.max(n,1),this.#r.rotation.set(-.1,-2.05+e/1e3*oa,0,`YXZ`),this.#r.updateProjectionMatrix(),this.#e.render(this.#n,this.#r)}},ca=`perigee.name`,la=220,ua=420,da=class extends t{static properties={cockpit:{state:!0},joining:{state:!0},failure:{state:!0},panels:{state:!0},help:{state:!0},tick:{state:!0}};#e=()=>{};#t;static styles=[a,aa];constructor(){super(),this.joining=this.help=!1,this.panels=!0,this.failure=``,this.tick=0,new te(this,f)}connectedCallback(){super.connectedCallback(),ee(()=>this.#g()),addEventListener(`pagehide`,this.#s)}disconnectedCallback(){super.disconnectedCallback(),ee(void 0),removeEventListener(`pagehide`,this.#s),this.#s(),this.#t?.end(),this.#t=void 0}render(){return n`
      <canvas id="view" tabindex="0" aria-label="The world"></canvas>
      ${this.cockpit?this.#u(this.cockpit):this.#n()}
    `}firstUpdated(){this.#a()}#n(){let t=f.mayAct||f.hello===void 0;return n`<div class="join">
      <form @submit=${this.#r}>
        <div class="title">Fly</div>
        <p>
          The client library itself runs in this page: prediction, physics and encryption as in an engine. Take its
          techniques away, make the network worse, and kill the server below you.
        </p>
        <div class="row">
          <input type="text" id="name" maxlength="32" autocomplete="off" spellcheck="false" placeholder="Your name"
            aria-label="Your name" .value=${localStorage.getItem(ca)??``} ?disabled=${this.joining} />
          <button class="main" id="join" ?disabled=${this.joining||!t}>${this.joining?`Joining…`:`Join`}</button>
        </div>
        ${t?e:n`<p class="why">To play, ${d}.</p>`}
        ${this.failure?n`<p class="why" role="alert">${this.failure}</p>`:e}
      </form>
    </div>`}async#r(e){e.preventDefault();let t=this.renderRoot.querySelector(`#name`)?.value.trim()||`Pilot ${Math.floor(Math.random()*900+100)}`;localStorage.setItem(ca,t),this.joining=!0,this.failure=``;try{let{session:e,clientId:n}=await Wi(t,e=>this.#o(e));this.#t?.end(),this.#t=void 0;let r=this.#i();try{this.cockpit=new ki({canvas:r,session:e,playerName:t,clientId:n,onKey:e=>this.#l(e)})}catch(t){throw e.leave(),console.error(t),Error(ai,{cause:t})}this.#e=this.cockpit.listen(()=>++this.tick),r.focus()}catch(e){this.failure=s(e)}this.joining=!1}#i(){let e=this.renderRoot.querySelector(`#view`),t=e.cloneNode();return e.replaceWith(t),t}#a(){let e=this.renderRoot.querySelector(`#view`);try{this.#t=new sa(e)}catch{this.failure=ai}}#o(e){this.#c(),this.failure=e,this.#i(),this.#a()}#s=()=>this.#c();#c(){this.#e(),this.cockpit?.end(),this.cockpit=void 0}#l(e){e===`Tab`?this.panels=!this.panels:e===`Slash`||e===`F1`?this.help=!this.help:e===`Escape`?this.help=!1:e===`KeyK`&&this.renderRoot.querySelector(`failover-panel`)?.kill()}#u(t){let r=performance.now();return n`
      ${t.split?n`<div class="divider"></div><span class="half left">mine</span><span class="half right">the server’s truth</span>`:e}
      <div class="sight ${r-t.marks.hitMs<la?`hit`:``} ${t.split?`split`:``}"></div>
      <div class="frame ${t.smoothing?`smoothing`:``} ${r-t.marks.hurtMs<ua?`hurt`:``}"></div>
      ${this.#m(t)} ${this.#h(t)}
      ${this.panels?this.#d(t):e}
      ${this.help?n`<help-panel @close=${()=>this.help=!1}></help-panel>`:e}
    `}#d(e){return n`
      <div class="column left">
        <techniques-panel .cockpit=${e} .off=${[...e.off]}></techniques-panel>
        <link-panel .cockpit=${e} .link=${e.link}></link-panel>
      </div>
      <div class="column right">
        <net-panel .cockpit=${e} .tick=${this.tick}></net-panel>
        <failover-panel .cockpit=${e} .tick=${this.tick}></failover-panel>
        <div class="tools">
          <button class="small ${e.split?`on`:``}" @click=${()=>this.#f(`split`)}>Split <kbd>T</kbd></button>
          <button class="small ${e.serverGhost?`on`:``}" @click=${()=>this.#f(`serverGhost`)}>Server’s me <kbd>B</kbd></button>
          <button class="small" @click=${()=>e.desync(.5)} title="Moves the prediction by 0.5 m">Desync <kbd>E</kbd></button>
          <button class="small" @click=${()=>this.help=!0}>Keys <kbd>?</kbd></button>
          <button class="small" @click=${this.#p}>Leave</button>
        </div>
      </div>
    `}#f(e){let{cockpit:t}=this;t&&(t[e]=!t[e],++this.tick)}#p(){this.#c(),this.failure=``,this.#i(),this.#a()}#m(t){let{gap:r}=t.failover;return t.session.state===`reconnecting`?n`<div class="banner warn" role="alert">The gateway is silent: the client reconnects, and goes on predicting.</div>`:r&&!r.healed?n`<div class="banner warn" role="alert">${r.worker} is dead. ${r.successor||`Its standby`} takes over; your client goes on.</div>`:e}#h(t){let{target:r}=t;return r?n`<div class="prompt"><kbd>F</kbd> ${r.sentence}</div>`:t.controls.captured?e:n`<div class="prompt faint">Click to look around · <kbd>?</kbd> all keys</div>`}#g(){let{cockpit:e}=this,t=e?.own,n=e?.telemetry,{failover:r,reaction:i}=e??{};return{state:e?.session.state??``,playerName:e?.playerName??``,inputToEyeMs:{last:i?.lastMs??NaN,median:i?.medianMs??NaN,count:i?.count??0},frameMs:{wasmP50:e?.wasmTimes.quantile(.5)??NaN,wasmP99:e?.wasmTimes.quantile(.99)??NaN,totalP50:e?.frameTimes.quantile(.5)??NaN,totalP99:e?.frameTimes.quantile(.99)??NaN},framesPerSecond:e?.framesPerSecond??0,telemetry:{rttMs:n?.rttMs??NaN,fullLoopMs:n?.fullLoopMs??NaN,jitterMs:n?.jitterMs??NaN,corrections:n?.corrections??0,largestCorrectionM:n?.largestCorrectionM??0},own:t&&{handle:t.handle,positionM:t.worldM,parent:t.parent,smoothing:e.smoothing},scene:{entities:e?.sceneCount??0,types:e?.typeCounts??{}},truth:{entities:e?.truthCount??0,ownPositionM:e?.trueOwnM},techniques:q.filter(({key:t})=>e?.off.has(t)).map(e=>si(e,!1)),link:e?.link??`none`,outlinedFrames:e?.outlinedFrames??0,gap:r?.gap&&{...r.gap},split:e?.split??!1}}};customElements.define(`fly-page`,da);export{da as FlyPage};