import{a as e,l as t,o as n,s as r}from"./lit.js";import{c as i,n as a,s as o,u as s}from"./shared.js";import{a as c,c as l,h as u,i as d,o as f,p,t as m}from"./index.js";import{n as h,t as g}from"./screen.js";import{A as ee,D as te,F as ne,G as _,H as v,J as y,K as re,L as b,M as x,N as ie,O as ae,P as oe,R as se,S as ce,V as le,W as ue,X as de,Y as S,b as fe,c as C,d as pe,f as me,g as he,h as ge,j as _e,k as ve,l as ye,p as w,s as T,u as be,v as xe,w as Se,x as Ce,y as E,z as D}from"./three.js";import{n as we,t as Te}from"./emitter.js";import{t as Ee}from"./frame_timer.js";import{d as De,i as Oe}from"./acts.js";import{t as ke}from"./act_button.js";import{t as Ae}from"./palette.js";import{n as je,t as O}from"./pilot.js";var Me=1225,Ne=1024,k={badArgument:-1,badToken:-2,bufferTooSmall:-3,notPlaying:-4,internal:-5,tooMany:-6},Pe={"token-expired":-6,"token-invalid":-5,"timed-out":-4,"response-timed-out":-3,"request-timed-out":-2,denied:-1,disconnected:0,connecting:1,joining:2,playing:3,reconnecting:4},A={jump:1,run:2,jetpack:4,dampers:8,fire:16,alternate:32,dig:64,fill:128},Fe={own:1,smoothing:2,extrapolated:4},Ie={played:0,confirmed:1,cancelled:2},Le={held:0,kept:1,momentary:2},j={bytes:20,family:0,ip:1,port:18},Re={bytes:36,structBytes:0,right:4,up:8,forward:12,yawRad:16,pitchRad:20,held:24,pressed:28,useHandle:32},ze={bytes:72,name:0,low:32,high:40,initial:48,offset:56,fieldBytes:60,missing:64},Be={bytes:152,handle:0,parent:4,type:8,flags:12,localPositionM:16,localRotation:40,worldPositionM:72,worldRotation:96,smoothingM:128},Ve={bytes:24,tick:0,index:4,effect:8,subject:12,state:16,detail:20},He={bytes:48,tick:0,handle:4,effect:8,subject:12,detail:16,worldPositionM:24},Ue={bytes:32,structBytes:0,size:4,cellM:16,version:24},We={bytes:40,structBytes:0,known:4,predictedTick:8,viewOriginTick:12,viewTicks:16,viewDelayS:24,rate:32},Ge={bytes:80,structBytes:0,rttUs:8,fullLoopUs:16,jitterUs:24,leadUs:32,packets:40,packetsLost:48,bytesReceived:56,corrections:64,largestCorrectionM:72},Ke={bytes:64,endUs:0,rttUs:8,jitterUs:16,leadUs:24,packetsReceived:32,packetsLost:36,bytesReceived:40,packetsSent:44,bytesSent:48,corrections:52,largestCorrectionM:56},qe=16,Je=class e{encoded;host;port;text;constructor(e,t,n){this.encoded=e,this.host=t,this.port=n,this.text=t.includes(`:`)?`[${t}]:${n}`:`${t}:${n}`}static read(t,n){let r=t.slice(n,n+j.bytes),i=new DataView(r.buffer),a=r.subarray(j.ip,j.ip+qe),o=i.getUint16(j.port,!0);if(r[j.family]===4)return new e(r,a.subarray(0,4).join(`.`),o);let s=[];for(let e=0;e<qe;e+=2)s.push((a[e]<<8|a[e+1]).toString(16));return new e(r,s.join(`:`),o)}isAt(e,t){return this.encoded.every((n,r)=>n===e[t+r])}},M=class extends Error{fault;name=`PerigeeError`;constructor(e,t,n){super(t,n),this.fault=e}};function Ye(e){return e instanceof Error?e.message:String(e)}var Xe=Object.keys(Le);function Ze(e,t,n){let r=ze,i=n=>Number(e.getBigInt64(t+n,!0)),a=n=>e.getUint32(t+n,!0);return{name:n,low:i(r.low),high:i(r.high),initial:i(r.initial),offset:a(r.offset),bytes:a(r.fieldBytes),missing:Xe[a(r.missing)]??`held`}}var Qe={};function $e(e,t,n){let r=Re;e.setUint32(t+r.structBytes,r.bytes,!0),e.setFloat32(t+r.right,n.right??0,!0),e.setFloat32(t+r.up,n.up??0,!0),e.setFloat32(t+r.forward,n.forward??0,!0),e.setFloat32(t+r.yawRad,n.yawRad??0,!0),e.setFloat32(t+r.pitchRad,n.pitchRad??0,!0),e.setUint32(t+r.held,n.held??0,!0),e.setUint32(t+r.pressed,n.pressed??0,!0),e.setUint32(t+r.useHandle,n.useHandle??0,!0)}var et=Object.keys(Ie);function tt(e,t){let n=Ve,r=n=>e.getUint32(t+n,!0);return{tick:r(n.tick),index:r(n.index),effect:r(n.effect),subject:r(n.subject),state:et.find(e=>Ie[e]===r(n.state))??`cancelled`,detail:r(n.detail)}}function nt(e,t){let n=He,r=n=>e.getUint32(t+n,!0),i=r=>e.getFloat64(t+n.worldPositionM+8*r,!0);return{tick:r(n.tick),handle:r(n.handle),effect:r(n.effect),subject:r(n.subject),detail:r(n.detail),positionM:[i(0),i(1),i(2)]}}function rt(e,t){let n=Ue,r=r=>e.getInt32(t+n.size+4*r,!0);return{size:[r(0),r(1),r(2)],cellM:e.getFloat64(t+n.cellM,!0),version:e.getBigUint64(t+n.version,!0)}}function it(){return{known:!1,predictedTick:0,viewOriginTick:0,viewTicks:0,viewDelayS:0,rate:0}}function at(e,t,n){let r=We;return n.known=e.getUint32(t+r.known,!0)!==0,n.predictedTick=e.getUint32(t+r.predictedTick,!0),n.viewOriginTick=e.getUint32(t+r.viewOriginTick,!0),n.viewTicks=e.getFloat64(t+r.viewTicks,!0),n.viewDelayS=e.getFloat64(t+r.viewDelayS,!0),n.rate=e.getFloat64(t+r.rate,!0),n}function ot(){return{rttMs:0,fullLoopMs:0,jitterMs:0,leadMs:0,packets:0,packetsLost:0,bytesReceived:0,corrections:0,largestCorrectionM:0}}function N(e,t){return e.getInt32(t+4,!0)*2**32+e.getUint32(t,!0)}function st(e,t,n){let r=Ge;return n.rttMs=N(e,t+r.rttUs)/1e3,n.fullLoopMs=N(e,t+r.fullLoopUs)/1e3,n.jitterMs=N(e,t+r.jitterUs)/1e3,n.leadMs=N(e,t+r.leadUs)/1e3,n.packets=N(e,t+r.packets),n.packetsLost=N(e,t+r.packetsLost),n.bytesReceived=N(e,t+r.bytesReceived),n.corrections=N(e,t+r.corrections),n.largestCorrectionM=e.getFloat64(t+r.largestCorrectionM,!0),n}var ct=class{count=0;endMs=new Float64Array(256);rttMs=new Float64Array(256);jitterMs=new Float64Array(256);leadMs=new Float64Array(256);packetsReceived=new Uint32Array(256);packetsLost=new Uint32Array(256);bytesReceived=new Uint32Array(256);packetsSent=new Uint32Array(256);bytesSent=new Uint32Array(256);corrections=new Uint32Array(256);largestCorrectionM=new Float64Array(256);read(e,t,n){let r=Ke;this.count=n;for(let i=0;i<n;++i){let n=t+i*r.bytes;this.endMs[i]=N(e,n+r.endUs)/1e3,this.rttMs[i]=N(e,n+r.rttUs)/1e3,this.jitterMs[i]=N(e,n+r.jitterUs)/1e3,this.leadMs[i]=N(e,n+r.leadUs)/1e3,this.packetsReceived[i]=e.getUint32(n+r.packetsReceived,!0),this.packetsLost[i]=e.getUint32(n+r.packetsLost,!0),this.bytesReceived[i]=e.getUint32(n+r.bytesReceived,!0),this.packetsSent[i]=e.getUint32(n+r.packetsSent,!0),this.bytesSent[i]=e.getUint32(n+r.bytesSent,!0),this.corrections[i]=e.getUint32(n+r.corrections,!0),this.largestCorrectionM[i]=e.getFloat64(n+r.largestCorrectionM,!0)}return this}},P=Be,lt=8,ut=4,dt=256,ft=class{handle=0;parent=0;type=0;flags=0;localPositionM;localRotation;worldPositionM;worldRotation;smoothingM;constructor(e,t){let n=(n,r)=>e.subarray(t+n/lt,t+n/lt+r);this.localPositionM=n(P.localPositionM,3),this.localRotation=n(P.localRotation,4),this.worldPositionM=n(P.worldPositionM,3),this.worldRotation=n(P.worldRotation,4),this.smoothingM=n(P.smoothingM,3)}get own(){return(this.flags&Fe.own)!==0}get smoothing(){return(this.flags&Fe.smoothing)!==0}get extrapolated(){return(this.flags&Fe.extrapolated)!==0}},pt=class{#e;#t;#n=dt;#r=new Uint8Array;#i=new Uint32Array;#a=[];#o=0;#s;constructor(e){this.#e=e,this.#t=e.allocate(this.#n*P.bytes),this.#l()}get count(){return this.#o}at(e){if(!(e>=0&&e<this.#o))throw RangeError(`the scene has no entity ${e}`);return this.#a[e]}get own(){return this.#s}*[Symbol.iterator](){for(let e=0;e<this.#o;++e)yield this.#a[e]}update(e){let t=e(this.#t,P.bytes,this.#n);if(t>this.#n){for(;t>this.#n;)this.#n*=2;this.#e.release(this.#t),this.#t=this.#e.allocate(this.#n*P.bytes),this.#l(),t=e(this.#t,P.bytes,this.#n)}this.#o=Math.max(0,Math.min(t,this.#n));let n=this.#t+this.#o*P.bytes;return this.#r.set(this.#e.bytes.subarray(this.#t,n)),this.#c(),this}release(){this.#e.release(this.#t),this.#o=0,this.#s=void 0}#c(){this.#s=void 0;for(let e=0;e<this.#o;++e){let t=this.#a[e],n=e*P.bytes/ut;t.handle=this.#i[n+P.handle/ut],t.parent=this.#i[n+P.parent/ut],t.type=this.#i[n+P.type/ut],t.flags=this.#i[n+P.flags/ut],t.own&&(this.#s=t)}}#l(){this.#r=new Uint8Array(this.#n*P.bytes),this.#i=new Uint32Array(this.#r.buffer);let e=new Float64Array(this.#r.buffer);this.#a.length=0;for(let t=0;t<this.#n;++t)this.#a.push(new ft(e,t*P.bytes/lt))}},mt=new Map(Object.entries(Pe).map(([e,t])=>[t,e]));function ht(e){return mt.get(e)??`disconnected`}function gt(e){return Pe[e]<=Pe.disconnected}var _t={"token-expired":`the connection took longer than the token was valid; log in again`,"token-invalid":`the token is none; log in again`,"timed-out":`the server has not been heard of for too long`,"response-timed-out":`the server answered at first, and then no more`,"request-timed-out":`no server answered`,denied:`the server refused the connection: it is full, or an operator has ended the session`,disconnected:`the session has ended`};function vt(e){return _t[e]??e}var F=256,yt=4,bt=2<<20,xt=1<<20,St=4,Ct=[],wt=8,Tt=e=>Math.ceil(e/wt)*wt,I=(()=>{let e=0,t=t=>(e+=Tt(t))-Tt(t);return{address:t(j.bytes),datagram:t(Me),datagramBytes:t(yt),input:t(Re.bytes),message:t(Ne),ground:t(Ue.bytes),low:t(12),size:t(12),time:t(We.bytes),telemetry:t(Ge.bytes),cues:t(F*Ve.bytes),heard:t(F*He.bytes),netSamples:t(256*Ke.bytes),bytes:e}})(),Et=class{#e;#t;#n;#r=it();#i=ot();#a=new ct;#o=[];#s;#c;constructor(e){if(this.#e=e,this.#s=e.call.create(1),this.#s===0)throw new M(`out-of-memory`,`the page has no memory left for a client`);this.#t=e.allocate(I.bytes),this.#n=new pt(e)}destroy(){this.#s!==0&&(this.#n.release(),this.#e.release(this.#t),this.#e.call.destroy(this.#s),this.#s=0)}get wireVersion(){return this.#e.call.wire_version()}get schemaHash(){return BigInt.asUintN(64,this.#e.call.schema_hash(this.#f()))}begin(e,t){let n=this.#e.allocate(t.length);this.#e.bytes.set(t,n);let r=this.#e.call.begin(this.#f(),L(e),n,t.length);if(this.#e.release(n),r===k.badToken)throw new M(`bad-token`,`these ${t.length} bytes are no connect token; log in again`);this.#p(r,`begin`)}receive(e,t,n){if(n.length>1225)return;let r=this.#e.bytes;r.set(t.encoded,this.#t+I.address),r.set(n,this.#t+I.datagram);let i=this.#e.call.receive(this.#f(),L(e),this.#t+I.address,this.#t+I.datagram,n.length);this.#p(i,`receive`)}advance(e,t){let n=this.#t+I.input;$e(this.#e.view,n,t),this.#p(this.#e.call.advance(this.#f(),L(e),n),`advance`)}inputFields(){let e=ze.bytes,t=this.#e.allocate(16*e);try{let n=this.#p(this.#e.call.input_fields(this.#f(),t,e,16),`inputFields`);return Array.from({length:n},(n,r)=>Ze(this.#e.view,t+r*e,this.#e.textAt(t+r*e)))}finally{this.#e.release(t)}}setInput(e,t){let n=Number.isSafeInteger(t)?this.#d(e,e=>this.#e.call.set_input(this.#f(),e,BigInt(t))):k.badArgument;if(n===k.badArgument)throw new M(`bad-argument`,`the game has no input field ${e}, or ${t} is out of its range`);this.#p(n,`setInput`)}setOwnInput(e){let t=this.#e.allocate(Math.max(e.length,1));this.#e.bytes.set(e,t);let n=this.#e.call.set_own_input(this.#f(),t,e.length);this.#e.release(t),this.#p(n,`setOwnInput`)}pollSend(){let e=this.#t+I.address,t=this.#t+I.datagram,n=this.#t+I.datagramBytes,r=this.#e.call.poll_send(this.#f(),e,t,Me,n);if(this.#p(r,`pollSend`)===0)return;let i=this.#e.bytes;this.#c?.isAt(i,e)||(this.#c=Je.read(i,e));let a=this.#e.view.getUint32(n,!0);return{to:this.#c,bytes:i.slice(t,t+a)}}disconnect(e){this.#p(this.#e.call.disconnect(this.#f(),L(e)),`disconnect`)}get state(){return ht(this.#e.call.get_state(this.#f()))}scene(e){let[t,n]=[this.#f(),L(e)];return this.#n.update((e,r,i)=>this.#p(this.#e.call.scene(t,n,e,r,i),`scene`))}typeName(e){if(!(e in this.#o)){let t=this.#e.call.type_name(this.#f(),e);if(t===0)return;this.#o[e]=this.#e.textAt(t)}return this.#o[e]}cues(){let e=this.#t+I.cues,t=this.#p(this.#e.call.cues(this.#f(),e,Ve.bytes,F),`cues`);if(t===0)return Ct;let n=this.#e.view;return Array.from({length:Math.min(t,F)},(t,r)=>tt(n,e+r*Ve.bytes))}heard(){let e=this.#t+I.heard,t=this.#p(this.#e.call.heard(this.#f(),e,He.bytes,F),`heard`);if(t===0)return Ct;let n=this.#e.view;return Array.from({length:Math.min(t,F)},(t,r)=>nt(n,e+r*He.bytes))}gameState(e,t){let{call:n}=this.#e;return this.#l(n.type_state_bytes(this.#f(),t),`gameState`,(t,r)=>n.game_state(this.#f(),e,t,r))}worldState(){let{call:e}=this.#e;return this.#l(e.world_state_bytes(this.#f()),`worldState`,(t,n)=>e.world_state(this.#f(),t,n))}#l(e,t,n){if(e===0)return;let r=this.#e.allocate(e);try{return this.#p(n(r,e),t)===0?void 0:new DataView(this.#e.bytes.slice(r,r+e).buffer)}finally{this.#e.release(r)}}playerName(e){let t=this.#e.allocate(33);try{return this.#p(this.#e.call.player_name(this.#f(),e,t,33),`playerName`)===0?``:this.#e.textAt(t)}finally{this.#e.release(t)}}sendMessage(e){let t=this.#f();if(e.length>1024)throw new M(`bad-argument`,`a message of ${e.length} bytes is longer than ${Ne}: send it in parts`);let n=this.#t+I.message;this.#e.bytes.set(e,n);let r=this.#e.call.send_message(t,n,e.length);return r!==k.tooMany&&(this.#p(r,`sendMessage`),!0)}takeMessages(){let e=this.#t+I.message,t=this.#t+I.datagramBytes,n=[];for(;;){let r=this.#e.call.messages(this.#f(),e,Ne,t);if(this.#p(r,`takeMessages`)===0)return n;n.push(this.#e.bytes.slice(e,e+this.#e.view.getUint32(t,!0)))}}ground(e){let t=this.#t+I.ground;return this.#e.view.setUint32(t+Ue.structBytes,Ue.bytes,!0),this.#e.call.get_ground(this.#f(),e,t)<0?void 0:rt(this.#e.view,t)}cells(e,t,n){let r=n[0]*n[1]*n[2],i=this.#e.allocate(Math.max(r,1)),a=this.#e.view;for(let e=0;e<3;++e)a.setInt32(this.#t+I.low+St*e,t[e],!0),a.setInt32(this.#t+I.size+St*e,n[e],!0);let o=this.#e.call.cells(this.#f(),e,this.#t+I.low,this.#t+I.size,i,r),s=this.#e.bytes.slice(i,i+r);if(this.#e.release(i),o<0)throw new M(`bad-argument`,`entity ${e} is no ground made of cells, or the box is too large`);return s}time(){let e=this.#t+I.time;return this.#e.view.setUint32(e+We.structBytes,We.bytes,!0),this.#p(this.#e.call.get_time(this.#f(),e),`time`),at(this.#e.view,e,this.#r)}telemetry(){let e=this.#t+I.telemetry;return this.#e.view.setUint32(e+Ge.structBytes,Ge.bytes,!0),this.#p(this.#e.call.get_telemetry(this.#f(),e),`telemetry`),st(this.#e.view,e,this.#i)}netGraph(){let e=this.#t+I.netSamples,t=this.#p(this.#e.call.net_graph(this.#f(),e,Ke.bytes,256),`netGraph`);return this.#a.read(this.#e.view,e,Math.min(t,256))}link(e,t){let n=L(e);if(this.#d(t,e=>this.#e.call.link(this.#f(),n,e))<0)throw new M(`bad-argument`,`"${t}" has a word that is no condition of a link: write a profile such as P5, delay-ms=, jitter-ms= (one way), loss-permille=, or none`)}use(e){if(this.#d(e,e=>this.#e.call.use(this.#f(),e))<0)throw new M(`bad-argument`,`"${e}" has a technique or a value that does not exist; docs/tuning.md lists them`)}record(e){this.#p(this.#e.call.record(this.#f(),e),`record`)}recording(){let{bytes:e,result:t}=this.#u(bt,(e,t,n)=>this.#e.call.recording(this.#f(),e,t,n));return this.#p(t,`recording`)===0?void 0:e}reportFlight(e,t,n=!1){let r=this.#e,i=[e,t].map(e=>{if(!e)return 0;let t=r.allocate(Math.max(e.length,1));return r.bytes.set(e,t),t}),{bytes:a,result:o}=this.#u(xt,(a,o,s)=>r.call.report_flight(this.#f(),i[0],e.length,i[1],t?.length??0,+!!n,a,o,s));for(let e of i)e!==0&&r.release(e);let s=new TextDecoder().decode(a);if(this.#p(o,`reportFlight`)===0)throw new M(`bad-recording`,s);return JSON.parse(s)}injectDesync(e,t,n){this.#p(this.#e.call.inject_desync(this.#f(),e,t,n),`injectDesync`)}#u(e,t){let n=this.#e,r=this.#t+I.datagramBytes;for(;;){let i=n.allocate(e);n.view.setUint32(r,0,!0);let a=t(i,e,r),o=n.view.getUint32(r,!0),s=n.bytes.slice(i,i+Math.min(o,e));if(n.release(i),a!==k.bufferTooSmall)return{bytes:s,result:a};e=o+o/4}}#d(e,t){let n=new TextEncoder().encode(`${e}\0`),r=this.#e.allocate(n.length);this.#e.bytes.set(n,r);let i=t(r);return this.#e.release(r),i}#f(){if(this.#s===0)throw new M(`ended`,`this client has been destroyed`);return this.#s}#p(e,t){if(e>=0)return e;throw e===k.notPlaying?new M(`not-playing`,`${t} needs a player in the world`):e===k.badArgument?new M(`bad-argument`,`an argument of ${t} is not a number, or out of range`):new M(`stopped`,`${t} failed inside the client library (${e})`)}};function L(e){if(!Number.isFinite(e))throw new M(`bad-argument`,`the time is not a number`);return BigInt(Math.round(e*1e3))}var Dt=1,Ot=2,kt=8,At=70,jt=2,Mt=24,Nt=8,Pt=`wasi_snapshot_preview1`,Ft=class{#e;#t=[``,``,``];#n=``;functions={fd_write:(e,t,n,r)=>this.#r(e,t,n,r),fd_fdstat_get:(e,t)=>this.#a(e,t),fd_close:()=>0,fd_seek:()=>At};use(e){this.#e=e}get errors(){return(this.#n+this.#t[Ot]).trim()}#r(e,t,n,r){if(e!==Dt&&e!==Ot)return kt;let i=new DataView(this.#e.buffer),a=this.#t[e],o=0;for(let e=0;e<n;++e){let n=i.getUint32(t+e*Nt,!0),r=i.getUint32(t+e*Nt+4,!0);a+=new TextDecoder().decode(new Uint8Array(i.buffer,n,r)),o+=r}let s=a.split(`
`);this.#t[e]=s.pop().slice(-4096);for(let t of s)this.#i(e,t);return i.setUint32(r,o,!0),0}#i(e,t){e===Dt?console.log(t):(console.error(t),this.#n=`${this.#n}${t}\n`.slice(-4096))}#a(e,t){if(e!==Dt&&e!==Ot)return kt;let n=new Uint8Array(this.#e.buffer,t,Mt).fill(0);return n[0]=jt,0}},It=`perigee_client_`,Lt=`abi.create.destroy.wire_version.schema_hash.begin.receive.advance.input_fields.set_input.own_input_bytes.set_own_input.poll_send.disconnect.get_state.scene.type_name.cues.heard.type_state_bytes.game_state.world_state_bytes.world_state.player_name.send_message.messages.get_ground.cells.get_time.get_telemetry.net_graph.link.use.record.recording.report_flight.inject_desync`.split(`.`),Rt=class e{call;#e=new Ft;#t;#n;#r;#i;#a;#o;constructor(e){let t=WebAssembly.Module.imports(e).find(e=>e.module!==`wasi_snapshot_preview1`||!(e.name in this.#e.functions));if(t)throw new M(`module-missing`,`the game's module imports ${t.name}, which a page does not have: the game may use no files, clocks, threads or random devices`);let n=new WebAssembly.Instance(e,{[Pt]:this.#e.functions}).exports,r=[`memory`,`_initialize`,`malloc`,`free`,`${It}abi`].find(e=>!(e in n));if(r)throw Bt(r);this.#t=n.memory,this.#e.use(this.#t),this.#i=new Uint8Array(this.#t.buffer),this.#a=new DataView(this.#i.buffer),this.#n=this.#l(n.malloc),this.#r=this.#l(n.free),this.#l(n._initialize)(),zt(this.#l(n[`${It}abi`])()),this.call=this.#c(n)}static of(t){return new e(t)}get bytes(){return this.#i.buffer!==this.#t.buffer&&this.#s(),this.#i}get view(){return this.#i.buffer!==this.#t.buffer&&this.#s(),this.#a}allocate(e){let t=this.#n(e)>>>0;if(t===0)throw new M(`out-of-memory`,`the page has no memory left for ${e} bytes`);return t}release(e){this.#o===void 0&&this.#r(e)}textAt(e){let t=this.bytes;return new TextDecoder().decode(t.slice(e,t.indexOf(0,e)))}#s(){this.#i=new Uint8Array(this.#t.buffer),this.#a=new DataView(this.#i.buffer)}#c(e){let t={};for(let n of Lt){let r=e[It+n];if(typeof r!=`function`)throw Bt(It+n);t[n]=this.#l(r)}return t}#l(e){return(...t)=>{if(this.#o)throw this.#o;try{return e(...t)}catch(e){let t=this.#e.errors||Ye(e);throw this.#o=new M(`stopped`,`the game's module has stopped because of a bug: ${t}`,{cause:e}),this.#o}}}};function zt(e){if(e!==1)throw new M(`other-abi`,`the game's module has version ${e} of the client library's interface, and this package has version 1: build the module from the same version of perigee as @perigee/client`)}function Bt(e){return new M(`module-missing`,`the game's module does not export ${e}: build it with client/browser/build.sh of perigee`)}var Vt=new URL(new URL(`skiff.wasm`,import.meta.url).href,``+import.meta.url),Ht=`application/wasm`,Ut=class e{#e;constructor(e){this.#e=e}static async load(t=Vt){if(typeof WebAssembly!=`object`)throw new M(`no-webassembly`,`this browser has no WebAssembly, which the game needs: update it, or switch WebAssembly on`);return new e(Rt.of(await Wt(t)))}get wireVersion(){return this.#e.call.wire_version()}createClient(){return new Et(this.#e)}};async function Wt(e){if(e instanceof WebAssembly.Module)return e;try{if(e instanceof ArrayBuffer||ArrayBuffer.isView(e))return await WebAssembly.compile(e);if(e instanceof Response)return await Gt(e);let t=new URL(e,globalThis.location?.href);return t.protocol===`file:`?await WebAssembly.compile(await Kt(t)):await Gt(await fetch(t))}catch(t){throw new M(`module-missing`,`the game's module cannot be loaded${e instanceof URL||typeof e==`string`?` from ${e}`:``}: ${Ye(t)}`,{cause:t})}}async function Gt(e){if(!e.ok)throw Error(`the server answers ${e.status}`);return e.headers.get(`content-type`)?.split(`;`)[0]?.trim()===Ht&&`compileStreaming`in WebAssembly?WebAssembly.compileStreaming(e):WebAssembly.compile(await e.arrayBuffer())}async function Kt(e){let{readFile:t}=await import(`node:fs/promises`);return t(e)}var qt=1e4,Jt=`/v1/log_in`,Yt=class extends M{status;httpStatus;retryAfterS;name=`LogInError`;constructor(e,t,n,r,i){super(`log-in`,e,i),this.status=t,this.httpStatus=n,this.retryAfterS=r}get otherVersion(){return this.status===`FAILED_PRECONDITION`}};async function Xt(e,t,n={}){let r=new URL(Jt,new URL(e,globalThis.location?.href)),i=JSON.stringify({...t,schemaHash:t.schemaHash.toString()}),a,o;try{a=await fetch(r,{method:`POST`,headers:{...n.headers,"content-type":`application/json`},body:i,signal:n.signal??AbortSignal.timeout(qt)}),o=await a.text()}catch(e){throw new Yt(`${r.origin} does not answer the log-in (${Ye(e)}); is it running, and does it allow this page?`,``,0,void 0,{cause:e})}let s=Zt(o);if(!a.ok)throw Qt(r,a,s);let c=$t(s);if(!c)throw new Yt(`what ${r.origin} answers is no log-in`,``,a.status);return c}function Zt(e){try{let t=JSON.parse(e);return typeof t==`object`&&t?t:{}}catch{return{}}}function Qt(e,t,n){let{message:r,status:i}=n.error??{},a=Number(t.headers.get(`retry-after`)??NaN);return new Yt(typeof r==`string`&&r!==``?r:`${e.origin} answers the log-in with ${t.status} ${t.statusText}`,typeof i==`string`?i:``,t.status,Number.isFinite(a)?a:void 0)}function $t(e){let{connectToken:t,clientId:n=`0`,gatewayAddress:r=``,tickRateHz:i=0}=e;if(typeof t!=`string`||typeof r!=`string`||typeof i!=`number`||!/^\d+$/.test(String(n)))return;let a=en(t);if(a)return{connectToken:a,clientId:BigInt(String(n)),gatewayAddress:r,tickRateHz:i}}function en(e){try{return Uint8Array.from(atob(e),e=>e.charCodeAt(0))}catch{return}}function tn(e,t,n){let r=new URL(e,globalThis.location?.href);return r.protocol=n[r.protocol]??r.protocol,r.search=`${r.search===``?`?`:`${r.search}&`}gateway=${t.text}`,r}var nn=4,rn=1e3,an=3e3,on=class{open;receive;problem=``;#e=new Map;#t=0;constructor(e,t){this.open=e,this.receive=t}send(e,t,n){this.#t=e;let r=this.#e.get(t.text);r&&e-r.usedMs>=rn&&(r.heardMs=e),r?.path&&e-r.heardMs>=an&&(r.path.close(),r=void 0),(!r||!r.path&&e-r.usedMs>=rn)&&(r=this.#n(e,t)),r.path&&(r.usedMs=e,r.path.send(n))}close(){for(let{path:e}of this.#e.values())e?.close();this.#e.clear()}#n(e,t){!this.#e.has(t.text)&&this.#e.size>=nn&&this.#r();let n=this.open(t),r={path:n,usedMs:e,heardMs:e};return n.onDatagram=e=>{r.heardMs=this.#t,this.receive(t,e)},n.onClose=e=>{r.path=void 0,this.problem=e},this.#e.set(t.text,r),r}#r(){let e;for(let t of this.#e)(!e||t[1].usedMs<e[1].usedMs)&&(e=t);e[1].path?.close(),this.#e.delete(e[0])}},sn=8,cn=65536,ln=class{onDatagram=()=>{};onClose=()=>{};dropped=0;#e;#t=[];constructor(e,t){if(typeof WebSocket!=`function`)throw new M(`no-websocket`,`this browser has no WebSocket, with which the game reaches its server`);let n=tn(e,t,{"http:":`ws:`,"https:":`wss:`});this.#e=new WebSocket(n),this.#e.binaryType=`arraybuffer`;let r=!1;this.#e.onopen=()=>{r=!0;for(let e of this.#t.splice(0))this.#e.send(e)},this.#e.onmessage=({data:e})=>{e instanceof ArrayBuffer&&this.onDatagram(new Uint8Array(e))},this.#e.onclose=({code:e,reason:t})=>{let i=r?`closed the connection`:`cannot be reached`;this.onClose(`the relay ${n.origin}${n.pathname} ${i} (${t||e})`)}}send(e){this.#e.readyState===WebSocket.CONNECTING?(this.#t.push(e),this.#t.length>sn&&(this.#t.shift(),++this.dropped)):this.#e.readyState!==WebSocket.OPEN||this.#e.bufferedAmount>cn?++this.dropped:this.#e.send(e)}close(){this.onDatagram=this.onClose=()=>{},this.#e.close()}},un=15e3,dn=10,fn=100,pn=256,mn=class e{client;#e;#t=()=>{};#n=[];#r=[];#i=0;#a=0;#o;#s=`disconnected`;constructor(e,t){this.client=e,this.#e=new on(t,(e,t)=>this.#d(e,t))}static async join(t){let{game:n,player:r,path:i}=t,a=(n instanceof Ut?n:await Ut.load(n)).createClient(),o=new e(a,typeof i==`function`?i:e=>new ln(i,e));try{t.techniques&&a.use(t.techniques);let e=r instanceof Uint8Array?r:await hn(a,r);return a.begin(o.#f(performance.now()),e),await o.#c(t.timeoutMs??un),t.onEnd&&(o.#t=t.onEnd),o}catch(e){throw o.#h(),e}}get state(){return this.#o?this.#s:this.client.state}get end(){return this.#o}frame(e,t){let n=this.#f(e);this.#l(n,t);try{return this.client.scene(n)}catch(e){throw this.#m(e)}}takeCues(){return this.#n.splice(0)}takeHeard(){return this.#r.splice(0)}leave(){this.#o||(this.client.disconnect(this.#f(performance.now())),this.#u(),this.#o=new M(`ended`,`the player has left`),this.#h())}async#c(e){let t=performance.now();for(let n=t;n<t+e;n=performance.now()){if(this.#l(this.#f(n),Qe),this.client.state===`playing`)return;await new Promise(e=>setTimeout(e,dn))}throw new M(`timeout`,`no avatar after ${e/1e3} s (${this.client.state})${this.#p()}`)}#l(e,t){if(this.#o)throw this.#o;try{this.client.advance(e,t),this.#a=e;for(let e of this.client.cues())this.#n.push(e),this.#n.length>pn&&this.#n.shift();for(let e of this.client.heard())this.#r.push(e),this.#r.length>pn&&this.#r.shift();this.#u()}catch(e){throw this.#m(e)}let n=this.client.state;if(gt(n))throw this.#s=n,this.#m(new M(`ended`,vt(n)+this.#p()))}#u(){for(let e=this.client.pollSend();e;e=this.client.pollSend())this.#e.send(this.#i,e.to,e.bytes)}#d(e,t){if(this.#o)return;let n=this.#f(performance.now());try{this.client.receive(n,e,t),n-this.#a>=fn&&this.#l(n,Qe)}catch(e){this.#m(e)}}#f(e){return this.#i=Math.max(this.#i,e),this.#i}#p(){return this.#e.problem===``?``:`: ${this.#e.problem}`}#m(e){return this.#o||(this.#o=e instanceof M?e:new M(`stopped`,Ye(e),{cause:e}),this.#h(),this.#t(this.#o)),this.#o}#h(){this.#e.close(),this.#o?.fault!==`stopped`&&this.client.destroy()}};async function hn(e,t){let{url:n,playerName:r,credential:i,wantedRegion:a}=t,{wireVersion:o,schemaHash:s}=e,c=a===void 0?{}:{wantedRegion:a};try{return(await Xt(n,{playerName:r,credential:i,wireVersion:o,schemaHash:s,...c})).connectToken}catch(e){throw!(e instanceof Yt)||!e.otherVersion?e:new Yt(`${e.message} (the client is this page's module of the game: load the page again, or build the module from the same sources as the server)`,e.status,e.httpStatus,e.retryAfterS,{cause:e})}}var gn=.0022,_n=Math.PI/2-.001,vn=.15,yn=2.6,bn={Space:A.jump,ShiftLeft:A.run,ShiftRight:A.run,KeyG:A.dig,KeyH:A.fill},xn={0:A.fire,2:A.alternate},Sn=[[0,A.jump],[3,A.jetpack],[10,A.run],[4,A.run],[7,A.fire],[6,A.alternate],[14,A.dig],[15,A.fill]],Cn=2,wn=new Set([`KeyW`,`KeyA`,`KeyS`,`KeyD`]),Tn=new Set([`ArrowUp`,`ArrowLeft`,`ArrowDown`,`ArrowRight`]),En=1.7,Dn=.1,On=class{yawRad=0;pitchRad=-.12;dampers=!0;#e;#t;#n=new Set;#r=new Set;#i=new AbortController;#a=0;#o=0;#s=navigator.getGamepads?.().some(e=>e!==null)??!1;#c=0;#l=!1;#u=0;constructor(e,t){this.#e=e,this.#t=t;let{signal:n}=this.#i;addEventListener(`keydown`,e=>this.#d(e),{signal:n}),addEventListener(`keyup`,e=>this.#f(e),{signal:n}),addEventListener(`gamepadconnected`,()=>this.#s=!0,{signal:n}),addEventListener(`blur`,()=>this.release(),{signal:n}),addEventListener(`mouseup`,e=>this.#r.delete(e.button),{signal:n}),e.addEventListener(`mousedown`,e=>this.#p(e),{signal:n}),e.addEventListener(`contextmenu`,e=>e.preventDefault(),{signal:n}),document.addEventListener(`mousemove`,e=>this.#m(e),{signal:n})}get captured(){return document.pointerLockElement===this.#e||this.#h()}release(){this.#n.clear(),this.#r.clear()}end(){this.#i.abort(),this.captured&&document.exitPointerLock()}sample(e){let t=e=>+!!this.#n.has(e),n={right:t(`KeyD`)-t(`KeyA`),forward:t(`KeyW`)-t(`KeyS`),up:t(`Space`)-t(`KeyC`),yawRad:0,pitchRad:0,held:this.dampers?A.dampers:0,pressed:this.#a,useHandle:this.#o};for(let e of this.#n)n.held|=bn[e]??0;for(let e of this.#r)n.held|=xn[e]??0;let r=Math.min((e-this.#u)/1e3,Dn),i=En*r;return this.turn(i*(t(`ArrowLeft`)-t(`ArrowRight`)),i*.6*(t(`ArrowUp`)-t(`ArrowDown`))),this.#g(n,r),n.yawRad=this.yawRad,n.pitchRad=this.pitchRad,this.#u=e,this.#a=0,this.#o=0,n}#d(e){if(An(e)||e.ctrlKey||e.metaKey||e.altKey)return;let{code:t}=e;(t===`Space`||t===`Tab`||t.startsWith(`Arrow`))&&e.preventDefault(),e.repeat||(wn.has(t)&&!this.#n.has(t)&&this.#t.onMoveKey(e.timeStamp),this.#n.add(t),this.#a|=bn[t]??0,t===`KeyJ`?this.#a|=A.jetpack:t===`KeyX`?this.dampers=!this.dampers:t===`KeyF`?this.#o=this.#t.onUse():t in bn||wn.has(t)||Tn.has(t)||this.#t.onKey(t))}#f(e){wn.has(e.code)&&this.#n.has(e.code)&&this.#t.onMoveKey(e.timeStamp),this.#n.delete(e.code)}#p(e){e.preventDefault(),this.#e.focus(),this.captured?(this.#r.add(e.button),this.#a|=xn[e.button]??0):Promise.resolve(this.#e.requestPointerLock()).catch(()=>{})}#m({movementX:e,movementY:t}){this.captured&&this.turn(-e*gn,-t*gn)}turn(e,t){this.yawRad+=e,this.pitchRad=Math.max(-_n,Math.min(_n,this.pitchRad+t))}#h(){let e=this.#e.getRootNode();return e instanceof ShadowRoot&&e.pointerLockElement===this.#e}#g(e,t){if(!this.#s)return;let n=navigator.getGamepads?.().find(e=>e?.connected&&e.mapping===`standard`);if(!n)return;let r=e=>{let t=n.axes[e]??0;return Math.abs(t)<vn?0:t};e.right=kn(e.right+r(0)),e.forward=kn(e.forward-r(1)),this.turn(-r(2)*yn*t,-r(3)*yn*.7*t);let i=0;for(let[e,t]of Sn)n.buttons[e]?.pressed&&(i|=t);n.buttons[0]?.pressed&&(e.up=1),n.buttons[1]?.pressed&&(e.up=-1),e.held|=i&~A.jetpack,e.pressed|=i&~this.#c,this.#c=i;let a=n.buttons[Cn]?.pressed??!1;a&&!this.#l&&(e.useHandle=this.#t.onUse()),this.#l=a}};function kn(e){return Math.max(-1,Math.min(1,e))}function An(e){return e.composedPath().some(e=>e instanceof HTMLElement&&/^(INPUT|SELECT|TEXTAREA|DIALOG)$/.test(e.tagName)&&e.type!==`range`)}var jn=2500,Mn=3e4,Nn=class{gap;#e=0;#t=0;#n=-1;#r=0;onKilled(e,t,n){this.gap={worker:t,successor:n,ms:0,healed:!1},this.#e=e,this.#r=e}onFrame(e,t){let n=t!==this.#n;this.#n=t;let{gap:r}=this;if(r&&!r.healed){let t=e-this.#t;t>r.ms&&(r.ms=t,this.#r=e),(n&&e-this.#r>jn&&e-this.#e>jn||e-this.#e>Mn)&&(r.healed=!0)}n&&(this.#t=e)}},Pn=.003,Fn=3e3,In=350,Ln=15,Rn=3,zn=class{lastMs=NaN;count=0;#e=[];#t;#n=[];#r;#i=0;#a=0;get medianMs(){if(this.#e.length===0)return NaN;let e=this.#e.toSorted((e,t)=>e-t);return e[e.length>>1]}onKey(e,t){let n=e-this.#a>In+1.3*t;if(this.#a=e,this.#t=n?e:void 0,!n)return;let[r,i]=[this.#n[0],this.#n[2]];if(this.#r=void 0,!r||!i)return;let a=Math.max(r.atMs-i.atMs,1);this.#r={...r,vx:(r.x-i.x)/a,vy:(r.y-i.y)/a,vz:(r.z-i.z)/a}}onFrame(e,t,n){let r={atMs:e,x:n[0],y:n[1],z:n[2]};t!==this.#i&&(this.#i=t,this.#n.length=0,this.#r=void 0),this.#n.unshift(r),this.#n.length=Math.min(this.#n.length,Rn),this.#t!==void 0&&(e-this.#t>Fn?this.#t=void 0:this.#r&&this.#o(r,this.#r)&&this.#s(e-this.#t))}restart(){this.#e.length=0,this.#t=void 0,this.lastMs=NaN}#o(e,t){let n=e.atMs-t.atMs;return Math.hypot(e.x-t.x-t.vx*n,(e.y-t.y-t.vy*n)*.2,e.z-t.z-t.vz*n)>Pn}#s(e){this.#t=void 0,this.lastMs=e,++this.count,this.#e.push(e),this.#e.length>Ln&&this.#e.shift()}},Bn=[{key:`prediction`,on:`on`,off:`off`,title:`Prediction`,without:`your avatar moves one round trip after the key`},{key:`relative-prediction`,on:`on`,off:`off`,title:`Relative prediction`,without:`aboard a ship you stand beside the place that you see`},{key:`smoothing`,on:`quintic`,off:`none`,title:`Smoothing`,without:`corrections are jumps`},{key:`rollback`,on:`on`,off:`off`,title:`Rollback`,without:`late inputs are lost`},{key:`redundancy`,on:`all`,off:`none`,title:`Redundancy`,without:`each lost packet is a gap`},{key:`reconciler`,on:`replay`,off:`shift`,title:`Replay`,without:`corrections go through walls until the next state`},{key:`storm-breaker`,on:`on`,off:`off`,title:`Storm breaker`,without:`storms of corrections are displayed`},{key:`timeline`,on:`lead`,off:`on-arrival`,title:`Lead`,without:`each late packet is felt`},{key:`view`,on:`near`,off:`shared-clock`,title:`Near view`,without:`others are 100 ms late`}];function Vn({key:e,on:t,off:n},r){return`${e}=${r?t:n}`}var Hn=130,Un=new Float32Array(7),Wn=new D,Gn=new D;function Kn(e,t,n){let r=c.owned,i=Math.min(r.stepMs[e],Hn),a=i<=0?1:Math.min(1,(t-r.movedMs[e])/i),o=e*7;for(let e=0;e<3;++e){let t=r.before[o+e];n[e]=t+(r.pose[o+e]-t)*a}Wn.fromArray(r.before,o+3).slerp(Gn.fromArray(r.pose,o+3),a),Wn.toArray(n,3)}function R(e,t){let n=c.owned.find(e);if(n!==void 0)return Kn(n,t,Un),{position:new S().fromArray(Un),rotation:new D().fromArray(Un,3),parent:c.owned.parent[n],slot:c.owned.slot[n]}}function qn(e,t){let n=c.owned;for(let r=0;r<n.count;++r)n.flags[r]&1||(Kn(r,e,Un),t(n.handle[r],n.type[r],n.parent[r],Un));return n.count}var Jn=1e4,Yn=class{#e=[];#t=[];#n=[];#r=[];#i=[];#a=[];#o=[];#s=new w;block({low:e,high:t,yawRad:n=0,...r}){let i=e.map((e,n)=>(e+t[n])/2),a=e.map((e,n)=>(t[n]-e)/2),o=new D().setFromAxisAngle(new S(0,1,0),n),s=new S;for(let e=0;e<3;++e){let[t,n]=[(e+1)%3,(e+2)%3];for(let c of[-1,1]){let l=this.#e.length/3;for(let[l,u]of[[-1,-1],[1,-1],[1,1],[-1,1]]){let d=[0,0,0];d[e]=c*a[e],d[t]=l*a[t],d[n]=u*a[n],s.fromArray(d).applyQuaternion(o),this.#e.push(s.x+i[0],s.y+i[1],s.z+i[2]);let f=[0,0,0];f[e]=c,s.fromArray(f).applyQuaternion(o),this.#t.push(s.x,s.y,s.z),this.#r.push(l*a[t],u*a[n],a[t],a[n]),this.#c(r)}let u=c>0?[0,1,2,0,2,3]:[0,2,1,0,3,2];this.#o.push(...u.map(e=>l+e))}}return this}blocks(e){for(let t of e)this.block(t);return this}solid(e,t,n=new _e){let r=e.clone().applyMatrix4(n),i=r.getAttribute(`position`),a=r.getAttribute(`normal`),o=this.#e.length/3;for(let e=0;e<i.count;++e)this.#e.push(i.getX(e),i.getY(e),i.getZ(e)),this.#t.push(a.getX(e),a.getY(e),a.getZ(e)),this.#r.push(0,0,Jn,Jn),this.#c(t);let s=r.getIndex();if(s)for(let e=0;e<s.count;++e)this.#o.push(o+s.getX(e));else for(let e=0;e<i.count;++e)this.#o.push(o+e);return r.dispose(),e.dispose(),this}geometry(){let e=new ye,t=(t,n,r)=>e.setAttribute(t,new E(n,r));return t(`position`,this.#e,3),t(`normal`,this.#t,3),t(`color`,this.#n,3),t(`face`,this.#r,4),t(`glow`,this.#i,1),t(`limb`,this.#a,1),e.setIndex(this.#o),e.computeBoundingSphere(),e}#c({color:e,glow:t=0,limb:n=0}){this.#s.set(e),this.#n.push(this.#s.r,this.#s.g,this.#s.b),this.#i.push(t),this.#a.push(n)}};function z(e,t,n,r=0,i=0,a=0){return new _e().makeRotationFromEuler(new xe(r,i,a)).setPosition(e,t,n)}var Xn=`#8fb6ff`;function Zn(){let e=new Yn,[t,n,r,i]=[`#8d7a5d`,`#6e5f49`,.5,.085];e.block({low:[-r+.03,-r+.03,-r+.03],high:[r-.03,r-.03,r-.03],color:n});for(let n=0;n<3;++n)for(let a of[-1,1])for(let o of[-1,1]){let s=[-r,-r,-r],c=[r,r,r],[l,u]=[(n+1)%3,(n+2)%3];s[l]=a<0?-r:r-i,c[l]=a<0?-r+i:r,s[u]=o<0?-r:r-i,c[u]=o<0?-r+i:r,e.block({low:s,high:c,color:t})}return e}function Qn(){let e=`#8f99a8`,t=`#cdd5df`,n=`#333a45`,r=new Yn,i=e=>new te(e.map(([e,t])=>new y(e,t)),20),a=(e,t)=>new pe(e,t,4,12),o=(e,t)=>new _e().makeScale(e,1,t),s=i([[.001,-.14],[.17,-.13],[.185,-.04],[.165,.06],[.21,.3],[.2,.43],[.11,.5],[.001,.51]]);r.solid(s.applyMatrix4(o(1.08,.78)),{color:e}),r.solid(i([[.186,-.1],[.196,-.08],[.196,-.02],[.18,0]]).applyMatrix4(o(1.08,.8)),{color:n}),r.solid(i([[.1,.47],[.145,.5],[.145,.545],[.1,.57]]),{color:n}),r.solid(new T(.24,.15,.05),{color:n},z(0,.28,.15)),r.solid(new T(.06,.025,.01),{color:Xn,glow:1},z(.05,.31,.18)),r.solid(new re(.165,24,18).applyMatrix4(new _e().makeScale(.94,1.04,1)),{color:t},z(0,.715,0)),r.solid(new re(.158,22,12,Math.PI*.13,Math.PI*.74,Math.PI*.3,Math.PI*.34),{color:`#5b8fe8`,glow:.5},z(0,.715,.022)),r.solid(new T(.3,.44,.15),{color:t},z(0,.23,-.215)),r.solid(new T(.24,.1,.12),{color:n},z(0,-.02,-.21));for(let o of[-1,1])r.solid(new T(.022,.26,.012),{color:Xn,glow:1},z(.095*o,.25,-.294)),r.solid(new re(.095,14,10),{color:t,limb:2*o},z(.255*o,.39,0)),r.solid(a(.062,.2),{color:e,limb:2*o},z(.285*o,.23,.01,.05,0,.12*o)),r.solid(a(.056,.2),{color:t,limb:2*o},z(.31*o,0,.05,-.3,0,.04*o)),r.solid(new re(.062,10,8),{color:n,limb:2*o},z(.315*o,-.14,.1)),r.solid(a(.086,.24),{color:e,limb:o},z(.1*o,-.29,0,0,0,.03*o)),r.solid(i([[.08,-.52],[.092,-.5],[.092,-.45],[.08,-.43]]),{color:n,limb:o},z(.108*o,-.02,0)),r.solid(a(.074,.22),{color:t,limb:o},z(.112*o,-.63,0)),r.solid(new T(.14,.1,.26),{color:n,limb:o},z(.112*o,-.85,.045));return r}function $n(e){let t=(e,t)=>z(e,.022,t,-Math.PI/2),n=`#6b7687`;for(let[r,i]of[[62,-24],[62,24]]){e.solid(new v(17.7,18,96),{color:n,glow:.12},t(r,i)),e.solid(new v(9.85,10,72),{color:Xn,glow:.55},t(r,i));for(let a=0;a<12;++a){let o=a/12*2*Math.PI,s=new b(.35,3.2).translate(0,14,0).rotateZ(o);e.solid(s,{color:a%3==0?Xn:n,glow:a%3==0?.55:.12},t(r,i))}e.solid(new me(.7,32),{color:Xn,glow:.5},t(r,i))}for(let r=2;r<44;r+=3)e.solid(new b(1.8,.22),{color:n,glow:.15},t(r,0));for(let r of[-56,56])e.solid(new b(190,.18),{color:n,glow:.1},t(0,r));for(let n=-54;n<56;n+=4)e.solid(new b(.5,2),{color:`#c9a25a`,glow:.2},t(97.6,n));return e}var er=`#3a424f`,B=`#4b5666`,V=`#667286`,tr=`#262d38`,H=`#8fb6ff`,U=`#ffd9a0`,nr=`#3e4a5e`,rr=`#77859b`,W=(e,t,n,r={})=>({low:e,high:t,color:n,...r}),G=(e,t,n=H,r=1)=>W(e,t,n,{glow:r,decor:!0}),ir=.3,K=1.1,ar=4.3,q={x:-30,z:-12};function or(){let e=(e,t)=>W(e,t,V);return[e([-60,0,-20],[-20,4,-19.7]),e([-60,0,19.7],[-20,4,20]),e([-60,0,-20],[-59.7,4,20]),e([-20.3,0,-20],[-20,4,-1]),e([-20.3,0,1],[-20,4,20]),e([-20.3,3,-1],[-20,4,1]),W([-60,4,-20],[q.x-1,ar,20],B),W([q.x+1,4,-20],[-20,ar,20],B),W([q.x-1,4,-20],[q.x+1,ar,q.z-1],B),W([q.x-1,4,q.z+1],[q.x+1,ar,20],B),G([-20,3.72,-19],[-19.97,3.8,-1.4]),G([-20,3.72,1.4],[-19.97,3.8,19]),G([-20,0,-1.1],[-19.96,3,-1],U,.9),G([-20,0,1],[-19.96,3,1.1],U,.9),G([-59,3.96,-6],[-22,3.99,-5.8],U,.9),G([-59,3.96,5.8],[-22,3.99,6],U,.9)]}function sr(){return[-50,-38,-26,-14,-2,10].flatMap(e=>[W([22-ir/2,0,e-3],[22.15,3.3,e-1],V),W([22-ir/2,0,e+1],[22.15,3.3,e+3],V),W([22-ir/2,3,e-1],[22.15,3.3,e+1],V),G([22.15,3.08,e-.9],[22.17,3.2,e+.9])])}function cr(){return Array.from({length:10},(e,t)=>W([-10+.35*t,0,30],[20,.3*(t+1),36],t%2?B:`#546072`))}function lr(){return Array.from({length:10},(e,t)=>{let[n,r]=[-90+22*Math.floor(t/2),t%2==0?-45:45];return[W([n-.5,0,r-.5],[n+.5,6,r+.5],V),G([n-.52,5.3,r-.52],[n+.52,5.45,r+.52])]}).flat()}function ur(){let e=Array.from({length:20},(e,t)=>-95+10*t).flatMap(e=>[G([e-1.2,.9400000000000001,59.68],[e+1.2,1,59.7]),G([e-1.2,.9400000000000001,-59.7],[e+1.2,1,-59.68])]),t=Array.from({length:24},(e,t)=>-57.5+5*t).map(e=>G([99.5,0,e-.3],[99.75,.05,e+.3],U,1));return[...e,...t]}var dr=[W([-88,-5,-48],[88,-1,48],tr,{decor:!0}),W([-60,-11,-26],[60,-5,26],`#1d232d`,{decor:!0}),G([-88.05,-3.2,-47],[-88,-3,47],H,.6),G([88,-3.2,-47],[88.05,-3,47],H,.6)],fr=[W([-100,-1,-60],[100,0,60],er),W([-100,0,-60],[100,K,-59.7],B),W([-100,0,59.7],[100,K,60],B),W([-100,0,-60],[-99.7,K,60],B),...or(),W([-20,0,1],[0,3,1.3],V),W([-20,0,-1.3],[0,3,-1],V),...sr(),...cr(),...lr(),...ur(),...dr];function pr(e){let t=(e,t)=>W(e,t,rr),n=Array.from({length:11},(e,t)=>-25+5*t).flatMap(e=>[G([10,-2.6,e-1.6],[10.03,-1.9,e+1.6],U,.75),G([-10.03,-2.6,e-1.6],[-10,-1.9,e+1.6],U,.75)]);return[W([-10,-8,-30],[10,0,30],e),t([9.7,0,-30],[10,4,30]),t([-10,0,-30],[10,4,-29.7]),t([-10,0,29.7],[10,4,30]),t([-10,0,-30],[-9.7,4,-1]),t([-10,0,1],[-9.7,4,30]),t([-10,3,-1],[-9.7,4,1]),...n,G([-10.04,-.5,-29.5],[-10,-.36,29.5]),G([10,-.5,-29.5],[10.04,-.36,29.5]),G([-10.05,0,-1.14],[-9.7,3,-1],H,1),G([-10.05,0,1],[-9.7,3,1.14],H,1),G([-7.5,-6.4,-30.3],[-3.5,-3.2,-30],`#9cc4ff`,1.6),G([3.5,-6.4,-30.3],[7.5,-3.2,-30],`#9cc4ff`,1.6),W([-8,-7,30],[8,-2,33],tr,{decor:!0}),W([-5.5,-6,33],[5.5,-3,36],tr,{decor:!0})]}var mr=[W([-25,-1,-20],[25,0,20],`#454c5c`),W([-18,-3,-14],[18,-1,14],tr,{decor:!0}),...[-20,20].map(e=>G([-25,-.3,e-.03],[25,-.2,e+.03])),...[-25,25].map(e=>G([e-.03,-.3,-20],[e+.03,-.2,20])),G([-25,.004,-.15],[25,.03,.15],H,.4)],hr=[W([-4,-2.9,-6],[4,0,6],`#56637a`),W([3.8,0,-6],[4,K,6],rr),W([-4,0,-6],[-3.8,K,6],rr),W([-4,0,-6],[4,K,-5.8],rr),W([-4,0,5.8],[4,K,6],rr),W([-.7,0,4.9],[.7,.92,5.5],tr,{decor:!0}),G([-.55,.92,4.98],[.55,.95,5.42]),G([-3.4,-2,-6.25],[-1.2,-.9,-6],`#9cc4ff`,1.7),G([1.2,-2,-6.25],[3.4,-.9,-6],`#9cc4ff`,1.7),G([-4.03,-.6,-5.5],[-4,-.5,5.8]),G([4,-.6,-5.5],[4.03,-.5,5.8]),W([-3,-2.6,6],[3,-.8,7.4],`#3c4656`,{decor:!0}),W([-1.6,-2.3,7.4],[1.6,-1.2,8.6],`#333c4a`,{decor:!0})],gr=8,_r=Array.from({length:8},(e,t)=>{let n=Math.PI/16,[r,i]=[gr*Math.cos(n),gr*Math.sin(n)];return W([-r,0,-i],[r,.3,i],t%2?`#4e5a6d`:`#465165`,{yawRad:Math.PI/8*t})}),vr=[W([-.1,-1.5,-1],[.1,1.5,1],`#7d8ba3`),G([-.115,.2,-.85],[.115,.28,.85],H,1),G([-.115,-.9,-.85],[.115,-.84,.85],H,.5)],yr=[W([-2,-4.3,-2],[2,0,2],`#58647a`),...[-1.9,1.82].flatMap(e=>[G([-1.9,.004,e],[1.9,.03,e+.08],U,.9),G([e,.004,-1.9],[e+.08,.03,1.9],U,.9)])],br=[W([-.975,-.15,-.975],[.975,.15,.975],`#7d8ba3`),G([-.8,.151,-.05],[.8,.16,.05],U,.9)],xr=[W([-.9,-.2,-.25],[.9,.2,.25],`#8a6a58`),W([-.6,.2,-.16],[.6,.27,.16],`#5e463a`,{decor:!0}),G([-.08,.27,-.08],[.08,.31,.08],`#ffb27a`,1)],J=e=>({blocks:e,geometry:()=>new Yn().blocks(e).geometry()}),Sr=(e,t)=>[W(e,t,B)],Cr={station:{blocks:fr,geometry:()=>$n(new Yn().blocks(fr)).geometry()},station_door:J(vr),ferry:J(pr(nr)),ferry_door:J(vr),station_lift:J(yr),station_trap:J(br),station_rotor:J([..._r,G([-.5,.3,-.5],[.5,.34,.5],H,.8)]),carousel:J(mr),gyre:J(pr(`#554a63`)),skiff:J(hr),walker_link:J(xr),crate:{blocks:Sr([-.5,-.5,-.5],[.5,.5,.5]),geometry:()=>Zn().geometry()},character:{blocks:Sr([-.4,-.9,-.4],[.4,.9,.4]),geometry:()=>Qn().geometry(),walks:!0}};function wr(e,t){return J([W(e,t,`#6b7890`)])}var Tr={station_door:{verb:`open or close the door`},ferry_door:{verb:`open or close the door`},station_trap:{verb:`open or close the trap door`},station_lift:{verb:`move the lift`,strokeM:4},skiff:{verb:`take the helm`,seat:[0,.91,4]}},Er=.6,Dr=new S,Y=new S,Or=2.2,kr=Math.max(...Object.values(Tr).map(({seat:e,strokeM:t})=>3+(t??0)+Math.hypot(...e??[])));function Ar(e,t,n,r){if(r!==0)return{handle:r,sentence:`leave the helm`};let i,a=1/0;for(let r of e){let e=r.use;if(!e||Y.copy(r.position).sub(t).lengthSq()>kr*kr)continue;Dr.set(...e.seat??[0,0,0]).applyQuaternion(r.rotation).add(r.position),Y.copy(Dr).sub(t);let o=Math.min(Y.length(),...[-1,1].map(t=>Math.hypot(Y.x,Y.y+t*(e.strokeM??0),Y.z)));if(o>3)continue;let s=o+Or*(1-(Y.lengthSq()<.01?1:Y.normalize().dot(n)));s<a&&(a=s,i={handle:r.handle,sentence:e.verb})}return i}function jr(e,t){let n=e===void 0?void 0:Tr[e]?.seat;return n?Math.hypot(t[0]-n[0],t[1]-n[1],t[2]-n[2])<.06:!1}var Mr=[`page`,`figures`,`graph`,`failover`],Nr=120,Pr=.5,Fr=.1,Ir=new S,Lr=class extends Te{pilot;session;picture;playerName;controls;reaction=new zn;failover=new Nn;wasmTimes=new Ee;frameTimes=new Ee;intervals=new Ee;choices={split:!1,serverGhost:!1};off;offKeys;link;target;outlinedFrames=0;telemetry;sceneCount=0;#e;#t;#n=0;#r=0;#i=0;#a=0;constructor({canvas:e,picture:t,pilot:n,onKey:r,onPart:i}){super(),this.pilot=n,this.session=n.session,this.picture=t,this.playerName=n.playerName,this.off=n.off,this.offKeys=[...this.off],this.link=n.link,this.#t=i,this.controls=new On(e,{onKey:e=>this.#o(e)||r(e),onUse:()=>this.target?.handle??0,onMoveKey:e=>this.reaction.onKey(e,this.telemetry?.fullLoopMs??0)}),this.#e=f.watchEntities(),this.#n=requestAnimationFrame(this.#s)}end(){this.park().armed.end(),this.session.leave()}park(){return cancelAnimationFrame(this.#n),this.controls.end(),this.#e(),this.picture.clear(),this.pilot}get framesPerSecond(){return 1e3/this.intervals.mean()}get trueOwnM(){return R(this.picture.own.handle,performance.now())?.position.toArray()}get workerSlot(){let e=R(this.picture.own.handle,performance.now())?.slot;if(e!==void 0)return e;let[t,n,r]=this.picture.own.origin;return d.regionAt({x:t,y:n,z:r})?.owner}setTechnique(e,t){let n=Bn.find(t=>t.key===e);n&&(this.session.client.use(Vn(n,t)),t?this.off.delete(e):this.off.add(e),this.offKeys=[...this.off],this.reaction.restart(),this.changed())}setLink(e){e!==this.link&&(this.session.client.link(performance.now(),e),this.link=this.pilot.link=e,this.reaction.restart(),this.changed())}desync(e){if(this.session.state!==`playing`)return;let t=new S(-e,0,0).applyQuaternion(this.picture.rig.turn);this.session.client.injectDesync(t.x,0,t.z)}#o(e){let t=/^Digit(\d)$/.exec(e)?.[1];if(t===`0`)for(let e of[...this.off])this.setTechnique(e,!0);else if(t!==void 0){let e=Bn[Number(t)-1];e&&this.setTechnique(e.key,this.off.has(e.key))}else if(e===`KeyE`)this.desync(Pr);else if(e===`KeyR`)this.desync(-.5);else if(e===`KeyV`)this.picture.rig.firstPerson=!this.picture.rig.firstPerson;else if(e===`KeyB`)this.choices.serverGhost=!this.choices.serverGhost;else if(e===`KeyT`)this.choices.split=!this.choices.split;else return!1;return this.changed(),!0}#s=e=>{this.#n=requestAnimationFrame(this.#s);let t=performance.now(),n;try{n=this.session.frame(e,this.controls.sample(e))}catch{cancelAnimationFrame(this.#n);return}this.wasmTimes.add(performance.now()-t),this.#r>0&&this.intervals.add(e-this.#r),this.#l(n,e,Math.min((e-this.#r)/1e3,Fr)),this.#r=e;let r=performance.now();this.frameTimes.add(r-t),this.telemetry=this.session.client.telemetry(),this.failover.onFrame(e,this.telemetry.fullLoopMs);let{own:i}=this.picture;i.local&&this.reaction.onFrame(r,i.parent,i.local),this.#c(e)};#c(e){e-this.#i<Nr/Mr.length||(this.#i=e,this.#a=(this.#a+1)%Mr.length,this.#t(Mr[this.#a]))}#l(e,t,n){let{picture:r,session:i,controls:a,choices:o}=this,s=i.takeCues(),c=i.takeHeard();r.draw(e,i.client,s,c,a,o,t,n),this.sceneCount=e.count,r.mine.smoothing&&++this.outlinedFrames,this.target=Ar(r.mine.bodies,Ir,r.rig.direction,r.own.helm)}},Rr=t`
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
`,zr=class extends e{static properties={cockpit:{attribute:!1}};static styles=[a,Rr,t`
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
    `];constructor(){super(),new we(this,d)}render(){let{cockpit:e}=this,t=e.workerSlot,i=d.worker(t),a=d.worker(i?.standby),{gap:o}=e.failover,s=i?.name??`sim-0`,c=d.whyNot(Oe(s).name);return r`<section class="panel" aria-label="Failover">
      <header><h2>Below your feet</h2></header>
      <div class="who">
        <span class="swatch" style="background:${Ae(t)}"></span>
        <b>${i?.name??`no worker`}</b>
        <span class="faint">${a?r`standby ${a.name}`:n}</span>
        <span class="tag ${i?.standbyInSync?`good`:`warn`}">${i?.standbyInSync?`in sync`:`no standby`}</span>
      </div>
      <button class="harmful kill" id="kill" ?disabled=${!i||c!==``}
        title=${c||Oe(s).consequence} @click=${()=>this.#e(s)}>
        Kill ${i?.name??`the worker`} <kbd>K</kbd>
      </button>
      <cmd-line .text=${Oe(s).command}></cmd-line>
      ${o?r`<div class="gap ${o.healed?`healed`:``}">
            <div class="figure" id="gap">${u(o.ms)} <small>ms</small></div>
            <div class="label">
              ${o.healed?r`without the server's answers.<br /><span class="soft">${o.successor||`Its standby`} goes on for ${o.worker}.</span>`:r`without the server's answers so far.<br /><span class="soft">${o.successor||`Its standby`} takes over from ${o.worker}.</span>`}
            </div>
          </div>`:n}
    </section>`}async#e(e){document.pointerLockElement&&document.exitPointerLock();let t=d.worker(d.map?.workers.find(t=>t.name===e)?.standby)?.name??``,n=Oe(e),r=!1,i={...n,reply:i=>(r=!0,this.cockpit.failover.onKilled(performance.now(),e,i.successor||t),n.reply(i))};await ke(i),r&&this.requestUpdate()}kill(){this.renderRoot.querySelector(`#kill`)?.click()}};customElements.define(`failover-panel`,zr);var X={shot:1,loose:3,dig:4,fill:5,hit:6},Br={shots:X.shot,arrows:X.loose,digs:X.dig,fills:X.fill},Vr=class{counts=Object.fromEntries(Object.keys(Br).map(e=>[e,{played:0,confirmed:0,cancelled:0}]));hits=0;take(e){for(let{effect:t,state:n,detail:r}of e){let e=Object.keys(Br).find(e=>Br[e]===t);e&&(++this.counts[e][n],(e===`shots`||e===`arrows`)&&n===`confirmed`&&r===1&&++this.hits)}}},Hr=new Set([`station`,`ferry`,`gyre`,`carousel`,`skiff`,`station_rotor`]),Ur=new Vr;function Wr({own:e,mine:t}){let n=performance.now(),r=R(e.handle,n);return t.bodies.filter(({typeName:e})=>Hr.has(e)).toSorted((e,t)=>e.position.lengthSq()-t.position.lengthSq()).map(t=>{let i=r&&R(t.handle,n);return{handle:t.handle,type:t.typeName,positionM:t.position.toArray().map((t,n)=>t+e.origin[n]),rotation:t.rotation.toArray(),ownM:Gr(new S,t),trueOwnM:i&&Gr(r.position,i)}})}function Gr(e,t){return e.clone().sub(t.position).applyQuaternion(t.rotation.clone().invert()).toArray()}function Kr(e){let t=e?.picture.own,n=e?.telemetry,{failover:r,reaction:i}=e??{};return{state:e?.session.state??``,playerName:e?.playerName??``,inputToEyeMs:{last:i?.lastMs??NaN,median:i?.medianMs??NaN,count:i?.count??0},frameMs:{wasmP50:e?.wasmTimes.quantile(.5)??NaN,wasmP99:e?.wasmTimes.quantile(.99)??NaN,totalP50:e?.frameTimes.quantile(.5)??NaN,totalP99:e?.frameTimes.quantile(.99)??NaN},framesPerSecond:e?.framesPerSecond??0,telemetry:{rttMs:n?.rttMs??NaN,fullLoopMs:n?.fullLoopMs??NaN,jitterMs:n?.jitterMs??NaN,corrections:n?.corrections??0,largestCorrectionM:n?.largestCorrectionM??0},own:t?.local&&{handle:t.handle,positionM:[...t.origin],localM:[...t.local],yawRad:e.controls.yawRad,look:e.picture.rig.direction.toArray(),parent:t.parent,parentType:t.parentType??``,helm:t.helm,smoothing:e.picture.mine.smoothing},ships:e?Wr(e.picture):[],actions:structuredClone((e?.picture.actions??Ur).counts),hits:e?.picture.actions.hits??0,solidCells:[...e?.picture.mine.grounds.values()??[]].reduce((e,t)=>e+t.solidCells,0),scene:{entities:e?.sceneCount??0,types:e?.picture.mine.typeCounts??{}},truth:{entities:e?.picture.truth.count??0,ownPositionM:e?.trueOwnM},techniques:Bn.filter(({key:t})=>e?.off.has(t)).map(e=>Vn(e,!1)),link:e?.link??`none`,outlinedFrames:e?.outlinedFrames??0,gap:r?.gap&&{...r.gap},split:e?.choices.split??!1}}var qr=[[`Move`,[[`W A S D`,`walk, fly, steer`],[`Space`,`jump; up with jetpack or helm`],[`C`,`down`],[`Shift`,`run`],[`J`,`jetpack on or off`],[`X`,`dampers on or off`],[`F`,`use: doors, lifts, helm`]]],[`Act`,[[`Mouse`,`look, as the arrows; Esc frees it`],[`Left button`,`rifle`],[`Right button`,`bow: hold to draw`],[`G`,`dig a cell`],[`H`,`place a stone`]]],[`See`,[[`V`,`first or third person`],[`B`,`where the server has you`],[`T`,`split: mine, the server’s truth`],[`L`,`the last 30 s under the lens`],[`Tab`,`panels on or off`],[`?`,`these keys`]]],[`Break`,[[`1 – 9`,`take a technique away`],[`0`,`all techniques on`],[`E R`,`move the prediction by 0.5 m`],[`K`,`kill the worker below you`]]]],Jr=class extends e{static styles=[a,t`
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
      ${qr.map(([e,t])=>r`<div>
          <h2>${e}</h2>
          <dl>${t.map(([e,t])=>r`<dt>${Yr(e)}</dt><dd>${t}</dd>`)}</dl>
        </div>`)}
      <footer>Gamepad: left stick moves, right stick looks, A jumps, X uses, Y is the jetpack, triggers shoot.</footer>
    </section>`}};customElements.define(`help-panel`,Jr);function Yr(e){return/^([A-Z] )+[A-Z]$/.test(e)?e.split(` `).map(e=>r`<kbd>${e}</kbd>`):r`<kbd>${e}</kbd>`}var Xr;async function Zr(e,t){let n=await(Xr??=Ut.load().catch(e=>{throw Xr=void 0,e})),r=n.createClient(),{wireVersion:a,schemaHash:o}=r;r.destroy();let c={playerName:e,credential:``,wireVersion:a,schemaHash:o},{connectToken:l,clientId:u}=await Xt(location.href,c,{headers:i()}),d=s(`relay`),f=await mn.join({game:n,player:l,path:e=>new ln(d,e),onEnd:e=>t(e.message)});return je(f,u.toString(),e)}var Qr=[[`P0`,`LAN, 1 ms`],[`P1`,`good: 50 ± 2 ms, 0.1 % loss`],[`P2`,`average: 100 ± 20 ms, 1 % loss`],[`P3`,`far: 300 ± 30 ms, 1 % loss`],[`P4`,`satellite: 700 ± 50 ms, 2 % loss`],[`P5`,`bursty wifi: 40 ± 5 ms, 2 % loss in bursts, stalls`],[`P6`,`reorder-heavy: 10 % displaced by up to 60 ms`],[`P8`,`bufferbloat: the queue to 3 s, once a minute`],[`P11`,`outages: interrupted for 1.5 s every 20 s`],[`P12`,`cellular beside a download, queue of 1 s`]],$r=600,ei=200,ti=class extends e{static properties={cockpit:{attribute:!1},link:{},pingMs:{state:!0},jitterMs:{state:!0},lossPermille:{state:!0}};static styles=[a,Rr,t`
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
    `];constructor(){super(),this.link=`none`,this.pingMs=this.jitterMs=this.lossPermille=0}render(){let{link:e}=this,t=Qr.find(([t])=>t===e);return r`<section class="panel" aria-label="Network">
      <header>
        <h2>Network</h2>
        <span class="right">${t?t[1]:e!==`none`&&!t?`simulated`:`as it is`}</span>
      </header>
      ${this.#e(`Ping`,`ping`,this.pingMs,$r,10,`${this.pingMs} ms`)}
      ${this.#e(`Jitter`,`jitter`,this.jitterMs,100,5,`± ${this.jitterMs} ms`)}
      ${this.#e(`Loss`,`loss`,this.lossPermille,ei,5,`${(this.lossPermille/10).toFixed(1)} %`)}
      <div class="profiles">
        <button class=${e===`none`?`chosen`:``} @click=${()=>this.#n(`none`)}>none</button>
        ${Qr.map(([t,n])=>r`<button class=${e===t?`chosen`:``} title=${n} @click=${()=>this.#n(t)}>${t}</button>`)}
      </div>
      <cmd-line .text=${ni(e)} .prompt=${ri(e)?`$`:`C`}></cmd-line>
    </section>`}#e(e,t,n,i,a,o){return r`<label class="slider">
      <span class="soft">${e}</span>
      <input type="range" id=${t} min="0" max=${i} step=${a} .value=${String(n)}
        @change=${e=>e.target.blur()}
        @input=${e=>this.#t(t,Number(e.target.value))} />
      <output>${o}</output>
    </label>`}#t(e,t){e===`ping`?this.pingMs=t:e===`jitter`?this.jitterMs=t:this.lossPermille=t;let n=[`delay-ms=${this.pingMs/2}`,...this.jitterMs>0?[`jitter-ms=${Math.ceil(this.jitterMs/2)}`]:[],...this.lossPermille>0?[`loss-permille=${this.lossPermille}`]:[]],r=this.pingMs===0&&this.jitterMs===0&&this.lossPermille===0;this.cockpit.setLink(r?`none`:n.join(` `))}#n(e){this.pingMs=this.jitterMs=this.lossPermille=0,this.cockpit.setLink(e)}};function ni(e){return ri(e)?`./perigee bots --count 20 --profile ${e}`:`perigee_client_link(client, now_us, "${e}")`}function ri(e){return/^P\d+$/.test(e)}customElements.define(`link-panel`,ti);var ii=50,ai=200,oi=20,si=92,ci=34,Z={rtt:`#8fb6ff`,jitter:`rgb(143 182 255 / 22%)`,bytes:`rgb(150 170 205 / 38%)`,loss:`#f2757a`,correction:`#e8c468`,line:`rgb(150 170 205 / 14%)`,text:`#66728a`},li=class extends e{static properties={cockpit:{attribute:!1}};#e=60;#t=0;#n=new ResizeObserver(([e])=>this.#t=e?.contentRect.width??0);static styles=[a,Rr,t`
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
    `];render(){let{cockpit:e}=this,t=e.telemetry,n=e.session.end?void 0:e.session.client.netGraph(),i=n?di(n):void 0,{medianMs:a,lastMs:o}=e.reaction;return r`<section class="panel" aria-label="Net graph">
      <div class="figures">
        <div class="eye ${a>120?`slow`:``}" title="From a move key to the first frame that shows its effect: median of the last keys">
          <div class="label">input to eye</div>
          <div class="figure" id="eye">${u(a)} <small>ms</small></div>
          <div class="label">${Number.isNaN(o)?`press W A S D`:r`last ${u(o)} ms`}</div>
        </div>
        <div>
          <div class="label">ping</div>
          <div class="figure" id="rtt">${u(t?.rttMs)} <small>ms</small></div>
          <div class="label">± ${u(t?.jitterMs)} ms</div>
        </div>
        <div>
          <div class="label">corrections</div>
          <div class="figure" id="corrections">${p(t?.corrections)}</div>
          <div class="label">${t?.corrections?r`up to ${p(t.largestCorrectionM,2)} m`:`over 5 cm`}</div>
        </div>
      </div>
      <canvas></canvas>
      <div class="row">
        <span><i style="background:${Z.bytes}"></i><b>${p(i?.inKB,1)}</b> in <b>${p(i?.outKB,1)}</b> out kB/s</span>
        <span><i style="background:${Z.loss}"></i>loss <b>${p(i?.lossPercent,1)} %</b></span>
      </div>
      <div class="row">
        <span>lead <b>${u(t?.leadMs)} ms</b></span>
        <span>full loop <b>${u(t?.fullLoopMs)} ms</b></span>
      </div>
    </section>`}firstUpdated(){this.#n.observe(this.renderRoot.querySelector(`canvas`))}disconnectedCallback(){super.disconnectedCallback(),this.#n.disconnect()}show(e){if(e===`figures`){this.requestUpdate();return}let t=this.renderRoot.querySelector(`canvas`);t&&!this.cockpit.session.end&&this.#r(t,this.cockpit.session.client.netGraph())}#r(e,t){let n=devicePixelRatio,[r,i]=[this.#t,126];if(r===0)return;e.width!==r*n&&(e.width=r*n),e.height!==i*n&&(e.height=i*n);let a=e.getContext(`2d`);a.setTransform(n,0,0,n,0,0),a.clearRect(0,0,r,i);let o=Math.max(0,t.count-ai),s=e=>r-(t.count-e)*(r/ai),c=40,l=400;for(let e=o;e<t.count;++e)c=Math.max(c,t.rttMs[e]+t.jitterMs[e]),l=Math.max(l,t.bytesReceived[e]);this.#e+=(c*1.15-this.#e)*.25;let u=e=>si-e/this.#e*84;ui(a,r,this.#e,u),a.beginPath();for(let e=o;e<t.count;++e)a.lineTo(s(e),u(t.rttMs[e]+t.jitterMs[e]));for(let e=t.count-1;e>=o;--e)a.lineTo(s(e),u(Math.max(0,t.rttMs[e]-t.jitterMs[e])));a.fillStyle=Z.jitter,a.fill(),a.beginPath();for(let e=o;e<t.count;++e)a.lineTo(s(e),u(t.rttMs[e]));a.strokeStyle=Z.rtt,a.lineWidth=1.4,a.stroke();let d=r/ai,f=e=>{let n=t.bytesReceived[e]/l*30;a.rect(s(e),i-n,Math.max(d-.5,.7),n)};a.beginPath();for(let e=o;e<t.count;++e)t.packetsLost[e]===0&&f(e);a.fillStyle=Z.bytes,a.fill(),a.beginPath();for(let e=o;e<t.count;++e)t.packetsLost[e]!==0&&(f(e),a.rect(s(e),i-ci+2,Math.max(d,1),3));a.fillStyle=Z.loss,a.fill(),a.beginPath();for(let e=o;e<t.count;++e)t.corrections[e]!==0&&a.rect(s(e),0,1.5,si);a.fillStyle=Z.correction,a.fill()}};customElements.define(`net-panel`,li);function ui(e,t,n,r){let i=[10,20,50,100,200,500,1e3].find(e=>n/e<4)??2e3;e.font=`10px Inter, system-ui, sans-serif`,e.fillStyle=Z.text;for(let a=i;a<n;a+=i)e.strokeStyle=Z.line,e.lineWidth=1,e.beginPath(),e.moveTo(0,Math.round(r(a))+.5),e.lineTo(t,Math.round(r(a))+.5),e.stroke(),e.fillText(`${a} ms`,1,r(a)-3)}function di(e){let[t,n,r,i]=[0,0,0,0],a=Math.max(0,e.count-oi);for(let r=a;r<e.count;++r)t+=e.bytesReceived[r],n+=e.bytesSent[r];for(let t=Math.max(0,e.count-ai);t<e.count;++t)r+=e.packetsReceived[t],i+=e.packetsLost[t];let o=Math.max((e.count-a)*ii,ii)/1e3;return{inKB:t/o/1e3,outKB:n/o/1e3,lossPercent:r+i===0?0:100*i/(r+i)}}var fi=class extends e{static properties={cockpit:{attribute:!1},off:{attribute:!1}};static styles=[a,Rr,t`
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
    `];render(){let{cockpit:e,off:t}=this,i=Bn.filter(({key:e})=>t.includes(e)).map(e=>Vn(e,!1)),a=i.length>0?` ${i.join(` `)}`:``;return r`<section class="panel" aria-label="Techniques">
      <header>
        <h2>Techniques</h2>
        <span class="right">${t.length===0?`all on`:r`<kbd>0</kbd> all on`}</span>
      </header>
      <ul>
        ${Bn.map(({key:i,title:a,without:o},s)=>{let c=t.includes(i);return r`<li class=${c?`off`:``}>
            <button title=${`${i}: ${o}`} aria-pressed=${!c} @click=${()=>e.setTechnique(i,c)}>
              <kbd>${s+1}</kbd><span class="name">${a}</span><span class="state"></span>
            </button>
            ${c?r`<div class="without">${o}</div>`:n}
          </li>`})}
      </ul>
      <cmd-line .text=${`./perigee ctl techniques ${De(e.playerName)}${a}`}></cmd-line>
    </section>`}};customElements.define(`techniques-panel`,fi);var pi=t`
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
`,mi=`
attribute vec4 face;
attribute float glow;
attribute float limb;
#ifdef USE_WALK
attribute vec2 walk; // phase in radians, swing in radians
#endif
varying vec4 vFace;
varying float vGlow;
`,hi=`
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
`,gi=`
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
`,_i=`
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
`,vi=`
totalEmissiveRadiance += vGlow * diffuseColor.rgb * 1.15;
`;function yi({walks:e=!1,hologram:t}={}){let n=new oe({vertexColors:!0,roughness:.62,metalness:.28,...t?{transparent:!0,opacity:.34,depthWrite:!1,blending:2}:{}});e&&(n.defines={...n.defines,USE_WALK:``});let r=t?new w(t):void 0;return n.onBeforeCompile=e=>{r&&(e.uniforms.hologram={value:r}),e.vertexShader=e.vertexShader.replace(`#include <common>`,`#include <common>\n${mi}`).replace(`#include <begin_vertex>`,`#include <begin_vertex>\n${hi}`),e.fragmentShader=e.fragmentShader.replace(`#include <common>`,`#include <common>\n${gi}${r?`uniform vec3 hologram;
`:``}`).replace(`#include <color_fragment>`,`#include <color_fragment>\n${_i}`).replace(`#include <emissivemap_fragment>`,`#include <emissivemap_fragment>\n${r?`totalEmissiveRadiance += hologram * 0.8;`:vi}`)},n.customProgramCacheKey=()=>`hull${e?` walks`:``}${r?` hologram`:``}`,n}function bi(e,t=!1){let n=new ie({color:e,side:1,toneMapped:!1,fog:!1});return t&&(n.defines={...n.defines,USE_WALK:``}),n.onBeforeCompile=e=>{e.vertexShader=e.vertexShader.replace(`#include <common>`,`#include <common>\n${mi}`).replace(`#include <begin_vertex>`,`#include <begin_vertex>\n${hi}\ntransformed += normal * 0.045;`)},n.customProgramCacheKey=()=>`outline${t?` walks`:``}`,n}var xi=16,Si=16,Ci=class{group=new fe;#e;#t;#n;#r;#i=0;#a=!1;#o=!1;#s=!1;constructor(e){this.#e=e,this.group.matrixAutoUpdate=!1,this.#t=this.#c(xi)}get count(){return this.#i}begin(){this.#i=0,this.#n&&(this.#n.visible=!1)}put(e,t,n,r){this.#i===this.#t.instanceMatrix.count&&this.#u();let i=r[0],a=r[1],o=r[2],s=r[3],c=i+i,l=a+a,u=o+o,d=i*c,f=i*l,p=i*u,m=a*l,h=a*u,g=o*u,ee=s*c,te=s*l,ne=s*u,_=this.#t.instanceMatrix.array,v=this.#i*Si,y=Q(_,v,1-(m+g));return y=Q(_,v+1,f+ne)||y,y=Q(_,v+2,p-te)||y,y=Q(_,v+4,f-ne)||y,y=Q(_,v+5,1-(d+g))||y,y=Q(_,v+6,h+ee)||y,y=Q(_,v+8,p+te)||y,y=Q(_,v+9,h-ee)||y,y=Q(_,v+10,1-(d+m))||y,y=Q(_,v+12,e)||y,y=Q(_,v+13,t)||y,y=Q(_,v+14,n)||y,_[v+15]=1,this.#a||=y,this.#i++}tint(e,t){this.#t.instanceColor||this.#t.setColorAt(e,t);let n=this.#t.instanceColor.array,r=Q(n,e*3,t.r);r=Q(n,e*3+1,t.g)||r,r=Q(n,e*3+2,t.b)||r,this.#o||=r}walk(e,t,n){if(!this.#r)return;let r=this.#r.array,i=Q(r,e*2,t);i=Q(r,e*2+1,n)||i,this.#s||=i}outline(){this.#n??=this.#l(),this.#n.matrix.fromArray(this.#t.instanceMatrix.array,(this.#i-1)*Si),this.#n.matrixWorldNeedsUpdate=!0,this.#n.visible=!0}end(){let e=this.#t;e.count=this.#i,e.visible=this.#i>0,this.#a&&(e.instanceMatrix.needsUpdate=!0),this.#o&&e.instanceColor&&(e.instanceColor.needsUpdate=!0),this.#s&&this.#r&&(this.#r.needsUpdate=!0),this.#a=this.#o=this.#s=!1}dispose(){this.#t.dispose()}#c(e){let{geometry:t,material:n,walks:r,hologram:i}=this.#e,a=t;r&&(a=t.clone(),this.#r=new ce(new Float32Array(e*2),2),this.#r.setUsage(he),a.setAttribute(`walk`,this.#r));let o=new Se(a,n,e);return o.matrixAutoUpdate=!1,o.instanceMatrix.setUsage(he),o.frustumCulled=!1,o.castShadow=o.receiveShadow=i===void 0,this.group.add(o),o}#l(){let e=this.#e.geometry.clone();if(this.#e.walks){let t=e.getAttribute(`position`).count;e.setAttribute(`walk`,new C(new Float32Array(t*2),2))}let t=new x(e,this.#e.outlineMaterial);return t.matrixAutoUpdate=!1,t.frustumCulled=!1,this.group.add(t),t}#u(){let e=this.#t,t=this.#r;this.#t=this.#c(e.instanceMatrix.count*2),this.#t.instanceMatrix.array.set(e.instanceMatrix.array),e.instanceColor&&(this.#t.setColorAt(0,new w),this.#t.instanceColor.array.set(e.instanceColor.array)),t&&this.#r&&this.#r.array.set(t.array),this.group.remove(e),e.dispose()}};function Q(e,t,n){let r=e[t];return e[t]=n,e[t]!==r}var wi=3200,Ti=new S(.08,.66,-.62).normalize(),Ei=new S(.86,-.36,.42).normalize(),Di=.64,Oi=`
float hash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
`,ki=`
${Oi}
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
`;function Ai(e){let t=new de(2048,1024,{wrapS:le,generateMipmaps:!0,minFilter:ee}),n=new _({vertexShader:`varying vec2 vAt; void main() { vAt = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`,fragmentShader:`varying vec2 vAt; ${ki}
      void main() {
        float lon = (vAt.x - 0.5) * 6.2831853, lat = (vAt.y - 0.5) * 3.14159265;
        vec3 p = vec3(cos(lat) * cos(lon), sin(lat), cos(lat) * sin(lon));
        float land = clouds(p * 2.2 + 3.0);
        vec3 warp = p * 5.2 + 2.6 * vec3(soft(p * 3.0), soft(p * 3.0 + 9.0), soft(p * 3.0 + 21.0))
            + 0.8 * vec3(soft(p * 9.0), soft(p * 9.0 + 5.0), soft(p * 9.0 + 11.0));
        float cover = clouds(warp * vec3(1.0, 1.5, 1.0));
        gl_FragColor = vec4(land, cover, clouds(p * 1.6 + 40.0), clouds(p * 3.1 + 70.0));
      }`,depthTest:!1,depthWrite:!1}),r=new x(new b(2,2),n);r.frustumCulled=!1;let i=e.getRenderTarget();return e.setRenderTarget(t),e.render(new ue().add(r),new be),e.setRenderTarget(i),n.dispose(),r.geometry.dispose(),t}function ji(e){let t=new _({uniforms:{baked:{value:e},sun:{value:Ti}},vertexShader:`varying vec3 vDirection;
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
      }`,side:1,depthWrite:!1}),n=new x(new re(1,32,16),t);return n.renderOrder=-30,n}function Mi(){let e=7,t=()=>(e=e*16807%2147483647)/2147483647,n=new Float32Array(wi*3),r=new Float32Array(wi*3),i=new Float32Array(wi),a=new S,o=new S(.35,.78,.52).normalize();for(let e=0;e<wi;++e){a.set(t()*2-1,t()*2-1,t()*2-1).normalize(),e%5<2&&a.addScaledVector(o,-a.dot(o)*.86).normalize(),a.toArray(n,e*3);let s=t()**7,c=t();i[e]=1+2.1*s;let l=.2+.8*s;r.set([l*(.78+.22*c),l*.88,l*(1-.2*c)],e*3)}let s=new ye;s.setAttribute(`position`,new C(n,3)),s.setAttribute(`color`,new C(r,3)),s.setAttribute(`size`,new C(i,1));let c=new _({uniforms:{pixels:{value:1}},vertexShader:`attribute float size; attribute vec3 color; varying vec3 vColor; uniform float pixels;
      void main() {
        vColor = color;
        gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww;
        gl_PointSize = size * pixels * 1.35;
      }`,fragmentShader:`varying vec3 vColor;
      void main() {
        float r = length(gl_PointCoord - 0.5) * 2.0;
        gl_FragColor = vec4(vColor * smoothstep(1.0, 0.15, r), 1.0);
      }`,blending:2,transparent:!0,depthWrite:!1}),l=new se(s,c);return l.frustumCulled=!1,l.renderOrder=-20,l}function Ni(e){let t=new _({uniforms:{baked:{value:e},sun:{value:Ti},middle:{value:Ei},radius:{value:Di}},vertexShader:`uniform vec3 middle; varying vec3 vDirection;
      void main() {
        vec3 side = normalize(cross(middle, vec3(0.0, 1.0, 0.0)));
        vec3 up = cross(side, middle);
        vDirection = middle * 0.75 + (side * position.x + up * position.y) * 0.95;
        gl_Position = (projectionMatrix * vec4(mat3(viewMatrix) * vDirection, 1.0)).xyww;
      }`,fragmentShader:`varying vec3 vDirection; uniform vec3 middle, sun; uniform float radius; uniform sampler2D baked;
      ${Oi}
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
      }`,transparent:!0,blending:5,blendSrc:201,blendDst:205,depthWrite:!1}),n=new x(new b(2,2),t);return n.frustumCulled=!1,n.renderOrder=-10,n}var Pi=class{group=new fe;#e;#t;constructor(e,t=!0){this.#e=Ai(e),this.#t=Mi(),this.#t.material.uniforms.pixels.value=e.getPixelRatio(),this.group.add(ji(this.#e.texture),this.#t),t&&this.group.add(Ni(this.#e.texture)),this.group.traverse(e=>e.matrixAutoUpdate=!1)}dispose(){this.#e.dispose(),this.group.traverse(e=>{(e instanceof x||e instanceof se)&&(e.geometry.dispose(),e.material.dispose())})}},Fi=70,Ii=2048,Li=`#56f08a`,Ri=class{#e=new Map;of(e){let t=this.#e.get(e);return t||this.#e.set(e,t=e.geometry()),t}dispose(){for(let e of this.#e.values())e.dispose();this.#e.clear()}},zi=class{scene=new ue;sun;#e=new Map;#t=new Map;#n;#r;#i;constructor(e,t,n){this.#n=t,this.#r=new Pi(e),this.scene.add(this.#r.group),this.scene.add(new Ce(`#8ea9d8`,`#2b3348`,1.15)),this.sun=new ge(`#fff1dd`,3.1),this.sun.position.copy(Ti).multiplyScalar(200),this.scene.add(this.sun,this.sun.target);let r=new ge(`#5d86d6`,.5);r.position.set(.86,-.36,.42).multiplyScalar(100),this.scene.add(r),this.#i=n,n&&this.#o()}kind(e,t,n){let r=this.#e.get(e);if(!r){let i=t.walks===!0;r=new Ci({geometry:this.#n.of(t),walks:i,hologram:n,material:this.#a(`hull ${i} ${n}`,()=>yi({walks:i,...n?{hologram:n}:{}})),outlineMaterial:this.#a(`outline ${i}`,()=>bi(Li,i))}),this.#e.set(e,r),this.scene.add(r.group)}return r}begin(){for(let e of this.#e.values())e.begin()}end(e){for(let e of this.#e.values())e.end();this.sun.target.position.copy(e),this.sun.position.copy(e).addScaledVector(Ti,200)}setQuality(e){this.sun.castShadow=this.#i&&e===`full`}dispose(){for(let e of this.#e.values())e.dispose();for(let e of this.#t.values())e.dispose();this.#e.clear(),this.#t.clear(),this.#r.dispose(),this.sun.dispose()}#a(e,t){let n=this.#t.get(e);return n||this.#t.set(e,n=t()),n}#o(){let{shadow:e}=this.sun;this.sun.castShadow=!0,e.mapSize.set(Ii,Ii);let{camera:t}=e;t.left=t.bottom=-70,t.right=t.top=Fi,t.near=20,t.far=420,e.bias=-4e-4,e.normalBias=.06}},Bi=new S,Vi=new S,Hi=new D;function Ui(e,t,n,r,i){let a;for(let o=0;o<e.length;++o){let s=e[o],c=r+s.reachM;if(!(s.position.distanceToSquared(t)>c*c||i(s))){Hi.copy(s.rotation).invert(),Bi.copy(t).sub(s.position).applyQuaternion(Hi),Vi.copy(n).applyQuaternion(Hi);for(let e of s.model.blocks){if(e.decor||e.yawRad)continue;let t=Wi(Bi,Vi,e.low,e.high);t<(a?.distanceM??r)&&(a={distanceM:t,body:o})}}}return a}function Wi(e,t,n,r){let i=-1/0,a=1/0;for(let o=0;o<3;++o){let[s,c]=[e.getComponent(o),t.getComponent(o)];if(Math.abs(c)<1e-9){if(s<n[o]||s>r[o])return 1/0;continue}let[l,u]=[(n[o]-s)/c,(r[o]-s)/c];i=Math.max(i,Math.min(l,u)),a=Math.min(a,Math.max(l,u))}return i<=a&&i>0?i:1/0}var Gi=4.2,Ki=15,qi=.55,Ji=.35,Yi=.25,Xi=class{firstPerson=!1;camera=new ne(68,1,.14,9e3);eye=new S;direction=new S;turn=new D;#e=new S;#t=new S;#n=new S;#r=Gi;place(e,t,n,r,i,a,o){this.turn.setFromEuler(new xe(-r,n,0,`YXZ`));let s=t.clone().multiply(this.turn);this.direction.set(0,0,1).applyQuaternion(s),this.#t.set(0,1,0).applyQuaternion(t),this.eye.copy(e).addScaledVector(this.#t,Er);let{camera:c}=this;if(c.quaternion.copy(s).multiply(Zi),this.firstPerson&&!i){c.position.copy(this.eye);return}let l=i?Ki:Gi;this.#n.copy(this.direction).negate(),this.#e.set(-(i?0:qi),0,0).applyQuaternion(s);let u=this.eye.clone().add(this.#e).addScaledVector(this.#t,i?3:Ji),d=Ui(a,u,this.#n,l+Yi,e=>e.model.walks===!0||i),f=d?Math.max(.3,d.distanceM-Yi):l;this.#r=f<this.#r?f:Math.min(f,this.#r+o*9),c.position.copy(u).addScaledVector(this.#n,this.#r)}get boomM(){return this.firstPerson?0:this.#r}},Zi=new D(0,1,0,0),Qi=48,$i=130,ea=60,ta=2200,na=420,ra={shot:$i,arrow:ta,puff:na},ia={shot:new w(`#bcd6ff`),arrow:new w(`#ffe3b8`),puff:new w(`#b3a58f`)},aa=class{object;#e=[];#t=new C(new Float32Array(288),3);#n=new C(new Float32Array(288),3);constructor(){let e=new ye;e.setAttribute(`position`,this.#t),e.setAttribute(`color`,this.#n),this.object=new ve(e,new ae({vertexColors:!0,blending:2,depthWrite:!1,toneMapped:!1})),this.object.frustumCulled=!1}add(e,t,n,r,i,a){let o=[n.x+a[0],n.y+a[1],n.z+a[2]];this.#e.push({kind:e,bornMs:t,lengthM:i,from:o,to:[r.x,r.y,r.z]}),this.#e.length>Qi&&this.#e.shift()}puff(e,t,n,r=`puff`){let i=new S;for(let a=0;a<7;++a)i.setFromSphericalCoords(1,.3+a%3*.35,a*.9),this.add(r,e,t,i,.5,n)}draw(e,t){for(;this.#e[0]&&e-this.#e[0].bornMs>ra[this.#e[0].kind];)this.#e.shift();let n=0;for(let{kind:r,bornMs:i,lengthM:a,from:o,to:s}of this.#e){let c=e-i,l=1-c/ra[r];if(l<=0)continue;let[u,d]=oa(r,c,a);for(let[e,i]of[[0,u],[1,d]]){let a=n*2+e,c=r===`arrow`?4.9*(i/ea)**2:0;this.#t.setXYZ(a,o[0]-t[0]+s[0]*i,o[1]-t[1]+s[1]*i-c,o[2]-t[2]+s[2]*i);let{r:u,g:d,b:f}=ia[r],p=l*(e===0&&r===`shot`?.25:1);this.#n.setXYZ(a,u*p,d*p,f*p)}++n}this.object.geometry.setDrawRange(0,n*2),this.object.visible=n>0,this.#t.needsUpdate=this.#n.needsUpdate=!0}dispose(){this.object.geometry.dispose(),this.object.material.dispose()}};function oa(e,t,n){return e===`shot`?[Math.min(n,t*.6),n]:e===`arrow`?[t/1e3*ea,Math.min(n,t/1e3*ea+1.1)]:[t/na*n*.6,t/na*n*.6+.09]}var sa=32,ca=2,la=new w(`#6c7467`),ua=new w(`#57514b`),da=new w(`#3d3a3b`),fa=class{group=new fe;#e=new fe;seen=!1;#t;#n;#r=[];#i=1;constructor(e,t){this.#t=e,this.#n=t}get solidCells(){return this.#r.reduce((e,t)=>e+t.solidCells,0)}update(e){let t=e.ground(this.#t);if(!t)return!1;this.#r.length===0&&this.#a(t.size,t.cellM);let n=ca,r=!1;for(let i of this.#r)i.version===t.version||n--<=0||(i.version=t.version,r=this.#o(e,i)||r);return r}placeTruth(e,t,n){this.#e.parent!==e&&e.add(this.#e),this.#e.position.copy(t),this.#e.quaternion.copy(n)}remove(){this.group.removeFromParent(),this.#e.removeFromParent()}dispose(){for(let{meshes:e}of this.#r)e[0].geometry.dispose()}#a(e,t){this.#i=t;let[n,r,i]=e;for(let e=0;e<n;e+=sa)for(let t=0;t<i;t+=sa){let a=new x(new ye,this.#n);a.castShadow=a.receiveShadow=!0,a.visible=!1;let o=new x(a.geometry,this.#n);o.visible=!1,a.matrixAutoUpdate=o.matrixAutoUpdate=!1,this.group.add(a),this.#e.add(o),this.#r.push({low:[e,0,t],size:[Math.min(sa,n-e),r,Math.min(sa,i-t)],version:-1n,shown:void 0,solidCells:0,meshes:[a,o]})}}#o(e,t){let n=t.size.map(e=>e+2),r=t.low.map(e=>e-1),i=e.cells(this.#t,r,n);if(t.shown&&i.every((e,n)=>e===t.shown[n]))return!1;t.shown=i,t.solidCells=ma(i,n),t.meshes[0].geometry.dispose();let a=ga(i,n,r,this.#i);for(let e of t.meshes)e.geometry=a,e.visible=!0;return!0}},pa=[{step:[1,0,0],corners:[[1,0,0],[1,1,0],[1,1,1],[1,0,1]]},{step:[-1,0,0],corners:[[0,0,0],[0,0,1],[0,1,1],[0,1,0]]},{step:[0,1,0],corners:[[0,1,0],[0,1,1],[1,1,1],[1,1,0]]},{step:[0,-1,0],corners:[[0,0,0],[1,0,0],[1,0,1],[0,0,1]]},{step:[0,0,1],corners:[[0,0,1],[1,0,1],[1,1,1],[0,1,1]]},{step:[0,0,-1],corners:[[0,0,0],[0,1,0],[1,1,0],[1,0,0]]}];function ma(e,[t,n,r]){let i=0;for(let a=1;a<n-1;++a)for(let n=1;n<r-1;++n)for(let o=1;o<t-1;++o)i+=e[o+t*(n+r*a)];return i}function ha(e,t,n){return .86+.28*((Math.imul(e*73856093^t*19349663^n*83492791,2654435761)>>>0)%1e3)/1e3}function ga(e,[t,n,r],i,a){let o=(n,i,a)=>e[n+t*(a+r*i)]===1,s=[],c=[],l=[],u=[],d=[],f=new w;for(let e=1;e<n-1;++e)for(let p=1;p<r-1;++p)for(let r=1;r<t-1;++r)if(o(r,e,p))for(let{step:t,corners:m}of pa){if(o(r+t[0],e+t[1],p+t[2]))continue;let h=s.length/3,g=e<n-2&&!o(r,e+1,p);f.copy(t[1]>0?la:g?ua:da).multiplyScalar(ha(r+i[0],e,p+i[2])),m.forEach((n,o)=>{s.push((r+n[0]+i[0])*a,(e+n[1]+i[1])*a,(p+n[2]+i[2])*a),c.push(...t),l.push(f.r,f.g,f.b),u.push((o===0||o===3?-.5:.5)*a,(o<2?-.5:.5)*a,a/2,a/2)}),d.push(h,h+1,h+2,h,h+2,h+3)}let p=new ye,m=s.length/3;return p.setAttribute(`position`,new E(s,3)),p.setAttribute(`normal`,new E(c,3)),p.setAttribute(`color`,new E(l,3)),p.setAttribute(`face`,new E(u,4)),p.setAttribute(`glow`,new E(new Float32Array(m),1)),p.setAttribute(`limb`,new E(new Float32Array(m),1)),p.setIndex(d),p}var _a={lowM:[-.5,-.5,-.5],highM:[.5,.5,.5]},va=class{#e=new Map;of(e,t){let n=Cr[e];if(n)return n;let{lowM:r,highM:i}=t.find(({name:t})=>t===e)??_a,a=`${e} ${r.join()} ${i.join()}`,o=this.#e.get(a);return o||this.#e.set(a,o=wr(r,i)),o}};function ya(e){let t=0;for(let{low:n,high:r}of e.blocks){let e=n.map((e,t)=>Math.max(Math.abs(e),Math.abs(r[t])));t=Math.max(t,Math.hypot(...e))}return t}var ba=class{origin=[0,0,0];turn=new D;handle=0;parent=0;parentType;local;helm=0;#e=new D;follow(e,t,n){let{own:r}=e;if(!r)return;for(let e=0;e<3;++e)this.origin[e]=r.worldPositionM[e];this.handle=r.handle,this.local=r.localPositionM;let i=xa(e,r.parent),a=this.#e.identity();i&&a.fromArray(i.worldRotation),r.parent!==this.parent&&this.#t(n,a),this.turn.copy(a),this.parent=r.parent,this.parentType=i&&t(i.type),this.helm=jr(this.parentType,r.localPositionM)?r.parent:0}#t(e,t){let n=new S(0,0,1).applyEuler(new xe(-e.pitchRad,e.yawRad,0,`YXZ`)).applyQuaternion(this.turn).applyQuaternion(t.clone().invert());e.yawRad=Math.atan2(n.x,n.z),e.pitchRad=Math.asin(Math.max(-1,Math.min(1,n.y)))}};function xa(e,t){if(t!==0){for(let n=0;n<e.count;++n)if(e.at(n).handle===t)return e.at(n)}}var Sa=new w(`#ffffff`),Ca=Array.from({length:12},(e,t)=>new w().setHSL(t*.618034%1,.42,.66));function wa(e,t){return t?Sa:Ca[(Math.imul(e,2654435761)>>>8)%Ca.length]}var Ta=1.5,Ea=.75,Da=3e3,Oa=class{#e=new Map;#t=0;step(e,t,n,r){let[i,a,o]=[n[0],n[1],n[2]],s=this.#e.get(e);s||(s={x:i,y:a,z:o,parent:t,atMs:r,phaseRad:e*1.7%6.28,swingRad:0},this.#e.set(e,s));let c=(r-s.atMs)/1e3;if(c<=0)return s;let l=s.parent===t?Math.sqrt((i-s.x)**2+(o-s.z)**2):0,u=Math.min(l/c,12),d=Math.abs(a-s.y)/c>1.2,f=d?.12:Math.min(Ea,u*.14);return s.swingRad+=(f-s.swingRad)*Math.min(1,c*10),s.phaseRad+=d?0:Math.min(l,1)/Ta*Math.PI*2*.7,s.x=i,s.y=a,s.z=o,s.parent=t,s.atMs=r,s}sweep(e){if(!(e-this.#t<Da)){this.#t=e;for(let[t,{atMs:n}]of this.#e)e-n>Da&&this.#e.delete(t)}}},ka=400,Aa=.12,ja=.01,Ma=`#ffb35c`,Na=class{bodies=[];grounds=new Map;smoothing=!1;close=!1;#e;#t;#n=new Oa;#r=[];#i=d.kinds;#a=[];#o=0;#s=yi();constructor(e,t){this.#e=e,this.#t=t}put(e,t,n,r,i){this.#i!==d.kinds&&(this.#r.length=0),this.#i=d.kinds;for(let e of this.#r)e&&(e.count=0);this.#o=0,this.smoothing=!1;for(let a=0;a<e.count;++a){let o=e.at(a),s=this.#r[o.type]??=this.#c(t.typeName(o.type)??``);++s.count,this.#l(o,s,n,r,i)}this.bodies.length=this.#o,this.#n.sweep(r);for(let e of this.grounds.values())e.group.visible=e.seen,e.seen&&e.update(t),e.seen=!1}get typeCounts(){return Object.fromEntries(this.#r.filter(e=>e?.count).map(e=>[e.name,e.count]))}putServerGhost(e,t,n){let r=R(t.handle,n);if(!r)return;let i=xa(e,r.parent),a=R(r.parent,n);if(i&&a){let e=a.rotation.clone().invert(),t=new D().fromArray(i.worldRotation);r.position.sub(a.position).applyQuaternion(e).applyQuaternion(t),r.position.add(new S().fromArray(i.worldPositionM)),r.rotation.premultiply(e).premultiply(t)}let[o,s,c]=Fa(r.position.toArray(),t.origin);Math.hypot(o,s,c)<Aa||this.#e.kind(`server ghost`,this.#t.of(`character`,d.kinds),Ma).put(o,s,c,r.rotation.toArray())}dispose(){for(let e of this.grounds.values())e.dispose();this.#s.dispose()}#c(e){let t=this.#t.of(e,d.kinds);return{name:e,model:t,reachM:ya(t),use:Tr[e],meshes:void 0,count:0}}#l(e,t,n,r,i){let{worldPositionM:a}=e,{origin:o}=n,s=a[0]-o[0],c=a[1]-o[1],l=a[2]-o[2];if(t.name===`ground`){this.#d(e,s,c,l);return}this.#u(e,t,s,c,l);let u=(e.flags&Fe.smoothing)!==0&&Pa(e.smoothingM)>ja;if(this.smoothing||=u,e.own&&i)return;let d=t.meshes??=this.#e.kind(t.name,t.model),f=d.put(s,c,l,e.worldRotation);if(t.model.walks){d.tint(f,wa(e.handle,e.own));let t=e.own&&n.helm!==0,{phaseRad:i,swingRad:a}=this.#n.step(e.handle,e.parent,e.localPositionM,r);d.walk(f,i,t?0:a)}u&&!(e.own&&this.close)&&d.outline()}#u({handle:e,worldRotation:t},{name:n,model:r,reachM:i,use:a},o,s,c){let l=ka+i;if(o*o+s*s+c*c>l*l)return;let u=this.#o++,d=this.#a[u];d||(d={handle:e,typeName:n,model:r,reachM:i,use:a,position:new S,rotation:new D},this.#a[u]=d),d.handle=e,d.typeName=n,d.model=r,d.reachM=i,d.use=a,d.position.set(o,s,c),d.rotation.set(t[0],t[1],t[2],t[3]),this.bodies[u]=d}#d(e,t,n,r){let i=this.grounds.get(e.handle);i||(i=new fa(e.handle,this.#s),this.grounds.set(e.handle,i),this.#e.scene.add(i.group)),i.group.position.set(t,n,r),i.group.quaternion.fromArray(e.worldRotation),i.seen=!0}};function Pa(e){return Math.sqrt(e[0]*e[0]+e[1]*e[1]+e[2]*e[2])}function Fa(e,t){return[e[0]-t[0],e[1]-t[1],e[2]-t[2]]}var Ia=class{count=0;#e;#t;#n=new Oa;#r=new S;#i=new D;constructor(e,t){this.#e=e,this.#t=t}put(e,t,n,r){let{matrix:i,turn:a}=La(e,t,r);this.count=qn(r,(t,o,s,c)=>{let l=this.#r.set(...Fa(c,e.origin)).applyMatrix4(i),u=this.#i.fromArray(c,3).premultiply(a),f=n.get(t);if(f){f.placeTruth(this.#e.scene,l,u);return}let p=d.kinds[o]?.name??``,m=this.#t.of(p,d.kinds),h=this.#e.kind(p,m),g=h.put(l.x,l.y,l.z,u.toArray());if(!m.walks)return;h.tint(g,wa(t,t===e.handle));let{phaseRad:ee,swingRad:te}=this.#n.step(t,s,l.toArray(),r);h.walk(g,ee,te)}),this.#n.sweep(r)}};function La(e,t,n){let r=R(e.parent,n),i=new D,a=new _e;if(!t||!r)return{matrix:a,turn:i};i.copy(t.rotation).multiply(r.rotation.clone().invert());let o=new S(...Fa(r.position.toArray(),e.origin)).applyQuaternion(i);return a.makeRotationFromQuaternion(i).setPosition(t.position.clone().sub(o)),{matrix:a,turn:i}}var Ra=300,za=1.2,Ba=.006,$=new S,Va=class{rig=new Xi;own=new ba;mine;truth;marks={hitMs:-1e9,hurtMs:-1e9};actions=new Vr;#e;#t=new Ri;#n;#r;#i=new aa;constructor(e){this.#e=new g(e);let{renderer:t}=this.#e,n=new va;this.#n=new zi(t,this.#t,!0),this.#r=new zi(t,this.#t,!1),this.mine=new Na(this.#n,n),this.truth=new Ia(this.#r,n),this.#n.scene.add(this.#i.object)}get drawCalls(){return this.#e.renderer.info.render.calls}async warmUp(){for(let e of[this.#n,this.#r]){e.setQuality(this.#e.quality);for(let[t,n]of Object.entries(Cr)){let r=e.kind(t,n),i=r.put(0,-1e4,0,[0,0,0,1]);n.walks&&r.tint(i,wa(0,!0)),(n.walks||Tr[t]?.seat)&&r.outline()}e.end($),await this.#e.renderer.compileAsync(e.scene,this.rig.camera),e.begin(),e.end($)}}drawIdle(e){this.#e.begin(e);let{camera:t}=this.rig;t.position.set(0,0,0),t.rotation.set(-.08,-1.62+e/1e3*Ba,0,`YXZ`),this.#e.show(this.#n.scene,t,0,this.#e.width)}draw(e,t,n,r,i,a,o,s){let{own:c,rig:l,mine:u}=this;this.#e.begin(o),this.#n.setQuality(this.#e.quality),c.follow(e,e=>t.typeName(e),i),this.#n.begin(),u.close=l.boomM<za,u.put(e,t,c,o,l.firstPerson&&c.helm===0),a.serverGhost&&u.putServerGhost(e,c,o),l.place($,c.turn,i.yawRad,i.pitchRad,c.helm!==0,u.bodies,s),this.#o(n,o),this.#a(r,o),this.#i.draw(o,c.origin),this.#n.end($);let d=Math.floor(this.#e.width/2);if(this.#e.show(this.#n.scene,l.camera,0,a.split?d:this.#e.width),!a.split)return;this.#r.begin();let f=c.parent===0?void 0:u.bodies.find(({handle:e})=>e===c.parent);this.truth.put(c,f,u.grounds,o),this.#r.end($),this.#e.show(this.#r.scene,l.camera,d,this.#e.width-d)}clear(){this.mine.dispose(),this.actions=new Vr;for(let e of[this.#n,this.#r])e.begin(),e.end($);for(let e of this.mine.grounds.values())e.remove();this.mine.grounds.clear()}dispose(){this.mine.dispose(),this.#n.dispose(),this.#r.dispose(),this.#i.dispose(),this.#t.dispose(),this.#e.dispose()}#a(e,t){let{origin:n}=this.own;for(let{effect:r,positionM:i}of e){let e=r===X.shot||r===X.loose;if(!e&&r!==X.dig&&r!==X.fill)continue;let a=new S(...Fa(i,n));this.#i.puff(t,a,n,e?`shot`:`puff`)}}#o(e,t){this.actions.take(e);for(let{effect:n,state:r,detail:i}of e){let e=n===X.shot||n===X.loose;if(r===`confirmed`&&e&&i===1&&(this.marks.hitMs=t),r!==`played`)continue;let{eye:a,direction:o}=this.rig,{origin:s,handle:c}=this.own;if(e){let e=a.clone().addScaledVector(o,.5);e.y-=.16;let r=Ui(this.mine.bodies,a,o,Ra,e=>e.handle===c),i=n===X.shot?`shot`:`arrow`;this.#i.add(i,t,e,o,r?.distanceM??Ra,s)}else n===X.dig||n===X.fill?this.#i.puff(t,a.clone().addScaledVector(o,2),s):n===X.hit&&(this.marks.hurtMs=t)}}},Ha=`perigee.name`,Ua=220,Wa=420,Ga=480,Ka,qa=class extends e{static properties={cockpit:{state:!0},joining:{state:!0},failure:{state:!0},panels:{state:!0},help:{state:!0},tick:{state:!0},noPicture:{state:!0}};#e=()=>{};#t;#n=0;#r={atMs:0,libraryMs:NaN,frameMs:NaN};static styles=[a,pi];constructor(){super(),this.joining=this.help=this.noPicture=!1,this.panels=!0,this.failure=``,this.tick=0,new we(this,d)}connectedCallback(){super.connectedCallback(),m(()=>Kr(this.cockpit)),Ka=this,addEventListener(`pagehide`,this.#d)}disconnectedCallback(){super.disconnectedCallback(),m(void 0),removeEventListener(`pagehide`,this.#d),l.page===`lens`&&this.cockpit?this.#u(this.cockpit):this.#d(),cancelAnimationFrame(this.#n),this.#t?.dispose(),this.#t=void 0}render(){return r`
      <canvas id="view" tabindex="0" aria-label="The world"></canvas>
      ${this.cockpit?this.#m(this.cockpit):this.#o()}
    `}updated(){if(this.#t||this.noPicture||!this.isConnected)return;try{this.#t=new Va(this.#i)}catch(e){console.error(e),this.noPicture=!0;return}this.#t.warmUp();let e=O.take();e?this.#c(e,this.#t):this.#a(),O.ended!==``&&([this.failure,O.ended]=[O.ended,``])}get#i(){return this.renderRoot.querySelector(`#view`)}#a(){let e=t=>{this.#n=requestAnimationFrame(e),this.#t?.drawIdle(t)};cancelAnimationFrame(this.#n),this.#n=requestAnimationFrame(e)}#o(){let e=d.hello===void 0?``:d.whyNot(`log_in`);return r`<div class="join">
      <form @submit=${this.#s}>
        <div class="title">Fly</div>
        <p>
          The client library itself runs in this page: prediction, physics and encryption as in an engine. Take its
          techniques away, make the network worse, and kill the server below you.
        </p>
        <div class="row">
          <input type="text" id="name" maxlength="32" autocomplete="off" spellcheck="false" placeholder="Your name"
            aria-label="Your name" .value=${localStorage.getItem(Ha)??``} ?disabled=${this.joining} />
          <button class="main" id="join" ?disabled=${this.joining||e!==``||this.noPicture}>${this.joining?`Joining…`:`Join`}</button>
        </div>
        ${e===``?n:r`<p class="why">${e}</p>`}
        ${this.noPicture?r`<p class="why" role="alert">${h}</p>`:n}
        ${this.failure?r`<p class="why" role="alert">${this.failure}</p>`:n}
      </form>
    </div>`}async#s(e){e.preventDefault();let t=this.renderRoot.querySelector(`#name`)?.value.trim()||`Pilot ${Math.floor(Math.random()*900+100)}`;localStorage.setItem(Ha,t),this.joining=!0,this.failure=``;try{let e=await Zr(t,e=>O.pilot?O.end(e):Ka?.ended(e));this.#t?this.#c(e,this.#t):(O.keep(e),O.leave())}catch(e){this.failure=o(e)}this.joining=!1}#c(e,t){cancelAnimationFrame(this.#n);let n=this.#i;this.cockpit=new Lr({canvas:n,picture:t,pilot:e,onKey:e=>this.#p(e),onPart:e=>this.#l(e)}),this.#e=this.cockpit.listen(()=>++this.tick),n.focus()}#l(e){e===`page`?++this.tick:e===`failover`?this.renderRoot.querySelector(`failover-panel`)?.requestUpdate():this.renderRoot.querySelector(`net-panel`)?.show(e)}#u(e){this.#e(),this.cockpit=void 0,O.keep(e.park())}ended(e){this.#f(),this.failure=e,this.#a()}#d=()=>this.#f();#f(){this.#e(),this.cockpit?.end(),this.cockpit=void 0}#p(e){e===`Tab`?this.panels=!this.panels:e===`Slash`||e===`F1`?this.help=!this.help:e===`Escape`?this.help=!1:e===`KeyL`&&this.cockpit?location.hash=`#/lens/${this.cockpit.pilot.clientId}`:e===`KeyK`&&this.renderRoot.querySelector(`failover-panel`)?.kill()}#m(e){let t=performance.now();return r`
      ${e.choices.split?r`<div class="divider"></div><span class="half left">mine</span><span class="half right">the server’s truth</span>`:n}
      <div class="sight ${t-e.picture.marks.hitMs<Ua?`hit`:``} ${e.choices.split?`split`:``}"></div>
      <div class="frame ${e.picture.mine.smoothing?`smoothing`:``} ${t-e.picture.marks.hurtMs<Wa?`hurt`:``}"></div>
      ${this.#y(e)} ${this.#b(e)}
      ${this.panels?this.#h(e):n} ${this.panels?this.#g(e):n}
      ${this.help?r`<help-panel @close=${()=>this.help=!1}></help-panel>`:n}
    `}#h(e){return r`
      <div class="column left">
        <techniques-panel .cockpit=${e} .off=${e.offKeys}></techniques-panel>
        <link-panel .cockpit=${e} .link=${e.link}></link-panel>
      </div>
      <div class="column right">
        <net-panel .cockpit=${e}></net-panel>
        <failover-panel .cockpit=${e}></failover-panel>
        <div class="tools">
          <button class="small ${e.choices.split?`on`:``}" @click=${()=>this.#_(`split`)}>Split <kbd>T</kbd></button>
          <button class="small ${e.choices.serverGhost?`on`:``}" @click=${()=>this.#_(`serverGhost`)}>Server’s me <kbd>B</kbd></button>
          <button class="small" @click=${()=>e.desync(.5)} title="Moves the prediction by 0.5 m">Desync <kbd>E</kbd></button>
          <button class="small" @click=${()=>location.hash=`#/lens/${e.pilot.clientId}`}
            title="The last 30 s of this flight: both paths, and the cause of each correction">Lens <kbd>L</kbd></button>
          <button class="small" @click=${()=>this.help=!0}>Keys <kbd>?</kbd></button>
          <button class="small" @click=${this.#v}>Leave</button>
        </div>
      </div>
    `}#g(e){let t=this.#r,n=performance.now();return n-t.atMs>=Ga&&(t.atMs=n,t.libraryMs=e.wasmTimes.quantile(.99),t.frameMs=e.frameTimes.quantile(.99)),r`<div class="status" title="Main thread, 99th percentile of the last frames: the client library, and the whole frame">
      <span><b>${p(e.framesPerSecond)}</b> fps</span>
      <span>JS p99: library <b>${p(t.libraryMs,1)}</b> · frame <b>${p(t.frameMs,1)} ms</b></span>
      <span><b>${e.sceneCount}</b> entities</span>
    </div>`}#_(e){let t=this.cockpit?.choices;t&&(t[e]=!t[e],++this.tick)}#v(){this.#f(),this.failure=``,this.#a()}#y(e){let{gap:t}=e.failover;return e.session.state===`reconnecting`?r`<div class="banner warn" role="alert">The gateway is silent: the client reconnects, and goes on predicting.</div>`:t&&!t.healed?r`<div class="banner warn" role="alert">${t.worker} is dead. ${t.successor||`Its standby`} takes over; your client goes on.</div>`:n}#b(e){let{target:t}=e;return t?r`<div class="prompt"><kbd>F</kbd> ${t.sentence}</div>`:e.controls.captured?n:r`<div class="prompt faint">Click to look around · <kbd>?</kbd> all keys</div>`}};customElements.define(`fly-page`,qa);export{qa as FlyPage};