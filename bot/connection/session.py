"""Logs in and stays connected: runs one client after another until the bot is stopped."""

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from random import Random
from typing import Any

import aiohttp
import discord
import structlog

from bot.base.config import MessageContent, Settings
from bot.base.errors import DiscordError
from bot.base.health import ActiveFaults, Fault
from bot.connection.liveness import CONNECTED_WITHIN, CONNECTING, Liveness
from bot.connection.permissions import NEEDED, allows_user_install
from bot.connection.request_errors import (
    CONNECTION_ERRORS,
    CUT_OFF,
    DISCORD_ERRORS,
    error_text,
    status,
)
from bot.connection.requests import handle_rate_limits
from bot.connection.tasks import end

_log = structlog.get_logger()

_PATIENCE = timedelta(seconds=10)
"""Timeout for Discord's response while a user is waiting."""
_FIRST_WAIT = timedelta(seconds=1)
_LONGEST_WAIT = timedelta(seconds=30)
_REFUSED_WAIT = timedelta(minutes=10)
"""Delay after the rejection of a token that worked before.

Each rejection counts against the bot.
"""


@dataclass(frozen=True, slots=True)
class Application:
    """Discord's data about the bot's application."""

    id: int
    name: str
    reads_messages: bool
    """True if the Message Content intent is enabled in the developer portal."""
    allows_user_install: bool
    """True if users can install it for themselves."""

    @property
    def own_url(self) -> str:
        """Link that installs the bot for a user's own account."""
        link = discord.utils.oauth_url(self.id, scopes=("applications.commands",))
        return f"{link}&integration_type=1"

    @property
    def invite_url(self) -> str:
        """Link that invites the bot to a server with the permissions it needs."""
        return discord.utils.oauth_url(
            self.id, permissions=NEEDED, scopes=("bot", "applications.commands")
        )


def use_api(base: str) -> None:
    discord.http.Route.BASE = base


async def fetch_application_once(token: str, proxy: str | None = None) -> Application:
    """Read the application from Discord, without retries because a user is waiting.

    Raises:
        DiscordError: if the token is rejected, or Discord does not respond within seconds.
    """
    try:
        async with asyncio.timeout(_PATIENCE.total_seconds()):
            return await read_application(token, _fail_instead_of_retry(proxy), proxy)
    except TimeoutError as error:
        raise DiscordError(_unreachable_text("no answer", proxy, error)) from error


async def read_application(
    token: str, trace: aiohttp.TraceConfig | None = None, proxy: str | None = None
) -> Application:
    """Read the application from Discord.

    Raises:
        DiscordError: if the token is rejected or Discord can't be reached.
    """
    intents = discord.Intents(guilds=True)
    trace = trace or aiohttp.TraceConfig()
    async with discord.Client(intents=intents, http_trace=trace, proxy=proxy) as client:
        try:
            await client.login(token)
            return _application(client)
        except discord.LoginFailure as error:
            raise DiscordError(
                "Discord rejected DISCORD_TOKEN; reset it in the developer portal"
            ) from error
        except DISCORD_ERRORS as error:
            raise DiscordError(_unreachable_text(error_text(error), proxy, error)) from error
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            problem = "the server there is not Discord"
            raise DiscordError(_unreachable_text(problem, proxy, error)) from error


def _unreachable_text(problem: str, proxy: str | None, error: Exception | None = None) -> str:
    """Return a message for the host about a bad or missing response from Discord.

    If the connection failed, it suggests a remedy.
    """
    base = discord.http.Route.BASE
    if proxy is not None:
        route, cure = f" through {base.partition(':')[0].upper()}_PROXY", _FIX_PROXY
    elif base != Settings.model_fields["discord_api_url"].default:
        route, cure = " at DISCORD_API_URL", _FIX_ADDRESS
    else:
        route, cure = "", _FIX_NETWORK
    cause = getattr(error, "certificate_error", None)
    if isinstance(cause, ssl.SSLCertVerificationError):
        cure = _FIX_CLOCK if cause.verify_code in _OUT_OF_DATE else _FIX_CERTIFICATE
    return f"Discord cannot be reached{route}: {problem}" + (
        f" ({cure})" if isinstance(error, CUT_OFF) else ""
    )


_OUT_OF_DATE = (9, 10)
"""OpenSSL's codes for certificates that are not yet or no longer valid."""
_FIX_CLOCK = "set this machine's clock"
_FIX_CERTIFICATE = (
    "if a proxy or a virus scanner replaces certificates, set SSL_CERT_FILE in the environment to "
    "the file with its root certificate"
)
_FIX_PROXY = "see whether that proxy runs, and takes its name and password"
_FIX_ADDRESS = "see whether something answers there, or take DISCORD_API_URL out"
_FIX_NETWORK = (
    "see whether this machine is online and may connect to discord.com, port 443; if only a proxy "
    "may, name that in HTTPS_PROXY"
)


