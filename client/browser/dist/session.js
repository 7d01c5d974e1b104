import { PerigeeError, sentenceOf } from './errors.js';
import { Game } from './game.js';
import { released } from './input.js';
import { LogInError, logIn } from './log_in.js';
import { Paths } from './paths.js';
import { isOver, sentenceOfEnd } from './state.js';
import { WebSocketPath } from './websocket_path.js';
const defaultTimeoutMs = 15_000;
const joiningStepMs = 10;
const quietFrameMs = 100; // a page that draws calls frame() more often
const cuesMax = 256;
/** A player in the world: the client library with its connection and clock. */
export class Session {
    client;
    #paths;
    #onEnd = () => { };
    #cues = [];
    #heard = [];
    #nowMs = 0;
    #steppedMs = 0;
    #end;
    #endState = 'disconnected';
    constructor(client, open) {
        this.client = client;
        this.#paths = new Paths(open, (from, datagram) => this.#receive(from, datagram));
    }
    /** Loads the game, logs in, connects, and waits for the player's avatar. */
    static async join(options) {
        const { game, player, path } = options;
        const loaded = game instanceof Game ? game : await Game.load(game);
        const client = loaded.createClient();
        const open = typeof path === 'function' ? path : (gateway) => new WebSocketPath(path, gateway);
        const session = new Session(client, open);
        try {
            if (options.techniques)
                client.use(options.techniques);
            const token = player instanceof Uint8Array ? player : await tokenFor(client, player);
            client.begin(session.#time(performance.now()), token);
            await session.#joined(options.timeoutMs ?? defaultTimeoutMs);
            if (options.onEnd)
                session.#onEnd = options.onEnd;
            return session;
        }
        catch (error) {
            session.#stop();
            throw error;
        }
    }
    get state() {
        return this.#end ? this.#endState : this.client.state;
    }
    /** Why the session is over. */
    get end() {
        return this.#end;
    }
    /**
     * One frame: sends the input, and returns what to draw, valid until the next frame. `nowMs` is
     * the time that requestAnimationFrame passes, or performance.now(). Throws once the session is
     * over.
     */
    frame(nowMs, input) {
        const now = this.#time(nowMs);
        this.#step(now, input);
        try {
            return this.client.scene(now);
        }
        catch (error) {
            throw this.#over(error);
        }
    }
    /** Takes the cues since the last call. */
    takeCues() {
        return this.#cues.splice(0);
    }
    /** Takes the cues of others since the last call. */
    takeHeard() {
        return this.#heard.splice(0);
    }
    /** Leaves the world, and frees everything. */
    leave() {
        if (this.#end)
            return;
        this.client.disconnect(this.#time(performance.now()));
        this.#send();
        this.#end = new PerigeeError('ended', 'the player has left');
        this.#stop();
    }
    async #joined(timeoutMs) {
        const began = performance.now();
        for (let now = began; now < began + timeoutMs; now = performance.now()) {
            this.#step(this.#time(now), released);
            if (this.client.state === 'playing')
                return;
            await new Promise((resolve) => setTimeout(resolve, joiningStepMs));
        }
        throw new PerigeeError('timeout', `no avatar after ${timeoutMs / 1000} s (${this.client.state})${this.#problem()}`);
    }
    #step(now, input) {
        if (this.#end)
            throw this.#end;
        try {
            this.client.advance(now, input);
            this.#steppedMs = now;
            for (const cue of this.client.cues()) {
                this.#cues.push(cue);
                if (this.#cues.length > cuesMax)
                    this.#cues.shift();
            }
            for (const cue of this.client.heard()) {
                this.#heard.push(cue);
                if (this.#heard.length > cuesMax)
                    this.#heard.shift();
            }
            this.#send();
        }
        catch (error) {
            throw this.#over(error);
        }
        const state = this.client.state;
        if (isOver(state)) {
            this.#endState = state;
            throw this.#over(new PerigeeError('ended', sentenceOfEnd(state) + this.#problem()));
        }
    }
    #send() {
        for (let next = this.client.pollSend(); next; next = this.client.pollSend()) {
            this.#paths.send(this.#nowMs, next.to, next.bytes);
        }
    }
    /**
     * Datagrams also keep a session alive whose page is not drawn, in a tab behind others: browsers
     * then call no frames, but deliver messages.
     */
    #receive(from, datagram) {
        if (this.#end)
            return;
        const now = this.#time(performance.now());
        try {
            this.client.receive(now, from, datagram);
            if (now - this.#steppedMs >= quietFrameMs)
                this.#step(now, released);
        }
        catch (error) {
            this.#over(error);
        }
    }
    /** A time of a frame may be before that of a datagram which arrived earlier. */
    #time(nowMs) {
        this.#nowMs = Math.max(this.#nowMs, nowMs);
        return this.#nowMs;
    }
    #problem() {
        return this.#paths.problem === '' ? '' : `: ${this.#paths.problem}`;
    }
    #over(error) {
        if (this.#end)
            return this.#end;
        this.#end =
            error instanceof PerigeeError
                ? error
                : new PerigeeError('stopped', sentenceOf(error), { cause: error });
        this.#stop();
        this.#onEnd(this.#end);
        return this.#end;
    }
    #stop() {
        this.#paths.close();
        if (this.#end?.fault !== 'stopped')
            this.client.destroy();
    }
}
async function tokenFor(client, player) {
    const { url, playerName, credential, wantedRegion } = player;
    const { wireVersion, schemaHash } = client;
    const region = wantedRegion === undefined ? {} : { wantedRegion };
    try {
        const reply = await logIn(url, { playerName, credential, wireVersion, schemaHash, ...region });
        return reply.connectToken;
    }
    catch (error) {
        if (!(error instanceof LogInError) || !error.otherVersion)
            throw error;
        throw new LogInError(`${error.message} (the client is this page's module of the game: load the page again, or build ` +
            'the module from the same sources as the server)', error.status, error.httpStatus, error.retryAfterS, { cause: error });
    }
}
