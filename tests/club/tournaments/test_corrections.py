"""Tests for results that organizers correct while games run."""

from collections.abc import Iterable
from typing import Any

import pytest

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.connection.posts import escaped
from bot.database.delivery_rows import Delivery
from bot.play.model.refusals import OwnRatedGame
from bot.play.model.terms import EndReason, Outcome
from bot.play.words.boards import board
from club.tournaments.model.acts import EndsGames
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.use_cases.news import NEWS
from club.tournaments.words.announcements import Report, tournament_corrected, tournament_ended
from club.tournaments.words.organizing import note_in
from tests.bot.table import ANN, BOB, Table
from tests.club.tournaments.directed import ORGANISER, PEOPLE, Event, places

WHITE, BLACK = PairingResult.WHITE, PairingResult.BLACK


async def a_final(table: Table) -> tuple[Event, Pairing]:
    """A knockout of four in which White lost both semifinals, and the final is running."""
    event = await Event.begun(table, PEOPLE[:4], format=TournamentFormat.KNOCKOUT)
    for pairing in await event.play_round():
        await event.lose(pairing, pairing.white)
    table.clock.advance(seconds=2)
    (final,) = await event.play_round()
    return event, final


async def ends_of(
    event: Event, place: tuple[int, int], result: PairingResult, agreed: Iterable[Any] = ()
) -> tuple[Pairing, ...]:
    """Correct a result. Return the games that it would end, if the organizer was asked."""
    games = frozenset(agreed)
    try:
        await event.act("correct", place=place, result=result, note="why", agreed=games)
    except EndsGames as error:
        return error.games
    return ()


async def test_an_organizer_confirms_the_consequences_first(table: Table) -> None:
    event = await Event.begun(table, PEOPLE[:4], format=TournamentFormat.ROUND_ROBIN)
    pairing, _ = await event.play_round()
    place = 1, pairing.board
    before = await event.now()
    for agreed in ([], [(1, 9)]):
        assert await ends_of(event, place, PairingResult.DRAW, agreed) == (pairing,)
    assert await event.now() == before
    assert await event.tick() == []
    assert pairing in await event.running(), "their game goes on"
    assert await ends_of(event, place, PairingResult.DRAW, [place]) == ()
    assert len(await event.tick()) == 1, "now it has ended"
    assert len(await event.running()) == 1
    assert await ends_of(event, place, WHITE) == (), "where nothing runs nobody is asked"


@pytest.mark.both_databases
async def test_a_semi_final_can_be_corrected_while_the_final_runs(table: Table) -> None:
    event, final = await a_final(table)
    await event.move(final, 2)
    semi, other, _ = (await event.now()).pairings
    assert await ends_of(event, (1, 1), WHITE) == (final,)
    await event.correct((1, 1), WHITE, "Black *had* resigned.")
    (ended,) = await event.tick()
    assert ended.game.row.id == final.game
    said = board(IN_ENGLISH, ended)
    assert set(said.pings) == set(final.players), "both hear of it"
    table.clock.advance(seconds=2)
    (corrected_final,) = await event.play_round()
    assert set(corrected_final.players) == {semi.white, other.black}
    assert (corrected_final.round, corrected_final.board) == (2, 2)
    assert corrected_final.game != final.game
    await event.lose(corrected_final, corrected_final.white)
    await event.tick()
    done = await event.now()
    assert done.state is TournamentState.DONE
    assert places(done)[:2] == [corrected_final.black, corrected_final.white]
    (row,) = (
        event
        for event in await table.store.deliveries.all_unsent()
        if event.kind == NEWS and event.data["what"] == "corrected"
    )
    report = Report(tournament=done, mark="corrected-1")
    post = tournament_corrected(IN_ENGLISH, report, done.pairings[0], row.data["called_off"])
    assert post.content.splitlines()[1:] == [
        "> Black \\*had\\* resigned.",
        "Round 2, board 1 is called off. I'm pairing it again.",
    ]


async def test_a_player_who_advances_by_correction_must_be_in_the_server(table: Table) -> None:
    event, final = await a_final(table)
    semi = (await event.now()).pairings[0]
    event.left_server.add(semi.white)
    await event.correct((1, 1), WHITE)
    await event.tick()
    done = await event.now()
    assert done.state is TournamentState.DONE
    assert places(done)[0] in final.players


async def test_a_corrected_winner_is_announced_again(table: Table) -> None:
    event = await Event.begun(table, [ANN, BOB], format=TournamentFormat.ROUND_ROBIN)
    (pairing,) = await event.play_round()
    await event.lose(pairing, pairing.white)
    await event.tick()
    assert (await event.now()).state is TournamentState.DONE

    async def ends() -> list[Delivery]:
        rows = await table.store.deliveries.all_unsent()
        return [row for row in rows if row.kind == NEWS and row.data["what"] == "ended"]

    assert len(await ends()) == 1
    await event.correct(pairing.place, BLACK, "As it was.")
    assert len(await ends()) == 1, "nobody else is first"
    await event.correct(pairing.place, WHITE)
    _, again = await ends()
    assert again.data["round"] > 0
    done = await event.now()
    report = Report(tournament=done, mark="ended-9", standings=standings(done))
    said = tournament_ended(IN_ENGLISH, report, corrected=True).content.splitlines()
    assert said[0] == "**Spring Cup**, after the correction:"
    assert said[1].startswith(f"1\\. <@{pairing.white}>")


@pytest.mark.parametrize("note", ["Why?", "> a\\b *c* _d_ 1. 2) -x", "<@1> `x` [y](z) #1 @all"])
def test_a_note_is_read_again_from_the_question(note: str) -> None:
    assert note_in(f"Set it?\nAnd so on.\n> {escaped(note)}") == note


@pytest.mark.parametrize("counts", [True, False])
async def test_an_organizer_does_not_end_their_own_rated_game(
    table: Table, *, counts: bool
) -> None:
    event = await Event.begun(table, [ANN, BOB], format=TournamentFormat.ROUND_ROBIN, rated=counts)
    (pairing,) = await event.play_round()
    assert pairing.game is not None

    async def correct(by: UserId) -> None:
        agreed = frozenset({pairing.place})
        details = {"place": pairing.place, "result": PairingResult.DRAW, "note": "Agreed"}
        await event.act("correct", by, manages=True, agreed=agreed, **details)

    if counts:
        with pytest.raises(OwnRatedGame):
            await correct(ANN)
        await correct(ORGANISER)
    else:
        await correct(ANN)
    await event.tick()
    ended = await table.game_cache.existing(pairing.game)
    assert ended.outcome == Outcome(EndReason.ABORT)
    await correct(ANN)  # nothing is left to escape from
