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
from bot.play.words.views import line_text, numbered
from dvonn import Color, Coordinates, Estimate, Grade, Motif, Move, PlyReview, Review
from renderer import Caption, Look, describe_chart
from renderer import chart as render_chart


def reviewed_move(reader: Reader, game: Game, one: PlyReview) -> list[str]:
    """Explain what a move gave away, what was better, and why."""
    player, (before, after) = user(game.player(one.color)), chances(reader, one)
    lines = [
        reader.gettext("**{move}** by {player}: {grade}.").format(
            move=numbered(reader, course_of(game), one.ply),
            player=player,
            grade=grade_name(reader, one.grade),
        ),
        reader.gettext("Chance to win: {before} → {after}.").format(before=before, after=after),
        reader.gettext("Lead at the end: {before} → {after}.").format(
            before=lead(reader, one.before), after=lead(reader, one.after)
        ),
    ]
    if one.best:
        better = reader.gettext("Better: {line}")
        lines.append(better.format(line=_line(reader, game, one.ply - 1, one.best)))
    if one.answer:
        answer = reader.gettext("The answer: {line}")
        lines.append(answer.format(line=_line(reader, game, one.ply, one.answer)))
    return lines + [f"- {sentence}" for sentence in reasons(reader, game, one)]


def reasons(reader: Reader, game: Game, one: PlyReview) -> list[str]:
    """Explain why a move was worse: what came upon its player, and what it spared the other."""
    player, opponent = user(game.player(one.color)), user(game.player(one.color.opponent))
    said = [motif_sentence(reader, motif).format(player=player) for motif in one.motifs]
    return said + [_missed(reader, motif).format(player=opponent) for motif in one.missed]


def motif_sentence(reader: Reader, motif: Motif) -> str:  # noqa: PLR0911 - a sentence for each
    """Explain a motif in one sentence about the player who moved."""
    match motif:
        case Motif.CUT_OFF:
            return reader.gettext("After that, {player} loses stacks that are cut off from red.")
        case Motif.RED_CARRIED_OFF:
            return reader.gettext(
                "A red piece is carried away, and {player} loses the stacks it linked."
            )
        case Motif.IMMOBILISED:
            return reader.gettext(
                "After that, {player} can't move and passes while the other goes on."
            )
        case Motif.TEMPO:
            return reader.gettext("After that, {player} runs out of safe moves.")
        case Motif.OVERLOADED:
            return reader.gettext("It leaves {player} with a stack too high to land anywhere.")
        case Motif.SURROUNDED:
            return reader.gettext("It leaves {player} with a surrounded stack that can't move.")
        case Motif.MOBILITY:
            return reader.gettext("After that, {player} has far fewer moves to choose from.")


def _missed(reader: Reader, motif: Motif) -> str:  # noqa: PLR0911 - a sentence for each
    """Describe the better move's gain, in one sentence about the other player."""
    match motif:
        case Motif.CUT_OFF:
            return reader.gettext(
                "After the better move, {player} loses stacks that are cut off from red."
            )
        case Motif.RED_CARRIED_OFF:
            return reader.gettext(
                "After the better move, a red piece is carried away, and {player} loses the stacks "
                "it linked."
            )
        case Motif.IMMOBILISED:
            return reader.gettext(
                "After the better move, {player} can't move and passes while the other goes on."
            )
        case Motif.TEMPO:
            return reader.gettext("After the better move, {player} runs out of safe moves.")
        case Motif.OVERLOADED:
            return reader.gettext(
                "The better move leaves {player} with a stack too high to land anywhere."
            )
        case Motif.SURROUNDED:
            return reader.gettext(
                "The better move leaves {player} with a surrounded stack that can't move."
            )
        case Motif.MOBILITY:
            return reader.gettext(
                "After the better move, {player} has far fewer moves to choose from."
            )


def grade_name(reader: Reader, grade: Grade) -> str:
    match grade:
        case Grade.INACCURACY:
            return reader.gettext("an inaccuracy")
        case Grade.MISTAKE:
            return reader.gettext("a mistake")
        case _:
            return reader.gettext("a blunder")


def _line(reader: Reader, game: Game, ply: int, moves: Sequence[Move]) -> str:
    """Return the line that could have followed so many moves: "63. c4-c2 b3-c3"."""
    return line_text(reader, course_of(game).cut(ply, moves), ply)


def chances(reader: Reader, one: PlyReview) -> tuple[str, str]:
    """Return the chances of the player who moved, before and after."""
    return percent(reader, one.before, one.color), percent(reader, one.after, one.color)


def percent(reader: Reader, estimate: Estimate, color: Color) -> str:
    """Return a side's chance to win; sure only where it is proven."""
    return percent_text(reader, estimate.percent_for(color))


def lead(reader: Reader, estimate: Estimate) -> str:
    """Return the lead at the end: about the middle of its range, unless it is exact."""
    low, high = (round(one) for one in estimate.margin)
    margin, exact = round(sum(estimate.margin) / 2), low == high
    if margin == 0:
        return reader.gettext("nobody") if exact else reader.gettext("about even")
    if margin > 0:
        sentence = (
            reader.gettext("White by {margin}")
            if exact
            else reader.gettext("White by about {margin}")
        )
    else:
        sentence = (
            reader.gettext("Black by {margin}")
            if exact
            else reader.gettext("Black by about {margin}")
        )
    return sentence.format(margin=abs(margin))


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
        return reader.gettext("**Reviews**: your games are reviewed when they are over.")
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
