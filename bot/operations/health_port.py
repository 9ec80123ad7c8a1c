"""Checks the port for metrics and health before it is opened."""

from aiohttp import ClientError, ClientSession, ClientTimeout
from yarl import URL

from bot.base.errors import StartError
from bot.base.http_port import HEALTH, open_port
from bot.operations.health import PATIENCE_S

_HEALTH_FIELDS = frozenset({"healthy", "status", "database"})
"""Fields in the health report of every bot and worker."""


async def check_port(host: str, port: int) -> bool:
    """Return True if the port is free, or False if a dvonn-bot answers on it.

    The port is opened briefly.

    Raises:
        StartError: if the port can't be opened.
    """
    try:
        async with open_port({}, host, port):
            return True
    except StartError:
        if await _is_dvonn_bot(host, port):
            return False
        raise


async def _is_dvonn_bot(host: str, port: int) -> bool:
    """Return True if the server on the port returns a bot's health report."""
    timeout = ClientTimeout(total=PATIENCE_S)
    url = URL.build(scheme="http", host=host, port=port, path=HEALTH)
    try:
        async with ClientSession(timeout=timeout) as session, session.get(url) as answer:
            data = await answer.json()
    except (ClientError, OSError, ValueError, TimeoutError):
        return False
    return isinstance(data, dict) and data.keys() >= _HEALTH_FIELDS
