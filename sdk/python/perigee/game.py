"""The client library with a game inside."""

import ctypes
from ctypes import (
    POINTER,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)

from . import structs
from .client import Client
from .errors import PerigeeError

_BYTES = POINTER(c_uint8)
_THREE = POINTER(c_int32)

# Name without perigee_client_: result, arguments.
_FUNCTIONS = {
    "abi": (c_uint32, []),
    "struct_bytes": (c_size_t, [c_char_p]),
    "create": (c_void_p, [c_uint32]),
    "destroy": (None, [c_void_p]),
    "wire_version": (c_uint32, []),
    "schema_hash": (c_uint64, [c_void_p]),
    "begin": (c_int, [c_void_p, c_int64, c_char_p, c_size_t]),
    "receive": (c_int, [c_void_p, c_int64, POINTER(structs.Address), _BYTES, c_size_t]),
    "advance": (c_int, [c_void_p, c_int64, POINTER(structs.Input)]),
    "input_fields": (c_int, [c_void_p, POINTER(structs.InputField), c_size_t, c_size_t]),
    "set_input": (c_int, [c_void_p, c_char_p, c_int64]),
    "get_input": (c_int, [c_void_p, c_char_p, POINTER(c_int64)]),
    "own_input_bytes": (c_size_t, [c_void_p]),
    "set_own_input": (c_int, [c_void_p, c_void_p, c_size_t]),
    "poll_send": (c_int, [c_void_p, POINTER(structs.Address), _BYTES, c_size_t, POINTER(c_size_t)]),
    "disconnect": (c_int, [c_void_p, c_int64]),
    "get_state": (c_int, [c_void_p]),
    "scene": (c_int, [c_void_p, c_int64, POINTER(structs.Entity), c_size_t, c_size_t]),
    "type_name": (c_char_p, [c_void_p, c_uint32]),
    "cues": (c_int, [c_void_p, POINTER(structs.Cue), c_size_t, c_size_t]),
    "heard": (c_int, [c_void_p, POINTER(structs.HeardCue), c_size_t, c_size_t]),
    "outcomes": (c_int, [c_void_p, POINTER(structs.Outcome), c_size_t, c_size_t]),
    "projectiles": (c_int, [c_void_p, c_int64, POINTER(structs.Projectile), c_size_t, c_size_t]),
    "game_state_bytes": (c_size_t, [c_void_p]),
    "type_state_bytes": (c_size_t, [c_void_p, c_uint32]),
    "game_state": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "world_state_bytes": (c_size_t, [c_void_p]),
    "world_state": (c_int, [c_void_p, c_void_p, c_size_t]),
    "player_name": (c_int, [c_void_p, c_uint32, c_char_p, c_size_t]),
    "send_message": (c_int, [c_void_p, c_char_p, c_size_t]),
    "messages": (c_int, [c_void_p, _BYTES, c_size_t, POINTER(c_size_t)]),
    "get_time": (c_int, [c_void_p, POINTER(structs.Time)]),
    "get_telemetry": (c_int, [c_void_p, POINTER(structs.Telemetry)]),
    "net_graph": (c_int, [c_void_p, POINTER(structs.NetSample), c_size_t, c_size_t]),
    "get_ground": (c_int, [c_void_p, c_uint32, POINTER(structs.Ground)]),
    "cells": (c_int, [c_void_p, c_uint32, _THREE, _THREE, _BYTES, c_size_t]),
    "record": (c_int, [c_void_p, c_int]),
    "recording": (c_int, [c_void_p, _BYTES, c_size_t, POINTER(c_size_t)]),
    "report_flight": (
        c_int,
        [c_void_p, c_char_p, c_size_t, c_char_p, c_size_t, c_int, _BYTES, c_size_t, POINTER(c_size_t)],
    ),
    "link": (c_int, [c_void_p, c_int64, c_char_p]),
    "use": (c_int, [c_void_p, c_char_p]),
    "inject_desync": (c_int, [c_void_p, c_double, c_double, c_double]),
}


class Game:
    """Loads the library, e.g. "libperigee_client_skiff.so.1". A path, or a name that the system finds."""

    def __init__(self, library):
        self.library = str(library)
        try:
            loaded = ctypes.CDLL(self.library)
        except OSError as problem:
            raise PerigeeError(
                "library-missing", f"the client library cannot be loaded: {problem}"
            ) from problem
        for name, (result, arguments) in _FUNCTIONS.items():
            try:
                function = loaded[f"perigee_client_{name}"]
            except AttributeError:
                raise PerigeeError(
                    "other-abi",
                    f"{self.library} has no perigee_client_{name}: it is no client library of perigee, "
                    "or an older one than this package; build it again",
                ) from None
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self._check_sizes()

    def _check_sizes(self):
        if self.abi() != structs.ABI:
            raise PerigeeError(
                "other-abi",
                f"{self.library} has ABI {self.abi()}, this package {structs.ABI}; use those of one perigee",
            )
        for name, struct in structs.BY_NAME.items():
            bytes_there, bytes_here = self.struct_bytes(name.encode()), ctypes.sizeof(struct)
            if bytes_there < bytes_here:
                raise PerigeeError(
                    "other-abi",
                    f"perigee_client_{name} has {bytes_there} bytes in {self.library} and {bytes_here} in "
                    "this package: the library is older; build it again",
                )

    def create_client(self):
        return Client(self)
