"""Queries about tournaments. A change is written only if it is based on the newest version."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from sqlalchemy import (
    Boolean,
    bindparam,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from bot.base.ids import GameId, GuildId, Shards, SourceId, TournamentId, UserId
from bot.database.database import (
    AnyRow,
    Conflict,
    Queries,
    guild_in_shards,
    lock,
    shard_parameters,
    shielded,
)
from bot.database.deliveries import insert_delivery
from bot.database.delivery_rows import NewDelivery
from bot.people.store.moderation import acts
from bot.play.store.schema import IS_RUNNING, blocks, games
from club.tournaments.model.acts import LoggedAct, OrganizerAct, OrganizerChoice
from club.tournaments.model.tournament import (
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from club.tournaments.schema import entrants, pairings, tournaments
from club.tournaments.store.badges import write_badge
from club.tournaments.store.rows import (
    WITH_ENTRANTS,
    WITH_PAIRINGS,
    TournamentChange,
    as_tournament,
    progress_values,
    put_tournament,
    terms_values,
    write_rows,
)

_MOST = 100
"""Maximum number of tournaments per check."""

# Literals, so that the query planner can use the indexes.
HAS_NO_END = tournaments.c.ended_at.is_(None)
_GOES_ON = tournaments.c.state == literal_column("'running'")
_THIS = tournaments.c.id == bindparam("tournament")
_PAIRINGS_OF = pairings.c.tournament_id == bindparam("tournament")

_of_guild = select(tournaments.c.id).where(
    tournaments.c.guild_id == bindparam("guild"), tournaments.c.league_id.is_(None)
)
_divisions = (
    select(tournaments.c.id)
    .where(tournaments.c.league_id == bindparam("league"), tournaments.c.season == bindparam("of"))
    .order_by(tournaments.c.division)
)
_divisions_due = (
    update(tournaments)
    .where(tournaments.c.league_id == bindparam("league"), tournaments.c.ended_at.is_(None))
    .values(due_at=bindparam("at"))
)
_ended = (
    select(tournaments.c.id)
    .where(
        tournaments.c.guild_id == bindparam("guild"),
        or_(tournaments.c.division.is_(None), tournaments.c.division == 1),
        tournaments.c.state == TournamentState.DONE,
    )
    .order_by(tournaments.c.id.desc())
    .limit(bindparam("limit"))
)
_latest = _of_guild.order_by(tournaments.c.id.desc()).limit(bindparam("limit"))
_count = select(func.count()).where(
    tournaments.c.guild_id == bindparam("guild"), tournaments.c.league_id.is_(None), HAS_NO_END
)
_one, _other = entrants.alias("one"), entrants.alias("other")
_blocks_between = (
    select(blocks.c.player_id, blocks.c.blocked_id)
    .join_from(_one, blocks, blocks.c.player_id == _one.c.player_id)
    .join(_other, _other.c.player_id == blocks.c.blocked_id)
    .where(
        _one.c.tournament_id == bindparam("tournament"),
        _other.c.tournament_id == bindparam("tournament"),
    )
    .order_by(blocks.c.player_id, blocks.c.blocked_id)
)
_by_source = select(tournaments.c.id).where(tournaments.c.source_id == bindparam("source"))
_entered_by_source = select(entrants.c.tournament_id).where(
    entrants.c.source_id == bindparam("source")
)
_due = (
    select(tournaments.c.id, tournaments.c.due_at)
    .where(tournaments.c.due_at <= bindparam("now"), guild_in_shards(tournaments.c.guild_id))
    .order_by(tournaments.c.due_at)
    .limit(_MOST)
)
_put_off = (
    update(tournaments)
    .where(_THIS, tournaments.c.version == bindparam("seen"))
    .values(due_at=bindparam("until"))
)
_schedule = update(tournaments).where(_THIS).values(event_id=bindparam("event"))
_change = update(tournaments).where(_THIS, tournaments.c.version == bindparam("seen"))
_left_running = (
    select(pairings.c.game_id)
    .join_from(pairings, games, games.c.id == pairings.c.game_id)
    .where(_PAIRINGS_OF, pairings.c.result.is_not(None), IS_RUNNING)
)

_ladder = select(func.max(tournaments.c.id)).where(
    tournaments.c.guild_id == bindparam("guild"),
    HAS_NO_END,
    _GOES_ON,
    tournaments.c.format == TournamentFormat.LADDER,
    or_(tournaments.c.rated.is_(False), bindparam("rated", type_=Boolean)),
    *(
        exists().where(
            seat.c.tournament_id == tournaments.c.id,
            seat.c.player_id == bindparam(player),
            seat.c.withdrawn.is_(False),
        )
        for seat, player in ((_one, "white"), (_other, "black"))
    ),
)


_EDITABLE: Final = ("name", "begins_at", "rounds", "clock", "helper_id")
"""Columns of terms that organizers can still change."""
_add_act = insert(acts)
_acts = (
    select(acts)
    .where(acts.c.tournament_id == bindparam("tournament"))
    .order_by(acts.c.id.desc())
    .limit(bindparam("limit"))
)


def _act_values(tournament: Tournament, logged: LoggedAct) -> dict[str, object]:
    act = logged.act
    return {
        "guild_id": tournament.terms.guild,
        "tournament_id": tournament.terms.league or tournament.id,
        "kind": act.kind,
        "by_id": logged.by,
        "player_id": act.player,
        "options": {"place": act.place, "days": act.days, "division": logged.division},
        "at": logged.at,
    }


def _as_logged(row: AnyRow) -> LoggedAct:
    options = row.options
    return LoggedAct(
        act=OrganizerAct(
            kind=OrganizerChoice(row.kind),
            player=None if row.player_id is None else UserId(row.player_id),
            place=None if (place := options["place"]) is None else tuple(place),
            days=options["days"],
        ),
        by=UserId(row.by_id),
        division=options["division"],
        at=row.at,
    )


class TournamentTable(Queries):
    """The tables of tournaments."""

    # Reading

    async def get(self, tournament: TournamentId) -> Tournament | None:
        """Return a tournament in a consistent state, or None if it doesn't exist."""
        key = {"tournament": tournament}
        while True:
            people = await self._database.all(WITH_ENTRANTS, key)
            games = await self._database.all(WITH_PAIRINGS, key)
            if not people or not games:
                return None
            if people[0].version == games[0].of_version:  # otherwise it has changed in between
                return as_tournament(people, games)

    async def latest(self, guild: GuildId, limit: int) -> list[TournamentId]:
        """Return a server's newest tournaments in any state, newest first."""
        rows = await self._database.all(_latest, {"guild": guild, "limit": limit})
        return [TournamentId(row.id) for row in rows]

    async def divisions(self, league: TournamentId, season: int) -> list[Tournament]:
        """Return the divisions of a league's season, the strongest first."""
        rows = await self._database.all(_divisions, {"league": league, "of": season})
        divisions = [await self.get(TournamentId(row.id)) for row in rows]
        return [division for division in divisions if division is not None]

    async def ended(self, guild: GuildId, limit: int) -> list[TournamentId]:
        """Return a server's newest tournaments that were played to the end, newest first.

        A league's season is represented by its highest division.
        """
        rows = await self._database.all(_ended, {"guild": guild, "limit": limit})
        return [TournamentId(row.id) for row in rows]

    async def blocks_between(self, tournament: TournamentId) -> list[tuple[UserId, UserId]]:
        """Return the pairs of entrants where one has blocked the other."""
        rows = await self._database.all(_blocks_between, {"tournament": tournament})
        return [(UserId(row.player_id), UserId(row.blocked_id)) for row in rows]

    async def has_source(self, source: SourceId) -> bool:
        """Return True if this interaction has created or entered a tournament."""
        parameters = {"source": source}
        row = await self._database.first(_by_source, parameters)
        return row is not None or (
            await self._database.first(_entered_by_source, parameters) is not None
        )

    async def due(self, shards: Shards, now: datetime) -> dict[TournamentId, datetime]:
        parameters = {"now": now, **shard_parameters(shards)}
        rows = await self._database.all(_due, parameters)
        return {TournamentId(row.id): row.due_at for row in rows}

    async def left_running(self, tournament: TournamentId) -> list[GameId]:
        """Return running games whose pairings are decided."""
        rows = await self._database.all(_left_running, {"tournament": tournament})
        return [GameId(row.game_id) for row in rows]

    async def ladder_of(
        self, guild: GuildId, white: UserId, black: UserId, *, rated: bool
    ) -> TournamentId | None:
        """Return the newest running ladder that both players of a new game belong to.

        A rated ladder requires a rated game.
        """
        parameters = {"guild": guild, "white": white, "black": black, "rated": rated}
        row = await self._database.first(_ladder, parameters)
        return None if row is None or row[0] is None else TournamentId(row[0])

    # Changing

    @shielded
    async def add(
        self,
        terms: TournamentTerms,
        announcement: Callable[[Tournament], NewDelivery],
        *,
        source: SourceId | None,
        at: datetime,
        limit: int,
    ) -> Tournament | None:
        """Store an open tournament and the delivery that announces it.

        Returns None if the server already has `limit` open or running tournaments.

        Raises:
            Conflict: if this source has already created one.
        """
        opened = Tournament(
            id=TournamentId(0),
            terms=terms,
            state=TournamentState.OPEN,
            version=1,
            entrants=(),
            pairings=(),
            created_at=at,
        )
        async with self._database.transaction() as connection:
            await lock(connection, terms.guild)
            if ((await connection.execute(_count, {"guild": terms.guild})).scalar() or 0) >= limit:
                return None
            new = await put_tournament(connection, opened, source=source, at=at)
            await insert_delivery(connection, announcement(new), at=at)
        return new

    @shielded
    async def change(self, change: TournamentChange, *, at: datetime) -> Tournament:
        """Write a tournament's change and its deliveries in one transaction.

        Raises:
            Conflict: if it has changed since it was read.
            The same errors as `change.first`.
        """
        before, after = change.before, change.after
        key, chosen = {"tournament": before.id}, terms_values(after.terms)
        values = {
            **progress_values(after, at),
            **{column: chosen[column] for column in _EDITABLE},
            "version": before.version + 1,
        }
        async with self._database.transaction() as connection:
            if change.first is not None:
                await change.first(connection)
            versioned_key = {**key, "seen": before.version}
            # First, as at the end of a game, which prevents deadlocks.
            if (await connection.execute(_change.values(values), versioned_key)).rowcount != 1:
                raise Conflict(f"tournament {before.id} has changed")
            await write_rows(connection, change, at)
            if after.state is TournamentState.DONE:  # also after a corrected result
                await write_badge(connection, after, after.ended_at or at)
            for division in change.divisions:
                await put_tournament(connection, division, source=None, at=at)
            if after.terms.format is TournamentFormat.LEAGUE:  # its divisions follow the league
                await connection.execute(_divisions_due, {"league": before.id, "at": at})
            for message in change.messages:
                await insert_delivery(connection, message, at=at)
            if change.act is not None:
                await connection.execute(_add_act, _act_values(before, change.act))
        if (
            stored := await self.get(before.id)
        ) is None:  # the server's rows have just been deleted
            raise Conflict(f"tournament {before.id} is gone")
        return stored

    async def acts(self, tournament: TournamentId, limit: int) -> list[LoggedAct]:
        """Return what organizers did most recently, newest first."""
        rows = await self._database.all(_acts, {"tournament": tournament, "limit": limit})
        return list(map(_as_logged, rows))

    async def put_off(self, tournament: Tournament, until: datetime | None) -> bool:
        """Postpone a tournament's check. Return False if it has changed since it was read."""
        parameters = {"tournament": tournament.id, "seen": tournament.version, "until": until}
        return await self._database.change(_put_off, parameters) == 1

    async def schedule(self, tournament: TournamentId, event: int) -> None:
        await self._database.change(_schedule, {"tournament": tournament, "event": event})
