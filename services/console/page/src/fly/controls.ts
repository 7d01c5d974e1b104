/** Keyboard, mouse and gamepad as the client library's input. */
import { buttons, type Input } from '@perigee/client';

const radiansPerPixel = 0.0022;
const quarterTurn = Math.PI / 2 - 0.001;
const stickDeadZone = 0.15;
const stickRadPerS = 2.6;

const heldKeys: Record<string, number> = {
  Space: buttons.jump,
  ShiftLeft: buttons.run,
  ShiftRight: buttons.run,
  KeyG: buttons.dig,
  KeyH: buttons.fill,
};
const mouseButtons: Record<number, number> = { 0: buttons.fire, 2: buttons.alternate };
/** Buttons of a standard gamepad. */
const padButtons: [number, number][] = [
  [0, buttons.jump], [3, buttons.jetpack], [10, buttons.run], [4, buttons.run], [7, buttons.fire],
  [6, buttons.alternate], [14, buttons.dig], [15, buttons.fill],
];
const padUse = 2;
const moveKeys = new Set(['KeyW', 'KeyA', 'KeyS', 'KeyD']);
const lookKeys = new Set(['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']);
const arrowRadPerS = 1.7;
const secondsMax = 0.1; // of a frame

export interface Asked {
  /** A key that is not an input, by its code: KeyV, Digit1, ... */
  onKey: (code: string) => void;
  /** The entity to use now; 0: none. */
  onUse: () => number;
  /** A move key went down or up at this time, on performance.now(). */
  onMoveKey: (atMs: number) => void;
}

export class Controls {
  yawRad = 0;
  pitchRad = -0.12;
  /** The jetpack brakes by itself. */
  dampers = true;
  readonly #element: HTMLElement;
  readonly #asked: Asked;
  readonly #down = new Set<string>();
  readonly #mouse = new Set<number>();
  readonly #ends = new AbortController();
  #pressed = 0;
  #use = 0;
  /** Browsers tell about each gamepad once; to ask for them in each frame takes longer than the keys. */
  #padKnown = navigator.getGamepads?.().some((each) => each !== null) ?? false;
  #padHeld = 0;
  #padUsed = false;
  #sampledMs = 0;

