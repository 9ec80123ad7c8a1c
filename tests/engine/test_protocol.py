"""Tests for CodeCup's protocol: what the player reads and writes, and when."""

import io
import random

import pytest

from dvonn import Color, Move, Phase, Position, parse_move
from dvonn.engine.codecup_text import move_text, state_text
from dvonn.engine.protocol import GameTime, MoveTime, Player, Table, Timing
from tests.games import random_game


class Scripted:
    """Plays the moves of a game for either side, and records the questions."""

    def __init__(self, moves: list[Move]) -> None:
        self.moves = moves
        self.asked: list[tuple[int, float | None]] = []

    def choose(self, position: Position, seconds: float | None) -> Move:
        self.asked.append((position.plies, seconds))
        return self.moves[position.plies]


class Ticking:
    """A clock that advances by a second at each reading."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 1
        return self.now_s


def at_table(
    player: Player, lines: list[str], *, timing: Timing | None = None, start: Position | None = None
) -> tuple[list[str], list[str]]:
    """Return a player's output and errors after these lines."""
    out, errors = io.StringIO(), io.StringIO()
    text = io.StringIO("".join(f"{line}\n" for line in lines))
    Table(
        player,
        timing or MoveTime(None),
        lines=text,
        out=out,
        errors=errors,
        position=start,
        now=Ticking(),
    ).play()
    return out.getvalue().splitlines(), errors.getvalue().splitlines()


def scripts(moves: list[Move]) -> dict[Color, list[str]]:
    """Return the complete output of each side in a game, passes included."""
    said: dict[Color, list[str]] = {Color.WHITE: [], Color.BLACK: []}
    position = Position.initial()
    for move in moves:
        assert position.turn is not None
        said[position.turn].append(move_text(move))
        position = position.play(move)
        for color in position.passed:
            said[color].append("PASS")
    return said


def games_with_passes() -> list[list[Move]]:
    games = [random_game(seed) for seed in range(40)]
    return [moves for moves in games if "PASS" in scripts(moves)[Color.WHITE]][:3] + [
        moves for moves in games if "PASS" in scripts(moves)[Color.BLACK]
    ][:3]


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("moves", games_with_passes(), ids=range(6))
def test_whole_games_on_both_sides(moves: list[Move], color: Color) -> None:
    said = scripts(moves)
    opening = ["Start"] if color is Color.WHITE else []
    out, errors = at_table(Scripted(moves), [*opening, *said[color.opponent], "Quit"])
    assert out == said[color]
    assert errors == []


def test_white_places_last_and_moves_without_reading_between() -> None:
    moves = random_game(1)
    black = [move_text(move) for move in moves[1:48:2]]
    out, _ = at_table(Scripted(moves), ["Start", *black])
    assert out == [move_text(move) for move in [*moves[0:49:2], moves[49]]]


def test_an_illegal_line_is_reported_and_the_next_one_is_read() -> None:
    moves = random_game(2)
    said = scripts(moves)
    place = move_text(moves[0])
    noise = ["nonsense", "", "Z9", "A1B2", "PASS", place, "Start", "A1 A2", "\0"]
    black = said[Color.BLACK]
    out, errors = at_table(Scripted(moves), ["Start", *noise, *black, "A1", "Quit"])
    assert out == said[Color.WHITE]
    assert errors == [
        "? not a move: not_a_point: 'nonsense'",
        "? not a move: off_board: 'Z9'",
        "? not legal: wrong_phase: 'A1B2'",
        "? not a move: pass: 'PASS'",
        f"? not legal: occupied: {place!r}",
        "? not a move: not_a_point: 'Start'",
        "? not legal: wrong_phase: 'A1 A2'",
        r"? not a move: not_a_point: '\x00'",
        "? the game is over: 'A1'",
    ]


def test_noise_before_the_first_line() -> None:
    moves = random_game(2)
    out, errors = at_table(Scripted(moves), ["Go", "A1B1", "Start"])
    assert out == [move_text(moves[0])]
    assert len(errors) == 2


