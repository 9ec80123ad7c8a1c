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
"""How long a call is kept once its move was played: a board may be posted late, and tells of it."""


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """A call, once the move was played."""

    player: UserId
    """Who called."""
    told: Revision
    """The event that is the move."""
    is_right: bool


@dataclass(frozen=True, slots=True)
class Reveal:
    """What is told of the calls of one move, with the move."""

    told: Revision
    """The event that is the move."""
    right: tuple[UserId, ...]
    """Who called it, whoever was first comes first."""
    count: int
    """How many called anything; at least one."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A line of a server's table: how often somebody has called moves, and called them right."""

    player: UserId
    right: int
    calls: int


def reveals(answered: Iterable[AnsweredCall]) -> tuple[Reveal, ...]:
    """What is told of some calls, in the order in which they were made; a move after the other."""
    by_move: dict[Revision, list[AnsweredCall]] = {}
    for one in answered:
        by_move.setdefault(one.told, []).append(one)
    return tuple(
        Reveal(told, tuple(one.player for one in calls if one.is_right), len(calls))
        for told, calls in sorted(by_move.items())
    )


def may_call(game: Game, user: UserId) -> bool:
    """Whether somebody may call the next move of a game."""
    try:
        check_call(game, user)
    except PlayError:
        return False
    return True


def check_call(game: Game, user: UserId) -> None:
    """See that somebody may call the next move of a game.

    Raises:
        GameGone: if it is over.
        NotAPlayer: if pieces are being placed, or a board or colours chosen.
        TeamDecides: if teams play it, for which whoever watches may vote.
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
