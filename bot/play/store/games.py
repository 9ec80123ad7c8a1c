"""Reads games and their events. `bot.play.store.changes` writes them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

import sqlalchemy as sa

from bot.base import ids
from bot.database.database import AnyRow, Queries, guild_in_shards, shard_parameters
from bot.database.schema import Instant
from bot.play.model.clock import TimeControl
from bot.play.model.events import Event
from bot.play.model.familiarity import NEWCOMER_GAMES, Familiarity
from bot.play.model.game import GameRow
from bot.play.model.openings import opening_seeds
from bot.play.model.terms import EndReason, Outcome, Start
from bot.play.store.changes import event_of
from bot.play.store.schema import HAS_CHOSEN_LEVEL, HAS_ENDED, IS_RUNNING, events, games, votes
from dvonn import Color, Coordinates

_IN_SHARDS = guild_in_shards(games.c.guild_id)
_by_id = sa.select(games).where(games.c.id == sa.bindparam("id"))
_by_channel = sa.select(games).where(games.c.channel_id == sa.bindparam("channel"), IS_RUNNING)
_ended_in = (
    sa.select(games)
    .where(games.c.channel_id == sa.bindparam("channel"), games.c.ended_at >= sa.bindparam("since"))
    .order_by(games.c.ended_at.desc(), games.c.id.desc())
    .limit(1)
)
_in_guild = sa.select(games).where(IS_RUNNING, games.c.guild_id == sa.bindparam("guild"))
_IS_UNAIDED = IS_RUNNING & sa.or_(
    games.c.machine_id.is_(None), games.c.vote_s.is_not(None), games.c.rated.is_(True)
)
_HAS_SEAT = sa.or_(
    games.c.white_id == sa.bindparam("player"), games.c.black_id == sa.bindparam("player")
)
_unaided = sa.select(
    sa.func.aggregate_strings(
        sa.cast(games.c.id, sa.String)
        + ":"
        + sa.cast(games.c.revision, sa.String)
        + ":"
        + sa.func.coalesce(games.c.board, ""),
        " ",
    ).label("found")
).where(
    _IS_UNAIDED,
    games.c.id != sa.bindparam("but"),
    (games.c.start != Start.POSITION.value) | _HAS_SEAT,
)
_set_board = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"), IS_RUNNING)
    .values(board=sa.bindparam("new_board"))
)
_played_seeds = sa.select(games.c.seed).where(
    games.c.guild_id == sa.bindparam("guild"),
    games.c.seed.in_(sa.bindparam("seeds", expanding=True)),
)
_of_user = sa.select(games).where(IS_RUNNING, games.c.guild_id == sa.bindparam("guild"), _HAS_SEAT)
_anywhere = sa.select(games).where(IS_RUNNING, _HAS_SEAT)
_began = sa.select(games.c.created_at).where(games.c.id == sa.bindparam("game"))
_end = sa.select(games.c.ended_at, games.c.id).where(games.c.id == sa.bindparam("game"))


_last_levels = (
    sa.select(games.c.id, games.c.level)
    .where(HAS_CHOSEN_LEVEL, seat == sa.bindparam("player"))
    .order_by(games.c.id.desc())
    .limit(1)
    .subquery()
    for seat in (games.c.white_id, games.c.black_id)
)
_last_level = (
    sa.union_all(*map(sa.select, _last_levels)).order_by(sa.literal_column("id").desc()).limit(1)
)


_BEFORE = games.c.id < sa.bindparam("before")
"""Condition for games older than a given one."""


def _earlier(
    is_of: sa.ColumnElement[bool], seat: sa.ColumnElement[Any], *conditions: sa.ColumnElement[bool]
) -> sa.Select[Any]:
    """Return a query for a few of a player's earlier games in a seat. `is_of` selects its index."""
    query = sa.select(games.c.id).where(is_of, seat == sa.bindparam("player"), _BEFORE, *conditions)
    return sa.select(query.limit(NEWCOMER_GAMES).subquery())


