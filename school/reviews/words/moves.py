"""The review of a move: its loss, the better move, and the reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.base.formats import percent_text
from bot.base.languages import Reader
from bot.connection.posts import Button, NameOf, Renderable
from bot.play.model.game import Game
from bot.play.switches import Switch
from bot.play.words.names import seat_name
from bot.play.words.pictures import Picture, Seats, caption_of, cut, look_of, named, picture, seats
from bot.play.words.views import moves_text
from bot.replay.model.replays import course_of
from bot.replay.words.views import numbered
from dvonn import Color, Coordinates, Estimate, Motif, PlyReview, Review
from dvonn.reasons import reasons
from dvonn.review import ProvenReason
from renderer import Caption, Look, describe_chart
from renderer import chart as render_chart
from school.lessons.words.handbook import word_button
from school.reviews.model import REVIEWED

_TOLD_MOVES: Final = 4
"""Maximum number of moves of a line in the text."""
_WORDS: Final = {
    Motif.HANGING: "neutralise",
    Motif.ESCAPED: "neutralise",
    Motif.RETAKEN: "retake",
    Motif.SHARPSHOT: "sharpshooting",
    Motif.TAKEN: "neutralise",
    Motif.CUT_OFF: "cut",
    Motif.LAST_LINK: "chokepoint",
    Motif.RED_CARRIED_OFF: "lifeline",
    Motif.LAST_MOVER: "lastmover",
    Motif.MOBILITY: "mobility",
    Motif.PIECES: "settlement",
    Motif.SELF_STACKING: "selfstacking",
}
"""The word of the handbook for each reason."""


def reviewed_move(reader: Reader, game: Game, one: PlyReview, eyes: Color | None) -> list[str]:
    """Explain a move's loss, the better move, and the reason. `eyes` is the reader's color."""
    fall = sum(one.before.margin) - sum(one.after.margin)
    cost = round((fall if one.color is Color.WHITE else -fall) / 2)
    sentence = reader.ngettext(
        "That cost about {count} piece.", "That cost about {count} pieces.", cost
    )
    reason = _reason(game, one)
    # An estimate, which says nothing new where both lines' ends are told.
    is_told = reason is not None and reason.motif is Motif.PIECES
    lost = [sentence.format(count=cost)] if cost > 0 and not is_told else []
    why = explained(reader, game, one, game.row.coordinates, eyes)
    return [in_short(reader, game, one, eyes), *lost, *why]


def in_short(reader: Reader, game: Game, one: PlyReview, eyes: Color | None) -> str:
    """Return a move with its loss: "63. c4-c2 by Ann: chance to win 71% → 38%."."""
    before, after = chances(reader, one)
    move = numbered(reader, course_of(game), one.ply)
    if eyes is one.color:
        return f"**{move}** · {before} → {after}"
    return reader.gettext("**{move}** by {player}: chance to win {before} → {after}.").format(
        move=move, player=seat_name(game, one.color), before=before, after=after
    )


def explained(
    reader: Reader,
    game: Game,
    one: PlyReview,
    coordinates: Coordinates,
    eyes: Color | None,
    *,
    found: bool = False,
) -> list[str]:
    """Return the better move, unless it was found, and the difference."""
    if not one.best:
        return [someone_plays(reader)]
    why = _reason(game, one)
    better = reader.gettext("Better: {move}.").format(
        move=moves_text(reader, one.best[:1], coordinates)
    )
    told = [] if found else [better]
    if why is None:
        came = reader.gettext("After {move} comes {answer}.")
        played, answer = (
            moves_text(reader, moves[:1], coordinates) for moves in ((one.played,), one.answer)
        )
        return [*told, came.format(move=played, answer=answer)] if answer else told
    players = {
        color: for_you(reader) if color is eyes else seat_name(game, color) for color in Color
    }
    said = reason_text(reader, why, players, coordinates)
    if why.line == one.best[:1] and not found:
        return [reader.gettext("Better: {reason}").format(reason=said)]
    first = why.line[:-1]
    if why.motif in (Motif.MOBILITY, Motif.PIECES) or not first:
        return [*told, said]
    moves = moves_text(reader, first[:_TOLD_MOVES], coordinates)
    moves += " …" if len(first) > _TOLD_MOVES else ""
    after = reader.gettext("After {moves}: {reason}")
    return [*told, after.format(moves=moves, reason=said)]


def someone_plays(reader: Reader) -> str:
    """Return the text in place of a better move that would help in a running game."""
    return reader.gettext(
        "Two people are playing this board right now, so I'll tell you what's better once they've "
        "moved on."
    )


def word_of_reason(reader: Reader, game: Game, one: PlyReview) -> tuple[Button, ...]:
    """Return the way to the handbook's page about the reason of a marked move, if it has one."""
    why = _reason(game, one)
    return () if why is None else (word_button(reader, _WORDS[why.motif]),)


