"""The log: one line per event, readable by people or machines, without secrets.

The machine's worker processes use this module, so it imports little.
"""

import logging
import re
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import partial
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.base.errors import StoreError

HIDDEN = "[hidden]"
_OWN_PREFIX = "bot."
# With an interaction's token, anyone could answer on the bot's behalf for 15 minutes.
_INTERACTION_TOKEN = re.compile(
    r"""((?:interactions|webhooks)/[0-9]+/|['"]token\\?['"]: ?\\?['"])[^/'"?\s\\]+"""
)
_log = structlog.get_logger()

_child_setup: Callable[[], None] | None = None
"""The result of `child_log_setup`."""


class LogFormat(StrEnum):
    """Formats of log lines."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """Log levels."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def set_up_logging(
    level: LogLevel, style: LogFormat, secrets: Sequence[str] = (), *, counts: bool = True
) -> None:
    """Send all log lines to standard error in one format.

    They include lines from discord.py, warnings and uncaught exceptions. Secrets are redacted. With
    `counts`, warnings and errors are counted in the metrics.
    """
    global _child_setup  # noqa: PLW0603 - a process has one log
    is_for_machines = style is LogFormat.JSON
    _child_setup = partial(set_up_logging, level, style, counts=False) if is_for_machines else None
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        *([_problem_counter()] if counts else []),
    ]
    last: Processor = (
        structlog.processors.JSONRenderer()
        if style is LogFormat.JSON
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[
            _drop_store_errors,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    formatting: list[Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if style is LogFormat.JSON:
        formatting.append(structlog.processors.format_exc_info)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_RedactingFormatter(shared, [*formatting, last], secrets))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(True)
    sys.excepthook = _log_process_failure
    threading.excepthook = _log_thread_failure
    if level is not LogLevel.DEBUG:
        # These log every request and query, which would flood the log.
        logging.getLogger("discord").setLevel(logging.WARNING)
        logging.getLogger("alembic").setLevel(logging.WARNING)


def child_log_setup() -> Callable[[], None] | None:
    """Return a function that sets up the machine-readable log in a child process, or None.

    It is None if the log is plain text. In that case, Python's own log lines are readable enough,
    and the child process needn't import the logging modules. The function contains no secrets.
    """
    return _child_setup


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    """Return a function that redacts secrets in a text. If secrets overlap, the longest wins."""
    words = sorted({secret for secret in secrets if secret}, key=len, reverse=True)
    if not words:
        return str
    pattern = re.compile("|".join(map(re.escape, words)))
    return lambda text: pattern.sub(HIDDEN, text)


def _log_process_failure(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        _log.critical("process died: uncaught exception", exc_info=error)


def _log_thread_failure(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None and not isinstance(failed.exc_value, SystemExit):
        _log.critical("thread died: uncaught exception", exc_info=failed.exc_value)


class _RedactingFormatter(structlog.stdlib.ProcessorFormatter):
    """Formatter that redacts secrets in log lines and tracebacks."""

    def __init__(
        self, foreign: Sequence[Processor], processors: Sequence[Processor], secrets: Sequence[str]
    ) -> None:
        super().__init__(foreign_pre_chain=foreign, processors=processors)
        self._hide = redactor(secrets)

    def format(self, record: logging.LogRecord) -> str:
        return self._hide(_INTERACTION_TOKEN.sub(rf"\1{HIDDEN}", super().format(record)))


def _drop_store_errors(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Drop errors caused by an unusable database, which the store has already logged once."""
    failure = event.get("exc_info")
    error = failure if isinstance(failure, BaseException) else sys.exc_info()[1]
    if failure and isinstance(error, StoreError):
        raise structlog.DropEvent
    return event


def _problem_counter() -> Processor:
    """Return a processor that counts warnings and errors by event."""
    from bot.base.metrics import TROUBLES  # noqa: PLC0415 - four MiB in each worker

    def count(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        level = event.get("level", "")
        if level in {"warning", "error", "critical"}:
            name = str(event.get("logger", ""))
            TROUBLES.labels(
                level, str(event["event"]) if name.startswith(_OWN_PREFIX) else name
            ).inc()
        return event

    return count
