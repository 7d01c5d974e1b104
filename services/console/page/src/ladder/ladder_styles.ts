import { css } from 'lit';

export const ladderStyles = css`
  .sums {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(210px, 1fr));
    gap: 12px;
    margin-bottom: 22px;
  }
  .sums .figure {
    font-size: 34px;
    font-weight: 600;
    letter-spacing: -0.035em;
    line-height: 1.15;
    font-variant-numeric: tabular-nums;
  }
  .sums .figure small {
    font-size: 15px;
    font-weight: 500;
    letter-spacing: 0;
    color: var(--text-soft);
  }
  .sums .accent {
    color: var(--accent);
  }
  .sums p {
    margin-top: 4px;
    font-weight: 400;
    color: var(--text-soft);
  }
  .ladder {
    display: grid;
    grid-template-columns: minmax(170px, 260px) 62px 62px minmax(0, 1fr);
    align-items: center;
  }
  .ladder > * {
    min-height: 34px;
    display: flex;
    align-items: center;
    border-top: 1px solid var(--line);
  }
  .ladder > .head {
    min-height: 30px;
    border-top: 0;
    font-size: 11px;
    color: var(--text-faint);
  }
  .ladder .number {
    justify-content: flex-end;
    padding-right: 14px;
    font-variant-numeric: tabular-nums;
  }
  .within {
    padding-left: 18px;
    color: var(--text-faint);
  }
  .track {
    position: relative;
    height: 100%;
    overflow: hidden;
  }
  .track i {
    position: absolute;
    height: 8px;
    border-radius: 2px;
  }
  .ours {
    top: 8px;
    background: var(--accent);
    min-width: 2px;
  }
  .ours.within-bar {
    background: rgb(143 182 255 / 45%);
  }
  .tail {
    top: 11px;
    height: 2px !important;
    background: rgb(143 182 255 / 38%);
  }
  .talk {
    top: 19px;
    background: rgb(150 170 205 / 26%);
  }
  .yours {
    background: repeating-linear-gradient(115deg, rgb(150 170 205 / 22%) 0 4px, transparent 4px 8px);
  }
  .scale span {
    position: absolute;
    top: 6px;
    transform: translateX(-50%);
    font-size: 11px;
    color: var(--text-faint);
  }
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 20px;
    margin: 16px 0 20px;
    font-size: 12px;
    color: var(--text-soft);
  }
  .key i {
    display: inline-block;
    width: 18px;
    height: 8px;
    margin-right: 7px;
    border-radius: 2px;
  }
  .key .ours,
  .key .talk,
  .key .yours {
    position: static;
  }
  .line {
    max-width: 420px;
  }
  @media (max-width: 720px) {
    .ladder {
      grid-template-columns: minmax(0, 1fr) 52px 52px;
    }
    .ladder > .track {
      grid-column: 1 / -1;
      border-top: 0;
    }
    .ladder > .scale {
      display: none;
    }
  }
`;
