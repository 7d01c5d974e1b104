/** Which model an entity has. */
import type { Kind } from '../api/types.js';
import type { Model } from '../draw/parts.js';
import { boxModel, skiffModels } from './skiff_models.js';

const unknownBounds = { lowM: [-0.5, -0.5, -0.5], highM: [0.5, 0.5, 0.5] };

export class Models {
  readonly #boxes = new Map<string, Model>();

  of(typeName: string, kinds: readonly Kind[]): Model {
    const known = skiffModels[typeName];
    if (known) return known;
    const { lowM, highM } = kinds.find(({ name }) => name === typeName) ?? unknownBounds;
    const key = `${typeName} ${lowM.join()} ${highM.join()}`;
    let box = this.#boxes.get(key);
    if (!box) this.#boxes.set(key, (box = boxModel(lowM, highM)));
    return box;
  }
}

/** From the origin to the farthest corner. */
export function reachOf(model: Model): number {
  let reach = 0;
  for (const { low, high } of model.blocks) {
    const corner = low.map((side, i) => Math.max(Math.abs(side), Math.abs(high[i]!)));
    reach = Math.max(reach, Math.hypot(...corner));
  }
  return reach;
}
