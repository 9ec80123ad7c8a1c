"""Refusals to those who practise."""

from bot.base.errors import PlayError


class NothingDue(PlayError):  # noqa: N818
    """Somebody wants to see what they have misplayed, and nothing has come back."""
