"""Storage of spectators' guesses and guess counts.

The tables use an older word: a guess is a "call", and a guesser a "caller". `told` is the revision
of the event that resolved a guess.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from bot.base.ids import GameId, GuildId, Revision, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import Conflict, Queries, lock, shielded
from bot.database.schema import Instant
from bot.play.store.schema import IS_RUNNING, games
from club.guesses.model import AnsweredGuess, Guesser
from club.guesses.schema import callers, calls
from dvonn import Move, parse_move

_OF_BOARD = (calls.c.game_id == sa.bindparam("game"), calls.c.revision == sa.bindparam("board"))
_OWN = (*_OF_BOARD, calls.c.player_id == sa.bindparam("player"))

_own = sa.select(calls.c.move).where(*_OWN)
# Nobody can change the game until the transaction ends, but others can guess.
_share_game = (
    sa.select(games.c.revision)
    .where(games.c.id == sa.bindparam("game"), IS_RUNNING)
    .with_for_update(read=True)
)
_change = (
    sa.update(calls).where(*_OWN).values(move=sa.bindparam("called"), called_at=sa.bindparam("at"))
)
_insert = sa.insert(calls).values(
    game_id=sa.bindparam("game"),
    revision=sa.bindparam("board"),
    player_id=sa.bindparam("player"),
    move=sa.bindparam("called"),
    called_at=sa.bindparam("at"),
)
_answer = (
    sa.update(calls)
    .where(*_OF_BOARD)
    .values(
        told=sa.bindparam("by"),
        told_at=sa.bindparam("at", type_=Instant),
        is_right=calls.c.move == sa.bindparam("played"),
    )
    .returning(calls.c.player_id, calls.c.is_right, calls.c.called_at)
)
_drop = sa.delete(calls).where(*_OF_BOARD)
_who = sa.select(calls.c.player_id).where(*_OF_BOARD)
_new_callers = sa.insert(callers).from_select(
    ["guild_id", "player_id", "calls", "right_calls"],
    sa.select(
        sa.bindparam("guild", type_=sa.BigInteger),
        calls.c.player_id,
        sa.literal(0, sa.Integer),
        sa.literal(0, sa.Integer),
    ).where(
        *_OF_BOARD,
        ~sa.exists().where(
            callers.c.guild_id == sa.bindparam("guild", type_=sa.BigInteger),
            callers.c.player_id == calls.c.player_id,
        ),
    ),
)
_of_these = (callers.c.guild_id == sa.bindparam("guild"), callers.c.player_id.in_(_who))
_count = sa.update(callers).where(*_of_these).values(calls=callers.c.calls + 1)
_count_right = (
    sa.update(callers)
    .where(
        callers.c.guild_id == sa.bindparam("guild"),
        callers.c.player_id.in_(_who.where(calls.c.is_right)),
    )
    .values(right_calls=callers.c.right_calls + 1)
)
_answered_between = (
    sa.select(calls.c.told, calls.c.player_id, calls.c.is_right)
    .where(
        calls.c.game_id == sa.bindparam("game"),
        calls.c.told > sa.bindparam("after"),
        calls.c.told <= sa.bindparam("until"),
    )
    .order_by(calls.c.told, calls.c.called_at, calls.c.player_id)
)
_best = (
    sa.select(callers)
    .where(callers.c.guild_id == sa.bindparam("guild"), callers.c.right_calls > 0)
    .order_by(callers.c.right_calls.desc(), callers.c.calls, callers.c.player_id)
    .limit(sa.bindparam("limit"))
)
_one = sa.select(callers).where(
    callers.c.guild_id == sa.bindparam("guild"), callers.c.player_id == sa.bindparam("player")
)
_forget_old = sa.delete(calls).where(calls.c.told_at <= sa.bindparam("until"))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringEvent:
    """The event that resolves the guesses on a board."""

    board: Revision
    """Revision of the game that created the board."""
    move: Move | None
    """The move played on the board, or None if the game ended there."""
    revision: Revision
    """Revision of the event that played the move."""


class GuessTable(Queries):
    """The tables of guesses and of the counts per user."""

    @shielded
    async def put(
        self,
        game: GameId,
        player: UserId,
        move: Move,
        *,
        board: Revision,
        revision: Revision,
        at: datetime,
    ) -> None:
        """Store a guess, replacing the player's earlier one on the same board.

        `board` is the board's revision. `revision` is the game's revision when it was read.

        Raises:
            Conflict: if the game is no longer at this revision, or has ended.
        """
        call = {"game": game, "board": board, "player": player, "called": str(move), "at": at}
        async with self._database.transaction() as connection:
            current = (await connection.execute(_share_game, {"game": game})).scalar()
            if current != revision:
                raise Conflict(f"game {game} is at revision {current}")
            if (await connection.execute(_change, call)).rowcount == 0:
                await connection.execute(_insert, call)

    async def own(self, game: GameId, player: UserId, *, board: Revision) -> Move | None:
        """Return a player's guess on a board, or None."""
        row = await self._database.first(_own, {"game": game, "player": player, "board": board})
        return None if row is None else parse_move(row.move)

    async def answered(
        self, game: GameId, *, after: Revision, until: Revision
    ) -> list[AnsweredGuess]:
        """Return a game's resolved guesses between two revisions."""
        parameters = {"game": game, "after": after, "until": until}
        rows = await self._database.all(_answered_between, parameters)
        return [
            AnsweredGuess(UserId(row.player_id), Revision(row.told), bool(row.is_right))
            for row in rows
        ]

    async def best(self, guild: GuildId, *, limit: int) -> list[Guesser]:
        """Return the users with the most right guesses in a server. Ties go to fewer guesses."""
        rows = await self._database.all(_best, {"guild": guild, "limit": limit})
        return [Guesser(UserId(row.player_id), row.right_calls, row.calls) for row in rows]

    async def counts_of(self, guild: GuildId, player: UserId) -> Guesser | None:
        """Return a player's counts in a server, or None if none of their guesses was resolved."""
        row = await self._database.first(_one, {"guild": guild, "player": player})
        return None if row is None else Guesser(player, row.right_calls, row.calls)

    async def forget(self, *, moves_until: datetime) -> None:
        """Delete the guesses of moves played until a given time. The counts stay."""
        await self._database.change(_forget_old, {"until": moves_until})


async def answer_guesses(
    connection: AsyncConnection, game: GameId, guild: GuildId, playing: AnsweringEvent, at: datetime
) -> Sequence[AnsweredGuess]:
    """Resolve the guesses on a board in the transaction that plays on it, and count them.

    Return them, earliest first, or none if no move was played.
    """
    board = {"game": game, "board": playing.board}
    if playing.move is None:
        await connection.execute(_drop, board)
        return ()
    answer = {**board, "played": str(playing.move), "by": playing.revision, "at": at}
    rows = (await connection.execute(_answer, answer)).all()
    if not rows:
        return ()
    # Two games in a server may have the same guessers.
    await lock(connection, guild)
    for statement in (_new_callers, _count, _count_right):
        await connection.execute(statement, {**board, "guild": guild})
    in_order = sorted(rows, key=lambda row: (row.called_at, row.player_id))
    return [
        AnsweredGuess(UserId(row.player_id), playing.revision, bool(row.is_right))
        for row in in_order
    ]
