"""Tests for all lessons: by taps in a server, and by typing in direct messages."""

import re
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from dvonn import Coordinates, Move, format_move, parse_move
from dvonn_lessons.primer import CHAPTERS, STEPS, PrimerStep
from sandbox import Message
from tests.e2e.conftest import Club, choose, message_of

FIRST = CHAPTERS[0].steps


@pytest.fixture
def club(machine_club: Club) -> Club:
    return machine_club


def answers(said: Message) -> Callable[[Message], bool]:
    return lambda one: one.reference is not None and one.reference.message_id == said.id


def labels(message: Message) -> list[str | None]:
    return [button.label for button in message.buttons]


async def tap(club: Club, view: Message, move: Move) -> None:
    """Choose a stack and its target, or a space, with buttons."""
    if move.source is not None and str(move) in labels(view):
        await club.ann.click(view, str(move))
    elif move.source is not None:
        assert view.selects == []
        await club.ann.click(view, move.source)
        await club.ann.click(view, move.target)
    elif view.selects:
        await club.ann.select(view, [move.target])
    else:
        await club.ann.click(view, move.target)


async def solve_by_taps(club: Club, view: Message, step: PrimerStep) -> None:
    """Choose the first correct move that the view offers."""
    right = next(move for move in step.choices or step.solutions if step.answer(move).right)
    await tap(club, view, right)
    assert f"✓ **{right}**" in view.content


@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_the_first_game_by_taps_through_a_restart_to_a_game_on_level_1(club: Club) -> None:
    opened = await club.ann.slash(club.channel, "learn")
    assert opened.ephemeral
    view = message_of(opened)
    for number, step in enumerate(FIRST, start=1):
        assert view.content.startswith(f"### First game ({number} of {len(FIRST)})\n")
        assert view.attachments[0].filename.startswith(f"learn-{step.name}-")
        if step.name == "single":
            before = labels(view)
            await tap(club, view, parse_move("d5-e5"))
            assert labels(view) == before, "all buttons keep their places"
            assert "✗ **d5-e5**: There's nothing on e5 to land on." in view.content
            on = message_of(await club.ann.slash(club.channel, "learn"))
            assert on.content.startswith(f"### First game ({number} of "), "it isn't solved by that"
            await club.ann.click(view, "Hint")
            assert view.content.endswith("💡 Try d5-d4.")
        if step.name == "cut":
            await club.bot.restart()
            again = message_of(await club.ann.slash(club.channel, "learn"))
            assert again.content.startswith("### First game (7 of 10)\n"), "progress is kept"
        await solve_by_taps(club, view, step)
        if step is not FIRST[-1]:
            await club.ann.click(view, "Next ▶")
    assert labels(view) == ["The melee ▶", "Play Pip (level 1)", "Chapters"]
    await club.ann.click(view, "Chapters")
    assert "✓ **First game** 10/10\n○ **The melee** 0/4" in view.content
    assert club.channel.messages == [], "nobody else has seen any of it"
    begun = message_of(await club.ann.click(view, "Play Pip (level 1)"))
    assert "Level 1" in begun.content


@pytest.mark.later("each lesson once more; a chapter is typed in test_by_text")
async def test_all_lessons_by_typing_in_direct_messages_with_other_names(club: Club) -> None:
    await choose(club.bob, club.channel, coordinates=["pergioco"])
    said = await club.bob.say(club.bob.dm, "teach me")
    word = await club.bob.dm.wait_for(lambda one: bool(one.buttons))
    assert word.reference is not None
    assert word.reference.message_id == said.id
    view = message_of(await club.bob.click(word, "Learn by playing"))
    for step in STEPS:
        right = format_move(step.solutions[0], Coordinates.PERGIOCO)
        if step.name == "pair":
            typed = await club.bob.say(club.bob.dm, "d2-d3")
            refused = await club.bob.dm.wait_for(answers(typed))
            assert refused.content.startswith("d2 is 2 tall, so it moves 2 spaces. d3 is 1 away.")
        if step.name == "link":  # by the form, which servers offer as well
            form = await club.bob.click(view, "Type a move")
            solved = message_of(await club.bob.submit(form.modal, {"move": right}))
        else:
            typed = await club.bob.say(club.bob.dm, right)
            solved = await club.bob.dm.wait_for(answers(typed))
        assert f"✓ **{right}**" in solved.content
        if step is not STEPS[-1]:
            onward = next(label for label in labels(solved) if label and label.endswith("▶"))
            view = message_of(await club.bob.click(solved, onward))
    assert "That was the last lesson. Now play!" in solved.content
    listed = message_of(await club.bob.slash(club.bob.dm, "learn"))
    done = re.findall(r"^✓ \*\*.+\*\* (\d+)/\1$", listed.content, re.MULTILINE)
    assert len(done) == len(CHAPTERS)
