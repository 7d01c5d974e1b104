/** Why a player has a bad time: the worst figure, in a word and a sentence. */
import type { PlayerFigures } from '../model/players.js';

export interface Verdict {
  word: string;
  tone: 'good' | 'warn' | 'bad';
  sentence: string;
}

export function verdictOf(player: PlayerFigures): Verdict {
  const { rttMs, jitterMs, lossPermille, leadMs, correctionsPerMinute, silentS } = player;
  if (silentS >= 3) {
    return { word: 'silent', tone: 'bad', sentence: `The client has not reported for ${silentS.toFixed(0)} s: its network is interrupted.` };
  }
  if (lossPermille >= 50) {
    return { word: 'lossy', tone: 'bad', sentence: `${(lossPermille / 10).toFixed(1)} % of the packets are lost: the player's own network, mostly wifi.` };
  }
  if (correctionsPerMinute >= 6) {
    return { word: 'corrected', tone: 'bad', sentence: 'Many visible corrections: see their causes on the dashboard Latency & corrections.' };
  }
  if (jitterMs >= 40) {
    return { word: 'unsteady', tone: 'bad', sentence: `Round trips differ by ${jitterMs.toFixed(0)} ms: a full queue on the way, or wifi.` };
  }
  if (leadMs - rttMs / 2 >= 150) {
    return { word: 'late', tone: 'warn', sentence: 'The client leads far more than its path needs: it stalls, or its frames take long.' };
  }
  if (rttMs >= 250) return { word: 'far', tone: 'warn', sentence: 'The player is far away; prediction hides most of it.' };
  if (lossPermille >= 15) return { word: 'some loss', tone: 'warn', sentence: `${(lossPermille / 10).toFixed(1)} % of the packets are lost.` };
  if (jitterMs >= 15) return { word: 'some jitter', tone: 'warn', sentence: `Round trips differ by ${jitterMs.toFixed(0)} ms.` };
  return { word: 'good', tone: 'good', sentence: 'Nothing is wrong with this connection.' };
}
