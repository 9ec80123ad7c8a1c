"""Texts of lesson steps: the task, and what the right move teaches."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.base.languages import Reader
from dvonn import Color, Coordinates, Phase, Point
from dvonn_lessons.primer import Best, CutOff, PrimerStep, StepAnswer, movers
from school.exercises.words import task_with_color
from school.lessons.words import fights
from school.lessons.words.strategy import StepWords, strategy

_STEPS_WITH_COLOR: Final = ("surrounded", "reversal")
"""The first step, and the first step where the learner plays Black."""


def chapter_title(reader: Reader, name: str) -> str:
    return {
        "first": reader.gettext("First game"),
        "mobility": reader.gettext("Staying mobile"),
        "cutting": reader.gettext("Cutting off"),
        "overloading": reader.gettext("Stacks too tall to move"),
        "counting": reader.gettext("The final count"),
        "placing": reader.gettext("Placing"),
        "melee": reader.gettext("The melee"),
        "singles": reader.gettext("Which piece to take"),
        "escaping": reader.gettext("Tall stacks in danger"),
        "grabbing": reader.gettext("Takes that stay yours"),
        "holding": reader.gettext("Links in the fight"),
        "guarding": reader.gettext("Retakes and guards"),
        "lasting": reader.gettext("Who moves last"),
    }[name]


def task(reader: Reader, step: PrimerStep) -> str:
    text = _words(reader, step).task.format(**_facts(reader, step))
    color = step.position.turn
    if step.name not in _STEPS_WITH_COLOR or color is None:
        return text
    return task_with_color(reader, color, text)


def shown_right(reader: Reader, step: PrimerStep, answer: StepAnswer) -> str:
    return _words(reader, step).right.format(**_facts(reader, step), **_outcome(reader, answer))


def space(reader: Reader, point: Point) -> str:
    """Return the name of a space in the learner's notation."""
    return reader.coordinates_or(Coordinates.STANDARD).label(point)


def _words(reader: Reader, step: PrimerStep) -> StepWords:
    for words in _CHAPTERS:
        if step.name in (texts := words(reader)):
            return texts[step.name]
    raise KeyError(step.name)


def _facts(reader: Reader, step: PrimerStep) -> dict[str, Any]:
    """Return the values to insert into a step's task."""
    position = step.position
    facts: dict[str, Any] = {"white": position.score(Color.WHITE)}
    facts["black"] = position.score(Color.BLACK)
    if step.stack is not None:
        facts["stack"] = space(reader, step.stack)
        facts["height"] = position.height(step.stack)
        facts["landings"] = _names(reader, position.destinations(step.stack))
    if isinstance(step.goal, CutOff):
        facts["count"] = step.goal.pieces
    if position.phase is Phase.MOVEMENT:
        facts["most"] = step.most_cut
    if isinstance(step.goal, Best):
        facts |= fights.facts(reader, step, step.goal)
    return facts


def _outcome(reader: Reader, answer: StepAnswer) -> dict[str, Any]:
    """Return the values to insert into the text after a right move."""
    after, move = answer.after, answer.move
    values: dict[str, Any] = {
        "target": space(reader, move.target),
        "high": after.height(move.target),
        "cut": answer.cut[1],
        "white_after": after.score(Color.WHITE),
        "black_after": after.score(Color.BLACK),
    }
    if move.source is not None:
        values["source"] = space(reader, move.source)
        values["own_movers"], values["other_movers"] = movers(after, Color.WHITE)
    return values


def _names(reader: Reader, points: tuple[Point, ...]) -> str:
    return ", ".join(space(reader, point) for point in points)


