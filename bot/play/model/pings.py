"""What one person may make the bot do to another: ping them. Values, as the store keeps them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.base.ids import UserId


class PingKind(StrEnum):
    """What somebody pings another for, besides moves."""

    CHALLENGE = "challenge"
    """A challenge or a rematch, in any server."""
    OFFER = "offer"
    """An offer in a game: a draw, a takeback, the rest placed at random."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """How one person stands towards another."""

    blocks: bool
    """They have blocked the other."""
    blocked: bool
    """The other has blocked them."""
    counted_until: datetime | None
    """When all their pings of a kind are forgotten; None where there were none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    """What one person does that the bot tells another of, as the two see each other."""

    kind: PingKind
    by: UserId
    to: UserId
    check: Callable[[Pair], datetime | None]
    """Raises what forbids it; until when pings are remembered after it, None if it counts none."""
    welcomes: bool
    """Who does this wants to hear from the other: their pings of this kind are forgotten."""
