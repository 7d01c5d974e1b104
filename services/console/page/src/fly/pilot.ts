/** The player of this page. It stays in the world while the page Lens looks at it. */
import type { Session } from '@perigee/client';
import { Armed } from '../model/armed.js';
import { Emitter } from '../model/emitter.js';

const recordedS = 30;

export interface Pilot {
  session: Session;
  clientId: string;
  playerName: string;
  /** The worker's recorder of this player. */
  armed: Armed;
  /** Keys of the techniques that are off, and the path. */
  off: Set<string>;
  link: string;
}

export function newPilot(session: Session, clientId: string, playerName: string): Pilot {
  session.client.record(recordedS);
  const armed = new Armed(clientId);
  armed.begin();
  void armed.keep();
  return { session, clientId, playerName, armed, off: new Set(), link: 'none' };
}

/** Where a player waits that no cockpit flies. */
class Hangar extends Emitter {
  pilot: Pilot | undefined;
  /** Why a player that waited here is gone. */
  ended = '';
  #request = 0;

  constructor() {
    super();
    addEventListener('pagehide', () => this.leave());
  }

  /** The player stands still from now on. */
  keep(pilot: Pilot): void {
    this.pilot = pilot;
    this.ended = '';
    const step = (nowMs: number) => {
      this.#request = requestAnimationFrame(step);
      try {
        pilot.session.frame(nowMs, {});
      } catch {
        this.end('');
      }
    };
    this.#request = requestAnimationFrame(step);
    this.changed();
  }

  take(): Pilot | undefined {
    cancelAnimationFrame(this.#request);
    const { pilot } = this;
    this.pilot = undefined;
    return pilot;
  }

  /** Its session is over. */
  end(why: string): void {
    const pilot = this.take();
    pilot?.armed.end();
    if (why !== '') this.ended = why;
    this.changed();
  }

  /** The player leaves the world. */
  leave(): void {
    const pilot = this.take();
    pilot?.armed.end();
    pilot?.session.leave();
  }
}

export const hangar = new Hangar();
