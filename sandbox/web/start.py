"""The page's start view: the purpose of its bot, and the first things to try, as its host says."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sandbox.model import JSON, Channel, User
from sandbox.person import Person

PICTURE = "/page/start.png"
"""The address of the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A PNG, what it shows in words, and its size in pixels."""

    data: bytes
    alt: str
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something that a button begins.

    Attributes:
        name: by which the page asks for it.
        label: the button's.
        about: what comes of it, in a sentence.
        place: the channel it happens in; None: the direct messages with the bot.
        person: whom one has to be for it; None: whoever one is.
        take: begins it for them; None: to be in the place is all.
    """

    name: str
    label: str
    about: str
    place: Channel | None = None
    person: Person | None = None
    take: Callable[[Person], Awaitable[object]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The page's start view.

    Attributes:
        title: the heading.
        words: what comes first, a paragraph each.
        picture: what goes with them.
        steps: how it works, in order.
        offers: what to try, the first one first.
        foot: the last words.
        cast: people in the world whom nobody on the page can be.
    """

    title: str
    words: tuple[str, ...]
    picture: Picture
    steps: tuple[str, ...]
    offers: tuple[Offer, ...]
    foot: str
    cast: frozenset[Person] = frozenset()

    def view(self, user: User, direct: Channel) -> JSON:
        """Return it as the page shows it to a person, with that person's direct messages."""
        picture = self.picture
        return {
            "title": self.title,
            "words": self.words,
            "steps": self.steps,
            "foot": self.foot,
            "picture": {
                "url": PICTURE,
                "alt": picture.alt,
                "width": picture.width_px,
                "height": picture.height_px,
            },
            "offers": [
                {
                    "name": one.name,
                    "label": one.label,
                    "about": one.about,
                    "as": str((one.person or user).id),
                    "channel": str((one.place or direct).id),
                }
                for one in self.offers
            ],
        }
