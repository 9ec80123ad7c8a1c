"""What players are refused, as types. The words for them are made in `bot.messages`.

PlayError                   a player asked for what cannot be: a short answer for them
├── NoGameHere  NotAPlayer  NotYourTurn  UnreadableMove  IllegalPlay
├── TurnOver  GameGone  MustChoose  BadList  BadOffer  TooLateToAbort
├── ChannelBusy  ChallengeAnswered  NotForYou  BadOpponent  NotAllowed
├── NoThreadsHere  RematchOffered  MissingPermissions
├── NoSuchPly  LineTooLong  NotYet  NoEngineHelp  BadPaste
├── WrongChannel  TooManyGames  TooManyChallenges  TooSoon  NotNow  YouBlocked  AskedTooOften
├── BadClock  UnknownZone  BadTime  SameTime  BadVacation  NoVacation  BadBlock
├── NoDailyPuzzle  NoPuzzleLeft  NoServerPuzzle  NothingDue
├── BadLines
└── NoReview  CannotCall
AlreadyDone                 Discord told us the same thing twice: nothing to say
"""

from datetime import datetime, timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING

from bot.errors import BotError
from bot.model.clock import Interval
from bot.model.ids import ChannelId, GameId, GuildId, MessageId, Revision, UserId
from dvonn import Coordinates, IllegalMoveError, NotationError, Position

if TYPE_CHECKING:
    from bot.model.terms import ChallengeRow, OpenChallenge


class AlreadyDone(BotError):  # noqa: N818 - no error: the same message or click came twice
    """This message or interaction has changed the game already."""


class PlayError(BotError):
    """A player asked for something that cannot be."""


class NoGameHere(PlayError):  # noqa: N818 - these names are read as "raise NoGameHere"
    """No game is running in this channel."""


class TooLate(NoGameHere):
    """The game in which a player wanted to move has just been ended by somebody or something."""

    def __init__(self, game: GameId, revision: Revision) -> None:
        super().__init__(f"game {game} has ended")
        self.turn = (game, revision)


class GameGone(PlayError):  # noqa: N818
    """The game that a button or command belongs to has ended."""


class NoBoard(PlayError):  # noqa: N818
    """What can be done with a board's message was asked of another one."""


class TurnOver(PlayError):  # noqa: N818
    """A button of an older board was pressed."""


class NotAPlayer(PlayError):  # noqa: N818
    """A spectator tried to act in a game of others."""


class NotYourTurn(PlayError):  # noqa: N818
    """A player tried to move while the other was to move."""

    def __init__(self, to_move: UserId, game: GameId, revision: Revision) -> None:
        super().__init__(f"{to_move} is to move")
        self.to_move = to_move
        self.turn = (game, revision)


class UnreadableMove(PlayError):  # noqa: N818
    """The player to move sent a text that is no move."""

    def __init__(self, error: NotationError, position: Position, coordinates: Coordinates) -> None:
        super().__init__(str(error))
        self.error = error
        self.position = position
        self.coordinates = coordinates


class IllegalPlay(PlayError):  # noqa: N818
    """The player to move sent a move that the rules refuse."""

    def __init__(self, error: IllegalMoveError, coordinates: Coordinates) -> None:
        super().__init__(str(error))
        self.error = error
        self.coordinates = coordinates


class ChannelBusy(PlayError):  # noqa: N818
    """A game is running here, and no thread can be opened for another."""

    def __init__(self, channel: ChannelId, game: GameId) -> None:
        super().__init__(f"game {game} is running in channel {channel}")
        self.channel = channel
        self.game = game


class ChallengeAnswered(PlayError):  # noqa: N818
    """The challenge has been accepted, declined or cancelled before, or has expired."""

    def __init__(self, challenge: "ChallengeRow") -> None:
        super().__init__(f"challenge {challenge.id} is {challenge.state}")
        self.challenge = challenge


class RematchOffered(PlayError):  # noqa: N818
    """This game's rematch is offered or played already, or was asked for in vain."""

    def __init__(
        self, challenge: "ChallengeRow", where: tuple[ChannelId, MessageId | None]
    ) -> None:
        super().__init__(f"challenge {challenge.id} is {challenge.state}")
        self.challenge = challenge
        self.where = where
        """The challenge; where it was accepted, the newest board of its game."""


