"""Tests for the remarks of the machine's character: when, how often, and who sees them."""

from dataclasses import replace

import pytest

from bot.base.languages import IN_ENGLISH
from bot.connection.posts import Button
from bot.people.use_cases.choices import PersonalSettings
from bot.play.model.game import Game
from bot.play.model.terms import ColorChoice, Start
from bot.play.words.boards import board
from dvonn import parse_move
from dvonn_lessons.remarks import Idea, find_decisive_cut
from renderer import Arrows
from school.companion.hook import Comment, CompanionHook
from school.companion.model import (
    decisive_cut,
    newest_remark,
    positions_of,
    remark_at,
    speaks,
)
from school.companion.words import difference_line, remark_line, why
from tests.bot.play.test_machine_games import MACHINE
from tests.bot.replayed import play
from tests.bot.table import ANN, Table
from tests.dvonn.test_remarks import games as simple_games
from tests.games import random_game
from tests.school.companion.games import against_machine, whole, with_remark


def newest_remark_line(game: Game) -> str:
    found = newest_remark(game)
    assert found is not None
    return remark_line(IN_ENGLISH, game, found.remark)


def test_the_character_reports_events_in_its_own_name() -> None:
    game, _ = with_remark(Idea.GREAT_CUT)
    assert newest_remark_line(game) == "**Lulu**: What a cut! I didn't see that coming."
    game, _ = with_remark(Idea.TOOK_TALLEST)
    assert newest_remark_line(game) == "**Lulu**: There goes my tallest stack. Well played!"
    game, _ = with_remark(Idea.CUT_OWN)
    found = newest_remark(game)
    assert found is not None
    assert newest_remark_line(game).startswith(
        f"**Lulu**: Ouch, {found.remark.move} cut off your own "
    )
    assert all(str(point) in newest_remark_line(game) for point in found.remark.points)
    game, _ = with_remark(Idea.LET_CUT)
    found = newest_remark(game)
    assert found is not None
    assert (
        newest_remark_line(game)
        == f"**Lulu**: After {found.remark.better} I couldn't have cut you off."
    )


@pytest.mark.parametrize(("level", "tells"), [(6, True), (7, False)])
def test_costly_moves_are_commented_only_on_the_first_levels(level: int, *, tells: bool) -> None:
    game, _ = with_remark(Idea.CUT_OWN)
    strong = replace(game, row=replace(game.row, level=level))
    assert (newest_remark(strong) is not None) is tells
    game, _ = with_remark(Idea.GREAT_CUT)
    strong = replace(game, row=replace(game.row, level=level))
    assert newest_remark(strong) is not None, "praise is told on all"


@pytest.mark.parametrize("changed", [{"rated": True}, {"machine": None}, {"level": None}])
def test_it_is_silent_in_rated_games_and_between_people(changed: dict[str, object]) -> None:
    game, _ = with_remark(Idea.GREAT_CUT)
    silent = replace(game, row=replace(game.row, **changed))  # type: ignore[arg-type]
    assert not speaks(silent)
    assert newest_remark(silent) is None
    assert decisive_cut(silent) is None


def test_the_character_speaks_at_most_three_times_without_repetition() -> None:
    most = 0
    for seed, (_, line) in enumerate(simple_games()):
        game, said = against_machine(random_game(seed)[:49]), list[Idea]()
        for move in line[:-1]:
            game, _ = play(game, str(move))
            if game.is_running and (found := newest_remark(game)) is not None:
                said.append(found.remark.idea)
        assert len(set(said)) == len(said) <= 3
        most = max(most, len(said))
    assert most == 3


def test_the_first_turn_on_a_given_board_can_have_a_remark() -> None:
    game, _ = with_remark(Idea.GREAT_CUT)
    *_, before, _, _ = positions_of(game)
    begun = replace(game, base=before, settled=len(game.line) - 2)
    assert newest_remark(begun) == newest_remark(game)


def test_the_board_has_the_sentence_and_an_additional_button() -> None:
    game, update = with_remark(Idea.LET_CUT)
    found = newest_remark(game)
    assert found is not None
    plain = board(IN_ENGLISH, update)
    post = board(IN_ENGLISH, replace(update, additions=(Comment(remark=found),)))
    assert newest_remark_line(game) in post.content.splitlines()
    above = [button for button in plain.buttons if button.row is None]
    stacks = plain.buttons[len(above) :]
    assert stacks
    assert post.buttons == (*above, Button("Why?", f"dvonn:why:12:{found.plies}"), *stacks)


def test_why_shows_the_board_before_the_move_with_one_arrow() -> None:
    game, _ = with_remark(Idea.LET_CUT)
    found = newest_remark(game)
    assert found is not None
    assert remark_at(game, found.plies) == found
    before = positions_of(game)[found.plies]
    post = why(IN_ENGLISH, game, found, before)
    picture = post.picture
    assert picture is not None
    assert getattr(picture, "position", None) == before
    assert getattr(picture, "marks", None) == Arrows(better=found.remark.better)
    said = f"You played {found.remark.move}, and {found.remark.reply} cut off your "
    assert post.content.splitlines()[1].startswith(said)
    assert "%" not in post.content
    assert remark_at(game, found.plies + 1) is None, "that one was the machine's"
    assert remark_at(game, 999) is None


def test_the_end_says_which_cut_made_the_difference() -> None:
    said = []
    for seed, (boards, line) in enumerate(simple_games()):
        game = whole(seed)
        found = decisive_cut(game)
        cut = find_decisive_cut(boards, line)
        assert (found is None) == (cut is None)
        if found is not None and cut is not None:
            assert (found.move, found.pieces) == (cut.move, cut.pieces)
            said.append(difference_line(IN_ENGLISH, game, found))
    yours = [line for line in said if line.startswith("Your ")]
    assert 0 < len(yours) < len(said)
    assert all(line.endswith(" pieces.") for line in said)


async def test_the_board_of_the_machines_reply_speaks_unless_its_player_has_switched_it_off(
    table: Table,
) -> None:
    game, _ = with_remark(Idea.GREAT_CUT)
    moves = [str(ply.move) for ply in game.line]
    for is_on in (True, False):
        await table.of(PersonalSettings).switch(ANN, companion=is_on)
        begun = await table.challenge(
            MACHINE, level=3, colour=ColorChoice.WHITE, start=Start.PLACEMENT
        )
        running = (await table.accept(begun, ANN)).game
        update = None
        for move in moves:
            if running.waits_for_machine:
                update = await table.games.play_by_machine(
                    running.row.id, running.row.revision, parse_move(move)
                )
            else:
                update = await table.play(ANN, move)
            assert update is not None
            running = update.game
        assert update is not None
        comments = [addition for addition in update.additions if isinstance(addition, Comment)]
        assert len(comments) == is_on
        hook = table.of(CompanionHook)
        again = await hook.reload(
            running, update.events, running.row.revision, running.row.revision
        )
        assert (again is not None) is is_on, "another process tells the same"
        await table.leaving.resign(running.row.id, running.row.revision, ANN, source=table.source())
