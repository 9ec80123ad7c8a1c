"""The messages of challenges: posted, answered by their buttons, tidied up after a while."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import discord
import structlog

from bot.base.ids import ChallengeId, ChannelId, GuildId, MessageId, Shards, SourceId, UserId
from bot.base.languages import Reader
from bot.connection.channel_requests import send
from bot.connection.permissions import is_visiting, missing, to_play
from bot.connection.posts import Button
from bot.connection.requests import TROUBLE
from bot.play.doors import interactions
from bot.play.game_changes import Update
from bot.play.model.clock import chosen_clock
from bot.play.model.conduct import Venue
from bot.play.model.refusals import CannotVote, VoteProblem
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColourChoice,
    Place,
    Start,
)
from bot.play.model.voting import for_teams, vote_length
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.challenges import challenge_accepted, challenge_closed, challenge_sent
from dvonn import Coordinates, Position
from dvonn.machine import LEVELS

_log = structlog.get_logger()
_TO_WRITE: Final = {"view_channel": "View Channel", "send_messages": "Send Messages"}
_LEVEL: Final = "|".join(map(str, reversed(LEVELS)))


@dataclass(frozen=True, slots=True)
class ChallengeAdvice:
    """A feature's word on a challenge, with a button. A feature makes it."""

    on: Callable[[Reader, ChallengeRow], Awaitable[tuple[str, Button] | None]]


async def post_challenge(answer: interactions.Answer, row: ChallengeRow) -> MessageId | None:
    """Post a challenge, and remember as which message; returns that."""
    visiting = is_visiting(answer.interaction)
    services, reader = answer.services, await answer.everybody()
    advice = services.get(ChallengeAdvice)
    word = None if advice is None else await advice.on(reader, row)
    message = await answer.publicly(challenge_post(reader, row, visiting=visiting, advice=word))
    if message is None:
        return None
    try:
        known = await services.store.challenges.set_message(row.id, message)
        if known.state is ChallengeState.CANCELLED:
            # Who took it back while it was being posted could not know where it stands.
            await take_down(services, known)
    except Exception:
        # It works without; only its buttons will stay when it has expired.
        _log.exception("a challenge's message was not saved", challenge=row.id)
    return message


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenTerms:
    """A game as somebody asks for it; what is None is as usual in the server."""

    to_machine: bool = False
    opponent: UserId | None = None
    """None: the machine, another channel, or anyone."""
    level: int | None = None
    """Level of the machine; None: as they chose it last."""
    colour: ColourChoice = ColourChoice.RANDOM
    start: Start | None = None
    position: Position | None = None
    """The position from which it is played, where that is its start."""
    clock: str | None = None
    """Time for each vote in a game of teams. None: against the machine there is none."""
    weekends: str | None = None
    coordinates: Coordinates | None = None
    place: Place | None = None
    rated: bool | None = None
    teams: bool = False
    """True if everybody in the channel plays against the machine."""
    rival: ChannelId | None = None
    """A channel that this one challenges."""


async def begin(answer: interactions.Answer, chosen: ChosenTerms) -> None:
    """Post the challenge that somebody asks for; the machine accepts at once.

    Raises:
        BadClock, UnknownZone: if the clock cannot be so.
        BadOpponent: if the machine is switched off here.
        And what `Lobby.challenge` raises.
    """
    here, lobby = interactions.venue(answer.interaction), answer.services.lobby
    guild, machine = interactions.guild_of(answer.interaction), answer.client.own_id
    usual = await lobby.usual(guild, here)
    teams = chosen.teams or chosen.rival is not None
    if teams:
        usual = for_teams(usual)
    clock = chosen_clock(chosen.clock, chosen.weekends, None if chosen.to_machine else usual.clock)
    to_machine = chosen.to_machine or (chosen.opponent is not None and chosen.opponent == machine)
    if to_machine and answer.client.machine is None:
        raise BadOpponent(OpponentProblem.NO_MACHINE)
    start, level = chosen.start or usual.start, None
    if to_machine:
        level = chosen.level or await lobby.usual_level(answer.user, guild, start)
    terms = ChallengeTerms(
        guild=guild,
        channel=here.channel,
        challenger=answer.user,
        opponent=machine if to_machine else chosen.opponent,
        colour=chosen.colour,
        coordinates=chosen.coordinates or usual.coordinates,
        start=start,
        position=chosen.position,
        clock=None if teams else clock,
        level=level,
        place=chosen.place or usual.place,
        rated=chosen.rated,
        vote=vote_length(clock) if teams else None,
        rival=chosen.rival,
    )
    if chosen.rival is not None:
        await _challenge_channel(answer, terms, chosen.rival)
        return
    row = await lobby.challenge(terms, opponent_is_bot=False, venue=here, source=answer.source)
    message = await post_challenge(answer, row)
    if to_machine and message is not None:
        await begin_against_machine(answer, row, message)


async def usual_terms(
    services: interactions.Services, here: Venue, guild: GuildId, user: UserId
) -> ChallengeTerms:
    """Return the terms of somebody's usual game against the machine."""
    usual = await services.lobby.usual(guild, here)
    return ChallengeTerms(
        guild=guild,
        channel=here.channel,
        challenger=user,
        opponent=services.publisher.channels.own_id,
        colour=ColourChoice.RANDOM,
        coordinates=usual.coordinates,
        start=usual.start,
        level=await services.lobby.usual_level(user),
        place=usual.place,
    )


