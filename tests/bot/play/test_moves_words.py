"""Tests for texts about legal moves, their consequences, and the board row by row."""

import re
from dataclasses import replace
from functools import cache

import pytest

from bot.base.languages import IN_ENGLISH
from bot.connection.posts import ButtonStyle, Post, as_read
from bot.play.model.game import Game
from bot.play.words.moves import board_aloud, legal_moves, suggestions
from bot.play.words.names import seat_name
from bot.play.words.picker import landings, picker
from bot.play.words.pictures import Picture, picture_name
from dvonn import POINTS, Color, Coordinates, Move, Phase, Point, Position, format_move, parse_move
from renderer import Marks
from tests.bot.replayed import ANN, A, B, play, started
from tests.games import random_game

STANDARD, PERGIOCO = Coordinates.STANDARD, Coordinates.PERGIOCO
SEEDS = range(12)
"""Random games in which every ply is checked."""


def game_of(position: Position, coordinates: Coordinates = STANDARD) -> Game:
    """A running game with a given position."""
    return Game(started(coordinates).row, position, None, position, position)


def names(game: Game, moves: tuple[Move, ...] | None = None) -> list[str]:
    legal = game.position.legal_moves() if moves is None else moves
    return [option.label for option in suggestions(IN_ENGLISH, game, legal)]


@cache
def every_game(coordinates: Coordinates) -> list[Game]:
    """Each turn of some random games."""
    games = []
    for seed in SEEDS:
        game = started(coordinates)
        for move in random_game(seed):
            games.append(game)
            game, _ = play(game, str(move))
    return games


# Black can always move in these corners. The row of a1 depends on the red piece on a2.
CORNER = {"a2": "R", "b3": "B", "c3": "B"}
LINE = {**CORNER, "a1": "W", "b1": "W"}


@pytest.mark.parametrize(
    ("stacks", "move", "does"),
    [
        (LINE, "a1-b1", "costs you 2 · white"),
        (LINE, "b1-a1", "white"),
        ({**LINE, "b2": "W"}, "b2-a2", "red"),
        ({**LINE, "a2": "RB", "b2": "W"}, "b2-a2", "black (2 tall, 1 red)"),
        ({**LINE, "a2": "RRB", "b2": "W"}, "b2-a2", "black (3 tall, 2 red)"),
        ({**LINE, "c1": "BB"}, "b1-a1", "cuts off 2 · white"),
        ({**LINE, "c1": "W"}, "b1-a1", "costs you 1 · white"),
        ({**LINE, "c1": "WW"}, "c1-a1", "white"),
        ({**LINE, "c1": "BB"}, "b1-c1", "costs you 3 · black (2 tall)"),
        ({**LINE, "c1": "BB", "d1": "BBW"}, "b1-a1", "costs you 3 · cuts off 2 · white"),
        ({"a1": "W", "a2": "R", "b2": "B"}, "a1-b2", "ends the game · black"),
        (
            {"a1": "W", "a2": "R", "b1": "B", "b2": "BBBB", "b3": "W"},
            "a1-b1",
            "you move again · black",
        ),
    ],
)
def test_a_suggestion_describes_the_move(stacks: dict[str, str], move: str, does: str) -> None:
    game = game_of(Position.from_stacks(stacks, turn=Color.WHITE))
    (option,) = suggestions(IN_ENGLISH, game, (parse_move(move),))
    assert (option.label, option.value) == (f"{move} · {does}", move)


def test_placements_are_plain_but_for_the_red_ones() -> None:
    game = started()
    assert names(game)[:2] == ["a1 · places a red", "b1 · places a red"]
    game, _ = play(game, "a1", "b1", "c1")
    assert names(game)[:2] == ["d1", "e1"]


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_every_suggestion_fits_and_is_a_legal_move(coordinates: Coordinates) -> None:
    said = set()
    for game in every_game(coordinates):
        legal = game.position.legal_moves()
        options = suggestions(IN_ENGLISH, game, legal)
        assert [parse_move(option.value, coordinates) for option in options] == list(legal)
        for option in options:
            assert 1 <= len(option.label) <= 100
            assert option.label.split(" · ")[0] == option.value
            said.add(option.label.split(" · ")[1] if " · " in option.label else "")
    # Otherwise the games did not show enough.
    assert {"red", "white", "cuts off 1", "costs you 1"} <= said


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_the_list_names_every_legal_move_at_every_turn(coordinates: Coordinates) -> None:
    for game in every_game(coordinates):
        content = legal_moves(IN_ENGLISH, game).content
        assert len(content) <= 2_000
        header, *lines = content.splitlines()
        listed = []
        for line in lines:
            left, _, right = line.partition(": ")
            source = "" if left.startswith("Row ") else left.split(" ")[0] + "-"
            targets = right.split(", ")
            listed += [source + target.split(" ")[0] for target in targets]
        legal = [format_move(move, coordinates) for move in game.position.legal_moves()]
        assert sorted(listed) == sorted(legal)
        count = len(lines) if "-" in legal[0] else len(legal)
        assert f" {count} " in header


