"""The chart of how a game went, by its review."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.base.locales import Reader
from bot.connection.posts import NameOf, Renderable
from bot.play.model.game import Game
from bot.play.words.pictures import Seats, caption_of, cut, look_of, named, seats
from dvonn import Coordinates, Review
from renderer import Caption, Look, describe_chart
from renderer import chart as render_chart


@dataclass(frozen=True, slots=True)
class Chart(Renderable):
    """The course of a game by its review, to be rendered, and told in words."""

    review: Review
    coordinates: Coordinates
    look: Look
    caption: Caption
    """The counts since the board was full."""
    seats: Seats
    """The seats whose names belong there."""

    def rendering(self, name_of: NameOf) -> Callable[[], bytes]:
        return partial(
            render_chart,
            self.review,
            coordinates=self.coordinates,
            caption=named(self.caption, self.seats, name_of),
            look=self.look,
        )


def chart(reader: Reader, filename: str, game: Game, review: Review) -> Chart:
    """Return the course of a game, as a reader sees or hears it; a stack was moved in it."""
    look, caption = look_of(reader), caption_of(game)
    coordinates = reader.naming(game.row.coordinates)
    alt_text = describe_chart(review, coordinates=coordinates, caption=caption, words=look.words)
    return Chart(filename, cut(alt_text), review, coordinates, look, caption, seats(game))
