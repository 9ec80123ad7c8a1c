"""Texts about a reviewed move: its loss, the better move, and the reason."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.base.formats import percent_text, with_explanation
from bot.base.languages import Reader
from bot.connection.posts import Button, NameOf, Renderable
from bot.play.model.game import Game
from bot.play.model.preferences import CHANCES
from bot.play.switches import Switch, SwitchList
from bot.play.words.names import names_for, seat_name
from bot.play.words.pictures import (
    Picture,
    Seats,
    caption_of,
    cut,
    look_of,
    picture,
    seats,
    with_names,
)
from bot.play.words.views import moves_text
from bot.replay.model.replays import sequence_of
from bot.replay.words.views import numbered
from dvonn import Color, Coordinates, Estimate, Motif, PlyReview, Position, Review
from dvonn.reviews.reasons import reasons_of
from dvonn.reviews.review import ProvenReason
from renderer import Caption, Look, describe_chart
from renderer import chart as render_chart
from school.exercises.words import reason_text
from school.lessons.words.handbook import word_button
from school.reviews.model import REVIEWED

_SHOWN_MOVES: Final = 4
"""Maximum number of moves of a line that the text shows."""
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
    Motif.MOVERS: "mobility",
    Motif.SPOT: "melee",
    Motif.SAFE_TAKE: "neutralise",
    Motif.LET_TAKE: "neutralise",
    Motif.LET_LAND: "melee",
    Motif.DOUBLE_THREAT: "melee",
    Motif.PIECES: "settlement",
    Motif.TOOK_NONE: "selfstacking",
    Motif.FREED: "mobility",
    Motif.NEAR_RED: "lifeline",
}
"""The handbook's term for each reason."""


def reviewed_move(reader: Reader, game: Game, ply: PlyReview, eyes: Color | None) -> list[str]:
    """Explain a move's loss, the better move, and the reason. `eyes` is the reader's color."""
    fall = sum(ply.before.margin) - sum(ply.after.margin)
    cost = round((fall if ply.color is Color.WHITE else -fall) / 2)
    sentence = reader.ngettext(
        "That cost about {count} piece.", "That cost about {count} pieces.", cost
    )
    reason = _reason(game, ply)
    # The estimate adds nothing if the results of both lines are given.
    is_told = reason is not None and reason.motif is Motif.PIECES
    lost = [sentence.format(count=cost)] if cost > 0 and not is_told else []
    sentences = explained(reader, game, ply, game.row.coordinates, eyes)
    return [in_short(reader, game, ply, eyes), *lost, *sentences]


def in_short(reader: Reader, game: Game, ply: PlyReview, eyes: Color | None) -> str:
    """Return a move and its effect on the chances, such as "63. c4-c2 by Ann: ahead → even"."""
    move = f"**{numbered(reader, sequence_of(game), ply.ply)}**"
    if eyes is not ply.color:
        move = reader.gettext("{move} by {player}").format(
            move=move, player=seat_name(game, ply.color)
        )
    before, after = chances(reader, ply)
    return move if before == after else with_explanation(reader, move, f"{before} → {after}")


def explained(
    reader: Reader,
    game: Game,
    ply: PlyReview,
    coordinates: Coordinates,
    eyes: Color | None,
    *,
    is_found: bool = False,
    without: frozenset[Motif] = frozenset(),
) -> list[str]:
    """Return the sentences about the better move, unless the player found it, and the difference.

    `without` contains the kinds of reasons that have already been shown often enough.
    """
    if not ply.best:
        return [someone_plays(reader)]
    reason = _reason(game, ply)
    better = reader.gettext("Better: {move}.").format(
        move=moves_text(reader, ply.best[:1], coordinates)
    )
    sentences = [] if is_found else [better]
    if reason is None:
        return [*sentences, reader.gettext("There's no single reason: small things add up.")]
    if reason.motif in without:
        return sentences
    text = reason_text(reader, reason, names_for(game, eyes), coordinates)
    is_complete = reason.motif in _COMPLETE
    if reason.line == ply.best[:1] and not is_found and not is_complete:
        return [reader.gettext("Better: {reason}").format(reason=text)]
    first = reason.line[:-1]
    if is_complete or not first:
        return [*sentences, text]
    moves = moves_text(reader, first[:_SHOWN_MOVES], coordinates)
    moves += " …" if len(first) > _SHOWN_MOVES else ""
    after = reader.gettext("After {moves}: {reason}")
    return [*sentences, after.format(moves=moves, reason=text)]


def someone_plays(reader: Reader) -> str:
    """Return the text shown in place of a better move while two people play this board."""
    return reader.gettext(
        "Two people are playing this board right now, so I'll keep quiet. Ask me again once "
        "they've moved on."
    )


def word_of_reason(reader: Reader, game: Game, ply: PlyReview) -> tuple[Button, ...]:
    """Return a button for the handbook page about a marked move's reason, if there is one."""
    reason = _reason(game, ply)
    return () if reason is None else (word_button(reader, _WORDS[reason.motif]),)


