"""The choices of people and moderators about reviews, in words."""

from typing import Final

from bot.base.locales import Reader
from bot.features.reviews.model import REVIEWED
from bot.play.use_cases.preferences import Switch


def _line(reader: Reader, is_on: bool) -> str:
    if is_on:
        return reader.gettext("**Reviews**: your games are reviewed when they are over.")
    return reader.gettext("**Reviews**: off. Your games aren't reviewed.")


REVIEW_SWITCH: Final = Switch(
    of=REVIEWED,
    label=lambda reader: reader.gettext("Review my games"),
    hint=lambda reader: reader.gettext("When they are over"),
    line=_line,
)


def no_review(reader: Reader) -> str:
    """Return what is told where moderators want none."""
    return reader.gettext("Games aren't reviewed.")
