"""Parts that all gateway connections share: opcodes, errors and services."""

from dataclasses import dataclass

from sandbox.faults import Faults
from sandbox.ratelimits import RateLimiter
from sandbox.sessions import Sessions
from sandbox.state import State


class Op:
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(Exception):  # noqa: N818 - it closes a socket, which is not an error here
    """The gateway closes the socket with a code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


@dataclass(frozen=True, slots=True)
class GatewayContext:
    """The services that every connection uses.

    Attributes:
        token: The bot's token.
        limiter: Counts IDENTIFYs.
    """

    state: State
    token: str
    limiter: RateLimiter
    faults: Faults
    sessions: Sessions
