"""The switch of profiles in words."""

from typing import Final

from bot.base.locales import Reader
from bot.features.profiles.model import SHOWN
from bot.play.own_switches import Switch


def _line(reader: Reader, is_on: bool) -> str:
    if is_on:
        return reader.gettext("**Profile**: others see it, and your place in leaderboards.")
    return reader.gettext("**Profile**: only you see it, and leaderboards leave you out.")


PROFILE_SWITCH: Final = Switch(
    of=SHOWN,
    label=lambda reader: reader.gettext("Show others my profile"),
    hint=lambda reader: reader.gettext("And my place in leaderboards"),
    line=_line,
)
