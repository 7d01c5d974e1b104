/** Counts of what the player has done, by the cues of the client library. */
import type { Cue } from '@perigee/client';

/** Effects of Skiff's cues: docs of Cue in @perigee/client. */
export const effects = { shot: 1, loose: 3, dig: 4, fill: 5, hit: 6 };
export const targetHit = 1;

const kinds = { shots: effects.shot, arrows: effects.loose, digs: effects.dig, fills: effects.fill };
type Kind = keyof typeof kinds;

export class ActionCounts {
  readonly counts = Object.fromEntries(
    Object.keys(kinds).map((kind) => [kind, { played: 0, confirmed: 0, cancelled: 0 }]),
  ) as Record<Kind, Record<Cue['state'], number>>;
  hits = 0;

  take(cues: readonly Cue[]): void {
    for (const { effect, state, detail } of cues) {
      const kind = (Object.keys(kinds) as Kind[]).find((each) => kinds[each] === effect);
      if (!kind) continue;
      ++this.counts[kind][state];
      const shoots = kind === 'shots' || kind === 'arrows';
      if (shoots && state === 'confirmed' && detail === targetHit) ++this.hits;
    }
  }
}
