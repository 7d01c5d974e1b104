/** Both paths of a flight in three dimensions, in the frame of the parent. */
import * as THREE from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { FlightModel } from './flight_model.js';
import { pathColors } from './path_colors.js';

const avatarM = { radius: 0.34, height: 1.8 };
const gridHalfM = 24;
const shownS = 6;
const ticksPerS = 60;

/** A line that fades with the time from the cursor. */
class Path {
  readonly line: Line2;
  readonly #material: LineMaterial;
  readonly #color: THREE.Color;
  readonly #background = new THREE.Color('#0a0d13');

  constructor(color: string, width: number) {
    this.#color = new THREE.Color(color);
    this.#material = new LineMaterial({ linewidth: width, vertexColors: true, alphaToCoverage: false });
    this.line = new Line2(new LineGeometry(), this.#material);
    this.line.frustumCulled = false;
  }

  set(places: Float32Array, cursor: number, origin: THREE.Vector3): void {
    const [points, colors]: [number[], number[]] = [[], []];
    const reach = shownS * ticksPerS;
    const mixed = new THREE.Color();
    const count = places.length / 3;
    for (let i = Math.max(0, cursor - reach); i < Math.min(count, cursor + reach); ++i) {
      if (Number.isNaN(places[3 * i]!)) continue;
      points.push(places[3 * i]! - origin.x, places[3 * i + 1]! - origin.y, places[3 * i + 2]! - origin.z);
      const near = (1 - Math.abs(i - cursor) / reach) ** 1.6;
      mixed.copy(this.#background).lerp(this.#color, near);
      colors.push(mixed.r, mixed.g, mixed.b);
    }
    this.line.visible = points.length >= 6;
    if (!this.line.visible) return;
    this.line.geometry.dispose();
    this.line.geometry = new LineGeometry();
    this.line.geometry.setPositions(points);
    this.line.geometry.setColors(colors);
  }

  dispose(): void {
    this.line.geometry.dispose();
    this.#material.dispose();
  }
}

function avatar(color: string, hollow: boolean): THREE.Group {
  const shape = new THREE.CapsuleGeometry(avatarM.radius, avatarM.height - 2 * avatarM.radius, 8, 24);
  const group = new THREE.Group();
  const body = new THREE.Mesh(
    shape,
    new THREE.MeshStandardMaterial({
      color, roughness: 0.55, metalness: 0.05, transparent: true, opacity: hollow ? 0.32 : 0.9, depthWrite: !hollow,
      emissive: color, emissiveIntensity: hollow ? 0.35 : 0.12,
    }),
  );
  group.add(body);
  if (hollow) {
    const edges = new THREE.LineSegments(
      new THREE.EdgesGeometry(new THREE.CapsuleGeometry(avatarM.radius, avatarM.height - 2 * avatarM.radius, 4, 10), 1),
      new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.5 }),
    );
    group.add(edges);
  }
  return group;
}

function floor(): THREE.LineSegments {
  const [points, colors]: [number[], number[]] = [[], []];
  const color = new THREE.Color('#33425e');
  const push = (x: number, z: number) => {
    const near = Math.max(0, 1 - Math.hypot(x, z) / gridHalfM) ** 1.5;
    points.push(x, 0, z);
    colors.push(color.r, color.g, color.b, near * (0.35 + 0.65 * Number(x % 5 === 0 || z % 5 === 0)));
  };
  for (let i = -gridHalfM; i <= gridHalfM; ++i) {
    for (let k = -gridHalfM; k < gridHalfM; k += 2) {
      push(i, k), push(i, k + 2);
      push(k, i), push(k + 2, i);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 4));
  return new THREE.LineSegments(
    geometry, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }),
  );
}