_SEATS = (games.c.white_id, games.c.black_id)
_known_games = sa.union(
    *(_earlier(HAS_ENDED, seat, games.c.guild_id == sa.bindparam("guild")) for seat in _SEATS),
    *(_earlier(HAS_CHOSEN_LEVEL, seat) for seat in _SEATS),
).limit(NEWCOMER_GAMES)
_SAME_CHARACTER = (
    games.c.level == sa.bindparam("level"),
    games.c.engine == sa.bindparam("engine"),
)
_met = sa.union_all(*(_earlier(HAS_CHOSEN_LEVEL, seat, *_SAME_CHARACTER) for seat in _SEATS)).limit(
    1
)


def _ended_in_seat(seat: sa.ColumnElement[Any], *, later: bool | None) -> sa.Subquery:
    """Return a player's ended games in one seat in a guild, in the requested order.

    Args:
        seat: Column with the player.
        later: True for games that ended after a given game, nearest first. False for games before
            it. None for the latest games.
    """
    end = sa.tuple_(games.c.ended_at, games.c.id)
    other = sa.tuple_(
        sa.bindparam("ended_at", type_=Instant), sa.bindparam("id", type_=sa.BigInteger)
    )
    beyond = () if later is None else (end > other if later else end < other,)
    order = (
        (games.c.ended_at, games.c.id) if later else (games.c.ended_at.desc(), games.c.id.desc())
    )
    query = sa.select(games).where(
        HAS_ENDED,
        games.c.guild_id == sa.bindparam("guild"),
        seat == sa.bindparam("player"),
        *beyond,
    )
    return query.order_by(*order).limit(sa.bindparam("limit")).subquery()


def _ended_games(*, later: bool | None = None) -> sa.Select[Any]:
    """Select a user's ended games. Each color has its own query, which uses its index."""
    seats = (_ended_in_seat(seat, later=later) for seat in (games.c.white_id, games.c.black_id))
    union = sa.union_all(*(sa.select(seat) for seat in seats)).subquery()
    order = (
        (union.c.ended_at, union.c.id) if later else (union.c.ended_at.desc(), union.c.id.desc())
    )
    return sa.select(union).order_by(*order).limit(sa.bindparam("limit"))


_ended_last = _ended_games()
_ended_before = _ended_games(later=False)
_ended_after = _ended_games(later=True)
_events = (
    sa.select(events)
    .where(
        events.c.game_id == sa.bindparam("game"),
        events.c.revision > sa.bindparam("after"),
        events.c.revision <= sa.bindparam("until"),
    )
    .order_by(events.c.revision)
)
_continuation = sa.select(games.c.id).where(games.c.continues_id == sa.bindparam("game"))
_by_source = sa.union_all(
    sa.select(events.c.game_id).where(events.c.source_id == sa.bindparam("source")),
    sa.select(votes.c.game_id).where(votes.c.source_id == sa.bindparam("source")),
)
_hint = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"), games.c.hinted_at.is_(None))
    .values(hinted_at=sa.bindparam("at"))
)
_with_machine = sa.select(games).where(IS_RUNNING, games.c.machine_id.is_not(None), _IN_SHARDS)
_with_last_source = (
    sa.select(games.c.guild_id, games.c.channel_id, sa.func.max(events.c.source_id))
    .join_from(games, events)
    .where(IS_RUNNING, games.c.visiting.is_not(True))
    .group_by(games.c.id, games.c.guild_id, games.c.channel_id)
    # The longest wait comes first, so all are reached even if the bot crashes repeatedly.
    .order_by(sa.func.max(events.c.source_id))
)
_running_with_last_source = _with_last_source.where(_IN_SHARDS)
_in_guild_with_last_source = _with_last_source.where(games.c.guild_id == sa.bindparam("guild"))


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedGame:
    """An ended game, and when it ended."""

    row: GameRow
    at: datetime


