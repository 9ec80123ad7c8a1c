"""A movement that a player looks at before they play it."""

from dataclasses import dataclass

from bot.play.model.game import Game
from dvonn import Move
from dvonn.move_effects import MoveEffects


@dataclass(frozen=True, slots=True)
class Preview:
    """A movement before it is played."""

    game: Game
    does: MoveEffects

    @property
    def move(self) -> Move:
        return self.does.move
