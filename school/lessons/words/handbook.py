"""The handbook: a short page for each term of the game's strategy."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from bot.base.formats import and_list
from bot.base.languages import Reader
from bot.connection.posts import Button, Option, Select
from bot.play.words.views import moves_text
from dvonn import Coordinates
from dvonn_lessons.primer import HANDBOOK, Example
from renderer import Arrows, Marking, Marks
from school.exercises.model import ExerciseState
from school.exercises.words import ExerciseView, exercise_id

LEARN: Final = "learn"
"""Name of the lessons' exercise."""
WORD_PREFIX: Final = "w-"
"""Prefix of the keys of handbook pages."""
_IN_A_LIST: Final = 14


def word_button(reader: Reader, word: str) -> Button:
    """Return a button that opens a term's page. It works on any message."""
    return Button(_name(_words(reader)[word]), exercise_id(_state(word), "at"))


def word_lists(reader: Reader) -> tuple[Select, ...]:
    """Return selects that list all terms, within Discord's limit on options."""
    options = [Option(_name(page), _state(word).key) for word, page in _words(reader).items()]
    placeholders = (
        reader.gettext("Handbook: moves and stacks"),
        reader.gettext("Handbook: the fight, links, the end"),
    )
    return tuple(
        Select(
            exercise_id(ExerciseState(LEARN, "chapters"), f"go{number}"),
            placeholder,
            tuple(options[number * _IN_A_LIST :][:_IN_A_LIST]),
        )
        for number, placeholder in enumerate(placeholders)
    )


def handbook_page(reader: Reader, word: str) -> ExerciseView:
    """Return a term's page, with a position that illustrates it.

    Raises:
        KeyError: if there is no such term.
    """
    page, example = _words(reader)[word], HANDBOOK[word]
    onward = dict(pairwise((*HANDBOOK, *HANDBOOK)))[word]
    marks, position = _shown(reader, example)
    return ExerciseView(
        state=_state(word),
        lines=(f"### {page}", reader.gettext("Here: {example}.").format(example=position)),
        position=example.position,
        marks=marks,
        asks=False,
        buttons=(
            word_button(reader, onward),
            Button(reader.gettext("Chapters"), exercise_id(ExerciseState(LEARN, "chapters"), "at")),
        ),
    )


def _shown(reader: Reader, example: Example) -> tuple[Marking, str]:
    """Return the marks of an example, and the text that names its moves or spaces."""
    if not example.points:
        first, *replies = example.moves
        marks = Arrows(line=example.moves) if replies else Arrows(played=first)
        return marks, moves_text(reader, example.moves)
    name = reader.coordinates_or(Coordinates.STANDARD).label
    first_point, *other_points = example.points
    marked = (
        Marks(landings=example.points) if other_points else Marks(first_point, only_outlined=True)
    )
    return marked, and_list(reader, map(name, example.points))


def _name(page: str) -> str:
    return page.partition("\n")[0]


def _state(word: str) -> ExerciseState:
    return ExerciseState(LEARN, WORD_PREFIX + word)


def _words(reader: Reader) -> Mapping[str, str]:
    """Return the text of each term's page: its name and meaning."""
    pages = (
        reader.gettext(
            "Mobility\nStacks that can still move are what you pay with. Run out of them, "
            "and you only watch."
        ),
        reader.gettext(
            "Surrounded\nA stack with neighbors on all six sides can't move. One of them must "
            "leave first."
        ),
        reader.gettext(
            "Freeing move\nWhen you leave a space, it stays empty. So the stacks beside it "
            "can move."
        ),
        reader.gettext(
            "Neutralize\nLand on an enemy stack. They have one stack fewer to move, "
            "and you have as many as before."
        ),
        reader.gettext(
            "Self-stacking\nLanding on your own stack costs you one that could move. Do it "
            "for a reason: here, for reach."
        ),
        reader.gettext(
            "Control\nCount the stacks that can land on a space, yours and theirs. The last "
            "to land there owns it."
        ),
        reader.gettext(
            "Retake\nLand back on a stack that was just taken. It's yours again, and taller."
        ),
        reader.gettext("Guard\nA guard can take back what you take. So take the guard first."),
        reader.gettext(
            "Tower takes single\nTake single pieces with a tall stack. Your own singles stay "
            "free for later."
        ),
        reader.gettext(
            "Overload\nMake a stack so tall that it can't land anywhere. If a retake doesn't "
            "help either, it's stuck for good."
        ),
        reader.gettext(
            "Young and old stacks\nA young stack still has somewhere to land. An old one is "
            "too tall, and waits to be taken."
        ),
        reader.gettext(
            "Sharpshooting\nBuild a stack exactly as tall as its distance to the "
            "space you want. Then it lands there."
        ),
        reader.gettext(
            "Lifting\nLand on a stack, and you lift it: now it goes further. That brings it "
            "to safety, or to a target."
        ),
        reader.gettext(
            "Spoiling\nLand on a stack before it strikes. One more piece, and it misses."
        ),
        reader.gettext(
            "Melee\nThe fight while the board is full. If far more of your stacks can move "
            "than theirs, that's a melee victory."
        ),
        reader.gettext(
            "Settlement\nThe end of the game. Now the height of your stacks is all that counts."
        ),
        reader.gettext(
            "Cut\nTake the last link to red away. Everything that hung on it leaves "
            "the board, yours or theirs."
        ),
        reader.gettext(
            "Lifeline\nA group's connection to red. Look after yours before you attack theirs."
        ),
        reader.gettext(
            "Bridge\nA stack that alone links others to red. If it moves, they are lost."
        ),
        reader.gettext(
            "String\nA line of your own stacks, side by side. It holds as long as none of "
            "them leaves."
        ),
        reader.gettext(
            "Choke point\nThe one space that a link goes through. Keep your own filled, and "
            "empty theirs."
        ),
        reader.gettext(
            "Sacrifice\nGive up some pieces, and gain more elsewhere. Give up what "
            "you'd lose anyway."
        ),
        reader.gettext(
            "Forced self-cut\nYou can't pass. When every move cuts off stacks of yours, "
            "choose the cheapest."
        ),
        reader.gettext(
            "Red tax\nLanding on a lone red takes nothing, but from then on you carry"
            " your own link."
        ),
        reader.gettext(
            "Reserve move\nA move that they can't stop can wait. Make the others first."
        ),
        reader.gettext(
            "Last mover\nWhen they must pass and you still move, the game is often "
            "yours. Count both sides' moves."
        ),
        reader.gettext(
            "Initiative\nMake a threat that they must answer, and you decide what happens. Go "
            "players call it sente."
        ),
        reader.gettext(
            "Spread reds\nWhite moves first and is a little better off, but less so with the "
            "reds together."
        ),
    )
    return dict(zip(HANDBOOK, pages, strict=True))
