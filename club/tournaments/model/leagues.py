"""Leagues, with divisions in order of strength, and one season after the other.

A league is a tournament whose members are ranked from the top. For each season, they are split into
divisions. Each division is a round robin, whose games all start at once. After a season, the first
two players of a division move up, and the last two move down.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from string import ascii_uppercase
from typing import Final

from bot.base.ids import UserId
from bot.play.model.engine_thoughts import Thought
from bot.play.model.pauses import runs_out
from club.tournaments.model.rules import FEWEST_IN_LEAGUE
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Entrant,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    Wait,
)

LARGEST: Final = 11
"""Maximum number of players in a division."""
USUAL_SIZE: Final = 8
MOVERS: Final = 2
"""Number of players who are promoted from a division, and who are relegated from it."""
SEASONS_AWAY: Final = 2
"""Number of seasons in a row without a move after which a member is removed."""
BREAK: Final = timedelta(days=1)
"""Minimum time from the end of a season until the next one begins."""
SHORTEST_MONTH: Final = timedelta(days=14)
"""A monthly season that would be shorter than this lasts until the end of the next month."""
SURE: Final = 0.95
"""Minimum winning chance for awarding an unfinished game to a player."""
WEEK: Final = timedelta(days=7)


# Divisions


def division_sizes(players: int, size: int) -> tuple[int, ...]:
    """Return the sizes of the divisions, from the top.

    All have the chosen size, except that the last one or two share the remaining players.

    >>> division_sizes(16, 8), division_sizes(14, 8), division_sizes(18, 8), division_sizes(20, 8)
    ((8, 8), (8, 6), (8, 10), (8, 6, 6))
    """
    whole, rest = divmod(players, size)
    if not rest or not whole:
        return (size,) * whole or (players,)
    if rest >= FEWEST_IN_LEAGUE:
        return (*(size,) * whole, rest)
    rest += size
    last = (rest,) if rest <= LARGEST else (rest - rest // 2, rest // 2)
    return (*(size,) * (whole - 1), *last)


def divided(members: Sequence[UserId], size: int) -> list[tuple[UserId, ...]]:
    """Split the members, who are in order of rank, into divisions."""
    divisions, first = [], 0
    for count in division_sizes(len(members), size):
        divisions.append(tuple(members[first : first + count]))
        first += count
    return divisions


def division_name(league: str, season: int, division: int) -> str:
    """Return the name of a division's tournament.

    >>> division_name("Autumn League", 3, 2)
    'Autumn League 3B'
    """
    return f"{league} {season}{letter(division)}"


def own_division(divisions: Sequence[Tournament], player: UserId) -> int:
    """Return the number of a player's division, or 1 if they are in none."""
    numbers = (
        number for number, division in enumerate(divisions, start=1) if division.entrant_of(player)
    )
    return next(numbers, 1)


def letter(division: int) -> str:
    """Return the letter of a division, counted from 1."""
    return ascii_uppercase[division - 1]


# Promotion and relegation


@dataclass(frozen=True, slots=True)
class Moves:
    """The players who leave a division after a season."""

    up: tuple[UserId, ...] = ()
    down: tuple[UserId, ...] = ()


def moves(tables: Sequence[Sequence[UserId]], staying: Collection[UserId]) -> list[Moves]:
    """Return the players who move between divisions, by division.

    `tables` are the final tables from the top. A player who leaves the league frees a place, so one
    fewer player of that division moves down.
    """
    stay = [[player for player in table if player in staying] for table in tables]
    movers = []
    for number, stayers in enumerate(stay):
        has_above, has_below = number > 0, number + 1 < len(tables)
        up = stayers[:MOVERS] if has_above else []
        leavers = len(tables[number]) - len(stayers)
        rest = stayers[len(up) :]
        fewer = max(0, MOVERS - leavers) if has_below else 0
        movers.append(Moves(tuple(up), tuple(rest[len(rest) - min(fewer, len(rest)) :])))
    return movers


