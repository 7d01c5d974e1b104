import { css } from 'lit';

export const worldStyles = css`
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
`;
