"""The client library without sockets and clock: perigee_client.h for Python."""

import ctypes
import json

from . import structs
from .errors import PerigeeError
from .structs import Result, State

_NAME_BYTES = 33
_ITEMS_AT_FIRST = 64
_FILE_BYTES_AT_FIRST = 2 << 20


class Client:
    """`now_us` is microseconds of any clock that only rises. Used by one thread at a time."""

    def __init__(self, game):
        self.game = game
        self._handle = game.create(structs.ABI)
        if not self._handle:
            raise PerigeeError("stopped", "no memory is left for a client")
        self._items = {}
        self._to = structs.Address()
        self._size = ctypes.c_size_t()
        self._out = (ctypes.c_uint8 * structs.DATAGRAM_BYTES_MAX)()
        self._name = ctypes.create_string_buffer(_NAME_BYTES)
        self._message = (ctypes.c_uint8 * structs.MESSAGE_BYTES_MAX)()

    def close(self):
        if self._handle:
            self.game.destroy(self._handle)
            self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def wire_version(self):
        return self.game.wire_version()

    @property
    def schema_hash(self):
        return self.game.schema_hash(self._alive())

    @property
    def state(self):
        return State(self.game.get_state(self._alive()))

    def begin(self, now_us, token):
        """Connects with a token from the session service."""
        self._check("begin", self.game.begin(self._alive(), now_us, token, len(token)))

    def receive(self, now_us, address, datagram, datagram_bytes):
        """`datagram`: a ctypes array of bytes; it is decrypted in place."""
        self._check(
            "receive",
            self.game.receive(self._alive(), now_us, address, datagram, datagram_bytes),
        )

    def advance(self, now_us, controls):
        """Runs the due ticks with this Input."""
        self._check("advance", self.game.advance(self._alive(), now_us, controls))

    def input_fields(self):
        """The fields that the game adds to inputs. Valid until the next call."""
        return self._all(structs.InputField, "input_fields")

    def set_input(self, name, value):
        """A field of the game's from the next tick on; a momentary one in that tick alone."""
        if not -(2**63) <= value < 2**63:  # ctypes would take its low 64 bits
            raise PerigeeError("bad-argument", f"{value} is out of the range of every input field")
        result = self.game.set_input(self._alive(), name.encode(), value)
        if result == Result.BAD_ARGUMENT:
            raise PerigeeError(
                "bad-argument", f"the game has no input field {name!r}, or {value} is out of its range"
            )
        self._check("set_input", result)

    def get_input(self, name):
        """The value that the next tick has."""
        value = ctypes.c_int64()
        result = self.game.get_input(self._alive(), name.encode(), value)
        if result == Result.BAD_ARGUMENT:
            raise PerigeeError("bad-argument", f"the game has no input field {name!r}")
        self._check("get_input", result)
        return value.value

    def set_own_input(self, fields):
        """All of them, as a ctypes.Structure with the fields of the game's struct."""
        client = self._alive()
        bytes_there, bytes_here = self.game.own_input_bytes(client), ctypes.sizeof(fields)
        if bytes_here != bytes_there:
            raise PerigeeError(
                "bad-argument",
                f"the game's own input has {bytes_there} bytes and {type(fields).__name__} has {bytes_here}",
            )
        self._check("set_own_input", self.game.set_own_input(client, ctypes.byref(fields), bytes_here))

    def poll_send(self):
        """The next datagram as (Address, bytes); None if none is left."""
        sent = self.game.poll_send(
            self._alive(), self._to, self._out, ctypes.sizeof(self._out), self._size
        )
        if self._check("poll_send", sent) == 0:
            return None
        return self._to, bytes(memoryview(self._out)[: self._size.value])

    def disconnect(self, now_us):
        """poll_send() has the packets for it."""
        self._check("disconnect", self.game.disconnect(self._alive(), now_us))

    def scene(self, now_us):
        """All known entities, parents before children. Valid until the next call."""
        return self._all(structs.Entity, "scene", now_us)

    def projectiles(self, now_us):
        """All projectiles as rendered now. Valid until the next call."""
        return self._all(structs.Projectile, "projectiles", now_us)

    def cues(self):
        """The cues of the last advance. Valid until the next call."""
        return self._all(structs.Cue, "cues")

    def heard(self):
        """Cues of others to play now. Valid until the next call."""
        return self._all(structs.HeardCue, "heard")

    def outcomes(self):
        """The outcomes of the last advance. Valid until the next call."""
        return self._all(structs.Outcome, "outcomes")

    def type_name(self, type_id):
        """The game's name for an entity's type; None if there is none."""
        name = self.game.type_name(self._alive(), type_id)
        return None if name is None else name.decode()

    def player_name(self, handle):
        """Of an actor's player; empty if it is not known."""
        self._check(
            "player_name",
            self.game.player_name(self._alive(), handle, self._name, _NAME_BYTES),
        )
        return self._name.value.decode()

    def send_message(self, message):
        """Sends 1 to 1024 bytes to the game. False: 32 messages are on their way; try again later."""
        sent = self.game.send_message(self._alive(), message, len(message))
        return sent != Result.TOO_MANY and self._check("send_message", sent) == 0

    def messages(self):
        """The messages of the game since the last call, as bytes, in order. Call it after each advance."""
        out = []
        while True:
            taken = self.game.messages(
                self._alive(), self._message, structs.MESSAGE_BYTES_MAX, self._size
            )
            if self._check("messages", taken) == 0:
                return out
            out.append(bytes(memoryview(self._message)[: self._size.value]))

    def game_state(self, handle, struct, type=None):
        """The game's state of an entity as a `struct`, a ctypes.Structure; None if it is not known.
        `type`: the entity's, if it is not an actor."""
        client = self._alive()
        if type is None:
            bytes_there = self.game.game_state_bytes(client)
        else:
            bytes_there = self.game.type_state_bytes(client, type)
        state = self._state(struct, bytes_there)
        known = self.game.game_state(client, handle, ctypes.byref(state), ctypes.sizeof(state))
        return state if self._check("game_state", known) == 1 else None

    def world_state(self, struct):
        """The world's state, which all clients know, as a `struct`; None if it is not known yet."""
        client = self._alive()
        state = self._state(struct, self.game.world_state_bytes(client))
        known = self.game.world_state(client, ctypes.byref(state), ctypes.sizeof(state))
        return state if self._check("world_state", known) == 1 else None

    @staticmethod
    def _state(struct, bytes_there):
        state = struct()
        if ctypes.sizeof(state) != bytes_there:
            raise PerigeeError(
                "bad-argument",
                f"the game's state has {bytes_there} bytes and {struct.__name__} has {ctypes.sizeof(state)}",
            )
        return state

    def time(self):
        time = structs.Time()
        self._check("get_time", self.game.get_time(self._alive(), time))
        return time

    def telemetry(self):
        telemetry = structs.Telemetry()
        self._check("get_telemetry", self.game.get_telemetry(self._alive(), telemetry))
        return telemetry

    def net_graph(self):
        """The last 12.8 s in samples of 50 ms, the oldest first. Valid until the next call."""
        return self._all(structs.NetSample, "net_graph")

    def ground(self, handle):
        """The Ground of an entity; None if it has none."""
        ground = structs.Ground()
        known = self.game.get_ground(self._alive(), handle, ground)
        return None if known == Result.BAD_ARGUMENT else ground

    def cells(self, handle, low, size):
        """1 for each solid cell of a box, else 0, as bytes: x first, then z, then y."""
        three = ctypes.c_int32 * 3
        solid = (ctypes.c_uint8 * (size[0] * size[1] * size[2]))()
        read = self.game.cells(self._alive(), handle, three(*low), three(*size), solid, len(solid))
        self._check("cells", read)
        return bytes(solid)

    def record(self, seconds):
        """Keeps the last seconds (1 to 40) of the own avatar from now on; 0 ends it."""
        self._check("record", self.game.record(self._alive(), seconds))

    def recording(self):
        """The client's half of a flight recording, the bytes of a file; None before something is recorded."""
        written, data = self._file("recording")
        return data if written == 1 else None

    def report_flight(self, half, other=None, reruns=False):
        """Both paths of a flight recording and the causes of its corrections (docs/flight_recorder.md)."""
        halves = (half, len(half), other, 0 if other is None else len(other), int(reruns))
        written, data = self._file("report_flight", *halves)
        if written == 0:
            raise PerigeeError("bad-recording", data.decode())
        return json.loads(data)

    def _file(self, name, *arguments):
        function, size = getattr(self.game, name), ctypes.c_size_t(_FILE_BYTES_AT_FIRST)
        while True:
            out = (ctypes.c_uint8 * size.value)()
            written = function(self._alive(), *arguments, out, len(out), size)
            if written != Result.BUFFER_TOO_SMALL:
                return self._check(name, written), bytes(memoryview(out)[: size.value])

    def link(self, now_us, conditions):
        """A simulated path from now on, e.g. "P5" or "delay-ms=75 jitter-ms=10"; "none" ends it."""
        self._check("link", self.game.link(self._alive(), now_us, conditions.encode()))

    def use(self, techniques):
        """Techniques against latency, e.g. "smoothing=none prediction=off"."""
        self._check("use", self.game.use(self._alive(), techniques.encode()))

    def inject_desync(self, x_m, y_m, z_m):
        """Displaces the predicted avatar, to demonstrate a correction."""
        self._check("inject_desync", self.game.inject_desync(self._alive(), x_m, y_m, z_m))

    def _all(self, struct, name, *arguments):
        """The array for the items of this kind grows to what there is."""
        items = self._items.setdefault(name, (struct * _ITEMS_AT_FIRST)())
        each, function = ctypes.sizeof(struct), getattr(self.game, name)
        count = self._check(name, function(self._alive(), *arguments, items, each, len(items)))
        if count > len(items):
            items = self._items[name] = (struct * (2 * count))()
            count = self._check(name, function(self._alive(), *arguments, items, each, len(items)))
        return items[:count]

    def _alive(self):
        if not self._handle:
            raise PerigeeError("ended", "this client is closed")
        return self._handle

    @staticmethod
    def _check(name, result):
        if result >= 0:
            return result
        if result == Result.BAD_TOKEN:
            raise PerigeeError("bad-token", "the token is none; log in again")
        if result == Result.NOT_PLAYING:
            raise PerigeeError("not-playing", f"{name} needs a player in the world")
        if result in (Result.BAD_ARGUMENT, Result.BUFFER_TOO_SMALL):
            raise PerigeeError("bad-argument", f"an argument of {name} is wrong or out of range")
        raise PerigeeError("stopped", f"{name} failed inside the client library ({result})")
