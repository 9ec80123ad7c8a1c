"""Tests for absent players, and of games that outlive their tournament."""

from datetime import timedelta

import pytest

from bot.base.ids import BEFORE_START, GameId, Revision, UserId
from bot.base.languages import IN_ENGLISH
from bot.connection.posts import timestamp
from bot.play.game_changes import GameUpdate
from bot.play.model.refused_starts import NotForYou
from bot.play.words.boards import board
from club.tournaments.model.badges import winner
from club.tournaments.model.ladder import ladder_order
from club.tournaments.model.results import time_to_answer
from club.tournaments.model.rules import no_show_leaves
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.refusals import TournamentRefusal
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words.games import tournament_games
from tests.bot.table import Table
from tests.club.tournaments.directed import (
    DAY,
    MACHINE,
    PEOPLE,
    Event,
    black_of,
    game_of,
)


def out(tournament: Tournament) -> list[UserId]:
    """Return the players who are not paired any more."""
    return [entrant.player for entrant in tournament.entrants if entrant.withdrawn]


def text(update: GameUpdate) -> str:
    return board(IN_ENGLISH, update).content


async def told_again(table: Table, update: GameUpdate) -> str:
    """Return the text of an update as another process tells of it."""
    row = update.game.row
    before = Revision(row.revision - 1)
    return text(await table.games.unannounced(row.id, row.revision, before))


async def let_their_time_run_out(event: Event) -> list[GameUpdate]:
    """The players to move are absent: their games end by their clocks."""
    event.table.clock.advance(days=1, minutes=1)
    return await event.table.look()


async def a_swiss(table: Table, rounds: int = 3) -> tuple[Event, Pairing, Pairing]:
    """Four people, two of whom have finished their game."""
    event = await Event.begun(table, PEOPLE[:6], rounds=rounds, clock=DAY)
    missed, played, other = await event.play_round()
    await event.lose(other, other.white)
    return event, missed, played


@pytest.mark.both_databases
async def test_members_who_never_move_are_out_and_can_return(table: Table) -> None:
    event, missed, played = await a_swiss(table)
    await event.move(played)
    updates = await let_their_time_run_out(event)
    now = await event.now()
    assert set(out(now)) == {missed.white, black_of(played)}, "White who never came, and Black"
    told = {update.game.row.id: update for update in updates}
    for pairing, away in ((missed, missed.white), (played, black_of(played))):
        update = told[game_of(pairing)]
        assert away in update.pings, "they are called once, by the board that tells of it"
        assert f"<@{away}>, you missed this game, so **Spring Cup** goes on without you." in (
            text(update)
        )
        assert await told_again(table, update) == text(update)

    back = await event.join(missed.white)
    assert out(back) == [black_of(played)]
    won = await table.of(Tournaments).answer(event.id, game_of(missed), black_of(missed))
    assert (won.result, won.forfeit) == (PairingResult.BLACK, True)
    await event.tick()
    paired = [pairing for pairing in (await event.now()).pairings if pairing.round == 2]
    names = {who for item in paired for who in item.players}
    assert missed.white in names
    assert black_of(played) not in names
    assert out(await event.now()) == [black_of(played)], "one missed game takes nobody out twice"


async def test_present_players_stay(table: Table) -> None:
    event, one, other = await a_swiss(table)
    await event.move(one, 2)
    game = await table.game_cache.existing(game_of(one))
    await table.leaving.abort(game_of(one), game.row.revision, black_of(one), source=table.source())
    await event.move(other, 2)
    updates = await let_their_time_run_out(event)
    assert len(updates) == 1
    now = await event.now()
    assert PairingResult.BLACK in {p.result for p in now.pairings if p.game == other.game}
    assert out(now) == []


async def test_the_last_round_invites_nobody_back(table: Table) -> None:
    event, missed, _ = await a_swiss(table, rounds=1)
    (update, _) = await let_their_time_run_out(event)
    assert missed.white in out(await event.now())
    assert "/tournament" not in text(update)
    with pytest.raises(TournamentRefusal, match="TOO_LATE_TO_JOIN"):
        await event.join(missed.white)


