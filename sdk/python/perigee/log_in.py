"""Log-in at the session service over HTTP (docs/log_in_over_http.md)."""

import base64
import binascii
import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import NamedTuple

from .errors import LogInError

PATIENCE_S = 10
_ANSWER_BYTES_MAX = 65536


class LogIn(NamedTuple):
    connect_token: bytes  # valid for 30 s, for one connection
    client_id: int
    gateway_address: str
    tick_rate_hz: int


def log_in(url, player_name, credential, wire_version, schema_hash, wanted_region=None):
    """`url`: of the session service, such as http://127.0.0.1:40013."""
    request = {
        "playerName": player_name,
        "credential": credential,
        "wireVersion": wire_version,
        "schemaHash": str(schema_hash),
    }
    if wanted_region is not None:
        request["wantedRegion"] = wanted_region
    target = urllib.parse.urljoin(url, "/v1/log_in")
    try:
        call = urllib.request.Request(
            target, json.dumps(request).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(call, timeout=PATIENCE_S) as answer:
            return _reply_of(url, answer.read(_ANSWER_BYTES_MAX))
    except urllib.error.HTTPError as refusal:
        raise _refusal_of(url, refusal) from None
    except (OSError, ValueError, http.client.InvalidURL) as problem:
        reason = getattr(problem, "reason", problem)
        raise LogInError(f"{url} does not answer the log-in ({reason}); is it running?") from problem
    except http.client.HTTPException as problem:  # its text may be bytes of another protocol
        raise LogInError(f"{url} does not answer in HTTP ({problem!r}); is it another port?") from problem


def _reply_of(url, body):
    try:
        fields = json.loads(body)
        return LogIn(  # proto3's JSON leaves out what is 0 or empty
            base64.b64decode(fields["connectToken"], validate=True),
            int(fields.get("clientId", 0)),
            fields.get("gatewayAddress", ""),
            int(fields.get("tickRateHz", 0)),
        )
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error):
        raise LogInError(f"what {url} answers is no log-in", http_status=200) from None


def _refusal_of(url, refusal):
    try:
        error = json.loads(refusal.read(_ANSWER_BYTES_MAX))["error"]
        message, status = str(error["message"]), str(error["status"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        message, status = f"{url} answers the log-in with {refusal.code} {refusal.reason}", ""
    wait = refusal.headers.get("Retry-After", "")
    return LogInError(message, status, refusal.code, int(wait) if wait.isdecimal() else None)