export class PathScene {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(42, 1, 0.05, 4000);
  /** Of the avatars, relative to their middle. */
  readonly serverAt = new THREE.Vector3();
  readonly believedAt = new THREE.Vector3();
  known = { server: false, believed: false };
  yawRad = -0.7;
  pitchRad = 0.42;
  distanceM = 7;
  readonly #paths = { believed: new Path(pathColors.believed, 3), server: new Path(pathColors.server, 3) };
  readonly #avatars = { believed: avatar(pathColors.believed, false), server: avatar(pathColors.server, true) };
  readonly #error = new Line2(
    new LineGeometry(), new LineMaterial({ color: pathColors.error, linewidth: 4, depthTest: false, transparent: true }),
  );
  readonly #head = new THREE.Mesh(
    new THREE.ConeGeometry(0.07, 0.2, 20), new THREE.MeshBasicMaterial({ color: pathColors.error, depthTest: false, transparent: true }),
  );
  readonly #floor = floor();
  #places = { believed: new Float32Array(0), server: new Float32Array(0) };
  readonly #origin = new THREE.Vector3();
  #floorY = 0;

  constructor() {
    this.scene.add(new THREE.HemisphereLight('#b9cbf0', '#39415a', 1.7));
    const sun = new THREE.DirectionalLight('#fff3e2', 2.2);
    sun.position.set(4, 9, 6);
    this.scene.add(sun);
    this.#error.renderOrder = 5;
    this.#head.renderOrder = 6;
    for (const path of Object.values(this.#paths)) this.scene.add(path.line);
    this.scene.add(this.#avatars.believed, this.#avatars.server, this.#error, this.#head, this.#floor);
  }

  /** The flight at one row. */
  set(model: FlightModel, row: number): void {
    const size = 3 * model.count;
    if (this.#places.server.length !== size) {
      this.#places = { believed: new Float32Array(size), server: new Float32Array(size) };
    }
    model.pathFrom(row, model.believed, model.believedLocal, this.#places.believed);
    model.pathFrom(row, model.server, model.serverLocal, this.#places.server);
    const at = (places: Float32Array, out: THREE.Vector3) => {
      out.fromArray(places, 3 * row);
      return !Number.isNaN(out.x);
    };
    this.known = { server: at(this.#places.server, this.serverAt), believed: at(this.#places.believed, this.believedAt) };
    if (this.known.server && this.known.believed) this.#origin.copy(this.serverAt).add(this.believedAt).multiplyScalar(0.5);
    else if (this.known.server) this.#origin.copy(this.serverAt);
    else if (this.known.believed) this.#origin.copy(this.believedAt);
    this.serverAt.sub(this.#origin);
    this.believedAt.sub(this.#origin);
    this.#paths.believed.set(this.#places.believed, row, this.#origin);
    this.#paths.server.set(this.#places.server, row, this.#origin);
    this.#place();
  }

  /** A key's or pointer's turn of the camera. */
  turn(yawRad: number, pitchRad: number): void {
    this.yawRad += yawRad;
    this.pitchRad = Math.max(-0.2, Math.min(1.5, this.pitchRad + pitchRad));
  }
  zoom(factor: number): void {
    this.distanceM = Math.max(1.5, Math.min(400, this.distanceM * factor));
  }

  aim(aspect: number): void {
    const { camera } = this;
    const errorM = this.known.server && this.known.believed ? this.serverAt.distanceTo(this.believedAt) : 0;
    const away = this.distanceM + errorM * 1.2;
    const flat = Math.cos(this.pitchRad) * away;
    camera.position.set(Math.sin(this.yawRad) * flat, Math.sin(this.pitchRad) * away, Math.cos(this.yawRad) * flat);
    camera.lookAt(0, 0, 0);
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  dispose(): void {
    for (const path of Object.values(this.#paths)) path.dispose();
    this.scene.traverse((each) => {
      const { geometry, material } = each as Partial<THREE.Mesh>;
      geometry?.dispose();
      for (const one of Array.isArray(material) ? material : material ? [material] : []) one.dispose();
    });
  }

  #place(): void {
    const { believed, server } = this.#avatars;
    believed.visible = this.known.believed;
    server.visible = this.known.server;
    believed.position.copy(this.believedAt);
    server.position.copy(this.serverAt);
    // A little below the feet, on a whole number of metres beside the paths.
    this.#floorY = Math.min(this.known.server ? this.serverAt.y : 0, this.known.believed ? this.believedAt.y : 0) - avatarM.height / 2;
    this.#floor.position.set(-(this.#origin.x % 5), this.#floorY, -(this.#origin.z % 5));
    const vector = this.serverAt.clone().sub(this.believedAt);
    const errorM = vector.length();
    const shown = this.known.server && this.known.believed && errorM > 0.004;
    this.#error.visible = shown;
    this.#head.visible = shown && errorM > 0.1;
    if (!shown) return;
    const headM = Math.min(0.2, errorM * 0.4);
    const tip = this.serverAt.clone().addScaledVector(vector, -headM / errorM / 2);
    this.#error.geometry.dispose();
    this.#error.geometry = new LineGeometry();
    this.#error.geometry.setPositions([...this.believedAt.toArray(), ...tip.toArray()]);
    this.#head.scale.setScalar(headM / 0.2);
    this.#head.position.copy(this.serverAt).addScaledVector(vector, -headM / errorM / 2);
    this.#head.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vector.divideScalar(errorM));
  }
}
