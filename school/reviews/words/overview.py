"""The first page of a review: the decisive moves and the good moves."""

from collections.abc import Iterator
from typing import Final

from bot.base.formats import percent_text
from bot.base.languages import Reader
from bot.play.model.game import Game
from bot.play.model.terms import EndReason
from bot.play.words.effects import cuts_off
from bot.play.words.names import names_for, seat_name
from bot.play.words.views import moves_text
from bot.replay.model.replays import sequence_of
from bot.replay.words.views import numbered
from dvonn import Color, Grade, Review
from dvonn_lessons.fight import Measure, fight_of
from dvonn_lessons.move_effects import MoveEffects

_DECIDED: Final = 0.8
"""Minimum winning chance on the full board for a decisive placement phase."""
_OPEN: Final = 0.35
"""Minimum chance of a player who could still win."""
_GREAT_CUT: Final = 5
"""Minimum number of pieces cut off by a great cut."""


def overview(reader: Reader, game: Game, review: Review, eyes: Color | None) -> list[str]:
    """Return the lines at the top of the first page.

    Args:
        reader: The person who reads the page.
        game: The game.
        review: The review of the game.
        eyes: The color that the reader played, or None.
    """
    white, black = (seat_name(game, color) for color in Color)
    return [
        reader.gettext("**Review** of {white} (White) vs {black} (Black)").format(
            white=white, black=black
        ),
        decided(reader, game, review, eyes),
        *_fight(reader, game, eyes),
        *_praise(reader, game, review, eyes),
    ]


def footnotes(reader: Reader, game: Game, review: Review, eyes: Color | None) -> list[str]:
    """Return the lines at the bottom of the first page."""
    return [
        *_exact_from(reader, game, review, eyes),
        *_accuracies(reader, game, review),
        *_taken_back(reader, game, review),
    ]


def side_name(reader: Reader, color: Color) -> str:
    return reader.gettext("White") if color is Color.WHITE else reader.gettext("Black")


def _accuracies(reader: Reader, game: Game, review: Review) -> list[str]:
    """Return both players' accuracies for readers who want percentages, if there are any."""
    if review.accuracy == (None, None) or not reader.reads_chances:
        return []
    white, black = (
        "–" if accuracy is None else percent_text(reader, round(accuracy))
        for accuracy in review.accuracy
    )
    player, other = (seat_name(game, color) for color in Color)
    sentence = reader.gettext("Accuracy: {player} {white}, {other} {black}.")
    return [sentence.format(white=white, black=black, player=player, other=other)]


def decided(reader: Reader, game: Game, review: Review, eyes: Color | None) -> str:
    """Return the sentence about the loser's move or the placement that decided a game, or "".

    It doesn't give chances, because everyone can read it below the last board. `eyes` is the color
    of the player that it addresses.
    """
    if _is_broken_off(game, review):
        return reader.gettext("The game was still open when it ended.")
    winner = None if game.outcome is None else game.outcome.winner
    placed_by = _decided_by_placement(review)
    if placed_by is not None and placed_by is winner:
        if placed_by is eyes:
            return reader.gettext("Your placement decided it: you were ahead from the first move.")
        return reader.gettext(
            "The placement decided it: {player} was ahead from the first move."
        ).format(player=seat_name(game, placed_by))
    turning_point = review.turning_point(winner)
    if turning_point is None:
        return summed_up(reader, review)
    sentence = (
        reader.gettext("It turned on your {move}, move {number}.")
        if turning_point.color is eyes
        else reader.gettext("It turned on {player}'s {move}, move {number}.")
    )
    course = sequence_of(game)
    move = moves_text(
        reader, course.moves[turning_point.ply - 1 : turning_point.ply], course.coordinates
    )
    number, player = course.number(turning_point.ply), seat_name(game, turning_point.color)
    return sentence.format(number=number, move=move, player=player)


def summed_up(reader: Reader, review: Review) -> str:
    """Return the text for a game without a turning point."""
    if review.is_clean:
        return reader.gettext("Well played! Nobody gave much away.")
    return reader.gettext("No single move decided it.")


def _is_broken_off(game: Game, review: Review) -> bool:
    """Return True if a game ended early, and the loser, or both players, could still win."""
    outcome = game.outcome
    if outcome is None or outcome.reason is EndReason.COUNT or not review.plies:
        return False
    end = review.plies[-1].after
    losers = Color if outcome.winner is None else (outcome.winner.opponent,)
    return min(end.for_color(color) for color in losers) >= _OPEN


