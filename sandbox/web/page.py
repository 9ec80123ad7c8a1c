"""The page's server: files, requests, actions and pushes."""

import asyncio
import json
import logging
from collections.abc import Mapping
from importlib import resources

from aiohttp import web

from sandbox import commands
from sandbox.forms import snowflake
from sandbox.interactions import InteractionFailed
from sandbox.invocations import InvocationRefused, offered
from sandbox.model import JSON, User
from sandbox.person import Person
from sandbox.web import body as bodies
from sandbox.web import guard, views
from sandbox.web.actions import ACTIONS, PageActions
from sandbox.web.body import Body, PageRequestError
from sandbox.web.live import Live
from sandbox.web.simulated_players import SimulatedPlayers
from sandbox.web.start import PICTURE, Start
from sandbox.world import World

ROOT = "/page/"
API = "/page/api/"
LIVE = "/page/live"
MOST_MESSAGES = 50

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_FILES = resources.files("sandbox") / "page"
_log = logging.getLogger(__name__)


class Page:
    """Serves ``/`` and everything below ``/page/``.

    Args:
        world: The world whose people a visitor can be.
        bound_to: Host that the sandbox listens on.
    """

    def __init__(self, world: World, bound_to: str) -> None:
        self._world = world
        self._bound_to = bound_to
        self._state = world.state
        self._note = ""
        self._actions_pass = asyncio.Event()
        self._actions_pass.set()
        self.live = Live(world.state, self._surroundings)
        self.company = SimulatedPlayers(world.state, self.live.world_changed)
        self._context = PageActions(world.state, self._person, self.company, self._changed)

    def _changed(self) -> None:
        self._state.touch()
        self.live.world_changed()

    @property
    def start(self) -> Start | None:
        """The start view, or None if the page opens on a channel."""
        return self._context.start

    @start.setter
    def start(self, start: Start | None) -> None:
        self._context.start = start
        self.live.world_changed()

    @property
    def note(self) -> str:
        """The note to everyone at the top of the page, or "" for none."""
        return self._note

    @note.setter
    def note(self, note: str) -> None:
        self._note = note
        self.live.world_changed()

    def show_note(self, note: str) -> None:
        """Set the note at the top of the page."""
        self.note = note

    def hold_actions(self) -> None:
        """Let people's actions wait instead of failing, for example while the bot restarts."""
        self._actions_pass.clear()

    def release_actions(self) -> None:
        self._actions_pass.set()

    def serves(self, path: str) -> bool:
        """Return True if an address belongs to the page."""
        return path == "/" or path.startswith(ROOT)

    async def close(self) -> None:
        """Close every window, and stop the simulated players."""
        await self.company.close()
        await self.live.close()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a request. A wrong request is answered with an error message."""
        try:
            guard.check(request, self._bound_to, navigation=request.path == "/")
            return await self._answer(request)
        except PageRequestError as error:
            return _json({"error": str(error)}, error.status)
        except InvocationRefused as refusal:
            return _json({"error": str(refusal)}, 422)
        except InteractionFailed as failure:
            return _json({"error": str(failure)}, 504)
        except ConnectionError:
            raise  # the window has closed
        except Exception as error:
            _log.exception("page request failed: %s %s", request.method, request.path)
            self._state.crashes.append(error)
            return _json({"error": "the sandbox itself has failed"}, 500)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        if path == LIVE and request.headers.get("Upgrade", "").lower() == "websocket":
            return await self.live.handle(request, self._user(request.query.get("as")))
        if path.startswith(API):
            name = path.removeprefix(API)
            if request.method == "GET":
                return _json(self._ask(name, request.query))
            if request.method == "POST" and name in ACTIONS:
                sent = await bodies.read_body(request)
                await self._actions_pass.wait()
                person = self._person(self._user(sent.text("as")))
                return _json(await ACTIONS[name](self._context, person, sent))
        elif request.method in {"GET", "HEAD"}:
            if path == PICTURE and self.start is not None:
                return _sent(self.start.picture.data, "image/png")
            return _file("index.html" if path == "/" else path.removeprefix(ROOT))
        raise PageRequestError("there is no such thing here", 404)

    def _ask(self, name: str, query: Mapping[str, str]) -> JSON:
        user = self._user(query.get("as"))
        if name == "world":
            return self._surroundings(user)
        if name == "channel":
            return self._channel(user, Body(dict(query)))
        raise PageRequestError("there is no such thing here", 404)

    def _channel(self, user: User, request: Body) -> JSON:
        channel = self._context.channel(request, user)
        before = request.id("before") if "before" in request else None
        messages, has_more = views.history(self._state, channel, user, before, MOST_MESSAGES)
        return {
            "messages": [self.live.view(message) for message in messages],
            "more": has_more,
            "commands": offered(self._state, channel, user),
            "apps": offered(self._state, channel, user, commands.MESSAGE),
            "appsOf": offered(self._state, channel, user, commands.USER),
        }

    def _surroundings(self, user: User) -> JSON:
        online, start = self._world.sessions.connected, self.start
        # If the start view suggests direct messages, show their channel before the first message.
        view = start and start.view(user, self._state.direct_channel(user))
        cast = {person.user for person in start.cast} if start else ()
        return {
            **views.world(self._state, user, online=online, besides=cast),
            "company": self.company.view(),
            "start": view,
            "note": self._note,
        }

    def _user(self, key: str | None) -> User:
        """Return the person with an id or name, or the first one if none is given."""
        everybody = views.people(self._state)
        number = snowflake(key)
        for user in everybody:
            if key in {None, ""} or user.id == number or user.name.lower() == str(key).lower():
                return user
        raise PageRequestError("there is no person with that name", 404)

    def _person(self, user: User) -> Person:
        return Person(self._world, user)


def _file(name: str) -> web.Response:
    file = _FILES / name
    kind = _TYPES.get(name.rpartition(".")[2])
    if kind is None or "/" in name or "\\" in name or not file.is_file():
        raise PageRequestError("there is no such thing here", 404)
    return _sent(file.read_bytes(), kind)


def _json(payload: JSON, status: int = 200) -> web.Response:
    return _sent(json.dumps(payload).encode(), "application/json", status)


def _sent(body: bytes, kind: str, status: int = 200) -> web.Response:
    return web.Response(body=body, status=status, headers={**guard.HEADERS, "Content-Type": kind})
