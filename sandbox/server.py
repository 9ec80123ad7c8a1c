"""The sandbox itself: a server on one port, with methods to set up and inspect its world."""

import base64
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from sandbox import guilds, permissions
from sandbox.admin import GuildAdmin
from sandbox.answers import Patience
from sandbox.application import Application
from sandbox.cdn import Cdn
from sandbox.clock import Clock, SystemClock
from sandbox.faults import Faults
from sandbox.gateway import Gateway
from sandbox.gateway.context import GatewayContext
from sandbox.model import Channel, Guild, User
from sandbox.person import Person
from sandbox.port import Port
from sandbox.ratelimits import RateLimiter, RateLimits
from sandbox.rest.front import PREFIX, Exchange, RestServer, all_routes, not_found
from sandbox.router import Route
from sandbox.sessions import Session, Sessions
from sandbox.signals import SOON_S
from sandbox.state import State
from sandbox.storage import Storage
from sandbox.web import Page
from sandbox.world import World


def _token(bot: User) -> str:
    """Return a token that starts with the bot's encoded id, which some clients read from it."""
    number = base64.urlsafe_b64encode(str(bot.id).encode()).decode().rstrip("=")
    return f"{number}.local.sandbox"


class Sandbox:
    """A local Discord with one bot application.

    As an asynchronous context manager, it serves during the block.

    Args:
        host: Host to listen on.
        port: Port, or 0 for any free one.
        message_content: The developer portal's toggle for the Message Content intent.
        guild_members: The toggle for the Server Members intent.
        clock: The clock for deadlines, ids and rate limits.
        rate_limits: The rate limits. ``RateLimits.generous()`` means practically none.
        token: The bot's token. The default is a token in Discord's format.
        bot_name: The bot's name.
        record: True to record :attr:`exchanges`.
        folder: Folder that stores the world between runs, used by one sandbox at a time. An
            existing world's name and toggles take precedence over these arguments.
        patience: How long its users wait while the bot is thinking. See :class:`Person`.

    Raises:
        StorageError: if the folder's content can't be used.
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        message_content: bool = True,
        guild_members: bool = False,
        clock: Clock | None = None,
        rate_limits: RateLimits | None = None,
        token: str | None = None,
        bot_name: str = "Sandbot",
        record: bool = True,
        folder: Path | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.state = State(clock or SystemClock(), bot_name)
        self.state.application.message_content = message_content
        self.state.application.guild_members = guild_members
        self._storage = Storage(folder, self.state) if folder is not None else None
        self.token = token or _token(self.state.bot)
        self._port = Port(host, port, self._handle)
        self._cdn = Cdn(self.state)
        sessions, router = Sessions(), all_routes()
        self.faults = Faults(self.state, router, sessions, self._port)
        limiter = RateLimiter(rate_limits or RateLimits(), self.state.clock)
        context = GatewayContext(self.state, self.token, limiter, self.faults, sessions)
        self.gateway = Gateway(context)
        self._front = RestServer(
            self.state, self.token, limiter, self.faults, router, record=record
        )
        self._world = World(self.state, sessions, self._cdn, patience)
        if patience is not None:
            self.state.first_response_s = patience.response_s
        self.page = Page(self._world, host)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start listening. After this, :attr:`api_url` is valid."""
        base_url = await self._port.start()
        if self._storage is not None:
            self._storage.begin(base_url)
        self.state.base_url = base_url
        self._cdn.open()

    async def listen(self) -> None:
        """Accept connections again, after :meth:`stop_listening`."""
        await self._port.open()

    async def stop_listening(self) -> None:
        """Cut all connections and refuse new ones. The rest of the sandbox continues."""
        await self._port.shut()

    async def stop(self) -> None:
        """Close every connection and the port."""
        await self.page.close()
        await self.gateway.close(1001, "server shutting down")
        self.state.close()
        await self._cdn.close()
        await self._port.close()
        if self._storage is not None:
            self._storage.close()

    def save(self) -> None:
        """Save changes now instead of in a moment. Without a folder, do nothing."""
        if self._storage is not None:
            self._storage.save()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        if path.startswith(PREFIX + "/"):
            return await self._front.handle(request)
        if path == "/" and request.headers.get("Upgrade", "").lower() == "websocket":
            return await self.gateway.handle(request)
        if self.page.serves(path):
            return await self.page.handle(request)
        if self._cdn.serves(request):
            return self._cdn.serve(path)
        self.unknown_routes.append(f"{request.method} {path}")
        return not_found()

    async def download(self, url: str) -> bytes:
        """Fetch a file from the sandbox's CDN, over HTTP."""
        return await self._cdn.download(url)

    @property
    def api_url(self) -> str:
        """Base URL of the REST API, including the version."""
        return self.state.base_url + PREFIX

    @property
    def gateway_url(self) -> str:
        """The gateway's URL, as in ``GET /gateway/bot``."""
        return self.state.base_url.replace("http", "ws", 1)

    @property
    def bot_user(self) -> User:
        return self.state.bot

    @property
    def application(self) -> Application:
        return self.state.application

    @property
    def clock(self) -> Clock:
        return self.state.clock

    @property
    def sessions(self) -> list[Session]:
        """The bot's sessions, including lost ones that it can still resume."""
        sessions = self._world.sessions
        sessions.forget_stale()
        return list(sessions.by_id.values())

    @property
    def routes(self) -> list[Route]:
        """The routes of the REST API."""
        return self._front.router.routes()

    @property
    def exchanges(self) -> list[Exchange]:
        """All REST requests so far, with their responses."""
        return self._front.exchanges

    @property
    def unknown_routes(self) -> list[str]:
        """Requests to unknown routes, as ``METHOD /path``."""
        return self._front.unknown_routes

    @property
    def crashes(self) -> list[Exception]:
        """Exceptions in the sandbox itself. A test should find none."""
        return self.state.crashes

    def create_guild(
        self,
        name: str,
        *,
        permissions: int | None = permissions.BOT,
        everyone: int = permissions.EVERYONE,
    ) -> GuildAdmin:
        owner = self.state.add_user(f"{name}-owner")
        guild = guilds.create(
            self.state, name, owner, everyone=everyone, bot_permissions=permissions
        )
        return GuildAdmin(self._world, guild)

    def guild(self, guild: Guild) -> GuildAdmin:
        """Return the owner's actions for an existing guild."""
        return GuildAdmin(self._world, guild)

    def create_person(self, name: str, *, bot: bool = False) -> Person:
        """Create a user who is in no guild yet."""
        return self.person(self.state.add_user(name, bot=bot))

    def person(self, user: User) -> Person:
        """Return the driver of an existing user."""
        return Person(self._world, user)

    def create_private_channel(self, *people: Person) -> Channel:
        """Create a channel for users without the bot: a group, or direct messages between two."""
        return self.state.private_channel([person.user for person in people])

    async def wait_ready(self, *, timeout: float = SOON_S) -> None:  # noqa: ASYNC109
        """Wait until a bot has identified and has registered its commands at least once.

        Raises:
            TimeoutError: if that takes longer than ``timeout`` real seconds. The message shows
                which of the two is missing.
        """
        if not self._ready():
            await self.state.readiness.wait(lambda _: self._ready(), timeout)
        if not self._ready():
            raise TimeoutError(
                f"bot identified: {self._world.sessions.connected}; "
                f"commands registered: {self.application.registered}"
            )

    async def wait_session(
        self,
        shard: int = 0,
        *,
        besides: Collection[Session] = (),
        timeout: float = SOON_S,  # noqa: ASYNC109
    ) -> Session:
        """Wait until a bot has connected and identified with a shard, and return the session.

        Args:
            shard: Number of the shard.
            besides: Sessions that don't count, for example those of another process.
            timeout: Maximum time to wait, in seconds of real time.

        Raises:
            TimeoutError: if none has by then.
        """

        def new_session() -> Session | None:
            fitting = (
                session
                for session in self._world.sessions.by_id.values()
                if session.connected and session.shard == shard and session not in besides
            )
            return next(fitting, None)

        if new_session() is None:
            await self.state.readiness.wait(lambda _: new_session(), timeout)
        session = new_session()
        if session is None:
            raise TimeoutError(f"no bot has identified with shard {shard}")
        return session

    def _ready(self) -> bool:
        return self._world.sessions.connected and self.application.registered

    async def disconnect(self, code: int = 4000, reason: str = "Unknown error") -> None:
        """Close the bot's WebSockets with a code. After most codes, it resumes."""
        await self.gateway.close(code, reason)

    def ask_to_reconnect(self) -> None:
        """Send op 7: the bot should reconnect and resume."""
        self.gateway.ask_to_reconnect()

    def invalidate_sessions(self, *, resumable: bool = False) -> None:
        """Send op 9: the bot must identify again, or resume if ``resumable``."""
        self.gateway.invalidate(resumable=resumable)
