"""A league's texts: its seasons, and the pages of its divisions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, Post, join_within_limit
from club.tournaments.model import leagues
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import Tournament
from club.tournaments.words import terms
from club.tournaments.words.announcements import Report, and_players, award_lines, news_post
from club.tournaments.words.standings import place_lines, tournament_table

_FIRST: Final = slice(3)
"""The places of a division that are named at the end of a season."""
_LEADERS: Final = slice(2)
"""The places that are named each week."""


def season_begins(reader: Reader, report: Report, divisions: Sequence[Tournament]) -> Post:
    """Return the announcement that a season begins, with the players of each division."""
    lines = [_season(reader, reader.gettext("{title} begins."), report.tournament)]
    lines += [
        f"**{leagues.letter(number)}** {_players(reader, division)}"
        for number, division in enumerate(divisions, start=1)
    ]
    lines += [*terms.ending(reader, report.tournament), terms.adjudication(reader)]
    return news_post(reader, report, *lines)


def season_week(reader: Reader, report: Report, divisions: Sequence[Tournament], week: int) -> Post:
    """Return the weekly message with the standings of a season."""
    sentence = reader.ngettext(
        "{title}, season {number} after {count} week:",
        "{title}, season {number} after {count} weeks:",
        week,
    )
    lines = [_headed(sentence, report.tournament, count=week)]
    lines += [_line(reader, division, _LEADERS) for division in divisions]
    return news_post(reader, report, *lines, *terms.ending(reader, report.tournament))


def season_over(
    reader: Reader, report: Report, divisions: Sequence[Tournament], number: int
) -> Post:
    """Return the results of a season, with the players who move between divisions."""
    league = report.tournament
    staying = {entrant.player for entrant in league.members}
    moves = leagues.moves([leagues.final_table(division) for division in divisions], staying)
    lines = [_season(reader, reader.gettext("{title} is over."), league, number)]
    up, down = reader.gettext("Up: {players}"), reader.gettext("Down: {players}")
    for division, moved in zip(divisions, moves, strict=True):
        lines.append(_line(reader, division, _FIRST))
        for words, players in ((up, moved.up), (down, moved.down)):
            if players:
                lines.append("-# " + words.format(players=and_players(reader, players)))
    if out := leagues.removed_players(league, divisions):
        sentence = reader.gettext("Out after two seasons without a move: {players}")
        lines.append(sentence.format(players=and_players(reader, out)))
    lines += [*award_lines(reader, report.award), *terms.ending(reader, league)]
    return news_post(reader, report, *lines)


def league_page(
    reader: Reader,
    league: Tournament,
    divisions: Sequence[Tournament],
    names: Mapping[UserId, str],
    number: int,
) -> Post:
    """Return the page of a league's division, counted from 1, with buttons for the others."""
    number = min(max(number, 1), len(divisions))
    division = divisions[number - 1]
    post = tournament_table(reader, division, standings(division), names, 0)
    lines = [terms.heading(reader, league), *terms.ending(reader, league), post.content]
    return replace(
        post,
        content=join_within_limit(reader, lines),
        buttons=(
            *terms.ways(league, "table", number, range(1, len(divisions) + 1), name=leagues.letter),
            Button(reader.gettext("Games"), terms.button_id(division.id, "games", 1)),
        ),
    )


def _season(reader: Reader, sentence: str, league: Tournament, number: int | None = None) -> str:
    """Return a sentence about a season, by default the running one."""
    season = reader.gettext("Season {number}").format(number=number or league.round)
    return sentence.format(title=f"{terms.title(league)}: {season}")


def _headed(sentence: str, league: Tournament, **values: object) -> str:
    return sentence.format(title=terms.title(league), number=league.round, **values)


def _line(reader: Reader, division: Tournament, part: slice) -> str:
    """Return the first places of a division in one line."""
    places = ", ".join(place_lines(reader, standings(division), division, part))
    return f"**{leagues.letter(division.terms.division or 1)}** {places}"


def _players(reader: Reader, division: Tournament) -> str:
    return and_players(reader, [entrant.player for entrant in division.entrants])