class NotForYou(PlayError):  # noqa: N818
    """A challenge's button was pressed by someone whom it does not ask."""

    def __init__(self, who: UserId | None) -> None:
        super().__init__("this button is another's")
        self.who = who


class MustChoose(PlayError):  # noqa: N818
    """Before the first move of a pie start, somebody is to pick a board or a colour."""

    def __init__(self, who: UserId) -> None:
        super().__init__(f"{who} is to choose")
        self.who = who


class NoSuchPly(PlayError):  # noqa: N818
    """A button of a view leads where its game does not, or no more."""


class LineTooLong(PlayError):  # noqa: N818
    """As many moves are tried on a board as its buttons can hold."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} moves")
        self.limit = limit


class NotYet(PlayError):  # noqa: N818
    """What is shared, or said about the moves, waits until the players have ended their game."""


class HelpProblem(Enum):
    """Why the engine says nothing of a position."""

    RUNNING = auto()
    """It is that of a game between people that goes on, or near to it."""
    NO_MACHINE = auto()
    """The machine is switched off here."""
    OVER = auto()
    """Nobody has a move."""
    NOT_AGREED = auto()
    """A hint is wanted in a game between people who have not agreed on hints."""


class NoEngineHelp(PlayError):  # noqa: N818
    """The engine is asked what it does not say."""

    def __init__(self, problem: HelpProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


class PasteProblem(Enum):
    """Why a text or file that somebody shows cannot be read."""

    EMPTY = auto()
    TOO_LONG = auto()
    NOT_TEXT = auto()
    """A file that holds no text."""
    UNKNOWN = auto()
    """Neither a position nor a record, as far as can be told."""
    BAD_LINE = auto()
    """A record, of which one line is wrong."""
    ILLEGAL = auto()
    """A list of moves, of which the rules refuse one."""


class BadPaste(PlayError):  # noqa: N818
    """A text or file that somebody shows cannot be read."""

    def __init__(
        self, problem: PasteProblem, *, line: int = 0, found: str = "", limit: int = 0
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.line = line
        """The line of the record, or the number of the move, from 1."""
        self.found = found
        self.limit = limit


class ListProblem(Enum):
    """Why a list of spaces cannot be kept."""

    MOVE = auto()
    """It holds a move where only spaces can stand."""
    TWICE = auto()
    TAKEN = auto()
    TOO_MANY = auto()
    TOO_LONG = auto()
    """It has more characters than are read."""
    NOT_PLACING = auto()
    """No pieces are being placed."""


class BadList(PlayError):  # noqa: N818
    """A list of placements cannot be kept."""

    def __init__(
        self,
        problem: ListProblem,
        space: str = "",
        *,
        limit: int = 0,
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.space = space
        self.limit = limit


class OfferProblem(Enum):
    """Why something cannot be asked of the other player."""

    LIVE = auto()
    """Nothing is taken back in a live game."""
    NOTHING = auto()
    """There is nothing to take back."""
    PENDING = auto()
    """An offer waits for its answer."""
    REFUSED = auto()
    """It was declined, and the asker has not moved since."""
    NOT_PLACING = auto()
    """No pieces are being placed."""
    OWN = auto()
    """Nobody answers his own offer."""
    HINTS_FREE = auto()
    """Against the machine nobody need be asked for hints."""
    HINTS_AGREED = auto()
    """Both have agreed on hints already."""
    TAKEBACKS_SPENT = auto()
    """The asker has taken back, or asked to, as often as one can in a game: the limit."""
    OFFERS_SPENT = auto()
    """The asker has offered this as often as one can in a game: the limit."""


class BadOffer(PlayError):  # noqa: N818
    """Something cannot be offered, or not be answered by this player."""

    def __init__(self, problem: OfferProblem, *, limit: int = 0) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.limit = limit


class AskedTooOften(PlayError):  # noqa: N818
    """A player has asked the other for something again and again, in vain."""

    def __init__(self, possible_from: datetime) -> None:
        super().__init__(f"not before {possible_from}")
        self.possible_from = possible_from


class TooLateToAbort(PlayError):  # noqa: N818
    """A player has placed or moved too much to leave without a result."""

    def __init__(self, possible_from: datetime | None = None) -> None:
        super().__init__()
        self.possible_from = possible_from
        """When it will be possible, if the opponent lets the game lie; None where it will not."""


class OpponentProblem(Enum):
    """Why somebody cannot be challenged."""

    YOURSELF = auto()
    BOT = auto()
    NO_MACHINE = auto()
    """The machine is switched off here."""
    NOBODY_HERE = auto()
    """In direct messages there is nobody but the machine."""
    DELETED = auto()
    """They had all about them deleted."""


class BadOpponent(PlayError):  # noqa: N818
    """Nobody can play this person here."""

    def __init__(self, problem: OpponentProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


class NotAllowed(PlayError):  # noqa: N818
    """The person lacks the permission that this command needs."""

    def __init__(self, permission: str) -> None:
        super().__init__(permission)
        self.permission = permission


class NoThreadsHere(PlayError):  # noqa: N818
    """A thread was asked for where Discord has none: in a thread, a voice channel's chat."""


