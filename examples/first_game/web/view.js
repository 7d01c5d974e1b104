// The world from behind the own player, drawn with WebGL.
import { cross, meshOf, rotate, unit } from './meshes.js';

const fieldRad = 1.1;
const nearM = 0.1;
const farM = 2000;
const behindM = 5;
const aboveM = 1.6;  // of the player's middle
const lowestM = -0.5;

const vertexShader = `#version 300 es
uniform mat4 view, model;
in vec3 place, normal;
out vec3 local, facing;
void main() {
  local = place;
  facing = mat3(model) * normal;
  gl_Position = view * model * vec4(place, 1.0);
}`;
// Squares of a metre make motion visible.
const fragmentShader = `#version 300 es
precision highp float;
uniform vec3 colour;
uniform float squares;
in vec3 local, facing;
out vec4 pixel;
void main() {
  float light = 0.62 + 0.38 * dot(normalize(facing), normalize(vec3(-0.4, 0.8, 0.3)));
  vec3 cell = floor(local + 0.001);
  float odd = mod(cell.x + cell.z, 2.0);
  pixel = vec4(colour * light * (1.0 - 0.12 * odd * squares), 1.0);
}`;

/** Of columns, as WebGL takes it: the product of two. */
function product(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; ++column) {
    for (let row = 0; row < 4; ++row) {
      for (let i = 0; i < 4; ++i) out[4 * column + row] += a[4 * i + row] * b[4 * column + i];
    }
  }
  return out;
}

function modelOf(at, rotation) {
  const sides = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((side) => rotate(rotation, side));
  return new Float32Array([...sides.flatMap((side) => [...side, 0]), ...at, 1]);
}

function perspective(ratio) {
  const scale = 1 / Math.tan(fieldRad / 2);
  const depth = nearM - farM;
  return new Float32Array([scale / ratio, 0, 0, 0, 0, scale, 0, 0, 0, 0, (farM + nearM) / depth, -1, 0, 0, (2 * farM * nearM) / depth, 0]);
}

function lookFrom(eye, direction, up) {
  const back = direction.map((side) => -side);
  const right = unit(cross(up, back));
  const top = cross(back, right);
  const dot = (v) => -v.reduce((sum, side, i) => sum + side * eye[i], 0);
  const rows = [right, top, back];
  return new Float32Array([0, 1, 2].flatMap((i) => [...rows.map((row) => row[i]), 0]).concat(rows.map(dot), 1));
}

function hueOf(text) {
  let hash = 7;
  for (const letter of String(text)) hash = (hash * 31 + letter.codePointAt(0)) % 9973;
  return (hash * 47) % 360;
}
function colourOf(hue, saturation, lightness) {
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [part(0), part(8), part(4)];
}

export class View {
  #canvas;
  #gl;
  #program;
  #meshes = new Map();
  #view = new Float32Array(16);

  constructor(canvas, types) {
    this.#canvas = canvas;
    this.#gl = canvas.getContext('webgl2', { antialias: true });
    if (!this.#gl) throw new Error('this browser has no WebGL 2, which draws the world');
    this.#program = this.#compiled();
    for (const type of types) this.#meshes.set(type.name, this.#stored(meshOf(type)));
  }

  /** `frame` rotates the own player's parent; the player's look is in it. */
  draw(things, own, frame, { yawRad, pitchRad }) {
    const gl = this.#gl;
    const canvas = this.#canvas;
    [canvas.width, canvas.height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * devicePixelRatio));
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0.56, 0.71, 0.85, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    const up = rotate(frame, [0, 1, 0]);
    const flat = [Math.sin(yawRad), 0, Math.cos(yawRad)];
    const [cos, sin] = [Math.cos(pitchRad), Math.sin(pitchRad)];
    const direction = rotate(frame, [flat[0] * cos, sin, flat[2] * cos]);
    const aside = rotate(frame, flat);
    const rise = Math.max(lowestM, aboveM - behindM * sin);
    const eye = own.at.map((side, i) => side - behindM * cos * aside[i] + rise * up[i]);
    this.#view = product(perspective(canvas.width / canvas.height), lookFrom(eye, direction, up));
    gl.useProgram(this.#program);
    gl.uniformMatrix4fv(gl.getUniformLocation(this.#program, 'view'), false, this.#view);
    for (const thing of things) this.#thing(thing);
  }

  /** In pixels of the page; undefined: behind the eye. */
  placeOnScreen([x, y, z]) {
    const [a, b, , w] = [0, 1, 2, 3].map((row) => this.#view[row] * x + this.#view[4 + row] * y + this.#view[8 + row] * z + this.#view[12 + row]);
    if (w < nearM) return undefined;
    return [(0.5 + a / w / 2) * this.#canvas.clientWidth, (0.5 - b / w / 2) * this.#canvas.clientHeight];
  }

  #thing({ of, own, handle, at, rotation }) {
    const mesh = this.#meshes.get(of?.name);
    if (!mesh?.vertices) return;
    const gl = this.#gl;
    const place = (name) => gl.getUniformLocation(this.#program, name);
    const colour = own ? [0.97, 0.97, 1] : of.actor ? colourOf(hueOf(handle), 0.75, 0.6) : colourOf(hueOf(of.name), 0.25, 0.6);
    gl.uniformMatrix4fv(place('model'), false, modelOf(at, rotation));
    gl.uniform3fv(place('colour'), colour);
    gl.uniform1f(place('squares'), of.actor ? 0 : 1);
    gl.bindVertexArray(mesh.array);
    gl.drawArrays(gl.TRIANGLES, 0, mesh.vertices);
  }

  #stored(mesh) {
    const gl = this.#gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, mesh, gl.STATIC_DRAW);
    for (const [name, offset] of [['place', 0], ['normal', 12]]) {
      const at = gl.getAttribLocation(this.#program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 24, offset);
    }
    return { array, vertices: mesh.length / 6 };
  }

  #compiled() {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }
}
