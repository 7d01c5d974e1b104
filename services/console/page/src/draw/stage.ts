/** One picture of the world: its light, its sky, and the meshes of all types. */
import * as THREE from 'three';
import { hullMaterial, outlineMaterial } from './hull_material.js';
import { KindMeshes } from './kind_meshes.js';
import type { Quality } from './screen.js';
import { Sky, sunDirection } from './sky.js';
import type { Model } from './parts.js';

const shadowReachM = 70;
const shadowTexels = 2048;
const outlineColor = '#56f08a';

/** Geometries are shared by all stages. */
export class ModelShapes {
  readonly #shapes = new Map<Model, THREE.BufferGeometry>();

  of(model: Model): THREE.BufferGeometry {
    let shape = this.#shapes.get(model);
    if (!shape) this.#shapes.set(model, (shape = model.geometry()));
    return shape;
  }

  dispose(): void {
    for (const shape of this.#shapes.values()) shape.dispose();
    this.#shapes.clear();
  }
}

export class Stage {
  readonly scene = new THREE.Scene();
  readonly sun: THREE.DirectionalLight;
  readonly #kinds = new Map<string, KindMeshes>();
  /** One for many types: a change of the material takes longer than a mesh. */
  readonly #materials = new Map<string, THREE.Material>();
  readonly #shapes: ModelShapes;
  readonly #sky: Sky;
  readonly #shadows: boolean;

  constructor(renderer: THREE.WebGLRenderer, shapes: ModelShapes, shadows: boolean) {
    this.#shapes = shapes;
    this.#sky = new Sky(renderer);
    this.scene.add(this.#sky.group);
    this.scene.add(new THREE.HemisphereLight('#8ea9d8', '#2b3348', 1.15));
    this.sun = new THREE.DirectionalLight('#fff1dd', 3.1);
    this.sun.position.copy(sunDirection).multiplyScalar(200);
    this.scene.add(this.sun, this.sun.target);
    // The planet's own light, from below.
    const bounce = new THREE.DirectionalLight('#5d86d6', 0.5);
    bounce.position.set(0.86, -0.36, 0.42).multiplyScalar(100);
    this.scene.add(bounce);
    this.#shadows = shadows;
    if (shadows) this.#castShadows();
  }

  /** Meshes of a type; `key` tells variants apart. */
  kind(key: string, model: Model, hologram?: string): KindMeshes {
    let meshes = this.#kinds.get(key);
    if (!meshes) {
      const walks = model.walks === true;
      meshes = new KindMeshes({
        geometry: this.#shapes.of(model), walks, hologram,
        material: this.#material(`hull ${walks} ${hologram}`, () => hullMaterial({ walks, ...(hologram ? { hologram } : {}) })),
        outlineMaterial: this.#material(`outline ${walks}`, () => outlineMaterial(outlineColor, walks)),
      });
      this.#kinds.set(key, meshes);
      this.scene.add(meshes.group);
    }
    return meshes;
  }

  begin(): void {
    for (const kind of this.#kinds.values()) kind.begin();
  }

  /** `around`: where shadows are wanted, relative to the camera's origin. */
  end(around: THREE.Vector3): void {
    for (const kind of this.#kinds.values()) kind.end();
    this.sun.target.position.copy(around);
    this.sun.position.copy(around).addScaledVector(sunDirection, 200);
  }

  setQuality(quality: Quality): void {
    this.sun.castShadow = this.#shadows && quality === 'full';
  }

  dispose(): void {
    for (const kind of this.#kinds.values()) kind.dispose();
    for (const material of this.#materials.values()) material.dispose();
    this.#kinds.clear();
    this.#materials.clear();
    this.#sky.dispose();
    this.sun.dispose();
  }

  #material(key: string, make: () => THREE.Material): THREE.Material {
    let material = this.#materials.get(key);
    if (!material) this.#materials.set(key, (material = make()));
    return material;
  }

  #castShadows(): void {
    const { shadow } = this.sun;
    this.sun.castShadow = true;
    shadow.mapSize.set(shadowTexels, shadowTexels);
    const { camera } = shadow;
    camera.left = camera.bottom = -shadowReachM;
    camera.right = camera.top = shadowReachM;
    camera.near = 20;
    camera.far = 420;
    shadow.bias = -0.0004;
    shadow.normalBias = 0.06;
  }
}
