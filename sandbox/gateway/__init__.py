"""The gateway: websockets, the sessions that outlive them, and what each of them is told."""

import asyncio
import json

from aiohttp import web

from sandbox.events import Event, Intent
from sandbox.faults import Faults
from sandbox.gateway.connection import Connection, Op
from sandbox.gateway.session import Session
from sandbox.ratelimits import RateLimiter
from sandbox.snowflakes import http_date
from sandbox.state import State

_CLOSING_S = 1.0
"""How long a bot may take to answer the closing of its socket, in seconds."""


class Gateway:
    """All sessions of the bot, and the door to them."""

    def __init__(self, state: State, token: str, limiter: RateLimiter, faults: Faults) -> None:
        self.state = state
        self.limiter = limiter
        self.faults = faults
        self.token = token
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        state.listeners.append(self.dispatch)

    def dispatch(self, event: Event) -> None:
        """Tell every session that an event is for."""
        if self.faults.is_away(event.guild_id):
            return
        full = bare = ""
        for session in tuple(self.sessions.values()):
            if not session.hears(event) or self.faults.hides_event():
                continue
            if event.bare is not None and not session.intents & Intent.MESSAGE_CONTENT:
                bare = bare or json.dumps(event.bare)
                session.dispatch(event.name, bare)
            else:
                full = full or json.dumps(event.data)
                session.dispatch(event.name, full)

    @property
    def connected(self) -> bool:
        """Whether a bot is connected and has identified."""
        return any(session.connected for session in self.sessions.values())

    def listening(self, guild_id: int | None) -> bool:
        """Whether a bot is connected that hears of a guild (None: of direct messages)."""
        return any(s.connected and s.serves(guild_id) for s in self.sessions.values())

    async def handle(self, request: web.BaseRequest) -> web.WebSocketResponse:
        """Serve one websocket from its opening to its end."""
        socket = web.WebSocketResponse(compress=False, max_msg_size=0, timeout=_CLOSING_S)
        socket.headers["Date"] = http_date(self.state.now())
        await socket.prepare(request)
        connection = Connection(self, socket, request.transport, request.query.get("compress", ""))
        self.connections.add(connection)
        try:
            await connection.run(request.query)
        finally:
            self.connections.discard(connection)
        return socket

    def forget_stale(self) -> None:
        """Drop sessions to which no bot may come back."""
        self.sessions = {key: s for key, s in self.sessions.items() if s.resumable}

    async def close(self, code: int, reason: str) -> None:
        """Close every socket; sessions stay resumable."""
        await asyncio.gather(*(one.close(code, reason) for one in tuple(self.connections)))

    def expel(self) -> None:
        """Close every socket for ever: the token has been reset."""
        self.sessions.clear()
        for connection in self.connections:
            connection.expel()

    def ask_to_reconnect(self) -> None:
        """Send op 7 to every bot."""
        for connection in self.connections:
            connection.send(Op.RECONNECT, None)

    def invalidate(self, *, resumable: bool) -> None:
        """Send op 9 to every bot; a session that is not resumable is forgotten."""
        if not resumable:
            self.sessions.clear()
        for connection in self.connections:
            connection.invalidate(resumable=resumable)
