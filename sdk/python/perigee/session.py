"""A player in the world: the client library with sockets and clock."""

import ctypes
import socket
import time

from . import structs
from .errors import LogInError, PerigeeError
from .log_in import log_in
from .structs import Input, State

_FAMILIES = {4: (socket.AF_INET, 4), 6: (socket.AF_INET6, 16)}
_JOINING_STEP_S = 0.01
_DATAGRAMS_PER_FRAME_MAX = 1024

_ENDS = {
    State.TOKEN_EXPIRED: "the connection took longer than the token was valid; log in again",
    State.TOKEN_INVALID: "the token is none; log in again",
    State.TIMED_OUT: "the server has not been heard of for too long",
    State.RESPONSE_TIMED_OUT: "the server answered at first, and then no more",
    State.REQUEST_TIMED_OUT: "no server answered",
    State.DENIED: "the server refused the connection: it is full, or an operator has ended the session",
    State.DISCONNECTED: "the session has ended",
}


def _now_us():
    return time.monotonic_ns() // 1000


class Session:
    """Use Session.join(). Call frame() once per frame, at least ten times a second."""

    def __init__(self, client):
        self.client = client
        self.cues = []  # of the last frame
        self.heard = []  # cues of others, of the last frame
        self.outcomes = []  # of the last frame
        self.projectiles = []  # to draw in the last frame
        self.own = None  # the own avatar as of the last frame; None if there is none to render
        self._sockets = {}
        self._datagram = (ctypes.c_uint8 * (structs.DATAGRAM_BYTES_MAX + 1))()
        self._from = structs.Address()

    @classmethod
    def join(cls, game, url, name, credential, wanted_region=None, techniques="", timeout_s=15):
        """Logs in, connects, and waits for the player's avatar."""
        session = cls(game.create_client())
        try:
            if techniques:
                session.client.use(techniques)
            token = session._token(url, name, credential, wanted_region)
            session.client.begin(_now_us(), token)
            session._wait_for_avatar(timeout_s)
        except BaseException:
            session._close()
            raise
        return session

    def frame(self, controls=None):
        """Sends the controls, and returns the entities to draw, parents before children.

        The entities are valid until the next frame. PerigeeError "ended" once the session is over.
        """
        self._step(controls if controls is not None else Input())
        self.cues = self.client.cues()
        self.heard = self.client.heard()
        self.outcomes = self.client.outcomes()
        now_us = _now_us()
        self.projectiles = self.client.projectiles(now_us)
        entities = self.client.scene(now_us)
        self.own = next((entity for entity in entities if entity.own), None)
        return entities

    def leave(self):
        """Leaves the world, and frees everything. Without it the avatar stays until a timeout."""
        if self._sockets:
            self.client.disconnect(_now_us())
            self._send()
        self._close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()

    def _token(self, url, name, credential, wanted_region):
        client = self.client
        try:
            reply = log_in(
                url, name, credential, client.wire_version, client.schema_hash, wanted_region
            )
        except LogInError as refusal:
            if refusal.status != "FAILED_PRECONDITION":
                raise
            raise LogInError(
                f"{refusal} (the client is {client.game.library}: build it from the same sources as the server)",
                refusal.status,
                refusal.http_status,
            ) from None
        return reply.connect_token

    def _wait_for_avatar(self, timeout_s):
        end_s = time.monotonic() + timeout_s
        while time.monotonic() < end_s:
            self._step(Input())
            if self.client.state == State.PLAYING:
                return
            time.sleep(_JOINING_STEP_S)
        state = self.client.state.name.lower()
        raise PerigeeError("timeout", f"no avatar after {timeout_s} s ({state})")

    def _step(self, controls):
        self._receive()
        self.client.advance(_now_us(), controls)
        self._send()
        state = self.client.state
        if state <= State.DISCONNECTED:
            raise PerigeeError("ended", _ENDS[state])

    def _receive(self):
        for family, udp in self._sockets.items():
            for _ in range(_DATAGRAMS_PER_FRAME_MAX):
                try:
                    size, peer = udp.recvfrom_into(self._datagram)
                except BlockingIOError:
                    break
                except OSError:  # a port that is closed was told so; the client notices the silence
                    continue
                if size > structs.DATAGRAM_BYTES_MAX:
                    continue
                self._from.family, self._from.port = family, peer[1]
                number = socket.inet_pton(_FAMILIES[family][0], peer[0].partition("%")[0])
                self._from.ip[: len(number)] = number
                self.client.receive(_now_us(), self._from, self._datagram, size)

    def _send(self):
        for to, datagram in iter(self.client.poll_send, None):
            kind, ip_bytes = _FAMILIES[to.family]
            host = socket.inet_ntop(kind, bytes(to.ip)[:ip_bytes])
            try:
                if to.family not in self._sockets:
                    self._sockets[to.family] = socket.socket(kind, socket.SOCK_DGRAM)
                    self._sockets[to.family].setblocking(False)
                self._sockets[to.family].sendto(datagram, (host, to.port))
            except OSError:  # as if it was lost on the way; without IPv6 the client tries the next gateway
                pass

    def _close(self):
        for udp in self._sockets.values():
            udp.close()
        self._sockets = {}
        self.client.close()
