"""Pings of one person by another, as values that the store keeps."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.base.ids import UserId


class PingKind(StrEnum):
    """Reasons for pings, besides moves."""

    CHALLENGE = "challenge"
    """A challenge or a rematch, in any server."""
    OFFER = "offer"
    """An offer in a game: a draw, a takeback, the rest placed at random."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The relation of one person to another."""

    blocks: bool
    """True if they have blocked the other."""
    blocked: bool
    """The other has blocked them."""
    counted_until: datetime | None
    """Time until which their pings of a kind are counted; None where there were none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    """A ping of one person to another, with their relations to each other."""

    kind: PingKind
    by: UserId
    to: UserId
    check: Callable[[Pair], datetime | None]
    """Raises what forbids it; until when pings are remembered after it, None if it counts none."""
    welcomes: bool
    """True if the sender wants to hear from the other: the other's pings are forgotten."""
