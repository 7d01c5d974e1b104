"""Every kind of error of the Python package, with its sentence; and calls that the page's program has not."""

import ctypes
import sys
import time

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


fails("library-missing", "nothing.so", lambda: perigee.Game("./nothing.so"))
fails("other-abi", "perigee_client_abi", lambda: perigee.Game("libc.so.6"))
refused = fails("log-in", "wrong credential", lambda: join(credential="another"))
assert (refused.status, refused.http_status) == ("UNAUTHENTICATED", 401), vars(refused)
fails("log-in", "is it running?", lambda: join(url="http://127.0.0.1:1"))
fails("bad-argument", "use", lambda: join(techniques="smoothing=odd"))

client = game.create_client()
fails("bad-token", "log in again", lambda: client.begin(0, b"none"))
fails("not-playing", "inject_desync", lambda: client.inject_desync(1, 0, 0))
client.close()
fails("ended", "closed", lambda: client.scene(0))


class State(ctypes.Structure):
    _fields_ = [("first_bytes", ctypes.c_uint64)]


class Newer(perigee.structs.Entity):
    _fields_ = [("unheard_of", ctypes.c_double)]


known = dict(perigee.structs.BY_NAME)
perigee.structs.BY_NAME["entity"] = Newer
fails("other-abi", "152 bytes", lambda: perigee.Game(library))
perigee.structs.BY_NAME.update(known)

session = join(techniques="smoothing=none")
end_s = time.monotonic() + 30
while session.client.telemetry().corrections == 0 and time.monotonic() < end_s:
    session.frame()
    if session.own:
        session.client.inject_desync(0.5, 0, 0)
    time.sleep(0.02)
assert session.client.telemetry().corrections > 0, "an injected displacement was not corrected"
assert session.client.player_name(session.own.handle) == "Bea"
assert session.client.game_state(session.own.handle, State) is not None
session.leave()
fails("ended", "closed", session.frame)
print("errors are sentences")
