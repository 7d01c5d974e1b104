import { css } from 'lit';

export const lensStyles = css`
  :host {
    display: grid;
    grid-template-columns: 216px minmax(0, 1fr);
    height: 100%;
  }
  .players {
    border-right: 1px solid var(--line);
  }
  .main {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 318px;
    grid-template-rows: 48px auto minmax(0, 1fr) auto;
    grid-template-areas: 'head head' 'failure failure' 'picture side' 'time time';
    min-height: 0;
  }
  .head {
    grid-area: head;
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 0 16px;
    border-bottom: 1px solid var(--line);
    min-width: 0;
  }
  h1 {
    font-size: 15px;
    font-weight: 600;
    letter-spacing: -0.01em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .head .soft,
  .head .recording {
    font-size: 12px;
    white-space: nowrap;
  }
  .recording {
    display: inline-flex;
    align-items: center;
    gap: 7px;
    color: var(--text-soft);
    font-variant-numeric: tabular-nums;
  }
  .recording i {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--bad);
    animation: beat 2s ease-in-out infinite;
  }
  @keyframes beat {
    50% {
      opacity: 0.35;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .recording i {
      animation: none;
    }
  }
  .head .why {
    font-size: 12px;
    color: #efd389;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .grow {
    flex: 1;
  }
  button.on {
    border-color: rgb(143 182 255 / 55%);
    background: var(--accent-soft);
    color: #cfe0ff;
  }
  .back {
    font-size: 12px;
    margin-left: 6px;
  }
  .failure {
    grid-area: failure;
    padding: 9px 16px;
    background: rgb(242 117 122 / 11%);
    border-bottom: 1px solid rgb(242 117 122 / 30%);
    color: #f6b1b4;
    font-weight: 400;
  }
  .picture {
    grid-area: picture;
    position: relative;
    min-height: 0;
    overflow: hidden;
  }
  path-view {
    position: absolute;
    inset: 0;
  }
  .legend {
    position: absolute;
    left: 16px;
    bottom: 12px;
    display: flex;
    gap: 16px;
    font-size: 11px;
    color: var(--text-soft);
    pointer-events: none;
  }
  .legend i {
    display: inline-block;
    width: 14px;
    height: 3px;
    margin-right: 6px;
    border-radius: 2px;
    vertical-align: middle;
  }
  .side {
    grid-area: side;
    padding: 16px 16px 12px;
    border-left: 1px solid var(--line);
    background: var(--bg-raised);
    min-height: 0;
  }
  .time {
    grid-area: time;
    padding: 6px 0 10px;
    border-top: 1px solid var(--line);
    background: var(--bg);
  }
  .foot {
    display: flex;
    align-items: center;
    gap: 14px;
    padding: 6px 16px 0;
    font-size: 11px;
    white-space: nowrap;
  }
  .foot cmd-line {
    margin-left: auto;
    overflow: hidden;
  }
  .empty {
    grid-area: picture-start / picture-start / time-end / side-end;
    display: grid;
    align-content: center;
    justify-items: center;
    gap: 18px;
    padding: 40px;
    text-align: center;
    color: var(--text-soft);
    font-size: 14px;
  }
  .empty p {
    max-width: 460px;
    font-weight: 400;
    line-height: 1.55;
  }
  @media (max-width: 960px) {
    :host {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: auto minmax(0, 1fr);
      overflow: auto;
    }
    .players {
      max-height: 190px;
      border-right: 0;
      border-bottom: 1px solid var(--line);
    }
    .main {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: auto auto 300px auto auto;
      grid-template-areas: 'head' 'failure' 'picture' 'time' 'side';
      padding-bottom: 60px;
    }
    .head {
      flex-wrap: wrap;
      padding: 8px 14px;
    }
    .side {
      border-left: 0;
    }
    .foot {
      flex-wrap: wrap;
    }
  }
`;
