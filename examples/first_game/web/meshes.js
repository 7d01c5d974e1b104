// Triangles of the game's shapes: each vertex has a place and a normal, six numbers.
const segments = 18; // around a rounded box
const rows = 11;     // from its pole to its pole; odd: none is at its middle

const minus = (a, b) => a.map((side, axis) => side - b[axis]);
export const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
export const unit = (v) => v.map((side) => side / (Math.hypot(...v) || 1));
/** v + 2 q x (q x v + w v) */
export function rotate([x, y, z, w], v) {
  const axis = [x, y, z];
  const once = cross(axis, v).map((side, i) => side + w * v[i]);
  return cross(axis, once).map((side, i) => v[i] + 2 * side);
}

function flat(out, corners) {
  const normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])));
  for (const corner of corners) out.push(...corner, ...normal);
}

function plainBox(out, { center, half, rotation }) {
  const corner = (signs) => rotate(rotation, signs.map((sign, i) => sign * half[i])).map((side, i) => side + center[i]);
  for (let axis = 0; axis < 3; ++axis) {
    for (const sign of [-1, 1]) {
      const at = (u, v) => {
        const signs = [0, 0, 0];
        [signs[axis], signs[(axis + 1) % 3], signs[(axis + 2) % 3]] = [sign, u * sign, v];
        return corner(signs);
      };
      const [a, b, c, d] = [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
      flat(out, [a, b, c]);
      flat(out, [a, c, d]);
    }
  }
}

/** A sphere whose parts are moved apart by the box inside. */
function roundedBox(out, { center, half, rotation, radius }) {
  const vertex = (segment, row) => {
    const around = ((segment + 0.5) / segments) * 2 * Math.PI; // half a step: no vertex is between two parts
    const down = (row / rows) * Math.PI;
    const normal = [Math.sin(down) * Math.cos(around), Math.cos(down), Math.sin(down) * Math.sin(around)];
    const place = normal.map((side, i) => Math.sign(side) * half[i] + radius * side);
    return [...rotate(rotation, place).map((side, i) => side + center[i]), ...rotate(rotation, normal)];
  };
  for (let row = 0; row < rows; ++row) {
    for (let segment = 0; segment < segments; ++segment) {
      const [a, b, c, d] = [vertex(segment, row), vertex(segment + 1, row), vertex(segment + 1, row + 1), vertex(segment, row + 1)];
      out.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  }
}

/** Of a type in shapes.json. */
export function meshOf({ boxes, triangles }) {
  const out = [];
  for (const box of boxes) (box.radius > 0 ? roundedBox : plainBox)(out, box);
  for (let at = 0; at + 9 <= triangles.length; at += 9) {
    flat(out, [0, 3, 6].map((corner) => triangles.slice(at + corner, at + corner + 3)));
  }
  return new Float32Array(out);
}
