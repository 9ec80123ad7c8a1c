"""The rules for entering, checking in to, starting, and deciding a tournament.

Impossible actions raise `TournamentRefusal`.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import GameId, UserId
from bot.play.model.refused_starts import NotForYou
from bot.play.model.terms import GuildChoice
from club.tournaments import refusals
from club.tournaments.model.pairing import FEWEST_PLAYERS, rounds_of
from club.tournaments.model.tournament import (
    BYE,
    Entrant,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
    without_a_game,
)

ORGANIZERS: Final[GuildChoice[int | None]] = GuildChoice("role_id", default=None)
"""The role that may create tournaments, in addition to users who manage events or the server."""
WINNERS: Final[GuildChoice[int | None]] = GuildChoice("winner_role_id", default=None)
"""The role that winners get, or None."""
FEWEST_IN_LEAGUE: Final = 5
"""Minimum number of players in a league, and in each of its divisions."""
MOST_PLAYERS: Final = 60
"""Maximum number of players in most formats. The check-in's message can ping this many."""
_MOST: Final = {TournamentFormat.ROUND_ROBIN: 24, TournamentFormat.LEAGUE: 128}
"""The maximum in the other formats."""
CHECK_IN: Final = timedelta(days=1)
"""Time from the opening of check-in until the start."""
CHECK_IN_LIVE: Final = timedelta(minutes=15)
"""The same for live games."""
SHORT_CHECK_IN: Final = timedelta(minutes=5)
"""Duration of check-in if an organizer starts a live tournament without a planned time."""
_LEAST: Final = timedelta(hours=1)
"""Minimum duration of check-in for other games, if it opens later than planned."""
_AT_ONCE: Final = timedelta(minutes=1)


def check_organizer(tournament: Tournament, by: UserId, *, manages: bool) -> None:
    """Check that a user may manage a tournament, as its organizer or a manager of the server."""
    if not (manages or tournament.terms.organizes(by)):
        raise refusals.TournamentRefusal(refusals.Problem.NOT_ORGANIZER)


def check_not_over(tournament: Tournament) -> None:
    """Check that a tournament has not ended."""
    if tournament.ended_at is not None:
        raise refusals.TournamentRefusal(refusals.Problem.OVER)


def check_runs(tournament: Tournament) -> None:
    """Check that a tournament is running."""
    if tournament.state is not TournamentState.RUNNING:
        raise refusals.TournamentRefusal(tournament.problem)


def opens_at(terms: TournamentTerms, *, created_at: datetime) -> datetime | None:
    """Return when check-in or a ladder opens, or None if the organizer opens it."""
    if terms.begins_at is None:
        return None
    if not terms.has_check_in:
        return terms.begins_at
    lead = CHECK_IN_LIVE if terms.is_live else CHECK_IN
    return max(created_at, terms.begins_at - lead)


def due_at(tournament: Tournament, now: datetime) -> datetime | None:
    """Return when to check a tournament that has just changed, or None for never."""
    match tournament.state:
        case TournamentState.OPEN:
            return opens_at(tournament.terms, created_at=tournament.created_at)
        case TournamentState.CHECK_IN:
            return tournament.terms.begins_at
        case TournamentState.RUNNING:
            return now
        case _:
            return None


def joined(tournament: Tournament, player: UserId, *, rating: float | None = None) -> Tournament:
    """Return the tournament after a user has joined it or has come back.

    During check-in, this also checks the user in.

    Raises:
        AlreadyIn: if they are in it.
        TournamentRefusal: if they can't join.
    """
    before = tournament.entrant_of(player)
    if before is not None and not before.withdrawn:
        if tournament.state is TournamentState.CHECK_IN and not before.checked_in:
            return _with_entrant(tournament, replace(before, checked_in=True))
        raise refusals.AlreadyIn
    first_round = _first_round(tournament, is_new=before is None)
    if before is not None:
        return _with_entrant(tournament, replace(before, withdrawn=False, missed=0))
    # Members who have left a league don't count.
    is_league = tournament.terms.format is TournamentFormat.LEAGUE
    count = len(tournament.members if is_league else tournament.entrants)
    maximum = _MOST.get(tournament.terms.format, MOST_PLAYERS)
    if count >= maximum:
        raise refusals.TournamentRefusal(refusals.Problem.FULL, maximum)
    entrant = Entrant(
        player=player,
        seed=max((entrant.seed for entrant in tournament.entrants), default=0) + 1,
        rating=rating,
        joined_round=first_round,
        checked_in=tournament.state is TournamentState.CHECK_IN,
    )
    return replace(tournament, entrants=(*tournament.entrants, entrant))


def _first_round(tournament: Tournament, *, is_new: bool) -> int:
    """Return the first round that can include a new entrant."""
    if tournament.state in (TournamentState.OPEN, TournamentState.CHECK_IN):
        return 1
    check_runs(tournament)
    if tournament.terms.league is not None:
        raise refusals.TournamentRefusal(refusals.Problem.TOO_LATE_TO_JOIN)
    rounds = rounds_of(tournament.terms, len(tournament.starters))
    match tournament.terms.format:
        case TournamentFormat.LADDER | TournamentFormat.LEAGUE:
            return 1
        case TournamentFormat.SWISS if tournament.round < rounds:
            return tournament.round + 1
        case TournamentFormat.ROUND_ROBIN if not is_new:
            return 1
        case _:
            raise refusals.TournamentRefusal(refusals.Problem.TOO_LATE_TO_JOIN)


def takes_entrants(tournament: Tournament, *, are_new: bool) -> bool:
    """Return True if new players, and players who have left, can join and be paired."""
    try:
        _first_round(tournament, is_new=are_new)
    except refusals.TournamentRefusal:
        return False
    return True


