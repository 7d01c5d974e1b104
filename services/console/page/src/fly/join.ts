/** A log-in through the console, and the player in the page. */
import { Game, Session, WebSocketPath, logIn } from '@perigee/client';
import { authorization, socketUrl } from '../api/token.js';
import { newPilot, type Pilot } from './pilot.js';

let game: Promise<Game> | undefined;

/** `onEnd` is called once, with a sentence, if the session ends by itself. */
export async function join(playerName: string, onEnd: (why: string) => void): Promise<Pilot> {
  const loaded = await (game ??= Game.load().catch((error: unknown) => {
    game = undefined; // the next try loads it again
    throw error;
  }));
  const probe = loaded.createClient();
  const { wireVersion, schemaHash } = probe;
  probe.destroy();
  // The console adds the credential.
  const request = { playerName, credential: '', wireVersion, schemaHash };
  const { connectToken, clientId } = await logIn(location.href, request, { headers: authorization() });
  const relay = socketUrl('relay');
  const session = await Session.join({
    game: loaded,
    player: connectToken,
    path: (gateway) => new WebSocketPath(relay, gateway),
    onEnd: (why) => onEnd(why.message),
  });
  return newPilot(session, clientId.toString(), playerName);
}