async def _challenge_channel(
    answer: interactions.Answer, terms: ChallengeTerms, there: ChannelId
) -> None:
    services = answer.services
    if not _may_play(answer.interaction, there):
        raise CannotVote(VoteProblem.RIVAL, (there,))
    row = await services.lobby.challenge(
        terms,
        opponent_is_bot=False,
        venue=interactions.venue(answer.interaction),
        source=answer.source,
    )
    answer.is_ours = True  # what fails from here on was written by this process
    reader = await services.readers.everybody(terms.guild, there)
    try:
        message = await send(
            services.publisher.channels(there, terms.guild),
            challenge_post(reader, row),
            f"challenge-{row.id}",
        )
    except TROUBLE as error:
        await services.lobby.cancel(row.id, terms.challenger)
        raise CannotVote(VoteProblem.RIVAL, (there,)) from error
    await services.store.challenges.set_message(row.id, message)
    await answer.publicly(challenge_sent(await answer.everybody(), row, message))


def _may_play(asked: interactions.Interaction, rival: ChannelId) -> bool:
    """Tell whether the asker may write in another channel of the server, and I may play there."""
    found, asker = asked.client.get_channel(rival), asked.user
    if not isinstance(found, discord.TextChannel) or asked.guild_id != found.guild.id:
        return False
    if not isinstance(asker, discord.Member) or missing(found.permissions_for(asker), _TO_WRITE):
        return False
    return not missing(found.permissions_for(found.guild.me), to_play(found.type))


async def begin_against_machine(
    answer: interactions.Answer, row: ChallengeRow, message: MessageId
) -> None:
    """Accept a challenge in the machine's name, at once.

    If the bot falls over just before, the challenge's own button does it.
    """
    reader, here = await answer.everybody(), interactions.venue(answer.interaction)
    update, closing = await accept_by_machine(answer.services, reader, row, message, here)
    await answer.publish(update, closing)


async def accept_by_machine(
    services: interactions.Services,
    reader: Reader,
    row: ChallengeRow,
    message: MessageId,
    here: Venue,
) -> tuple[Update, Awaitable[object]]:
    """Accept a challenge in the machine's name; returns what says so on its message, too.

    Where the game is played right there, its first board takes the place of that message.
    """
    terms = row.terms
    assert terms.opponent is not None  # the machine  # noqa: S101
    accepted, update = await services.lobby.accept(
        row.id, terms.opponent, message=message, venue=here, source=SourceId(message)
    )
    if not update.game.row.own_thread:
        if update.game.row.is_solo:
            services.publisher.begin_as(update.game.row, message)
        return update, asyncio.sleep(0)
    post = challenge_accepted(reader, accepted, update.game)
    return update, services.publisher.channels.put_in_place(terms.channel, message, post)


async def close_expired(services: interactions.Services, shards: Shards) -> None:
    with services.work.piece():
        expired = await services.lobby.expire(shards)
    for row in expired:
        await take_down(services, row)


async def take_down(services: interactions.Services, row: ChallengeRow) -> None:
    """Say on the challenge itself that it has expired, or was taken back: tried once."""
    if row.message is None:
        return
    terms = row.terms
    reader = await services.readers.everybody(terms.guild, terms.asked_in, alone=terms.challenger)
    try:
        await services.publisher.channels.put_in_place(
            terms.asked_in, row.message, challenge_closed(reader, row)
        )
    except TROUBLE as error:
        _log.info("a closed challenge keeps its buttons", challenge=row.id, error=str(error))


class PlayMeButton(interactions.Component, template=rf"dvonn:play(?::(?P<level>{_LEVEL}))?"):
    """Play me: a game against the machine, at their last level if none is named."""

    async def respond(self, answer: interactions.Answer) -> None:
        named = self.found["level"]
        level = None if named is None else int(named)
        await begin(answer, ChosenTerms(to_machine=True, level=level))


class ChallengeButton(
    interactions.Component,
    template=r"dvonn:challenge:(?P<challenge>[0-9]{1,18}):(?P<action>accept|decline|cancel)",
):
    """Accept, Decline or Cancel under a challenge."""

    @property
    def challenge(self) -> ChallengeId:
        return ChallengeId(int(self.found["challenge"]))

    async def respond(self, answer: interactions.Answer) -> None:
        lobby, user = answer.services.lobby, answer.user
        if self.action == "accept":
            await self._accept(answer, user)
        elif self.action == "decline":
            row = await lobby.decline(self.challenge, user)
            reader = await answer.everybody(row.terms.challenger)
            await answer.in_place(challenge_closed(reader, row))
        else:
            row = await lobby.cancel(self.challenge, user)
            await answer.in_place(challenge_closed(await answer.everybody(), row))
            if row.terms.rival is not None:
                await take_down(answer.services, row)

    async def _accept(self, answer: interactions.Answer, user: UserId) -> None:
        interaction = answer.interaction
        assert interaction.message is not None  # a button is under a message  # noqa: S101
        row, update = await answer.services.lobby.accept(
            self.challenge,
            user,
            message=MessageId(interaction.message.id),
            venue=interactions.venue(interaction),
            source=answer.source,
        )
        if not update.game.row.own_thread:  # its first board takes the challenge away
            await answer.publish(update, answer.take_away(public=update.game.row.visiting))
            return
        reader = await answer.everybody(row.terms.challenger)
        accepted = challenge_accepted(reader, row, update.game)
        await answer.publish(update, answer.in_place(accepted))