  /** `element` catches the mouse when it is clicked. */
  constructor(element: HTMLElement, asked: Asked) {
    this.#element = element;
    this.#asked = asked;
    const { signal } = this.#ends;
    addEventListener('keydown', (event) => this.#keyDown(event), { signal });
    addEventListener('keyup', (event) => this.#keyUp(event), { signal });
    addEventListener('gamepadconnected', () => (this.#padKnown = true), { signal });
    addEventListener('blur', () => this.release(), { signal });
    addEventListener('mouseup', (event) => this.#mouse.delete(event.button), { signal });
    element.addEventListener('mousedown', (event) => this.#mouseDown(event), { signal });
    element.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
    document.addEventListener('mousemove', (event) => this.#look(event), { signal });
  }

  get captured(): boolean {
    return document.pointerLockElement === this.#element || this.#rootHasLock();
  }

  /** All keys are up. */
  release(): void {
    this.#down.clear();
    this.#mouse.clear();
  }

  end(): void {
    this.#ends.abort();
    if (this.captured) document.exitPointerLock();
  }

  /** What has been pressed counts once. */
  sample(nowMs: number): Input {
    const down = (code: string) => (this.#down.has(code) ? 1 : 0);
    const input: Required<Input> = {
      right: down('KeyD') - down('KeyA'),
      forward: down('KeyW') - down('KeyS'),
      up: down('Space') - down('KeyC'),
      yawRad: 0,
      pitchRad: 0,
      held: this.dampers ? buttons.dampers : 0,
      pressed: this.#pressed,
      useHandle: this.#use,
    };
    for (const code of this.#down) input.held |= heldKeys[code] ?? 0;
    for (const button of this.#mouse) input.held |= mouseButtons[button] ?? 0;
    const seconds = Math.min((nowMs - this.#sampledMs) / 1000, secondsMax);
    const turnRad = arrowRadPerS * seconds;
    this.turn(turnRad * (down('ArrowLeft') - down('ArrowRight')), turnRad * 0.6 * (down('ArrowUp') - down('ArrowDown')));
    this.#gamepad(input, seconds);
    input.yawRad = this.yawRad;
    input.pitchRad = this.pitchRad;
    this.#sampledMs = nowMs;
    this.#pressed = 0;
    this.#use = 0;
    return input;
  }

  #keyDown(event: KeyboardEvent): void {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { code } = event;
    if (code === 'Space' || code === 'Tab' || code.startsWith('Arrow')) event.preventDefault();
    if (event.repeat) return;
    if (moveKeys.has(code) && !this.#down.has(code)) this.#asked.onMoveKey(event.timeStamp);
    this.#down.add(code);
    this.#pressed |= heldKeys[code] ?? 0;
    if (code === 'KeyJ') this.#pressed |= buttons.jetpack;
    else if (code === 'KeyX') this.dampers = !this.dampers;
    else if (code === 'KeyF') this.#use = this.#asked.onUse();
    else if (!(code in heldKeys) && !moveKeys.has(code) && !lookKeys.has(code)) this.#asked.onKey(code);
  }

  #keyUp(event: KeyboardEvent): void {
    if (moveKeys.has(event.code) && this.#down.has(event.code)) this.#asked.onMoveKey(event.timeStamp);
    this.#down.delete(event.code);
  }

  #mouseDown(event: MouseEvent): void {
    event.preventDefault();
    this.#element.focus();
    if (!this.captured) {
      void Promise.resolve(this.#element.requestPointerLock()).catch(() => {}); // refused: the mouse is free
      return;
    }
    this.#mouse.add(event.button);
    this.#pressed |= mouseButtons[event.button] ?? 0;
  }

  #look({ movementX, movementY }: MouseEvent): void {
    if (!this.captured) return;
    this.turn(-movementX * radiansPerPixel, -movementY * radiansPerPixel);
  }

  turn(yawRad: number, pitchRad: number): void {
    this.yawRad += yawRad;
    this.pitchRad = Math.max(-quarterTurn, Math.min(quarterTurn, this.pitchRad + pitchRad));
  }

  /** Inside a shadow root the document names its host. */
  #rootHasLock(): boolean {
    const root = this.#element.getRootNode();
    return root instanceof ShadowRoot && root.pointerLockElement === this.#element;
  }

  #gamepad(input: Required<Input>, seconds: number): void {
    if (!this.#padKnown) return;
    const pad = navigator.getGamepads?.().find((each) => each?.connected && each.mapping === 'standard');
    if (!pad) return;
    const axis = (i: number) => {
      const value = pad.axes[i] ?? 0;
      return Math.abs(value) < stickDeadZone ? 0 : value;
    };
    input.right = clamp(input.right + axis(0));
    input.forward = clamp(input.forward - axis(1));
    this.turn(-axis(2) * stickRadPerS * seconds, -axis(3) * stickRadPerS * 0.7 * seconds);
    let held = 0;
    for (const [button, bit] of padButtons) if (pad.buttons[button]?.pressed) held |= bit;
    if (pad.buttons[0]?.pressed) input.up = 1;
    if (pad.buttons[1]?.pressed) input.up = -1;
    input.held |= held & ~buttons.jetpack;
    input.pressed |= held & ~this.#padHeld;
    this.#padHeld = held;
    const uses = pad.buttons[padUse]?.pressed ?? false;
    if (uses && !this.#padUsed) input.useHandle = this.#asked.onUse();
    this.#padUsed = uses;
  }
}

function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}

function isTyping(event: KeyboardEvent): boolean {
  return event.composedPath().some(
    (each) => each instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA|DIALOG)$/.test(each.tagName) &&
      (each as HTMLInputElement).type !== 'range',
  );
}
