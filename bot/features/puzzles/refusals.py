"""Refusals to those who want a puzzle."""

from bot.base.errors import PlayError


class NoPuzzleLeft(PlayError):  # noqa: N818
    """A player has tried every puzzle there is, of a theme or of all."""


class NoServerPuzzle(PlayError):  # noqa: N818
    """No game of a server has become a puzzle."""


class NoDailyPuzzle(PlayError):  # noqa: N818
    """A server has chosen no place for a puzzle of the day."""
