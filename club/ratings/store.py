"""Queries about ratings and their changes."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import bindparam, func, insert, select, update

from bot.base.glicko import Rating
from bot.base.ids import NO_GUILD, GameId, GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow, Queries, lock
from bot.people.store.privacy import DELETED_SINCE, fingerprint
from bot.play.model.clock import Pace, TimeControl, pace_of
from bot.play.model.game import GameRow
from bot.play.store.schema import games
from bot.play.use_cases.use_cases import UseCases
from club.ratings import model
from club.ratings.schema import rating_changes, ratings

_MOMENT: Final = timedelta(milliseconds=1)
"""Resolution of times in the database."""

_IN_POOLS = ratings.c.guild_id.in_(bindparam("guilds", expanding=True))
_OF_PLAYERS = ratings.c.player_id.in_(bindparam("players", expanding=True))
_strengths = select(ratings).where(_IN_POOLS, ratings.c.pace == bindparam("pace"), _OF_PLAYERS)
# Locked, so that retention can't delete the rows before the change.
_strengths_to_change = _strengths.order_by(*ratings.primary_key.columns).with_for_update()
_between = select(func.count()).where(
    rating_changes.c.player_id == bindparam("player"),
    rating_changes.c.guild_id == NO_GUILD,
    rating_changes.c.pace == bindparam("pace"),
    rating_changes.c.at > bindparam("since"),
    rating_changes.c.opponent_id == bindparam("opponent"),
)
_change_strength = (
    update(ratings)
    .where(
        ratings.c.guild_id == bindparam("guild"),
        ratings.c.pace == bindparam("of_pace"),
        ratings.c.player_id == bindparam("player"),
    )
    .values(
        {
            column: bindparam(f"new_{column.name}")
            for column in ratings.c
            if column not in set(ratings.primary_key.columns)
        }
    )
)
_count = update(games).where(games.c.id == bindparam("game")).values(rated_at=bindparam("at"))
_of_game = select(rating_changes).where(rating_changes.c.game_id == bindparam("game"))


class RatingTable(Queries):
    """The tables of ratings."""

    async def pool_ratings(
        self, guild: GuildId, pace: Pace, players: Collection[UserId]
    ) -> dict[UserId, model.PoolRating]:
        """Return players' ratings in a pool, without players who have no rated game there."""
        parameters = {"guilds": [guild], "pace": pace, "players": list(players)}
        rows = await self._database.all(_strengths, parameters)
        return {UserId(row.player_id): strength_of(row) for row in rows}

    async def changes(self, game: GameId) -> tuple[model.RatingChange, ...]:
        """Return the rating changes of a game, or none if it did not count."""
        rows = await self._database.all(_of_game, {"game": game})
        return tuple(change_of(row) for row in rows)

    async def why_uncounted(
        self, result: model.RatedResult, ended_at: datetime
    ) -> model.UnratedReason:
        """Return why a game with a result did not count."""
        parameters = _deleted_lately(result, ended_at)
        is_recently_deleted = await self._database.first(DELETED_SINCE, parameters) is not None
        return (
            model.UnratedReason.RECENTLY_DELETED
            if is_recently_deleted
            else model.UnratedReason.TOO_MANY
        )


async def rate(
    connection: AsyncConnection, row: GameRow, result: model.RatedResult, ended_at: datetime
) -> model.Verdict:
    """Rate a game in the transaction that ends it.

    Players are locked in the order of their ids, and nothing is locked after them. So two games of
    the same player are rated one at a time, without deadlocks.
    """
    people = sorted(result.people)
    for player in people:
        await lock(connection, player)
    if (uncounted := await why_not(connection, result, ended_at)) is not None:
        return uncounted
    pools = dict.fromkeys((row.guild, NO_GUILD))
    parameters = {"guilds": list(pools), "pace": result.pace, "players": people}
    known_ratings: dict[GuildId, dict[UserId, model.PoolRating]] = {guild: {} for guild in pools}
    for changed in await connection.execute(_strengths_to_change, parameters):
        known_ratings[GuildId(changed.guild_id)][UserId(changed.player_id)] = strength_of(changed)
    # No two games of a person get the same time, so that a recount uses the same order.
    last_times = [rating.rating.at for pool in known_ratings.values() for rating in pool.values()]
    at = max([ended_at, *(moment + _MOMENT for moment in last_times)])
    changes = tuple(
        change for guild in pools for change in changes_in(guild, result, known_ratings[guild], at)
    )
    new = [change for change in changes if change.player not in known_ratings[change.guild]]
    old = [change for change in changes if change.player in known_ratings[change.guild]]
    if new:
        await connection.execute(
            insert(ratings),
            [
                strength_values(change.guild, result.pace, change.player, change.after)
                for change in new
            ],
        )
    if old:
        await connection.execute(
            _change_strength, [_new_values(result.pace, change) for change in old]
        )
    values = [change_values(row.id, result, change) for change in changes]
    await connection.execute(insert(rating_changes), values)
    await connection.execute(_count, {"game": row.id, "at": at})
    return changes


