"""What plans say, as functions of whoever reads it."""

from dataclasses import replace

from bot.features.plans.use_cases import PlanOutdated, PlanQuestion
from bot.features.plans.words import (
    plan_asked,
    plan_begun,
    plan_command,
    plan_form,
    plan_id,
    plan_left,
    plan_made,
    plan_shown,
)
from bot.play.model.ahead.reading import TypedTurn
from bot.play.model.ahead.tree import Lapse, Lapsed, Prepared, Waiting
from dvonn import parse_move
from tests.bot.play.said import END, MOVING, TREE, Table
from tests.bot.play.test_offers_words import plan
from tests.bot.replayed import ANN, BOB, play, started

SAID: Table = {
    "plan_command": plan_command,
    "plan_form": lambda who: [
        plan_form(who, game, found, asker)
        for game, found in ((started(), None), (started(), plan("b2 c3")), (MOVING, TREE))
        for asker in (ANN, BOB)
    ],
    "plan_made": lambda who: [
        plan_made(who, started(), plan("b2 c3", else_next=True), ANN),
        plan_made(who, MOVING, TREE.root, ANN),
        plan_made(who, MOVING, Waiting((), Prepared(parse_move("a1-b1"))), ANN),
    ],
    "plan_asked": lambda who: [
        plan_asked(who, game, PlanQuestion("b2 c3", TypedTurn(moves, ahead)), ANN)
        for game, moves, ahead in (
            (started(), (parse_move("b2"),), plan("c3")),
            (MOVING, (parse_move("a1-b1"),), None),
            (MOVING, (parse_move("a1-b1"),), Waiting((), Prepared(parse_move("c1-d1")))),
            (MOVING, (parse_move("a1-b1"),), TREE.root),
        )
    ],
    "plan_begun": lambda who: [
        plan_begun(who, replace(update, kept=ahead), ANN)
        for update in play(started(), "d2")[1]
        for ahead in (None, plan("b2 c3"))
    ],
    "plan_left": plan_left,
    "plan_shown": lambda who: [
        *(plan_shown(who, started(), found, ANN) for found in (None, plan("b2 c3"))),
        plan_shown(who, END[-1], None, ANN),
        plan_shown(who, MOVING, None, ANN, lambda _: plan_id(MOVING, "show")),
        plan_shown(who, MOVING, TREE, ANN),
        *(plan_shown(who, MOVING, Lapsed(why, parse_move("a1-b1")), ANN) for why in Lapse),
    ],
}

REFUSED = [PlanOutdated()]
