"""A tournament's standings, page by page, as a picture."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import renderer
from bot.base.ids import UserId, is_deleted_user
from bot.base.languages import Reader
from bot.connection.posts import Button, NameOf, PlainPicture, Post
from bot.play.words.pictures import cut, look_of
from club.tournaments.model.knockout import is_called_off
from club.tournaments.model.standings import PlayerStanding, each_ones
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.words import terms
from renderer.standings_table import amount

_WHOLE: Final = slice(None)
_TIE_BREAKS: Final = {
    TournamentFormat.ROUND_ROBIN: (renderer.TieBreak.SONNEBORN_BERGER, renderer.TieBreak.MARGIN),
    TournamentFormat.SWISS: tuple(renderer.TieBreak),
}


@dataclass(frozen=True, slots=True)
class StandingsPage(PlainPicture):
    """A page of a tournament's standings as a picture, with its description."""

    table: renderer.StandingsTable
    page: int
    look: renderer.Look

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        return partial(renderer.standings, self.table, self.page, look=self.look)


def place_lines(
    reader: Reader,
    standings: Sequence[PlayerStanding],
    tournament: Tournament,
    part: slice = _WHOLE,
) -> list[str]:
    """Return some places, such as "1. Ann · 3 points", or "1. Ann" in a format without points.

    All standings are needed to mark shared places: "2=".
    """
    places = Counter(standing.place for standing in standings)
    lines = []
    for standing in standings[part]:
        place = terms.counted(standing.place, shared=places[standing.place] > 1)
        player = terms.player(reader, standing.player)
        if not tournament.terms.format.has_points:
            lines.append(f"{place}. {player}")
            continue
        sentence = reader.gettext("{place}. {player} · {points}")
        points = points_text(reader, standing.points)
        lines.append(sentence.format(place=place, player=player, points=points))
    return lines


def points_text(reader: Reader, points: float) -> str:
    """Return points as text: "2½ points"."""
    return reader.ngettext("{points} point", "{points} points", 1 if 0 < points <= 1 else 2).format(
        points=amount(points)
    )


def table(
    reader: Reader,
    tournament: Tournament,
    standings: Sequence[PlayerStanding],
    names: Mapping[UserId, str],
) -> renderer.StandingsTable:
    """Return the standings for the picture. A running round is shown but does not count."""
    played = tournament.terms.format
    by_points = played.has_points
    has_places = bool(tournament.settled.pairings)
    numbers = {standing.player: number for number, standing in enumerate(standings, start=1)}
    ties = _TIE_BREAKS.get(played, ()) if has_places else ()
    is_division = tournament.terms.league is not None
    if is_division:  # the crosstable needs the space
        ties = ties[:1]
    games_by_player = each_ones(
        pairing for pairing in tournament.pairings if not is_called_off(tournament, pairing)
    )
    return renderer.StandingsTable(
        title=tournament.terms.name,
        when=_when(reader, tournament),
        by_points=by_points,
        tie_breaks=ties,
        is_crosstable=is_division,
        rows=tuple(
            renderer.StandingsRow(
                name=terms.deleted(reader)
                if is_deleted_user(standing.player)
                else names.get(standing.player, ""),
                points=standing.points,
                ties=tuple(_tie(standing, tie_break) for tie_break in ties),
                rounds=_cells(
                    tournament,
                    standing.player,
                    games_by_player[standing.player],
                    numbers,
                    by_game=not by_points,
                ),
                place=standing.place if has_places else None,
                out=standing.withdrawn and not is_deleted_user(standing.player),
            )
            for standing in standings
        ),
    )


def tournament_table(
    reader: Reader,
    tournament: Tournament,
    standings: Sequence[PlayerStanding],
    names: Mapping[UserId, str],
    page: int,
) -> Post:
    if not tournament.entrants:
        lines = [terms.heading(reader, tournament), *who_can_join(reader, tournament)]
        return Post(content="\n".join(lines))
    pages = page_count(standings)
    page = min(max(page, 0), pages - 1)
    return Post(
        content=terms.heading(reader, tournament),
        picture=tournament_picture(reader, tournament, standings, names, page),
        buttons=(
            *terms.ways(tournament, "table", page, range(pages)),
            *_to_games(reader, tournament),
        ),
    )


def who_can_join(reader: Reader, tournament: Tournament) -> list[str]:
    """Return what to do in a tournament without players, unless it has ended."""
    if tournament.ended_at is not None:
        return []
    sentence = reader.gettext("Nobody has joined yet. Everyone in this server can: press {verb}.")
    return [sentence.format(verb=f"*{reader.gettext('Join')}*")]


def tournament_picture(
    reader: Reader,
    tournament: Tournament,
    standings: Sequence[PlayerStanding],
    names: Mapping[UserId, str],
    page: int = 0,
) -> StandingsPage:
    """Return a page of the standings, with a description for people who can't see it."""
    whole, look = table(reader, tournament, standings, names), look_of(reader)
    alt_text = cut(renderer.describe_standings(whole, page, words=look.words))
    return StandingsPage(f"standings-{tournament.id}.png", alt_text, whole, page, look)


def page_count(standings: Sequence[PlayerStanding]) -> int:
    return max(-(-len(standings) // renderer.PAGE_ROWS), 1)


def _tie(standing: PlayerStanding, tie_break: renderer.TieBreak) -> float:
    return float(getattr(standing, tie_break))  # the criterion has the name of the field


def _cells(
    tournament: Tournament,
    player: UserId,
    own_pairings: Sequence[Pairing],
    numbers: Mapping[UserId, int],
    *,
    by_game: bool,
) -> tuple[renderer.Cell, ...]:
    """Return a player's result in each round, or in each game."""
    if by_game:
        return tuple(_cell(pairing, player, numbers) for pairing in own_pairings)
    by_round = {pairing.round: pairing for pairing in own_pairings}
    return tuple(
        _cell(by_round[number], player, numbers)
        if number in by_round
        else renderer.Cell(renderer.RoundResult.OUT)
        for number in range(1, tournament.round + 1)
    )


def _cell(pairing: Pairing, player: UserId, numbers: Mapping[UserId, int]) -> renderer.Cell:
    opponent = pairing.opponent_of(player)
    against = None if opponent is None else numbers.get(opponent)
    match pairing.result:
        case None:
            went = renderer.RoundResult.OPEN
        case PairingResult.ZERO_BYE:
            went = renderer.RoundResult.OUT
        case PairingResult.DRAW:
            went = renderer.RoundResult.DRAW
        case _:
            went = (
                renderer.RoundResult.WON if pairing.points_of(player) else renderer.RoundResult.LOST
            )
    return renderer.Cell(went, against)


def _when(reader: Reader, tournament: Tournament) -> str:
    """Return the point in time that the standings show: "After round 2 of 3"."""
    if not tournament.terms.format.has_rounds or tournament.terms.league is not None:
        return terms.how_far(reader, tournament)
    number = tournament.rounds_over
    if number != tournament.round and tournament.state is not TournamentState.RUNNING:
        return terms.how_far(reader, tournament)
    if not number:
        return reader.gettext("Before round 1")
    sentence = reader.gettext("After round {number} of {total}")
    return sentence.format(number=number, total=terms.rounds(tournament))


def _to_games(reader: Reader, tournament: Tournament) -> list[Button]:
    if not tournament.pairings:
        return []
    return [
        Button(reader.gettext("Games"), terms.button_id(tournament.id, "games", tournament.round))
    ]
