#!/usr/bin/python3
"""Checks transport/ against netcode.py, byte by byte and both ways.

usage: check.py PEER [--write-vectors]

PEER is the program made of peer.cpp. vectors.txt holds one case of each format from fixed inputs, as
Python writes it; --write-vectors renews it. Exit code 77: Debian's python3-cryptography is missing.
"""

import os
import random
import struct
import subprocess
import sys
import unittest

try:
    import netcode as nc
except ImportError as missing:
    print(f"skipped: {missing}; apt-get install python3-cryptography")
    sys.exit(77)

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors.txt")
PROTOCOL = 0x3165656769726570
SERVER = "10.0.0.1:40000"
HOME = "192.168.1.7:5000"
SEQUENCES = [0, 1, 255, 256, 65535, 65536, 2**24 - 1, 2**24, 2**32 - 1, 2**32, 2**40 - 1, 2**40,
             2**48 - 1, 2**48, 2**56 - 1, 2**56, 2**63 - 1, 2**63, 2**64 - 1]


class Peer:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, *words):
        texts = [w.hex() or "-" if isinstance(w, bytes) else str(w) for w in words]
        self.process.stdin.write(" ".join(texts) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().split()


peer = None


def unhex(text):
    return b"" if text == "-" else bytes.fromhex(text)


def fixed_bytes(count, start):
    return bytes((start + 7 * i) & 0xFF for i in range(count))


def make_token(chance, addresses, server=None):
    key, draws = chance.randbytes(32), chance.randbytes(80)
    token = nc.Token(
        protocol=chance.getrandbits(64), create=chance.getrandbits(40), expire=0,
        timeout=chance.choice([-1, 0, 5, 2**31 - 1]), client_id=chance.getrandbits(64),
        public=addresses, server=server or addresses, up=draws[16:48], down=draws[48:],
        user_data=chance.randbytes(256))
    token.expire = token.create + 30
    token.nonce = nc.make_nonce(draws[:16], token.expire, token.protocol, key)
    token.sealed = nc.seal_private(token, key)
    return token, key, draws


def ours(token, key, draws):
    words = peer("make_token", key, draws, token.protocol, token.create, token.expire, token.timeout,
                 token.client_id, ",".join(token.public), ",".join(token.server), token.user_data)
    return unhex(words[0])


def random_address(chance):
    port = chance.randrange(1, 65536)
    if chance.random() < 0.5:
        return ".".join(str(chance.randrange(1, 255)) for _ in range(4)) + f":{port}"
    groups = ":".join(f"{chance.randrange(1, 65536):x}" for _ in range(8))
    return f"[{groups}]:{port}"


class Primitives(unittest.TestCase):
    """Against the vectors of their authors."""

    def test_hchacha20_of_the_xchacha_draft(self):
        key = bytes(range(32))
        nonce = bytes.fromhex("000000090000004a0000000031415927")
        expected = "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"
        self.assertEqual(nc.hchacha20(key, nonce).hex(), expected)

    def test_siphash_of_its_paper(self):
        self.assertEqual(nc.siphash24(bytes(range(16)), bytes(range(15))).hex(), "e545be4961ca29a1")


class Tokens(unittest.TestCase):
    def test_ours_and_pythons_have_the_same_bytes(self):
        for seed in range(64):
            with self.subTest(seed=seed):
                chance = random.Random(seed)
                count = chance.choice([1, 2, 3, 31, 32])
                public = [random_address(chance) for _ in range(count)]
                server = [random_address(chance) for _ in range(count)]
                token, key, draws = make_token(chance, public, server)
                self.assertEqual(ours(token, key, draws).hex(), nc.write_token(token).hex())

    def test_python_reads_ours(self):
        token, key, draws = make_token(random.Random(1), [SERVER, "[2001:db8::1]:50000"])
        read = nc.read_token(ours(token, key, draws))
        self.assertEqual(read, (token.protocol, token.create, token.expire, token.nonce, token.sealed,
                                token.timeout, token.public, token.up, token.down))
        opened = nc.open_private(read[4], read[0], read[2], read[3], key)
        self.assertEqual(opened, (token.client_id, token.timeout, token.server, token.up, token.down,
                                  token.user_data))

    def test_we_read_pythons(self):
        token, key, _ = make_token(random.Random(2), [SERVER, "[2001:db8::1]:50000"])
        words = peer("read_token", nc.write_token(token))
        self.assertEqual(words, [str(token.protocol), str(token.create), str(token.expire),
                                 token.nonce.hex(), token.sealed.hex(), str(token.timeout),
                                 ",".join(token.public), token.up.hex(), token.down.hex()])
        words = peer("open_private", token.sealed, token.protocol, token.expire, token.nonce, key)
        self.assertEqual(words, [str(token.client_id), str(token.timeout), ",".join(token.server),
                                 token.up.hex(), token.down.hex(), token.user_data.hex()])

    def test_nobody_opens_a_changed_one(self):
        token, key, _ = make_token(random.Random(3), [SERVER])
        bad = bytearray(token.sealed)
        for at in (0, 500, 1007, 1008, 1023):
            bad[at] ^= 1
            self.assertIsNone(nc.open_private(bytes(bad), token.protocol, token.expire, token.nonce, key))
            words = peer("open_private", bytes(bad), token.protocol, token.expire, token.nonce, key)
            self.assertEqual(words, ["none"])
            bad[at] ^= 1

    def test_nonce_keys(self):
        for seed in range(8):
            key = random.Random(seed).randbytes(32)
            self.assertEqual(peer("nonce_key", key), [nc.nonce_key(key).hex()])

    def test_user_data(self):
        for name in (b"", b"Ada", b"x" * 32):
            for claims in (b"", b"{}", b"c" * 128):
                words = peer("write_pass", 1, 2**63 + 5, 7, name, 2**40, 2**64 - 3, claims)
                self.assertEqual(unhex(words[0]), nc.write_pass(1, 2**63 + 5, 7, name, 2**40, 2**64 - 3, claims))


class Packets(unittest.TestCase):
    BODIES = {nc.DENIED: [0], nc.CHALLENGE: [308], nc.RESPONSE: [308], nc.KEEP_ALIVE: [8],
              nc.PAYLOAD: [1, 2, 600, 1200], nc.DISCONNECT: [0]}

    def cases(self):
        chance = random.Random(4)
        for kind, sizes in self.BODIES.items():
            for size in sizes:
                for sequence in SEQUENCES:
                    yield kind, sequence, chance.randbytes(size), chance.getrandbits(64), chance.randbytes(32)

    def test_ours_and_pythons_have_the_same_bytes(self):
        for kind, sequence, body, protocol, key in self.cases():
            with self.subTest(kind=kind, sequence=sequence, size=len(body)):
                words = peer("write_packet", kind, sequence, body, protocol, key)
                self.assertEqual(unhex(words[0]), nc.write_packet(kind, sequence, body, protocol, key))

    def test_each_reads_the_others(self):
        for kind, sequence, body, protocol, key in self.cases():
            with self.subTest(kind=kind, sequence=sequence, size=len(body)):
                packet = unhex(peer("write_packet", kind, sequence, body, protocol, key)[0])
                self.assertEqual(nc.read_packet(packet, protocol, key), (kind, sequence, body))
                receiver = "server" if kind == nc.RESPONSE else "client"
                packet = nc.write_packet(kind, sequence, body, protocol, key)
                words = peer("read_packet", receiver, protocol, key, packet)
                self.assertEqual(words, [str(kind), str(sequence), body.hex() or "-"])

    def test_nobody_opens_a_changed_one(self):
        key = bytes(range(32))
        packet = bytearray(nc.write_packet(nc.PAYLOAD, 300, b"hello", PROTOCOL, key))
        for at in range(1, len(packet)):
            packet[at] ^= 0x10
            self.assertIsNone(nc.read_packet(bytes(packet), PROTOCOL, key))
            self.assertEqual(peer("read_packet", "server", PROTOCOL, key, bytes(packet)), ["none"])
            packet[at] ^= 0x10

    def test_challenges(self):
        for seed in range(16):
            chance = random.Random(seed)
            key, user_data, binding = chance.randbytes(32), chance.randbytes(256), chance.randbytes(20)
            sequence, client_id = chance.choice(SEQUENCES), chance.getrandbits(64)
            body = nc.write_challenge(key, sequence, client_id, user_data, binding)
            words = peer("write_challenge", key, sequence, client_id, user_data, binding)
            self.assertEqual(unhex(words[0]), body)
            self.assertEqual(nc.read_challenge(key, unhex(words[0])), (client_id, user_data, binding))
            words = peer("read_challenge", key, body)
            self.assertEqual(words, [str(client_id), user_data.hex(), binding.hex()])

    def test_bindings(self):
        chance = random.Random(5)
        for address in (HOME, "[2001:db8::1]:50000", "[::1]:1"):
            tag, key = chance.randbytes(16), chance.randbytes(32)
            words = peer("bind_challenge", address, tag, key)
            self.assertEqual(unhex(words[0]), nc.bind_challenge(address, tag, key))


def token_for_today(client_id, addresses):
    """A token at unix time 1000, with the key and the session's keys."""
    chance = random.Random(client_id)
    token, key, _ = make_token(chance, addresses)
    token.protocol, token.create, token.expire, token.timeout = PROTOCOL, 1000, 1030, 5
    token.client_id = client_id
    token.nonce = nc.make_nonce(chance.randbytes(16), token.expire, PROTOCOL, key)
    token.sealed = nc.seal_private(token, key)
    return token, key


class OurServer(unittest.TestCase):
    """Python is the client."""

    def send(self, packet, now_us=0, home=HOME):
        return peer("to_server", now_us, 1000, home, packet)

    def handshake(self, server, home):
        token, key = token_for_today(7, [server])
        self.assertEqual(peer("start_server", key, server, PROTOCOL), ["ok"])
        request = nc.write_request(PROTOCOL, token.expire, token.nonce, token.sealed)
        to, challenge = self.send(request, home=home)
        self.assertEqual(to, home)
        kind, sequence, body = nc.read_packet(unhex(challenge), PROTOCOL, token.down)
        self.assertEqual((kind, sequence, len(body)), (nc.CHALLENGE, 2**63, 308))
        response = nc.write_packet(nc.RESPONSE, 1, body, PROTOCOL, token.up)
        to, keep_alive = self.send(response, home=home)
        kind, sequence, body = nc.read_packet(unhex(keep_alive), PROTOCOL, token.down)
        self.assertEqual((kind, sequence), (nc.KEEP_ALIVE, 0))
        number, clients_max = struct.unpack("<2I", body)
        self.assertTrue(2**24 <= number < 2**31)
        self.assertEqual(clients_max, 256)
        return token, number

    def test_a_whole_session(self):
        for server, home in ((SERVER, HOME), ("[2001:db8::1]:40000", "[2001:db8::7]:5000")):
            token, _ = self.handshake(server, home)
            up = nc.write_packet(nc.PAYLOAD, 2, b"up", PROTOCOL, token.up)
            self.assertEqual(self.send(up, home=home), ["payload", "0", "2", b"up".hex()])
            self.assertEqual(self.send(up, home=home), ["none"])  # a replay
            to, down = peer("server_says", 0, 0, b"down")
            self.assertEqual(to, home)
            self.assertEqual(nc.read_packet(unhex(down), PROTOCOL, token.down), (nc.PAYLOAD, 1, b"down"))
            self.assertEqual(self.send(nc.write_packet(nc.DISCONNECT, 3, b"", PROTOCOL, token.up), home=home),
                             ["none"])
            self.assertEqual(self.send(nc.write_packet(nc.PAYLOAD, 4, b"x", PROTOCOL, token.up), home=home),
                             ["none"])

    def test_a_session_that_moves(self):
        token, number = self.handshake(SERVER, HOME)
        away = "192.168.1.8:6000"
        named = number << 32
        self.assertEqual(self.send(nc.write_packet(nc.PAYLOAD, named | 2, b"a", PROTOCOL, token.up)),
                         ["payload", "0", str(named | 2), b"a".hex()])
        keep_alive = nc.write_packet(nc.KEEP_ALIVE, named | 3, bytes(8), PROTOCOL, token.up)
        to, question = self.send(keep_alive, home=away)
        self.assertEqual(to, away)
        kind, _, body = nc.read_packet(unhex(question), PROTOCOL, token.down)
        self.assertEqual((kind, struct.unpack_from("<I", body)[0]), (nc.KEEP_ALIVE, number))
        self.assertEqual(peer("server_says", 0, 0, b"x")[0], HOME)
        answer = nc.write_packet(nc.KEEP_ALIVE, named | 4, body, PROTOCOL, token.up)
        self.assertEqual(self.send(answer, home=away), ["none"])
        self.assertEqual(peer("server_says", 0, 0, b"x")[0], away)


class OurClient(unittest.TestCase):
    """Python is the server."""

    def client(self, index):
        token, key = token_for_today(9, [SERVER])
        to, request = peer("start_client", nc.write_token(token))
        self.assertEqual(to, SERVER)
        protocol, expire, nonce, sealed = nc.read_request(unhex(request))
        opened = nc.open_private(sealed, protocol, expire, nonce, key)
        self.assertEqual((opened[0], opened[2]), (9, [SERVER]))
        body = nc.write_challenge(key, 5, 9, token.user_data, bytes(20))
        challenge = nc.write_packet(nc.CHALLENGE, 2**63, body, PROTOCOL, token.down)
        _, response = peer("to_client", 0, SERVER, challenge)
        self.assertEqual(nc.read_packet(unhex(response), PROTOCOL, token.up), (nc.RESPONSE, 1, body))
        keep_alive = nc.write_packet(nc.KEEP_ALIVE, 0, struct.pack("<2I", index, 64), PROTOCOL, token.down)
        self.assertEqual(peer("to_client", 0, SERVER, keep_alive), ["none"])
        self.assertEqual(peer("client_state"), ["3", str(index), "64"])
        return token

    def test_a_whole_session_with_a_server_of_another_maker(self):
        token = self.client(3)
        _, up = peer("client_says", 0, b"up")
        self.assertEqual(nc.read_packet(unhex(up), PROTOCOL, token.up), (nc.PAYLOAD, 2, b"up"))
        down = nc.write_packet(nc.PAYLOAD, 1, b"down", PROTOCOL, token.down)
        self.assertEqual(peer("to_client", 0, SERVER, down), ["payload", "1", b"down".hex()])
        goodbyes = peer("client_leaves", 0)[1::2]
        kinds = [nc.read_packet(unhex(g), PROTOCOL, token.up)[0] for g in goodbyes]
        self.assertEqual(kinds, [nc.DISCONNECT] * 10)

    def test_a_numbered_session_stands_on_top_of_the_sequences(self):
        number = 2**30 + 5
        token = self.client(number)
        _, up = peer("client_says", 0, b"up")
        self.assertEqual(nc.read_packet(unhex(up), PROTOCOL, token.up), (nc.PAYLOAD, number << 32 | 2, b"up"))
        question = struct.pack("<2I", number, 12345)
        _, answer = peer("to_client", 0, SERVER, nc.write_packet(nc.KEEP_ALIVE, 1, question, PROTOCOL, token.down))
        self.assertEqual(nc.read_packet(unhex(answer), PROTOCOL, token.up),
                         (nc.KEEP_ALIVE, number << 32 | 3, question))

    def test_a_refusal(self):
        token, _ = token_for_today(9, [SERVER])
        peer("start_client", nc.write_token(token))
        peer("to_client", 0, SERVER, nc.write_packet(nc.DENIED, 2**63, b"", PROTOCOL, token.down))
        self.assertEqual(peer("client_state")[0], "-1")


def vectors():
    """Name and bytes of one case of each format, from inputs that anybody can type, and how to ask us."""
    key = fixed_bytes(32, 1)
    token = nc.Token(protocol=PROTOCOL, create=1_800_000_000, expire=1_800_000_030, timeout=5,
                     client_id=0x0102030405060708, public=["203.0.113.9:40000", "[2001:db8::1]:50000"],
                     server=["10.1.2.3:40000", "[2001:db8::2]:50001"], up=fixed_bytes(32, 2),
                     down=fixed_bytes(32, 3), user_data=nc.write_pass(1, 0x8877665544332211, 2, b"Ada", 5))
    token.nonce = nc.make_nonce(fixed_bytes(16, 4), token.expire, token.protocol, key)
    token.sealed = nc.seal_private(token, key)
    yield "nonce_key", nc.nonce_key(key), ["nonce_key", key]
    yield "token", nc.write_token(token), [
        "make_token", key, fixed_bytes(16, 4) + token.up + token.down, token.protocol, token.create, token.expire,
        token.timeout, token.client_id, ",".join(token.public), ",".join(token.server), token.user_data]
    yield "request", nc.write_request(token.protocol, token.expire, token.nonce, token.sealed), [
        "start_client", nc.write_token(token)]
    challenge = (fixed_bytes(32, 5), 12, token.client_id, token.user_data, fixed_bytes(20, 6))
    body = nc.write_challenge(*challenge)
    yield "challenge_body", body, ["write_challenge", *challenge]
    for name, kind, sequence, content, session_key in [
            ("denied", nc.DENIED, 2**63, b"", token.down),
            ("challenge", nc.CHALLENGE, 2**63 + 1, body, token.down),
            ("response", nc.RESPONSE, 1, body, token.up),
            ("keep_alive", nc.KEEP_ALIVE, 0, struct.pack("<2I", 2**24, 256), token.down),
            ("payload", nc.PAYLOAD, 2**24 << 32 | 2, b"payload", token.up),
            ("disconnect", nc.DISCONNECT, 256, b"", token.up)]:
        yield name, nc.write_packet(kind, sequence, content, PROTOCOL, session_key), [
            "write_packet", kind, sequence, content, PROTOCOL, session_key]
    binding = (HOME, token.sealed[-16:], fixed_bytes(32, 7))
    yield "binding", nc.bind_challenge(*binding), ["bind_challenge", *binding]


class Vectors(unittest.TestCase):
    """The file holds both still: a change of format cannot pass by changing both sides."""

    def setUp(self):
        with open(VECTORS, encoding="ascii") as file:
            self.lines = dict(line.split() for line in file if not line.startswith("#"))

    def test_python_writes_the_file(self):
        self.assertEqual(self.lines, {name: data.hex() for name, data, _ in vectors()})

    def test_we_write_the_file(self):
        for name, _, command in vectors():
            with self.subTest(name=name):
                self.assertEqual(peer(*command)[-1], self.lines[name])


if __name__ == "__main__":
    if "--write-vectors" in sys.argv:
        with open(VECTORS, "w", encoding="ascii") as out:
            out.write("# One case of each format; inputs in vectors() of check.py.\n")
            out.writelines(f"{name} {data.hex()}\n" for name, data, _ in vectors())
        sys.exit(0)
    peer = Peer(sys.argv.pop(1))
    unittest.main()
