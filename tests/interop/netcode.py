"""netcode 1.02 a second time, from its standard alone: tokens, packets, challenges, addresses.

Shares nothing with transport/ but the standard and proto/WIRE.md: ChaCha20-Poly1305 comes from
OpenSSL, HChaCha20 and SipHash-2-4 are written out, BLAKE2b is Python's own.
"""

import hashlib
import ipaddress
import struct
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

VERSION = b"NETCODE 1.02\0"
REQUEST, DENIED, CHALLENGE, RESPONSE, KEEP_ALIVE, PAYLOAD, DISCONNECT = range(7)
MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF


# Primitives


def hchacha20(key, nonce16):
    def rotate(value, bits):
        return ((value << bits) | (value >> (32 - bits))) & MASK32

    state = list(struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key))
    state += struct.unpack("<4I", nonce16)

    def quarter(a, b, c, d):
        state[a] = (state[a] + state[b]) & MASK32
        state[d] = rotate(state[d] ^ state[a], 16)
        state[c] = (state[c] + state[d]) & MASK32
        state[b] = rotate(state[b] ^ state[c], 12)
        state[a] = (state[a] + state[b]) & MASK32
        state[d] = rotate(state[d] ^ state[a], 8)
        state[c] = (state[c] + state[d]) & MASK32
        state[b] = rotate(state[b] ^ state[c], 7)

    for _ in range(10):
        quarter(0, 4, 8, 12)
        quarter(1, 5, 9, 13)
        quarter(2, 6, 10, 14)
        quarter(3, 7, 11, 15)
        quarter(0, 5, 10, 15)
        quarter(1, 6, 11, 12)
        quarter(2, 7, 8, 13)
        quarter(3, 4, 9, 14)
    return struct.pack("<8I", *state[:4], *state[12:])


