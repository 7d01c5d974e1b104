import * as layout from './layout.js';

const ipBytes = 16;

/** Address of a gateway, as the token names it. */
export class Address {
  /** "10.0.0.7:40000" or "[fd00:0:0:0:0:0:0:1]:40000". */
  readonly text: string;

  /** `encoded`: a perigee_client_address. */
  private constructor(
    readonly encoded: Uint8Array,
    readonly host: string,
    readonly port: number,
  ) {
    this.text = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  }

  static read(bytes: Uint8Array, at: number): Address {
    const encoded = bytes.slice(at, at + layout.address.bytes);
    const view = new DataView(encoded.buffer);
    const ip = encoded.subarray(layout.address.ip, layout.address.ip + ipBytes);
    const port = view.getUint16(layout.address.port, true);
    if (encoded[layout.address.family] === 4) return new Address(encoded, ip.subarray(0, 4).join('.'), port);
    const groups: string[] = [];
    for (let i = 0; i < ipBytes; i += 2) groups.push(((ip[i]! << 8) | ip[i + 1]!).toString(16));
    return new Address(encoded, groups.join(':'), port);
  }

  isAt(bytes: Uint8Array, at: number): boolean {
    return this.encoded.every((byte, i) => byte === bytes[at + i]);
  }
}
