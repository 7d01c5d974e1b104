import * as layout from './layout.js';
const ipBytes = 16;
/** Address of a gateway, as the token names it. */
export class Address {
    encoded;
    host;
    port;
    /** "10.0.0.7:40000" or "[fd00:0:0:0:0:0:0:1]:40000". */
    text;
    /** `encoded`: a perigee_client_address. */
    constructor(encoded, host, port) {
        this.encoded = encoded;
        this.host = host;
        this.port = port;
        this.text = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    }
    static read(bytes, at) {
        const encoded = bytes.slice(at, at + layout.address.bytes);
        const view = new DataView(encoded.buffer);
        const ip = encoded.subarray(layout.address.ip, layout.address.ip + ipBytes);
        const port = view.getUint16(layout.address.port, true);
        if (encoded[layout.address.family] === 4)
            return new Address(encoded, ip.subarray(0, 4).join('.'), port);
        const groups = [];
        for (let i = 0; i < ipBytes; i += 2)
            groups.push(((ip[i] << 8) | ip[i + 1]).toString(16));
        return new Address(encoded, groups.join(':'), port);
    }
    isAt(bytes, at) {
        return this.encoded.every((byte, i) => byte === bytes[at + i]);
    }
}
