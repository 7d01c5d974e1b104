import { css } from 'lit';

export const consoleStyles = css`
  :host {
    display: grid;
    grid-template-rows: 46px auto minmax(0, 1fr);
    height: 100dvh;
  }
  header {
    display: flex;
    align-items: center;
    gap: 26px;
    padding: 0 18px;
    border-bottom: 1px solid var(--line);
    background: var(--bg);
  }
  .brand {
    display: flex;
    align-items: center;
    gap: 9px;
    font-size: 15px;
    font-weight: 600;
    letter-spacing: -0.015em;
    color: var(--text);
    text-decoration: none;
  }
  .brand img {
    width: 22px;
    height: 22px;
    display: block;
  }
  nav {
    display: flex;
    align-self: stretch;
    gap: 2px;
  }
  nav a {
    position: relative;
    display: flex;
    align-items: center;
    padding: 0 11px;
    color: var(--text-soft);
    text-decoration: none;
    transition: color 0.12s;
  }
  nav a:hover {
    color: var(--text);
  }
  nav a[aria-current] {
    color: var(--text);
    font-weight: 500;
  }
  nav a[aria-current]::after {
    content: '';
    position: absolute;
    inset: auto 11px -1px;
    height: 2px;
    border-radius: 2px;
    background: var(--accent);
  }
  .health {
    margin-left: auto;
    display: flex;
    align-items: center;
    gap: 16px;
    color: var(--text-soft);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .health span {
    display: inline-flex;
    align-items: center;
    gap: 7px;
  }
  .health b {
    font-weight: 500;
    color: var(--text);
  }
  .banner {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 7px 18px;
    background: rgb(232 196 104 / 10%);
    border-bottom: 1px solid rgb(232 196 104 / 30%);
    color: #efd389;
  }
  .banner.bad {
    background: rgb(242 117 122 / 11%);
    border-color: rgb(242 117 122 / 32%);
    color: #f6b1b4;
  }
  main {
    position: relative;
    min-height: 0;
    overflow: hidden;
  }
  main > .notice {
    display: grid;
    place-content: center;
    height: 100%;
    padding: 24px;
    text-align: center;
    color: var(--text-soft);
  }
  @media (max-width: 1080px) {
    .wide {
      display: none !important;
    }
  }
  @media (max-width: 720px) {
    header {
      gap: 12px;
      padding: 0 14px;
    }
    nav {
      position: fixed;
      inset: auto 0 0;
      z-index: 40;
      height: 54px;
      padding-bottom: env(safe-area-inset-bottom);
      justify-content: space-around;
      background: #0a0d13;
      border-top: 1px solid var(--line);
    }
    nav a {
      padding: 0 6px;
      font-size: 12px;
    }
    nav a[aria-current]::after {
      inset: 0 6px auto;
    }
    .health {
      gap: 10px;
    }
  }
`;
