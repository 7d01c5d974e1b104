/** Draws all entities of a type in one call. */
import * as THREE from 'three';
import { hullMaterial, outlineMaterial } from './hull_material.js';

const instancesAtFirst = 16;
const outlineColor = '#56f08a';

export interface KindStyle {
  geometry: THREE.BufferGeometry;
  walks: boolean;
  hologram?: string | undefined;
}

/** Instances of one frame: begin(), put() for each, end(). */
export class KindMeshes {
  readonly group = new THREE.Group();
  readonly #style: KindStyle;
  readonly #material: THREE.Material;
  #mesh: THREE.InstancedMesh;
  #outline: THREE.Mesh | undefined;
  #walk: THREE.InstancedBufferAttribute | undefined;
  #count = 0;
  #tinted = false;
  readonly #matrix = new THREE.Matrix4();
  readonly #at = new THREE.Vector3();
  readonly #turn = new THREE.Quaternion();
  readonly #one = new THREE.Vector3(1, 1, 1);

  constructor(style: KindStyle) {
    this.#style = style;
    this.#material = hullMaterial({ walks: style.walks, ...(style.hologram ? { hologram: style.hologram } : {}) });
    this.#mesh = this.#made(instancesAtFirst);
  }

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count = 0;
    if (this.#outline) this.#outline.visible = false;
  }

  /** `at` relative to the camera's origin. Returns the number of the instance. */
  put(x: number, y: number, z: number, rotation: ArrayLike<number>): number {
    if (this.#count === this.#mesh.instanceMatrix.count) this.#grow();
    this.#turn.set(rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!);
    this.#matrix.compose(this.#at.set(x, y, z), this.#turn, this.#one);
    this.#matrix.toArray(this.#mesh.instanceMatrix.array, this.#count * 16);
    return this.#count++;
  }

  tint(instance: number, color: THREE.Color): void {
    this.#mesh.setColorAt(instance, color);
    this.#tinted = true;
  }

  /** Of a character: the phase of its steps, and how far its limbs swing. */
  walk(instance: number, phaseRad: number, swingRad: number): void {
    this.#walk?.setXY(instance, phaseRad, swingRad);
  }

  /** Draws the outline of the instance that was put last, over everything else. */
  outline(): void {
    this.#outline ??= this.#madeOutline();
    this.#outline.matrix.copy(this.#matrix);
    this.#outline.matrixWorldNeedsUpdate = true;
    this.#outline.visible = true;
  }

  end(): void {
    const mesh = this.#mesh;
    mesh.count = this.#count;
    mesh.visible = this.#count > 0;
    mesh.instanceMatrix.needsUpdate = true;
    if (this.#tinted && mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    if (this.#walk) this.#walk.needsUpdate = true;
  }

  dispose(): void {
    this.#mesh.dispose();
    this.#material.dispose();
    (this.#outline?.material as THREE.Material | undefined)?.dispose();
  }

  #made(capacity: number): THREE.InstancedMesh {
    const { geometry: shape, walks, hologram } = this.#style;
    let geometry = shape;
    if (walks) {
      geometry = shape.clone();
      this.#walk = new THREE.InstancedBufferAttribute(new Float32Array(capacity * 2), 2);
      this.#walk.setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute('walk', this.#walk);
    }
    const mesh = new THREE.InstancedMesh(geometry, this.#material, capacity);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = hologram === undefined;
    this.group.add(mesh);
    return mesh;
  }

  #madeOutline(): THREE.Mesh {
    const geometry = this.#style.geometry.clone();
    if (this.#style.walks) {
      const count = geometry.getAttribute('position').count;
      geometry.setAttribute('walk', new THREE.BufferAttribute(new Float32Array(count * 2), 2));
    }
    const outline = new THREE.Mesh(geometry, outlineMaterial(outlineColor, this.#style.walks));
    outline.matrixAutoUpdate = false;
    outline.frustumCulled = false;
    this.group.add(outline);
    return outline;
  }

  #grow(): void {
    const former = this.#mesh;
    const walk = this.#walk;
    this.#mesh = this.#made(former.instanceMatrix.count * 2);
    (this.#mesh.instanceMatrix.array as Float32Array).set(former.instanceMatrix.array);
    if (former.instanceColor) {
      this.#mesh.setColorAt(0, new THREE.Color());
      (this.#mesh.instanceColor!.array as Float32Array).set(former.instanceColor.array);
    }
    if (walk && this.#walk) (this.#walk.array as Float32Array).set(walk.array);
    this.group.remove(former);
    former.dispose();
  }
}
