"""Examples of texts about tournaments."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from bot.base.ids import TournamentId, UserId
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted, Started, TimedOut
from bot.play.model.game import Game
from club.tournaments.hook import PlaceInTournament, TournamentAddition
from club.tournaments.model.results import PairingEnd
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.words import organizing
from club.tournaments.words.answers import organisers
from club.tournaments.words.games import place_in_event
from tests.bot.play.example_texts import NOW, ExampleTexts
from tests.bot.replayed import ANN, BOB, CID, new_game, play, started, step
from tests.club.tournaments import toured
from tests.club.tournaments.toured import cup_of

PLACE = Pairing(round=2, board=1, white=ANN, black=BOB)


def ended(update: GameUpdate, cup: Tournament, end: PairingEnd) -> GameUpdate:
    """Return the update of an ended game with its effect on a tournament."""
    return replace(update, additions=(TournamentAddition(cup, end),))


def cup_games(game: Game) -> Iterator[GameUpdate]:
    """Values of games in a tournament, ended in each way."""
    in_tournament = replace(game, row=replace(game.row, tournament=TournamentId(1)))
    late = step(in_tournament, TimedOut(), ANN)[1]
    lost, nobody = PairingEnd(PairingResult.BLACK, forfeit=True), PairingEnd(None, asks=BOB)
    for state in (TournamentState.DONE, TournamentState.CANCELLED):
        yield ended(late, cup_of(game, state=state), lost)
    ladder = cup_of(game, format=TournamentFormat.LADDER)
    yield ended(late, replace(ladder, pairings=()), lost)
    for absent in (frozenset[UserId](), frozenset({ANN}), frozenset({ANN, BOB})):
        cup = cup_of(game, PairingResult.BLACK, gone=absent)
        yield ended(late, cup, replace(lost, absent=absent))
    for format_ in (TournamentFormat.SWISS, TournamentFormat.KNOCKOUT):
        yield ended(late, cup_of(game, format=format_), nobody)
    climbs = cup_of(game, PairingResult.BLACK, format=TournamentFormat.LADDER)
    yield ended(late, climbs, lost)
    stopped = step(in_tournament, Aborted(decided=True), CID)[1]
    yield ended(stopped, cup_of(game, PairingResult.DRAW), PairingEnd(PairingResult.DRAW))
    begun, first = step(replace(new_game(), row=in_tournament.row), Started(), BOB)
    assert begun.is_running
    for pairing in (PLACE, None):
        place = PlaceInTournament(toured.tournament(), pairing)
        yield replace(first, additions=(place,))
    nobodys = PairingEnd(PairingResult.NEITHER, forfeit=True)
    closed = step(in_tournament, Aborted(no_place=True), CID)[1]
    yield ended(closed, cup_of(game, PairingResult.NEITHER), nobodys)


EXAMPLE_TEXTS: ExampleTexts = {
    **toured.EXAMPLE_TEXTS,
    "organisers": lambda who: [organisers(who, 7, 8), organisers(who, None, None)],
    "tournament_exported": lambda who: organizing.tournament_exported(
        who, toured.tournament(), "csv", b""
    ),
    "log_page": lambda who: [
        organizing.log_page(who, toured.tournament(), acts) for acts in (toured.LOG, ())
    ],
    "past_tournaments": lambda who: [
        organizing.past_tournaments(who, ended)
        for ended in ((), [replace(toured.tournament(), ended_at=NOW)])
    ],
    "place_in_event": lambda who: place_in_event("Çûþ", PLACE, who),
}

BOARDS = partial(cup_games, play(started(), "d2", "e2")[0])
REFUSED = toured.REFUSED
