/** Draws all entities of a type in one call. */
import * as THREE from 'three';

const instancesAtFirst = 16;

const floats = 16; // of a matrix

export interface KindStyle {
  geometry: THREE.BufferGeometry;
  /** Others may have the same ones, and their owner disposes of them. */
  material: THREE.Material;
  outlineMaterial: THREE.Material;
  walks: boolean;
  hologram?: string | undefined;
}

/** Instances of one frame: begin(), put() for each, end(). Only what has changed is sent to the graphics card. */
export class KindMeshes {
  readonly group = new THREE.Group();
  readonly #style: KindStyle;
  #mesh: THREE.InstancedMesh;
  #outline: THREE.Mesh | undefined;
  #walk: THREE.InstancedBufferAttribute | undefined;
  #count = 0;
  #moved = false;
  #tinted = false;
  #walked = false;

  constructor(style: KindStyle) {
    this.#style = style;
    this.group.matrixAutoUpdate = false;
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
    const qx = rotation[0]!, qy = rotation[1]!, qz = rotation[2]!, qw = rotation[3]!;
    const x2 = qx + qx, y2 = qy + qy, z2 = qz + qz;
    const xx = qx * x2, xy = qx * y2, xz = qx * z2;
    const yy = qy * y2, yz = qy * z2, zz = qz * z2;
    const wx = qw * x2, wy = qw * y2, wz = qw * z2;
    const matrix = this.#mesh.instanceMatrix.array as Float32Array;
    const at = this.#count * floats;
    let moved = set(matrix, at, 1 - (yy + zz));
    moved = set(matrix, at + 1, xy + wz) || moved;
    moved = set(matrix, at + 2, xz - wy) || moved;
    moved = set(matrix, at + 4, xy - wz) || moved;
    moved = set(matrix, at + 5, 1 - (xx + zz)) || moved;
    moved = set(matrix, at + 6, yz + wx) || moved;
    moved = set(matrix, at + 8, xz + wy) || moved;
    moved = set(matrix, at + 9, yz - wx) || moved;
    moved = set(matrix, at + 10, 1 - (xx + yy)) || moved;
    moved = set(matrix, at + 12, x) || moved;
    moved = set(matrix, at + 13, y) || moved;
    moved = set(matrix, at + 14, z) || moved;
    matrix[at + 15] = 1;
    this.#moved ||= moved;
    return this.#count++;
  }

  tint(instance: number, color: THREE.Color): void {
    if (!this.#mesh.instanceColor) this.#mesh.setColorAt(instance, color);
    const colors = this.#mesh.instanceColor!.array as Float32Array;
    let tinted = set(colors, instance * 3, color.r);
    tinted = set(colors, instance * 3 + 1, color.g) || tinted;
    tinted = set(colors, instance * 3 + 2, color.b) || tinted;
    this.#tinted ||= tinted;
  }

  /** Of a character: the phase of its steps, and how far its limbs swing. */
  walk(instance: number, phaseRad: number, swingRad: number): void {
    if (!this.#walk) return;
    const walk = this.#walk.array as Float32Array;
    let walked = set(walk, instance * 2, phaseRad);
    walked = set(walk, instance * 2 + 1, swingRad) || walked;
    this.#walked ||= walked;
  }

  /** Draws the outline of the instance that was put last, over everything else. */
  outline(): void {
    this.#outline ??= this.#madeOutline();
    this.#outline.matrix.fromArray(this.#mesh.instanceMatrix.array, (this.#count - 1) * floats);
    this.#outline.matrixWorldNeedsUpdate = true;
    this.#outline.visible = true;
  }

  end(): void {
    const mesh = this.#mesh;
    mesh.count = this.#count;
    mesh.visible = this.#count > 0;
    if (this.#moved) mesh.instanceMatrix.needsUpdate = true;
    if (this.#tinted && mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    if (this.#walked && this.#walk) this.#walk.needsUpdate = true;
    this.#moved = this.#tinted = this.#walked = false;
  }

  dispose(): void {
    this.#mesh.dispose();
  }

  #made(capacity: number): THREE.InstancedMesh {
    const { geometry: shape, material, walks, hologram } = this.#style;
    let geometry = shape;
    if (walks) {
      geometry = shape.clone();
      this.#walk = new THREE.InstancedBufferAttribute(new Float32Array(capacity * 2), 2);
      this.#walk.setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute('walk', this.#walk);
    }
    const mesh = new THREE.InstancedMesh(geometry, material, capacity);
    mesh.matrixAutoUpdate = false;
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
    const outline = new THREE.Mesh(geometry, this.#style.outlineMaterial);
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

/** Whether it was another value. */
function set(values: Float32Array, at: number, value: number): boolean {
  const before = values[at];
  values[at] = value;
  return values[at] !== before;
}
