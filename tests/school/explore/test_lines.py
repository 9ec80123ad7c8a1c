"""Tests for lines in a study."""

from dataclasses import replace

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.connection.posts import OPTION_LIMIT, Post
from bot.play.model.events import Moved
from bot.play.model.terms import Start
from bot.play.words.stack_buttons import by_stack
from bot.replay.model.replays import ReplayCursor, sequence_of, view_at
from dvonn import Move
from school.explore.words.boards import _short, explore, something_better
from tests.bot.replay.test_replays import GAME, began, played
from tests.bot.replayed import ANN, BOB, play, started, step
from tests.school.explore.example_texts import ALONE, of


def test_the_spaces_to_place_on_are_listed_as_they_are_seen() -> None:
    game = play(started(), "d2")[0]
    first, last = (
        explore(
            who, of(view_at(ReplayCursor(game.row.id, 1), sequence_of(game), game)), ALONE
        ).selects[0]
        for who in (IN_ENGLISH, replace(IN_ENGLISH, player=BOB))
    )
    assert (first.options[0].label, last.options[0].label) == ("c5", "i1")


def test_a_repeated_mistake_asks_for_a_better_move() -> None:
    game = played(*GAME[:60])
    seen = view_at(ReplayCursor(game.row.id, 58), sequence_of(game), game)
    asked = explore(
        IN_ENGLISH, of(seen), ALONE, note=something_better(IN_ENGLISH)
    ).content.splitlines()
    assert "Played: 59. " in asked[1]
    assert asked[2] == "Can you find something better?"
    assert asked[2] not in explore(IN_ENGLISH, of(seen), ALONE).content


def test_planning_is_explained_until_there_is_a_plan() -> None:
    game = began(Start.BALANCED)
    course = sequence_of(game)
    line = [game.position.legal_moves()[0]]
    line.append(game.position.play(line[0]).legal_moves()[0])

    def explored(asker: UserId, ply: int, moves: list[Move]) -> Post:
        seen = view_at(ReplayCursor(game.row.id, ply, tuple(moves)), course, game)
        return explore(IN_ENGLISH, of(seen, asker), ALONE)

    told = "To plan ahead, try the next moves here."
    assert told in explored(ANN, 49, []).content
    assert told in explored(BOB, 49, []).content
    assert told in explored(BOB, 49, line[:1]).content
    kept_now = explored(BOB, 49, line)
    assert "Keep this line" in [button.label for button in kept_now.buttons]
    others = [kept_now, explored(UserId(99), 49, [])]
    game, _ = step(game, Moved(line[0]), ANN)
    course = sequence_of(game)
    others.append(explored(BOB, 49, []))  # an earlier board
    assert not any("To plan ahead" in other.content for other in others)


def test_before_a_ready_made_board_nothing_is_taken_back() -> None:
    game = began(Start.BALANCED)
    game, _ = step(game, Moved(game.position.legal_moves()[0]), ANN)
    board = explore(
        IN_ENGLISH, of(view_at(ReplayCursor(game.row.id, 49), sequence_of(game), game)), ALONE
    )
    assert "The board at the start. Played: 1. " in board.content
    assert next(button for button in board.buttons if button.label == "Undo").disabled


def test_a_move_is_chosen_by_the_buttons_of_a_games_board() -> None:
    game = began(Start.BALANCED)
    study = of(view_at(ReplayCursor(game.row.id, 49), sequence_of(game), game))
    assert explore(IN_ENGLISH, study, ALONE).buttons[0].label == "Move"
    stacks = by_stack(game.position)
    picking = explore(IN_ENGLISH, study, ALONE, picking=True)
    assert [button.label for button in picking.buttons] == [*map(str, stacks), "Back"]
    stack, moves = next(iter(stacks.items()))
    chosen = explore(IN_ENGLISH, study, ALONE, picking=True, chosen=stack)
    labels = [button.label.split(" · ")[0] for button in chosen.buttons]
    assert labels == [*(move.target for move in moves), "Back"]
    assert picking.selects == chosen.selects == ()


def test_a_long_comment_is_cut_to_what_a_list_shows() -> None:
    whole, longer = "a" * OPTION_LIMIT, "a" * (OPTION_LIMIT + 1)
    assert _short(whole) == whole
    assert _short(longer) == f"{whole[:-1]}…"
