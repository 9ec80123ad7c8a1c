"""Examples of practice texts."""

from dataclasses import replace

from bot.replay.model.replays import sequence_of
from school.exercises.words import exercise
from school.practice import words
from school.practice.use_cases import Mistake, NothingDue, PracticeRow
from tests.bot.play.example_texts import NOW, REVIEWED, REVIEWS, ExampleTexts
from tests.bot.replayed import ANN

_MADE = next(ply for ply in REVIEWS[0].plies if ply.best)

MISTAKE = Mistake(
    PracticeRow(player=ANN, game=REVIEWED.row.id, ply=_MADE.ply, due_at=NOW),
    REVIEWED,
    _MADE,
    tuple(sequence_of(REVIEWED).cut(_MADE.ply - 1).positions()),
)

EXAMPLE_TEXTS: ExampleTexts = {
    "mistake": lambda who: exercise(who, words.mistake(who, MISTAKE)),
    "mistake_missed": lambda who: exercise(
        who, words.mistake_missed(who, MISTAKE, MISTAKE.made.played)
    ),
    "mistake_solved": lambda who: [
        exercise(who, words.mistake_solved(who, MISTAKE, move, after=after, due=1))
        for move in (MISTAKE.made.best[0], MISTAKE.made.played, None)
        for after in (None, MISTAKE.row, replace(MISTAKE.row, due_at=None))
    ],
    "mistake_stopped": lambda who: words.mistake_stopped(who, MISTAKE, 1).lines,
    "practice_due": lambda who: [words.practice_due(who, count)[0] for count in (1, 2)],
    "with_practice": lambda who: [
        words.with_practice(who, words.mistake(who, MISTAKE), due).lines for due in (0, 1)
    ],
    "practise_of_overview": lambda who: [
        words.practise_of_overview(who, REVIEWED, review, ANN) for review in REVIEWS
    ],
}

REFUSED = [NothingDue()]
