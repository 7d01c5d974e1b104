// The arena from above and from the south, around the own runner. Nearer things are drawn later.
const metresAcross = 64;
const metresDown = 40; // at least, on a narrow page
const beyondM = 3;      // shown outside of the arena
const edgePx = 28;
const southward = 0.62; // of a metre along z
const upward = 0.78;    // of a metre along y
const sun = [-0.35, 0.86, 0.38];
const colours = { one: '#ff7a59', two: '#4fb3ff', none: '#b9a7ff' };
const materials = { floor: [34, 43, 58], walls: [58, 72, 96], hull: [84, 98, 122] };
const half = [60, 30];

const minus = (a, b) => a.map((side, axis) => side - b[axis]);
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

export class Picture {
  #canvas;
  #pen;
  #eye = [0, 0, 0];
  #scale = 20;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#pen = canvas.getContext('2d');
  }

  /** The direction from the own runner to a point of the window, as [x, z]. */
  aim(clientX, clientY, own) {
    const [x, y] = this.#at(own);
    const ratio = this.#canvas.width / this.#canvas.clientWidth;
    return [clientX * ratio - x, (clientY * ratio - y) / southward];
  }

  draw(arena, things, eye) {
    const canvas = this.#canvas;
    const ratio = globalThis.devicePixelRatio;
    [canvas.width, canvas.height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    this.#scale = Math.max(canvas.width / metresAcross, canvas.height / metresDown);
    const limit = Math.max(0, half[0] + beyondM - canvas.width / this.#scale / 2);
    this.#eye = [Math.max(-limit, Math.min(limit, eye[0])), 0, eye[2]];
    for (const { name, triangles } of arena) {
      const base = materials[name.split('.')[0]];
      if (base) for (const triangle of triangles) this.#triangle(triangle, base);
    }
    this.#lines();
    for (const thing of things) if (thing.kind !== 'ball') this.#shadow(thing);
    for (const thing of things) if (thing.kind === 'pad') this.pad(thing);
    const hulls = arena.filter(({ name }) => name.startsWith('hull')).map((hull) => ({ kind: 'hull', ...hull }));
    const all = [...hulls, ...things.filter(({ kind }) => kind !== 'pad')].sort((a, b) => a.at[2] - b.at[2]);
    for (const thing of all) this[thing.kind](thing);
    for (const thing of all) if (thing.kind === 'runner') this.#label(thing);
    for (const thing of things) if (thing.kind === 'torch' || (thing.torch && !thing.own)) this.#hint(thing);
  }

  /** A torch beyond the edge of the picture, at the edge. */
  #hint({ at }) {
    const edge = edgePx * globalThis.devicePixelRatio;
    const place = this.#at(at);
    const inside = [this.#canvas.width, this.#canvas.height].map((size, i) => Math.max(edge, Math.min(size - edge, place[i])));
    if (place.some((side, i) => Math.abs(side - inside[i]) > edge)) this.#flameAt(inside);
  }

  #at([x, y, z]) {
    const [a, b, c] = this.#eye;
    return [
      this.#canvas.width / 2 + (x - a) * this.#scale,
      this.#canvas.height * 0.55 + ((z - c) * southward - (y - b) * upward) * this.#scale,
    ];
  }

  #triangle(corners, [red, green, blue]) {
    const [a, b, c] = corners.map((corner) => this.#at(corner));
    if ((b[0] - a[0]) * (c[1] - a[1]) > (c[0] - a[0]) * (b[1] - a[1])) return; // its back
    const normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    const length = Math.hypot(...normal) || 1;
    const light = 0.62 + 0.38 * Math.max(0, normal.reduce((sum, side, axis) => sum + (side * sun[axis]) / length, 0));
    const pen = this.#pen;
    pen.fillStyle = pen.strokeStyle = `rgb(${red * light}, ${green * light}, ${blue * light})`;
    pen.beginPath();
    for (const corner of [a, b, c]) pen.lineTo(...corner);
    pen.closePath();
    pen.fill();
    pen.lineWidth = 1;
    pen.stroke(); // no gaps between neighbours
  }

  #line(from, to, colour, widthM) {
    const pen = this.#pen;
    pen.strokeStyle = colour;
    pen.lineWidth = widthM * this.#scale;
    pen.beginPath();
    pen.moveTo(...this.#at(from));
    pen.lineTo(...this.#at(to));
    pen.stroke();
  }

  #lines() {
    const [x, z] = half;
    for (let at = -x; at <= x; at += 5) this.#line([at, 0, -z], [at, 0, z], '#ffffff0d', 0.06);
    for (let at = -z; at <= z; at += 5) this.#line([-x, 0, at], [x, 0, at], '#ffffff0d', 0.06);
    this.#line([0, 0, -z], [0, 0, z], '#ffffff2b', 0.18);
    for (const side of [-z, z]) this.#line([-x, 0, side], [x, 0, side], '#ffffff24', 0.15);
    for (const side of [-x, x]) this.#line([side, 0, -z], [side, 0, z], '#ffffff24', 0.15);
  }

  #oval([x, y], radiusM, colour, flat = southward) {
    const pen = this.#pen;
    pen.fillStyle = colour;
    pen.beginPath();
    pen.ellipse(x, y, radiusM * this.#scale, radiusM * this.#scale * flat, 0, 0, 2 * Math.PI);
    pen.fill();
  }

  #glow(at, radiusM, colour) {
    const [x, y] = this.#at(at);
    const radius = radiusM * this.#scale;
    const fade = this.#pen.createRadialGradient(x, y, 0, x, y, radius);
    fade.addColorStop(0, colour);
    fade.addColorStop(1, 'transparent');
    this.#pen.fillStyle = fade;
    this.#pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  }

  #shadow({ at: [x, , z], kind }) {
    if (kind === 'runner') this.#oval(this.#at([x, 0.02, z]), 0.55, '#0006');
  }

  hull({ triangles }) {
    for (const triangle of triangles) this.#triangle(triangle, materials.hull);
  }
  pad({ at }) {
    this.#oval(this.#at(at), 1.25, '#37d6a62e');
    this.#oval(this.#at([at[0], at[1] + 0.12, at[2]]), 0.95, '#37d6a6a0');
    this.#oval(this.#at([at[0], at[1] + 0.2, at[2]]), 0.5, '#b9ffe6');
  }
  power({ at: [x, y, z] }) {
    this.#glow([x, y + 0.7, z], 1.4, '#ffe06680');
    const [a, b] = this.#at([x, y + 0.7, z]);
    const size = 0.5 * this.#scale;
    this.#pen.fillStyle = '#ffe066';
    this.#pen.beginPath();
    for (const [right, down] of [[0, -1], [0.7, 0], [0, 1], [-0.7, 0]]) this.#pen.lineTo(a + right * size, b + down * size);
    this.#pen.fill();
  }
  spark({ at: [x, y, z] }) {
    this.#glow([x, y + 0.6, z], 1.6, '#ffffffb0');
  }
  torch({ at: [x, y, z] }) {
    this.#line([x, y, z], [x, y + 1, z], '#8a6a45', 0.16);
    this.#flame([x, y + 1.25, z]);
  }
  ball({ at }) {
    this.#glow(at, 1.3, '#ff4fd880');
    this.#oval(this.#at(at), 0.6, '#ff86e4', 1);
    this.#oval(this.#at([at[0] - 0.15, at[1] + 0.2, at[2]]), 0.2, '#ffd9f7', 1);
  }
  runner({ at: [x, y, z], team, torch, own }) {
    const pen = this.#pen;
    if (torch) this.#glow([x, y, z], 2.6, '#ffb34770');
    for (const [colour, widthM] of [[own ? '#fff' : '#0b0f15', 1], [colours[team], own ? 0.78 : 0.84]]) {
      pen.lineCap = 'round';
      this.#line([x, y - 0.42, z], [x, y + 0.48, z], colour, widthM);
      pen.lineCap = 'butt';
    }
    this.#oval(this.#at([x, y + 0.55, z + 0.1]), 0.2, '#ffffffb0', 0.7);
    if (torch) this.#flame([x + 0.55, y + 0.9, z]);
  }
  #flame(at) {
    this.#glow(at, 1.2, '#ff9b2e90');
    this.#flameAt(this.#at(at));
  }
  #flameAt([x, y]) {
    for (const [colour, size] of [['#ff8a1f', 0.42], ['#ffd257', 0.25]]) {
      const s = size * this.#scale;
      this.#pen.fillStyle = colour;
      this.#pen.beginPath();
      this.#pen.moveTo(x, y - 1.6 * s);
      this.#pen.bezierCurveTo(x + 1.2 * s, y - 0.2 * s, x + 0.8 * s, y + s, x, y + s);
      this.#pen.bezierCurveTo(x - 0.8 * s, y + s, x - 1.2 * s, y - 0.2 * s, x, y - 1.6 * s);
      this.#pen.fill();
    }
  }

  #label({ at: [x, y, z], name, own }) {
    const pen = this.#pen;
    const [a, b] = this.#at([x, y + 1.5, z]);
    pen.font = `${own ? 700 : 500} ${13 * globalThis.devicePixelRatio}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    pen.lineWidth = 3 * globalThis.devicePixelRatio;
    pen.lineJoin = 'round';
    pen.strokeStyle = '#0b0f15b0';
    pen.strokeText(name, a, b);
    pen.fillStyle = '#f3f6fb';
    pen.fillText(name, a, b);
  }
}
