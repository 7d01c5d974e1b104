/** Replays flights beside the page: the same functions as `./perigee replay`. */
import { Game, type Client } from '@perigee/client';
import type { ReplayAnswer, ReplayRequest } from './replay.js';

let client: Promise<Client> | undefined;

addEventListener('message', ({ data }: MessageEvent<ReplayRequest>) => {
  void answer(data).then((said) => postMessage(said));
});

async function answer({ id, halves, reruns }: ReplayRequest): Promise<ReplayAnswer> {
  try {
    const replayer = await (client ??= Game.load().then((game) => game.createClient()));
    const began = performance.now();
    const flight = replayer.reportFlight(halves[0]!, halves[1], reruns);
    return { id, flight, tookMs: performance.now() - began };
  } catch (error) {
    // After a fault of the module, the next request loads it again.
    if ((error as { fault?: string }).fault !== 'bad-recording') client = undefined;
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
