"""A movement that a player previews before playing it."""

from dataclasses import dataclass

from bot.play.model.game import Game
from dvonn import Move
from dvonn_lessons.move_effects import MoveEffects


@dataclass(frozen=True, slots=True)
class Preview:
    """A movement that has not been played yet."""

    game: Game
    does: MoveEffects

    @property
    def move(self) -> Move:
        return self.does.move
