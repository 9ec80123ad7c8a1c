"""Examples of texts about tournaments."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from bot.base.ids import TournamentId
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted, Started, TimedOut
from bot.play.model.game import Game
from club.tournaments.hook import PlaceInTournament, TournamentAddition
from club.tournaments.model.badges import EarnedBadge
from club.tournaments.model.results import Climb, PresenceQuestion, TournamentEffect
from club.tournaments.model.tournament import Pairing, PairingResult, TournamentState
from club.tournaments.words import organizing
from club.tournaments.words.answers import organisers
from club.tournaments.words.badges import badge_line
from club.tournaments.words.games import place_in_event
from tests.bot.play.said import NOW, Table
from tests.bot.replayed import ANN, BOB, CID, new_game, play, started, step
from tests.club.tournaments import toured

PLACE = Pairing(round=2, board=1, white=ANN, black=BOB)


def missed_games(game: Game) -> Iterator[GameUpdate]:
    """Values of games in a tournament whose player was absent."""
    in_tournament = replace(game, row=replace(game.row, tournament=TournamentId(1)))
    late = step(in_tournament, TimedOut(), ANN)[1]
    over = TournamentEffect(name="Çûþ", state=TournamentState.DONE, result=None)
    for state in (TournamentState.DONE, TournamentState.CANCELLED):
        yield replace(late, additions=(TournamentAddition(replace(over, state=state)),))
    short = TournamentEffect(
        name="Çûþ", state=TournamentState.RUNNING, result=None, is_no_step=True
    )
    yield replace(late, additions=(TournamentAddition(short),))
    for missed in ((), (ANN,), (ANN, BOB)):
        lost = replace(over, result=PairingResult.BLACK, missed=missed)
        yield replace(late, additions=(TournamentAddition(lost),))
    for goes_on in (False, True):
        question = PresenceQuestion(player=BOB, until=NOW, goes_on_without=goes_on)
        asks = replace(over, state=TournamentState.RUNNING, question=question, missed=(ANN,))
        yield replace(late, additions=(TournamentAddition(asks),))
    drawn = replace(over, result=PairingResult.DRAW)
    yield replace(
        step(in_tournament, Aborted(decided=True), CID)[1],
        additions=(TournamentAddition(drawn),),
    )
    for worth in (
        replace(over, result=PairingResult.BLACK, climb=Climb(player=BOB, before=4, after=2)),
        replace(over, result=PairingResult.BLACK, points={ANN: 0.5, BOB: 2.0}),
    ):
        yield replace(late, additions=(TournamentAddition(worth),))
    begun, first = step(replace(new_game(), row=in_tournament.row), Started(), BOB)
    assert begun.is_running
    for pairing in (PLACE, None):
        place = PlaceInTournament(toured.tournament(), pairing)
        yield replace(first, additions=(place,))
    nobodys = replace(over, result=PairingResult.NEITHER, can_be_set=True)
    yield replace(
        step(in_tournament, Aborted(no_place=True), CID)[1],
        additions=(TournamentAddition(nobodys),),
    )


BADGES = [EarnedBadge(name=name, earned_at=NOW) for name in ("Çûþ", "Öþĥéŕ")]

SAID: Table = {
    **toured.SAID,
    "badge_line": lambda who: badge_line(who, BADGES),
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

BOARDS = partial(missed_games, play(started(), "d2", "e2")[0])
REFUSED = toured.REFUSED
