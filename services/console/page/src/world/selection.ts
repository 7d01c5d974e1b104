/** What is chosen on the World page. */
export type Selection = { kind: 'worker'; slot: number } | { kind: 'region'; region: number } | undefined;

export function same(a: Selection, b: Selection): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === 'worker') return b.kind === 'worker' && a.slot === b.slot;
  return b.kind === 'region' && a.region === b.region;
}

export class SelectEvent extends Event {
  constructor(readonly selection: Selection) {
    super('choose', { bubbles: true, composed: true });
  }
}
