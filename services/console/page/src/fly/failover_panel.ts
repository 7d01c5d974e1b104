import { LitElement, css, html, nothing } from 'lit';
import { killWorker } from '../api/acts.js';
import { cluster } from '../app/state.js';
import { RendersOn } from '../model/emitter.js';
import { act } from '../ui/act_button.js';
import '../ui/cmd_line.js';
import { ms } from '../ui/format.js';
import { workerColor } from '../ui/palette.js';
import { shared } from '../ui/shared.js';
import type { Cockpit } from './cockpit.js';
import { hud } from './hud.js';

/** The worker that has the player, and its death. */
export class FailoverPanel extends LitElement {
  static override properties = { cockpit: { attribute: false } };
  declare cockpit: Cockpit;

  static override styles = [
    shared,
    hud,
    css`
      .who {
        display: flex;
        align-items: center;
        gap: 8px;
        margin-bottom: 9px;
      }
      .who b {
        font-weight: 600;
      }
      .swatch {
        width: 10px;
        height: 10px;
        border-radius: 3px;
      }
      .who .tag {
        margin-left: auto;
      }
      .kill {
        width: 100%;
        justify-content: center;
        margin-bottom: 7px;
      }
      .gap {
        display: grid;
        grid-template-columns: auto 1fr;
        align-items: center;
        gap: 12px;
        margin-top: 10px;
        padding-top: 10px;
        border-top: 1px solid var(--line);
      }
      .gap.healed .figure {
        color: var(--good);
      }
    `,
  ];

  constructor() {
    super();
    new RendersOn(this, cluster);
  }

  override render() {
    const { cockpit } = this;
    const slot = cockpit.workerSlot;
    const worker = cluster.worker(slot);
    const standby = cluster.worker(worker?.standby);
    const { gap } = cockpit.failover;
    const name = worker?.name ?? 'sim-0';
    const why = cluster.whyNot(killWorker(name).name);
    return html`<section class="panel" aria-label="Failover">
      <header><h2>Below your feet</h2></header>
      <div class="who">
        <span class="swatch" style="background:${workerColor(slot)}"></span>
        <b>${worker?.name ?? 'no worker'}</b>
        <span class="faint">${standby ? html`standby ${standby.name}` : nothing}</span>
        <span class="tag ${worker?.standbyInSync ? 'good' : 'warn'}">${worker?.standbyInSync ? 'in sync' : 'no standby'}</span>
      </div>
      <button class="harmful kill" id="kill" ?disabled=${!worker || why !== ''}
        title=${why || killWorker(name).consequence} @click=${() => this.#kill(name)}>
        Kill ${worker?.name ?? 'the worker'} <kbd>K</kbd>
      </button>
      <cmd-line .text=${killWorker(name).command}></cmd-line>
      ${gap
        ? html`<div class="gap ${gap.healed ? 'healed' : ''}">
            <div class="figure" id="gap">${ms(gap.ms)} <small>ms</small></div>
            <div class="label">
              ${gap.healed
                ? html`without the server's answers.<br /><span class="soft">${gap.successor || 'Its standby'} goes on for ${gap.worker}.</span>`
                : html`without the server's answers so far.<br /><span class="soft">${gap.successor || 'Its standby'} takes over from ${gap.worker}.</span>`}
            </div>
          </div>`
        : nothing}
    </section>`;
  }

  /** Asks first. */
  async #kill(name: string): Promise<void> {
    if (document.pointerLockElement) document.exitPointerLock();
    const standby = cluster.worker(cluster.map?.workers.find((each) => each.name === name)?.standby)?.name ?? '';
    const order = killWorker(name);
    let answered = false;
    const watched = {
      ...order,
      reply: (reply: { successor: string }) => {
        answered = true;
        this.cockpit.failover.onKilled(performance.now(), name, reply.successor || standby);
        return order.reply!(reply);
      },
    };
    await act(watched);
    if (answered) this.requestUpdate();
  }

  /** As a click on the button. */
  kill(): void {
    this.renderRoot.querySelector<HTMLButtonElement>('#kill')?.click();
  }
}
customElements.define('failover-panel', FailoverPanel);