def scene_of_reason(reader: Reader, filename: str, game: Game, one: PlyReview) -> Picture | None:
    """Return the board on which the reason of a marked move is seen, or that after the answer."""
    if not one.best:
        return None
    why = _reason(game, one)
    line = (one.played, *one.answer[:1]) if why is None else why.line
    position = course_of(game).cut(one.ply - 1).positions()[-1].after(*line)
    coordinates = reader.coordinates_or(game.row.coordinates)
    seen = picture(reader, filename, position, coordinates, last=line[-1], seen_in=game)
    return replace(seen, seats=seats(game))


def _reason(game: Game, one: PlyReview) -> ProvenReason | None:
    if not one.best:
        return None
    before = course_of(game).cut(one.ply - 1).positions()[-1]
    return next(iter(reasons(before, one.played, one.answer, one.best)), None)


def reason_text(
    reader: Reader,
    why: ProvenReason,
    players: Mapping[Color, str],
    coordinates: Coordinates = Coordinates.STANDARD,
) -> str:
    """Return a reason in words: the move, the place and the amount.

    `players` are named as after "for", see `for_you`.
    """
    name = reader.coordinates_or(coordinates).label
    return _sentence(reader, why).format(
        move=moves_text(reader, why.line[-1:], coordinates),
        better=moves_text(reader, [] if why.better is None else [why.better], coordinates),
        player=players[why.sufferer],
        other=players[why.sufferer.opponent],
        count=why.count,
        point="" if why.point is None else name(why.point),
        points=", ".join(map(name, why.points)),
        others=why.others[0],
        count_then=why.others[1],
        others_then=why.others[2],
    )


def for_you(reader: Reader) -> str:
    """Return the name of who reads a reason of their own game."""
    return reader.pgettext("after 'for'", "you")


def _sentence(reader: Reader, why: ProvenReason) -> str:
    count = why.count
    return {
        Motif.HANGING: reader.ngettext(
            "{move} takes the piece on {point} before it moves.",
            "{move} takes the stack of {count} on {point} before it moves.",
            count,
        ),
        Motif.ESCAPED: reader.ngettext(
            "{move} gets the piece away before it's taken.",
            "{move} gets the stack of {count} away before it's taken.",
            count,
        ),
        Motif.RETAKEN: reader.gettext("{move} takes the stack of {count} straight back."),
        Motif.SHARPSHOT: reader.gettext(
            "{move} takes the stack of {count} on {point}: it was built to land just there."
        ),
        Motif.TAKEN: reader.ngettext(
            "{move} takes the piece on {point} for good.",
            "{move} takes the stack of {count} on {point} for good.",
            count,
        ),
        Motif.CUT_OFF: reader.ngettext(
            "{move} cuts off {count} piece: {points}.",
            "{move} cuts off {count} pieces: {points}.",
            count,
        ),
        Motif.LAST_LINK: reader.ngettext(
            "{move} breaks the last link and cuts off {count} piece: {points}.",
            "{move} breaks the last link and cuts off {count} pieces: {points}.",
            count,
        ),
        Motif.RED_CARRIED_OFF: reader.ngettext(
            "{move} moves red away and cuts off {count} piece: {points}.",
            "{move} moves red away and cuts off {count} pieces: {points}.",
            count,
        ),
        Motif.LAST_MOVER: reader.gettext(
            "{move} leaves no moves for {player}, but {count} for {other}."
        ),
        Motif.MOBILITY: reader.gettext(
            "Soon it's {count} moves for {player} and {others} for {other}. "
            "After {better} it's {count_then} and {others_then}."
        ),
        Motif.PIECES: reader.gettext(
            "That leads to {count} pieces for {player} and {others} for {other}. "
            "After {better} it's {count_then} and {others_then}."
        ),
        Motif.SELF_STACKING: reader.gettext(
            "{move} lands on a friendly stack: nothing taken, and one less to move."
        ),
    }[why.motif]


def chances(reader: Reader, one: PlyReview) -> tuple[str, str]:
    """Return the chances of the player who moved, before and after."""
    return percent(reader, one.before, one.color), percent(reader, one.after, one.color)


def percent(reader: Reader, estimate: Estimate, color: Color) -> str:
    """Return a side's chance to win. 0% and 100% need a proof."""
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
    """Return the chart of a game with at least one movement, with alternative text."""
    look, caption = look_of(reader), caption_of(game)
    coordinates = reader.coordinates_or(game.row.coordinates)
    alt_text = describe_chart(review, coordinates=coordinates, caption=caption, words=look.words)
    return Chart(filename, cut(alt_text), review, coordinates, look, caption, seats(game))


REVIEW_SWITCH: Final = Switch(
    of=REVIEWED,
    label=lambda reader: reader.gettext("Review my games"),
    hint=lambda reader: reader.gettext("When they are over"),
)


def no_review(reader: Reader) -> str:
    """Return the notice if the moderators want no reviews."""
    return reader.gettext("Games aren't reviewed.")
