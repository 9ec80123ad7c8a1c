"""Refusals to the players of a game: moves, offers and its end."""

from datetime import datetime
from enum import Enum, auto

from bot.base.errors import PlayError
from bot.base.ids import GameId, Revision, UserId
from dvonn import Coordinates, IllegalMoveError, NotationError, Position


class NoGameHere(PlayError):  # noqa: N818 - these names are read as "raise NoGameHere"
    """No game is running in this channel."""


class TooLate(NoGameHere):
    """The game in which a player wanted to move has just been ended by somebody or something."""

    def __init__(self, game: GameId, revision: Revision) -> None:
        super().__init__(f"game {game} has ended")
        self.turn = (game, revision)


class CannotDelete(PlayError):  # noqa: N818
    """Somebody asks for deletion, and games of theirs go on, whatever is done to end them."""

    def __init__(self, games: list[GameId]) -> None:
        super().__init__(f"games {games} go on")
        self.games = games


class GameGone(PlayError):  # noqa: N818
    """The game that a button or command belongs to has ended."""


class NoBoard(PlayError):  # noqa: N818
    """An action on a board was asked of a message that is none."""


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

    def __init__(
        self,
        error: NotationError,
        position: Position,
        coordinates: Coordinates,
        *,
        of_team: bool = False,
    ) -> None:
        super().__init__(str(error))
        self.of_team = of_team
        """A team is to move, which may talk of moves."""
        self.error = error
        self.position = position
        self.coordinates = coordinates


class IllegalPlay(PlayError):  # noqa: N818
    """The player to move sent a move that the rules refuse."""

    def __init__(
        self, error: IllegalMoveError, coordinates: Coordinates, *, of_team: bool = False
    ) -> None:
        super().__init__(str(error))
        self.of_team = of_team
        """A team is to move, which may talk of moves."""
        self.error = error
        self.coordinates = coordinates


class MustChoose(PlayError):  # noqa: N818
    """A player must pick a board or a colour before the first move of a pie start."""

    def __init__(self, who: UserId) -> None:
        super().__init__(f"{who} is to choose")
        self.who = who


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
    HINTS_FREE = auto()
    """Against the machine nobody need be asked for hints."""
    HINTS_AGREED = auto()
    """Both have agreed on hints already."""
    HINTS_RATED = auto()
    """Rated games have no hints."""
    TAKEBACK_RATED = auto()
    """Rated games against the machine have no takebacks."""
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


class OwnGame(PlayError):  # noqa: N818
    """Somebody who moderates would end a rated game of their own without a result."""


class TooLateToAbort(PlayError):  # noqa: N818
    """A player has placed or moved too much to leave without a result."""

    def __init__(self, possible_from: datetime | None = None, *, claims: bool = False) -> None:
        super().__init__()
        self.possible_from = possible_from
        """Time from which it is possible, if the opponent lets the game lie; None where it will not
        be."""
        self.claims = claims
        """Then it can be claimed as won, too."""
