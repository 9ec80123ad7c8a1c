"""The picture of how somebody's rating in puzzles has gone."""

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
    """How somebody's rating has gone, to be rendered, and the same in words."""

    start: float
    steps: tuple[Step, ...]
    look: Look

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        """Return what renders it."""
        return partial(render_progress, self.start, self.steps, look=self.look)


def progress(reader: Reader, filename: str, attempts: Sequence[Attempt]) -> Progress:
    """How somebody's rating has gone by their attempts, at least one, the oldest first."""
    look, start = look_of(reader), attempts[0].before
    steps = tuple(Step(one.after, one.solved) for one in attempts)
    alt_text = describe_progress(start, steps, words=look.words)
    return Progress(filename, cut(alt_text), start, steps, look)
