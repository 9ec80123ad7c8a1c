"""The review of a move: what it gave away, what was better, and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.base.formats import percent_text
from bot.base.locales import Reader
from bot.connection.posts import NameOf, Renderable, user
from bot.features.reviews.model import REVIEWED
from bot.play.model.courses import course_of
from bot.play.model.game import Game
from bot.play.use_cases.preferences import Switch
from bot.play.words.pictures import Seats, caption_of, cut, look_of, named, seats
from bot.play.words.views import moves_text, numbered
from dvonn import Color, Coordinates, Estimate, Motif, PlyReview, Review
from renderer import Caption, Look, describe_chart
from renderer import chart as render_chart


def reviewed_move(reader: Reader, game: Game, one: PlyReview) -> list[str]:
    """Explain what a move gave away, what was better, and why."""
    cost = round(abs(sum(one.before.margin) - sum(one.after.margin)) / 2)
    sentence = reader.ngettext(
        "That cost about {count} piece.", "That cost about {count} pieces.", cost
    )
    lost = [sentence.format(count=cost)] if cost else []
    explained = reasons(reader, game, one, game.row.coordinates)
    return [in_short(reader, game, one), *lost, *explained]


def in_short(reader: Reader, game: Game, one: PlyReview) -> str:
    """Tell a move and what it gave away: "63. c4-c2 by Ann: chance to win 71% → 38%."."""
    before, after = chances(reader, one)
    return reader.gettext("**{move}** by {player}: chance to win {before} → {after}.").format(
        move=numbered(reader, course_of(game), one.ply),
        player=user(game.player(one.color)),
        before=before,
        after=after,
    )


def reasons(
    reader: Reader, game: Game, one: PlyReview, coordinates: Coordinates, *, found: bool = False
) -> list[str]:
    """Tell what was better, unless it is found, and the answer, each with what comes of it."""
    played, better, answer = (
        moves_text(reader, moves[:1], coordinates)
        for moves in ((one.played,), one.best, one.answer)
    )
    said = _come_of(reader, game, one.missed, one.color.opponent)
    if better and not found:
        said.insert(0, reader.gettext("Better: {move}.").format(move=better))
    then = _come_of(reader, game, one.motifs, one.color)
    if answer:
        came = reader.gettext("After {move} comes {answer}.")
        then.insert(0, came.format(move=played, answer=answer))
    return [" ".join(line) for line in (said, then) if line]


def _come_of(reader: Reader, game: Game, motifs: Sequence[Motif], color: Color) -> list[str]:
    player = user(game.player(color))
    return [motif_sentence(reader, one).format(player=player) for one in motifs]


def motif_sentence(reader: Reader, motif: Motif) -> str:  # noqa: PLR0911 - a sentence for each
    """Explain a motif in one sentence about the player who moved."""
    match motif:
        case Motif.CUT_OFF:
            return reader.gettext("Then {player} loses stacks that are cut off.")
        case Motif.RED_CARRIED_OFF:
            return reader.gettext("Then red moves away, and {player} loses the stacks it linked.")
        case Motif.IMMOBILISED:
            return reader.gettext("Then {player} can't move and has to pass.")
        case Motif.TEMPO:
            return reader.gettext("Then {player} runs out of safe moves.")
        case Motif.OVERLOADED:
            return reader.gettext("Then {player} has a stack that's too tall to move.")
        case Motif.SURROUNDED:
            return reader.gettext("Then {player} has a stack that's boxed in.")
        case Motif.MOBILITY:
            return reader.gettext("Then {player} has hardly any moves.")


def chances(reader: Reader, one: PlyReview) -> tuple[str, str]:
    """Return the chances of the player who moved, before and after."""
    return percent(reader, one.before, one.color), percent(reader, one.after, one.color)


def percent(reader: Reader, estimate: Estimate, color: Color) -> str:
    """Return a side's chance to win; sure only where it is proven."""
    return percent_text(reader, estimate.percent_for(color))


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


def _switch_line(reader: Reader, is_on: bool) -> str:
    if is_on:
        return reader.gettext("**Reviews**: I review your games when they're over.")
    return reader.gettext("**Reviews**: off. Your games aren't reviewed.")


REVIEW_SWITCH: Final = Switch(
    of=REVIEWED,
    label=lambda reader: reader.gettext("Review my games"),
    hint=lambda reader: reader.gettext("When they are over"),
    line=_switch_line,
)


def no_review(reader: Reader) -> str:
    """Return what is told where moderators want none."""
    return reader.gettext("Games aren't reviewed.")
