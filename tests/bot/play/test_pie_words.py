"""What is said and shown of a pie start, from the challenge to White's first move."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.base.ids import GameId, GuildId, UserId
from bot.base.locales import IN_ENGLISH, Reader
from bot.connection.posts import CONTENT_LIMIT
from bot.play.model.clock import TimeControl
from bot.play.model.courses import record_of
from bot.play.model.events import Aborted, BoardPicked, Resigned, SidePicked, Started, Told
from bot.play.model.game import Choosing, Game, before_start
from bot.play.model.terms import (
    ColourChoice,
    Start,
)
from bot.play.use_cases.update import Update
from bot.play.words.boards import board, board_as_text, look
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.moves import board_aloud
from bot.play.words.pictures import Boards, Picture
from bot.play.words.private_answers import running_games
from dvonn import POINTS, Color, Coordinates, from_diagram
from renderer import Caption, describe
from tests.bot.composition.pseudo import SPOKEN_BY_NOBODY, Pseudo
from tests.bot.composition.test_help import around, help_page
from tests.bot.replayed import ANN, BOB, CID, RULE, A, B, challenge, fresh, labels, step
from tests.games import drawn
from tests.tiers import share_of

SEED = 2001
LARGEST_SEED = 2**32 - 1
NO_COLOUR = "With pie, colours are picked later."


def pie(
    coordinates: Coordinates = Coordinates.STANDARD,
    *,
    seed: int = SEED,
    clock: TimeControl | None = None,
    picks: bool = False,
) -> tuple[Game, Update]:
    """Ann has challenged, Bob accepted."""
    row = replace(fresh(coordinates).row, start=Start.PIE, seed=seed, clock=clock)
    return step(before_start(row), Started(picks=picks), BOB)


def picked(number: int = 2, coordinates: Coordinates = Coordinates.STANDARD) -> tuple[Game, Update]:
    return step(pie(coordinates)[0], BoardPicked(number), ANN)


def test_the_first_board_shows_three_and_says_who_picks_what() -> None:
    post = board(IN_ENGLISH, pie()[1])

    assert post.content == (
        f"{A}, pick a board.\nPick the most even board: {B} then chooses a side."
    )
    assert post.pings == (ANN,)
    assert labels(post) == ["Board 1", "Board 2", "Board 3", "More"]
    assert [button.custom_id for button in post.buttons[:3]] == [
        f"dvonn:board:12:0:pick-{number}" for number in (1, 2, 3)
    ]
    assert isinstance(post.picture, Boards)
    assert post.picture.filename == "dvonn-12-0.png"
    assert post.picture.positions == tuple(map(drawn, (2001, 2002, 2003)))


def test_a_clock_is_told_with_the_first_board() -> None:
    control = TimeControl(bank=timedelta(minutes=15))
    game, update = pie(clock=control)
    at = datetime(2026, 1, 1, 0, 15, tzinfo=UTC)
    post = board(IN_ENGLISH, replace(update, deadline=at))
    assert "\n⏱ Time limit: <t:" in post.content
    assert "15 minutes" in post.content.splitlines()[-1]
    after = board(IN_ENGLISH, step(game, BoardPicked(1), ANN)[1])
    assert "15 minutes" not in after.content


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_board_that_was_picked_is_shown(number: int) -> None:
    game, update = picked(number)
    post = board(IN_ENGLISH, update)

    assert post.content == (
        f"{A} picked board {number}. {B}, pick your colour.\nWhite moves first."
    )
    assert post.pings == (BOB,)
    assert labels(post) == ["White", "Black", "More"]
    assert [button.custom_id for button in post.buttons[:2]] == [
        "dvonn:board:12:1:side-white",
        "dvonn:board:12:1:side-black",
    ]
    assert isinstance(post.picture, Picture)
    assert post.picture.position == game.position == drawn(2000 + number)
    assert post.picture.alt_text == describe(game.position, caption=Caption(choosing=True))
    assert post.picture.caption.choosing


@pytest.mark.parametrize(("side", "white", "black"), [("White", B, A), ("Black", A, B)])
def test_after_the_colours_white_is_to_move(side: str, white: str, black: str) -> None:
    game, update = step(picked()[0], SidePicked(Color[side.upper()]), BOB)
    post = board(IN_ENGLISH, update)

    first, *rest = post.content.splitlines()
    assert first == f"{B} plays {side}. {white}, your turn."
    assert rest[:2] == [f"White: {white}. Black: {black}. Shuffled board.", RULE]
    assert rest[2].startswith("On your turn, press Move or type a move, like ")
    assert post.pings == ((ANN,) if white == A else ())  # Bob has just picked
    assert labels(post) == ["Move", "More"]
    assert game.choosing is None


def test_choices_that_were_not_told_are_told_with_the_next_board() -> None:
    game, update = picked(3)
    game, newest = step(game, SidePicked(Color.WHITE), BOB)
    told: tuple[Told, ...] = (*pie()[1].told, *update.told, *newest.told)
    content = board(IN_ENGLISH, Update(game, told, ())).content
    assert content.startswith(
        f"{B} plays White. {B}, your turn.\nBefore that: {A} picked board 3.\n"
    )


def test_whoever_looks_sees_what_is_to_be_chosen() -> None:
    game = pie()[0]
    post = look(IN_ENGLISH, game)
    assert post.content == f"{A} picks one of three boards, then {B} a colour."
    assert isinstance(post.picture, Boards)
    assert post.pings == ()
    game = picked()[0]
    post = look(IN_ENGLISH, game)
    assert post.content == f"{A} has picked this board, and {B} picks a colour."
    assert isinstance(post.picture, Picture)
    game = step(game, SidePicked(Color.WHITE), BOB)[0]
    words = look(IN_ENGLISH, game).content
    assert words == f"White: {B}. Black: {A}. {B} is to move."
    assert record_of(game).headers["Seed"] == "2002"


def test_whoever_picks_by_a_rematch_is_the_one_who_is_named() -> None:
    game, update = pie(picks=True)
    assert game.to_move == BOB
    assert board(IN_ENGLISH, update).content.startswith(f"{B}, pick a board.")
    assert f"{A} then chooses a side" in board(IN_ENGLISH, update).content
    assert look(IN_ENGLISH, game).content.startswith(f"{B} picks one")


@settings(max_examples=share_of(15))
@given(st.integers(0, LARGEST_SEED), st.sampled_from(Coordinates))
def test_three_boards_fit_a_message_and_an_alternative_text(
    seed: int, coordinates: Coordinates
) -> None:
    game, update = pie(coordinates, seed=seed)
    truth = tuple(drawn(seed + number) for number in range(3))

    post = board(IN_ENGLISH, update)
    assert isinstance(post.picture, Boards)
    assert len(post.picture.alt_text) <= 1_024
    assert post.picture.positions == truth

    text = board_as_text(IN_ENGLISH, game, is_newest=False).content
    assert len(text) < CONTENT_LIMIT, "cut off"
    assert text.startswith("That's an old board. The newest one is further down.\n<@")
    headings, shown = text.split("```\n")[::2], text.split("```\n")[1::2]
    assert headings[0].endswith(f"\n{post.picture.alt_text}\nBoard 1\n"), "words first"
    shown = [part.split("\n```")[0] for part in shown]
    assert len(headings) == len(shown) == 3
    assert tuple(from_diagram(one).stacks for one in shown) == tuple(one.stacks for one in truth)

    lines = board_aloud(IN_ENGLISH, game).content.splitlines()
    assert [line for line in lines if line.startswith("Board")] == [
        f"Board {number}:" for number in (1, 2, 3)
    ]
    assert len(lines) == 1 + 3 * 6, "none is left out"
    rows = [line for line in lines if line.startswith("Row ")]
    assert sum(len(row.split(", ")) for row in rows) == 3 * len(POINTS)
    label = coordinates.label(POINTS[0])
    piece = {"W": "white", "B": "black", "R": "red"}
    for number, position in enumerate(truth):
        said = " ".join(rows[5 * number : 5 * number + 5])
        assert f"{label} {piece[position.stacks[POINTS[0]]]}" in said


@pytest.mark.parametrize("seed", [SEED, 1, 2**30])
def test_in_a_long_language_three_boards_are_still_told_whole(seed: int) -> None:
    game, _ = pie(seed=seed)
    wordy = Reader(SPOKEN_BY_NOBODY, Pseudo())
    text = board_aloud(wordy, game).content
    assert len(text) <= CONTENT_LIMIT
    for point in POINTS:
        assert len(re.findall(rf"\b{point}\b", text)) == 3, point


def test_a_board_that_was_picked_is_read_aloud_alone() -> None:
    post = board_aloud(IN_ENGLISH, picked()[0])
    assert "Board" not in post.content
    assert post.content.count("Row ") == 5
    assert board_as_text(IN_ENGLISH, picked()[0], is_newest=True).content.count("```") == 2


def test_running_games_say_what_is_to_be_chosen() -> None:
    def line(game: Game, asker: UserId) -> str:
        return running_games(IN_ENGLISH, [(game, None)], GuildId(1), asker).content

    assert line(pie()[0], ANN) == f"<#2> vs {B}: your turn to pick a board"
    assert line(pie()[0], BOB) == f"<#2> vs {A}: their turn"
    assert line(picked()[0], BOB) == f"<#2> vs {A}: your turn to pick a colour"
    settled = step(picked()[0], SidePicked(Color.WHITE), BOB)[0]
    assert line(settled, BOB) == f"<#2> vs {A}: **your turn**"


@pytest.mark.parametrize("stage", Choosing)
def test_a_game_that_ends_before_all_is_picked_counts_nothing(stage: Choosing) -> None:
    game = pie()[0] if stage is Choosing.BOARD else picked()[0]
    post = board(IN_ENGLISH, step(game, Resigned(), ANN)[1])
    assert post.content == f"{B} wins. {A} resigned."
    assert labels(post)[0] == "Rematch"
    assert not {"Board 1", "White"} & set(labels(post))
    assert isinstance(post.picture, Boards if stage is Choosing.BOARD else Picture)
    aborted = board(IN_ENGLISH, step(game, Aborted(), BOB)[1])
    assert aborted.content == f"{B} ended this game. No result.\n{A}"
    assert labels(aborted) == (["More"] if stage is Choosing.BOARD else ["Replay", "More"])


def test_help_shows_the_boards_and_tells_only_the_one_who_picks() -> None:
    game = pie()[0]
    page = help_page(IN_ENGLISH, "play", replace(around(game), asker=ANN))
    assert isinstance(page.picture, Boards)
    assert page.picture.filename == "dvonn-help-play.png"
    assert f"{A} picks one of three boards, then {B} a colour. That's you!" in (page.content)
    assert "- Press *Board 1*, *Board 2* or *Board 3* under" in page.content
    assert isinstance(help_page(IN_ENGLISH, "movement", around(game)).picture, Picture)
    other = help_page(IN_ENGLISH, "play", replace(around(game), asker=CID))
    assert "Press *Board" not in other.content
    assert len(page.content) <= CONTENT_LIMIT

    game = picked()[0]
    page = help_page(IN_ENGLISH, "play", replace(around(game), asker=BOB))
    assert "- Press *White* or *Black* under the newest board." in page.content
    assert isinstance(page.picture, Picture)
    assert page.picture.position == game.position


AGAIN: dict[str, Any] = {"rematch_of": GameId(1)}


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({}, f"{A} picks the board, {B} picks a colour."),
        ({"opponent": None}, f"{A} picks the board, the other player a colour."),
        (
            {"colour": ColourChoice.BLACK, **AGAIN},
            f"{B} picks the board, {A} picks a colour.",
        ),
        (
            {"colour": ColourChoice.WHITE, **AGAIN},
            f"{A} picks the board, {B} picks a colour.",
        ),
        *(
            ({"colour": colour}, f"{A} picks the board, {B} picks a colour. {NO_COLOUR}")
            for colour in (ColourChoice.WHITE, ColourChoice.BLACK)
        ),
    ],
)
def test_a_challenge_says_who_will_pick_what(terms: dict[str, Any], words: str) -> None:
    lines = challenge_post(IN_ENGLISH, challenge(start=Start.PIE, **terms)).content.splitlines()
    assert lines[1] == f"You'll get three shuffled boards. {words}"
    assert len(lines) == 2