class OnlyPrivately(PlayError):  # noqa: N818
    """A server lets nobody else see what its members have brought along."""


class MissingPermissions(PlayError):  # noqa: N818
    """The bot lacks permissions in this channel."""

    def __init__(self, permissions: tuple[str, ...], *, asker_may_mend: bool = False) -> None:
        super().__init__(", ".join(permissions))
        self.permissions = permissions
        self.asker_may_mend = asker_may_mend


class WrongChannel(PlayError):  # noqa: N818
    """The server's moderators have chosen other channels for games."""

    def __init__(self, allowed: frozenset[ChannelId]) -> None:
        super().__init__(f"games may be started in {sorted(allowed)}")
        self.allowed = allowed


class TooManyGames(PlayError):  # noqa: N818
    """Somebody plays as many games as the server lets one person play at once."""

    def __init__(self, who: UserId, limit: int, *, is_asker: bool) -> None:
        super().__init__(f"{who} is playing {limit} games")
        self.who = who
        self.limit = limit
        self.is_asker = is_asker


class TooManyChallenges(PlayError):  # noqa: N818
    """The challenger has as many open challenges in the server as one person may have."""

    def __init__(self, guild: GuildId, challenges: tuple["OpenChallenge", ...]) -> None:
        super().__init__(f"{len(challenges)} challenges are open")
        self.guild = guild
        self.challenges = challenges


class TooSoon(PlayError):  # noqa: N818
    """The challenger has made another challenge only just now."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"{wait.total_seconds()} seconds too soon")
        self.wait = wait


class NotNow(PlayError):  # noqa: N818
    """Somebody cannot start a game with another. Why is told to nobody: it may be a block."""

    def __init__(self, who: UserId) -> None:
        super().__init__(f"no game with {who} at the moment")
        self.who = who


class YouBlocked(PlayError):  # noqa: N818
    """Somebody wants to play a person whom they have blocked."""

    def __init__(self, who: UserId) -> None:
        super().__init__("blocked by whoever asks")
        self.who = who


class BlockProblem(Enum):
    """Why somebody cannot be blocked."""

    YOURSELF = auto()
    BOT = auto()
    TOO_MANY = auto()
    """The player has blocked as many as one person can."""


class BadBlock(PlayError):  # noqa: N818
    """A player cannot block this person."""

    def __init__(self, problem: BlockProblem, limit: int = 0) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.limit = limit


class ClockProblem(Enum):
    """Why a clock cannot be as a player asks for it."""

    UNREADABLE = auto()
    BANK_TOO_SHORT = auto()
    BANK_TOO_LONG = auto()
    INCREMENT_TOO_LONG = auto()
    CAP_BELOW_BANK = auto()
    """The limit is the bank."""
    CAP_TOO_LONG = auto()
    LIVE_INCREMENT = auto()
    """In live games a move adds at most what players begin with, the limit."""
    LIVE_WEEKENDS = auto()
    """Live games do not rest; the limit is where they end."""
    WEEKENDS_WITHOUT_CLOCK = auto()


class BadClock(PlayError):  # noqa: N818
    """A game cannot have this clock."""

    def __init__(self, problem: ClockProblem, limit: timedelta | None = None) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.limit = limit


class UnknownZone(PlayError):  # noqa: N818
    """No time zone has this name."""

    def __init__(self, text: str, suggestions: tuple[str, ...]) -> None:
        super().__init__(text)
        self.text = text
        self.suggestions = suggestions


class BadTime(PlayError):  # noqa: N818
    """A text is no time of day."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class SameTime(PlayError):  # noqa: N818
    """Quiet hours are to end when they begin."""


