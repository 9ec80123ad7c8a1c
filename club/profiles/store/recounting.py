"""`dvonn-bot ratings`: recomputes all ratings from the games, and corrects wrong ones.

It also recounts the results shown in profiles (`club.profiles.store.records`).

Games are read in pages, in the order in which they were rated, and rated with the same code as when
they ended. Corrections are written with each page. Only the current ratings stay in memory, about
400 bytes each. Anonymized games lack some data, which comes from the stored changes: the rating of
an opponent who is now anonymous, and a player's rating before their first remaining game.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import BigInteger, Dialect, Table, bindparam, delete, insert, select, tuple_

from bot.base.config import StoreSettings, load_store_settings
from bot.base.errors import InUseError, count_text
from bot.base.glicko import Rating
from bot.base.ids import DELETED_USER, NO_GUILD, GameId, GuildId, UserId
from bot.database.connection import AsyncConnection, AsyncEngine
from bot.database.database import AnyRow
from bot.database.in_use import is_in_use
from bot.database.opening import check_exists, create_engine, migrate
from bot.database.schema import Instant
from bot.play.model.clock import Pace, TimeControl, pace_of
from bot.play.model.terms import EndReason, Outcome
from bot.play.seams import Tool
from bot.play.store.schema import games
from club.profiles.store import records
from club.ratings import store
from club.ratings.model import PoolRating, RatedResult, machine_rating, score_of
from club.ratings.schema import rating_changes, ratings
from dvonn import Color

PAGE: Final = 5_000
"""Number of games processed per transaction."""
_ROOM_KIB: Final = 64 * 1024
"""Size of SQLite's cache in KiB. It is large because a page's rows are spread over an index."""
_WAL_PAGES: Final = 64 * 1024
"""Number of pages of SQLite's log between checkpoints."""
_NOBODY: Final = frozenset(DELETED_USER.values())
_BEFORE: Final = datetime(1970, 1, 1, tzinfo=UTC)

_page_of_games = (
    select(
        games.c.id,
        games.c.guild_id,
        games.c.white_id,
        games.c.black_id,
        games.c.machine_id,
        games.c.level,
        games.c.engine,
        games.c.clock,
        games.c.start,
        games.c.seed,
        games.c.outcome,
        games.c.winner,
        games.c.rated_at,
    )
    .where(
        games.c.rated_at.is_not(None),
        tuple_(games.c.rated_at, games.c.id)
        > tuple_(bindparam("at", type_=Instant), bindparam("id", type_=BigInteger)),
    )
    .order_by(games.c.rated_at, games.c.id)
    .limit(bindparam("page"))
)
_paged = _page_of_games.subquery()
_page_of_changes = select(rating_changes).join_from(
    _paged, rating_changes, rating_changes.c.game_id == _paged.c.id
)
_page_of_strengths = (
    select(ratings)
    .where(
        tuple_(*ratings.primary_key.columns)
        > tuple_(bindparam("guild"), bindparam("pace"), bindparam("player"))
    )
    .order_by(*ratings.primary_key.columns)
    .limit(bindparam("page"))
)
_drop_change = delete(rating_changes).where(
    rating_changes.c.game_id == bindparam("game"),
    rating_changes.c.guild_id == bindparam("guild"),
    rating_changes.c.player_id == bindparam("player"),
)
_drop_strength = delete(ratings).where(
    ratings.c.guild_id == bindparam("guild"),
    ratings.c.pace == bindparam("of_pace"),
    ratings.c.player_id == bindparam("player"),
)

_Pool = dict[UserId, PoolRating]


@dataclass(frozen=True, slots=True)
class Recount:
    """The result of a recount."""

    games: int
    wrong_changes: int
    """Number of missing or wrong rating changes."""
    wrong_ratings: int
    """Number of missing or wrong ratings."""
    wrong_records: int = 0
    """Number of missing or wrong counts of results."""

    @property
    def is_right(self) -> bool:
        """True if nothing was missing or wrong."""
        return not (self.wrong_changes or self.wrong_ratings or self.wrong_records)


@dataclass(slots=True)
class _RecountState:
    """The state of a recount in progress."""

    known: dict[Pace, defaultdict[GuildId, _Pool]] = field(
        default_factory=lambda: {pace: defaultdict(dict) for pace in Pace}
    )
    begun_later: set[tuple[Pace, GuildId, UserId]] = field(default_factory=set)
    """Ratings whose first games are no longer attributed to a player."""


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A missing or wrong rating change."""

    values: dict[str, Any]
    """The correct values of the row's columns."""
    is_stored: bool
    """True if the change is stored but wrong. False if it is missing."""


