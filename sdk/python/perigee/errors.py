"""Every error of this package."""


class PerigeeError(Exception):
    """`fault` is for the program, the message is a sentence for a person.

    Faults: library-missing, other-abi, bad-argument, bad-token, bad-recording, not-playing, log-in, timeout, ended,
    stopped (a bug in perigee or in the game, or no memory is left).
    """

    def __init__(self, fault, message):
        super().__init__(message)
        self.fault = fault


class LogInError(PerigeeError):
    """A refused log-in. The message is the service's sentence."""

    def __init__(self, message, status="", http_status=0, retry_after_s=None):
        super().__init__("log-in", message)
        self.status = status  # gRPC's name, such as UNAUTHENTICATED; empty without an answer
        self.http_status = http_status  # 0 without an answer
        self.retry_after_s = retry_after_s  # when to try again, if the service says so
