"""Tests for a fight's numbers."""

import pytest

from dvonn import Color, Phase, Position
from dvonn_lessons.fight import _COUNTS, Fight, Measure, fight_of
from tests.games import positions_of, random_game

ROW = {"a1": "W", "b1": "R", "c1": "B", "d1": "W", "e1": "W"}


@pytest.mark.parametrize(
    ("measure", "numbers"),
    [
        (Measure.MOVERS, (3, 1)),
        (Measure.LINKS, (1, 1)),  # the stacks on a1 and c1
        (Measure.RESERVES, (2, 0)),  # c1 can land on d1, and d1 on c1
    ],
)
def test_each_measure_counts_by_the_rules(measure: Measure, numbers: tuple[int, int]) -> None:
    for turn in Color:
        board = Position.from_stacks(ROW, turn=turn)
        assert tuple(_COUNTS[measure](board, color) for color in Color) == numbers


def test_the_largest_change_between_the_players_is_shown() -> None:
    changes = set[Measure]()
    for seed in range(12):
        game = positions_of(random_game(seed))
        full = next(board for board in game if board.phase is Phase.MOVEMENT)
        after = next(board for board in game[49:] if len(board.stacks) <= 25)
        fights = [
            Fight(
                measure=measure,
                before=(count(full, Color.WHITE), count(full, Color.BLACK)),
                after=(count(after, Color.WHITE), count(after, Color.BLACK)),
            )
            for measure, count in _COUNTS.items()
        ]
        fight = fight_of(game, Color.WHITE)
        assert fight in fights
        assert fight is not None
        assert swing(fight) == max(map(swing, fights))
        black = fight_of(game, Color.BLACK)
        assert black is not None
        assert (black.before, black.after) == (fight.before[::-1], fight.after[::-1])
        changes.add(fight.measure)
    assert len(changes) > 1


def swing(fight: Fight) -> int:
    return abs(fight.after[0] - fight.after[1] - fight.before[0] + fight.before[1])


def test_a_fight_in_progress_has_no_facts() -> None:
    game = positions_of(random_game(3))
    assert fight_of([board for board in game if len(board.stacks) > 25], Color.WHITE) is None
    assert fight_of(game[:30], Color.WHITE) is None
    assert fight_of(game[-3:], Color.WHITE) is None, "it began after the fight"
    assert fight_of(game, Color.WHITE) is not None