@pytest.mark.parametrize("format_", [TournamentFormat.ROUND_ROBIN, TournamentFormat.KNOCKOUT])
async def test_with_known_opponents_a_no_show_only_loses(
    table: Table, format_: TournamentFormat
) -> None:
    event = await Event.begun(table, PEOPLE[:4], format=format_, clock=DAY)
    games = await event.play_round()
    for update in await let_their_time_run_out(event):
        assert "missed" not in text(update)
    for pairing in games:
        await table.of(Tournaments).answer(event.id, game_of(pairing), black_of(pairing))
    now = await event.now()
    assert {pairing.result for pairing in now.pairings} == {PairingResult.BLACK}
    assert out(now) == []


# Without players


NOBODY_CAME: dict[TournamentFormat, dict[str, object]] = {
    TournamentFormat.ROUND_ROBIN: {"clock": DAY},
    TournamentFormat.KNOCKOUT: {"clock": DAY},
    TournamentFormat.SWISS: {"clock": DAY, "rounds": 2},
}


@pytest.mark.both_databases
@pytest.mark.parametrize("format_", NOBODY_CAME)
async def test_two_absent_players_get_no_points(table: Table, format_: TournamentFormat) -> None:
    event = await Event.begun(table, PEOPLE[:8], format=format_, **NOBODY_CAME[format_])
    for _ in range(20):
        await event.play_round()
        table.clock.advance(seconds=time_to_answer((await event.now()).terms).total_seconds())
        await table.look()
        if (now := await event.now()).state is TournamentState.DONE:
            break
    assert now.state is TournamentState.DONE
    assert {pairing.result for pairing in now.pairings if pairing.black is not None} == {
        PairingResult.NEITHER
    }
    assert {standing.won for standing in standings(now)} == {0}
    assert winner(now) is None
    if no_show_leaves(now):
        assert sorted(out(now)) == PEOPLE[:8], "nobody waits for the same person twice"
    if format_ is TournamentFormat.KNOCKOUT:
        assert now.round == 1, "nobody goes on from a game to which neither came"


async def test_players_without_a_turn_win_by_confirming_their_presence(table: Table) -> None:
    event = await Event.begun(table, PEOPLE[:4], format=TournamentFormat.KNOCKOUT, clock=DAY)
    there, silent = await event.play_round()
    told = {update.game.row.id: update for update in await let_their_time_run_out(event)}
    update = told[game_of(there)]
    post = board(IN_ENGLISH, update)
    assert f"<@{black_of(there)}>, <@{there.white}> didn't come. Press " in post.content
    assert set(post.pings) == set(there.players), "as after every time that is up"
    assert post.buttons[0].custom_id == f"dvonn:cup:{event.id}:came:{game_of(there)}"
    assert await told_again(table, update) == text(update)

    answer = table.of(Tournaments).answer
    for other in (there.white, silent.white):
        with pytest.raises(NotForYou):
            await answer(event.id, game_of(there), other)
    with pytest.raises(TournamentRefusal, match="GONE"):
        await answer(event.id, GameId(99), black_of(there))
    won = await answer(event.id, game_of(there), black_of(there))
    assert won == await answer(event.id, game_of(there), black_of(there)), "pressed twice"
    assert (won.result, won.forfeit) == (PairingResult.BLACK, True)
    row = update.game.row
    said = await table.games.unannounced(row.id, row.revision, BEFORE_START)
    assert f"counts as a win for <@{black_of(there)}>" in board(IN_ENGLISH, said).content
    assert not any("came" in button.custom_id for button in board(IN_ENGLISH, said).buttons)

    table.clock.advance(days=1)
    await event.tick()
    done = await event.now()
    assert done.state is TournamentState.DONE, "nobody goes on from the other game"
    with pytest.raises(TournamentRefusal, match="TOO_LATE_TO_ANSWER"):
        await answer(event.id, game_of(silent), black_of(silent))
    assert standings(done)[0].player == black_of(there)


async def test_nobody_is_asked_in_a_finished_tournament(table: Table) -> None:
    event = await Event.begun(table, PEOPLE[:2], format=TournamentFormat.KNOCKOUT, clock=DAY)
    (pairing,) = await event.play_round()
    await let_their_time_run_out(event)
    await event.act("off")
    with pytest.raises(TournamentRefusal, match="TOO_LATE_TO_ANSWER"):
        await table.of(Tournaments).answer(event.id, game_of(pairing), black_of(pairing))
    row = (await table.game_cache.existing(game_of(pairing))).row
    said = board(IN_ENGLISH, await table.games.unannounced(row.id, row.revision, BEFORE_START))
    assert "didn't come" not in said.content


