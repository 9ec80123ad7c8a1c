"""Examples of texts for studies and hints."""

from collections.abc import Iterator
from dataclasses import replace

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Post
from bot.play.model.engine_thoughts import Thought
from bot.replay.model.replays import MoveSequence, ReplayCursor, ReplayView, sequence_of, view_at
from bot.replay.words.game_page import PageAsker
from school.explore import model
from school.explore.words import boards
from school.explore.words.hints import hint_of_board, hint_of_page, hinted
from tests.bot.play.example_texts import (
    COURSE,
    END,
    MOVING,
    NOW,
    THOUGHTS,
    WORTHS,
    ExampleTexts,
    all_seen,
)
from tests.bot.replayed import ANN, BOB, CID, started


def of(seen: ReplayView, player: UserId = CID) -> model.Study:
    """Return a user's study that starts with a view's board."""
    return model.new_study(seen, player)


def commented() -> Iterator[model.Study]:
    """Yield studies with lines and comments, with one move after the start and with more."""
    for ply in (1, 60):
        study = of(view_at(ReplayCursor(None, ply), COURSE))
        other = study.replay_view.position.legal_moves()[-1]
        yield study.with_comment("*!*").played(other).with_comment("?").at_place(study.place)
        yield replace(study, turned=True)


def explored(who: Reader) -> list[object]:
    full = boards.ExploreOptions(may_share=True, has_engine=True)
    said = [boards.explore(who, of(seen), full) for seen in all_seen()]
    said += [boards.explore(who, study, full) for study in commented()]
    for thoughts in (THOUGHTS, THOUGHTS[2:]):
        some = all_seen()[60:63]
        said += [boards.explore(who, of(seen), full, thoughts=thoughts) for seen in some]
    seen = view_at(ReplayCursor(None, 60), COURSE)
    for source in sorted({move.source for move in seen.position.legal_moves() if move.source}):
        said.append(boards.explore(who, of(seen), ALONE, chosen=source))
    said.append(boards.explore(who, of(seen), ALONE, picking=True))
    said.append(boards.explore(who, of(seen), ALONE, note=boards.something_better(who)))
    game, course = MOVING, sequence_of(MOVING)
    moves = list(course.moves)
    while len(moves) < len(course.moves) + 3:
        moves.append(MoveSequence(course.start, tuple(moves)).positions()[-1].legal_moves()[0])
    tried = view_at(
        ReplayCursor(game.row.id, course.plies, tuple(moves[course.plies :])), course, game
    )
    for asker in (ANN, BOB):
        said.append(boards.explore(who, of(tried, asker), full))
        at_end = view_at(tried.cursor.at_ply(course.plies), course, game)
        said.append(boards.explore(who, of(at_end, asker), full))
    return [*said]


ALONE = boards.ExploreOptions(may_share=False, has_engine=False)


def looked_at(who: Reader) -> list[Post]:
    """Return private views of a game's board, in each form."""
    seen = view_at(ReplayCursor(MOVING.row.id, 49), sequence_of(MOVING), MOVING)
    first = MOVING.position.legal_moves()[0]
    return [
        boards.explore(who, of(seen), ALONE),
        boards.explore(who, of(seen), ALONE, picking=True),
        boards.explore(who, of(seen), ALONE, chosen=first.source),
        hinted(who, MOVING, [Thought(moves=(first,))]),
    ]


REFUSED = [
    *(model.NoHint(problem) for problem in model.HintProblem),
    model.StudyNotFound(),
    model.StudyFull(),
]


def rows() -> list[model.StudyRow]:
    """Return rows of a study of a game and of another study, with one move and with more."""
    game = of(view_at(ReplayCursor(MOVING.row.id, 49), sequence_of(MOVING), MOVING)).row(NOW)
    own = [study.row(NOW) for study in commented()]
    return [replace(game, moves=1), game, *own, replace(own[0], moves=1)]


EXAMPLE_TEXTS: ExampleTexts = {
    "where_to_paste": boards.where_to_paste,
    "comment_form": lambda who: [boards.comment_form(who, study) for study in commented()],
    "delete_asked": lambda who: (
        [boards.delete_asked(who, study) for study in commented()]
        + [boards.delete_asked(who, of(view_at(ReplayCursor(None, COURSE.plies), COURSE)))]
    ),
    "explore": explored,
    "own_boards": lambda who: [boards.own_boards(who, rows()), boards.own_boards(who, [])],
    "explore_form": lambda who: [
        boards.explore_form(who, view_at(ReplayCursor(None, ply), COURSE)) for ply in (0, 60)
    ],
    "explore_of_shared": lambda who: [boards.explore_of_shared(who, seen) for seen in all_seen()],
    "hint_of_board": lambda who: [
        hint_of_board(who, replace(game, hints_agreed=True)) for game in (MOVING, *END)
    ],
    "hint_of_page": lambda who: [
        hint_of_page(who, replace(MOVING, hints_agreed=agreed), PageAsker(user, has_machine=True))
        for user in (ANN, BOB)
        for agreed in (True, False)
    ],
    "hinted": lambda who: (
        [
            hinted(who, MOVING, [Thought(moves=(move,))])
            for move in MOVING.position.legal_moves()[:3]
        ]
        + [hinted(who, started(), WORTHS)]
    ),
    "shared_line": lambda who: [boards.shared_line(who, seen, CID) for seen in all_seen()],
}

FEWER: ExampleTexts = {
    "explore": lambda who: [boards.explore(who, of(seen), ALONE) for seen in all_seen()[::19]]
}
