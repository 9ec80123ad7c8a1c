"""Types of refusals that players and spectators get in a game. `bot.play.words` has their texts."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from bot.base.errors import InputError, PlayError
from bot.base.ids import GameId, Revision, UserId
from bot.base.zones import Interval
from dvonn import Coordinates, IllegalMoveError, Move, NotationError, Position


class NoGameHere(PlayError):  # noqa: N818 - these names are read as "raise NoGameHere"
    """No game is running in this channel."""


class GameJustEnded(NoGameHere):
    """The game that a player wanted to move in has just ended."""

    def __init__(self, game: GameId, revision: Revision) -> None:
        super().__init__(f"game {game} has ended")
        self.turn = (game, revision)


class GameNotRunning(PlayError):  # noqa: N818
    """The game of a button or command has ended."""


class OutOfSight(PlayError):  # noqa: N818
    """A user asked for a game that they may not read here."""


class StaleBoard(PlayError):  # noqa: N818
    """A button on an outdated board was pressed."""


class NotAPlayer(PlayError):  # noqa: N818
    """A spectator tried to act in other people's game."""


class NotYourTurn(PlayError):  # noqa: N818
    """A player tried to move when it was the other player's turn."""

    def __init__(self, to_move: UserId, game: GameId, revision: Revision) -> None:
        super().__init__(f"{to_move} is to move")
        self.to_move = to_move
        self.turn = (game, revision)


@dataclass(eq=False)
class UnreadableMove(InputError):  # noqa: N818
    """The player to move sent text that is not a move."""

    error: NotationError
    position: Position
    coordinates: Coordinates
    of_team: bool = False
    """True if a team is to move. Its members may just be discussing moves."""


@dataclass(eq=False)
class IllegalPlay(InputError):  # noqa: N818
    """The player to move sent an illegal move."""

    error: IllegalMoveError
    coordinates: Coordinates
    of_team: bool = False
    """True if a team is to move. Its members may just be discussing moves."""
    opponent: UserId | None = None
    """The other player, or None on a board where one person plays alone."""
    level: int | None = None
    """The level of the other player, if that is the machine."""
    guessed: bool = False
    """True if a spectator guessed the move."""


class OfferProblem(Enum):
    """Reasons why an offer can't be made."""

    LIVE = auto()
    """Live games have no takebacks."""
    NOTHING = auto()
    """No move can be taken back."""
    PENDING = auto()
    """An offer is waiting for an answer."""
    REFUSED = auto()
    """The offer was declined, and the player has not moved since."""
    NOT_PLACING = auto()
    """The game is not in the placement phase."""
    OWN = auto()
    """A player cannot answer their own offer."""
    OVER = auto()
    """It was already answered, or it has lapsed."""
    HINTS_FREE = auto()
    """Against the machine, hints need no agreement."""
    HINTS_AGREED = auto()
    """Both have already agreed on hints."""
    HINTS_RATED = auto()
    """Rated games have no hints."""
    TAKEBACK_RATED = auto()
    """Rated games against the machine have no takebacks."""
    TAKEBACKS_SPENT = auto()
    """The player has reached the limit of takebacks in a game, including offers of them."""
    OFFERS_SPENT = auto()
    """The player has reached the limit of such offers in a game."""
    PAUSE_LIVE = auto()
    """Live games have no pauses."""
    PAUSE_MACHINE = auto()
    """The machine does not agree to pauses. Its opponents have vacations instead."""
    PAUSE_TOURNAMENT = auto()
    """Rounds of a tournament don't wait."""
    PAUSED = auto()
    """The game is already paused."""
    NOT_PAUSED = auto()
    """There is no pause that this player could end."""


@dataclass(eq=False)
class BadOffer(PlayError):  # noqa: N818
    """Something can't be offered, or can't be answered by this player."""

    problem: OfferProblem
    limit: int = 0


class GiftProblem(Enum):
    """Reasons why time can't be given."""

    NO_CLOCK = auto()
    MACHINE = auto()
    """The machine doesn't need time."""
    TOURNAMENT = auto()
    """In a tournament everyone has the same time."""
    ENOUGH = auto()
    """The gift would raise the other player's clock above the limit."""