async def recount(
    engine: AsyncEngine, *, repair: bool, progress: Callable[[int], None] = lambda _: None
) -> Recount:
    """Recompute all rated games, in a database that no bot is using.

    With `repair`, wrong data is corrected. `progress` is called with the number of games so far.

    Raises:
        InUseError: if a bot is using the database.
        DatabaseError: if it does not exist or can't be used.
    """
    check_exists(engine.url)
    if await is_in_use(engine):
        raise InUseError
    await migrate(engine)
    async with engine.connect() as connection:
        await _make_room(connection)
        try:
            return await _recount(connection, repair=repair, progress=progress)
        finally:
            await connection.invalidate()  # other users of it don't need that much memory


async def _make_room(connection: AsyncConnection) -> None:
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql(f"PRAGMA cache_size = -{_ROOM_KIB}")
        await connection.exec_driver_sql(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        await connection.rollback()


async def _recount(
    connection: AsyncConnection, *, repair: bool, progress: Callable[[int], None]
) -> Recount:
    state, number, wrong_changes = _RecountState(), 0, 0
    rows = _Rows(rating_changes, connection.dialect)
    after = {"at": _BEFORE, "id": 0, "page": PAGE}
    while True:
        async with connection.begin():
            page = (await connection.execute(_page_of_games, after)).all()
            if not page:
                break
            changes = await connection.execute(_page_of_changes, after)
            stored = {row[:3]: row for row in changes}  # by the columns of the key
            wrong = list(_wrong_changes(page, stored, state))
            if repair:
                await _put_changes(connection, rows, wrong)
        number, wrong_changes = number + len(page), wrong_changes + len(wrong)
        after |= {"at": page[-1].rated_at, "id": page[-1].id}
        progress(number)
    wrong_ratings = await _repair_ratings(connection, state, repair=repair)
    async with connection.begin():
        wrong_records = await records.recount(connection, repair=repair)
    return Recount(number, wrong_changes, wrong_ratings, wrong_records)


def _wrong_changes(
    page: Sequence[AnyRow], stored: Mapping[tuple[int, ...], AnyRow], state: _RecountState
) -> Iterator[_Wrong]:
    """Process a page of games, and yield the changes that differ from the stored ones."""
    for row in page:
        number, seats, at = GameId(row.id), (row.white_id, row.black_id), row.rated_at
        has_people = _NOBODY.isdisjoint(seats)
        result = _result(row, {}) if has_people else None
        for guild in dict.fromkeys((GuildId(row.guild_id), NO_GUILD)):
            rows = {seat: stored.get((number, guild, seat)) for seat in seats}
            if not has_people:
                result = _result(row, rows)
            if result is None:
                continue
            pace, known_ratings = result.pace, state.known[result.pace][guild]
            for player in result.people:
                stored_change = rows[player]
                before = known_ratings.get(player)
                # If games in between are anonymized, continue from the stored result.
                if stored_change is not None and stored_change.number > 1 + (
                    0 if before is None else before.games
                ):
                    known_ratings[player] = store.change_of(stored_change).before
                    state.begun_later.add((pace, guild, player))
            for change in store.changes_in(guild, result, known_ratings, at):
                player = change.player
                known_ratings[player] = change.after
                values = store.change_values(number, result, change)
                if not has_people and values["opponent_id"] in _NOBODY:
                    values["opponent_id"] = DELETED_USER[None]
                stored_change = rows[player]
                if stored_change is None or tuple(values.values()) != tuple(stored_change):
                    yield _Wrong(values, is_stored=stored_change is not None)


def _result(row: AnyRow, rows: dict[int, AnyRow | None]) -> RatedResult | None:
    """Return a rated game's result, or None if both players are deleted."""
    winner = None if row.winner is None else Color(row.winner)
    nobody = [seat for seat in (row.white_id, row.black_id) if seat in _NOBODY]
    fixed, rating = None, None
    if row.machine_id is not None:
        fixed, rating = row.machine_id, machine_rating(row.engine, row.level)
    if len(nobody) + (fixed is not None) > 1:
        return None
    if nobody:
        fixed = nobody[0]
        survivor = row.white_id if fixed == row.black_id else row.black_id
        stored_change = rows[survivor]
        rating = (
            Rating.new(row.rated_at)
            if stored_change is None
            else store.change_of(stored_change).opponent
        )
    return RatedResult(
        pace=_pace(row.clock),
        white=UserId(row.white_id),
        black=UserId(row.black_id),
        score=score_of(Outcome(EndReason(row.outcome), winner)),
        fixed=None if fixed is None else UserId(fixed),
        fixed_rating=rating,
    )


@cache
def _pace(clock: str) -> Pace:
    return pace_of(TimeControl.from_text(clock))


class _Rows:
    """Writes new rows of a table in the driver's own format.

    SQLAlchemy's processing of the values would take too long for millions of rows.
    """

    def __init__(self, table: Table, dialect: Dialect) -> None:
        compiled = insert(table).compile(dialect=dialect)
        self._text = str(compiled)
        self._names = [str(name) for name in compiled.positiontup or ()]
        bound = [table.c[name].type.bind_processor(dialect) for name in self._names]
        self._bound = [(place, bind) for place, bind in enumerate(bound) if bind is not None]

    async def put(self, connection: AsyncConnection, values: Sequence[Mapping[str, Any]]) -> None:
        """Write rows, within a transaction."""
        rows = [[value[name] for name in self._names] for value in values]
        for place, bind in self._bound:
            for row in rows:
                row[place] = bind(row[place])
        if rows:
            await connection.exec_driver_sql(self._text, [tuple(row) for row in rows])


async def _put_changes(connection: AsyncConnection, rows: _Rows, wrong: Sequence[_Wrong]) -> None:
    keys = [
        {name: row.values[f"{name}_id"] for name in ("game", "guild", "player")}
        for row in wrong
        if row.is_stored
    ]
    if keys:
        await connection.execute(_drop_change, keys)
    await rows.put(connection, [row.values for row in wrong])


async def _repair_ratings(
    connection: AsyncConnection, state: _RecountState, *, repair: bool
) -> int:
    """Compare the computed ratings with the stored ones.

    Return the number of wrong ones.

    Ratings are removed from memory once compared. The ones left at the end were not stored.
    """
    rows, number = _Rows(ratings, connection.dialect), 0
    after: dict[str, Any] = {"guild": -1, "pace": "", "player": 0, "page": PAGE}
    while True:
        async with connection.begin():
            page = (await connection.execute(_page_of_strengths, after)).all()
            if not page:
                break
            wrong = list(_wrong_strengths(page, state))
            if repair:
                await _put_strengths(connection, rows, wrong)
        last, number = page[-1], number + len(wrong)
        after |= {"guild": last.guild_id, "pace": last.pace, "player": last.player_id}
    for pace, pools in state.known.items():
        for guild in sorted(pools):
            known_ratings = pools.pop(guild)
            number += len(known_ratings)
            players = sorted(known_ratings) if repair else []
            for first in range(0, len(players), PAGE):
                missing = [
                    store.strength_values(guild, pace, player, known_ratings[player])
                    for player in players[first : first + PAGE]
                ]
                async with connection.begin():
                    await rows.put(connection, missing)
    return number


def _wrong_strengths(page: Sequence[AnyRow], state: _RecountState) -> Iterator[dict[str, Any]]:
    """Yield a page's ratings that differ from the computed ones.

    Remove the page's computed ratings from memory.
    """
    for row in page:
        guild, pace, player = GuildId(row.guild_id), Pace(row.pace), UserId(row.player_id)
        strength = state.known[pace][guild].pop(player, None)
        if strength is None:
            continue
        if (pace, guild, player) in state.begun_later:
            strength = _with_former_games(strength, store.strength_of(row))
        values = store.strength_values(guild, pace, player, strength)
        if tuple(values.values()) != tuple(row):
            yield values


def _with_former_games(strength: PoolRating, stored: PoolRating) -> PoolRating:
    """Return a computed rating, adding the stored facts about games that were deleted."""
    best = max(
        (rating for rating in (strength.best, stored.best) if rating is not None), default=None
    )
    return replace(strength, won=stored.won, drawn=stored.drawn, lost=stored.lost, best=best)


async def _put_strengths(
    connection: AsyncConnection, rows: _Rows, strengths: Sequence[dict[str, Any]]
) -> None:
    keys = [
        {"guild": row["guild_id"], "of_pace": row["pace"], "player": row["player_id"]}
        for row in strengths
    ]
    if keys:
        await connection.execute(_drop_strength, keys)
    await rows.put(connection, strengths)


async def recount_ratings(settings: StoreSettings, options: argparse.Namespace) -> int:
    """Recompute all ratings, print the differences, and return the exit status.

    Raises:
        StartError: if it fails.
    """
    repair = not options.check
    engine = create_engine(settings.database)
    try:
        result = await recount(engine, repair=repair)
    finally:
        await engine.dispose()
    wrong = (
        f"{count_text(result.wrong_ratings, 'rating')}, "
        f"{count_text(result.wrong_changes, 'change')} by games and "
        f"{count_text(result.wrong_records, 'count')} of results"
    )
    if result.is_right:
        outcome = "all stored ratings are correct"
    elif repair:
        outcome = f"corrected {wrong}"
    else:
        outcome = f"differences: {wrong}; run without --check to correct them"
    sys.stdout.write(f"counted {count_text(result.games, 'rated game')}: {outcome}\n")
    return 0 if result.is_right or repair else 1


def _fill(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="only compare; exit status 1 if they differ"
    )


RECOUNT_TOOL: Final = Tool(
    name="ratings",
    help="recompute all ratings from the games",
    fill=_fill,
    load=load_store_settings,
    run=recount_ratings,
)
