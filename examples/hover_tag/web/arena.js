// The triangles of arena.gltf, as the level has them.
const arrays = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const components = { SCALAR: 1, VEC3: 3 };

/** v turned by the quaternion x, y, z, w. */
export function turned([x, y, z, w], [a, b, c]) {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

/** Meshes with their triangles in the world, and the place of each. */
export async function loadArena(url) {
  const gltf = await (await fetch(url)).json();
  const buffers = await Promise.all(gltf.buffers.map(async ({ uri }) => (await fetch(uri)).arrayBuffer()));
  const values = (index) => {
    const { bufferView, byteOffset = 0, componentType, count, type } = gltf.accessors[index];
    const view = gltf.bufferViews[bufferView];
    return new arrays[componentType](buffers[view.buffer], (view.byteOffset ?? 0) + byteOffset, count * components[type]);
  };
  return gltf.nodes.filter(({ mesh }) => mesh !== undefined).map((node) => {
    const at = node.translation ?? [0, 0, 0];
    const triangles = gltf.meshes[node.mesh].primitives.flatMap(({ attributes, indices }) => {
      const points = values(attributes.POSITION);
      const corner = (i) => {
        const point = turned(node.rotation ?? [0, 0, 0, 1], points.subarray(3 * i, 3 * i + 3));
        return point.map((side, axis) => side + at[axis]);
      };
      const order = values(indices);
      return Array.from({ length: order.length / 3 }, (_, i) => [0, 1, 2].map((side) => corner(order[3 * i + side])));
    });
    return { name: node.name, at, triangles };
  });
}