def test_free_spaces_are_listed_by_row() -> None:
    game, _ = play(started(), *(str(move) for move in random_game(2)[:46]))
    spaces = [move.target for move in game.position.legal_moves()]
    lines = legal_moves(IN_ENGLISH, game).content.splitlines()
    assert lines[0] == "Where does your piece go? 3 spaces are free:"
    assert sum(line.count(point) for line in lines[1:] for point in spaces) == 3
    game, _ = play(started(), "a1", "b1")
    assert legal_moves(IN_ENGLISH, game).content.splitlines()[0] == (
        "Where does the red piece go? 47 spaces are free:"
    )


def test_movements_are_listed_by_stack() -> None:
    stacks = {**LINE, "b2": "BRW", "c1": "B", "d1": "BBW", "e2": "R"}
    game = game_of(Position.from_stacks(stacks, turn=Color.WHITE))
    assert legal_moves(IN_ENGLISH, game).content.splitlines() == [
        "You're White. 4 stacks can move:",
        "a1: b1, a2, b2",
        "b1: a1, c1, b2",
        "d1 (3 tall): a1",
        "b2 (3 tall, 1 red): e2",
    ]


def test_the_list_names_cut_off_stacks() -> None:
    game = game_of(Position.from_stacks({**LINE, "c1": "BB"}, turn=Color.WHITE), PERGIOCO)
    assert legal_moves(IN_ENGLISH, game).content.splitlines() == [
        "You're White. 2 stacks can move:",
        "e1: e2 [costs you 2 · cuts off 2], d1 [costs you 1 · cuts off 2]",
        "e2: e1 [cuts off 2], e3 [costs you 3]",
    ]


def test_the_board_aloud_goes_row_by_row() -> None:
    stacks = {"a2": "R", "b2": "RBW", "a1": "W", "b1": "W", "c1": "BB", "d1": "WBW"}
    position = Position.from_stacks(stacks, turn=Color.BLACK)
    assert board_aloud(IN_ENGLISH, game_of(position)).content.splitlines() == [
        f"{B} to move. Move 1. White: {A}. Black: {B}. Can move: c1. Pieces: {A} 8, {B} 2.",
        "Row 5: empty.",
        "Row 4: empty.",
        "Row 3: empty.",
        "Row 2: a2 red, b2 white (3 tall, 1 red).",
        "Row 1: a1 white, b1 white, c1 black (2 tall), d1 white (3 tall).",
    ]


def test_the_board_in_words_has_the_placement() -> None:
    game, _ = play(started(PERGIOCO), "b2", "b3")
    assert board_aloud(IN_ENGLISH, game, ANN).content.splitlines() == [
        f"Last move c2. Your turn to place a red piece. Placement 3 of 49. White: you. Black: {B}.",
        "Row a: empty.",
        "Row b: empty.",
        "Row c: c2 red.",
        "Row d: d2 red.",
        "Row e: empty.",
    ]


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_the_board_in_words_has_everything_at_every_turn(coordinates: Coordinates) -> None:
    heard = set()
    for game in every_game(coordinates):
        position = game.position
        post = board_aloud(IN_ENGLISH, game)
        assert post.picture is None
        assert len(post.content) <= 2_000
        told, *rest = post.content.splitlines()
        rows = "\n".join(rest)
        for point, pieces in position.stacks.items():
            owner = {"R": "red", "W": "white", "B": "black"}[pieces[-1]]
            assert f"{coordinates.label(point)} {owner}" in rows
        inside = len(re.findall(r"tall, \d red\)", rows))
        assert len(re.findall("white|black| red", rows)) == len(position.stacks) + inside
        for point in position.removed:
            assert coordinates.label(point) in told.partition("Left the board: ")[2]
        for color in position.passed:
            assert f"{seat_name(game, color)} had to pass." in told
            heard.add(color)
        colors = ("White", "Black")
        assert not [word for word in colors if f"{word} " in told], "people have names"
    assert heard == set(Color)


def test_an_ended_game_has_a_board_too() -> None:
    game, _ = play(started(), *(str(move) for move in random_game(4)))
    assert not game.is_running
    assert "to move" not in board_aloud(IN_ENGLISH, game).content


