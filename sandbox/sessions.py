"""Sessions: the state that a bot resumes after a lost connection, and their collection."""

import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from sandbox.events import Event
from sandbox.state import State

RESUMABLE_S = 180.0
"""Seconds that a session waits for its bot: minutes, says Discord."""

_REPLAY = 1000


class Outlet(Protocol):
    """The way out for payloads: a connection."""

    def send_text(self, payload: str) -> None: ...

    def supersede(self) -> None:
        """Another connection has taken the session over."""

    def cut(self) -> None:
        """End as a broken cable does."""

    def expel(self) -> None:
        """End for good because the token is no longer valid."""

    def invalidate(self, *, resumable: bool) -> None:
        """End the session, or require that the bot resumes it if ``resumable``."""

    def ask_to_reconnect(self) -> None:
        """The bot is to come back on another connection."""

    async def close(self, code: int, reason: str) -> None:
        """End after what waits has been sent."""


@dataclass(eq=False)
class Session:
    """A bot's shard, as the gateway remembers it over broken connections."""

    state: State
    intents: int
    shard: int
    shards: int
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_REPLAY))
    connection: Outlet | None = None
    lost_at: float | None = None

    @property
    def connected(self) -> bool:
        """True if a bot receives the dispatched events."""
        return self.connection is not None

    def hears(self, event: Event) -> bool:
        """Return True if a session gets an event, by its intents and its shard."""
        if event.intent and not self.intents & event.intent:
            return False
        return self.serves(event.guild_id)

    def serves(self, guild_id: int | None) -> bool:
        """Return True if a guild (None: direct messages) belongs to its shard."""
        return (0 if guild_id is None else guild_id >> 22) % self.shards == self.shard

    def dispatch(self, name: str, data: str) -> None:
        """Send an event, or keep it until the bot resumes. ``data`` is JSON text."""
        self.sequence += 1
        payload = f'{{"t":"{name}","s":{self.sequence},"op":0,"d":{data}}}'
        self.sent.append((self.sequence, payload))
        if self.connection is not None:
            self.connection.send_text(payload)

    def since(self, after: int) -> list[str] | None:
        """Return the payloads after a sequence number, or None if some are forgotten."""
        if self.sent and after < self.sent[0][0] - 1:
            return None
        return [payload for number, payload in self.sent if number > after]

    def lost(self) -> None:
        """Record that the connection is gone. The bot may come back."""
        self.connection = None
        self.lost_at = self.state.now()

    @property
    def resumable(self) -> bool:
        """True if the bot can still resume it."""
        return self.lost_at is None or self.state.now() - self.lost_at < RESUMABLE_S


class Sessions:
    """All sessions of the bot, and the connections there are.

    Attributes:
        by_id: the lost ones that may still be resumed among them.
        connections: also those that have not identified.
    """

    def __init__(self) -> None:
        self.by_id: dict[str, Session] = {}
        self.connections: set[Outlet] = set()

    @property
    def connected(self) -> bool:
        """True if a bot is connected and has identified."""
        return any(session.connected for session in self.by_id.values())

    def listening(self, guild_id: int | None) -> bool:
        """Return True if a connected bot gets events of a guild (None: of direct messages)."""
        return any(s.connected and s.serves(guild_id) for s in self.by_id.values())

    def forget_stale(self) -> None:
        """Drop sessions that can no longer be resumed."""
        self.by_id = {key: s for key, s in self.by_id.items() if s.resumable}

    def cut(self) -> None:
        """Cut every connection without a close frame. The sessions stay resumable."""
        for connection in self.connections:
            connection.cut()

    def expel(self) -> None:
        """Close every connection for ever: the token has been reset."""
        self.by_id.clear()
        for connection in self.connections:
            connection.expel()
