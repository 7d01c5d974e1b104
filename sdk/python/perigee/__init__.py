"""A player of a perigee world. docs/sdk_python.md of perigee has the steps.

Metres, seconds, radians; right-handed, y up; quaternions x, y, z, w.
"""

from .client import Client
from .errors import LogInError, PerigeeError
from .game import Game
from .log_in import LogIn, log_in
from .session import Session
from .structs import (
    Button,
    Cue,
    CueState,
    Entity,
    Ground,
    HeardCue,
    Input,
    NetSample,
    Outcome,
    Projectile,
    State,
    Telemetry,
    Time,
)

__all__ = [
    "Button",
    "Client",
    "Cue",
    "CueState",
    "Entity",
    "Game",
    "Ground",
    "HeardCue",
    "Input",
    "LogIn",
    "LogInError",
    "NetSample",
    "Outcome",
    "PerigeeError",
    "Projectile",
    "Session",
    "State",
    "Telemetry",
    "Time",
    "log_in",
]
