"""Texts for the lessons about the fight. Their best moves were determined by long searches."""

from collections.abc import Mapping
from typing import Any

from bot.base.formats import and_list
from bot.base.languages import Reader
from bot.play.words.names import names_of_colors
from bot.play.words.views import moves_text
from dvonn import Coordinates, Move
from dvonn_lessons.primer import CHAPTERS, Best, PrimerStep, movers
from dvonn_lessons.remarks import use_of
from school.exercises.words import reason_text
from school.lessons.words.strategy import StepWords


def fights(reader: Reader) -> Mapping[str, StepWords]:
    """Return the texts of the steps about the fight, which all steps of a chapter share."""
    best = reader.gettext("**Which move is best?**")
    words = {
        "melee": (
            reader.gettext(
                "Keep more stacks free, and you win the melee. {own_now} of yours can move, and "
                "{other_now} of Black's."
            ),
            reader.gettext(
                "{own_movers} of your stacks can move now, and {other_movers} of Black's."
            ),
        ),
        "singles": (
            reader.gettext(
                "Many single pieces can be taken. Look for one that Black can't take back."
            ),
            reader.gettext(
                "Black can't land on {target}. {own_movers} of your stacks can move now, and "
                "{other_movers} of Black's."
            ),
        ),
        "escaping": (
            reader.gettext("Black can take {stack}, your stack of {height}. Where is it safe?"),
            reader.gettext("Black can't land on {target}. Your stack of {high} is safe there."),
        ),
        "grabbing": (
            reader.gettext(
                "A stack of two or more is worth a fight, if it stays yours. Count who can land "
                "there next."
            ),
            reader.gettext("Black can't land on {target}. Your stack of {high} is safe there."),
        ),
        "holding": (
            reader.gettext("If Black could move now, {threat} would cut off pieces of yours."),
            reader.gettext("Now Black can't cut off {kept}."),
        ),
    }
    sentences = {
        step.name: StepWords(f"{task}\n{best}", right)
        for name, (task, right) in words.items()
        for step in _steps_of(name)
    }
    sentences["snip"] = StepWords(
        "{}\n{}".format(
            reader.gettext("In a fight, too, a cut beats a take. Which link can you break?"), best
        ),
        reader.gettext("{cut} black pieces lost their link to red."),
    )
    return sentences


def facts(reader: Reader, step: PrimerStep, goal: Best) -> dict[str, Any]:
    """Return the values to insert into the task of a step about the fight."""
    own_movers, other = movers(step.position, step.player)
    values: dict[str, Any] = {"own_now": own_movers, "other_now": other}
    use = use_of(step.position, goal.move)
    if use is not None and use.threat is not None:
        values["threat"] = moves_text(reader, [use.threat])
        name = reader.coordinates_or(Coordinates.STANDARD).label
        values["kept"] = and_list(reader, map(name, use.points))
    return values


def why_worse(reader: Reader, step: PrimerStep, goal: Best, move: Move) -> str:
    """Explain the consequence of a worse move, with the values of the worse and the best move."""
    puzzle, (reply, *_) = goal.judged, goal.shown_by(step.position, move)
    reason = puzzle.reason((), move)
    if reply.source == goal.move.target:
        sentence = reader.gettext("Then {moves}. You could have taken it first.")
        line: tuple[Move, ...] = (reply,)
    else:
        sentence, line = (
            reader.gettext("Then {moves}."),
            (reply,) if reason is None else reason.line[1:-1],
        )
    sentences = [sentence.format(moves=moves_text(reader, line))] if line else []
    if reason is not None and reply.source != goal.move.target:
        sentences.append(reason_text(reader, reason, names_of_colors(reader, step.player)))
    worth = reader.gettext("That wins about {chance} games in 100. The best move wins {best}.")
    return " ".join([*sentences, worth.format(chance=puzzle.chance(move), best=puzzle.best)])


def _steps_of(name: str) -> tuple[PrimerStep, ...]:
    return next(chapter.steps for chapter in CHAPTERS if chapter.name == name)
