"""Queries about votes."""

from datetime import datetime

from sqlalchemy import bindparam, delete, func, insert, select, update

from bot.base.ids import ChannelId, GameId, Revision, SourceId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow, Conflict, Queries, shielded
from bot.database.deliveries import queue_for_later
from bot.database.delivery_rows import NewDelivery
from bot.features.teams.model import MOST_CHANGES, CannotVote, Vote, VoteProblem, VoteSnapshot
from bot.play.store.schema import IS_RUNNING, games, votes
from dvonn import Move, parse_move

_OF_BOARD = (votes.c.game_id == bindparam("game"), votes.c.revision == bindparam("board"))

# Nobody can change the game until the transaction ends, but others can vote.
_share_game = (
    select(games.c.revision)
    .where(games.c.id == bindparam("game"), IS_RUNNING)
    .with_for_update(read=True)
)
_count_own = select(func.count()).where(*_OF_BOARD, votes.c.player_id == bindparam("player"))
_insert = insert(votes)
_of_board = select(votes).where(*_OF_BOARD).order_by(votes.c.source_id)
_count = select(func.count()).where(*_OF_BOARD)
_between = (
    select(votes)
    .where(
        votes.c.game_id == bindparam("game"),
        votes.c.revision >= bindparam("first"),
        votes.c.revision < bindparam("until"),
    )
    .order_by(votes.c.source_id)
)
_close = update(votes).where(votes.c.game_id == bindparam("game")).values(closed_at=bindparam("at"))
_delete_old = delete(votes).where(votes.c.closed_at <= bindparam("until"))


class VoteTable(Queries):
    """The table of votes."""

    @shielded
    async def put(
        self,
        game: GameId,
        player: UserId,
        move: Move,
        *,
        board: Revision,
        channel: ChannelId,
        source: SourceId,
        at: datetime,
        showing: tuple[NewDelivery, datetime],
    ) -> None:
        """Store a vote, and the delivery that shows it, in one transaction.

        Votes that are shown by the same edit share its delivery.

        Raises:
            Conflict: if the game is no longer at this revision, or the source has already cast a
                vote.
            CannotVote: if the user has voted too often in this turn.
        """
        async with self._database.transaction() as connection:
            current_revision = (await connection.execute(_share_game, {"game": game})).scalar()
            if current_revision != board:
                raise Conflict(f"game {game} is at revision {current_revision}")
            key = {"player": player, "game": game, "board": board}
            if ((await connection.execute(_count_own, key)).scalar() or 0) >= MOST_CHANGES:
                raise CannotVote(VoteProblem.OFTEN)
            values = {
                "game_id": game,
                "revision": board,
                "channel_id": channel,
                "player_id": player,
                "move": str(move),
                "source_id": source,
                "voted_at": at,
            }
            await connection.execute(_insert, values)
            await queue_for_later(connection, *showing, at=at)

    async def of_board(self, game: GameId, board: Revision) -> list[Vote]:
        rows = await self._database.all(_of_board, {"game": game, "board": board})
        return [_vote(row) for row in rows]

    async def cast_between(
        self, game: GameId, *, first: Revision, until: Revision
    ) -> dict[Revision, list[Vote]]:
        """Return the votes on each of a game's boards from one revision up to another."""
        parameters = {"game": game, "first": first, "until": until}
        votes: dict[Revision, list[Vote]] = {}
        for row in await self._database.all(_between, parameters):
            votes.setdefault(Revision(row.revision), []).append(_vote(row))
        return votes

    async def delete_old(self, *, closed_until: datetime) -> None:
        """Delete the votes of games that ended before a given time."""
        await self._database.change(_delete_old, {"until": closed_until})


async def check_counted(connection: AsyncConnection, game: GameId, snapshot: VoteSnapshot) -> None:
    """Check that nobody has voted since the count, in the transaction of the team's move.

    Raises:
        Conflict: if there are other votes.
    """
    parameters = {"game": game, "board": snapshot.board}
    if (await connection.execute(_count, parameters)).scalar() != snapshot.written:
        raise Conflict(f"there are other votes in game {game}")


async def close_votes(connection: AsyncConnection, game: GameId, at: datetime) -> None:
    """Mark the votes of an ending game, in its transaction. They are deleted later."""
    await connection.execute(_close, {"game": game, "at": at})


def _vote(row: AnyRow) -> Vote:
    return Vote(UserId(row.player_id), parse_move(row.move), row.voted_at)
