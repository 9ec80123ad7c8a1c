"""What plans say, as functions of whoever reads it."""

from bot.features.plans.words import (
    PLAN_COMMAND,
    TryingBoard,
    plan_form,
    plan_id,
    plan_made,
    plan_shown,
)
from bot.play.model.ahead.tree import Lapse, Lapsed
from dvonn import parse_move
from tests.bot.play.said import END, MOVING, TREE, Table
from tests.bot.play.test_offers_words import plan
from tests.bot.replayed import ANN, BOB, started

SAID: Table = {
    "plan_command": PLAN_COMMAND.named,
    "plan_form": lambda who: [
        plan_form(who, game, found, asker)
        for game, found in ((started(), None), (started(), plan("b2 c3")), (MOVING, TREE))
        for asker in (ANN, BOB)
    ],
    "plan_made": lambda who: [
        plan_made(who, started(), plan("b2 c3", else_next=True)),
        plan_made(who, MOVING, TREE.root),
    ],
    "plan_shown": lambda who: [
        *(plan_shown(who, started(), found) for found in (None, plan("b2 c3"))),
        plan_shown(who, END[-1], None),
        plan_shown(who, MOVING, None, TryingBoard(lambda _: plan_id(MOVING, "show"))),
        plan_shown(who, MOVING, TREE),
        *(plan_shown(who, MOVING, Lapsed(why, parse_move("a1-b1"))) for why in Lapse),
    ],
}
