import { css } from 'lit';

export const playersStyles = css`
  .head input {
    margin-left: auto;
    width: 210px;
  }
  th button {
    height: auto;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font-size: inherit;
  }
  th button:hover {
    color: var(--text);
    background: none;
  }
  th {
    position: sticky;
    top: -22px;
    z-index: 1;
    padding-top: 8px;
    background: var(--bg);
  }
  th.sorted {
    color: var(--accent);
  }
  tbody tr.row:hover td {
    background: var(--bg-hover);
  }
  td.name {
    font-weight: 500;
    max-width: 240px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  td.acts {
    text-align: right;
    white-space: nowrap;
    padding-right: 0;
  }
  td.acts .lens {
    padding: 0 7px;
    font-size: 12px;
  }
  td.acts act-button {
    display: inline-block;
    margin-left: 4px;
  }
  td small {
    color: var(--text-faint);
  }
  .empty {
    padding: 60px 0;
    text-align: center;
    color: var(--text-soft);
  }
  .note {
    margin: 0 0 14px;
    font-size: 12px;
    font-weight: 400;
    color: var(--text-faint);
  }
  @media (max-width: 720px) {
    .wide {
      display: none;
    }
    th {
      top: -14px;
    }
    td,
    th {
      padding-right: 7px;
      white-space: nowrap;
    }
    td.acts .plain {
      display: none;
    }
    td.acts act-button {
      margin-left: 0;
    }
    .head input {
      width: 100%;
      margin: 6px 0 0;
    }
  }
`;
