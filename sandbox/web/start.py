"""The page's start view: a text about the bot, and buttons for things to try first."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sandbox.model import JSON, Channel, User
from sandbox.person import Person

PICTURE = "/page/start.png"
"""URL path of the start view's picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A PNG, its description, and its size in pixels."""

    data: bytes
    alt: str
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something to try, which a button starts.

    Attributes:
        name: Name that identifies it in requests.
        label: The button's label.
        about: Its effect, in a sentence.
        place: Its channel, or None for the direct messages with the bot.
        person: The person that the visitor becomes, or None for no change.
        take: Function that starts it for that person, or None if opening the channel is enough.
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
        title: The heading.
        words: The first paragraphs.
        picture: The picture beside them.
        steps: The steps of play, in order.
        offers: The offers, the most important first.
        foot: The text at the bottom.
        cast: People in the world that a visitor can't choose to be.
    """

    title: str
    words: tuple[str, ...]
    picture: Picture
    steps: tuple[str, ...]
    offers: tuple[Offer, ...]
    foot: str
    cast: frozenset[Person] = frozenset()

    def view(self, user: User, direct: Channel) -> JSON:
        """Return the start view for a person, as JSON, with that person's direct messages."""
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
                    "name": offer.name,
                    "label": offer.label,
                    "about": offer.about,
                    "as": str((offer.person or user).id),
                    "channel": str((offer.place or direct).id),
                }
                for offer in self.offers
            ],
        }
