import { css } from 'lit';

export const boardPanelStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    padding: 9px 12px 8px;
    background: var(--bg-raised);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    overflow: hidden;
  }
  .title {
    display: flex;
    gap: 8px;
    font-size: 12px;
    font-weight: 500;
    color: var(--text-soft);
    white-space: nowrap;
    cursor: help;
  }
  .title span {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .figures {
    flex: 1;
    display: flex;
    flex-wrap: wrap;
    align-content: center;
    gap: 2px 20px;
    min-height: 0;
    overflow: hidden;
  }
  .figure {
    font-size: clamp(19px, 2.1vw, 29px);
    font-weight: 600;
    letter-spacing: -0.025em;
    line-height: 1.15;
    font-variant-numeric: tabular-nums;
  }
  .figure small {
    font-size: 0.5em;
    font-weight: 500;
    letter-spacing: 0;
    color: var(--text-soft);
  }
  .figure em {
    display: block;
    font-size: 11px;
    font-style: normal;
    font-weight: 400;
    letter-spacing: 0;
    color: var(--text-faint);
  }
  .plot {
    flex: 1;
    min-height: 0;
    margin: 3px -6px 0 -8px;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    max-height: 32px;
    overflow: hidden;
    font-size: 11px;
    line-height: 16px;
    color: var(--text-soft);
    font-variant-numeric: tabular-nums;
  }
  .legend i {
    display: inline-block;
    width: 8px;
    height: 3px;
    margin-right: 5px;
    border-radius: 2px;
    vertical-align: middle;
  }
  .legend b {
    font-weight: 500;
    color: var(--text);
  }
  .note {
    flex: 1;
    display: grid;
    place-content: center;
    text-align: center;
    font-size: 12px;
    color: var(--text-faint);
  }
  .scroll {
    flex: 1;
    overflow: auto;
    margin-top: 6px;
    font-size: 12px;
  }
  td {
    padding-top: 3px;
    padding-bottom: 3px;
  }
  .u-over {
    cursor: crosshair;
  }
`;