@dataclass(eq=False)
class BadGift(PlayError):  # noqa: N818
    """A player can't give the other one time."""

    problem: GiftProblem
    limit: timedelta = timedelta()


class OwnRatedGame(PlayError):  # noqa: N818
    """A moderator tried to end their own rated game without a result."""


@dataclass(eq=False)
class TooLateToAbort(PlayError):  # noqa: N818
    """The player has made too many moves to abort the game."""

    possible_from: datetime | None = None
    """When aborting will be possible if the opponent stays inactive, or None if never."""
    claims: bool = False
    """True if the game can then also be claimed as a win."""


@dataclass(eq=False)
class TeamDecides(NotAPlayer):
    """A user tried to act for a team in a way that needs a single player."""

    starter: UserId | None = None
    """The person who started the game and can end it, or None if there is none or they are unknown.
    """


class NotYourVote(NotYourTurn):
    """A user tried to vote when it was the other side's turn."""


@dataclass(eq=False)
class TeamVotes(PlayError):  # noqa: N818
    """The moves are a vote, because a team is to move."""

    game: GameId
    revision: Revision
    moves: tuple[Move, ...] = ()
    """The moves to vote for. Empty if a plan was typed."""


class ListProblem(Enum):
    """Reasons why a list of spaces can't be stored."""

    MOVE = auto()
    """The list contains a move where only spaces are allowed."""
    TWICE = auto()
    TAKEN = auto()
    TOO_MANY = auto()
    TOO_LONG = auto()
    """The text is too long to be parsed."""
    NOT_PLACING = auto()
    """The game is not in the placement phase."""


class NotKept(InputError):  # noqa: N818
    """A plan can't be stored."""


@dataclass(eq=False)
class BadList(NotKept):
    """A list of placements can't be stored."""

    problem: ListProblem
    space: str = ""
    limit: int = 0


class ClockProblem(Enum):
    """Reasons why a clock is not possible."""

    UNREADABLE = auto()
    BANK_TOO_SHORT = auto()
    BANK_TOO_LONG = auto()
    INCREMENT_TOO_LONG = auto()
    CAP_BELOW_BANK = auto()
    """The cap is below the bank. The limit is the bank."""
    CAP_TOO_LONG = auto()
    LIVE_INCREMENT = auto()
    """In a live game, the increment can't exceed the starting time, which is the limit."""
    LIVE_WEEKENDS = auto()
    """Live games don't pause on weekends. The limit is the shortest bank of other games."""
    WEEKENDS_WITHOUT_CLOCK = auto()


@dataclass(eq=False)
class BadClock(InputError):  # noqa: N818
    """A game can't have this clock."""

    problem: ClockProblem
    limit: timedelta | None = None


class VacationProblem(Enum):
    """Reasons why a vacation is not possible."""

    LENGTH = auto()
    """It is not a whole number of days, or exceeds the limit."""
    UNREADABLE = auto()
    """Its start is not a date."""
    PAST = auto()
    TOO_FAR = auto()
    """It starts further in the future than the limit."""
    OVERLAP = auto()
    """It overlaps another vacation."""
    ALLOWANCE = auto()
    """The year's allowance is too small. The limit is the rest of it."""


@dataclass(eq=False)
class BadVacation(InputError):  # noqa: N818
    """A player can't have this vacation."""

    problem: VacationProblem
    limit: timedelta = timedelta()
    year: int = 0
    other: Interval | None = None


class NoVacation(PlayError):  # noqa: N818
    """There is no vacation to end."""


class HelpProblem(Enum):
    """Reasons why the engine gives no help with a position."""

    RUNNING = auto()
    """The position belongs to a running game between people."""
    PLAYED = auto()
    """It is the newest board of such a game, or a board one ply later."""


@dataclass(eq=False)
class NoEngineHelp(PlayError):  # noqa: N818
    """The engine was asked for help that it may not give."""

    problem: HelpProblem
