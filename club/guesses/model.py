"""Guesses: spectators guess the next move. Guesses stay secret until the move is played."""

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
    """The reasons why the next move of a game cannot be guessed."""

    PLAYS = auto()
    MACHINE = auto()
    ONLY_MOVE = auto()
    PLAYED = auto()


class CannotGuess(PlayError):  # noqa: N818
    """The next move of a game cannot be guessed by this user."""

    def __init__(self, problem: GuessProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


KEPT: Final = timedelta(days=7)
"""Time that a guess is kept after its move, because the board may be posted late."""


@dataclass(frozen=True, slots=True)
class AnsweredGuess:
    """A guess, once the move was played."""

    player: UserId
    told: Revision
    """The event that is the move."""
    is_right: bool


@dataclass(frozen=True, slots=True)
class Reveal:
    """The guesses of one move, announced with the move."""

    told: Revision
    """The event that is the move."""
    right: tuple[UserId, ...]
    """The people who guessed it, the earliest first."""
    count: int


@dataclass(frozen=True, slots=True)
class Guesser:
    """A line of a server's table: the counts of a person's guesses, and of the right ones."""

    player: UserId
    right: int
    guesses: int


def reveals(answered: Iterable[AnsweredGuess]) -> tuple[Reveal, ...]:
    """Return the summary of some guesses by moves, in the order of the guesses."""
    by_move: dict[Revision, list[AnsweredGuess]] = {}
    for guess in answered:
        by_move.setdefault(guess.told, []).append(guess)
    return tuple(
        Reveal(told, tuple(guess.player for guess in guesses if guess.is_right), len(guesses))
        for told, guesses in sorted(by_move.items())
    )


def may_guess(game: Game, user: UserId) -> bool:
    try:
        check_guess(game, user)
    except PlayError:
        return False
    return True


def check_guess(game: Game, user: UserId) -> None:
    """Check that a user may guess the next move of a game.

    Raises:
        GameNotRunning: if it is over.
        NotAPlayer: if pieces are being placed, or a board or colors chosen.
        TeamDecides: if teams play it, since spectators may vote there.
        CannotGuess: if the user plays in it, if the machine is to move, or if only one move is
            legal.
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
