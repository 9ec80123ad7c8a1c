"""Refusals in a game and to its spectators, as types. `bot.play.words` has the words."""

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
    """The game that a button or command belongs to has ended."""


class OutOfSight(PlayError):  # noqa: N818
    """A user asks for a game where they may not read it."""


class StaleBoard(PlayError):  # noqa: N818
    """A button of an older board was pressed."""


class NotAPlayer(PlayError):  # noqa: N818
    """A spectator tried to act in a game of others."""


class NotYourTurn(PlayError):  # noqa: N818
    """A player tried to move while the other was to move."""

    def __init__(self, to_move: UserId, game: GameId, revision: Revision) -> None:
        super().__init__(f"{to_move} is to move")
        self.to_move = to_move
        self.turn = (game, revision)


@dataclass(eq=False)
class UnreadableMove(InputError):  # noqa: N818
    """The player to move sent a text that is not a move."""

    error: NotationError
    position: Position
    coordinates: Coordinates
    of_team: bool = False
    """True if a team is to move. Its members may talk about moves."""


@dataclass(eq=False)
class IllegalPlay(InputError):  # noqa: N818
    """The player to move sent a move that the rules refuse."""

    error: IllegalMoveError
    coordinates: Coordinates
    of_team: bool = False
    """True if a team is to move. Its members may talk about moves."""
    opponent: UserId | None = None
    """The other player, or None on a board where one person plays alone."""
    level: int | None = None
    """The level of the other player, if that is the machine."""
    guessed: bool = False
    """True if a spectator guessed the move."""


class OfferProblem(Enum):
    """Reasons why an offer cannot be made."""

    LIVE = auto()
    """Live games have no takebacks."""
    NOTHING = auto()
    """No move can be taken back."""
    PENDING = auto()
    """An offer waits for its answer."""
    REFUSED = auto()
    """The offer was declined, and the asker has not moved since."""
    NOT_PLACING = auto()
    """No pieces are being placed."""
    OWN = auto()
    """A player cannot answer their own offer."""
    OVER = auto()
    """It was answered, or has lapsed."""
    HINTS_FREE = auto()
    """Against the machine, hints need no agreement."""
    HINTS_AGREED = auto()
    """Both have agreed on hints already."""
    HINTS_RATED = auto()
    """Rated games have no hints."""
    TAKEBACK_RATED = auto()
    """Rated games against the machine have no takebacks."""
    TAKEBACKS_SPENT = auto()
    """The asker has used up the takebacks of a game, or the offers of them: the limit."""
    OFFERS_SPENT = auto()
    """The asker has offered this as often as one can in a game: the limit."""
    PAUSE_LIVE = auto()
    """Live games have no pauses."""
    PAUSE_MACHINE = auto()
    """The machine agrees to no pause: its opponents have vacations."""
    PAUSE_TOURNAMENT = auto()
    """A round of a tournament waits for nobody."""
    PAUSED = auto()
    """The game is paused already."""
    NOT_PAUSED = auto()
    """There is no pause that this player could end."""


@dataclass(eq=False)
class BadOffer(PlayError):  # noqa: N818
    """Something cannot be offered, or not be answered by this player."""

    problem: OfferProblem
    limit: int = 0


class GiftProblem(Enum):
    """Reasons why no time can be given."""

    NO_CLOCK = auto()
    MACHINE = auto()
    """The machine needs none."""
    TOURNAMENT = auto()
    """In a tournament all have the same time."""
    ENOUGH = auto()
    """The other has more than a full clock already: the limit."""


@dataclass(eq=False)
class BadGift(PlayError):  # noqa: N818
    """A player cannot give the other time."""

    problem: GiftProblem
    limit: timedelta = timedelta()


class OwnRatedGame(PlayError):  # noqa: N818
    """A moderator wants to end their own rated game without a result."""


@dataclass(eq=False)
class TooLateToAbort(PlayError):  # noqa: N818
    """A player has placed or moved too much to leave without a result."""

    possible_from: datetime | None = None
    """Time from which it is possible if the opponent stays inactive, or None if never."""
    claims: bool = False
    """Then it can be claimed as won, too."""


@dataclass(eq=False)
class TeamDecides(NotAPlayer):
    """A user wanted to act for a team, which only a single player can do."""

    starter: UserId | None = None
    """The person who started the game and can end it, or None if there is none or it is unknown."""


class NotYourVote(NotYourTurn):
    """Somebody tried to vote while the other side was to move."""


@dataclass(eq=False)
class TeamVotes(PlayError):  # noqa: N818
    """The moves that were entered are a vote: a team is to move."""

    game: GameId
    revision: Revision
    moves: tuple[Move, ...] = ()
    """The moves to vote for. Nothing if a plan was entered."""


class ListProblem(Enum):
    """Reasons why a list of spaces cannot be kept."""

    MOVE = auto()
    """The list holds a move where only spaces are possible."""
    TWICE = auto()
    TAKEN = auto()
    TOO_MANY = auto()
    TOO_LONG = auto()
    """The text has more characters than are read."""
    NOT_PLACING = auto()
    """No pieces are being placed."""


class NotKept(InputError):  # noqa: N818
    """A text plans something that can't be planned."""


@dataclass(eq=False)
class BadList(NotKept):
    """A list of placements cannot be kept."""

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
    """The limit is the bank."""
    CAP_TOO_LONG = auto()
    LIVE_INCREMENT = auto()
    """A live game's increment is at most the time at the start, the limit."""
    LIVE_WEEKENDS = auto()
    """Live games have no weekends off. The limit is the time at which live games end."""
    WEEKENDS_WITHOUT_CLOCK = auto()


@dataclass(eq=False)
class BadClock(InputError):  # noqa: N818
    """A game cannot have this clock."""

    problem: ClockProblem
    limit: timedelta | None = None


class VacationProblem(Enum):
    """Reasons why a vacation is not possible."""

    LENGTH = auto()
    """The vacation lasts no whole number of days, or more than the limit."""
    UNREADABLE = auto()
    """Its beginning is not a date."""
    PAST = auto()
    TOO_FAR = auto()
    """The vacation begins later than the limit from now."""
    OVERLAP = auto()
    """Another vacation is at that time."""
    ALLOWANCE = auto()
    """The year's allowance is too small. The limit is the rest of it."""


@dataclass(eq=False)
class BadVacation(InputError):  # noqa: N818
    """A player cannot have this vacation."""

    problem: VacationProblem
    limit: timedelta = timedelta()
    year: int = 0
    other: Interval | None = None


class NoVacation(PlayError):  # noqa: N818
    """No vacation can be ended."""


class HelpProblem(Enum):
    """Reasons why the engine gives no help with a position."""

    RUNNING = auto()
    """The position is of a running game between people."""
    PLAYED = auto()
    """The position is the newest board of such a game, or one ply after it."""


@dataclass(eq=False)
class NoEngineHelp(PlayError):  # noqa: N818
    """The engine is asked for help that it may not give."""

    problem: HelpProblem
