"""What explore say, as functions of whoever reads it."""

from dataclasses import replace

from bot.base.locales import Reader
from bot.connection.posts import Post
from bot.features.explore.model import HintProblem, NoHint
from bot.features.explore.words import (
    Around,
    explore,
    explore_form,
    explore_of_shared,
    hint_of_board,
    hint_of_page,
    hinted,
    shared_line,
)
from bot.play.model.courses import Course, Spot, course_of, see
from bot.play.model.engine_thoughts import Thought
from bot.play.words.game_page import PageAsker
from tests.bot.play.said import COURSE, END, MOVING, THOUGHTS, WORTHS, Table, all_seen
from tests.bot.replayed import ANN, BOB, CID, started


def explored(who: Reader) -> list[object]:
    full = Around(may_share=True, has_engine=True)
    said = [explore(who, seen, full) for seen in all_seen()]
    for thoughts in (THOUGHTS, THOUGHTS[2:]):
        some = all_seen()[60:63]
        said += [explore(who, seen, full, thoughts=thoughts) for seen in some]
    seen = see(Spot(None, 60), COURSE)
    for source in {move.source for move in seen.position.legal_moves()}:
        said.append(explore(who, seen, ALONE, chosen=source))
    said.append(explore(who, seen, ALONE, again=True))
    game, course = MOVING, course_of(MOVING)
    moves = list(course.moves)
    while len(moves) < len(course.moves) + 3:
        moves.append(Course(course.start, tuple(moves)).positions()[-1].legal_moves()[0])
    tried = see(Spot(game.row.id, course.plies, tuple(moves[course.plies :])), course, game)
    for asker in (ANN, BOB):
        here = Around(may_share=True, has_engine=True, asker=asker)
        said.append(explore(who, tried, here))
        said.append(explore(who, replace(tried, spot=tried.spot.at(course.plies)), here))
    return [*said]


ALONE = Around(may_share=False, has_engine=False)


def looked_at(who: Reader) -> list[Post]:
    """What somebody alone sees of the board of a game, in each way."""
    seen = see(Spot(MOVING.row.id, 49), course_of(MOVING), MOVING)
    first = MOVING.position.legal_moves()[0]
    return [
        explore(who, seen, ALONE),
        explore(who, seen, ALONE, chosen=first.source),
        hinted(who, MOVING, [Thought(moves=(first,))]),
    ]


REFUSED = [NoHint(problem) for problem in HintProblem]

SAID: Table = {
    "explore": explored,
    "explore_form": lambda who: [
        explore_form(who, see(Spot(None, ply), COURSE)) for ply in (0, 60)
    ],
    "explore_of_shared": lambda who: [explore_of_shared(who, seen) for seen in all_seen()],
    "hint_of_board": lambda who: [
        hint_of_board(who, replace(game, hints_agreed=True)) for game in (MOVING, *END)
    ],
    "hint_of_page": lambda who: [
        hint_of_page(who, replace(MOVING, hints_agreed=agreed), PageAsker(user, has_machine=True))
        for user in (ANN, BOB)
        for agreed in (True, False)
    ],
    "hinted": lambda who: [hinted(who, MOVING, THOUGHTS), hinted(who, started(), WORTHS)],
    "shared_line": lambda who: [shared_line(who, seen, CID) for seen in all_seen()],
}

FEWER: Table = {"explore": lambda who: [explore(who, seen, ALONE) for seen in all_seen()[::19]]}
