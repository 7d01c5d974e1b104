// Keyboard and mouse. A click on the picture catches the mouse, and Escape frees it; the arrow keys turn without one.
import { buttons } from './perigee/index.js';

const radPerPx = 0.0025;
const turnRadPerS = 2.2;
const pitchMaxRad = 1.3;

export class Controls {
  yawRad = 0;
  pitchRad = 0;
  #down = new Set();
  #pressed = 0;
  #lastMs;

  constructor(canvas) {
    const press = (button) => (this.#pressed |= button);
    addEventListener('keydown', (event) => {
      this.#down.add(event.code);
      if (event.target === document.body && /^(Space|Arrow)/.test(event.code)) event.preventDefault();
      if (event.code === 'Space' && !event.repeat) press(buttons.jump);
    });
    addEventListener('keyup', ({ code }) => this.#down.delete(code));
    addEventListener('blur', () => this.#down.clear());
    const caught = () => document.pointerLockElement === canvas;
    canvas.addEventListener('mousedown', ({ button }) => {
      if (!caught()) return canvas.requestPointerLock();
      this.#down.add(`Mouse${button}`);
      press(button === 0 ? buttons.fire : buttons.alternate);
    });
    addEventListener('mouseup', ({ button }) => this.#down.delete(`Mouse${button}`));
    addEventListener('mousemove', ({ movementX, movementY }) => {
      if (!caught()) return;
      this.yawRad -= movementX * radPerPx;
      this.pitchRad = Math.max(-pitchMaxRad, Math.min(pitchMaxRad, this.pitchRad - movementY * radPerPx));
    });
  }

  /** The input of one frame. Yaw rises to the left. */
  take(nowMs) {
    const is = (...codes) => codes.some((code) => this.#down.has(code));
    const axis = (plus, minus) => Number(is(...plus)) - Number(is(...minus));
    const passedS = Math.min(0.1, (nowMs - (this.#lastMs ?? nowMs)) / 1000);
    this.#lastMs = nowMs;
    this.yawRad += axis(['ArrowLeft'], ['ArrowRight']) * turnRadPerS * passedS;
    let held = 0;
    if (is('Space')) held |= buttons.jump;
    if (is('ShiftLeft', 'ShiftRight')) held |= buttons.run;
    if (is('Mouse0')) held |= buttons.fire;
    if (is('Mouse2')) held |= buttons.alternate;
    const pressed = this.#pressed;
    this.#pressed = 0;
    return {
      right: axis(['KeyD'], ['KeyA']), forward: axis(['KeyW', 'ArrowUp'], ['KeyS', 'ArrowDown']),
      yawRad: this.yawRad, pitchRad: this.pitchRad, held, pressed,
    };
  }
}