class GameTable(Queries):
    """Queries for games and events."""

    async def get(self, game: ids.GameId) -> GameRow | None:
        row = await self._database.first(_by_id, {"id": game})
        return None if row is None else _game(row)

    async def running_in(self, channel: ids.ChannelId) -> GameRow | None:
        row = await self._database.first(_by_channel, {"channel": channel})
        return None if row is None else _game(row)

    async def ended_in(self, channel: ids.ChannelId, since: datetime) -> GameRow | None:
        """Return the last game that ended in a channel, if it ended after a given time."""
        row = await self._database.first(_ended_in, {"channel": channel, "since": since})
        return None if row is None else _game(row)

    async def newest_in(self, channel: ids.ChannelId, *, since: datetime) -> GameRow | None:
        """Return the game that is running in a channel, or else the last one that ended there."""
        return await self.running_in(channel) or await self.ended_in(channel, since)

    async def beginner(self, game: GameRow) -> ids.UserId:
        """Return the player who started a game with a challenge, or who plays the machine."""
        if game.machine is not None:
            return game.white if game.machine == game.black else game.black
        (first,) = await self.events(game.id, until=ids.Revision(0))
        return game.white if first.actor == game.black else game.black

    async def running_in_guild(self, guild: ids.GuildId) -> list[GameRow]:
        return [_game(row) for row in await self._database.all(_in_guild, {"guild": guild})]

    async def running_of(self, guild: ids.GuildId, player: ids.UserId) -> list[GameRow]:
        rows = await self._database.all(_of_user, {"guild": guild, "player": player})
        # If the query did the sorting, SQLite would read all games.
        return [_game(row) for row in sorted(rows, key=lambda row: row.id)]

    async def all_running_of(self, player: ids.UserId) -> list[GameRow]:
        """Return a player's running games in all servers."""
        rows = await self._database.all(_anywhere, {"player": player})
        return [_game(row) for row in sorted(rows, key=lambda row: row.id)]

    async def unaided(
        self, user: ids.UserId, *, but: ids.GameId | None = None
    ) -> list[tuple[ids.GameId, str, str]]:
        """Return all running games with restricted help, except one: id, revision, stored `board`.

        Games from a chosen position are included only if they are the user's own. The result is a
        single text, so that reading ten thousand games takes only a few milliseconds.
        """
        row = await self._database.first(_unaided, {"player": user, "but": but or 0})
        text = "" if row is None or row.found is None else row.found
        split = (pair.split(":") for pair in text.split())
        return [(ids.GameId(int(game)), revision, board) for game, revision, board in split]

    async def set_board(self, game: ids.GameId, board: str | None) -> None:
        await self._database.change(_set_board, {"game": game, "new_board": board})

    async def last_level(self, player: ids.UserId) -> int | None:
        """Return the machine's level in the user's last game against it, if any."""
        row = await self._database.first(_last_level, {"player": player})
        return None if row is None else int(row.level)

    async def familiarity(self, game: GameRow) -> Familiarity:
        """Return what the players of a game knew about the rules when it began.

        A person's games against the machine and their ended games in this place count.
        """
        before = game.id or ids.GameId(2**62)  # a game without an id is about to begin
        people = [player for player in (game.white, game.black) if player != game.machine]
        earlier_games = [
            await self._database.all(
                _known_games, {"player": player, "guild": game.guild, "before": before}
            )
            for player in people
        ]
        meetings = [
            await self._database.first(
                _met,
                {"player": player, "before": before, "level": game.level, "engine": game.engine},
            )
            for player in people
            if game.machine is not None
        ]
        return Familiarity(
            rules=all(len(rows) >= NEWCOMER_GAMES for rows in earlier_games),
            character=bool(meetings) and None not in meetings,
        )

    async def new_board(self, start: Start, guild: ids.GuildId, rng: Random) -> int:
        """Return the seed of a board that the server has not played yet, if there is one."""
        seeds = opening_seeds(start, rng)
        rows = await self._database.all(_played_seeds, {"guild": guild, "seeds": seeds})
        played = {row.seed for row in rows}
        return next((seed for seed in seeds if seed not in played), seeds[0])

    async def ended_of(
        self,
        guild: ids.GuildId,
        player: ids.UserId,
        *,
        limit: int,
        before: ids.GameId | None = None,
        after: ids.GameId | None = None,
    ) -> list[EndedGame]:
        """Return a player's ended games in a guild, latest first.

        With `before` or `after`, return only games that ended before or after that game, nearest
        first.
        """
        parameters: dict[str, Any] = {"guild": guild, "player": player, "limit": limit}
        statement, anchor = _ended_last, before if after is None else after
        if anchor is not None:
            end = await self._database.first(_end, {"game": anchor})
            if end is None or end.ended_at is None:
                return []
            parameters |= {"ended_at": end.ended_at, "id": end.id}
            statement = _ended_before if after is None else _ended_after
        rows = await self._database.all(statement, parameters)
        ended = [EndedGame(row=_game(row), at=row.ended_at) for row in rows]
        return ended[::-1] if after is not None else ended

    async def began(self, game: ids.GameId) -> datetime | None:
        row = await self._database.first(_began, {"game": game})
        return None if row is None else row.created_at

    async def running_channels(self, shards: ids.Shards) -> list[ids.RunningChannel]:
        """Return the channels of these shards' running games, least recently changed first.

        Channels where the bot is a guest are left out, because it can't read anything there.
        """
        rows = await self._database.all(_running_with_last_source, shard_parameters(shards))
        return [_channel(row) for row in rows]

    async def running_channels_in(self, guild: ids.GuildId) -> list[ids.RunningChannel]:
        """Return the channels of a server's running games, least recently changed first."""
        rows = await self._database.all(_in_guild_with_last_source, {"guild": guild})
        return [_channel(row) for row in rows]

    async def with_machine(self, shards: ids.Shards) -> list[GameRow]:
        """Return these shards' running games against the machine."""
        rows = await self._database.all(_with_machine, shard_parameters(shards))
        return [_game(row) for row in rows]

    async def hint_once(self, game: ids.GameId, *, at: datetime) -> bool:
        """Return True the first time that a game's players need the hint about typing moves."""
        return await self._database.change(_hint, {"game": game, "at": at}) == 1

    async def events(
        self,
        game: ids.GameId,
        *,
        after: ids.Revision = ids.BEFORE_START,
        until: ids.Revision = ids.LATEST,
    ) -> list[Event]:
        """Return a game's events after one revision up to another one, in order."""
        parameters = {"game": game, "after": after, "until": until}
        rows = await self._database.all(_events, parameters)
        return [event_of(row) for row in rows]

    async def is_continued(self, game: ids.GameId) -> bool:
        return await self._database.first(_continuation, {"game": game}) is not None

    async def has_source(self, source: ids.SourceId) -> bool:
        """Return True if this message or interaction has already changed a game or cast a vote."""
        return await self._database.first(_by_source, {"source": source}) is not None


