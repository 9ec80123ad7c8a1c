"""Posts: messages before they are sent, with text, pictures, buttons and pings."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto

from bot.base.ids import ChannelId, GuildId, MessageId, UserId, is_team, team_channel
from bot.base.languages import Reader

CONTENT_LIMIT = 2_000
"""Maximum number of characters in a message."""
OPTION_LIMIT = 100
"""Maximum number of characters in a select's option."""
MOST_CHOSEN = 25
"""Maximum number of users that can be chosen in one select of a form."""
BUTTONS_IN_ROW = 5
BUTTON_LIMIT = 25
"""Maximum number of buttons in a message without selects."""
DIRECTIONS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Unicode characters that override the writing direction. Letters don't need them."""
_ESCAPED = re.compile(r"\\(.)")
_STYLING = re.compile(r"[\\*_~`|<>\[\]()#@:]|(?<=\d)\.|^[-+]")


class ButtonStyle(Enum):
    """Button styles, by importance."""

    PRIMARY = auto()
    SECONDARY = auto()
    SUCCESS = auto()
    DANGER = auto()


@dataclass(frozen=True, slots=True)
class Button:
    """A button. Its custom id contains its action, so it works after a restart."""

    label: str
    custom_id: str
    style: ButtonStyle = ButtonStyle.SECONDARY
    disabled: bool = False
    """True to show the button disabled, so that the others keep their positions."""
    row: int | None = None
    """Row of the button, from 0. None puts it into the first row with room."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a select."""

    label: str
    value: str
    description: str | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """A select."""

    custom_id: str
    placeholder: str
    options: tuple[Option, ...]
    least: int = 1
    """Minimum number of options to choose."""
    most: int = 1
    """Maximum number of options to choose."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to attach."""

    filename: str
    data: bytes
    alt_text: str | None = None


NameOf = Callable[[GuildId, UserId], str]
"""Function that returns a user's name in a server, or "" if unknown."""


class SpokenPart(Enum):
    """The part of a board's description that is read to a listener, after its message's text."""

    ALL = auto()
    BOARD = auto()
    """Only the board. The text contains the last move and whose turn it is."""
    NOTHING = auto()
    """Nothing. The listener has just heard the board, and the text contains the rest."""


@dataclass(frozen=True, slots=True)
class Renderable(ABC):
    """A picture that can be rendered, with its alternative text."""

    filename: str

    @property
    def alt_text(self) -> str:
        """The picture's alternative text if no names are known."""
        return self.described(lambda _guild, _user: "")

    @abstractmethod
    def described(self, name_of: NameOf, /) -> str:
        """Return the alternative text, with the same people's names as in the picture."""

    def spoken_text(self, name_of: NameOf, /) -> str:
        """Return the part of the picture's description that the message's text doesn't contain."""
        return self.described(name_of)

    @abstractmethod
    def rendering(self, name_of: NameOf, /) -> Callable[[], bytes]:
        """Return a function that renders it as a PNG. It may run in any thread."""


@dataclass(frozen=True, slots=True)
class PlainPicture(Renderable):
    """A picture whose alternative text contains no names."""

    description: str

    def described(self, _name_of: NameOf) -> str:
        return self.description


@dataclass(frozen=True, slots=True)
class DescribedPicture(Renderable):
    """A picture whose description is in its message's text instead of its alternative text."""

    original: Renderable
    title: str
    """The picture's alternative text."""

    def described(self, _name_of: NameOf) -> str:
        return self.title

    def rendering(self, name_of: NameOf) -> Callable[[], bytes]:
        return self.original.rendering(name_of)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a message: a text with a button beside it."""

    text: str
    button: Button


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message.

    If it has sections, a second picture or a footnote, it uses Discord's Components V2. Such a post
    is always a private answer, because it pings nobody, and can't be edited back to the plain
    layout.
    """

    content: str
    pings: tuple[UserId, ...] = ()
    """Users to notify. Other mentions don't notify anyone."""
    silent: bool = False
    """True for a notification without a sound."""
    picture: Renderable | None = None
    second_picture: Renderable | None = None
    captions: tuple[str, str] | None = None
    """Captions above the two pictures. With captions, one picture is shown below the other."""
    file: File | None = None
    sections: tuple[Section, ...] = ()
    """Sections below the pictures, above the footnote."""
    footnote: str = ""
    selects: tuple[Select, ...] = ()
    buttons: tuple[Button, ...] = ()

    @property
    def pictures(self) -> tuple[Renderable, ...]:
        """All pictures to render, in order."""
        pictures = (self.picture, self.second_picture)
        return tuple(picture for picture in pictures if picture is not None)

    @property
    def is_laid_out(self) -> bool:
        return bool(self.sections or self.second_picture or self.footnote)


