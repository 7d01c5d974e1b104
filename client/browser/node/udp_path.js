// A Path over UDP, which Node has and browsers do not.
import { createSocket } from 'node:dgram';

export class UdpPath {
  onDatagram = () => {};
  onClose = () => {};
  #socket;
  #gateway;
  #waiting = 0;
  #closing = false;

  constructor(gateway) {
    this.#gateway = gateway;
    this.#socket = createSocket(gateway.host.includes(':') ? 'udp6' : 'udp4');
    this.#socket.on('message', (bytes, from) => {
      if (from.port === gateway.port && !this.#closing) this.onDatagram(bytes);
    });
    this.#socket.on('error', (error) => this.onClose(error.message));
  }

  send(bytes) {
    ++this.#waiting;
    this.#socket.send(bytes, this.#gateway.port, this.#gateway.host, () => {
      if (--this.#waiting === 0 && this.#closing) this.#socket.close();
    });
  }

  close() {
    this.#closing = true;
    if (this.#waiting === 0) this.#socket.close();
  }
}
