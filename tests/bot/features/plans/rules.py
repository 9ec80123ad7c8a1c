"""Plan rules for the state machine that drives the use cases."""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bot.base.ids import UserId
from bot.features.plans.use_cases import Planning
from dvonn import Point
from tests.bot.features.plans.clearing import clear
from tests.bot.machine.driver import typed
from tests.bot.machine.use_cases import UseCases, hands, people, spaces
from tests.bot.table import CHANNEL


class Rules(UseCases):
    """Anyone can make and clear plans at any time."""

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, user=people, points=spaces, else_next=st.booleans())
    def plan(self, hand: int, user: UserId, points: list[Point], else_next: bool) -> None:
        moves = self.placements(points)
        self.do(
            hand,
            lambda process, source: process.table.of(Planning).make(
                user, typed(moves, else_next=else_next), channel=CHANNEL, source=source
            ),
            lambda _: self.model.plan(user, moves, else_next=else_next),
        )

    @rule(hand=hands, user=people)
    def give_plan_up(self, hand: int, user: UserId) -> None:
        self.do(
            hand,
            lambda process, _: clear(process.table, user),
            lambda _: self.model.give_up(user),
            same=True,
        )

    def decide_ahead(self, hand: int, user: UserId, point: Point) -> None:
        self.plan(hand, user, [point], else_next=True)