async def test_in_a_ladder_a_game_without_a_move_changes_nothing(table: Table) -> None:
    first, last = PEOPLE[:2]
    event = await Event.create(
        table, [first, last], format=TournamentFormat.LADDER, lasts=timedelta(days=7), clock=None
    )
    begun = await event.begin()
    challenge = await table.challenge(last, challenger=first, rated=True, clock=DAY)
    await table.accept(challenge, last)
    (update,) = await let_their_time_run_out(event)
    now = await event.now()
    assert [(pairing.result, pairing.forfeit) for pairing in now.pairings] == [
        (PairingResult.NEITHER, True)
    ]
    assert ladder_order(now) == ladder_order(begun)
    assert "didn't come" not in text(update)


async def test_both_absent_players_are_informed_at_the_deadline(table: Table) -> None:
    event = await Event.begun(table, PEOPLE[:6], rounds=2, clock=None, round_time=timedelta(days=3))
    nobody, one_came, _ = await event.play_round()
    await event.move(one_came)
    table.clock.advance(days=3)
    told = {update.game.row.id: text(update) for update in await event.tick()}
    until = timestamp(table.clock() + timedelta(days=1))
    question = f"<@{black_of(nobody)}>, <@{nobody.white}> didn't come. Press *I'm here* by {until}"
    assert question in told[game_of(nobody)]
    assert f"<@{nobody.white}>, you missed this game" in told[game_of(nobody)]
    assert f"<@{one_came.black}>, you missed this game" in told[game_of(one_came)]


async def test_absent_players_miss_their_game_once_it_is_ended(table: Table) -> None:
    event = await Event.begun(
        table, PEOPLE[:6], rounds=2, clock=None, round_time=timedelta(days=60)
    )
    (lies, *_) = await event.play_round()
    table.clock.advance(days=15)
    await table.look()
    game = await table.game_cache.existing(game_of(lies))
    ended = await table.leaving.abort(
        game_of(lies), game.row.revision, black_of(lies), source=table.source()
    )
    assert f"<@{lies.white}>, you missed this game" in text(ended)


async def test_a_corrected_result_does_not_change_who_was_present(table: Table) -> None:
    event, missed, _ = await a_swiss(table)
    await event.act("remove", player=missed.white)
    await event.correct((1, missed.board), PairingResult.BLACK)
    (update,) = await event.tick()
    assert "missed this game" not in text(update)


async def test_games_that_outlive_a_cancelled_tournament_do_not_count(table: Table) -> None:
    event, early, late = await a_swiss(table)
    await event.act("off")
    ended = await table.leaving.abort(
        game_of(early), Revision(0), early.white, source=table.source()
    )
    words = "**Spring Cup** is over, so this game doesn't count for it."
    said = text(ended)
    assert words in said
    assert "win for" not in said
    assert await told_again(table, ended) == said
    await event.lose(late, late.white)
    now = await event.now()
    assert now.state is TournamentState.CANCELLED
    open_ = [pairing.game for pairing in now.pairings if pairing.result is None]
    assert open_ == [game_of(early), late.game]


async def test_a_deleted_game_thread_is_reported_to_organizers_with_options(
    table: Table,
) -> None:
    event, gone, _ = await a_swiss(table)
    await table.leaving.close(game_of(gone), by=MACHINE)
    row = (await table.game_cache.existing(game_of(gone))).row
    update = await table.games.unannounced(row.id, row.revision, BEFORE_START)
    words = "Organizers can set a result in /tournament show."
    assert words in text(update)
    listed = tournament_games(IN_ENGLISH, await event.now(), 1).content
    assert "0–0? Organizers can set a result in /tournament show." in listed.splitlines()
    await event.correct((1, gone.board), PairingResult.NEITHER)
    update = await table.games.unannounced(row.id, row.revision, BEFORE_START)
    now = text(update), tournament_games(IN_ENGLISH, await event.now(), 1)
    assert "/tournament correct" not in f"{now}"