def scene_of_reason(
    reader: Reader, filename: str, game: Game, ply: PlyReview, eyes: Color | None
) -> Picture | None:
    """Return the board that shows the reason for a marked move, or the board after the reply."""
    if not ply.best:
        return None
    reason = _reason(game, ply)
    line = (ply.played, *ply.answer[:1]) if reason is None else reason.line
    position = _position_before(game, ply).after(*line)
    coordinates = reader.coordinates_or(game.row.coordinates)
    return picture(reader, filename, position, coordinates, last=line[-1], seen_in=game, you=eyes)


def captions_of(reader: Reader, game: Game, ply: PlyReview) -> tuple[str, str]:
    """Return the captions of the two boards that a marked move's page shows."""
    reason = _reason(game, ply)
    line = (ply.played, *ply.answer[:1]) if reason is None else reason.line
    coordinates = game.row.coordinates
    last_moves = moves_text(reader, line[-_SHOWN_MOVES:], coordinates)
    return (
        reader.gettext("Before {move}, with the better move:").format(
            move=moves_text(reader, [ply.played], coordinates)
        ),
        reader.gettext("After {moves}:").format(
            moves=last_moves if len(line) <= _SHOWN_MOVES else f"… {last_moves}"
        ),
    )


def motif_of(game: Game, ply: PlyReview) -> Motif | None:
    """Return the motif of the reason that is shown for a marked move, or None."""
    reason = _reason(game, ply)
    return None if reason is None else reason.motif


def _reason(game: Game, ply: PlyReview) -> ProvenReason | None:
    return next(iter(reasons_of(_position_before(game, ply), ply)), None)


def _position_before(game: Game, ply: PlyReview) -> Position:
    return sequence_of(game).cut(ply.ply - 1).positions()[-1]


_COMPLETE: Final = (
    Motif.MOBILITY,
    Motif.MOVERS,
    Motif.PIECES,
    Motif.SPOT,
    Motif.TOOK_NONE,
    Motif.FREED,
    Motif.NEAR_RED,
)
"""The motifs whose sentences are complete without the moves that lead to them."""
_STANDINGS: Final = (0.85, 0.6, 0.4, 0.15)
"""Minimum winning chances of a player who is winning, ahead, even or behind."""


def chances(reader: Reader, ply: PlyReview) -> tuple[str, str]:
    """Return a player's winning chances before and after a move, as texts."""
    return chance_text(reader, ply.before, ply.color), chance_text(reader, ply.after, ply.color)


def chance_text(reader: Reader, estimate: Estimate, color: Color) -> str:
    """Return a player's winning chance, as a word or, for readers who want that, in percent.

    0% and 100% are used only for proven results.

    >>> from bot.base.languages import reader_for
    >>> estimate = Estimate(win_probability=0.8, margin=(3, 5), exact=False)
    >>> [chance_text(reader_for("en"), estimate, color) for color in Color]
    ['ahead', 'behind']
    """
    if reader.reads_chances:
        return percent_text(reader, estimate.percent_for(color))
    words = (
        reader.pgettext("chance", "winning"),
        reader.pgettext("chance", "ahead"),
        reader.pgettext("chance", "even"),
        reader.pgettext("chance", "behind"),
        reader.pgettext("chance", "losing"),
    )
    chance = estimate.for_color(color)
    return words[sum(chance < least for least in _STANDINGS)]


@dataclass(frozen=True, slots=True)
class Chart(Renderable):
    """The chart of a reviewed game, as a picture and as text."""

    review: Review
    coordinates: Coordinates
    look: Look
    caption: Caption
    """The counts since the board was full."""
    seats: Seats
    """The seats whose players' names are shown."""

    def described(self, name_of: NameOf) -> str:
        return cut(
            describe_chart(
                self.review,
                coordinates=self.coordinates,
                caption=with_names(self.caption, self.seats, name_of),
                words=self.look.words,
            )
        )

    def rendering(self, name_of: NameOf) -> Callable[[], bytes]:
        return partial(
            render_chart,
            self.review,
            coordinates=self.coordinates,
            caption=with_names(self.caption, self.seats, name_of),
            look=self.look,
        )


def chart(reader: Reader, filename: str, game: Game, review: Review, eyes: Color | None) -> Chart:
    """Return the chart of a game, which must have at least one movement.

    If the reader played (`eyes` is their color), the chart shows their chances. Its description
    gives them in percent only to readers who want that.
    """
    look, caption = look_of(reader), replace(caption_of(game), you=eyes)
    coordinates = reader.coordinates_or(game.row.coordinates)
    if not reader.reads_chances:
        color = eyes or Color.WHITE
        first, last = review.plies[0].before, review.plies[-1].after
        course = f"{chance_text(reader, first, color)} → {chance_text(reader, last, color)}."
        in_words = with_explanation(reader, "{chance}", course)
        look = replace(look, words=replace(look.words, chance_course=in_words))
    return Chart(filename, review, coordinates, look, caption, seats(game))


REVIEW_SWITCH: Final = Switch(
    of=REVIEWED,
    label=lambda reader: reader.gettext("Review my games"),
    hint=lambda reader: reader.gettext("When they are over"),
)


CHANCES_SWITCH: Final = Switch(
    of=CHANCES,
    at=SwitchList.SEEN,
    label=lambda reader: reader.gettext("Chances in percent"),
    hint=lambda reader: reader.gettext("In reviews, instead of words"),
)


def reviews_are_off(reader: Reader) -> str:
    """Return the notice that moderators have turned reviews off."""
    return reader.gettext("Reviews are switched off here.")
