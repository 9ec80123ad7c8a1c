"""Explains why a plan can't be stored."""

from typing import Final

from bot.base.languages import Reader
from bot.features.plans.model.refusals import BadLines, LineProblem
from bot.play.words.refused_moves import why_illegal

_EXAMPLE: Final = "d2-d4: e3-e5; c1-c3: b4-b3"
"""Two answers to two moves, valid in both coordinate systems."""


def bad_lines(reader: Reader, error: BadLines) -> str:
    """Explain why a plan was refused, and where the error is. Nothing was played or stored."""
    place = error.valid_part
    words = _problem_text(reader, error)
    if place:
        words = reader.gettext("{reason} (After “{read}”.)").format(reason=words, read=place)
    if error.example or error.problem is LineProblem.UNREADABLE:
        example = error.example or _EXAMPLE
        advice = reader.gettext("Write it like this: {example}").format(example=f"`{example}`")
        words = f"{words} {advice}"
    return words


def _problem_text(reader: Reader, error: BadLines) -> str:  # noqa: C901, PLR0911, PLR0912 - a sentence for each
    match error.problem:
        case LineProblem.UNREADABLE:
            if not error.wrong_part:
                return reader.gettext("Something is missing at the end. Nothing saved.")
            return reader.gettext("I didn't understand “{found}”. Nothing saved.").format(
                found=error.wrong_part
            )
        case LineProblem.OFF_BOARD:
            return reader.gettext("There's no {text} on this board. Nothing saved.").format(
                text=f"“{error.wrong_part}”"
            )
        case LineProblem.HALF:
            return reader.gettext("“{found}” is half a move: where to? Nothing saved.").format(
                found=error.wrong_part
            )
        case LineProblem.ILLEGAL:
            return reader.gettext("You couldn't play {move} there: {reason} Nothing saved.").format(
                move=error.wrong_part, reason=_rule_text(reader, error)
            )
        case LineProblem.ILLEGAL_THEIRS:
            return reader.gettext("Your opponent can't play {move} there. Nothing saved.").format(
                move=error.wrong_part
            )
        case LineProblem.NEVER:
            return reader.gettext(
                "You can't play {move} after any of their moves. Nothing saved."
            ).format(move=error.wrong_part)
        case LineProblem.NOTHING_ELSE:
            return reader.gettext("You've covered every reply, so drop “else”. Nothing saved.")
        case LineProblem.TWICE:
            return reader.gettext("“{found}” contradicts an earlier line. Nothing saved.").format(
                found=error.wrong_part
            )
        case LineProblem.AFTER_ELSE:
            return reader.gettext(
                "“else …” comes last: nobody knows the board after it. Nothing saved."
            )
        case LineProblem.NO_REPLY:
            return reader.gettext("I need their move between yours. Nothing saved.")
        case LineProblem.YOU_AGAIN:
            return reader.gettext(
                "Your opponent has to pass there, so add your next move. Nothing saved."
            )
        case LineProblem.THEY_AGAIN:
            return reader.gettext(
                "You have to pass there, so add your opponent's next move. Nothing saved."
            )
        case LineProblem.OVER:
            return reader.gettext("The game is over by then. Nothing saved.")
        case LineProblem.NO_OWN_MOVE:
            return reader.gettext("It's your turn, so begin with your move. Nothing saved.")
        case LineProblem.NOTHING:
            return reader.gettext("There's no move of yours in it. Nothing saved.")
        case LineProblem.TOO_MANY:
            return reader.ngettext(
                "A plan can hold {limit} move at most. Nothing saved.",
                "A plan can hold {limit} moves at most. Nothing saved.",
                error.limit,
            ).format(limit=error.limit)


def _rule_text(reader: Reader, error: BadLines) -> str:
    return "" if error.refusal is None else why_illegal(reader, *error.refusal)
