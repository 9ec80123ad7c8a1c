"""The picture of the course of a player's rating in puzzles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bot.base.locales import Reader
from bot.connection.posts import NameOf, Renderable
from bot.features.puzzles.model.solving import Attempt
from bot.play.words.pictures import cut, look_of
from renderer import Look, Step, describe_progress
from renderer import progress as render_progress


@dataclass(frozen=True, slots=True)
class Progress(Renderable):
    """The course of a player's rating, to be rendered, and told in words."""

    start: float
    steps: tuple[Step, ...]
    look: Look

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        return partial(render_progress, self.start, self.steps, look=self.look)


def progress(reader: Reader, filename: str, attempts: Sequence[Attempt]) -> Progress:
    """Return the course of a rating by attempts, at least one, the oldest first."""
    look, start = look_of(reader), attempts[0].before
    steps = tuple(Step(one.after, one.solved) for one in attempts)
    alt_text = describe_progress(start, steps, words=look.words)
    return Progress(filename, cut(alt_text), start, steps, look)
