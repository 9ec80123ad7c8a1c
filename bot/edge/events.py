"""Events that cannot be read are passed over.

discord.py ends the whole session on an event that it cannot parse, and the next one would meet the
same event again.
"""

from collections.abc import Callable
from typing import Any

import structlog

from bot.edge.shapes import is_interaction

_log = structlog.get_logger()

_NEEDED = ("READY", "RESUMED")
"""Without these there is no session."""

_INTERACTION = "INTERACTION_CREATE"

Parse = Callable[[Any], Any]


def pass_over_broken_ones(parsers: dict[str, Parse]) -> None:
    """Guard the parsers of a client's connection, by the names of their events."""
    for name, parse in parsers.items():
        if name not in _NEEDED:
            parsers[name] = _guarded(name, parse)


def _guarded(name: str, parse: Parse) -> Parse:
    def guarded(data: Any) -> None:
        try:
            if name == _INTERACTION and not is_interaction(data):
                raise ValueError("that is no interaction")  # noqa: TRY301 - told below like others
            parse(data)
        except Exception as error:
            _log.warning(
                "an event could not be read",
                event_name=name,
                error=f"{type(error).__name__}: {error}",
            )

    return guarded
