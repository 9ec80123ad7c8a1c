"""Call the move: spectators guess what is played next; nobody learns of it before it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.base.errors import PlayError
from bot.base.ids import Revision, UserId
from bot.features.guesses.refusals import CallProblem, CannotCall
from bot.play.model.game import Game
from bot.play.model.refusals.playing import GameGone, NotAPlayer
from bot.play.model.refusals.voting import TeamDecides
from dvonn import Phase

KEPT: Final = timedelta(days=7)
"""The time for which a guess is kept after its move, as its board may be posted late."""


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """A call, once the move was played."""

    player: UserId
    told: Revision
    """The event that is the move."""
    is_right: bool


@dataclass(frozen=True, slots=True)
class Reveal:
    """The guesses of one move, told with the move."""

    told: Revision
    """The event that is the move."""
    right: tuple[UserId, ...]
    """Those who guessed it, the first of them first."""
    count: int
    """The number of guesses; at least one."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A line of a server's table: the counts of a person's guesses, and of the right ones."""

    player: UserId
    right: int
    calls: int


def reveals(answered: Iterable[AnsweredCall]) -> tuple[Reveal, ...]:
    """Return what is told of some guesses, in the order in which they were made, by moves."""
    by_move: dict[Revision, list[AnsweredCall]] = {}
    for one in answered:
        by_move.setdefault(one.told, []).append(one)
    return tuple(
        Reveal(told, tuple(one.player for one in calls if one.is_right), len(calls))
        for told, calls in sorted(by_move.items())
    )


def may_call(game: Game, user: UserId) -> bool:
    """Tell whether a user may guess the next move of a game."""
    try:
        check_call(game, user)
    except PlayError:
        return False
    return True


def check_call(game: Game, user: UserId) -> None:
    """Check that a user may guess the next move of a game.

    Raises:
        GameGone: if it is over.
        NotAPlayer: if pieces are being placed, or a board or colours chosen.
        TeamDecides: if teams play it, for which spectators may vote.
        CannotCall: if they play in it themselves, the machine is to move, or there is one move
            only.
    """
    if not game.is_running:
        raise GameGone
    if game.row.vote is not None:
        raise TeamDecides
    if game.seat(user) is not None:
        raise CannotCall(CallProblem.PLAYS)
    if game.choosing is not None or game.position.phase is not Phase.MOVEMENT:
        raise NotAPlayer
    if game.to_move == game.row.machine:
        raise CannotCall(CallProblem.MACHINE)
    if len(game.position.legal_moves()) == 1:
        raise CannotCall(CallProblem.ONLY_MOVE)
