"""The log: one line a happening, for eyes or for machines."""

import logging
import sys

import structlog
from structlog.typing import Processor

from bot.config import LogFormat, LogLevel


def set_up_logging(level: LogLevel, style: LogFormat) -> None:
    """Send every log line, discord.py's too, to standard error in one style."""
    shared: list[Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: Processor = (
        structlog.processors.JSONRenderer()
        if style is LogFormat.JSON
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    formatting: list[Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if style is LogFormat.JSON:
        formatting.append(structlog.processors.format_exc_info)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[*formatting, last]
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    if level is not LogLevel.DEBUG:
        # These tell of every request and query; at the level of the host they are noise.
        logging.getLogger("discord").setLevel(logging.WARNING)
        logging.getLogger("alembic").setLevel(logging.WARNING)
