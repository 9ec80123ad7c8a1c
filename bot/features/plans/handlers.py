"""Handles /plan and its buttons. Only the player sees the plan."""

import re
from typing import Any

import discord
from discord import app_commands

from bot.base.ids import GameId
from bot.base.spelling import LONGEST_LINES
from bot.connection.forms import paragraph, typed_text
from bot.features.plans.model.tree import Plan, PlanState
from bot.features.plans.use_cases import Planning, PlanQuestion
from bot.features.plans.words.views import (
    plan_asked,
    plan_begun,
    plan_form,
    plan_made,
    plan_shown,
    plan_unchanged,
    text_in,
)
from bot.play.game_changes import GameUpdate
from bot.play.handlers import interactions
from bot.play.model.game import Game
from bot.play.model.refusals import StaleBoard
from bot.replay.model.replays import LINE, SPOT, ReplayCursor

_ID = r"dvonn:plan:(?P<game>[0-9]{1,18}):"
_FIELD_ID = "lines"
_CHOSEN = re.compile(r"(?P<number>[0-9]{1,2}):(?P<mark>[0-9a-f]{8})")


class PlanButton(interactions.Component, template=_ID + r"(?P<action>show|type|clear)"):
    """Button "Plan ahead", and the buttons of the plan's view."""

    async def respond(self, answer: interactions.Answer) -> None:
        planning = answer.services.require(Planning)
        if self.action == "clear":
            await planning.clear(self.game, answer.user)
        showing = planning.show_in(self.game, answer.user)
        if self.action != "type":
            await _show(answer, *await showing)
            return

        async def form() -> discord.ui.Modal:
            return _form(answer, *await showing)

        await answer.form(
            await answer.within_deadline(form(), answer.cached_form(_form_id(self.game)))
        )


class PlanSelect(interactions.Component, template=_ID + r"drop"):
    """Select with a plan's lines. Choosing a line removes it."""

    async def respond(self, answer: interactions.Answer) -> None:
        match = _CHOSEN.fullmatch(self.chosen)
        if match is None:
            raise StaleBoard
        planning = answer.services.require(Planning)
        await planning.drop(self.game, answer.user, int(match["number"]), match["mark"])
        await _show(answer, *await planning.show_in(self.game, answer.user))


class KeepLineButton(interactions.Component, template=rf"dvonn:plan-line:{SPOT}{LINE}"):
    """Adds a line to the user's plan, after they tried it on a board of their running game."""

    async def respond(self, answer: interactions.Answer) -> None:
        game, result = await answer.services.require(Planning).add(
            ReplayCursor.from_match(self.match), answer.user, source=answer.source
        )
        await show_plan_result(answer, game, result)


async def _show(answer: interactions.Answer, game: Game, state: PlanState | None) -> None:
    answer.prepare(_form(answer, game, state))
    boards = answer.services.own_boards
    board = None if boards is None else boards.button_id
    await answer.view(plan_shown(answer.reader, game, state, answer.user, board))


def _form(answer: interactions.Answer, game: Game, state: PlanState | None) -> discord.ui.Modal:
    words = plan_form(answer.reader, game, state, answer.user)
    return paragraph(words, _form_id(game.row.id), _FIELD_ID, LONGEST_LINES)


def _form_id(game: GameId) -> str:
    return f"dvonn:plan-form:{game}"


async def show_plan_result(
    answer: interactions.Answer, game: Game, result: Plan | GameUpdate | PlanQuestion
) -> None:
    """Show a player the result of their plan: the played moves, the stored plan or a question."""
    reader, user = answer.reader, answer.user
    match result:
        case GameUpdate():
            await answer.publish(result, answer.view(plan_begun(reader, result, user)))
        case PlanQuestion():
            await answer.view(plan_asked(reader, game, result, user))
        case _:
            await answer.view(plan_made(reader, game, result, user))


class PlayPlanButton(
    interactions.Component, template=_ID + r"(?P<revision>[0-9]{1,9}):(?P<action>play|leave)"
):
    """Buttons that answer whether to play the plan's first move now."""

    async def respond(self, answer: interactions.Answer) -> None:
        message = answer.interaction.message
        assert message is not None  # a button is under a message  # noqa: S101
        if self.action == "leave":
            await answer.edit_message(plan_unchanged(answer.reader))
            return
        game, result = await answer.services.require(Planning).make(
            answer.user,
            text_in(message.content),
            game=self.game,
            source=answer.source,
            notation=answer.reader.coordinates,
            board=self.revision,
        )
        await show_plan_result(answer, game, result)


@interactions.form(r"dvonn:plan-form:(?P<game>[0-9]{1,18})")
async def read_planned(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    game, result = await answer.services.require(Planning).propose(
        answer.user,
        typed_text(data, _FIELD_ID),
        game=GameId(int(match["game"])),
        source=answer.source,
        notation=answer.reader.coordinates,
    )
    await show_plan_result(answer, game, result)


@app_commands.command(description="Plan your next moves; only you see it")
@app_commands.describe(
    moves="Such as: if d2-d4 then e3-e5; else ask. While placing: b2 c3, else next free"
)
@interactions.anywhere
async def plan(
    interaction: interactions.Interaction,
    moves: app_commands.Range[str, 1, LONGEST_LINES] | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        planning, channel = answer.services.require(Planning), interactions.channel_of(interaction)
        if moves is None:
            await _show(answer, *await planning.show(channel, answer.user))
            return
        game, result = await planning.propose(
            answer.user,
            moves,
            channel=channel,
            source=answer.source,
            notation=answer.reader.coordinates,
        )
        await show_plan_result(answer, game, result)