def next_order(
    tables: Sequence[Sequence[UserId]], staying: Collection[UserId]
) -> tuple[UserId, ...]:
    """Return the members of a season who stay, in order for the next season.

    In each division, players relegated into it come first, and players promoted into it last.
    """
    moved, order = moves(tables, staying), list[UserId]()
    for number, table in enumerate(tables):
        movers = {*moved[number].up, *moved[number].down}
        if number:
            order += moved[number - 1].down
        order += [player for player in table if player in staying and player not in movers]
        if number + 1 < len(tables):
            order += moved[number + 1].up
    return tuple(order)


def final_table(division: Tournament) -> tuple[UserId, ...]:
    """Return the players of a division by place. Equal places are in the order of the league."""
    return tuple(standing.player for standing in standings(division))


def stayed_away(division: Tournament) -> frozenset[UserId]:
    """Return the players of a division who moved in none of their games."""
    return frozenset(
        entrant.player
        for entrant in division.entrants
        if not any(
            pairing.was_played or pairing.points_of(entrant.player)
            for pairing in division.pairings_of(entrant.player)
        )
    )


def next_ranking(league: Tournament, divisions: Sequence[Tournament], now: datetime) -> Tournament:
    """Return a league after the last game of a season: its new order, and the next season's start.

    A member who stayed away for two seasons is removed. People who joined during the season come
    last.
    """
    away = frozenset[UserId]().union(*(stayed_away(division) for division in divisions))
    played = {entrant.player for division in divisions for entrant in division.entrants}
    entrants_by_player = {
        entrant.player: _next_entrant(entrant, is_away=entrant.player in away)
        if entrant.player in played
        else entrant
        for entrant in league.entrants
    }
    staying = {player for player, entrant in entrants_by_player.items() if not entrant.withdrawn}
    order = next_order([final_table(division) for division in divisions], staying)
    late = [player for player in entrants_by_player if player in staying and player not in order]
    out = [player for player in entrants_by_player if player not in staying]
    entrants = tuple(
        replace(entrants_by_player[player], seed=seed)
        for seed, player in enumerate((*order, *late, *out), start=1)
    )
    ended = max(filter(None, (division.ended_at for division in divisions)), default=now)
    begins = next_season(league.round_began or ended, ended, league.terms.lasts)
    return replace(
        league, entrants=entrants, terms=replace(league.terms, begins_at=max(begins, now))
    )


def _next_entrant(entrant: Entrant, *, is_away: bool) -> Entrant:
    missed = entrant.missed + 1 if is_away else 0
    return replace(entrant, missed=missed, withdrawn=entrant.withdrawn or missed >= SEASONS_AWAY)


def removed_players(league: Tournament, divisions: Sequence[Tournament]) -> list[UserId]:
    """Return the players of a season who are removed from the league because they stayed away."""
    return [
        entrant.player
        for division in divisions
        for entrant in division.entrants
        if not entrant.withdrawn
        and (member := league.entrant_of(entrant.player)) is not None
        and member.withdrawn
        and member.missed >= SEASONS_AWAY
    ]


# Seasons


def season_ends(began: datetime, lasts: timedelta | None) -> datetime:
    """Return the deadline of a season: after a duration, or a day before a month ends.

    >>> str(season_ends(datetime(2026, 11, 1, tzinfo=UTC), None))
    '2026-11-30 00:00:00+00:00'
    """
    if lasts is not None:
        return began + lasts
    ends = next_month(began) - BREAK
    return ends if ends - began >= SHORTEST_MONTH else next_month(next_month(began)) - BREAK


def season_deadline(league: Tournament) -> datetime:
    """Return the latest end of the running season, adjusted for stopped clocks."""
    began = league.round_began or league.created_at
    return runs_out(began, season_ends(began, league.terms.lasts) - began, league.pauses)


def next_begins(league: Tournament) -> datetime | None:
    """Return when the next season begins, or None during a season."""
    begins = league.terms.begins_at
    if begins is None:
        return None
    stops = [pause.ends for pause in league.pauses if pause.begins <= begins < pause.ends]
    return max([begins, *stops])


def next_season(began: datetime, ended: datetime, lasts: timedelta | None) -> datetime:
    """Return when the next season begins: a day after the last game, or on the first of a month."""
    if lasts is not None:
        return ended + BREAK
    return max(season_ends(began, None), ended) + BREAK


