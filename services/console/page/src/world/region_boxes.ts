/** Regions as boxes in the colours of their owners, with a floor at the height of most things. */
import * as THREE from 'three';
import type { Region } from '../api/types.js';
import { workerColor } from '../ui/palette.js';

const flashMs = 2200;
const noOwnerYet = -1;

interface Drawn {
  group: THREE.Group;
  edges: THREE.LineBasicMaterial;
  floor: THREE.MeshBasicMaterial;
  rim: THREE.LineBasicMaterial;
  owner: number | undefined;
  box: string;
  changedMs: number;
}

export class RegionBoxes {
  readonly object = new THREE.Group();
  readonly #drawn = new Map<number, Drawn>();

  /** After each map. */
  show(regions: readonly Region[], nowMs: number): void {
    const ids = new Set(regions.map(({ region }) => region));
    for (const [id, drawn] of this.#drawn) if (!ids.has(id)) this.#remove(id, drawn);
    for (const region of regions) {
      const box = JSON.stringify([region.low, region.high]);
      let drawn = this.#drawn.get(region.region);
      if (drawn && drawn.box !== box) {
        this.#remove(region.region, drawn);
        drawn = undefined;
      }
      if (!drawn) {
        drawn = made(region, box);
        this.#drawn.set(region.region, drawn);
        this.object.add(drawn.group);
      }
      if (drawn.owner === region.owner) continue;
      if (drawn.owner !== noOwnerYet) drawn.changedMs = nowMs;
      drawn.owner = region.owner;
      const color = new THREE.Color(workerColor(region.owner));
      for (const material of [drawn.edges, drawn.floor, drawn.rim]) material.color.copy(color);
    }
  }

  /** Each frame. `selected`: regions that are emphasized. */
  tick(nowMs: number, selected: ReadonlySet<number>, flat: number): void {
    for (const [id, drawn] of this.#drawn) {
      const flash = Math.max(0, 1 - (nowMs - drawn.changedMs) / flashMs);
      const chosen = selected.has(id) ? 1 : 0;
      drawn.floor.opacity = 0.05 + 0.045 * chosen + 0.3 * flash * flash;
      drawn.rim.opacity = 0.55 + 0.45 * Math.max(chosen, flash);
      drawn.edges.opacity = (0.16 + 0.4 * chosen + 0.4 * flash) * (1 - flat);
    }
  }

  dispose(): void {
    for (const [id, drawn] of this.#drawn) this.#remove(id, drawn);
  }

  #remove(id: number, { group, edges, floor, rim }: Drawn): void {
    this.#drawn.delete(id);
    this.object.remove(group);
    group.traverse((each) => each instanceof THREE.Mesh || each instanceof THREE.LineSegments ? each.geometry.dispose() : undefined);
    for (const material of [edges, floor, rim]) material.dispose();
  }
}

function made({ low, high }: Region, box: string): Drawn {
  const group = new THREE.Group();
  const size = new THREE.Vector3(high.x - low.x, high.y - low.y, high.z - low.z);
  const middle = new THREE.Vector3(low.x, low.y, low.z).addScaledVector(size, 0.5);
  const line = () => new THREE.LineBasicMaterial({ transparent: true, depthWrite: false });
  const [edges, rim] = [line(), line()];
  const boxShape = new THREE.BoxGeometry(size.x, size.y, size.z);
  const cage = new THREE.LineSegments(new THREE.EdgesGeometry(boxShape), edges);
  boxShape.dispose();
  cage.position.copy(middle);
  group.add(cage);
  const floor = new THREE.MeshBasicMaterial({ transparent: true, depthWrite: false, side: THREE.DoubleSide });
  const level = Math.min(Math.max(0, low.y), high.y);
  const plane = new THREE.Mesh(new THREE.PlaneGeometry(size.x, size.z).rotateX(-Math.PI / 2), floor);
  plane.position.set(middle.x, level, middle.z);
  const outline = new THREE.LineSegments(new THREE.EdgesGeometry(plane.geometry), rim);
  outline.position.copy(plane.position);
  group.add(plane, outline);
  return { group, edges, floor, rim, owner: noOwnerYet, box, changedMs: -1e9 };
}
