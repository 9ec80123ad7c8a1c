"""Spectators' guesses of the next move, which are secret until the move is played."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import Final

from bot.base.errors import PlayError
from bot.base.ids import Revision, UserId
from bot.play.model.game import Game
from bot.play.model.refusals import GameNotRunning, NotAPlayer, TeamDecides
from dvonn import Phase


class GuessProblem(Enum):
    """Reasons why a game's next move can't be guessed."""

    PLAYS = auto()
    MACHINE = auto()
    ONLY_MOVE = auto()
    PLAYED = auto()


class CannotGuess(PlayError):  # noqa: N818
    """The user can't guess the game's next move."""

    def __init__(self, problem: GuessProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


KEPT: Final = timedelta(days=7)
"""Retention time of a guess after its move, because the board may be posted late."""


@dataclass(frozen=True, slots=True)
class AnsweredGuess:
    """A guess whose move has been played."""

    player: UserId
    revision: Revision
    """Revision of the event that played the move."""
    is_right: bool


@dataclass(frozen=True, slots=True)
class Reveal:
    """The guesses of one move, announced with the move."""

    revision: Revision
    """Revision of the event that played the move."""
    right: tuple[UserId, ...]
    """The people who guessed it, earliest first."""
    count: int


@dataclass(frozen=True, slots=True)
class Guesser:
    """A person's numbers of guesses and right guesses in a server."""

    player: UserId
    right: int
    guesses: int


def reveals(answered_guesses: Iterable[AnsweredGuess]) -> tuple[Reveal, ...]:
    """Return a summary of guesses for each move, in the order of the moves.

    >>> guesses = [(1, 7, True), (2, 7, False), (3, 9, True)]
    >>> for reveal in reveals(AnsweredGuess(UserId(u), Revision(r), ok) for u, r, ok in guesses):
    ...     print(reveal.right, "of", reveal.count)
    (1,) of 2
    (3,) of 1
    """
    by_move: dict[Revision, list[AnsweredGuess]] = {}
    for guess in answered_guesses:
        by_move.setdefault(guess.revision, []).append(guess)
    return tuple(
        Reveal(revision, tuple(guess.player for guess in guesses if guess.is_right), len(guesses))
        for revision, guesses in sorted(by_move.items())
    )


def may_guess(game: Game, user: UserId) -> bool:
    try:
        check_guess(game, user)
    except PlayError:
        return False
    return True


def check_guess(game: Game, user: UserId) -> None:
    """Check that a user may guess a game's next move.

    Raises:
        GameNotRunning: if it has ended.
        NotAPlayer: in the placement phase, or while a board or colors are chosen.
        TeamDecides: if teams play it, because spectators can vote there.
        CannotGuess: if the user is one of the players, if it is the machine's turn, or if only one
            move is legal.
    """
    if not game.is_running:
        raise GameNotRunning
    if game.row.vote is not None:
        raise TeamDecides
    if game.seat(user) is not None:
        raise CannotGuess(GuessProblem.PLAYS)
    if game.position.phase is not Phase.MOVEMENT:
        raise NotAPlayer
    if game.to_move == game.row.machine:
        raise CannotGuess(GuessProblem.MACHINE)
    if len(game.position.legal_moves()) == 1:
        raise CannotGuess(GuessProblem.ONLY_MOVE)
