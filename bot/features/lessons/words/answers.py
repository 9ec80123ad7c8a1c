"""The answer to a move in a lesson: right, or what would happen, or the rule that forbids it."""

from collections.abc import Sequence
from typing import Final

from bot.base.locales import Reader
from bot.features.lessons.words.steps import shown_right, space
from bot.play.words.refused_moves import why_illegal
from bot.play.words.views import moves_text
from dvonn import Color, Coordinates, Move, Position, neighbours
from dvonn.primer import (
    CutOff,
    End,
    Free,
    KeepAll,
    LandOn,
    Overload,
    PlaceWell,
    PrimerStep,
    Silence,
    StepAnswer,
)

_SIDES: Final = 6


def said(reader: Reader, step: PrimerStep, answer: StepAnswer) -> str:
    move = moves_text(reader, [answer.move])
    if answer.right:
        words = [shown_right(reader, step, answer), *_how_it_goes_on(reader, answer)]
        return reader.gettext("✓ **{move}**: {words}").format(move=move, words=" ".join(words))
    if answer.refused is not None:
        why = why_illegal(reader, answer.refused, reader.naming(Coordinates.STANDARD))
    else:
        why = _why_not(reader, step, answer)
    return reader.gettext("✗ **{move}**: {words}").format(move=move, words=why)


def hint(reader: Reader, step: PrimerStep) -> str:
    """Return a word of help."""
    first = step.solutions[0]
    shown = next((move for move in step.choices if move in step.solutions), first)
    if shown.source is None or len(step.choices) > 0:
        return reader.gettext("💡 Try {move}.").format(move=moves_text(reader, [shown]))
    return reader.gettext("💡 Look at {stack}.").format(stack=space(reader, shown.source))


def _why_not(reader: Reader, step: PrimerStep, answer: StepAnswer) -> str:  # noqa: PLR0911 - one each
    """Explain the fault of a legal move."""
    goal = step.goal
    own, others = answer.cut
    match goal:
        case LandOn():
            return _landed(reader, step.position, answer.move)
        case CutOff():
            return _cut_too_little(reader, own, others)
        case KeepAll():
            return _costs(reader, own) if own else _cut_by_reply(reader, answer)
        case Free():
            return reader.gettext(
                "leaves {stack} with neighbours on all six sides, so it still can't move."
            ).format(stack="" if step.stack is None else space(reader, step.stack))
        case Overload():
            return _not_overloaded(reader, goal, answer)
        case Silence():
            return reader.gettext("leaves Black a move, for example {reply}.").format(
                reply=moves_text(reader, [answer.shown[0]])
            )
        case PlaceWell():
            return _placed(reader, goal, step.position, answer.move)
        case End():
            return " ".join(_how_it_goes_on(reader, answer)) or _ended(reader, answer.end)
    return ""


def _landed(reader: Reader, position: Position, move: Move) -> str:
    owner = position.owner(move.target)
    target = space(reader, move.target)
    if owner is None:
        sentence = reader.gettext("is allowed, but {target} is a red piece.")
    elif owner is position.turn:
        sentence = reader.gettext("is allowed, but {target} is yours already.")
    else:
        sentence = reader.gettext("is allowed, but {target} is a black stack.")
    return sentence.format(target=target)


def _costs(reader: Reader, own: int) -> str:
    return reader.ngettext(
        "cuts off {count} piece of your own: it leaves the board.",
        "cuts off {count} pieces of your own: they leave the board.",
        own,
    ).format(count=own)


def _cut_too_little(reader: Reader, own: int, others: int) -> str:
    if own:
        return _costs(reader, own)
    return reader.ngettext(
        "cuts off {count} black piece.", "cuts off {count} black pieces.", others
    ).format(count=others)


def _cut_by_reply(reader: Reader, answer: StepAnswer) -> str:
    (reply,) = answer.shown
    lost = sum(
        len(pieces) for pieces in answer.end.removed.values() if pieces[-1] != answer.after.turn
    )
    return reader.ngettext(
        "Then Black plays {reply}, which cuts off {count} piece of yours.",
        "Then Black plays {reply}, which cuts off {count} pieces of yours.",
        lost,
    ).format(reply=moves_text(reader, [reply]), count=lost)


def _not_overloaded(reader: Reader, goal: Overload, answer: StepAnswer) -> str:
    (reply,) = answer.shown
    sentence = (
        reader.gettext("leaves {stack} free to go on: {reply}.")
        if reply.source == goal.point
        else reader.gettext("Then Black takes back with {reply}, and {stack} can go on.")
    )
    return sentence.format(stack=space(reader, goal.point), reply=moves_text(reader, [reply]))


def _placed(reader: Reader, goal: PlaceWell, position: Position, move: Move) -> str:
    beside = neighbours(move.target)
    if goal.edge and len(beside) == _SIDES:
        return reader.gettext("isn't at the edge: it has six sides, and may be surrounded.")
    reds = sum(map(position.reds, beside))
    if not reds:
        return reader.gettext("touches no red piece.")
    return reader.ngettext(
        "touches {count} red piece.", "touches {count} red pieces.", reds
    ).format(count=reds)


def _how_it_goes_on(reader: Reader, answer: StepAnswer) -> Sequence[str]:
    """Best play to the end, and how it ends."""
    if not answer.shown or answer.end.turn is not None:
        return ()
    line = reader.gettext("Then {moves}.").format(moves=moves_text(reader, answer.shown))
    return line, _ended(reader, answer.end)


def _ended(reader: Reader, position: Position) -> str:
    """Describe the end of a game."""
    white, black = position.score(Color.WHITE), position.score(Color.BLACK)
    match position.winner:
        case Color.WHITE:
            sentence = reader.gettext("White wins {white} to {black}.")
        case Color.BLACK:
            sentence = reader.gettext("Black wins {black} to {white}.")
        case _:
            sentence = reader.gettext("A draw, {white} to {black}.")
    return sentence.format(white=white, black=black)
