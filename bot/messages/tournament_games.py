"""The games of a tournament: each round with its results, and the way to each."""

from collections.abc import Sequence
from typing import Final

from bot.locales import Reader
from bot.messages.formats import some_others
from bot.messages.posts import CONTENT_LIMIT, Button, ButtonStyle, Post, fit
from bot.messages.tournament_terms import (
    button_id,
    counted,
    how_far,
    pair,
    player,
    result,
    title,
)
from bot.model.tournaments import Pairing, PairingResult, Tournament, TournamentFormat
from bot.model.tournaments.knockout import higher_seed_through

_NAMED: Final = 20
"""So many who do not play in a round are named."""
_PAGE: Final = 12
"""So many games are on a page where there are no rounds."""


def tournament_games(reader: Reader, tournament: Tournament, number: int) -> Post:
    """A round with the ways to its games, for whoever asks alone.

    Args:
        reader: Who asks.
        tournament: Which.
        number: Of the round. An arena and a ladder have pages instead, of which 1 is the newest.
    """
    lines = [f"{title(tournament)} · {how_far(reader, tournament)}"]
    if tournament.terms.format in {TournamentFormat.ARENA, TournamentFormat.LADDER}:
        newest_first = sorted(tournament.pairings, key=lambda one: -one.board)
        pages = max(-(-len(newest_first) // _PAGE), 1)
        number = min(max(number, 1), pages)
        shown = newest_first[(number - 1) * _PAGE : number * _PAGE]
        lines += [_result_line(reader, tournament, one, linked=True) for one in shown]
        earlier = number + 1 if number < pages else None
        later = number - 1 if number > 1 else None
    else:
        number = min(max(number, 1), max(tournament.round, 1))
        lines.append(reader.gettext("Round {number}").format(number=number))
        lines += result_lines(reader, tournament, number)
        earlier = number - 1 if number > 1 else None
        later = number + 1 if number < tournament.round else None
    if not tournament.pairings:
        lines.append(reader.gettext("No games yet."))
    buttons = []
    if earlier is not None:
        buttons.append(Button("◀", button_id(tournament.id, "games", earlier)))
    if later is not None:
        there = button_id(tournament.id, "games", later)
        buttons.append(Button("▶", there, ButtonStyle.PRIMARY))
    buttons.append(Button(reader.gettext("Standings"), button_id(tournament.id, "table", 0)))
    return Post(content=fit(reader, lines), buttons=tuple(buttons))


def result_lines(reader: Reader, one: Tournament, number: int) -> list[str]:
    """The pairings of a round with their results, each with the way to its game."""
    pairings = [pairing for pairing in one.pairings if pairing.round == number]
    games = [pairing for pairing in pairings if not _rests(pairing)]
    rest = byes(reader, pairings)
    whole = [*(_result_line(reader, one, pairing, linked=True) for pairing in games), *rest]
    if sum(len(line) + 1 for line in whole) > CONTENT_LIMIT * 3 // 4:
        return [*(_result_line(reader, one, pairing, linked=False) for pairing in games), *rest]
    return whole


def _rests(pairing: Pairing) -> bool:
    return pairing.result is not None and pairing.result.is_bye


def _result_line(reader: Reader, one: Tournament, pairing: Pairing, *, linked: bool) -> str:
    shown = result(pairing)
    board = counted(pairing.board)
    line = f"{board}. {pair(reader, pairing)}" + (f" **{shown}**" if shown else "")
    if pairing.margin:
        line += f" (+{pairing.margin})"
    if pairing.note is not None:
        line += " " + reader.gettext("(corrected)")
    elif pairing.forfeit:
        line += " " + reader.gettext("(not played)")
    if (first := higher_seed_through(one, pairing)) is not None:
        sentence = reader.gettext("({player} wins the match as the higher seed)")
        line += " " + sentence.format(player=player(reader, first))
    if linked and pairing.message is not None and pairing.game is not None:
        line += f" · {_thread(reader, one, pairing)}"
    return line


def _thread(reader: Reader, one: Tournament, pairing: Pairing) -> str:
    """The way to a game: its thread has the number of the message that announced it."""
    words = reader.gettext("game {number}").format(number=pairing.game)
    address = f"https://discord.com/channels/{one.terms.guild}/{pairing.message}"
    return f"[{words}]({address})"


def byes(reader: Reader, pairings: Sequence[Pairing]) -> list[str]:
    """Who does not play in a round, in a line for each reason."""

    def named(result: PairingResult) -> list[str]:
        return [player(reader, one.white) for one in pairings if one.result is result]

    lines = []
    if resting := named(PairingResult.BYE):
        sentence = reader.ngettext(
            "{players} sits this round out, which counts as a win (a bye).",
            "{players} sit this round out, which counts as a win (a bye).",
            len(resting),
        )
        lines.append(sentence.format(players=some_others(reader, resting, _NAMED)))
    if free := named(PairingResult.ZERO_BYE):
        sentence = reader.ngettext(
            "{players} sits this round out.", "{players} sit this round out.", len(free)
        )
        lines.append(sentence.format(players=some_others(reader, free, _NAMED)))
    return lines