def _first(reader: Reader) -> Mapping[str, StepWords]:
    return {
        "surrounded": StepWords(
            reader.gettext(
                "The board is already full, so let's move! A piece with neighbors on all six "
                "sides can't.\n**Which of these stacks can move?**"
            ),
            reader.gettext(
                "On a full board only stacks at the edge can move. Each move leaves a gap, and "
                "sets others free."
            ),
        ),
        "single": StepWords(
            reader.gettext(
                "Some moves later. A single piece moves one space, onto a piece next to it.\n"
                "**Move {stack}.**"
            ),
            reader.gettext(
                "Now it's one stack, {high} tall. Your piece is on top, so it's all yours."
            ),
        ),
        "pair": StepWords(
            reader.gettext(
                "A stack moves exactly as far as it is tall. {stack} is {height} tall.\n**Move "
                "{stack}.**"
            ),
            reader.gettext("Nice! From {source} it could go to {landings}, and nowhere else."),
        ),
        "jump": StepWords(
            reader.gettext(
                "Stacks jump over anything, even gaps. They just can't land on an empty space. "
                "{stack} is {height} tall.\n**Move {stack}.**"
            ),
            reader.gettext("You jumped the gaps. {target} is {high} tall now."),
        ),
        "take": StepWords(
            reader.gettext(
                "You may land on black stacks, too. The piece on top owns the whole stack.\n"
                "**Take a black stack.**"
            ),
            reader.gettext("{target} is yours, all {high} pieces of it."),
        ),
        "red": StepWords(
            reader.gettext(
                "Red pieces belong to nobody and never move by themselves. Land on one, and it "
                "travels with your stack.\n**Land on a red piece.**"
            ),
            reader.gettext("{target} is yours. The diamond means there's red inside."),
        ),
        "cut": StepWords(
            reader.gettext(
                "Every stack needs a chain of neighbors to a red piece. Break the chain, and "
                "it's gone for good.\n**Cut off {count} black pieces.**"
            ),
            reader.gettext(
                "{cut} black pieces lost their link to red. They're gone! Now it's "
                "{white_after} to {black_after}."
            ),
        ),
        "link": StepWords(
            reader.gettext(
                "It can happen to you, too.\n**Make a move that keeps all your pieces.**"
            ),
            reader.gettext("All your pieces are still linked to red."),
        ),
        "pass": StepWords(
            reader.gettext(
                "If you can't move, you wait until you can. You can't skip a turn on purpose.\n"
                "**Leave Black without a move.**"
            ),
            reader.gettext("Black can't move and passes. It's your turn again!"),
        ),
        "end": StepWords(
            reader.gettext(
                "When nobody can move, you each pile up all your stacks. The taller tower wins. "
                "(Red pieces on their own are nobody's.)\n**Your move ends this game. Win it.**"
            ),
            reader.gettext(
                "{white_after} to {black_after}: you win! Those are all the rules of moving."
            ),
        ),
    }


def _mobility(reader: Reader) -> Mapping[str, StepWords]:
    return {
        "free": StepWords(
            reader.gettext("{stack} is surrounded and can't move.\n**Set {stack} free.**"),
            reader.gettext("{source} is empty now, and stays empty. {stack} can move!"),
        ),
        "silence": StepWords(
            reader.gettext(
                "Without a move, you can only watch.\n**Take Black's last moves away.**"
            ),
            reader.gettext("Black passes. You have all the moves now."),
        ),
        "alone": StepWords(
            reader.gettext(
                "You're behind, {white} to {black}. But Black can't move anymore, and you can.\n"
                "**Only one move still wins. Which?**"
            ),
            reader.gettext("Moves decide, not the count."),
        ),
        "shot": StepWords(
            reader.gettext(
                "Your next turn. Black's {stack} is {height} tall: that's the prize. You "
                "need a stack as tall as its distance.\n**Build one.**"
            ),
            reader.gettext("{target} is {high} tall, and {stack} is {high} away. Bullseye!"),
        ),
    }


