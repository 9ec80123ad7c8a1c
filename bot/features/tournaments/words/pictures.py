"""The picture of a page of standings."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.base.locales import Reader
from bot.connection.posts import NameOf, Renderable
from bot.play.words.pictures import cut, look_of
from renderer import Look, StandingsTable, describe_standings, standings


@dataclass(frozen=True, slots=True)
class StandingsPage(Renderable):
    """A page of a tournament's standings, to be rendered, and the same in words."""

    table: StandingsTable
    page: int
    look: Look

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        return partial(standings, self.table, self.page, look=self.look)


def standings_picture(
    reader: Reader, filename: str, table: StandingsTable, page: int
) -> StandingsPage:
    """A page of standings as a reader sees it, or is told of it."""
    look = look_of(reader)
    alt_text = describe_standings(table, page, words=look.words)
    return StandingsPage(filename, cut(alt_text), table, page, look)
