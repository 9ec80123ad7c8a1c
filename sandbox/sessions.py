"""Gateway sessions, which a bot can resume after it loses a connection."""

import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from sandbox.events import Event
from sandbox.state import State

RESUMABLE_S = 180.0
"""Seconds during which a session can be resumed. Discord's documentation only mentions minutes."""

_REPLAY = 1000


class Outlet(Protocol):
    """A connection that payloads are sent to."""

    def send_text(self, payload: str) -> None: ...

    def supersede(self) -> None:
        """Close because another connection has taken over the session."""

    def cut(self) -> None:
        """End the connection as if a cable broke."""

    def expel(self) -> None:
        """End the connection for good, because the token is no longer valid."""

    def invalidate(self, *, resumable: bool) -> None:
        """End the session, or require the bot to resume it if ``resumable``."""

    def ask_to_reconnect(self) -> None:
        """Ask the bot to reconnect."""

    async def close(self, code: int, reason: str) -> None:
        """End the connection after sending the queued payloads."""


@dataclass(eq=False)
class Session:
    """A bot's shard, as the gateway remembers it across connections."""

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
        """True if a bot currently receives dispatched events."""
        return self.connection is not None

    def accepts(self, event: Event) -> bool:
        """Return True if the session should receive an event, given its intents and its shard."""
        if event.intent and not self.intents & event.intent:
            return False
        return self.serves(event.guild_id)

    def serves(self, guild_id: int | None) -> bool:
        """Return True if a guild (None: direct messages) belongs to its shard."""
        return (0 if guild_id is None else guild_id >> 22) % self.shards == self.shard

    def dispatch(self, name: str, data: str) -> None:
        """Send an event, or store it until the bot resumes. ``data`` is JSON text."""
        self.sequence += 1
        payload = f'{{"t":"{name}","s":{self.sequence},"op":0,"d":{data}}}'
        self.sent.append((self.sequence, payload))
        if self.connection is not None:
            self.connection.send_text(payload)

    def since(self, after: int) -> list[str] | None:
        """Return the payloads after a sequence number, or None if some were dropped."""
        if self.sent and after < self.sent[0][0] - 1:
            return None
        return [payload for number, payload in self.sent if number > after]

    def lost(self) -> None:
        """Record that the connection was lost. The bot may come back."""
        self.connection = None
        self.lost_at = self.state.now()

    @property
    def resumable(self) -> bool:
        """True if the bot can still resume it."""
        return self.lost_at is None or self.state.now() - self.lost_at < RESUMABLE_S


class Sessions:
    """All sessions of the bot, and current connections.

    Attributes:
        by_id: Sessions by id, including lost ones that can still be resumed.
        connections: All connections, including those that have not identified.
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
        """Cut every connection without a close frame. Sessions can still be resumed."""
        for connection in self.connections:
            connection.cut()

    def expel(self) -> None:
        """Close every connection for good, because the token was reset."""
        self.by_id.clear()
        for connection in self.connections:
            connection.expel()