def _cutting(reader: Reader) -> Mapping[str, StepWords]:
    return {
        "lifeline": StepWords(
            reader.gettext(
                "Before you move, look at your links to red. What could Black cut next?\n**Find "
                "a move after which Black can't cut you off.**"
            ),
            reader.gettext("Black can't cut you off now."),
        ),
        "carry": StepWords(
            reader.gettext(
                "A stack with red inside takes the link with it.\n**Carry red away, and cut "
                "off {count} black pieces.**"
            ),
            reader.gettext("{cut} black pieces lost their link to red."),
        ),
        "greed": StepWords(
            reader.gettext(
                "You can cut off {most} black pieces at once. Look again!\n"
                "**Only one move wins. Which?**"
            ),
            reader.gettext("The biggest cut would have lost."),
        ),
        "quiet": StepWords(
            reader.gettext(
                "Here, too, you could cut off {most} black pieces, and lose.\n"
                "**Only one move wins. Which?**"
            ),
            reader.gettext("It takes nothing and cuts nothing off, and Black must pass."),
        ),
    }


def _overloading(reader: Reader) -> Mapping[str, StepWords]:
    return {
        "load": StepWords(
            reader.gettext(
                "A stack that's too tall can't land anywhere. It's stuck.\n**Make {stack} so "
                "tall that it's stuck, even if Black takes it back.**"
            ),
            reader.gettext("{stack} is {high} tall now. It's stuck, and a retake won't free it."),
        ),
        "retake": StepWords(
            reader.gettext(
                "Black could take {stack} back here, too.\n**Make {stack} too tall for both of "
                "you.**"
            ),
            reader.gettext("{stack} never moves by itself again, for either of you."),
        ),
        "spoil": StepWords(
            reader.gettext(
                "{stack} can take a tall stack of yours. You can't stop that, but you can take "
                "it back.\n**Only one move wins. Which?**"
            ),
            reader.gettext("Anything that takes your tall stack gets retaken."),
        ),
        "decoy": StepWords(
            reader.gettext(
                "Sometimes you win by giving something away. The stack that takes it gets too "
                "tall.\n**Only one move wins. Which?**"
            ),
            reader.gettext("Black may take {target}, but gets stuck there."),
        ),
    }


def _counting(reader: Reader) -> Mapping[str, StepWords]:
    return {
        "ahead": StepWords(
            reader.gettext(
                "Near the end you can count it out, move by move. You have {white}, Black "
                "{black}.\n"
                "**Only one move wins. Which?**"
            ),
            reader.gettext("You're behind, but the last move is yours."),
        ),
        "quarrel": StepWords(
            reader.gettext(
                "You're far behind, {white} to {black}. It isn't over!\n**Only one move wins. "
                "Which?**"
            ),
            reader.gettext("It takes nothing now, but more later."),
        ),
        "reversal": StepWords(
            reader.gettext(
                "White leads {white} to {black}, but can't move anymore. (From pergioco.net's "
                "newsletter 48.)\n**Win by as much as you can.**"
            ),
            reader.gettext("A lead means nothing while your opponent can still move."),
        ),
    }


def _placing(reader: Reader) -> Mapping[str, StepWords]:
    return {
        "place": StepWords(
            reader.gettext(
                "Some games start on an empty board. You fill it first: the three red pieces, "
                "then your own, one each in turn.\n**Place a piece.**"
            ),
            reader.gettext(
                "Your piece is on {target}. Once the board is full, the stacks move. White goes "
                "first."
            ),
        ),
        "reds": StepWords(
            reader.gettext(
                "The red pieces come first. White moves first and is a little better off, but "
                "less so with the reds together.\n**Place the last red piece, far from the "
                "other two.**"
            ),
            reader.gettext("Three red pieces, each in its own corner."),
        ),
        "edge": StepWords(
            reader.gettext(
                "Pieces at the edge can move first. But far from red they're soon cut "
                "off.\n**Place at most two steps from red.**"
            ),
            reader.gettext("From {target} it isn't far to red."),
        ),
        "beside": StepWords(
            reader.gettext(
                "Beside red you can't be cut off, as long as that red stays.\n**Place beside a "
                "red piece.**"
            ),
            reader.gettext("{target} touches red."),
        ),
    }


_CHAPTERS: Final[tuple[Callable[[Reader], Mapping[str, StepWords]], ...]] = (
    _first,
    fights.fights,
    _mobility,
    _cutting,
    _overloading,
    _counting,
    _placing,
    strategy,
)
