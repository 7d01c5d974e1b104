import type { Address, Path } from '../dist/index.js';

/** A Path over UDP, for programs in Node. */
export class UdpPath implements Path {
  constructor(gateway: Address);
  send(bytes: Uint8Array<ArrayBuffer>): void;
  onDatagram: (bytes: Uint8Array) => void;
  onClose: (reason: string) => void;
  close(): void;
}