def _application(client: discord.Client) -> Application:
    application = client.application
    assert application is not None  # the login has set it  # noqa: S101
    flags = application.flags
    return Application(
        id=application.id,
        name=application.name,
        reads_messages=flags.gateway_message_content or flags.gateway_message_content_limited,
        allows_user_install=allows_user_install(application),
    )


def _fail_instead_of_retry(proxy: str | None) -> aiohttp.TraceConfig:
    """Return a trace that makes a request fail if its response would make discord.py retry."""

    async def end(
        _session: object, _context: object, parameters: aiohttp.TraceRequestEndParams
    ) -> None:
        answer = parameters.response
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            wait = answer.headers.get("Retry-After", "")
            after = f"; try again in {wait} seconds" if wait.isdigit() else ""
            raise DiscordError(f"Discord is limiting requests: {status(answer.status)}{after}")
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise DiscordError(_unreachable_text(status(answer.status), proxy))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(end)
    return trace


def wants_messages(setting: MessageContent, application: Application) -> bool:
    """Return True if the bot should request the Message Content intent."""
    if setting is MessageContent.AUTO:
        return application.reads_messages
    return setting is MessageContent.ON


async def stay_connected(
    token: str,
    setting: MessageContent,
    make_client: Callable[[bool], discord.Client],
    rng: Random,
    liveness: Liveness,
    degraded: ActiveFaults,
    *,
    on_attempt: Callable[[], None],
    proxy: str | None = None,
) -> None:
    """Stay connected to Discord until canceled, reconnecting after each failure.

    A client that gives no sign of life is replaced. `make_client` creates a client. Its argument is
    True if the client reads the text of messages. `rng` randomizes the delays, so that bots don't
    all reconnect at the same moment. `on_attempt` is called when startup is complete: Discord has
    accepted the token or can't be reached. It is not called for a rejected token.

    Raises:
        DiscordError: if Discord rejects the token.
    """
    wait, may_read, was_taken = _FIRST_WAIT, True, False
    while True:
        liveness.note_reconnect(next_within=CONNECTED_WITHIN)
        try:
            application = await _read_application(
                token, handle_rate_limits(liveness, aiohttp.TraceConfig()), proxy
            )
            was_taken = True
            degraded.end(Fault.TOKEN_REFUSED)
            on_attempt()
            reads = may_read and wants_messages(setting, application)
            _log_login(application, setting, reads=reads)
            async with make_client(reads) as client:
                await _while_alive(client.start(token), liveness)
        except DiscordError as error:
            if not was_taken:
                raise  # waiting wouldn't help
            # The token may have been reset, but Discord has also rejected valid tokens for minutes.
            _log.error("login failed", error=str(error))
            degraded.begin(Fault.TOKEN_REFUSED, str(error))
            wait = _REFUSED_WAIT
        except discord.PrivilegedIntentsRequired:
            may_read = False
            _log.warning("Message Content intent refused, continuing without it")
            continue
        except Exception as error:
            # discord.py stops on an event that it can't parse, and if its first connection fails.
            _log.error(
                "connection lost",
                error=error_text(error),
                exc_info=not isinstance(error, CONNECTION_ERRORS),
            )
            on_attempt()
        if CONNECTING not in liveness.expected:  # the client had a session
            wait = _FIRST_WAIT
        _log.info("reconnecting", retry_s=wait.total_seconds())
        liveness.note_reconnect(next_within=wait + CONNECTED_WITHIN)
        await asyncio.sleep(wait.total_seconds() * rng.uniform(0.5, 1.0))
        wait = min(wait * 2, _LONGEST_WAIT)


async def _while_alive(work: Coroutine[Any, Any, None], liveness: Liveness) -> None:
    """Run `work` while there are signs of life.

    Raises:
        ConnectionError: if signs of life are overdue.
    """
    working, watching = asyncio.ensure_future(work), asyncio.ensure_future(liveness.lost())
    try:
        await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ConnectionError(f"no sign of life from: {', '.join(watching.result())}")
        working.result()
    finally:
        await end((working, watching))


async def _read_application(
    token: str, trace: aiohttp.TraceConfig, proxy: str | None
) -> Application:
    try:
        return await read_application(token, trace, proxy)
    except DiscordError as error:
        if isinstance(error.__cause__, discord.LoginFailure):
            raise
        raise ConnectionError(str(error)) from error


def _log_login(application: Application, setting: MessageContent, *, reads: bool) -> None:
    _log.info("logging in", application=application.name, message_content=reads)
    if not reads and setting is not MessageContent.OFF:
        _log.info(
            "Message Content intent off: typed moves need a reply or a mention",
            cure="switch it on in the developer portal",
        )
