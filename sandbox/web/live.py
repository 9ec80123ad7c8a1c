"""Pushes changes to all windows of the page that may see them."""

import asyncio
import contextlib
import json
from collections.abc import Callable

from aiohttp import WSCloseCode, web

from sandbox.events import Event
from sandbox.model import JSON, Message, User
from sandbox.state import State
from sandbox.web import views
from sandbox.web.body import PageRequestError

MAX_WINDOWS = 64
MAX_WAITING = 1000
"""Maximum number of unsent pushes before a window is disconnected. It reconnects automatically."""

_HEARTBEAT_S = 20.0
_PLACES = ("CHANNEL_", "THREAD_", "GUILD_")


class _Window:
    """One browser window, and its unsent pushes."""

    def __init__(self, user: User, transport: asyncio.BaseTransport | None) -> None:
        self.user = user
        self._transport = transport
        self._waiting: asyncio.Queue[JSON] = asyncio.Queue(MAX_WAITING)

    def push(self, payload: JSON) -> None:
        try:
            self._waiting.put_nowait(payload)
        except asyncio.QueueFull:
            if self._transport is not None:
                self._transport.close()

    async def send(self, socket: web.WebSocketResponse) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await socket.send_str(json.dumps(await self._waiting.get()))


class Live:
    """Pushes updates to all open windows.

    Args:
        state: The state to watch.
        surroundings: Builds a push for a user that contains everything except messages.
    """

    def __init__(self, state: State, surroundings: Callable[[User], JSON]) -> None:
        self._state = state
        self._surroundings = surroundings
        self._windows: set[_Window] = set()
        self._sockets: set[web.WebSocketResponse] = set()
        self._stamp = 0
        self._due: asyncio.Handle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # set once a window is open
        self.commands: dict[str, str] = {}
        state.messages_changed.listen(self._on_message)
        state.readiness.listen(lambda _: self.world_changed())
        state.listeners.append(self._on_event)

    def view(self, message: Message) -> JSON:
        """Return a message in its current state."""
        return views.message(message, self._stamp, self.commands)

    async def handle(self, request: web.BaseRequest, user: User) -> web.WebSocketResponse:
        """Send a window all updates until it closes.

        Raises:
            PageRequestError: 503, if too many windows are open.
        """
        if len(self._windows) >= MAX_WINDOWS:
            raise PageRequestError("too many windows are open", 503)
        self._loop = asyncio.get_running_loop()
        window = _Window(user, request.transport)
        self._windows.add(window)
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT_S, max_msg_size=1024, compress=False)
        sender: asyncio.Task[None] | None = None
        try:
            await socket.prepare(request)
            self._sockets.add(socket)
            window.push(self._surroundings(user))
            sender = asyncio.create_task(window.send(socket))
            async for _ in socket:
                pass  # a window only receives, because its actions are HTTP requests
        finally:
            self._windows.discard(window)
            self._sockets.discard(socket)
            if sender is not None:
                sender.cancel()
        return socket

    async def close(self) -> None:
        """Close all windows."""
        if self._due is not None:
            self._due.cancel()
        goodbyes = (socket.close(code=WSCloseCode.GOING_AWAY) for socket in tuple(self._sockets))
        await asyncio.gather(*goodbyes)

    def world_changed(self) -> None:
        """Resend everything except the messages to every window. Several changes share one push."""
        if self._loop is not None and self._windows and self._due is None:
            self._due = self._loop.call_soon(self._push_world)

    def _push_world(self) -> None:
        self._due = None
        for window in self._windows:
            window.push(self._surroundings(window.user))

    def _on_message(self, message: Message) -> None:
        self._stamp += 1
        watching = [window for window in self._windows if views.is_visible(message, window.user)]
        if watching:
            push = _deletion(message) if message.deleted else self.view(message)
            for window in watching:
                window.push(push)

    def _on_event(self, event: Event) -> None:
        if event.name.startswith(_PLACES):
            self.world_changed()
        elif event.name == "TYPING_START":
            self._on_typing(event.data)
        elif event.name == "INTERACTION_CREATE" and "name" in event.data["data"]:
            self.commands[event.data["id"]] = _entered(event.data["data"])

    def _on_typing(self, data: JSON) -> None:
        channel = self._state.channels.get(int(data["channel_id"]))
        for window in self._windows:
            if channel is not None and views.sees(channel, window.user):
                push = {"type": "typing", "channel": data["channel_id"], "user": data["user_id"]}
                window.push(push)


def _deletion(message: Message) -> JSON:
    return {"type": "gone", "channel": str(message.channel.id), "id": str(message.id)}


def _entered(data: JSON) -> str:
    """Return a command's full name as users see it: "/setup show", or "Read aloud"."""
    names = [data["name"] if "target_id" in data else f"/{data['name']}"]
    level = data
    while inner := next(
        (option for option in level.get("options", ()) if "options" in option), None
    ):
        names.append(inner["name"])
        level = inner
    return " ".join(names)
