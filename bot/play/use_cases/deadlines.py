"""Computes deadlines of turns, adjusted for pauses, and when absent players count as gone."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot.play.model.game import Game, GameRow
from bot.play.model.pauses import Pauses
from bot.play.model.reminding import TimedTurn, earliest
from bot.play.store.store import Store
from bot.play.store.timers import BoardOfTurn

PATIENCE = timedelta(days=14)
"""Time after which a player who has not moved in a game without a clock counts as gone."""
_MAX_CHECK_DELAY = timedelta(days=1)


async def pauses(store: Store, game: Game, now: datetime) -> Pauses:
    """Return the known pauses of the current turn."""
    return game.turn_pauses(await known_pauses(store, game, now), now)


async def known_pauses(store: Store, game: Game, now: datetime) -> Pauses:
    """Return both players' pauses from the current turn on, except agreed ones.

    Vacations don't apply in live games.
    """
    if game.turn_since is None or game.to_move is None:
        return Pauses()
    control, row = game.row.clock, game.row
    players = None if control is not None and control.is_live else (row.white, row.black)
    board = BoardOfTurn(game=row.id, revision=game.board_since, channel=row.channel)
    all_pauses = await store.pauses.since(
        game.turn_since, row.guild, players, tournament=row.tournament, board=board, now=now
    )
    return all_pauses if control is None else replace(all_pauses, weekends=control.weekends)


async def deserted_at(store: Store, game: Game, now: datetime) -> datetime | None:
    """Return when the player to move counts as gone, given the pauses known so far.

    Return None if that can't happen: the game has ended, it has a clock or a vote, it is the
    machine's turn, or only the machine is waiting in an unrated game.
    """
    row, since = game.row, game.turn_since
    has_end = row.clock is not None or row.vote is not None
    is_practice = row.machine is not None and not row.claimable
    if has_end or is_practice or game.turn is None or since is None or game.to_move == row.machine:
        return None
    return (await pauses(store, game, now)).runs_out(since, PATIENCE)


async def vote_ends(store: Store, game: Game, now: datetime, number: int = 1) -> datetime | None:
    """Return when a team's vote ends, given the pauses known so far, or None if there is no vote.

    A turn can have several votes, numbered from 1. If nobody votes, another vote of the same length
    begins.
    """
    length, since = game.row.vote, game.turn_since
    if not game.is_voted or length is None or since is None:
        return None
    return (await pauses(store, game, now)).runs_out(since, length * number)


async def voted_for(store: Store, game: Game, now: datetime, until: datetime) -> timedelta:
    """Return how long a team's vote has lasted, not counting pauses."""
    assert game.turn_since is not None  # the game has begun # noqa: S101
    return (await pauses(store, game, now)).elapsed(game.turn_since, until)


def first_check_at(game: Game, deadline: datetime, now: datetime) -> datetime:
    """Return the earliest time for a reminder under any settings."""
    turn = reminded_turn(game, deadline)
    if turn is None:
        return next_check_time(game, deadline, now)
    return check_time(game.row, max(earliest(turn), now), now)


def next_check_time(game: Game, deadline: datetime, now: datetime) -> datetime:
    """Return when a game must next be checked, apart from its reminders."""
    if game.row.clock is not None and not game.has_no_deadline:
        return deadline
    # Once a player counts as gone, nothing is due until someone moves.
    return check_time(game.row, deadline if game.left_by is None else now + PATIENCE, now)


def reminded_turn(game: Game, deadline: datetime) -> TimedTurn | None:
    """Return the current turn, if its player should be reminded.

    Without a clock, players are reminded if they could lose. The machine is never reminded.
    """
    control, clock, turn, player = game.row.clock, game.clock, game.turn, game.to_move
    if turn is None or player is None or player == game.row.machine:
        return None
    if game.is_paused or game.has_no_deadline:
        return None
    if control is not None and not control.is_live and clock is not None:
        return TimedTurn(began=clock.since, left=clock.time_left(turn), deadline=deadline)
    loses = game.row.claimable and game.left_by is None and not game.may_leave(player)
    if not loses or game.turn_since is None:
        return None
    return TimedTurn(began=game.turn_since, left=PATIENCE, deadline=deadline)


def check_time(row: GameRow, moment: datetime, now: datetime) -> datetime:
    """Return when to check a game next, early enough for anything that may be due.

    When a vacation ends early, the timers of its games are due immediately. But a move that is
    being written at that moment may set its game's timer from older data, so a game with a clock is
    checked within a day. Without a clock, moves set no timer, and a turn may start at any time.
    """
    if row.clock is not None:
        return min(moment, now + _MAX_CHECK_DELAY)
    new = TimedTurn(began=now, left=PATIENCE, deadline=now + PATIENCE)
    return min(moment, earliest(new) if row.claimable else new.deadline)