def changes_in(
    guild: GuildId,
    result: model.RatedResult,
    known_ratings: Mapping[UserId, model.PoolRating],
    at: datetime,
) -> Iterable[model.RatingChange]:
    """Yield a game's rating changes in one pool, given its players' earlier ratings there."""
    before = {
        person: known_ratings.get(person) or model.PoolRating.new(at) for person in result.people
    }
    for player, strength in before.items():
        other = before.get(result.opponent(player))
        opponent = result.fixed_rating if other is None else other.rating.as_of(at)
        # only the machine or a deleted user has a fixed rating
        assert opponent is not None  # noqa: S101 - not both can be fixed
        score = result.score_of(player)
        yield model.RatingChange(
            guild=guild,
            player=player,
            before=strength,
            after=strength.updated(score, opponent, at, places=result.is_against_machine),
            opponent=opponent,
            score=score,
        )


def rating_of(row: AnyRow) -> Rating:
    """Return the rating in a table row, as of the player's last game."""
    return Rating(
        rating=row.rating, deviation=row.deviation, volatility=row.volatility, at=row.rated_at
    )


def strength_of(row: AnyRow) -> model.PoolRating:
    return model.PoolRating(
        rating=rating_of(row),
        games=row.games,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        best=row.best,
    )


def strength_values(
    guild: GuildId, pace: Pace, player: UserId, strength: model.PoolRating
) -> dict[str, Any]:
    """Return a player's rating as a row, in the order of the table's columns."""
    return {"guild_id": guild, "pace": pace, "player_id": player} | _values(strength)


def change_values(
    game: GameId, result: model.RatedResult, change: model.RatingChange
) -> dict[str, Any]:
    """Return a change as a row, in the order of the table's columns."""
    before, after = change.before.rating, change.after.rating
    return {
        "game_id": game,
        "guild_id": change.guild,
        "player_id": change.player,
        "pace": result.pace,
        "at": after.at,
        "number": change.after.games,
        "score": change.score,
        "opponent_id": result.opponent(change.player),
        "opponent_rating": change.opponent.rating,
        "opponent_deviation": change.opponent.deviation,
        "since": before.at,
        "rating_before": before.rating,
        "deviation_before": before.deviation,
        "volatility_before": before.volatility,
        "rating_after": after.rating,
        "deviation_after": after.deviation,
        "volatility_after": after.volatility,
    }


async def why_not(
    connection: AsyncConnection, result: model.RatedResult, ended_at: datetime
) -> model.UnratedReason | None:
    """Return why a result does not count: too many games between the two, a deletion, or None."""
    deleted = await connection.execute(DELETED_SINCE, _deleted_lately(result, ended_at))
    if deleted.first() is not None:
        return model.UnratedReason.RECENTLY_DELETED
    player = result.people[0]
    parameters = {
        "player": player,
        "opponent": result.opponent(player),
        "pace": result.pace,
        "since": ended_at - model.A_DAY,
    }
    count = (await connection.execute(_between, parameters)).scalar_one()
    return model.UnratedReason.TOO_MANY if int(count) >= model.MOST_A_DAY else None


def _deleted_lately(result: model.RatedResult, ended_at: datetime) -> dict[str, Any]:
    """Return the query parameters for finding a recent deletion of a player."""
    return {"people": list(map(fingerprint, result.people)), "since": ended_at - model.A_DAY}


def _values(strength: model.PoolRating) -> dict[str, Any]:
    return {
        "rating": strength.rating.rating,
        "deviation": strength.rating.deviation,
        "volatility": strength.rating.volatility,
        "rated_at": strength.rating.at,
        "settled": strength.rating.is_settled,
        "games": strength.games,
        "won": strength.won,
        "drawn": strength.drawn,
        "lost": strength.lost,
        "best": strength.best,
    }


def _new_values(pace: Pace, change: model.RatingChange) -> dict[str, Any]:
    key = {"guild": change.guild, "of_pace": pace, "player": change.player}
    return key | {f"new_{name}": value for name, value in _values(change.after).items()}


def change_of(row: AnyRow) -> model.RatingChange:
    """Convert a table row to a rating change.

    Its pool ratings contain only the rating and the number of games.
    """
    before = Rating(
        rating=row.rating_before,
        deviation=row.deviation_before,
        volatility=row.volatility_before,
        at=row.since,
    )
    after = replace(
        before,
        rating=row.rating_after,
        deviation=row.deviation_after,
        volatility=row.volatility_after,
        at=row.at,
    )
    opponent = Rating(rating=row.opponent_rating, deviation=row.opponent_deviation, at=row.at)
    return model.RatingChange(
        guild=GuildId(row.guild_id),
        player=UserId(row.player_id),
        before=model.PoolRating(rating=before, games=row.number - 1),
        after=model.PoolRating(rating=after, games=row.number),
        opponent=opponent,
        score=row.score,
    )


class Ratings:
    """Use cases that read ratings."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._now = cases.now

    async def ratings_of(
        self, guild: GuildId, clock: TimeControl | None, players: Collection[UserId]
    ) -> Mapping[UserId, Rating]:
        """Return people's current ratings for a clock's pace in a server (`NO_GUILD` for all).

        People without a rated game there are new players.
        """
        now = self._now()
        known_ratings = await self._store.queries(RatingTable).pool_ratings(
            guild, pace_of(clock), players
        )
        return {
            player: known_ratings[player].rating.as_of(now)
            if player in known_ratings
            else Rating.new(now)
            for player in players
        }
