/** The map: regions, entities and migrations, from above or in perspective. */
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Region, Vector } from '../api/types.js';
import { cluster, entities } from '../app/state.js';
import { Screen } from '../draw/screen.js';
import { FrameTimer } from '../model/frame_timer.js';
import { Flashes } from './flashes.js';
import { LargeBoxes } from './large_boxes.js';
import { EntityPoints } from './points.js';
import { RegionBoxes } from './region_boxes.js';
import { Trails } from './trails.js';

export type View = 'above' | 'perspective';

const fieldOfViewDeg = 38;
const turnMs = 650;
const contentMarginM = 350;
const gridStepM = 1000;
const pickPixels = 12;

export interface Picked {
  region: Region | undefined;
  /** Row of Entities.owned. */
  row: number | undefined;
}

export class WorldMap {
  readonly frameTimes = new FrameTimer();
  showGhosts = false;
  selected: ReadonlySet<number> = new Set();
  view: View = 'perspective';
  /** Called after each frame; labels follow the picture. */
  onFrame: () => void = () => {};
  readonly #screen: Screen;
  readonly #scene = new THREE.Scene();
  readonly #camera = new THREE.PerspectiveCamera(fieldOfViewDeg, 1, 10, 120_000);
  readonly #controls: OrbitControls;
  readonly #regions = new RegionBoxes();
  readonly #points = new EntityPoints(entities.owned, false);
  readonly #ghosts = new EntityPoints(entities.ghosts, true);
  readonly #boxes = new LargeBoxes(entities);
  readonly #trails = new Trails(entities);
  readonly #flashes = new Flashes();
  readonly #grid: THREE.LineSegments;
  readonly #unlisten: () => void;
  #request = 0;
  #version = -1;
  #flat = 0;
  #flight: { began: number; from: Pose; to: Pose } | undefined;
  #framed = false;

