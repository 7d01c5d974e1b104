import{l as e}from"./lit.js";var t=`perigee.token`,n=/[#&]token=([^&]*)/;function r(){let e=n.exec(location.hash);if(!e)return;sessionStorage.setItem(t,decodeURIComponent(e[1]));let r=location.hash.replace(n,``).replace(/^#?&?/,``);history.replaceState(null,``,location.pathname+location.search+(r===``?``:`#${r}`))}function i(){return sessionStorage.getItem(t)??``}function a(e){let t=new URL(e,location.href);t.protocol=t.protocol===`https:`?`wss:`:`ws:`,t.hash=``;let n=i();return n!==``&&(t.search=`?token=${encodeURIComponent(n)}`),t}function o(){let e=i();return e===``?{}:{authorization:`Bearer ${e}`}}var s=`open the address that perigee-console prints, with #token= at its end`,c=class extends Error{httpStatus;status;name=`ApiError`;constructor(e,t,n){super(e),this.httpStatus=t,this.status=n}},l=12e3;async function u(e,t){let n,r;try{n=await fetch(e,{signal:AbortSignal.timeout(l),...t}),r=await n.text()}catch{throw new c(`The console does not answer. Is perigee-console running?`,0,``)}let i;try{i=JSON.parse(r)}catch{i={}}if(n.ok)return i;let{message:a,status:o}=i.error??{};throw new c(typeof a==`string`&&a!==``?a:`${e} answers with ${n.status}`,n.status,typeof o==`string`?o:``)}function d(e){return u(e,{headers:o()})}function f(e,t){return u(e,{method:`POST`,headers:{...o(),"content-type":`application/json`},body:JSON.stringify(t)})}async function p(e){let t;try{if(t=await fetch(e,{headers:o(),signal:AbortSignal.timeout(l)}),t.ok)return new Uint8Array(await t.arrayBuffer())}catch{throw new c(`The console does not answer. Is perigee-console running?`,0,``)}let n=await t.json().catch(()=>({}));throw new c(String(n.error?.message??`${e} answers with ${t.status}`),t.status,String(n.error?.status??``))}function m(e){return e instanceof Error?e.message:String(e)}var h=e`
  :host {
    box-sizing: border-box;
  }
  *,
  *::before,
  *::after {
    box-sizing: inherit;
  }
  [hidden] {
    display: none !important;
  }
  h1,
  h2,
  h3,
  p {
    margin: 0;
    font-weight: 500;
  }
  h2 {
    font-size: 11px;
    font-weight: 600;
    letter-spacing: 0.07em;
    text-transform: uppercase;
    color: var(--text-faint);
  }
  .number,
  td.number,
  th.number {
    font-variant-numeric: tabular-nums;
    text-align: right;
  }
  .soft {
    color: var(--text-soft);
  }
  .faint {
    color: var(--text-faint);
  }
  .mono {
    font-family: var(--mono);
    font-size: 0.92em;
  }
  a {
    color: var(--accent);
    text-decoration: none;
  }
  a:hover {
    text-decoration: underline;
  }

  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    height: 28px;
    padding: 0 11px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: rgb(150 170 205 / 6%);
    white-space: nowrap;
    cursor: pointer;
    transition: background 0.12s, border-color 0.12s, color 0.12s;
  }
  button:hover:not(:disabled) {
    background: rgb(150 170 205 / 13%);
    border-color: rgb(150 170 205 / 40%);
  }
  button:focus-visible,
  input:focus-visible,
  select:focus-visible,
  a:focus-visible,
  [tabindex]:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  button:disabled {
    opacity: 0.42;
    cursor: not-allowed;
  }
  button.main {
    background: var(--accent);
    border-color: transparent;
    color: var(--accent-ink);
    font-weight: 600;
  }
  button.main:hover:not(:disabled) {
    background: #a8c6ff;
    border-color: transparent;
  }
  button.harmful {
    border-color: rgb(242 117 122 / 42%);
    color: #f6a3a6;
    background: rgb(242 117 122 / 8%);
  }
  button.harmful:hover:not(:disabled) {
    background: rgb(242 117 122 / 18%);
    border-color: rgb(242 117 122 / 65%);
  }
  button.plain {
    border-color: transparent;
    background: none;
    padding: 0 7px;
    color: var(--text-soft);
  }
  button.plain:hover:not(:disabled) {
    color: var(--text);
    background: var(--bg-hover);
  }
  button.small {
    height: 24px;
    padding: 0 8px;
    font-size: 12px;
  }
  input[type='text'],
  input[type='number'],
  select {
    height: 28px;
    padding: 0 9px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: rgb(0 0 0 / 28%);
    min-width: 0;
  }
  input[type='range'] {
    accent-color: var(--accent);
    width: 100%;
    margin: 0;
    height: 18px;
  }
  /* Firefox colors only a part of it by accent-color. */
  input[type='range']::-moz-range-track,
  input[type='range']::-moz-range-progress {
    height: 5px;
    border-radius: 3px;
    background: var(--line-strong);
  }
  input[type='range']::-moz-range-progress {
    background: var(--accent);
  }
  input[type='range']::-moz-range-thumb {
    width: 15px;
    height: 15px;
    border: 0;
    border-radius: 50%;
    background: var(--accent);
  }

  table {
    width: 100%;
    border-collapse: collapse;
  }
  th {
    text-align: left;
    font-size: 11px;
    font-weight: 500;
    color: var(--text-faint);
    padding: 0 10px 6px 0;
    white-space: nowrap;
  }
  td {
    padding: 6px 10px 6px 0;
    border-top: 1px solid var(--line);
    vertical-align: middle;
  }
  .card {
    background: var(--bg-raised);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: 14px 16px;
  }
  .dot {
    display: inline-block;
    flex: none;
    width: 7px;
    height: 7px;
    border-radius: 50%;
    background: var(--text-faint);
  }
  .dot.good {
    background: var(--good);
    box-shadow: 0 0 8px rgb(111 211 163 / 45%);
  }
  .dot.warn {
    background: var(--warn);
  }
  .dot.bad {
    background: var(--bad);
    box-shadow: 0 0 8px rgb(242 117 122 / 50%);
  }
  .tag {
    display: inline-block;
    padding: 0 6px;
    border-radius: 4px;
    font-size: 11px;
    line-height: 17px;
    background: rgb(150 170 205 / 10%);
    color: var(--text-soft);
    white-space: nowrap;
  }
  .tag.good {
    background: rgb(111 211 163 / 14%);
    color: #8fe0b9;
  }
  .tag.warn {
    background: rgb(232 196 104 / 14%);
    color: #efd389;
  }
  .tag.bad {
    background: rgb(242 117 122 / 16%);
    color: #f6a3a6;
  }
  kbd {
    display: inline-block;
    min-width: 19px;
    padding: 0 5px;
    border: 1px solid var(--line-strong);
    border-bottom-width: 2px;
    border-radius: 4px;
    background: rgb(150 170 205 / 8%);
    font: 500 11px/16px var(--mono);
    text-align: center;
    color: var(--text);
  }
`,g=e`
  :host {
    display: block;
    height: 100%;
    overflow: auto;
    padding: 22px 28px 40px;
    scrollbar-width: thin;
    scrollbar-color: rgb(150 170 205 / 25%) transparent;
  }
  .head {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 4px 14px;
    margin-bottom: 16px;
  }
  h1 {
    font-size: 19px;
    font-weight: 600;
    letter-spacing: -0.01em;
  }
  @media (max-width: 720px) {
    :host {
      padding: 14px 14px 84px;
    }
  }
`;export{d as a,o as c,r as d,p as i,s as l,h as n,f as o,c as r,m as s,g as t,a as u};