class VacationProblem(Enum):
    """Why a vacation cannot be as a player wants it."""

    LENGTH = auto()
    """It lasts no whole number of days, or more than the limit."""
    UNREADABLE = auto()
    """Its beginning is no date."""
    PAST = auto()
    TOO_FAR = auto()
    """It begins later than the limit from now."""
    OVERLAP = auto()
    """There is another one at that time."""
    ALLOWANCE = auto()
    """There is not so much left for a year; the limit is what is left."""


class BadVacation(PlayError):  # noqa: N818
    """A player cannot have this vacation."""

    def __init__(
        self,
        problem: VacationProblem,
        *,
        limit: timedelta = timedelta(),
        year: int = 0,
        other: Interval | None = None,
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.limit = limit
        self.year = year
        self.other = other


class NoVacation(PlayError):  # noqa: N818
    """There is no vacation to end."""


class ReviewProblem(Enum):
    """Why there is no review of a game to read."""

    RUNNING = auto()
    """The game goes on."""
    EMPTY = auto()
    """It has no result, or nothing was played in it."""
    NO_MACHINE = auto()
    """There is none to make it."""
    WAITING = auto()
    """It is being made, or comes as soon as those before it are."""
    FAILED = auto()


class NoReview(PlayError):  # noqa: N818
    """There is no review of a game to read."""

    def __init__(self, problem: ReviewProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


class NoPuzzleLeft(PlayError):  # noqa: N818
    """Somebody has tried every puzzle there is, of a theme or of all."""


class NoServerPuzzle(PlayError):  # noqa: N818
    """No game of a server has become a puzzle."""


class NoDailyPuzzle(PlayError):  # noqa: N818
    """A server has chosen no place for a puzzle of the day."""


class CallProblem(Enum):
    """Why somebody cannot call the next move of a game."""

    PLAYS = auto()
    """They play in it themselves."""
    MACHINE = auto()
    """The machine is to move."""
    ONLY_MOVE = auto()
    """There is one legal move only."""
    PLAYED = auto()
    """What they call has been played."""


class CannotCall(PlayError):  # noqa: N818
    """Somebody cannot call the next move of a game."""

    def __init__(self, problem: CallProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


class NothingDue(PlayError):  # noqa: N818
    """Somebody wants to see what they have misplayed, and nothing has come back."""


class LineProblem(Enum):
    """Why what a player decides ahead cannot be read or kept."""

    UNREADABLE = auto()
    OFF_BOARD = auto()
    HALF = auto()
    """A move of which only one space is named."""
    ILLEGAL = auto()
    """The rules refuse what the player would play."""
    ILLEGAL_THEIRS = auto()
    """They refuse what the other player would."""
    NEVER = auto()
    """What is played whatever else happens can never be played."""
    NOTHING_ELSE = auto()
    """The other player can do nothing else than what was named."""
    TWICE = auto()
    """Two answers to the same."""
    AFTER_ELSE = auto()
    """It goes on where nobody knows what was played."""
    YOU_AGAIN = auto()
    """The other player has to pass there: the player moves again."""
    THEY_AGAIN = auto()
    """The player has to pass there: the other moves again."""
    OVER = auto()
    """The game is over there."""
    NO_OWN_MOVE = auto()
    """It is the player's turn, and the text does not begin with a move of theirs."""
    NOTHING = auto()
    """Nothing is decided by it."""
    TOO_MANY = auto()
    """More moves than the limit."""


class BadLines(PlayError):  # noqa: N818
    """What a player decides ahead cannot be read or kept."""

    def __init__(
        self,
        problem: LineProblem,
        read: str = "",
        found: str = "",
        *,
        refusal: tuple[IllegalMoveError, Coordinates] | None = None,
        limit: int = 0,
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.read = read
        """What was understood of the text before the fault."""
        self.found = found
        """What stands there."""
        self.refusal = refusal
        """Why the rules refuse it, where they do."""
        self.limit = limit
