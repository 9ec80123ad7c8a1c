"""Buttons and selects of messages that 0.1.0 sent.

Remove them in the first release after 2027-12-01. See `bot.play.model.compat_0_1_0`.
"""

from bot.play.handlers.board_buttons import PICK_ID, show_landings, show_move
from bot.play.handlers.interactions import Answer, Component


class PieButton(
    Component,
    template=(
        r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"
        r":(?:pick-[1-3]|side-(?:white|black))"
    ),
):
    """Button for a choice in a pie start. The choice has been made since, so the player moves."""

    async def respond(self, answer: Answer) -> None:
        await show_move(self, answer, is_typed=False)


class StackSelect(Component, template=PICK_ID + "stack"):
    """Select with movable stacks."""

    async def respond(self, answer: Answer) -> None:
        await show_landings(self, answer, self.chosen)