def _channel(row: AnyRow) -> ids.RunningChannel:
    return ids.RunningChannel(
        guild=ids.GuildId(row[0]), channel=ids.ChannelId(row[1]), last=ids.SourceId(row[2])
    )


def _game(row: AnyRow) -> GameRow:
    return GameRow(
        id=ids.GameId(row.id),
        guild=ids.GuildId(row.guild_id),
        channel=ids.ChannelId(row.channel_id),
        white=ids.UserId(row.white_id),
        black=ids.UserId(row.black_id),
        coordinates=Coordinates(row.coordinates),
        start=Start(row.start),
        seed=row.seed,
        clock=TimeControl.from_text(row.clock),
        machine=None if row.machine_id is None else ids.UserId(row.machine_id),
        level=row.level,
        continues=None if row.continues_id is None else ids.GameId(row.continues_id),
        own_thread=row.own_thread,
        visiting=bool(row.visiting),
        vote=None if row.vote_s is None else timedelta(seconds=row.vote_s),
        tournament=None if row.tournament_id is None else ids.TournamentId(row.tournament_id),
        rated=bool(row.rated),
        claimable=bool(row.claimable),
        engine=row.engine,
        revision=ids.Revision(row.revision),
        outcome=_outcome(row),
    )


def _outcome(row: AnyRow) -> Outcome | None:
    if row.outcome is None:
        return None
    winner = None if row.winner is None else Color(row.winner)
    return Outcome(EndReason(row.outcome), winner, row.margin)
