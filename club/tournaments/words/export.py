"""A tournament as a file: a table for spreadsheets, and FIDE's report for pairing programs.

The report follows TRF16 (FIDE Handbook C.04.A, annex 2), whose columns are fixed. It contains the
pairings of a Swiss or a round robin. Players have no FIDE ids, and their ratings are the server's.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Final

from bot.base.ids import UserId
from club.tournaments.model.standings import each_ones, standings
from club.tournaments.model.tournament import Pairing, PairingResult, Tournament, TournamentFormat
from dvonn import Color

_LETTERS: Final = {Color.WHITE: "w", Color.BLACK: "b"}
_FORMULA: Final = ("=", "+", "-", "@", "\t")
"""First characters that a spreadsheet would treat as the start of a formula."""


def as_csv(parts: Sequence[Tournament], names: Mapping[UserId, str]) -> bytes:
    """Return games as CSV, one per line, with the players' places and points.

    `parts` contains one tournament, or each division of a league's season.
    """
    out = io.StringIO()
    lines = csv.writer(out)
    seats = ("white", "black")
    about = ("{}", "{}_id", "{}_place", "{}_points")
    head = (column.format(seat) for seat in seats for column in about)
    start = ("tournament", "round", "board")
    lines.writerow((*start, *head, "result", "forfeit", "margin", "note", "game"))
    for part in parts:
        table = {row.player: row for row in standings(part)}
        for game in part.pairings:
            cells: list[object] = [_safe(part.terms.name), game.round, game.board]
            for player in (game.white, game.black):
                if player is None:
                    cells += ["", "", "", ""]
                else:
                    row = table.get(player)
                    columns = ("", "") if row is None else (row.place, row.points)
                    cells += [_safe(names.get(player, "")), player, *columns]
            margin = "" if game.margin is None else game.margin
            cells += [game.result or "", int(game.forfeit), margin]
            lines.writerow([*cells, _safe(game.note or ""), game.game or ""])
    return out.getvalue().encode("utf-8-sig")


def _safe(text: str) -> str:
    """Return a text that spreadsheets don't treat as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_report(tournament: Tournament, names: Mapping[UserId, str]) -> bytes:
    """Return a tournament as FIDE's report, TRF16."""
    table = standings(tournament)
    numbers = {entrant.player: n for n, entrant in enumerate(tournament.entrants, start=1)}
    rows = {row.player: (place, row) for place, row in enumerate(table, start=1)}
    games_by_player = each_ones(tournament.pairings)
    rated = sum(entrant.rating is not None for entrant in tournament.entrants)
    kind = "Swiss" if tournament.terms.format is TournamentFormat.SWISS else "Round-Robin"
    head = {
        "012": tournament.terms.name,
        "042": "" if tournament.began_at is None else f"{tournament.began_at:%Y/%m/%d}",
        "052": "" if tournament.ended_at is None else f"{tournament.ended_at:%Y/%m/%d}",
        "062": str(len(tournament.entrants)),
        "072": str(rated),
        "092": f"Individual: {kind}",
    }
    lines = [f"{key} {value}" for key, value in head.items() if value]
    for entrant in tournament.entrants:
        place, row = rows[entrant.player]
        name = _plain(names.get(entrant.player, "")) or f"Player {numbers[entrant.player]}"
        rating = "" if entrant.rating is None else f"{entrant.rating:.0f}"
        start = f"001 {numbers[entrant.player]:>4} {'':<4} {name:<33} {rating:>4}"
        line = f"{start:<80}{row.points:>4.1f} {place:>4}"
        by_round = {game.round: game for game in games_by_player[entrant.player]}
        for number in range(1, tournament.round + 1):
            line += f"  {_cell(by_round.get(number), entrant.player, numbers)}"
        lines.append(line)
    lines.append(f"XXR {tournament.round}")
    return "".join(f"{line}\r\n" for line in lines).encode()


def _plain(name: str) -> str:
    """Return a name without line breaks, in at most 33 characters."""
    return " ".join(name.split())[:33]


def _cell(game: Pairing | None, player: UserId, numbers: Mapping[UserId, int]) -> str:
    """Return a player's round: opponent, color and result, in eight columns."""
    if game is None or game.result is PairingResult.ZERO_BYE:
        return "0000 - Z"
    if game.black is None:
        return "0000 - U" if game.result is PairingResult.BYE else "0000 - Z"
    opponent = numbers[game.black if player == game.white else game.white]
    points = game.points_of(player)
    if game.result is None:
        sign = " "
    elif game.forfeit or game.result is PairingResult.NEITHER:
        sign = "+" if points else "-"
    else:
        sign = {1.0: "1", 0.5: "="}.get(points, "0")
    return f"{opponent:>4} {_LETTERS[game.color_of(player)]} {sign}"
