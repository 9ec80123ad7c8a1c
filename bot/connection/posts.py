"""A message before Discord: words, a picture, buttons, and who may be pinged."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from bot.base.ids import ChannelId, GuildId, MessageId, UserId, home_of, is_team
from bot.base.languages import Reader

CONTENT_LIMIT = 2_000
"""Number of characters of a message."""
OPTION_LIMIT = 100
"""Number of characters of a line in a list."""
MOST_CHOSEN = 25
"""Number of people that one list of a form holds."""
BUTTONS_IN_ROW = 5
BUTTON_LIMIT = 25
"""Number of buttons of a message without lists."""
DIRECTIONS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""The characters that turn the direction of writing; letters know theirs by themselves."""
_ESCAPED = re.compile(r"\\(.)")
_STYLING = re.compile(r"[\\*_~`|<>\[\]()#@:]|(?<=\d)\.|^[-+]")


class ButtonStyle(Enum):
    """Styles of buttons, by their urgency."""

    PRIMARY = auto()
    SECONDARY = auto()
    SUCCESS = auto()
    DANGER = auto()


@dataclass(frozen=True, slots=True)
class Button:
    """A button. What it does is written in its id, so that it works after a restart."""

    label: str
    custom_id: str
    style: ButtonStyle = ButtonStyle.SECONDARY
    disabled: bool = False
    """True if it is shown, so that the others keep their places, and cannot be pressed."""
    row: int | None = None
    """Line on which it stands, from 0; None: where there is room."""


@dataclass(frozen=True, slots=True)
class Option:
    """A line of a select."""

    label: str
    value: str
    description: str | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """A list to choose from."""

    custom_id: str
    placeholder: str
    options: tuple[Option, ...]
    least: int = 1
    """Least number of lines that are chosen; `most` is the highest."""
    most: int = 1


@dataclass(frozen=True, slots=True)
class File:
    """A file to keep."""

    filename: str
    data: bytes
    alt_text: str | None = None


NameOf = Callable[[GuildId, UserId], str]
"""Look-up of a person's name in a server; empty where it was not heard."""


@dataclass(frozen=True, slots=True)
class Renderable(ABC):
    """A picture to render, with its words for those who cannot see it."""

    filename: str
    alt_text: str

    @abstractmethod
    def rendering(self, name_of: NameOf, /) -> Callable[[], bytes]:
        """Return what renders it as a PNG, in whatever thread."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a message: words, with a button beside them."""

    text: str
    button: Button


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message.

    One with sections, a second picture or a footnote is laid out by Discord's newer components. It
    is for whom it answers alone: it pings nobody, and stays laid out so for as long as it stands.
    """

    content: str
    pings: tuple[UserId, ...] = ()
    """People who are notified; everybody else named is not."""
    silent: bool = False
    """True if those who are notified see it, and no phone makes a sound."""
    picture: Renderable | None = None
    second_picture: Renderable | None = None
    file: File | None = None
    sections: tuple[Section, ...] = ()
    """What stands below the pictures; a footnote stands below that."""
    footnote: str = ""
    selects: tuple[Select, ...] = ()
    buttons: tuple[Button, ...] = ()

    @property
    def pictures(self) -> tuple[Renderable, ...]:
        """All pictures to render, in order."""
        both = (self.picture, self.second_picture)
        return tuple(one for one in both if one is not None)

    @property
    def is_laid_out(self) -> bool:
        return bool(self.sections or self.second_picture or self.footnote)


def user(who: UserId) -> str:
    """Return a player's name, as Discord shows it to each reader: a person's, or a team's channel.

    It pings only whom the post says.
    """
    return channel(home_of(who)) if is_team(who) else f"<@{who}>"


def channel(where: ChannelId) -> str:
    """Return a channel's or thread's name, as a link."""
    return f"<#{where}>"


def instant(moment: datetime, *, relative: bool = False) -> str:
    """Write a moment, which Discord shows in each reader's time zone, or as a distance from now.

    It is rounded down to the second.
    """
    style = "R" if relative else "f"
    return f"<t:{int(moment.timestamp())}:{style}>"


def due(moment: datetime) -> str:
    """Write a moment at which a time is up: as a distance, which Discord rounds, and itself."""
    return f"{instant(moment, relative=True)} ({instant(moment)})"


def command(reader: Reader, name: str, ids: Mapping[str, int]) -> str:
    """Return a slash command or subcommand, as the reader's Discord calls it.

    It can be clicked where Discord's id of it is known, and its name is the English one: a mention
    shows the letters that stand in it, in no other language, and with other letters leads nowhere.
    """
    called = " ".join(reader.pgettext("command", word) for word in name.split())
    number = ids.get(name.partition(" ")[0])
    if number is None:
        return f"/{called}"
    return f"</{name}:{number}>" if called == name else f"`/{called}`"


def fit(reader: Reader, lines: list[str]) -> str:
    """Return as many lines as one message holds."""
    kept: list[str] = []
    for line in lines:
        if sum(len(other) + 1 for other in kept) + len(line) > CONTENT_LIMIT - 100:
            rest = len(lines) - len(kept)
            kept.append(
                reader.ngettext("… and {count} more.", "… and {count} more.", rest).format(
                    count=rest
                )
            )
            break
        kept.append(line)
    return "\n".join(kept)


def link(guild: GuildId, where: ChannelId, message: MessageId) -> str:
    """Return a message's address, which Discord shows as a link with its channel's name."""
    return f"https://discord.com/channels/{guild or '@me'}/{where}/{message}"


def escaped(text: str) -> str:
    """Return what somebody has typed so that Discord makes no mention, link or style of it."""
    return _STYLING.sub(r"\\\g<0>", " ".join(text.translate(DIRECTIONS).split()))


def unescaped(text: str) -> str:
    """Return what somebody has typed, from how `escaped` has written it."""
    return _ESCAPED.sub(r"\1", text)


@dataclass(frozen=True, slots=True)
class Field:
    """A line of a form to type into."""

    key: str
    label: str
    placeholder: str
    value: str = ""
    needed: bool = False
    """True if it must not be left empty."""


@dataclass(frozen=True, slots=True)
class ListField:
    """A list of a form."""

    key: str
    label: str
    placeholder: str
    options: tuple[Option, ...]
    most: int = 1


@dataclass(frozen=True, slots=True)
class PeopleField:
    """A list of people in a form; those who are chosen already may be taken off it."""

    key: str
    label: str
    placeholder: str = ""
    chosen: tuple[UserId, ...] = ()
    most: int = MOST_CHOSEN


AnyField = Field | ListField | PeopleField


@dataclass(frozen=True, slots=True)
class FormWords:
    """The words on a form with one field to type into."""

    title: str
    label: str
    placeholder: str
    value: str = ""
    """Initial text, to be changed."""
