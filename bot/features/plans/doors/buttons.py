"""The views of plans: the list, its form, and lines kept from a private board."""

import re
from typing import Any

from bot.base.ids import GameId, SourceId, UserId
from bot.connection.forms import paragraph, typed
from bot.features.plans.use_cases import Planning
from bot.features.plans.words import TryingBoard, plan_form, plan_made, plan_shown
from bot.play.doors.interactions import Answer, Component, Interaction, answering
from bot.play.model.ahead.decided import Ahead
from bot.play.model.ahead.reading import LONGEST_LINES
from bot.play.model.courses import LINE, SPOT, Spot
from bot.play.model.game import Game
from bot.play.model.refusals import TurnOver
from bot.play.use_cases.update import Update
from bot.play.words.asides import played

_ID = r"dvonn:plan:(?P<game>[0-9]{1,18}):"
_FORM_ID = re.compile(r"dvonn:plan-form:(?P<game>[0-9]{1,18})")
_FIELD_ID = "lines"
_CHOSEN = re.compile(r"(?P<number>[0-9]{1,2}):(?P<mark>[0-9a-f]{8})")


class PlanButton(Component, template=_ID + r"(?P<action>show|type|clear)"):
    """Plan ahead, and what stands in its view."""

    async def respond(self, answer: Answer) -> None:
        """Show it, open the form, or forget all."""
        planning, user = (
            answer.services.of(Planning),
            answer.user,
        )
        if self.action == "clear":
            await planning.give_up_in(self.game, user)
        game, found = await planning.show_in(self.game, user)
        if self.action == "type":
            words = plan_form(answer.reader, game, found, user)
            where = f"dvonn:plan-form:{game.row.id}"
            await answer.form(paragraph(words, where, _FIELD_ID, LONGEST_LINES))
        else:
            board = answer.services.get(TryingBoard)
            await answer.view(plan_shown(answer.reader, game, found, board))


class PlanSelect(Component, template=_ID + r"drop"):
    """Its lines: choosing one removes it."""

    async def respond(self, answer: Answer) -> None:
        """Forget the line that was chosen."""
        chosen = _CHOSEN.fullmatch(self.chosen)
        if chosen is None:
            raise TurnOver
        planning, user = (
            answer.services.of(Planning),
            answer.user,
        )
        number, mark = int(chosen["number"]), chosen["mark"]
        await planning.drop(self.game, user, number, mark)
        game, found = await planning.show_in(self.game, user)
        board = answer.services.get(TryingBoard)
        await answer.view(plan_shown(answer.reader, game, found, board))


class KeepLineButton(Component, template=rf"dvonn:plan-line:{SPOT}{LINE}"):
    """Keep what was tried on a board of one's running game."""

    async def respond(self, answer: Answer) -> None:
        """Add it to what was decided before."""
        game, made = await answer.services.of(Planning).add(
            Spot.found(self.found),
            answer.user,
            source=SourceId(answer.interaction.id),
        )
        await say_planned(answer, game, made)


async def say_planned(answer: Answer, game: Game, made: Ahead | Update) -> None:
    """Tell a player their plan, and all what was played with it."""
    if isinstance(made, Update):
        await answer.publish(made, answer.view(played(answer.reader, made)))
    else:
        await answer.view(plan_made(answer.reader, game, made))


async def read_planned(interaction: Interaction) -> None:
    """Keep what was typed into the form, if it is ours."""
    data: Any = interaction.data or {}
    match = _FORM_ID.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    async with answering(interaction) as answer:
        game, made = await interaction.client.services.of(Planning).make_in(
            GameId(int(match["game"])),
            UserId(interaction.user.id),
            typed(data, _FIELD_ID),
            source=SourceId(interaction.id),
            named=answer.reader.coordinates,
        )
        await say_planned(answer, game, made)
