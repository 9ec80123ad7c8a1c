"""The log: one line a happening, for eyes or for machines, without secrets."""

import logging
import re
import sys
from collections.abc import Sequence

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.config import LogFormat, LogLevel
from bot.errors import HIDDEN, StoreError, hiding
from bot.operations.metrics import TROUBLES

_OURS = "bot."
# Whoever has an interaction's token may answer in the bot's name for a quarter of an hour.
_INTERACTION_TOKEN = re.compile(
    r"""((?:interactions|webhooks)/[0-9]+/|['"]token\\?['"]: ?\\?['"])[^/'"?\s\\]+"""
)


def set_up_logging(level: LogLevel, style: LogFormat, secrets: Sequence[str] = ()) -> None:
    """Send every log line, discord.py's too, to standard error in one style.

    Args:
        level: What is worth a line.
        style: How it is written.
        secrets: What must never be written down, whoever wants to.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _count,
    ]
    last: Processor = (
        structlog.processors.JSONRenderer()
        if style is LogFormat.JSON
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[_spare, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    formatting: list[Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if style is LogFormat.JSON:
        formatting.append(structlog.processors.format_exc_info)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Discreet(shared, [*formatting, last], secrets))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(True)
    if level is not LogLevel.DEBUG:
        # These tell of every request and query; at the level of the host they are noise.
        logging.getLogger("discord").setLevel(logging.WARNING)
        logging.getLogger("alembic").setLevel(logging.WARNING)


class _Discreet(structlog.stdlib.ProcessorFormatter):
    """Takes out of finished lines, and of what failed, what nobody else may know."""

    def __init__(
        self, foreign: Sequence[Processor], processors: Sequence[Processor], secrets: Sequence[str]
    ) -> None:
        super().__init__(foreign_pre_chain=foreign, processors=processors)
        self._hide = hiding(secrets)

    def format(self, record: logging.LogRecord) -> str:
        """One line, or more where something failed."""
        return self._hide(_INTERACTION_TOKEN.sub(rf"\1{HIDDEN}", super().format(record)))


def _spare(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Leave out what comes of a database that cannot be used: the store has told that, once."""
    failure = event.get("exc_info")
    error = failure if isinstance(failure, BaseException) else sys.exc_info()[1]
    if failure and isinstance(error, StoreError):
        raise structlog.DropEvent
    return event


def _count(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Count what is worse than information, by words that the code has: so there are few."""
    level = event.get("level", "")
    if level in {"warning", "error", "critical"}:
        name = str(event.get("logger", ""))
        TROUBLES.labels(level, str(event["event"]) if name.startswith(_OURS) else name).inc()
    return event