def _decided_by_placement(review: Review) -> Color | None:
    """Return the player who was far ahead on the full board and never fell behind, or None."""
    if review.placement is None:
        return None
    outcome = review.placement.outcome
    color = max(Color, key=outcome.for_color)
    chances = [outcome.for_color(color), *(ply.after.for_color(color) for ply in review.plies)]
    return color if chances[0] >= _DECIDED and min(chances) > 1 / 2 else None


def _exact_from(reader: Reader, game: Game, review: Review, eyes: Color | None) -> list[str]:
    """Return the sentence about the first move after which results are proven, if there is one."""
    first = next((ply for ply in review.plies if ply.ply == review.exact_from), None)
    if first is None:
        return []
    margin = round(first.before.margin[0])
    winner = Color.WHITE if margin > 0 else Color.BLACK
    if margin == 0:
        sentence = reader.gettext("From move {number}, it was a draw with best play.")
    elif winner is eyes:
        sentence = reader.gettext("From move {number}, you could force a win.")
    else:
        sentence = reader.gettext("From move {number}, {player} could force a win.")
    number = sequence_of(game).number(first.ply)
    return [sentence.format(number=number, player=seat_name(game, winner))]


def _taken_back(reader: Reader, game: Game, review: Review) -> list[str]:
    """Return the note about marks that a closer look has removed."""
    back, course = review.taken_back, sequence_of(game)
    if not back:
        return []
    moves = ", ".join(numbered(reader, course, reviewed.ply) for reviewed in back)
    sentence = reader.ngettext(
        "I take it back: {moves} was fine.", "I take it back: {moves} were fine.", len(back)
    )
    return [sentence.format(moves=moves)]


def _fight(reader: Reader, game: Game, eyes: Color | None) -> list[str]:
    """Return the line about what changed most in the fight, if it is over."""
    color = eyes or Color.WHITE
    fight = fight_of(sequence_of(game).positions(), color)
    if fight is None:
        return []
    label = {
        Measure.MOVERS: reader.gettext("Stacks that could move"),
        Measure.LINKS: reader.gettext("Stacks beside red"),
        Measure.RESERVES: reader.gettext("Stacks with a move that could wait"),
    }[fight.measure]
    names = names_for(game, eyes)
    sentence = reader.gettext(
        "{label}, before and after the fight: {player} {before} → {after}, "
        "{other} {others_before} → {others_after}."
    )
    (before, others_before), (after, others_after) = fight.before, fight.after
    return [
        sentence.format(
            label=label,
            player=names.name_or_you(reader, color),
            before=before,
            after=after,
            other=names.name_or_you(reader, color.opponent),
            others_before=others_before,
            others_after=others_after,
        )
    ]


# Praise


def _praise(reader: Reader, game: Game, review: Review, eyes: Color | None) -> Iterator[str]:
    """Yield praise for each player's best move, or only for the reader's.

    A best move is an only good move or a great cut.
    """
    course = sequence_of(game)
    boards = course.positions()
    for color in Color if eyes is None else (eyes,):
        own_plies = [ply for ply in review.plies if ply.color is color and ply.grade is Grade.GOOD]
        only = max(own_plies, key=lambda ply: ply.gap, default=None)
        if only is not None and only.gap:
            move = numbered(reader, course, only.ply)
            if eyes is None:
                sentence = reader.gettext("Only move, and {player} found it: {move}!")
                yield sentence.format(move=move, player=seat_name(game, color))
            else:
                yield reader.gettext("Only move, and you found it: {move}!").format(move=move)
            continue
        cuts = {
            reviewed.ply: MoveEffects(boards[reviewed.ply - 1], reviewed.played)
            for reviewed in own_plies
        }
        ply = max(cuts, key=lambda ply: _gain(cuts[ply]), default=None)
        if ply is not None and _gain(cuts[ply]) >= _GREAT_CUT:
            lost = cuts[ply].cut_off(color.opponent)
            label = reader.coordinates_or(course.coordinates).label
            cut = cuts_off(
                reader,
                numbered(reader, course, ply),
                map(label, lost),
                sum(lost.values()),
                owner=None if eyes is color.opponent else seat_name(game, color.opponent),
            )
            yield reader.gettext("Great cut: {cut}").format(cut=cut)


def _gain(effects: MoveEffects) -> int:
    """Count the opponent's pieces that a move cuts off.

    Return 0 if the move costs the player at least half as many.
    """
    own_lost, other_lost = effects.lost(effects.mover), effects.lost(effects.mover.opponent)
    return other_lost if other_lost > 2 * own_lost else 0
