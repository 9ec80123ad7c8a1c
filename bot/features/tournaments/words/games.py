"""The games of a tournament: each round with its results, and the way to each."""

from collections.abc import Sequence
from typing import Final

from bot.base.formats import some_others
from bot.base.locales import Reader
from bot.connection.posts import CONTENT_LIMIT, Button, Post, fit
from bot.features.tournaments.model.knockout import higher_seed_through, is_called_off
from bot.features.tournaments.model.results import can_be_set
from bot.features.tournaments.model.terms import Pairing, PairingResult, Tournament
from bot.features.tournaments.words.terms import (
    button_id,
    counted,
    heading,
    pair,
    player,
    result,
    ways,
)

_NAMED: Final = 20
"""So many who do not play in a round are named."""
_PAGE: Final = 12
"""So many games are on a page where there are no rounds."""


def tournament_games(reader: Reader, tournament: Tournament, number: int) -> Post:
    """Return a round with the ways to its games, as shown privately.

    Args:
        reader: Who asks.
        tournament: Which.
        number: Of the round. An arena and a ladder have pages instead, of which 1 is the newest.
    """
    lines = [heading(reader, tournament)]
    if tournament.terms.format.has_rounds:
        pages = range(1, tournament.round + 1)
        number = min(max(number, 1), max(tournament.round, 1))
        lines.append(reader.gettext("Round {number}").format(number=number))
        lines += result_lines(reader, tournament, number)
    else:
        newest = sorted(tournament.pairings, key=lambda one: -one.board)
        pages = range(1, max(-(-len(newest) // _PAGE), 1) + 1)
        number = min(max(number, 1), len(pages))
        shown = newest[(number - 1) * _PAGE : number * _PAGE]
        lines += [_result_line(reader, tournament, one, linked=True) for one in shown]
        lines += _to_set(reader, tournament, shown)
    if not tournament.pairings:
        lines.append(reader.gettext("No games yet."))
    back = Button(reader.gettext("Standings"), button_id(tournament.id, "table", 0))
    newest_first = not tournament.terms.format.has_rounds
    around = ways(tournament, "games", number, pages, newest_first=newest_first)
    return Post(content=fit(reader, lines), buttons=(*around, back))


def result_lines(reader: Reader, one: Tournament, number: int) -> list[str]:
    """Return the pairings of a round with their results, each with the way to its game."""
    pairings = [
        pairing
        for pairing in one.pairings
        if pairing.round == number and not (pairing.black is None and is_called_off(one, pairing))
    ]
    games = [one for one in pairings if one.result is None or not one.result.is_bye]
    rest = [*byes(reader, pairings), *_to_set(reader, one, pairings)]
    whole = [*(_result_line(reader, one, pairing, linked=True) for pairing in games), *rest]
    if sum(len(line) + 1 for line in whole) > CONTENT_LIMIT * 3 // 4:
        return [*(_result_line(reader, one, pairing, linked=False) for pairing in games), *rest]
    return whole


def _to_set(reader: Reader, one: Tournament, pairings: Sequence[Pairing]) -> list[str]:
    """Tell organisers what to do about games without a result, where there are any."""
    if not any(can_be_set(one, pairing) for pairing in pairings):
        return []
    return [reader.gettext("0–0? Organisers can set a result with /tournament correct.")]


def _result_line(reader: Reader, one: Tournament, pairing: Pairing, *, linked: bool) -> str:
    shown = result(pairing)
    board = counted(pairing.board)
    line = f"{board}. {pair(reader, pairing)}" + (f" **{shown}**" if shown else "")
    if pairing.margin:
        line += f" (+{pairing.margin})"
    if is_called_off(one, pairing):
        line += " " + reader.gettext("(called off)")
    elif pairing.note is not None:
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
    """Return the way to a game: its thread has the number of the message that announced it."""
    words = reader.gettext("game {number}").format(number=pairing.game)
    address = f"https://discord.com/channels/{one.terms.guild}/{pairing.message}"
    return f"[{words}]({address})"


def byes(reader: Reader, pairings: Sequence[Pairing]) -> list[str]:
    """Return those without a game in a round, in a line for each reason."""

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
