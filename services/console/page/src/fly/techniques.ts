/** Techniques against latency that a player can take away: docs/tuning.md. */

export interface Technique {
  key: string;
  /** The game's value, and the one without the technique. */
  on: string;
  off: string;
  title: string;
  /** What is seen without it. */
  without: string;
}

export const techniques: readonly Technique[] = [
  { key: 'prediction', on: 'on', off: 'off', title: 'Prediction',
    without: 'your avatar moves one round trip after the key' },
  { key: 'relative-prediction', on: 'on', off: 'off', title: 'Relative prediction',
    without: 'aboard a ship you stand beside the place that you see' },
  { key: 'smoothing', on: 'quintic', off: 'none', title: 'Smoothing',
    without: 'corrections are jumps' },
  { key: 'rollback', on: 'on', off: 'off', title: 'Rollback',
    without: 'late inputs are lost' },
  { key: 'redundancy', on: 'all', off: 'none', title: 'Redundancy',
    without: 'each lost packet is a gap' },
  { key: 'reconciler', on: 'replay', off: 'shift', title: 'Replay',
    without: 'corrections go through walls until the next state' },
  { key: 'storm-breaker', on: 'on', off: 'off', title: 'Storm breaker',
    without: 'storms of corrections are displayed' },
  { key: 'timeline', on: 'lead', off: 'on-arrival', title: 'Lead',
    without: 'each late packet is felt' },
  { key: 'view', on: 'near', off: 'shared-clock', title: 'Near view',
    without: 'others are 100 ms late' },
];

export function settingOf({ key, on, off }: Technique, enabled: boolean): string {
  return `${key}=${enabled ? on : off}`;
}