def siphash24(key, data):
    def rotate(value, bits):
        return ((value << bits) | (value >> (64 - bits))) & MASK64

    k0, k1 = struct.unpack("<2Q", key)
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & MASK64
            v[1] = rotate(v[1], 13) ^ v[0]
            v[0] = rotate(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK64
            v[3] = rotate(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK64
            v[3] = rotate(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK64
            v[1] = rotate(v[1], 17) ^ v[2]
            v[2] = rotate(v[2], 32)

    whole = len(data) // 8 * 8
    last = data[whole:] + bytes(7 - len(data) % 8) + bytes([len(data) & 0xFF])
    for (word,) in struct.iter_unpack("<Q", data[:whole] + last):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return struct.pack("<Q", v[0] ^ v[1] ^ v[2] ^ v[3])


def seal(key, nonce12, plain, associated):
    return ChaCha20Poly1305(key).encrypt(nonce12, plain, associated)


def unseal(key, nonce12, sealed, associated):
    try:
        return ChaCha20Poly1305(key).decrypt(nonce12, sealed, associated)
    except InvalidTag:
        return None


def x_seal(key, nonce24, plain, associated):
    return seal(hchacha20(key, nonce24[:16]), bytes(4) + nonce24[16:], plain, associated)


def x_unseal(key, nonce24, sealed, associated):
    return unseal(hchacha20(key, nonce24[:16]), bytes(4) + nonce24[16:], sealed, associated)


# Addresses, "10.0.0.1:40000" or "[::1]:40000"


def write_address(text):
    host, port = text.rsplit(":", 1)
    ip = ipaddress.ip_address(host.strip("[]"))
    if ip.version == 4:
        return b"\x01" + ip.packed + struct.pack("<H", int(port))
    groups = struct.unpack(">8H", ip.packed)
    return b"\x02" + struct.pack("<8H", *groups) + struct.pack("<H", int(port))


def read_address(data, at):
    """The text, and where the next one begins."""
    if data[at] == 1:
        ip = ipaddress.IPv4Address(data[at + 1 : at + 5])
        return f"{ip}:{struct.unpack_from('<H', data, at + 5)[0]}", at + 7
    if data[at] == 2:
        ip = ipaddress.IPv6Address(struct.pack(">8H", *struct.unpack_from("<8H", data, at + 1)))
        return f"[{ip}]:{struct.unpack_from('<H', data, at + 17)[0]}", at + 19
    raise ValueError("address type")


def write_addresses(addresses):
    return struct.pack("<I", len(addresses)) + b"".join(map(write_address, addresses))


def read_addresses(data, at):
    (count,) = struct.unpack_from("<I", data, at)
    if not 1 <= count <= 32:
        raise ValueError("address count")
    at += 4
    addresses = []
    for _ in range(count):
        address, at = read_address(data, at)
        addresses.append(address)
    return addresses, at


# Connect tokens


@dataclass
class Token:
    protocol: int
    create: int
    expire: int
    timeout: int
    client_id: int
    public: list
    server: list
    up: bytes  # client-to-server key
    down: bytes
    user_data: bytes
    nonce: bytes = b""
    sealed: bytes = field(default=b"", repr=False)


def nonce_key(backend_key):
    """crypto_kdf of libsodium: BLAKE2b with the id as salt and the context as personalisation."""
    return hashlib.blake2b(
        key=backend_key, digest_size=16, salt=struct.pack("<Q", 1) + bytes(8), person=b"pg-nonce" + bytes(8)
    ).digest()


def make_nonce(random16, expire, protocol, backend_key):
    return random16 + siphash24(nonce_key(backend_key), random16 + struct.pack("<2Q", expire, protocol))


def token_associated(protocol, expire):
    return VERSION + struct.pack("<2Q", protocol, expire)


def seal_private(token, key):
    plain = struct.pack("<Qi", token.client_id, token.timeout) + write_addresses(token.server)
    plain += token.up + token.down + token.user_data
    return x_seal(key, token.nonce, plain.ljust(1008, b"\0"), token_associated(token.protocol, token.expire))


def open_private(sealed, protocol, expire, nonce, key):
    """(client id, timeout, addresses, up, down, user data), or None."""
    plain = x_unseal(key, nonce, sealed, token_associated(protocol, expire))
    if plain is None:
        return None
    client_id, timeout = struct.unpack_from("<Qi", plain)
    addresses, at = read_addresses(plain, 12)
    return client_id, timeout, addresses, plain[at : at + 32], plain[at + 32 : at + 64], plain[at + 64 : at + 320]


def write_token(token):
    out = VERSION + struct.pack("<3Q", token.protocol, token.create, token.expire) + token.nonce + token.sealed
    out += struct.pack("<i", token.timeout) + write_addresses(token.public) + token.up + token.down
    return out.ljust(2048, b"\0")


def read_token(data):
    """The public part, as (protocol, create, expire, nonce, sealed, timeout, addresses, up, down)."""
    assert len(data) == 2048 and data[:13] == VERSION
    protocol, create, expire = struct.unpack_from("<3Q", data, 13)
    (timeout,) = struct.unpack_from("<i", data, 1085)
    addresses, at = read_addresses(data, 1089)
    return (protocol, create, expire, data[37:61], data[61:1085], timeout, addresses, data[at : at + 32],
            data[at + 32 : at + 64])


# Packets


def write_request(protocol, expire, nonce, sealed):
    return b"\0" + VERSION + struct.pack("<2Q", protocol, expire) + nonce + sealed


def read_request(data):
    assert len(data) == 1078 and data[0] == 0 and data[1:14] == VERSION
    return (*struct.unpack_from("<2Q", data, 14), data[30:54], data[54:])


def sequence_bytes(sequence):
    return sequence.to_bytes(max(1, (sequence.bit_length() + 7) // 8), "little")


def packet_nonce(sequence):
    return bytes(4) + struct.pack("<Q", sequence)


def packet_associated(protocol, prefix):
    return VERSION + struct.pack("<Q", protocol) + bytes([prefix])


def write_packet(kind, sequence, body, protocol, key):
    number = sequence_bytes(sequence)
    prefix = len(number) << 4 | kind
    sealed = seal(key, packet_nonce(sequence), body, packet_associated(protocol, prefix))
    return bytes([prefix]) + number + sealed


def read_packet(data, protocol, key):
    """(type, sequence, body), or None if the tag does not verify."""
    size = data[0] >> 4
    sequence = int.from_bytes(data[1 : 1 + size], "little")
    body = unseal(key, packet_nonce(sequence), data[1 + size :], packet_associated(protocol, data[0]))
    return None if body is None else (data[0] & 15, sequence, body)


def write_challenge(key, sequence, client_id, user_data, binding):
    plain = struct.pack("<Q", client_id) + user_data + binding
    return struct.pack("<Q", sequence) + seal(key, packet_nonce(sequence), plain, None)


def read_challenge(key, body):
    """(client id, user data, binding), or None."""
    (sequence,) = struct.unpack_from("<Q", body)
    plain = unseal(key, packet_nonce(sequence), body[8:], None)
    return None if plain is None else (struct.unpack_from("<Q", plain)[0], plain[8:264], plain[264:])


# perigee's own extensions (proto/WIRE.md, section 4)


def bind_challenge(address, tag, key):
    """20 bytes of BLAKE2b over family, 16 bytes of IP in network order, port and tag."""
    host, port = address.rsplit(":", 1)
    ip = ipaddress.ip_address(host.strip("[]"))
    data = bytes([1 if ip.version == 4 else 2]) + ip.packed.ljust(16, b"\0")
    return hashlib.blake2b(data + struct.pack("<H", int(port)) + tag, key=key, digest_size=20).digest()


def write_pass(wire_version, schema_hash, home_region, name, issue, player_id=0, claims=b""):
    data = b"PGUD" + struct.pack("<HQIB", wire_version, schema_hash, home_region, len(name))
    return (data + name + struct.pack("<QQB", issue, player_id, len(claims)) + claims).ljust(256, b"\0")