def test_a_forced_pass_is_announced() -> None:
    moves = next(
        moves
        for moves in (random_game(seed) for seed in range(40))
        if "PASS" in scripts(moves)[Color.BLACK]
    )
    said = scripts(moves)
    black = said[Color.BLACK]
    first = black.index("PASS")
    out, errors = at_table(
        Scripted(moves), ["Start", *black[:first], "A1B1", *black[first:], "Quit"]
    )
    assert out == said[Color.WHITE]
    assert errors == ["? you must pass: 'A1B1'"]


@pytest.mark.parametrize("color", Color)
def test_a_start_in_mid_game(color: Color) -> None:
    moves = random_game(3)
    start = Position.initial()
    for move in moves[:49]:
        start = start.play(move)
    rest = moves[49:]
    # Plies are counted from the start.
    out, _ = at_table(
        Scripted(rest),
        ["Start"] if color is Color.WHITE else [move_text(rest[0])],
        start=Position.from_stacks(start.stacks, turn=Color.WHITE),
    )
    assert out == [move_text(rest[0] if color is Color.WHITE else rest[1])]
    assert state_text(start).startswith("C")


def test_quit_and_the_end_of_input_end_it() -> None:
    assert at_table(Scripted([]), []) == ([], [])
    assert at_table(Scripted([]), ["Quit", "Start"]) == ([], [])


def test_a_forced_move_is_not_thought_about() -> None:
    start = Position.from_stacks({"a1": "W", "b1": "WRB"}, turn=Color.WHITE)
    player = Scripted([])
    out, _ = at_table(player, ["Start"], start=start)
    assert out == ["A1B1"]
    assert player.asked == []


def test_each_move_gets_its_time() -> None:
    player = Scripted(random_game(4))
    at_table(player, ["Start"], timing=MoveTime(0.25))
    assert player.asked == [(0, 0.25)]


def test_used_time_is_subtracted_from_the_clock() -> None:
    moves = random_game(4)
    player = Scripted(moves)
    timing = GameTime(1000)
    at_table(player, ["Start", *scripts(moves)[Color.BLACK]], timing=timing)
    shares = [seconds for plies, seconds in player.asked if plies >= 49 and seconds is not None]
    placements = [seconds for plies, seconds in player.asked if plies < 48]
    assert placements == [1000 * GameTime.PLACEMENT_SHARE] * 24
    # The clock advanced by a second at each of the 25 placements, one of them without thinking.
    assert shares[0] == (1000 - 25) / GameTime.DECISIVE_MOVES


def test_the_remaining_nodes_go_to_decisive_moves_first() -> None:
    start = Position.from_stacks({"a1": "W", "b1": "WRB"}, turn=Color.WHITE)
    timing = GameTime(60.0)
    shares = [timing.share(start) for _ in range(12)]
    assert shares == [60.0 / moves for moves in (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 3, 3)]


@pytest.mark.parametrize("whole_s", [0.5, 5.0, 60.0])
def test_full_use_of_each_share_leaves_some_time(whole_s: float) -> None:
    rng = random.Random(5)
    position = Position.initial()
    timing = GameTime(whole_s)
    used = 0.0
    while position.turn is not None:
        if position.turn is Color.WHITE:
            share = timing.share(position)
            assert share > 0
            timing.spend(share)
            used += share
        position = position.play(rng.choice(position.legal_moves()))
    assert position.phase is Phase.OVER
    assert 0.8 * whole_s < used < whole_s


def test_no_time_left_means_a_share_of_zero() -> None:
    timing = GameTime(1.0)
    timing.spend(2.0)
    start = Position.from_stacks({"a1": "W", "b1": "WRB"}, turn=Color.WHITE)
    assert timing.share(start) == 0.0
    assert start.legal_moves() == (parse_move("a1-b1"),)
