"""A game in the model: seats, a line of plies, an offer, lists, clocks."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum

from bot.base.errors import BotError
from bot.base.ids import UserId
from bot.play.model.clock import TimeControl
from bot.play.model.game import Offer
from bot.play.model.refusals import BadList, ListProblem
from bot.play.model.terms import ChallengeState, ColorChoice, EndReason, Outcome, Start
from bot.play.model.typed import PlacementList
from dvonn import POINTS, Color, Move, Phase, Point, Position

BEGINS = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = 24 * 60
VACATION_A_YEAR = 30 * DAY
ANSWERED_WITHIN = 7 * DAY
NEWS = 7 * DAY
LIES_AFTER = 14 * DAY
PINGS = {"challenge": (5, 4 * 60), "offer": (6, 60)}
"""Maximum number of pings in a row, and the minutes after which one is forgotten."""


class Refused(Exception):  # noqa: N818 - as the use cases' own errors are named
    """The use case must refuse this with exactly this type of error."""

    def __init__(self, error: type[BotError], problem: Enum | None = None) -> None:
        super().__init__(error.__name__ if problem is None else f"{error.__name__}: {problem.name}")
        self.error = error
        self.problem = problem


def moment(minute: int) -> datetime:
    return BEGINS + timedelta(minutes=minute)


@dataclass
class Challenge:
    challenger: UserId
    opponent: UserId | None
    colour: ColorChoice
    start: Start
    control: TimeControl | None
    at: int
    state: ChallengeState = ChallengeState.OPEN


@dataclass(frozen=True)
class Before:
    """The state that a takeback to before a ply restores."""

    position: Position
    left: dict[UserId, int]
    refused: frozenset[tuple[Offer, UserId]]


@dataclass(frozen=True)
class Ply:
    actor: UserId
    move: Move
    entered: bool
    """True if a player typed or clicked it. Otherwise it was played automatically."""
    leads: bool
    """True if a takeback may stop before it: it is not forced, and the first in its text."""
    own: bool
    """True if it placed a piece of the player's own color."""
    at: int
    used: int
    revision: int
    before: Before


@dataclass
class Paused:
    """An agreed pause."""

    begins: int
    ends: int | None = None
    by: UserId | None = None
    """The player who ended it first."""

    def end(self, user: UserId, now: int) -> None:
        if self.ends is None:
            self.ends, self.by = now + DAY, user
        elif user != self.by:
            self.ends = min(self.ends, now)


@dataclass
class Game:
    white: UserId
    black: UserId
    control: TimeControl | None
    since: int
    left: dict[UserId, int]
    position: Position
    outcome: Outcome | None = None
    machine: UserId | None = None
    line: list[Ply] = field(default_factory=list)
    settled: int = 0
    """Number of plies before a random placement, which can't be taken back."""
    offered: tuple[Offer, UserId, int | None] | None = None
    refused: frozenset[tuple[Offer, UserId]] = frozenset()
    hints: bool = False
    """True if both players have agreed on hints."""
    pause: "Paused | None" = None
    went_back: UserId | None = None
    plans: dict[UserId, PlacementList] = field(default_factory=dict)
    revision: int = 0
    board: int = 0
    """The revision that created the current board. Only offers and answers have followed."""
    boards: list[int] = field(default_factory=list)
    """The revisions whose boards are unsent."""
    notes: list[int] = field(default_factory=list)
    """The revisions of offers and answers whose notes are unsent."""
    carried: int = 1
    """Number of events that a game against the machine would start with, if it continued this one.
    """
    gone: UserId | None = None
    """The player who has left the game, or is absent."""
    gone_on_with: bool = False
    ended: int = 0
    missed: set[UserId] = field(default_factory=set)
    """The players who may not know yet that it has ended."""

    @property
    def to_move(self) -> UserId | None:
        if self.outcome is not None:
            return None
        return {Color.WHITE: self.white, Color.BLACK: self.black, None: None}[self.position.turn]

    @property
    def is_placing(self) -> bool:
        return self.to_move is not None and self.position.phase is Phase.PLACEMENT

    @property
    def is_live(self) -> bool:
        return self.control is not None and self.control.is_live

    def other(self, user: UserId) -> UserId:
        return self.black if user == self.white else self.white

    def may_leave(self, user: UserId) -> bool:
        return sum(ply.own for ply in self.line if ply.actor == user) < 2

    def back_to(self, user: UserId) -> int | None:
        """Return how many plies stay after a player's takeback, or None if there is nothing to take
        back."""
        leads = [n for n, ply in enumerate(self.line) if ply.actor == user and ply.leads]
        return leads[-1] if leads and leads[-1] >= self.settled else None

    def lost_by(self, user: UserId, how: EndReason) -> Outcome:
        return Outcome(how, Color.BLACK if user == self.white else Color.WHITE)

    def counted(self) -> Outcome:
        """Return the height of each stack of the player who owns its top piece."""
        stacks = self.position.stacks.values()
        white, black = (sum(len(stack) for stack in stacks if stack.endswith(top)) for top in "WB")
        winner = None if white == black else Color.WHITE if white > black else Color.BLACK
        return Outcome(EndReason.COUNT, winner, abs(white - black))

    def end(self, outcome: Outcome, at: int, *by: UserId) -> None:
        """End the game. `by` are the players who know, because they ended it."""
        self.outcome, self.offered, self.plans = outcome, None, {}
        self.ended, self.missed = at, {self.white, self.black}.difference(by)


def next_free(space: Point, position: Position, later: tuple[Point, ...]) -> Point:
    """Return the next free space, row by row, if possible none of the given ones."""
    from_here = POINTS[POINTS.index(space) :] + POINTS[: POINTS.index(space)]
    free = [point for point in from_here if not position.height(point)]
    return ([point for point in free if point not in later] or free)[0]


def listed(
    spaces: list[Point], before: tuple[Point, ...], position: Position, *, else_next: bool
) -> PlacementList | None:
    """Return the stored part of a list, given the part before it."""
    for number, space in enumerate(spaces):
        if space in spaces[:number] or space in before:
            raise Refused(BadList, ListProblem.TWICE)
        if not else_next and position.height(space):
            raise Refused(BadList, ListProblem.TAKEN)
    return PlacementList(tuple(spaces), else_next) if spaces else None
