"""When a turn's time is up, and when it stands still meanwhile; when a game lies."""

from datetime import datetime, timedelta

from bot.model.clock import Pauses, elapsed, runs_out
from bot.model.game import Game
from bot.model.reminding import Turn, earliest
from bot.store import Store

PATIENCE = timedelta(days=14)
"""How long a game without a clock lies until the player to move counts as gone."""
_AT_THE_LATEST = timedelta(days=1)


async def pauses(store: Store, game: Game) -> Pauses:
    """The pauses of the present turn and of all that come after it, as far as they are known.

    In a live game nobody is on vacation.
    """
    if game.turn_since is None or not game.is_running:
        return Pauses()
    control, row = game.row.clock, game.row
    players = None if control is not None and control.is_live else (row.white, row.black)
    return await store.pauses.since(game.turn_since, row.guild, players)


async def deserted_at(store: Store, game: Game) -> datetime | None:
    """When the player to move counts as gone, as far as their vacations and outages are known.

    None where that does not happen: the game has ended, a clock or a vote says when their time is
    up, or nobody waits for them but the machine.
    """
    row, since = game.row, game.turn_since
    has_end = row.clock is not None or row.vote is not None
    if has_end or row.machine is not None or game.turn is None or since is None:
        return None
    still = (await pauses(store, game)).of(game.to_move)
    return runs_out(since, PATIENCE, still, weekends=None)


async def vote_ends(store: Store, game: Game, number: int = 1) -> datetime | None:
    """When a team's vote ends, as far as outages are known; None where no team is to move.

    Args:
        store: Where outages are known.
        game: The game.
        number: Which vote of the turn, from 1: it goes on for as long again where nobody has voted.
    """
    length, since = game.row.vote, game.turn_since
    if not game.is_voted or length is None or since is None:
        return None
    away = (await pauses(store, game)).outages
    return runs_out(since, length * number, away, weekends=None)


async def voted_for(store: Store, game: Game, until: datetime) -> timedelta:
    """How long a team's vote has lasted at a moment; outages do not count."""
    assert game.turn_since is not None  # it has begun  # noqa: S101
    away = (await pauses(store, game)).outages
    return elapsed(game.turn_since, until, away, weekends=None)


def first_look(game: Game, deadline: datetime, now: datetime) -> datetime:
    """When somebody may have to be reminded for the first time, whatever they have chosen."""
    control, clock, turn = game.row.clock, game.clock, game.turn
    if control is None or control.is_live or clock is None or turn is None:
        return deadline
    whole = Turn(began=clock.since, left=clock.left(turn), deadline=deadline)
    return soon_enough(max(earliest(whole), now), now)


def soon_enough(moment: datetime, now: datetime) -> datetime:
    """When to look at a game, at the latest tomorrow.

    A vacation that is ended early wakes its games at once; but a move that is being written at that
    moment may set the timer of its game from what it knew before.
    """
    return min(moment, now + _AT_THE_LATEST)
