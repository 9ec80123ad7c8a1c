"""The messages of challenges: posted, answered by their buttons, tidied up after a while."""

from collections.abc import Awaitable
from dataclasses import replace
from datetime import timedelta

import structlog

from bot.base.ids import ChallengeId, GuildId, MessageId, Shards, SourceId, UserId
from bot.base.locales import Reader
from bot.connection.permissions import is_visiting
from bot.connection.requests import TROUBLE
from bot.play.doors.interactions import Answer, Component, Services, guild_of, venue
from bot.play.model.clock import TimeControl
from bot.play.model.conduct import Venue
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColourChoice,
    Place,
    Start,
)
from bot.play.model.voting import for_teams
from bot.play.use_cases.update import Update
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.challenges import challenge_accepted, challenge_closed
from dvonn import Coordinates

_log = structlog.get_logger()


async def post_challenge(answer: Answer, row: ChallengeRow) -> MessageId | None:
    """Post a challenge, and remember as which message; returns that."""
    visiting = is_visiting(answer.interaction)
    post = challenge_post(await answer.everybody(), row, visiting=visiting)
    message = await answer.publicly(post)
    if message is None:
        return None
    services = answer.services
    try:
        known = await services.store.challenges.set_message(row.id, message)
        if known.state is ChallengeState.CANCELLED:
            # Who took it back while it was being posted could not know where it stands.
            await take_down(services, known)
    except Exception:
        # It works without; only its buttons will stay when it has expired.
        _log.exception("a challenge's message was not written down", challenge=row.id)
    return message


async def play_machine(
    answer: Answer,
    *,
    level: int | None = None,
    colour: ColourChoice = ColourChoice.RANDOM,
    start: Start | None = None,
    clock: TimeControl | None = None,
    coordinates: Coordinates | None = None,
    place: Place | None = None,
    rated: bool | None = None,
    vote: timedelta | None = None,
) -> None:
    """Begin a game against the machine, of the asker or, with a vote, of their channel.

    What is None is as usual in the server, the level as they chose it last; without a clock the
    game has none.

    Raises:
        As `challenge_machine`.
    """
    here, guild = venue(answer.interaction), guild_of(answer.interaction)
    usual = await usual_terms(answer.services, here, guild, answer.user, vote=vote)
    terms = replace(
        usual,
        colour=colour,
        coordinates=coordinates or usual.coordinates,
        start=start or usual.start,
        clock=clock,
        level=level or usual.level,
        place=place or usual.place,
        rated=rated,
    )
    await challenge_machine(answer, terms)


async def usual_terms(
    services: Services, here: Venue, guild: GuildId, user: UserId, *, vote: timedelta | None = None
) -> ChallengeTerms:
    """Return the terms of somebody's usual game against the machine, or of their channel's."""
    usual = await services.lobby.usual(guild, here)
    if vote is not None:
        usual = for_teams(usual)
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
        vote=vote,
    )


async def challenge_machine(answer: Answer, terms: ChallengeTerms) -> None:
    """Post a challenge to the machine, which accepts at once.

    Raises:
        BadOpponent: if the machine is switched off here.
        And what `Lobby.challenge` raises.
    """
    if answer.client.machine is None:
        raise BadOpponent(OpponentProblem.NO_MACHINE)
    row = await answer.services.lobby.challenge(
        terms, opponent_is_bot=False, venue=venue(answer.interaction), source=answer.source
    )
    message = await post_challenge(answer, row)
    if message is not None:
        await begin_against_machine(answer, row, message)


async def begin_against_machine(answer: Answer, row: ChallengeRow, message: MessageId) -> None:
    """Accept a challenge in the machine's name, at once.

    If the bot falls over just before, the challenge's own button does it.
    """
    reader, here = await answer.everybody(), venue(answer.interaction)
    update, closing = await accept_by_machine(answer.services, reader, row, message, here)
    await answer.publish(update, closing)


async def accept_by_machine(
    services: Services, reader: Reader, row: ChallengeRow, message: MessageId, here: Venue
) -> tuple[Update, Awaitable[object]]:
    """Accept a challenge in the machine's name; returns what says so on its message, too."""
    terms = row.terms
    assert terms.opponent is not None  # the machine  # noqa: S101
    accepted, update = await services.lobby.accept(
        row.id, terms.opponent, message=message, venue=here, source=SourceId(message)
    )
    post = challenge_accepted(reader, accepted, update.game)
    return update, services.publisher.channels.put_in_place(terms.channel, message, post)


async def close_expired(services: Services, shards: Shards) -> None:
    with services.work.piece():
        expired = await services.lobby.expire(shards)
    for row in expired:
        await take_down(services, row)


async def take_down(services: Services, row: ChallengeRow) -> None:
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


class PlayMeButton(Component, template=r"dvonn:play(?::(?P<level>10|[1-9]))?"):
    """Play me: a game against the machine, at their last level if none is named."""

    async def respond(self, answer: Answer) -> None:
        named = self.found["level"]
        await play_machine(answer, level=None if named is None else int(named))


class ChallengeButton(
    Component,
    template=r"dvonn:challenge:(?P<challenge>[0-9]{1,18}):(?P<action>accept|decline|cancel)",
):
    """Accept, Decline or Cancel under a challenge."""

    @property
    def challenge(self) -> ChallengeId:
        return ChallengeId(int(self.found["challenge"]))

    async def respond(self, answer: Answer) -> None:
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

    async def _accept(self, answer: Answer, user: UserId) -> None:
        interaction = answer.interaction
        services = answer.services
        assert interaction.message is not None  # a button is under a message  # noqa: S101
        row, update = await services.lobby.accept(
            self.challenge,
            user,
            message=MessageId(interaction.message.id),
            venue=venue(interaction),
            source=answer.source,
        )
        reader = await answer.everybody(row.terms.challenger)
        accepted = challenge_accepted(reader, row, update.game)
        await answer.publish(update, answer.in_place(accepted))
