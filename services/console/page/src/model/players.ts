import type { PlayersReport } from '../api/types.js';
import { Emitter } from './emitter.js';

const samplesMax = 60;
const minuteMs = 60_000;
const forgottenAfterMs = 5000;

/** A player, from the reports of its own client. */
export interface PlayerFigures {
  clientId: string;
  gatewaySlot: number;
  /** Since its last report; large: it is interrupted. */
  silentS: number;
  rttMs: number;
  jitterMs: number;
  lossPermille: number;
  leadMs: number;
  inputToEyeMs: number;
  correctionsPerMinute: number;
  largestCorrectionM: number;
  kBPerS: number;
  /** Round trips of the last minute, the oldest first. */
  rttsMs: number[];
  /** Of the last minute: when, and how many corrections there had been. */
  corrections: { atMs: number; count: number }[];
  seenMs: number;
}

/** All players, as their gateways report them once a second. */
export class Players extends Emitter {
  readonly all = new Map<string, PlayerFigures>();
  /** Clients that gateways left out of their reports. */
  leftOut = 0;

  take(gatewaySlot: number, { players, leftOut }: PlayersReport, nowMs: number): void {
    this.leftOut = leftOut;
    for (const player of players) {
      const former = this.all.get(player.clientId);
      const count = Number(player.corrections);
      const corrections = [...(former?.corrections ?? []), { atMs: nowMs, count }].filter(({ atMs }) => nowMs - atMs <= minuteMs);
      this.all.set(player.clientId, {
        clientId: player.clientId,
        gatewaySlot,
        silentS: player.silentS,
        rttMs: player.rttUs / 1000,
        jitterMs: player.jitterUs / 1000,
        lossPermille: player.lossPermille,
        leadMs: player.leadUs / 1000,
        inputToEyeMs: player.inputToDisplayUs / 1000,
        correctionsPerMinute: perMinute(corrections, player.sessionS),
        largestCorrectionM: player.largestCorrectionMm / 1000,
        kBPerS: player.receivedBytesPerS / 1000,
        rttsMs: [...(former?.rttsMs ?? []), player.rttUs / 1000].slice(-samplesMax),
        corrections,
        seenMs: nowMs,
      });
    }
    for (const [clientId, { seenMs }] of this.all) if (nowMs - seenMs > forgottenAfterMs) this.all.delete(clientId);
    this.changed();
  }

  clear(): void {
    this.all.clear();
    this.changed();
  }
}

/** Over the last minute; over the whole session, if this page has watched for less than ten seconds. */
function perMinute(corrections: readonly { atMs: number; count: number }[], sessionS: number): number {
  const [first, last] = [corrections[0]!, corrections.at(-1)!];
  const spanMs = last.atMs - first.atMs;
  if (spanMs < 10_000) return sessionS > 0 ? (last.count * 60) / Math.max(sessionS, 60) : 0;
  return (Math.max(0, last.count - first.count) * minuteMs) / spanMs;
}
