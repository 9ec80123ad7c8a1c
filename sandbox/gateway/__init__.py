"""The gateway: WebSockets, sessions that outlive them, and the events of each session."""

import asyncio
import json

from aiohttp import web

from sandbox.events import Event, Intent
from sandbox.gateway.connection import Connection
from sandbox.gateway.context import GatewayContext
from sandbox.snowflakes import http_date

_CLOSING_S = 1.0
"""Maximum time in seconds for a bot to acknowledge that its WebSocket closes."""


class Gateway:
    """Accepts the WebSockets of the bot's sessions."""

    def __init__(self, context: GatewayContext) -> None:
        self._context = context
        self.sessions = context.sessions
        context.state.listeners.append(self.dispatch)

    def dispatch(self, event: Event) -> None:
        """Send an event to every session that should receive it."""
        faults = self._context.faults
        if faults.is_away(event.guild_id):
            return
        full = bare = ""
        for session in tuple(self.sessions.by_id.values()):
            if not session.accepts(event) or faults.hides_event():
                continue
            if event.bare is not None and not session.intents & Intent.MESSAGE_CONTENT:
                bare = bare or json.dumps(event.bare)
                session.dispatch(event.name, bare)
            else:
                full = full or json.dumps(event.data)
                session.dispatch(event.name, full)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Serve one WebSocket until it closes."""
        if self._context.faults.refuses_socket():
            return web.Response(status=503)
        socket = web.WebSocketResponse(compress=False, max_msg_size=0, timeout=_CLOSING_S)
        socket.headers["Date"] = http_date(self._context.state.now())
        await socket.prepare(request)
        compression = request.query.get("compress", "")
        connection = Connection(self._context, socket, request.transport, compression)
        self.sessions.connections.add(connection)
        try:
            await connection.run(request.query)
        finally:
            self.sessions.connections.discard(connection)
        return socket

    async def close(self, code: int, reason: str) -> None:
        """Close every WebSocket. Sessions can still be resumed."""
        await asyncio.gather(
            *(connection.close(code, reason) for connection in tuple(self.sessions.connections))
        )

    def ask_to_reconnect(self) -> None:
        """Send op 7 to every bot."""
        for connection in self.sessions.connections:
            connection.ask_to_reconnect()

    def invalidate(self, *, resumable: bool) -> None:
        """Send op 9 to every bot. Sessions that are not resumable are dropped."""
        if not resumable:
            self.sessions.by_id.clear()
        for connection in self.sessions.connections:
            connection.invalidate(resumable=resumable)
