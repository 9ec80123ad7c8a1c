"""Suggestions and examples of moments to type."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from bot.base import formats
from bot.base.languages import Reader
from bot.base.time_words import read_number
from bot.connection import posts
from bot.people.use_cases.moments import USUAL_TIME

_SOON: Final = ((30, "minute"), (1, "hour"), (2, "hour"))
"""Suggested delays."""
_LATER: Final = ((7, "day"),)
_SATURDAY: Final = 5
_EXAMPLES: Final = ((2, "hour"),)
_DATE: Final = "2026-12-24 18:00"


def moment_choices(
    reader: Reader,
    typed: str,
    when: Callable[[str], datetime | None],
    *,
    zone: str,
) -> Iterator[posts.Option]:
    """Suggest moments, each with the moment that it stands for.

    `when` returns the moment that a text means, or None if it can't be parsed.
    """
    text = typed.strip()
    soon, later = ([_time_option(reader, *time) for time in times] for times in (_SOON, _LATER))
    usual_times = [*soon, *_evenings(reader), *later]
    readings = [(text, text)] if text and when(text) is not None else []
    if (number := read_number(text)) is not None:
        readings += [_time_option(reader, number, unit) for unit in ("hour", "day")]
    fitting = [time for time in usual_times if _is_completed(text, *time) and time not in readings]
    for label, value in [*readings, *(fitting if fitting or readings else usual_times)]:
        moment = when(value)
        if moment is not None:
            words = formats.with_explanation(
                reader, label, formats.moment_text(reader, moment, zone)
            )
            yield posts.Option(label=words[: posts.OPTION_LIMIT], value=value)


def moment_examples(reader: Reader) -> str:
    """Return examples of moments: "in 2 hours, tomorrow 18:00, or ..."."""
    soon = [_time_option(reader, count, unit)[0] for count, unit in _EXAMPLES]
    return formats.or_list(reader, [*soon, *(label for label, _ in _evenings(reader)), _DATE])


def _evenings(reader: Reader) -> list[tuple[str, str]]:
    """Return an upcoming evening, and one at a weekend."""
    clock = f"{USUAL_TIME:%H:%M}"
    return [
        (reader.gettext("tomorrow {time}").format(time=clock), f"tomorrow {clock}"),
        (f"{formats.weekday_text(reader, _SATURDAY)} {clock}", f"saturday {clock}"),
    ]


def _time_option(reader: Reader, count: int, unit: str) -> tuple[str, str]:
    return formats.time_until_text(reader, count, unit), f"in {count} {unit}"


def _is_completed(typed: str, label: str, value: str) -> bool:
    """Return True if an option starts with the typed text but is longer."""
    text = typed.casefold()
    return text != value and (text in value or text in label.casefold())
