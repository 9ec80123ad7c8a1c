"""The first page of a review: the decisive moves and the good ones."""

from collections.abc import Iterator
from typing import Final

from bot.base.formats import percent_text
from bot.base.languages import Reader
from bot.play.model.game import Game
from bot.play.words.names import seat_name
from bot.play.words.views import moves_text
from bot.replay.model.replays import course_of
from bot.replay.words.views import numbered
from dvonn import Color, Grade, Position, Review
from school.reviews.words.moves import chances, percent

_DECIDED: Final = 0.8
"""The least chance to win with the board full of a player whose placement decided the game."""
_GREAT_CUT: Final = 5
"""The fewest pieces that a great cut costs the other player."""


def overview(reader: Reader, game: Game, review: Review, eyes: Color | None) -> list[str]:
    """Return the lines that the first page begins with.

    Args:
        reader: Who reads it.
        game: The game.
        review: Its review.
        eyes: The colour that the reader played, if they did.
    """
    white, black = (seat_name(game, color) for color in Color)
    return [
        reader.gettext("**Review** of {white} (White) vs {black} (Black)").format(
            white=white, black=black
        ),
        decided(reader, game, review),
        *_praise(reader, game, review, eyes),
    ]


def footnotes(reader: Reader, game: Game, review: Review, *, looks_closer: bool) -> list[str]:
    """Return the lines that the first page ends with.

    `looks_closer` says that a closer look is to come.
    """
    return [
        *_exact_from(reader, game, review),
        *_accuracies(reader, review),
        *_closer(reader, game, review, looks_closer=looks_closer),
    ]


def side_name(reader: Reader, color: Color) -> str:
    return reader.gettext("White") if color is Color.WHITE else reader.gettext("Black")


def _accuracies(reader: Reader, review: Review) -> list[str]:
    """Return the accuracies of both, or nothing if neither had a choice."""
    if review.accuracy == (None, None):
        return []
    white, black = (
        "–" if accuracy is None else percent_text(reader, round(accuracy))
        for accuracy in review.accuracy
    )
    said = reader.gettext("Accuracy: White {white}, Black {black}.")
    return [said.format(white=white, black=black)]


def decided(reader: Reader, game: Game, review: Review) -> str:
    """Return what decided most: a move and what it gave away, or the placement, if one did."""
    placed_by = _decided_by_placement(review)
    if placed_by is not None and review.placement is not None:
        chance = percent(reader, review.placement.outcome, placed_by)
        sentence = (
            reader.gettext("The placement decided it: White had {chance} with the board full.")
            if placed_by is Color.WHITE
            else reader.gettext("The placement decided it: Black had {chance} with the board full.")
        )
        return sentence.format(chance=chance)
    found = review.turning_point
    if found is None:
        return summed_up(reader, review)
    sentence = (
        reader.gettext(
            "It turned on move {number}, {move}: White's chances fell from {before} to {after}."
        )
        if found.color is Color.WHITE
        else reader.gettext(
            "It turned on move {number}, {move}: Black's chances fell from {before} to {after}."
        )
    )
    before, after = chances(reader, found)
    course = course_of(game)
    move = moves_text(reader, course.moves[found.ply - 1 : found.ply], course.coordinates)
    return sentence.format(number=course.number(found.ply), move=move, before=before, after=after)


def summed_up(reader: Reader, review: Review) -> str:
    """Return the text for a game without a turning point."""
    if review.is_clean:
        return reader.gettext("Well played! Nobody gave much away.")
    return reader.gettext("No single move decided it.")


def _decided_by_placement(review: Review) -> Color | None:
    """Return who was far ahead with the board full, and never fell behind, if one did."""
    if review.placement is None:
        return None
    outcome = review.placement.outcome
    color = max(Color, key=outcome.for_color)
    chances = [outcome.for_color(color), *(ply.after.for_color(color) for ply in review.plies)]
    return color if chances[0] >= _DECIDED and min(chances) > 1 / 2 else None


def _exact_from(reader: Reader, game: Game, review: Review) -> list[str]:
    """Return the sentence on the move from which the result was proven, if any."""
    first = next((ply for ply in review.plies if ply.ply == review.exact_from), None)
    if first is None:
        return []
    margin = round(first.before.margin[0])
    if margin == 0:
        sentence = reader.gettext("From move {number}, it was a draw with best play.")
    elif margin > 0:
        sentence = reader.gettext("From move {number}, White could force a win.")
    else:
        sentence = reader.gettext("From move {number}, Black could force a win.")
    return [sentence.format(number=course_of(game).number(first.ply))]


def _closer(reader: Reader, game: Game, review: Review, *, looks_closer: bool) -> Iterator[str]:
    """Yield that a closer look is to come, or what it has changed, and what it has taken back."""
    if looks_closer:
        yield reader.gettext("I'm still looking closer.")
    if review.changed is None:
        return
    count = len(review.changed)
    said = (
        reader.ngettext(
            "I've looked again and see {count} move differently.",
            "I've looked again and see {count} moves differently.",
            count,
        )
        if count
        else reader.gettext("I've looked again and see nothing new.")
    )
    yield said.format(count=count)
    if back := review.taken_back:
        course = course_of(game)
        moves = ", ".join(numbered(reader, course, ply.ply) for ply in back)
        said = reader.ngettext(
            "I take it back: {moves} was fine.", "I take it back: {moves} were fine.", len(back)
        )
        yield said.format(moves=moves)


# Praise


def _praise(reader: Reader, game: Game, review: Review, eyes: Color | None) -> Iterator[str]:
    """Yield each player's best move, or the reader's alone: an only move, or a great cut."""
    course = course_of(game)
    boards = course.positions()
    for color in Color if eyes is None else (eyes,):
        own = [ply for ply in review.plies if ply.color is color and ply.grade is Grade.GOOD]
        only = max(own, key=lambda one: one.gap, default=None)
        if only is not None and only.gap:
            move = numbered(reader, course, only.ply)
            if eyes is None:
                found = reader.gettext("Only move, and {player} found it: {move}!")
                yield found.format(move=move, player=seat_name(game, color))
            else:
                yield reader.gettext("Only move, and you found it: {move}!").format(move=move)
            continue
        count, ply = max(((_cut(boards[ply.ply], color), ply.ply) for ply in own), default=(0, 0))
        if count >= _GREAT_CUT:
            said = reader.gettext("Great cut: {move} took {count} pieces off the board.")
            yield said.format(move=numbered(reader, course, ply), count=count)


def _cut(after: Position, color: Color) -> int:
    """Count the opponent's pieces that a move cut off, or 0 if it cost at least half as many."""
    lost = {owner: sum(len(s) for s in after.removed.values() if s[-1] == owner) for owner in Color}
    return lost[color.opponent] if lost[color.opponent] > 2 * lost[color] else 0
