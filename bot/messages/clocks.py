"""Clocks in words: what a challenger can choose."""

from collections.abc import Iterator

from bot.errors import BadClock
from bot.games.time_control import PRESETS, read_time_control
from bot.locales import gettext as _
from bot.messages.durations import control
from bot.messages.posts import Option

_LONGEST = 100
"""How long a choice may be for Discord."""


def clock_choices(typed: str) -> tuple[Option, ...]:
    """The clocks that are suggested while somebody types one; what he typed first, if readable."""
    return tuple(_choices(typed))


def _choices(typed: str) -> Iterator[Option]:
    text = typed.strip()
    if text and text not in PRESETS:
        try:
            chosen = read_time_control(text, None)
        except BadClock:
            pass  # the command itself says why
        else:
            yield Option(label=_label(text, control(chosen)), value=text[:_LONGEST])
    for preset in PRESETS:
        if text.casefold() in preset:
            yield Option(
                label=_label(preset, control(read_time_control(preset, None))), value=preset
            )


def _label(text: str, meaning: str) -> str:
    return _("{text}: {meaning}").format(text=text, meaning=meaning)[:_LONGEST]
