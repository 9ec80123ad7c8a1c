"""Texts about badges."""

from collections.abc import Sequence
from typing import Final

from bot.base.languages import Reader
from bot.connection.posts import escaped
from club.tournaments.model.badges import EarnedBadge

_SEPARATOR: Final = " · "


def badge_line(reader: Reader, badges: Sequence[EarnedBadge]) -> list[str]:
    """Return a player's badges in one line, newest first, or an empty list without badges."""
    if not badges:
        return []
    sentence = reader.gettext("Winner of {tournament}")
    names = _SEPARATOR.join(sentence.format(tournament=escaped(badge.name)) for badge in badges)
    return [reader.gettext("**Badges**: {badges}").format(badges=names)]
