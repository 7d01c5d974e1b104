"""Constants and structs of perigee_client.h."""

import ctypes
import enum
from ctypes import c_char, c_double, c_float, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64

ABI = 1
DATAGRAM_BYTES_MAX = 1225
MESSAGE_BYTES_MAX = 1024


class Result(enum.IntEnum):
    OK = 0
    BAD_ARGUMENT = -1
    BAD_TOKEN = -2
    BUFFER_TOO_SMALL = -3
    NOT_PLAYING = -4
    INTERNAL = -5
    TOO_MANY = -6


class State(enum.IntEnum):
    TOKEN_EXPIRED = -6  # up to DISCONNECTED: over
    TOKEN_INVALID = -5
    TIMED_OUT = -4
    RESPONSE_TIMED_OUT = -3
    REQUEST_TIMED_OUT = -2
    DENIED = -1
    DISCONNECTED = 0
    CONNECTING = 1
    JOINING = 2  # connected, without an avatar yet
    PLAYING = 3
    RECONNECTING = 4  # the gateway fell silent; reconnecting to the avatar


class Button(enum.IntFlag):
    """Bits of Input.held_buttons and Input.pressed_buttons."""

    JUMP = 1 << 0
    RUN = 1 << 1
    JETPACK = 1 << 2
    DAMPERS = 1 << 3
    FIRE = 1 << 4
    ALTERNATE = 1 << 5
    DIG = 1 << 6
    FILL = 1 << 7


class CueState(enum.IntEnum):
    PLAYED = 0  # predicted: play it now
    CONFIRMED = 1  # it happened; `detail` has the result
    CANCELLED = 2  # it did not happen: take it back


class Address(ctypes.Structure):
    _fields_ = [("family", c_uint8), ("ip", c_uint8 * 16), ("port", c_uint16)]


class Sized(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, **values):
        super().__init__(struct_bytes=ctypes.sizeof(self), **values)


class Missing(enum.IntEnum):
    """The value of an own field in a tick whose input is missing."""

    HELD = 0  # the last one, and after 100 ms the initial one
    KEPT = 1  # the last one
    MOMENTARY = 2  # the initial one


class InputField(ctypes.Structure):
    """A field that the game adds to inputs. `name` is bytes."""

    _fields_ = [
        ("name", c_char * 32),
        ("low", c_int64),
        ("high", c_int64),
        ("initial", c_int64),
        ("offset", c_uint32),
        ("bytes", c_uint32),
        ("missing", c_uint32),
        ("reserved", c_uint32),
    ]


class Input(Sized):
    """The controls of a frame. pressed_buttons and use_handle count once."""

    _fields_ = [
        ("struct_bytes", c_uint32),
        ("right", c_float),
        ("up", c_float),
        ("forward", c_float),
        ("yaw_rad", c_float),
        ("pitch_rad", c_float),
        ("held_buttons", c_uint32),
        ("pressed_buttons", c_uint32),
        ("use_handle", c_uint32),
    ]


class Entity(ctypes.Structure):
    """An entity as rendered now. `parent`: the frame of local_*; 0: the world."""

    _fields_ = [
        ("handle", c_uint32),
        ("parent", c_uint32),
        ("type", c_uint32),
        ("flags", c_uint32),
        ("local_position_m", c_double * 3),
        ("local_rotation", c_double * 4),
        ("world_position_m", c_double * 3),
        ("world_rotation", c_double * 4),
        ("smoothing_m", c_double * 3),
    ]

    @property
    def own(self):
        """The predicted avatar."""
        return bool(self.flags & 1)

    @property
    def smoothing(self):
        """A correction is being blended out."""
        return bool(self.flags & 2)

    @property
    def extrapolated(self):
        """Rendered beyond its newest sample."""
        return bool(self.flags & 4)


class Cue(ctypes.Structure):
    """A cue of the own avatar's actions, or of a hit on it; tick and index identify it."""

    _fields_ = [
        ("tick", c_uint32),
        ("index", c_uint32),
        ("effect", c_uint32),
        ("subject", c_uint32),
        ("state", c_uint32),
        ("detail", c_uint32),
    ]


class HeardCue(ctypes.Structure):
    """A cue of another actor, or one that the game ordered: play it now, where it is."""

    _fields_ = [
        ("tick", c_uint32),
        ("handle", c_uint32),
        ("effect", c_uint32),
        ("subject", c_uint32),
        ("detail", c_uint32),
        ("reserved", c_uint32),
        ("world_position_m", c_double * 3),
    ]


class Outcome(ctypes.Structure):
    """A final fact of the game that concerns the own avatar."""

    _fields_ = [
        ("tick", c_uint32),
        ("index", c_uint32),
        ("kind", c_uint32),
        ("actor", c_uint32),
        ("target", c_uint32),
        ("amount", c_int32),
    ]


class Projectile(ctypes.Structure):
    """A projectile as rendered now; actor, tick and index identify it."""

    _fields_ = [
        ("actor", c_uint32),
        ("tick", c_uint32),
        ("index", c_uint32),
        ("kind", c_uint32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("world_position_m", c_double * 3),
    ]

    @property
    def own(self):
        """Launched by the own avatar."""
        return bool(self.flags & 1)


class Ground(Sized):
    """Ground made of cells. `size`: cells along x, y and z; the low corner is at the entity."""

    _fields_ = [
        ("struct_bytes", c_uint32),
        ("size", c_int32 * 3),
        ("cell_m", c_double),
        ("version", c_uint64),
    ]


class NetSample(ctypes.Structure):
    """50 ms of the connection."""

    _fields_ = [
        ("end_us", c_int64),
        ("rtt_us", c_int64),
        ("jitter_us", c_int64),
        ("lead_us", c_int64),
        ("packets_received", c_uint32),
        ("packets_lost", c_uint32),
        ("bytes_received", c_uint32),
        ("packets_sent", c_uint32),
        ("bytes_sent", c_uint32),
        ("corrections", c_uint32),
        ("largest_correction_m", c_double),
    ]


class Time(Sized):
    """known is 0 before the server's first block; all fields are 0 then."""

    _fields_ = [
        ("struct_bytes", c_uint32),
        ("known", c_uint32),
        ("predicted_tick", c_uint32),
        ("view_origin_tick", c_uint32),
        ("view_ticks", c_double),
        ("view_delay_s", c_double),
        ("rate", c_double),
    ]


class Telemetry(Sized):
    _fields_ = [
        ("struct_bytes", c_uint32),
        ("reserved", c_uint32),
        ("rtt_us", c_int64),
        ("full_loop_us", c_int64),
        ("jitter_us", c_int64),
        ("lead_us", c_int64),
        ("packets", c_uint64),
        ("packets_lost", c_uint64),
        ("bytes", c_uint64),
        ("corrections", c_uint64),
        ("largest_correction_m", c_double),
    ]


# By the names that perigee_client_struct_bytes() knows.
BY_NAME = {
    "address": Address,
    "input": Input,
    "input_field": InputField,
    "entity": Entity,
    "cue": Cue,
    "heard_cue": HeardCue,
    "outcome": Outcome,
    "projectile": Projectile,
    "ground": Ground,
    "net_sample": NetSample,
    "time": Time,
    "telemetry": Telemetry,
}
