"""Texts about a tournament's games: rounds with results, and the effects of games."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.base.formats import and_list, shortened_people
from bot.base.languages import Reader
from bot.connection import posts
from bot.play.model.game import Game
from club.tournaments.model.knockout import higher_seed_through, is_called_off
from club.tournaments.model.results import PairingEnd, asked_until, can_be_set, climb, missed_by
from club.tournaments.model.tournament import Pairing, PairingResult, Tournament, TournamentFormat
from club.tournaments.words import terms
from renderer.standings_table import amount

_NAMED: Final = 20
"""Maximum number of players without a game in a round who are named."""
_IN_A_NAME: Final = 40
"""Maximum length of a tournament's name in the name of a thread."""
_PAGE: Final = 12
"""Number of games per page of a ladder."""


def tournament_games(reader: Reader, tournament: Tournament, number: int) -> posts.Post:
    """Return a private list of a round's games with links.

    A ladder has pages instead of rounds. Page 1 is the newest.
    """
    lines = [terms.heading(reader, tournament)]
    if tournament.terms.format.has_rounds:
        pages = range(1, tournament.round + 1)
        number = min(max(number, 1), max(tournament.round, 1))
        lines.append(reader.gettext("Round {number}").format(number=number))
        lines += result_lines(reader, tournament, number)
    else:
        newest = sorted(tournament.pairings, key=lambda pairing: -pairing.board)
        pages = range(1, max(-(-len(newest) // _PAGE), 1) + 1)
        number = min(max(number, 1), len(pages))
        games = newest[(number - 1) * _PAGE : number * _PAGE]
        lines += [_result_line(reader, tournament, pairing, linked=True) for pairing in games]
        lines += _to_set(reader, tournament, games)
    if not tournament.pairings:
        lines.append(reader.gettext("No games yet."))
    back = posts.Button(reader.gettext("Standings"), terms.button_id(tournament.id, "table", 0))
    newest_first = not tournament.terms.format.has_rounds
    buttons = terms.ways(tournament, "games", number, pages, newest_first=newest_first)
    return posts.Post(content=posts.join_within_limit(reader, lines), buttons=(*buttons, back))


def result_lines(reader: Reader, tournament: Tournament, number: int) -> list[str]:
    """Return a round's pairings with their results, each with a link to its game."""
    pairings = [
        pairing
        for pairing in tournament.pairings
        if pairing.round == number
        and not (pairing.black is None and is_called_off(tournament, pairing))
    ]
    games = [pairing for pairing in pairings if pairing.result is None or not pairing.result.is_bye]
    rest = [*byes(reader, pairings), *_to_set(reader, tournament, pairings)]
    whole = [*(_result_line(reader, tournament, pairing, linked=True) for pairing in games), *rest]
    if sum(len(line) + 1 for line in whole) > posts.CONTENT_LIMIT * 3 // 4:
        return [
            *(_result_line(reader, tournament, pairing, linked=False) for pairing in games),
            *rest,
        ]
    return whole


def _to_set(reader: Reader, tournament: Tournament, pairings: Sequence[Pairing]) -> list[str]:
    """Return the hint for organizers about games without a result, if there are any."""
    if not any(can_be_set(tournament, pairing) for pairing in pairings):
        return []
    return [reader.gettext("0–0? Organizers can set a result in /tournament show.")]


def _result_line(reader: Reader, tournament: Tournament, pairing: Pairing, *, linked: bool) -> str:
    result = terms.result(pairing)
    board = terms.counted(pairing.board)
    line = f"{board}. {terms.pair(reader, pairing)}" + (f" **{result}**" if result else "")
    if pairing.margin:
        line += f" (+{pairing.margin})"
    if is_called_off(tournament, pairing):
        line += " " + reader.gettext("(called off)")
    elif pairing.adjudicated and pairing.note is None:
        line += " " + reader.gettext("(unfinished)")
    elif pairing.note is not None:
        line += " " + reader.gettext("(corrected)")
    elif pairing.forfeit:
        line += " " + reader.gettext("(not played)")
    if (first := higher_seed_through(tournament, pairing)) is not None:
        sentence = reader.gettext("({player} goes on, seeded higher)")
        line += " " + sentence.format(player=terms.player(reader, first))
    if linked and pairing.message is not None and pairing.game is not None:
        line += f" · {_thread(reader, tournament, pairing)}"
    return line


def _thread(reader: Reader, tournament: Tournament, pairing: Pairing) -> str:
    """Return the link to a game. Its thread has the id of the message that announced it."""
    words = reader.gettext("game {number}").format(number=pairing.game)
    address = f"https://discord.com/channels/{tournament.terms.guild}/{pairing.message}"
    return f"[{words}]({address})"


def byes(reader: Reader, pairings: Sequence[Pairing]) -> list[str]:
    """Return the players without a game in a round, with one line per reason."""

    def named(result: PairingResult) -> list[str]:
        return [
            terms.player(reader, pairing.white) for pairing in pairings if pairing.result is result
        ]

    lines = []
    if resting := named(PairingResult.BYE):
        sentence = reader.ngettext(
            "{players} has a bye this round. It counts as a win.",
            "{players} have a bye this round. It counts as a win.",
            len(resting),
        )
        lines.append(sentence.format(players=shortened_people(reader, resting, _NAMED)))
    if free := named(PairingResult.ZERO_BYE):
        sentence = reader.ngettext(
            "{players} sits this round out.", "{players} sit this round out.", len(free)
        )
        lines.append(sentence.format(players=shortened_people(reader, free, _NAMED)))
    return lines


def place_in_event(name: str, pairing: Pairing, reader: Reader) -> str:
    """Return a tournament's name, shortened if it is long, with the round and board of a game."""
    short = name if len(name) <= _IN_A_NAME else f"{name[: _IN_A_NAME - 1]}…"
    return place_in_tournament(reader, short, pairing)


def starts_in(reader: Reader, tournament: Tournament, pairing: Pairing | None) -> str:
    """Return the line about a new game's tournament. Without a pairing, it is a ladder."""
    if pairing is None:
        words = reader.gettext("This game counts for {tournament}.")
        return words.format(tournament=terms.title(tournament))
    return place_in_tournament(reader, terms.title(tournament), pairing)


def place_in_tournament(reader: Reader, title: str, pairing: Pairing) -> str:
    words = reader.gettext("{tournament}, round {number}, board {board}")
    return words.format(tournament=title, number=pairing.round, board=pairing.board)


def in_tournament(reader: Reader, game: Game, tournament: Tournament, end: PairingEnd) -> list[str]:
    """Describe the effect on the tournament, if the game's result itself does not show it."""
    pairing = tournament.pairing_of(game.row.id)
    if game.outcome is None:
        return []
    if pairing is None or pairing.result is None:
        until = None if pairing is None else asked_until(tournament, pairing, end)
        if pairing is None or until is None:
            return _without_effect(reader, tournament, pairing)
        lines = [_question(reader, pairing, end, until)]
    else:
        lines = [] if game.outcome.has_result else _counts_as(reader, game, pairing.result)
    missed = missed_by(tournament, pairing, end)
    if can_be_set(tournament, pairing) and not missed:
        lines.append(
            reader.gettext(
                "In the tournament it counts for nobody. Organizers can set a result in "
                "/tournament show."
            )
        )
    if missed:
        players = and_list(reader, map(posts.user, missed))
        sentence = reader.ngettext(
            "{players}, you missed this game, so {tournament} goes on without you. Back again? "
            "Join in /tournament show.",
            "{players}, you both missed this game, so {tournament} goes on without you. Back "
            "again? Join in /tournament show.",
            len(missed),
        )
        lines.append(sentence.format(players=players, tournament=terms.title(tournament)))
    return [*lines, *_changes(reader, tournament, pairing)]


def _without_effect(reader: Reader, tournament: Tournament, pairing: Pairing | None) -> list[str]:
    """Explain why a game doesn't count, unless a player has deleted their data."""
    is_ladder = tournament.terms.format is TournamentFormat.LADDER
    if tournament.ended_at is not None:
        sentence = reader.gettext("{tournament} is over, so this game doesn't count for it.")
    elif pairing is None and is_ladder:
        sentence = reader.gettext("So it doesn't count for {tournament} either.")
    else:
        return []
    return [sentence.format(tournament=terms.title(tournament))]


def _counts_as(reader: Reader, game: Game, result: PairingResult) -> list[str]:
    """Return what a game without a result counts in its tournament, if somebody gets points."""
    if result is PairingResult.DRAW:
        return [reader.gettext("In the tournament it counts as a draw.")]
    if result.winner is None:
        return []
    sentence = reader.gettext("In the tournament it counts as a win for {player}.")
    return [sentence.format(player=posts.user(game.player(result.winner)))]


def _changes(reader: Reader, tournament: Tournament, pairing: Pairing) -> list[str]:
    """Return the change of the ladder or the table: "Ladder: @Dee 4 → 2"."""
    if (climbed := climb(tournament, pairing)) is not None:
        player, before, after = climbed
        change = f"{posts.user(player)} {before} → {after}"
    elif tournament.terms.format.has_points and pairing.result is not None:
        games = {player: tournament.pairings_of(player) for player in pairing.players}
        change = ", ".join(
            f"{posts.user(player)} {amount(sum(game.points_of(player) for game in own_games))}"
            for player, own_games in games.items()
        )
        change = reader.gettext("{players} points").format(players=change)
    else:
        return []
    return [f"{terms.title(tournament)}: {change}"]


def answer_button(
    reader: Reader, game: Game, tournament: Tournament, end: PairingEnd
) -> tuple[posts.Button, ...]:
    pairing = tournament.pairing_of(game.row.id)
    if pairing is None or asked_until(tournament, pairing, end) is None:
        return ()
    number = terms.button_id(tournament.id, "came", game.row.id)
    return (posts.Button(reader.gettext("I'm here"), number, posts.ButtonStyle.PRIMARY),)


def _question(reader: Reader, pairing: Pairing, end: PairingEnd, until: datetime) -> str:
    player, opponent = pairing.players
    if player != end.asks:
        player, opponent = opponent, player
    sentence = reader.gettext(
        "{player}, {opponent} didn't come. Press {verb} by {moment} to win. If you don't, nobody "
        "wins."
    )
    verb = reader.gettext("I'm here")
    return sentence.format(
        player=posts.user(player),
        opponent=posts.user(opponent),
        verb=f"*{verb}*",
        moment=posts.timestamp(until),
    )
