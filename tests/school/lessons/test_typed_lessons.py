"""Tests for lessons solved by typing, with the whole bot in this process."""

from collections.abc import AsyncIterator

import pytest

from bot.base.ids import UserId
from bot.people.use_cases.choices import PersonalSettings
from bot.play.store.store import Store
from dvonn import Coordinates, format_move
from dvonn_lessons.primer import CHAPTERS, find
from tests.bot.whole import FirstMoves, WholeBot, whole_bot
from tests.e2e.conftest import choose, message_of


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_lesson_is_solved_by_typing_in_the_readers_notation(bot: WholeBot) -> None:
    ann = bot.ann
    await bot.services.require(PersonalSettings).set_coordinates(
        UserId(ann.id), Coordinates.PERGIOCO
    )
    await bot.say(ann, "teach me", ann.dm)
    view = message_of(await ann.click(ann.dm.messages[-1], "Learn by playing"))
    for number, step in enumerate(CHAPTERS[0].steps[:3], start=1):
        assert view.content.startswith(f"### First game ({number} of ")
        (refused,) = await bot.say(ann, "z9", ann.dm)
        assert refused.startswith("There's no “z9” on this board.")
        right = format_move(step.solutions[0], Coordinates.PERGIOCO)
        (solved,) = await bot.say(ann, right, ann.dm)
        assert f"✓ **{right}**" in solved
        view = message_of(await ann.click(ann.dm.messages[-1], "Next ▶"))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_an_answer_is_typed_after_a_tap_on_a_stack(bot: WholeBot) -> None:
    ann, first = bot.ann, CHAPTERS[0].steps
    await bot.say(ann, "teach me", ann.dm)
    view = message_of(await ann.click(ann.dm.messages[-1], "Learn by playing"))
    for step in first[:4]:
        await bot.say(ann, str(step.solutions[0]), ann.dm)
        view = message_of(await ann.click(ann.dm.messages[-1], "Next ▶"))
    asked = message_of(await ann.click(view, "c5"))
    assert asked.content.endswith("c5 can go to:")
    (solved,) = await bot.say(ann, "c5-c4", ann.dm)
    assert "✓ **c5-c4**" in solved


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_lesson_during_a_game_does_not_ask_for_typed_moves(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with whole_bot(store, monkeypatch, FirstMoves()) as bot:
        ann = bot.ann
        await bot.say(ann, "teach me", ann.dm)
        invited = ann.dm.messages[-1]
        view = message_of(await ann.click(invited, "Learn by playing"))
        assert view.content.endswith("Type your move, or choose below.")
        await bot.say(ann, "play", ann.dm)
        await bot.say(ann, "teach me", ann.dm)
        view = message_of(await ann.click(ann.dm.messages[-1], "Learn by playing"))
        assert "Type your move" not in view.content
        (refused,) = await bot.say(ann, "z9", ann.dm)  # a move of the game
        assert refused.startswith("There's no “z9” on this board.")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_move_that_a_lesson_did_not_ask_for_is_not_praised(bot: WholeBot) -> None:
    ann = bot.ann
    await bot.say(ann, "teach me", ann.dm)
    view = message_of(await ann.click(ann.dm.messages[-1], "Learn by playing"))
    for number, step in enumerate(CHAPTERS[0].steps[:4], start=1):
        assert view.content.startswith(f"### First game ({number} of ")
        if step.stack is not None:  # with a stack other than the one that the step is about
            other = next(move for move in step.position.legal_moves() if move.source != step.stack)
            (answer,) = await bot.say(ann, str(other), ann.dm)
            assert f"✗ **{other}**: That's allowed, but move {step.stack}." in answer
            assert "✓" not in answer
        (solved,) = await bot.say(ann, str(step.solutions[0]), ann.dm)
        assert f"✓ **{step.solutions[0]}**" in solved
        view = message_of(await ann.click(ann.dm.messages[-1], "Next ▶"))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_lesson_by_buttons_offers_only_moves_and_praises_only_those_it_asked_for(
    bot: WholeBot,
) -> None:
    ann, step = bot.ann, find("pair")
    await bot.say(ann, "teach me", ann.dm)
    view = message_of(await ann.click(ann.dm.messages[-1], "Learn by playing"))
    for earlier in CHAPTERS[0].steps[:2]:
        await bot.say(ann, str(earlier.solutions[0]), ann.dm)
        view = message_of(await ann.click(ann.dm.messages[-1], "Next ▶"))
    assert "Move b2." in view.content
    assert {move.source for move in step.choices} == {step.stack}
    wrong = message_of(await ann.click(ann.dm.messages[-1], "b2-c2"))
    assert "✗ **b2-c2**: b2 is 2 tall" in wrong.content


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_in_direct_messages_lessons_are_in_words_for_who_listens(bot: WholeBot) -> None:
    ann = bot.ann
    await choose(ann, bot.channel, seen=["words"])
    await bot.say(ann, "teach me", ann.dm)
    view = message_of(await ann.click(ann.dm.messages[-1], "Learn by playing"))
    assert "On the board: " in view.content
    (solved,) = await bot.say(ann, str(CHAPTERS[0].steps[0].solutions[0]), ann.dm)
    assert "✓ " in solved
    assert "On the board: " in solved
