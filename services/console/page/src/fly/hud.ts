/** Styles of the cockpit's panels. */
import { css } from 'lit';

export const hud = css`
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
`;