def next_month(moment: datetime) -> datetime:
    """Return the beginning of the next month, in UTC."""
    day = moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (day + timedelta(days=32)).replace(day=1)


@dataclass(frozen=True, slots=True)
class SeasonChange:
    """A season begins, or all of its games are over."""

    league: Tournament
    """The league in its new season, without members who have left, or until its next one."""
    divisions: tuple[Tournament, ...] = ()
    """The divisions of a new season, or nothing at the end of one."""


def is_break(league: Tournament) -> bool:
    """Return True if a running league is between two seasons."""
    return league.state is TournamentState.RUNNING and league.terms.begins_at is not None


def next_league_step(
    league: Tournament, divisions: Sequence[Tournament], *, now: datetime
) -> SeasonChange | Wait:
    """Return the next step of a running league, given the divisions of its newest season.

    No season begins while clocks are stopped.
    """
    if (begins := next_begins(league)) is not None:
        until = max([begins, *(stop.ends for stop in league.pauses if stop.begins <= now)])
        if until > now:
            return Wait(until)
        return begun_season(league, now) if len(league.members) >= FEWEST_IN_LEAGUE else Wait()
    if all(division.ended_at is not None for division in divisions):
        return SeasonChange(next_ranking(league, divisions, now))
    return Wait((league.round_began or now) + (weeks_over(league, now) + 1) * WEEK)


def weeks_over(league: Tournament, now: datetime) -> int:
    """Return the number of whole weeks of a running season, or 0 between two seasons."""
    return 0 if is_break(league) else (now - (league.round_began or now)) // WEEK


def begun_season(league: Tournament, now: datetime) -> SeasonChange:
    """Return a new season of a league."""
    terms, season, members = league.terms, league.round + 1, league.members
    by_player = {entrant.player: entrant for entrant in members}
    divisions = tuple(
        Tournament(
            id=league.id,  # until it is stored
            terms=replace(
                terms,
                name=division_name(terms.name, season, number),
                format=TournamentFormat.ROUND_ROBIN,
                begins_at=None,
                lasts=None,
                round_time=season_ends(now, terms.lasts) - now,
                league=league.id,
                season=season,
                division=number,
            ),
            state=TournamentState.RUNNING,
            version=1,
            entrants=tuple(
                replace(by_player[player], seed=seed) for seed, player in enumerate(players, 1)
            ),
            pairings=(),
            created_at=now,
            began_at=now,
        )
        for number, players in enumerate(
            divided([entrant.player for entrant in members], terms.division_size or USUAL_SIZE), 1
        )
    )
    after = replace(
        league,
        entrants=tuple(replace(member, seed=seed) for seed, member in enumerate(members, start=1)),
        round=season,
        round_began=now,
        terms=replace(terms, begins_at=None),
    )
    return SeasonChange(after, divisions)


def follow_league(division: Tournament, league: Tournament) -> Tournament:
    """Return a division with the members and the second organizer of its league."""
    return replace(
        division,
        terms=replace(division.terms, helper=league.terms.helper),
        entrants=tuple(
            entrant
            if league.entrant_of(entrant.player) is None and entrant.withdrawn
            else replace(entrant, withdrawn=not league.has(entrant.player))
            for entrant in division.entrants
        ),
    )


# Adjudication


def adjudicated(thoughts: Sequence[Thought] | None) -> PairingResult:
    """Return the result of a game that is unfinished when a season ends: a draw unless it is clear.

    `thoughts` are the engine's evaluations of its position, best first. None means that a player
    has opted out of its decision, or that there is no engine.
    """
    best = thoughts[0] if thoughts else None
    if best is None:
        return PairingResult.DRAW
    if best.margin is not None:
        return _result_of(best.margin)
    if best.white_wins is None:
        return PairingResult.DRAW
    return _result_of((best.white_wins >= SURE) - (best.white_wins <= 1 - SURE))


def _result_of(lead: int) -> PairingResult:
    """Return the result for White's lead."""
    if not lead:
        return PairingResult.DRAW
    return PairingResult.WHITE if lead > 0 else PairingResult.BLACK
