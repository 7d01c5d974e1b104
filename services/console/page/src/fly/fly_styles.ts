import { css } from 'lit';

export const flyStyles = css`
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
`;
