"""Games against the machine in which its character makes remarks."""

from collections.abc import Sequence
from dataclasses import replace

from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game
from dvonn import Move
from dvonn.machine import VERSION
from dvonn_lessons.remarks import Idea
from school.companion.model import newest_remark
from tests.bot.replayed import BOB, play, started
from tests.dvonn.test_remarks import games as simple_games
from tests.games import random_game

LEVEL = 3


def against_machine(placed: Sequence[Move], *, level: int = LEVEL) -> Game:
    """Return Ann's game as White against the machine, after these plies."""
    game = started()
    game = replace(game, row=replace(game.row, machine=BOB, level=level, engine=VERSION))
    return play(game, *map(str, placed))[0]


def with_remark(idea: Idea, *, level: int = LEVEL) -> tuple[Game, GameUpdate]:
    """Return a game whose last reply by the machine causes its first remark with this idea."""
    for seed, (boards, line) in enumerate(simple_games()):
        game = against_machine(random_game(seed)[:49], level=level)
        update = None
        for move in line[: len(boards) - 2]:
            game, (update,) = play(game, str(move))
            found = newest_remark(game)
            if found is not None and found.remark.idea is idea:
                return game, update
    raise LookupError(idea)


def whole(seed: int, *, level: int = LEVEL) -> Game:
    """Return a game played to the end by simple players."""
    _, line = simple_games()[seed]
    return play(against_machine(random_game(seed)[:49], level=level), *map(str, line))[0]