def as_read(reader: Reader, post: Post) -> Post:
    """Return a post in the form that suits its reader: with pictures, or for a screen reader.

    For a screen reader, the post's text describes its pictures. Each picture with a caption is
    described below the caption.
    """
    if not reader.uses_screen_reader or any(
        isinstance(picture, DescribedPicture) for picture in post.pictures
    ):
        return post
    spoken = [picture.spoken_text(mention) for picture in post.pictures]
    captions = post.captions
    if captions is not None and len(spoken) == len(captions):
        below = ("\n".join(filter(None, pair)) for pair in zip(captions, spoken, strict=True))
        captions, spoken = (next(below), next(below)), []
    text = "\n".join([post.content, *filter(None, spoken)])
    title = reader.gettext("Position")
    first, second = (
        picture and DescribedPicture(picture.filename, picture, title)
        for picture in (post.picture, post.second_picture)
    )
    content = text.strip()[:CONTENT_LIMIT]
    return replace(post, content=content, captions=captions, picture=first, second_picture=second)


def user(player: UserId) -> str:
    """Return a mention of a player: a user, or a team's channel.

    It notifies only the users in the post's `pings`.
    """
    return channel(team_channel(player)) if is_team(player) else f"<@{player}>"


def mention(_guild: GuildId, player: UserId) -> str:
    """Return a person's name for a message's text (a `NameOf`)."""
    return user(player)


def channel(channel_id: ChannelId) -> str:
    """Return a mention of a channel or thread."""
    return f"<#{channel_id}>"


def timestamp(moment: datetime, *, relative: bool = False) -> str:
    """Return a timestamp that Discord shows in the reader's time zone, or relative to now.

    It is rounded down to the second.
    """
    style = "R" if relative else "f"
    return f"<t:{int(moment.timestamp())}:{style}>"


def due(moment: datetime) -> str:
    """Return a deadline as two timestamps: relative (which Discord rounds) and absolute."""
    return f"{timestamp(moment, relative=True)} ({timestamp(moment)})"


def command(reader: Reader, name: str, ids: Mapping[str, int]) -> str:
    """Return the text for a slash command or subcommand in the reader's language.

    It is clickable if its id is known and its name in the reader's language is the English one. A
    command mention shows the name that it contains, and works only with the English one.
    """
    local_name = " ".join(reader.pgettext("command", word) for word in name.split())
    number = ids.get(name.partition(" ")[0])
    if number is None:
        return f"/{local_name}"
    return f"</{name}:{number}>" if local_name == name else f"`/{local_name}`"


def join_within_limit(reader: Reader, lines: list[str]) -> str:
    """Return as many lines as fit into a message, and the number of lines left out."""
    result: list[str] = []
    for line in lines:
        if sum(len(other) + 1 for other in result) + len(line) > CONTENT_LIMIT - 100:
            rest = len(lines) - len(result)
            result.append(
                reader.ngettext("… and {count} more.", "… and {count} more.", rest).format(
                    count=rest
                )
            )
            break
        result.append(line)
    return "\n".join(result)


def link(guild: GuildId, channel_id: ChannelId, message: MessageId) -> str:
    """Return a message's URL, which Discord shows as a link with the channel's name."""
    return f"https://discord.com/channels/{guild or '@me'}/{channel_id}/{message}"


def escaped(text: str) -> str:
    """Return a typed text, escaped so that Discord shows no mentions, links or styles in it."""
    return _STYLING.sub(r"\\\g<0>", " ".join(text.translate(DIRECTIONS).split()))


def unescaped(text: str) -> str:
    """Return the original text from the result of `escaped`."""
    return _ESCAPED.sub(r"\1", text)


@dataclass(frozen=True, slots=True)
class Field:
    """A text field of a form."""

    key: str
    label: str
    placeholder: str
    value: str = ""
    needed: bool = False
    """True if the field must not be left empty."""


@dataclass(frozen=True, slots=True)
class ListField:
    """A select in a form."""

    key: str
    label: str
    placeholder: str
    options: tuple[Option, ...]
    most: int = 1


@dataclass(frozen=True, slots=True)
class PeopleField:
    """A user select in a form. Users who are already chosen can be removed."""

    key: str
    label: str
    placeholder: str = ""
    chosen: tuple[UserId, ...] = ()
    most: int = MOST_CHOSEN


AnyField = Field | ListField | PeopleField


@dataclass(frozen=True, slots=True)
class FormWords:
    """Texts of a form with a single text field."""

    title: str
    label: str
    placeholder: str
    value: str = ""
    """Initial text, which the user can change."""
