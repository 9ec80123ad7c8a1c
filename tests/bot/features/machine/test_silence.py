"""Tests for a machine that doesn't move for a minute: its player is told once, and can continue."""

import pytest

from bot.base.ids import Revision, UserId
from bot.features.machine.use_cases import SILENCE, MachineSilence
from bot.play.model.events import Aborted
from bot.play.model.game import Game
from bot.play.model.refusals import NotAPlayer, StaleBoard
from bot.play.model.terms import ColorChoice, Start
from dvonn import parse_move
from tests.bot.table import ANN, BOB, Table

MACHINE = UserId(900)


async def begun(table: Table) -> Game:
    """A game in which the machine is to move."""
    challenge = await table.challenge(
        MACHINE, level=3, colour=ColorChoice.BLACK, start=Start.PLACEMENT
    )
    return (await table.accept(challenge, ANN)).game


async def test_silence_starts_after_exactly_a_minute(table: Table) -> None:
    game, silence = await begun(table), table.of(MachineSilence)
    table.clock.advance(seconds=59)
    assert not silence.is_silent(game)
    with pytest.raises(StaleBoard):
        await silence.end_silent_game(game.row.id, Revision(0), ANN, source=table.source())
    table.clock.advance(seconds=1)
    assert silence.is_silent(game)
    with pytest.raises(NotAPlayer):
        await silence.end_silent_game(game.row.id, Revision(0), BOB, source=table.source())
    update = await silence.end_silent_game(game.row.id, Revision(0), ANN, source=table.source())
    (told,) = update.events
    assert (told.event.data, told.event.actor) == (Aborted(), ANN)
    assert not update.game.is_running


async def test_the_notice_is_sent_once_a_turn(table: Table) -> None:
    game, silence = await begun(table), table.of(MachineSilence)
    for _ in range(2):
        table.clock.advance(minutes=1)
        await silence.announce(game)
    unsent = await table.store.deliveries.all_unsent()
    assert [event.revision for event in unsent if event.kind == SILENCE] == [0]


async def test_a_move_after_a_minute_has_ended_a_silence(table: Table) -> None:
    game, silence = await begun(table), table.of(MachineSilence)
    table.clock.advance(minutes=1)
    update = await table.games.play_by_machine(game.row.id, Revision(0), parse_move("a1"))
    assert update is not None
    assert silence.was_silent(update.game)
    assert not silence.is_silent(update.game)


@pytest.mark.parametrize(("seconds", "was_silent"), [(59, False), (60, True)])
async def test_its_answer_ends_a_silence_if_it_took_a_minute(
    table: Table, seconds: int, *, was_silent: bool
) -> None:
    game, silence = await begun(table), table.of(MachineSilence)
    await table.games.play_by_machine(game.row.id, Revision(0), parse_move("a1"))
    table.clock.advance(minutes=2)  # its player may take their time
    update = await table.play(ANN, "b1")
    assert not silence.was_silent(update.game)
    table.clock.advance(seconds=seconds)
    answered = await table.games.play_by_machine(game.row.id, Revision(2), parse_move("c1"))
    assert answered is not None
    assert silence.was_silent(answered.game) is was_silent


@pytest.mark.parametrize(("seconds", "was_silent"), [(59, False), (60, True)])
async def test_ending_the_game_without_the_machine_ends_its_silence(
    table: Table, seconds: int, *, was_silent: bool
) -> None:
    game, silence = await begun(table), table.of(MachineSilence)
    table.clock.advance(seconds=seconds)
    update = await table.leaving.abort(game.row.id, Revision(0), ANN, source=table.source())
    assert silence.was_silent(update.game) is was_silent
