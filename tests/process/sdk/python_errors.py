"""Every kind of error of the Python package, with its sentence; and calls that the page's program has not."""

import ctypes
import errno
import socket
import itertools
import sys
import threading
import time
import urllib.parse
from unittest import mock

import perigee

library, url, credential = sys.argv[1:]
game = perigee.Game(library)


def fails(fault, words, call):
    try:
        call()
    except perigee.PerigeeError as error:
        assert error.fault == fault and words in str(error), f"{error.fault}: {error}"
        return error
    raise AssertionError(f"no error with '{words}'")


def join(**others):
    return perigee.Session.join(game, **{"url": url, "name": "Bea", "credential": credential, **others})


def fails_at_a_server_that_sends(words, parts):
    """Another server answers the log-in, perhaps without end."""

    def serve():
        connection, _ = other.accept()
        with connection:
            connection.recv(65536)
            try:
                for part in parts:
                    connection.sendall(part)
            except OSError:  # the client has had enough
                pass

    with socket.create_server(("127.0.0.1", 0)) as other:
        server = threading.Thread(target=serve)
        server.start()
        fails("log-in", words, lambda: join(url=f"http://127.0.0.1:{other.getsockname()[1]}"))
        server.join()


fails("library-missing", "nothing.so", lambda: perigee.Game("./nothing.so"))
fails("other-abi", "perigee_client_abi", lambda: perigee.Game("libc.so.6"))
refused = fails("log-in", "wrong credential", lambda: join(credential="another"))
assert (refused.status, refused.http_status) == ("UNAUTHENTICATED", 401), vars(refused)
game.wire_version, actual = lambda: 1, game.wire_version
assert fails("log-in", library, join).status == "FAILED_PRECONDITION"
game.wire_version = actual
fails("log-in", "is it running?", lambda: join(url="http://127.0.0.1:1"))
service = urllib.parse.urlsplit(url)
# The service's port for gRPC closes the connection, before or after its first bytes.
fails("log-in", "does not answer", lambda: join(url=f"http://{service.hostname}:{service.port - 3}"))
http2_settings = b"\0\0\6\4\0\0\0\0\0\0\5\0\0\x40\0\n"
fails_at_a_server_that_sends("does not answer in HTTP", [http2_settings])
fails_at_a_server_that_sends("is no log-in", itertools.chain([b"HTTP/1.0 200 OK\r\n\r\n"], itertools.repeat(bytes(65536))))
fails("log-in", "is it running?", lambda: join(url="http://127.0.0.1:port"))
fails("bad-argument", "use", lambda: join(techniques="smoothing=odd"))

client = game.create_client()
fails("bad-token", "log in again", lambda: client.begin(0, b"none"))
fails("not-playing", "inject_desync", lambda: client.inject_desync(1, 0, 0))
client.close()
fails("ended", "closed", lambda: client.scene(0))


def address(family, ip, port):
    return perigee.structs.Address(family, (ctypes.c_uint8 * 16)(*ip), port)


def sends_without_ipv6():
    """A machine without IPv6, and a client whose first gateway has an address of IPv6."""
    make = socket.socket

    def make_v4_only(family, *others):
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return make(family, *others)

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as gateway:
        gateway.bind(("127.0.0.1", 0))
        gateway.settimeout(10)
        second = address(4, (127, 0, 0, 1), gateway.getsockname()[1])
        library_client = mock.Mock()
        library_client.poll_send.side_effect = [(address(6, (), 9), b"first"), (second, b"second"), None]
        session = perigee.Session(library_client)
        with mock.patch("socket.socket", make_v4_only):
            session._send()
        assert gateway.recv(64) == b"second"
        session._close()


sends_without_ipv6()


class Fighter(ctypes.Structure):
    """Skiff's, as sim/games/skiff/include/perigee/skiff/fighter.hpp has it."""

    _fields_ = [("died_at", ctypes.c_uint32)] + [
        (name, ctypes.c_uint16) for name in ("health", "kills", "deaths", "stones", "tool_ticks")
    ] + [("reload_ticks", ctypes.c_uint8), ("draw_ticks", ctypes.c_uint8)]


class Newer(perigee.structs.Entity):
    _fields_ = [("unheard_of", ctypes.c_double)]


known = dict(perigee.structs.BY_NAME)
perigee.structs.BY_NAME["entity"] = Newer
fails("other-abi", "152 bytes", lambda: perigee.Game(library))
perigee.structs.BY_NAME.update(known)

session = join(techniques="smoothing=none")
assert session.client.recording() is None
session.client.record(10)


def play_until(done, otherwise):
    end_s = time.monotonic() + 30
    while not done():
        assert time.monotonic() < end_s, otherwise
        session.frame()
        time.sleep(0.02)


def corrected():
    if session.own and session.client.telemetry().corrections == 0:
        session.client.inject_desync(0.5, 0, 0)
    return session.client.telemetry().corrections > 0


play_until(corrected, "an injected displacement was not corrected")
play_until(lambda: len(session.client.net_graph()) > 10, "the net graph does not grow")
assert session.client.player_name(session.own.handle) == "Bea"
assert session.client.game_state(session.own.handle, Fighter).health == 3
fails("bad-argument", "has 16 bytes", lambda: session.client.game_state(session.own.handle, perigee.Cue))
fails("bad-argument", "has 0 bytes", lambda: session.client.world_state(Fighter))
assert len(session.client.input_fields()) == 0
fails("bad-argument", "no input field 'slot'", lambda: session.client.set_input("slot", 3))
fails("bad-argument", "out of the range of every", lambda: session.client.set_input("slot", 2**64 + 3))
fails("bad-argument", "no input field 'slot'", lambda: session.client.get_input("slot"))
fails("bad-argument", "has 0 bytes", lambda: session.client.set_own_input(Fighter()))

flight = session.client.recording()
report = session.client.report_flight(flight, reruns=True)
assert report["halves"][0]["rerun"]["bitsDiffer"] == 0, "the recorded ticks run again with the same bits"
fails("bad-recording", "not a flight recording", lambda: session.client.report_flight(b"none"))

grounds = [(each.handle, session.client.ground(each.handle)) for each in session.frame()]
handle, ground = next((handle, ground) for handle, ground in grounds if ground)
solid = session.client.cells(handle, (0, 0, 0), ground.size)
assert len(solid) == ground.size[0] * ground.size[1] * ground.size[2] and 1000 < sum(solid) < len(solid)
session.leave()
fails("ended", "closed", session.frame)
print("errors are sentences")
