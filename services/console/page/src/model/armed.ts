import { armRecorder, listRecordings, perform } from '../api/acts.js';
import { sentenceOf } from '../api/http.js';
import type { ArmedPlayer } from '../api/types.js';
import { cluster } from '../app/state.js';
import { Emitter } from './emitter.js';

const askEveryMs = 2000;
const armedForS = 600;
const renewedBelowS = 120;
const againAfterMs = 15_000;

/** The recorder of one player, on whichever worker has the player: armed again there when it migrates. */
export class Armed extends Emitter {
  readonly clientId: string;
  /** On the worker that has the player now. */
  recorder: ArmedPlayer | undefined;
  worker = '';
  /** Why nothing is recorded. */
  failure = '';
  /** Whether this page keeps it armed. */
  kept = false;
  #timer = 0;
  #triedMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(clientId: string) {
    super();
    this.clientId = clientId;
  }

  /** Asks the workers from now on. */
  begin(): void {
    this.end();
    void this.#ask();
    this.#timer = window.setInterval(() => void this.#ask(), askEveryMs);
  }

  /** The recorder stays armed until its time is over. */
  end(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  async keep(): Promise<void> {
    this.kept = true;
    this.#triedMs = Number.NEGATIVE_INFINITY;
    await this.#ask();
  }

  async free(): Promise<void> {
    this.kept = false;
    try {
      await perform(armRecorder(this.clientId, '', 0));
      this.failure = '';
    } catch (error) {
      this.failure = sentenceOf(error);
    }
    await this.#ask();
  }

  /** One at a time: two would both find no recorder, and arm two. */
  #ask(): Promise<void> {
    this.#asking ??= this.#askWorkers().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #askWorkers(): Promise<void> {
    try {
      const found = (await listRecordings())
        .flatMap(({ worker, armed }) => armed.map((recorder) => ({ worker, recorder })))
        .find(({ recorder }) => recorder.clientId === this.clientId && !recorder.left);
      this.recorder = found?.recorder;
      this.worker = found?.worker ?? '';
      if (this.kept && (!found || found.recorder.forS < renewedBelowS)) await this.#arm();
      else if (found) this.failure = '';
    } catch (error) {
      this.failure = sentenceOf(error);
    }
    this.changed();
  }

  async #arm(): Promise<void> {
    const why = cluster.whyNot('arm_recorder');
    if (why !== '') {
      this.failure = why;
      return;
    }
    if (performance.now() - this.#triedMs < againAfterMs && this.failure !== '') return;
    this.#triedMs = performance.now();
    try {
      this.worker = (await perform(armRecorder(this.clientId, '', armedForS))).worker;
      this.failure = '';
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }
}