# The picker


def picture_of(post: Post) -> Picture:
    assert isinstance(post.picture, Picture)
    return post.picture


def test_the_first_step_shows_the_stacks_that_can_move() -> None:
    stacks = {**LINE, "b2": "BRW", "c1": "B", "d1": "BBW", "e2": "R"}
    game = game_of(Position.from_stacks(stacks, turn=Color.WHITE))
    post = picker(IN_ENGLISH, game)
    assert post.content == "Which stack?"
    assert picture_of(post).marks == Marks(landings=tuple(map(Point, ("a1", "b1", "d1", "b2"))))
    assert [button.label for button in post.buttons] == ["a1", "b1", "d1", "b2"]
    assert post.selects == ()


def test_each_stack_has_a_button_however_many_there_are() -> None:
    reds, edge = {"c3", "d3", "e3"}, {f"{column}{row}" for column in "abcdefghijk" for row in "15"}
    edge |= {"a2", "j2", "a3", "k3", "b4"}
    colours = {str(point): "W" if str(point) in edge else "B" for point in POINTS}
    game = game_of(Position.from_stacks(colours | dict.fromkeys(reds, "R"), turn=Color.WHITE))
    post = picker(IN_ENGLISH, game)
    assert post.selects == ()
    assert len(post.buttons) == len({m.source for m in game.position.legal_moves()}) == 23
    assert len(picker(IN_ENGLISH, game, on_board=True).buttons) == 24, "and a way back"
    chosen = landings(IN_ENGLISH, game, Point("a1"))
    assert [button.label for button in chosen.buttons] == [
        "b1 · white",
        "a2 · white",
        "b2 · black",
        "Back",
    ]
    assert chosen.selects == ()


def test_on_the_board_itself_a_way_leads_back_to_it() -> None:
    game, _ = play(started(), "a1", "b1")
    moving = game_of(Position.from_stacks({**LINE, "c1": "B"}, turn=Color.WHITE))
    for item in (game, moving):
        post = picker(IN_ENGLISH, item, on_board=True)
        assert post.buttons[-1].custom_id.endswith(f":{item.row.revision}:board")
        assert picture_of(post).filename == picture_name(item.row.id, item.row.revision)


def test_the_first_step_of_placing_shows_the_free_spaces() -> None:
    game, _ = play(started(), "a1", "b1")
    post = picker(IN_ENGLISH, game)
    assert post.content == "Where does the red piece go?"
    assert picture_of(post).marks == Marks()  # neither the last move nor fifty circles
    offered = {option.value for select in post.selects for option in select.options}
    assert offered == {str(move) for move in game.position.legal_moves()}


def test_a_landing_says_whose_stacks_it_cuts_off() -> None:
    stacks = {**LINE, "c1": "BB"}
    game = game_of(Position.from_stacks(stacks, turn=Color.WHITE))
    from_a1 = landings(IN_ENGLISH, game, Point("a1"))
    from_b1 = landings(IN_ENGLISH, game, Point("b1"))
    shown = [(button.label, button.style) for button in (*from_a1.buttons, *from_b1.buttons)]
    assert shown == [
        ("b1 · costs you 2 · cuts off 2", ButtonStyle.DANGER),
        ("a2 · costs you 1 · cuts off 2", ButtonStyle.DANGER),
        ("Back", ButtonStyle.SECONDARY),
        ("a1 · cuts off 2", ButtonStyle.PRIMARY),
        ("c1 · costs you 3", ButtonStyle.DANGER),
        ("Back", ButtonStyle.SECONDARY),
    ]
    assert from_a1.content == "a1 can go to:"


def test_a_landing_without_a_cut_names_its_stack() -> None:
    stacks = {**CORNER, "a1": "W", "b2": "WW"}
    game = game_of(Position.from_stacks(stacks, turn=Color.WHITE))
    post = landings(IN_ENGLISH, game, Point("a1"))
    assert post.content == "a1 can go to:"
    assert [button.label for button in post.buttons] == ["a2 · red", "b2 · white (2 tall)", "Back"]


def test_listeners_do_not_hear_the_board_again_while_they_choose_a_move() -> None:
    listener = replace(IN_ENGLISH, uses_screen_reader=True)
    game = next(game for game in every_game(STANDARD) if game.position.phase is Phase.MOVEMENT)
    stack = game.position.legal_moves()[0].source
    assert stack is not None
    post = landings(listener, game, stack)
    assert post.picture is not None
    assert "On the board: " in post.picture.alt_text
    assert as_read(listener, post).content == f"{stack} can go to:"