def with_withdrawal(tournament: Tournament, player: UserId, by: UserId | None = None) -> Tournament:
    """Return the tournament after a player has left it.

    Raises:
        NotIn: if they have not joined, or have left.
    """
    check_not_over(tournament)
    before = tournament.entrant_of(player)
    if before is None or before.withdrawn:
        raise refusals.NotIn(None if by in (None, player) else player)
    if tournament.state is TournamentState.RUNNING:
        return _with_entrant(tournament, replace(before, withdrawn=True))
    entrants = tuple(entrant for entrant in tournament.entrants if entrant.player != player)
    return replace(tournament, entrants=entrants)


def check_in_opened(tournament: Tournament, now: datetime, begins_at: datetime) -> Tournament:
    """Return the tournament with check-in open until a given time.

    If it opens late, because the bot was offline, the start is postponed by the same time.
    """
    planned = opens_at(tournament.terms, created_at=tournament.created_at)
    if planned is not None and planned < now - _AT_ONCE:
        least = SHORT_CHECK_IN if tournament.terms.is_live else _LEAST
        begins_at = max(begins_at, now + min(begins_at - planned, least))
    terms = replace(tournament.terms, begins_at=begins_at)
    return replace(tournament, terms=terms, state=TournamentState.CHECK_IN)


def fewest_players(terms: TournamentTerms) -> int:
    """Return the minimum number of players for starting a tournament."""
    is_league = terms.format is TournamentFormat.LEAGUE
    return FEWEST_IN_LEAGUE if is_league else FEWEST_PLAYERS


def players_at_start(tournament: Tournament) -> tuple[Entrant, ...]:
    """Return the players who would take part in a start right now."""
    if tournament.state is not TournamentState.CHECK_IN:
        return tournament.entrants
    return tuple(entrant for entrant in tournament.entrants if entrant.checked_in)


def begun(tournament: Tournament, ratings: Mapping[UserId, float], now: datetime) -> Tournament:
    """Return the started tournament with its seeds: by rating, then by time of joining."""
    players, least = players_at_start(tournament), fewest_players(tournament.terms)
    if len(players) < least:
        raise refusals.TournamentRefusal(refusals.Problem.TOO_FEW, least)
    strongest = sorted(
        players, key=lambda entrant: (-ratings.get(entrant.player, 0.0), entrant.seed)
    )
    seeded = tuple(
        replace(entrant, seed=seed, rating=ratings.get(entrant.player))
        for seed, entrant in enumerate(strongest, start=1)
    )
    is_league = tournament.terms.format is TournamentFormat.LEAGUE
    first_season = now if is_league else tournament.terms.begins_at
    return replace(
        tournament,
        state=TournamentState.RUNNING,
        entrants=seeded,
        began_at=now,
        terms=replace(tournament.terms, begins_at=first_season),
    )


def without_who_left(tournament: Tournament) -> Tournament:
    """Return the tournament with forfeits by players who left before their games started."""
    return decided(
        tournament,
        [
            replace(pairing, result=_result_without(tournament.withdrawn, pairing), forfeit=True)
            for pairing in tournament.undecided
            if pairing.game is None and tournament.is_left(pairing)
        ],
    )


def decided(
    tournament: Tournament, pairings: Iterable[Pairing], absent: Collection[UserId] = frozenset()
) -> Tournament:
    """Return the tournament with new results.

    With `no_show_leaves`, absent players are not paired again, but can come back.
    """
    new = {pairing.place: pairing for pairing in pairings}
    after = tuple(new.get(pairing.place, pairing) for pairing in tournament.pairings)
    leave = no_show_leaves(tournament)
    entrants = tuple(
        replace(entrant, withdrawn=entrant.withdrawn or (leave and entrant.player in absent))
        for entrant in tournament.entrants
    )
    return replace(tournament, pairings=after, entrants=entrants)


def no_show_leaves(tournament: Tournament) -> bool:
    """Return True if a player who misses a game is not paired again.

    This applies if pairings depend on scores. In a round robin, all opponents are known in advance.
    """
    return tournament.terms.format is TournamentFormat.SWISS


def _result_without(withdrawn: Collection[UserId], pairing: Pairing) -> PairingResult | None:
    if pairing.black is BYE:
        return PairingResult.ZERO_BYE
    return without_a_game(pairing.white, pairing.black, set(pairing.players) - set(withdrawn))


def answered(
    tournament: Tournament, game: GameId, player: UserId, *, asked_player: UserId | None
) -> Tournament:
    """Return the tournament after a player with an absent opponent confirms their presence.

    Raises:
        NotForYou: if a different player is asked.
    """
    pairing = tournament.pairing_of(game)
    if pairing is None:
        raise refusals.TournamentRefusal(refusals.Problem.GONE)
    if asked_player != player:
        raise NotForYou(asked_player)
    if pairing.points_of(player) == 1:
        return tournament  # the button was pressed twice
    if not pairing.asks or tournament.state is not TournamentState.RUNNING:
        raise refusals.TournamentRefusal(refusals.Problem.TOO_LATE_TO_ANSWER)
    result = PairingResult.won_by(pairing.color_of(player))
    return decided(tournament, [replace(pairing, result=result, forfeit=True)])


def finished_tournament(
    tournament: Tournament, state: TournamentState, now: datetime
) -> Tournament:
    return replace(tournament, state=state, ended_at=now)


def _with_entrant(tournament: Tournament, entrant: Entrant) -> Tournament:
    entrants = tuple(
        entrant if current.player == entrant.player else current for current in tournament.entrants
    )
    return replace(tournament, entrants=entrants)
