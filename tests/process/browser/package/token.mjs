// A connect token of netcode 1.02 that no server accepts: its readable part is right, the sealed part
// is empty.
const tokenBytes = 2048;
const sealedBytes = 1024;
const nonceBytes = 24;
const keysBytes = 64;

/** `gateways`: [a, b, c, d, port] of each; `timeoutS`: silence after which the next one is tried. */
export function unsealedToken(gateways, { timeoutS = 5, validS = 30n } = {}) {
  const bytes = new Uint8Array(tokenBytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const character of 'NETCODE 1.02\0') bytes[at++] = character.charCodeAt(0);
  for (const value of [1n, 1_000_000n, 1_000_000n + validS]) {
    view.setBigUint64(at, value, true); // protocol, creation, expiry
    at += 8;
  }
  at += nonceBytes + sealedBytes;
  view.setInt32(at, timeoutS, true);
  view.setUint32(at + 4, gateways.length, true);
  at += 8;
  for (const [a, b, c, d, port] of gateways) {
    bytes.set([1, a, b, c, d], at);
    view.setUint16(at + 5, port, true);
    at += 7;
  }
  bytes.fill(7, at, at + keysBytes);
  return bytes;
}
