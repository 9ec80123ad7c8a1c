"""Examples of texts about plans."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import dvonn
from bot.features.plans.foresight import KeptPlanNote
from bot.features.plans.model.refusals import BadLines, LineProblem
from bot.features.plans.model.tree import LapsedPlan, LapseReason, OwnNode, ReplyNode, Tree
from bot.features.plans.use_cases import PlanOutdated, PlanQuestion
from bot.features.plans.words.plan_texts import plan_command, plan_kept
from bot.features.plans.words.views import (
    plan_asked,
    plan_begun,
    plan_form,
    plan_id,
    plan_made,
    plan_shown,
    plan_unchanged,
)
from bot.play.model.typed import TypedTurn
from dvonn import parse_move
from tests.bot.play.example_texts import END, MOVING, ExampleTexts
from tests.bot.play.test_offers_words import plan
from tests.bot.replayed import ANN, BOB, play, started


def bad_lines() -> Iterator[BadLines]:
    error = dvonn.IllegalMoveError(
        dvonn.parse_move("a1-a1"), MOVING.position, dvonn.Reason.SAME_POINT
    )
    for problem in LineProblem:
        refusal = (error, dvonn.Coordinates.STANDARD)
        yield BadLines(problem, "d2-d4:", "e3", refusal=refusal, limit=60)
        yield BadLines(problem, limit=1)


TREE: Final = Tree(
    MOVING.row.revision,
    ReplyNode(
        (
            (
                dvonn.parse_move("a1-b1"),
                OwnNode(dvonn.parse_move("c1-d1"), OwnNode(dvonn.parse_move("d1-e1"))),
            ),
            (dvonn.parse_move("e1-f1"), None),
        ),
        OwnNode(dvonn.parse_move("g1-h1")),
    ),
)
"""A tree with all kinds of nodes, whether or not they could be played."""

EXAMPLE_TEXTS: ExampleTexts = {
    "plan_kept": lambda who: [
        plan_kept(who, started(), made, ANN) for made in (plan("b2 c3", else_next=True), TREE.root)
    ],
    "plan_command": plan_command,
    "plan_form": lambda who: [
        plan_form(who, game, found, asker)
        for game, found in ((started(), None), (started(), plan("b2 c3")), (MOVING, TREE))
        for asker in (ANN, BOB)
    ],
    "plan_made": lambda who: [
        plan_made(who, started(), plan("b2 c3", else_next=True), ANN),
        plan_made(who, MOVING, TREE.root, ANN),
        plan_made(who, MOVING, ReplyNode((), OwnNode(parse_move("a1-b1"))), ANN),
    ],
    "plan_asked": lambda who: [
        plan_asked(who, game, PlanQuestion("b2 c3", TypedTurn(moves, ahead)), ANN)
        for game, moves, ahead in (
            (started(), (parse_move("b2"),), plan("c3")),
            (MOVING, (parse_move("a1-b1"),), None),
            (MOVING, (parse_move("a1-b1"),), ReplyNode((), OwnNode(parse_move("c1-d1")))),
            (MOVING, (parse_move("a1-b1"),), TREE.root),
        )
    ],
    "plan_begun": lambda who: [
        plan_begun(who, replace(update, plan_note=note), ANN)
        for update in play(started(), "d2")[1]
        for note in (None, KeptPlanNote(plan("b2 c3")))
    ],
    "plan_unchanged": plan_unchanged,
    "plan_shown": lambda who: [
        *(plan_shown(who, started(), found, ANN) for found in (None, plan("b2 c3"))),
        plan_shown(who, END[-1], None, ANN),
        plan_shown(who, MOVING, None, ANN, lambda _: plan_id(MOVING, "show")),
        plan_shown(who, MOVING, TREE, ANN),
        *(
            plan_shown(who, MOVING, LapsedPlan(why, parse_move("a1-b1")), ANN)
            for why in LapseReason
        ),
    ],
}

REFUSED = [PlanOutdated(), *bad_lines()]
