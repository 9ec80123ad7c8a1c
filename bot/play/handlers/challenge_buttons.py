"""Posts challenges, handles their buttons, and cleans up their messages."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog

from bot.base.errors import PlayError
from bot.base.ids import ChallengeId, GuildId, MessageId, Shards, SourceId, UserId
from bot.base.languages import Reader
from bot.connection.permissions import is_visiting
from bot.connection.posts import Post
from bot.connection.request_errors import DISCORD_ERRORS
from bot.play.game_changes import GameUpdate
from bot.play.handlers import interactions
from bot.play.model.conduct import Venue
from bot.play.model.refused_starts import BadOpponent, ChannelBusy, OpponentProblem
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColorChoice,
    Place,
    Start,
)
from bot.play.model.typed_clocks import chosen_clock
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.challenges import challenge_accepted, challenge_closed, machine_game_in_thread
from bot.play.words.pictures import picture_name
from dvonn import Coordinates
from dvonn._records.position_text import PrintedPosition
from dvonn.machine import LEVELS

_log = structlog.get_logger()
_LEVEL: Final = "|".join(map(str, reversed(LEVELS)))


async def post_challenge(answer: interactions.Answer, row: ChallengeRow) -> None:
    """Post a challenge between people, and store its message's id."""
    visiting = is_visiting(answer.interaction)
    services, reader = answer.services, await answer.public_reader()
    away = await services.vacations.away(row.terms)
    message = await answer.send_public(challenge_post(reader, row, visiting=visiting, away=away))
    if message is None:
        return
    try:
        stored_row = await services.store.challenges.set_message(row.id, message)
        if stored_row.state is ChallengeState.CANCELLED:
            # If the user withdrew it while it was being posted, its message was not known yet.
            await close_challenge_message(services, stored_row)
    except Exception:
        # The challenge works without this, but its buttons will remain after it has expired.
        _log.exception("challenge message not saved", challenge=row.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedTerms:
    """The game that a user asks for. A field that is None takes the server's default."""

    to_machine: bool = False
    opponent: UserId | None = None
    """The opponent, or None for the machine or anyone."""
    level: int | None = None
    """The machine's level, or None for the user's last choice."""
    colour: ColorChoice = ColorChoice.RANDOM
    start: Start | None = None
    position: PrintedPosition | None = None
    """The start position, if the game starts from one."""
    clock: str | None = None
    """Clock text.

    In a team game, the time per vote. None means no clock against the machine, and the server's
    default otherwise.
    """
    weekends: str | None = None
    coordinates: Coordinates | None = None
    place: Place | None = None
    rated: bool | None = None
    strict: bool = False
    teams: bool = False
    """True if everyone in the channel plays against the machine as a team."""


async def begin(answer: interactions.Answer, request: RequestedTerms) -> None:
    """Post the challenge that a user asks for.

    A game against the machine starts immediately.

    Raises:
        BadClock, UnknownZone: if the clock is invalid.
        BadOpponent: if the machine is switched off here.
        The same errors as `Lobby.challenge`.
    """
    venue, lobby = interactions.venue(answer.interaction), answer.services.lobby
    guild, machine = interactions.guild_of(answer.interaction), answer.client.own_id
    defaults = await lobby.defaults_for(guild, venue)
    if request.teams:
        defaults = answer.services.teams.adapt_defaults(defaults)
    clock = chosen_clock(
        request.clock, request.weekends, None if request.to_machine else defaults.clock
    )
    to_machine = request.to_machine or (
        request.opponent is not None and request.opponent == machine
    )
    if to_machine and answer.client.machine is None:
        raise BadOpponent(OpponentProblem.NO_MACHINE)
    if not to_machine:
        await answer.check_member(request.opponent)
    level = None
    if to_machine:
        level = request.level or await lobby.usual_level(answer.user)
    terms = ChallengeTerms(
        guild=guild,
        channel=venue.channel,
        challenger=answer.user,
        opponent=machine if to_machine else request.opponent,
        colour=request.colour,
        coordinates=request.coordinates or defaults.coordinates,
        start=request.start or defaults.start,
        position=request.position,
        clock=None if request.teams else clock,
        level=level,
        place=request.place or defaults.place,
        rated=request.rated,
        strict=request.strict,
        vote=answer.services.teams.vote_length(clock) if request.teams else None,
    )
    row = await lobby.challenge(terms, opponent_is_bot=False, venue=venue, source=answer.source)
    await (answer_with_game(answer, row) if to_machine else post_challenge(answer, row))


async def usual_terms(
    services: interactions.Services, venue: Venue, guild: GuildId, user: UserId
) -> ChallengeTerms:
    """Return the terms of a user's usual game against the machine."""
    defaults = await services.lobby.defaults_for(guild, venue)
    return ChallengeTerms(
        guild=guild,
        channel=venue.channel,
        challenger=user,
        opponent=services.publisher.channels.own_id,
        colour=ColorChoice.RANDOM,
        coordinates=defaults.coordinates,
        start=defaults.start,
        level=await services.lobby.usual_level(user),
        place=defaults.place,
    )


async def answer_with_game(answer: interactions.Answer, row: ChallengeRow) -> None:
    """Start a game against the machine, and answer with its first board instead of a challenge."""
    answer.is_ours = True  # from here on, this process answers the request, even if it fails
    venue, reader = interactions.venue(answer.interaction), await answer.public_reader()
    new_game = await begin_against_machine(
        answer.services, reader, row, venue, source=answer.source, say=answer.send_public
    )
    if new_game is not None:
        await answer.publish(new_game.update, posted_boards=new_game.posted)


Say = Callable[[Post], Awaitable[MessageId | None]]
"""Posts a message where the game was requested. Returns None if Discord refused it."""


@dataclass(frozen=True, slots=True)
class StartedGame:
    """A game against the machine that has just started."""

    update: GameUpdate
    posted: Mapping[str, MessageId]
    """The board that is already in the channel, by its picture's name."""


async def begin_against_machine(
    services: interactions.Services,
    reader: Reader,
    row: ChallengeRow,
    venue: Venue,
    *,
    source: SourceId,
    say: Say,
) -> StartedGame | None:
    """Accept a challenge that was not posted, on behalf of the machine.

    The answer is the game's first board, or the message from which its thread starts. If the
    machine goes first, its move replaces that board.

    Returns None if Discord refused the message for the thread. In that case there is no game.

    Raises:
        PlayError: as raised by `Lobby.accept`. The challenge is then withdrawn.
    """
    try:
        if row.terms.place is not Place.THREAD:
            try:
                return await _begin_here(services, row, venue, source, say)
            except ChannelBusy:
                if row.terms.vote is not None or not venue.thread_possible:
                    raise
        return await _begin_in_thread(services, reader, row, venue, source, say)
    except PlayError:
        with suppress(PlayError):
            await services.lobby.cancel(row.id, row.terms.challenger)
        raise


async def _begin_here(
    services: interactions.Services,
    row: ChallengeRow,
    venue: Venue,
    source: SourceId,
    say: Say,
) -> StartedGame:
    update = await services.lobby.accept_by_machine(row, venue=venue, source=source)
    game, publisher = update.game, services.publisher
    message = await say(await publisher.board(game))
    if message is None:
        return StartedGame(update, {})
    publisher.replace_with_board(game.row, message)
    # no delivery announces this board, and one with the machine's move follows
    if game.waits_for_machine:
        await services.store.challenges.set_message(row.id, message)
    return StartedGame(update, {picture_name(game.row.id, game.row.revision): message})


async def _begin_in_thread(
    services: interactions.Services,
    reader: Reader,
    row: ChallengeRow,
    venue: Venue,
    source: SourceId,
    say: Say,
) -> StartedGame | None:
    message = await say(machine_game_in_thread(reader, row))
    if message is None:
        await services.lobby.cancel(row.id, row.terms.challenger)
        return None
    try:
        update = await services.lobby.accept_by_machine(
            row, venue=venue, source=source, message=message
        )
    except PlayError:
        with suppress(*DISCORD_ERRORS):
            await services.publisher.channels.delete(venue.channel, message)
        raise
    return StartedGame(update, {})


async def close_expired(services: interactions.Services, shards: Shards) -> None:
    with services.work.track():
        expired = await services.lobby.expire(shards)
    for row in expired:
        await close_challenge_message(services, row)


async def close_challenge_message(services: interactions.Services, row: ChallengeRow) -> None:
    """Mark the challenge's message as expired or withdrawn. This is attempted only once."""
    if row.message is None:
        return
    terms = row.terms
    reader = await services.readers.for_channel(
        terms.guild, terms.channel, recipient=terms.challenger
    )
    try:
        await services.publisher.channels.replace_text(
            terms.channel, row.message, challenge_closed(reader, row)
        )
    except DISCORD_ERRORS as error:
        _log.info("challenge cleanup refused", challenge=row.id, error=str(error))


class PlayMeButton(interactions.Component, template=rf"dvonn:play(?::(?P<level>{_LEVEL}))?"):
    """Button that starts a game against the machine, by default at the user's last level."""

    async def respond(self, answer: interactions.Answer) -> None:
        level_text = self.match["level"]
        level = None if level_text is None else int(level_text)
        await begin(answer, RequestedTerms(to_machine=True, level=level))


class ChallengeButton(
    interactions.Component,
    template=r"dvonn:challenge:(?P<challenge>[0-9]{1,18}):(?P<action>accept|decline|cancel)",
):
    """Buttons Accept, Decline and Cancel below a challenge."""

    @property
    def challenge(self) -> ChallengeId:
        return ChallengeId(int(self.match["challenge"]))

    async def respond(self, answer: interactions.Answer) -> None:
        lobby, user = answer.services.lobby, answer.user
        if self.action == "accept":
            await self._accept(answer, user)
        elif self.action == "decline":
            row = await lobby.decline(self.challenge, user)
            reader = await answer.public_reader(row.terms.challenger)
            await answer.edit_message(challenge_closed(reader, row))
        else:
            row = await lobby.cancel(self.challenge, user)
            await answer.edit_message(challenge_closed(await answer.public_reader(), row))

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
        if not update.game.row.own_thread:  # otherwise the first board replaces the challenge
            await answer.publish(update, answer.dismiss(public=update.game.row.visiting))
            return
        reader = await answer.public_reader(row.terms.challenger)
        accepted = challenge_accepted(reader, row, update.game)
        await answer.publish(update, answer.edit_message(accepted))