  /** Throws if there is no WebGL. */
  constructor(canvas: HTMLCanvasElement) {
    this.#screen = new Screen(canvas, 1);
    this.#screen.renderer.toneMapping = THREE.NoToneMapping;
    this.#screen.renderer.shadowMap.enabled = false;
    this.#scene.background = new THREE.Color('#07090d');
    this.#grid = grid();
    this.#scene.add(
      this.#grid, this.#regions.object, this.#trails.object, this.#boxes.object, this.#points.object,
      this.#ghosts.object, this.#flashes.object,
    );
    this.#camera.position.set(0, 9000, 9000);
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.enableDamping = true;
    this.#controls.dampingFactor = 0.12;
    this.#controls.maxPolarAngle = Math.PI * 0.495;
    this.#controls.minDistance = 30;
    this.#controls.maxDistance = 45_000;
    this.#controls.zoomToCursor = true;
    this.#unlisten = cluster.listen(() => this.#onMap());
    this.#onMap();
    this.#request = requestAnimationFrame(this.#frame);
  }

  end(): void {
    cancelAnimationFrame(this.#request);
    this.#unlisten();
    this.#controls.dispose();
    this.#regions.dispose();
    this.#points.dispose();
    this.#ghosts.dispose();
    this.#boxes.dispose();
    this.#trails.dispose();
    this.#flashes.dispose();
    this.#grid.geometry.dispose();
    this.#screen.dispose();
  }

  /** Flies to where everything is, or to the whole world. */
  fit(what: 'content' | 'world'): void {
    const box = (what === 'content' && contentBox()) || worldBox();
    if (!box) return;
    this.#fly(box, this.view);
  }

  turn(view: View): void {
    this.view = view;
    const target = this.#controls.target;
    const distance = this.#camera.position.distanceTo(target);
    this.#begin({ target: target.clone(), offset: direction(view).multiplyScalar(distance) });
  }

  /** Where a place of the world is on the canvas, in pixels; undefined: behind the camera. */
  project({ x, y, z }: Vector): { x: number; y: number } | undefined {
    const at = new THREE.Vector3(x, y, z).project(this.#camera);
    if (at.z > 1 || Math.abs(at.x) > 1.2 || Math.abs(at.y) > 1.2) return undefined;
    const { clientWidth, clientHeight } = this.#screen.renderer.domElement;
    return { x: ((at.x + 1) / 2) * clientWidth, y: ((1 - at.y) / 2) * clientHeight };
  }

  /** What is at this pixel of the canvas. */
  pick(x: number, y: number): Picked {
    const { clientWidth, clientHeight } = this.#screen.renderer.domElement;
    const at = new THREE.Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(at, this.#camera);
    const ground = caster.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0), 0), new THREE.Vector3());
    return { region: ground ? cluster.regionAt(ground) : undefined, row: this.#nearest(x, y) };
  }

  #nearest(x: number, y: number): number | undefined {
    const { clientWidth, clientHeight } = this.#screen.renderer.domElement;
    const { owned } = entities;
    const m = new THREE.Matrix4().multiplyMatrices(this.#camera.projectionMatrix, this.#camera.matrixWorldInverse).elements;
    let best: number | undefined;
    let bestPixels = pickPixels;
    for (let row = 0; row < owned.count; ++row) {
      const [px, py, pz] = [owned.pose[row * 7]!, owned.pose[row * 7 + 1]!, owned.pose[row * 7 + 2]!];
      const w = m[3]! * px + m[7]! * py + m[11]! * pz + m[15]!;
      if (w <= 0) continue;
      const sx = (((m[0]! * px + m[4]! * py + m[8]! * pz + m[12]!) / w + 1) / 2) * clientWidth;
      const sy = ((1 - (m[1]! * px + m[5]! * py + m[9]! * pz + m[13]!) / w) / 2) * clientHeight;
      const away = Math.hypot(sx - x, sy - y);
      if (away >= bestPixels) continue;
      bestPixels = away;
      best = row;
    }
    return best;
  }

  #onMap(): void {
    this.#regions.show(cluster.map?.regions ?? [], performance.now());
  }

  readonly #frame = (nowMs: number): void => {
    this.#request = requestAnimationFrame(this.#frame);
    const began = performance.now();
    this.#screen.begin(nowMs);
    if (entities.version !== this.#version) this.#upload();
    if (!this.#framed && contentBox()) {
      this.#framed = true;
      this.fit('content');
    }
    this.#flying(nowMs);
    this.#controls.update();
    const pixels = this.#screen.renderer.getPixelRatio();
    const wanted = this.view === 'above' ? 1 : 0;
    this.#flat += (wanted - this.#flat) * 0.15;
    this.#regions.tick(nowMs, this.selected, this.#flat);
    this.#points.tick(nowMs, pixels);
    this.#ghosts.tick(nowMs, pixels);
    this.#ghosts.object.visible = this.showGhosts;
    this.#boxes.tick(nowMs);
    this.#flashes.draw(entities.migrations, nowMs, pixels);
    this.#screen.show(this.#scene, this.#camera, 0, this.#screen.width);
    this.onFrame();
    this.frameTimes.add(performance.now() - began);
  };

  #upload(): void {
    this.#version = entities.version;
    this.#points.upload();
    if (this.showGhosts) this.#ghosts.upload();
    this.#boxes.upload(cluster.kinds);
    this.#trails.sample(performance.now());
  }

  #fly(box: THREE.Box3, view: View): void {
    const target = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3());
    target.y = 0;
    const aspect = this.#camera.aspect || 1.6;
    const half = Math.tan((fieldOfViewDeg / 2) * (Math.PI / 180));
    const tall = view === 'above' ? size.z : size.z * 0.75;
    const distance = Math.max(tall / 2 / half, size.x / 2 / half / aspect) * (view === 'above' ? 1.06 : 1.02);
    this.#begin({ target, offset: direction(view).multiplyScalar(distance) });
  }

  #begin(to: Pose): void {
    const { target } = this.#controls;
    this.#controls.enableRotate = this.view === 'perspective';
    const from = { target: target.clone(), offset: this.#camera.position.clone().sub(target) };
    this.#flight = { began: performance.now(), from, to };
  }

  #flying(nowMs: number): void {
    if (!this.#flight) return;
    const { began, from, to } = this.#flight;
    const share = Math.min(1, Math.max(0, (nowMs - began) / turnMs));
    const eased = share * share * (3 - 2 * share);
    this.#controls.target.lerpVectors(from.target, to.target, eased);
    // Along the sphere, so that the distance does not dip.
    const spherical = (offset: THREE.Vector3) => new THREE.Spherical().setFromVector3(offset);
    const [a, b] = [spherical(from.offset), spherical(to.offset)];
    const turned = new THREE.Spherical(
      a.radius + (b.radius - a.radius) * eased, a.phi + (b.phi - a.phi) * eased,
      a.theta + shortest(b.theta - a.theta) * eased,
    ).makeSafe();
    this.#camera.position.copy(this.#controls.target).add(new THREE.Vector3().setFromSpherical(turned));
    if (share >= 1) this.#flight = undefined;
  }
}

interface Pose {
  target: THREE.Vector3;
  offset: THREE.Vector3;
}

function direction(view: View): THREE.Vector3 {
  return view === 'above' ? new THREE.Vector3(0, 1, 0.0001).normalize() : new THREE.Vector3(0.32, 0.62, 0.9).normalize();
}

function shortest(turn: number): number {
  return Math.atan2(Math.sin(turn), Math.cos(turn));
}

function worldBox(): THREE.Box3 | undefined {
  const regions = cluster.map?.regions;
  if (!regions?.length) return undefined;
  const box = new THREE.Box3();
  for (const { low, high } of regions) {
    box.expandByPoint(new THREE.Vector3(low.x, low.y, low.z)).expandByPoint(new THREE.Vector3(high.x, high.y, high.z));
  }
  return box;
}

function contentBox(): THREE.Box3 | undefined {
  const { owned } = entities;
  if (owned.count === 0) return undefined;
  const box = new THREE.Box3();
  const at = new THREE.Vector3();
  for (let row = 0; row < owned.count; ++row) box.expandByPoint(at.fromArray(owned.pose, row * 7));
  return box.expandByScalar(contentMarginM);
}

function grid(): THREE.LineSegments {
  const reach = 12;
  const points: number[] = [];
  for (let i = -reach; i <= reach; ++i) {
    points.push(i * gridStepM, 0, -reach * gridStepM, i * gridStepM, 0, reach * gridStepM);
    points.push(-reach * gridStepM, 0, i * gridStepM, reach * gridStepM, 0, i * gridStepM);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(
    geometry, new THREE.LineBasicMaterial({ color: '#8fa6cc', transparent: true, opacity: 0.07, depthWrite: false }),
  );
}
