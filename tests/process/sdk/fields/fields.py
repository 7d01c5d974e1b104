"""The Python package sets the input fields of a game: fields.py LIBRARY"""

import ctypes
import sys

import perigee

client = perigee.Game(sys.argv[1]).create_client()


class Controls(ctypes.Structure):
    _fields_ = [("lean", ctypes.c_int16), ("slot", ctypes.c_uint8), ("emote", ctypes.c_uint8)]


def values():
    return [client.get_input(name) for name in ("lean", "slot", "emote")]


def refused(call):
    before = values()
    try:
        call()
    except perigee.PerigeeError as error:
        assert error.fault == "bad-argument", f"{error.fault}: {error}"
        assert values() == before, f"{values()} after a refusal, {before} before it"
        return
    raise AssertionError(f"no error, and now {values()}")


listed = [(each.name, each.low, each.high, each.initial, each.offset, each.bytes) for each in client.input_fields()]
assert listed == [(b"lean", -100, 100, 0, 0, 2), (b"slot", 1, 5, 1, 2, 1), (b"emote", 0, 6, 0, 3, 1)], listed
assert values() == [0, 1, 0]

client.set_input("lean", -100)
client.set_input("slot", 3)
client.set_input("emote", 2)
assert values() == [-100, 3, 2]
for value in (0, 6, -1, 2**31, 2**63, 2**64 + 3, -(2**64) + 3):  # the low 64 bits of two of them are 3
    refused(lambda: client.set_input("slot", value))
refused(lambda: client.set_input("lean", -101))
refused(lambda: client.set_input("weapon", 3))
refused(lambda: client.set_input("", 3))

client.advance(1_000_000, perigee.Input())
assert values() == [-100, 3, 0], "a momentary field is dropped like a press"

client.set_own_input(Controls(lean=7, slot=5, emote=6))
assert values() == [7, 5, 6]
refused(lambda: client.set_own_input(Controls(lean=7, slot=6)))
refused(lambda: client.set_own_input(perigee.Cue()))
print("three fields")
