"""Refusals around tournaments."""

from datetime import timedelta
from enum import Enum, auto

from bot.base.errors import PlayError
from bot.base.ids import UserId


class TournamentGone(PlayError):  # noqa: N818
    """There is no such tournament, or no more."""


class NotOpenProblem(Enum):
    """The states of a tournament in which something cannot be done."""

    NOT_BEGUN = auto()
    BEGUN = auto()
    OVER = auto()
    """Or cancelled."""


class NotOpen(PlayError):  # noqa: N818
    """The tournament is not at the point where this can be done."""

    def __init__(self, problem: NotOpenProblem) -> None:
        super().__init__(problem.name)
        self.problem = problem


class AlreadyIn(PlayError):  # noqa: N818
    """A player joins who has joined."""


class NotIn(PlayError):  # noqa: N818
    """A user who has not joined wants to leave or to check in; or is to be taken out."""

    def __init__(self, who: UserId | None) -> None:
        """Keep the user; None: the one who asks."""
        super().__init__("whoever asks has not joined" if who is None else f"{who} has not joined")
        self.who = who


class TooLateToJoin(PlayError):  # noqa: N818
    """The tournament runs, and nobody new can be paired in it, or no more."""


class TooLateToAnswer(PlayError):  # noqa: N818
    """The question to a player is decided by now."""


class TournamentFull(PlayError):  # noqa: N818
    """As many have joined as can."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} have joined")
        self.most = most


class OrganisersOnly(PlayError):  # noqa: N818
    """Only its organiser can do this, or who manages the server; or create one at all."""


class TooFewPlayers(PlayError):  # noqa: N818
    """Not enough have joined for the tournament to begin."""

    def __init__(self, least: int) -> None:
        super().__init__(f"fewer than {least}")
        self.least = least


class TooManyTournaments(PlayError):  # noqa: N818
    """As many tournaments are open or running in the server as can be."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} are open or running")
        self.most = most


class TermsProblem(Enum):
    """The reasons why a tournament cannot be as it was asked for."""

    NAME = auto()
    """It has no name, or one too long."""
    ARENA_NOT_LIVE = auto()
    """An arena needs a live clock."""
    LENGTH = auto()
    """It goes on for too short or too long."""
    IN_THE_PAST = auto()
    """It would begin before now, or before anybody can check in."""
    TOO_FAR = auto()
    """It would begin too far in the future."""
    ROUNDS = auto()
    """So many rounds cannot be played."""
    ROUND_TIME = auto()
    """A round would be too short or too long."""
    NEEDS_TIME = auto()
    """A game without a clock needs a round time, so that it comes to an end."""
    LEVEL = auto()
    """The machine plays at no such level, or not at all here."""


class BadTerms(PlayError):  # noqa: N818
    """A tournament cannot be as it was asked for."""

    def __init__(
        self,
        problem: TermsProblem,
        *,
        least: timedelta | int | None = None,
        most: timedelta | int | None = None,
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.least = least
        self.most = most


class CorrectionProblem(Enum):
    """The reasons why a result cannot be set."""

    NO_PAIRING = auto()
    """There is no such board in that round."""
    BYE = auto()
    """Nobody plays there."""
    NEEDS_WINNER = auto()
    """In a knockout one of the two has to go on."""
    TOO_LATE = auto()
    """The next round of a knockout is paired by it."""
    NOTE = auto()
    """It has no note, or one too long."""


class CannotCorrect(PlayError):  # noqa: N818
    """A result cannot be set."""

    def __init__(self, problem: CorrectionProblem, *, most: int | None = None) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.most = most


class NoTournament(PlayError):  # noqa: N818
    """There is none in the server with which this could be done."""


class WhichTournament(PlayError):  # noqa: N818
    """There are several with which this could be done."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(", ".join(names))
        self.names = names


class BadLength(PlayError):  # noqa: N818
    """A text says of no length of time."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class BadBeginning(PlayError):  # noqa: N818
    """A text says of no moment when something begins."""

    def __init__(self, text: str, meant: str | None = None) -> None:
        """`meant` can be read, and is like what was typed."""
        super().__init__(text)
        self.text = text
        self.meant = meant
