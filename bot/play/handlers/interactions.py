"""Services, venues and answers for the handlers of interactions."""

import asyncio
import re
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import InitVar, dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import discord
from discord import app_commands

from bot.base.errors import PlayError, StoreError
from bot.base.ids import NO_GUILD, ChannelId, GameId, GuildId, MessageId, Revision, SourceId, UserId
from bot.base.languages import Reader
from bot.connection import permissions
from bot.connection.answers import Deletion, InteractionAnswer
from bot.connection.bounded_cache import BoundedCache
from bot.connection.forms import DynamicComponent, FormCache
from bot.connection.interaction_handling import handling
from bot.connection.posts import File, Post, Select
from bot.connection.tasks import InFlightWork, Tasks
from bot.play.deleted_channels import DeletedChannels
from bot.play.delivery.publisher import Publisher
from bot.play.extension_points import Extensions
from bot.play.game_changes import GameUpdate
from bot.play.handlers.reading_rights import check_may_read
from bot.play.model.conduct import Venue
from bot.play.model.game import Game
from bot.play.model.refusals import TeamVotes
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.terms import GuildRules, Start
from bot.play.readers import NameCache, Readers
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.help import HelpContext, HelpPart
from bot.play.words.notices import not_posted, not_shown
from bot.play.words.pictures import picture_name
from bot.play.words.refusals import RefusalWords
from bot.play.words.views import BoardPart
from dvonn import Node


async def no_line(*_: object) -> None:
    """Return None, for a setting without a line."""


@dataclass(frozen=True, kw_only=True)
class PlaceSetting:
    """A subcommand of /setup."""

    command: app_commands.Command[Any, ..., Any]
    rank: int
    """Position of the subcommand in the list, lowest first."""
    line: Callable[[UseCases, Reader, GuildId, GuildRules], Awaitable[str | None]] = no_line
    """Returns a line about a server's setting, or None if it needs none."""


class OwnBoards(Protocol):
    """Private boards, on which people try moves and ask for hints."""

    async def begin(self, answer: "Answer", start: Start) -> None:
        """Show a new board on which the user plays both sides."""

    async def listed(self, answer: "Answer") -> tuple[Select, ...]:
        """Return the list of the asker's boards, if they have one."""

    async def tree(self, answer: "Answer", game: Game) -> Node | None:
        """Return a game's moves with the asker's own notes, or None if they have none."""

    async def hint(self, services: "Services", game: GameId, user: UserId, reader: Reader) -> Post:
        """Return the machine's move as a hint for a player in a game.

        Raises:
            PlayError: if the player is not allowed to have one.
        """

    def where_to_paste(self, reader: Reader) -> str:
        """Return a sentence that explains where to paste a game or a position."""

    def button_id(self, game: Game) -> str:
        """Return the id of the button for a board to try a game's next moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpectatorActions:
    """Answers to *Move* and *Type a move* for a spectator.

    Both raise a `PlayError` if they open nothing.
    """

    pick: Callable[["Answer", GameId], Awaitable[None]]
    type: Callable[["Answer", GameId], Awaitable[None]]


@dataclass(kw_only=True, eq=False)
class Services(UseCases):
    """The services that commands, buttons and typed moves use."""

    cases: InitVar[UseCases]
    refusal: RefusalWords
    """Returns the text for a refusal."""
    names: NameCache
    readers: Readers
    publisher: Publisher
    deleted_channels: DeletedChannels
    work: InFlightWork
    place_settings: Sequence[PlaceSetting]
    """Settings for moderators that features add."""
    extensions: Extensions = field(default_factory=Extensions)
    """Additions of features to the game and to each other."""
    own_boards: OwnBoards | None = None
    spectators: SpectatorActions | None = None
    tasks: Tasks
    """Work that stops when the client stops."""
    check_later: Callable[[ChannelId], None]
    """Checks a channel's game after a delay, because another process has handled a request."""
    help_parts: Sequence[HelpPart] = ()
    """The features' additions to /help."""
    forms: FormCache = field(default_factory=FormCache)
    pickers: BoundedCache[GameId, Deletion] = field(default_factory=BoundedCache)
    """Functions that delete private move pickers, called once the game has changed."""
    hints: BoundedCache[GameId, Deletion] = field(default_factory=BoundedCache)
    """Functions that delete hints, like `pickers`."""

    def __post_init__(self, cases: UseCases) -> None:
        """Copy the use cases into attributes of this object."""
        vars(self).update(vars(cases))


class ServicesClient(discord.AutoShardedClient):
    """A client with the services, so that commands and buttons find them."""

    services: Services
    commands: tuple[app_commands.Command[Any, Any, Any] | app_commands.Group, ...] = ()
    board_parts: tuple[BoardPart, ...] = ()
    game_page: str = ""
    """URL of the page that shows games in links, or "" if there is none."""
    command_ids: Mapping[str, int] = MappingProxyType({})
    """Discord's ids of our commands by name, once they are known."""

    @property
    def own_id(self) -> UserId | None:
        """The bot's own user id, once it is logged in."""
        return None if self.user is None else UserId(self.user.id)

    @property
    def machine(self) -> UserId | None:
        return self.own_id if self.services.has_machine else None


Interaction = discord.Interaction[ServicesClient]


_BOARD_WAIT_S = 1.0

_MAX_END_AGE = timedelta(days=90)
"""Time after a game's end within which players are still notified of it."""


class Answer(InteractionAnswer):
    """The answer to one interaction, with access to the services."""

    interaction: Interaction

    def __init__(self, interaction: Interaction) -> None:
        super().__init__(interaction)
        self.client = interaction.client
        self.services = self.client.services
        self.user = UserId(interaction.user.id)
        self.guild = GuildId(interaction.guild_id or NO_GUILD)
        self.source = SourceId(interaction.id)
        self.work = self.services.work
        self.slots, self.forms = self.services.publisher.channels.slots, self.services.forms

    async def check_may_read(self, match_or_game: re.Match[str] | GameId) -> None:
        """Check that the user may read a game, or the game in a custom id, if any.

        Raises:
            OutOfSight: if they may not.
        """
        if isinstance(match_or_game, re.Match):
            groups = match_or_game.groupdict()
            text = groups.get("game") or groups.get("subject") or ""
            if not text.isdecimal():
                return
            match_or_game = GameId(int(text))
        channels = self.services.publisher.channels
        await check_may_read(self.services, channels, self.interaction, match_or_game)

    async def public_reader(self, begun_by: UserId | None = None) -> Reader:
        """Return the reader of a public answer. `begun_by` is this user by default."""
        interaction, user = self.interaction, self.user
        return await self.services.readers.for_channel(
            self.guild,
            ChannelId(interaction.channel_id or 0),
            recipient=None if permissions.is_visiting(interaction) else user,
            begun_by=begun_by or user,
        )

    async def check_member(self, user: UserId | None) -> None:
        """Check that a challenged user is in the server.

        Raises:
            BadOpponent: if Discord reports that they aren't.
        """
        if user is None or permissions.is_visiting(self.interaction):
            return
        if user in await self.services.publisher.channels.departed(self.guild, [user]):
            raise BadOpponent(OpponentProblem.GONE)

    async def publish(
        self,
        update: GameUpdate,
        response: Awaitable[object] | None = None,
        *,
        posted_boards: Mapping[str, MessageId] = MappingProxyType({}),
    ) -> None:
        """Send an update's deliveries, then answer the user.

        If sending fails, tell them.

        The answer waits for the board, but only briefly. `posted_boards` contains boards that are
        already in the channel, as for `Publisher.publish`.
        """
        self.is_ours = True
        publisher = self.services.publisher
        if update.game.row.visiting:
            await self._publish_after(update, response, posted_boards)
            return
        sending = asyncio.ensure_future(publisher.publish(update, posted_boards))
        await asyncio.wait((sending,), timeout=_BOARD_WAIT_S)
        if response is not None:
            await response
        if not await sending:
            missing = publisher.channels.missing(update.game.row.channel)
            await self.send_private(Post(content=not_posted(self.reader, missing)))

    async def play_or_vote(
        self,
        playing: Awaitable[GameUpdate],
        say: Callable[[Post], Coroutine[Any, Any, object]],
        show_next: Callable[[GameUpdate], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        """Play a user's move, or count it as their vote if a team is to move.

        `show_next` shows the next view after the move, instead of the one that led to it.

        Raises:
            The same errors as `playing` and `Teams.cast`, except TeamVotes.
        """
        try:
            update = await playing
        except TeamVotes as team_votes:
            voted = await self.services.teams.cast(
                team_votes,
                self.user,
                channel=ChannelId(self.interaction.channel_id or 0),
                source=self.source,
            )
            await say(voted(self.reader))
            return
        if show_next is not None:
            await self.publish(update, show_next(update))
        else:
            await self.publish_move(update, say)

    async def publish_move(
        self, update: GameUpdate, say: Callable[[Post], Coroutine[Any, Any, object]]
    ) -> None:
        """Publish a move.

        Its board announces it, and the view from which it was played is removed.

        If a player moves with the board's own buttons, the board shows that the machine is
        thinking.
        """
        game = update.game
        if update.plan_note is not None:
            words = update.plan_note.text(self.reader, game, self.user)
            await self.publish(update, say(Post(content=words)))
        else:
            before = Revision(update.events[0].event.revision - 1)
            message = self.interaction.message
            if game.waits_for_machine and message is not None and self.is_on_board(game, before):
                publisher = self.services.publisher
                await self.edit_message(await publisher.board(game))
                publisher.replace_with_board(
                    game.row, MessageId(message.id), revision=game.row.revision
                )
            await self.publish(update, self.dismiss())

    def is_on_board(self, game: Game, revision: Revision) -> bool:
        """Return True if a button was pressed on a board that can be edited for its player."""
        message, name = self.interaction.message, picture_name(game.row.id, revision)
        return (
            game.row.is_solo
            and not self.reader.uses_screen_reader
            and message is not None
            and not message.flags.ephemeral
            and any(file.filename == name for file in message.attachments)
        )

    async def _publish_after(
        self,
        update: GameUpdate,
        response: Awaitable[object] | None,
        posted_boards: Mapping[str, MessageId],
    ) -> None:
        """Publish after the answer. As a guest, the bot can only send follow-ups to an answer."""
        try:
            if response is not None:
                await response
        finally:
            is_sent = await self.services.publisher.publish(update, posted_boards)
        if not is_sent:
            await self.send_private(Post(content=not_shown(self.reader)))

    async def find_reader(self) -> Reader:
        return await self.services.readers.for_interaction(self.interaction)

    async def render(self, post: Post) -> Sequence[File]:
        render = self.services.publisher.render_picture
        return await asyncio.gather(*map(render, post.pictures))

    def refusal(self, error: PlayError) -> str:
        return self.services.refusal(self.reader, error)

    async def is_handled(self) -> bool:
        try:
            store, source = self.services.store, self.source
            return await store.games.has_source(source) or await store.challenges.has_source(source)
        except StoreError:
            return False

    def leave_to_other(self) -> None:
        if self.interaction.channel_id is not None:
            self.services.check_later(ChannelId(self.interaction.channel_id))

    async def send_pending(self) -> None:
        """Announce the end of a game, such as a loss on time, if it has not been announced yet."""
        services, channel = self.services, ChannelId(self.interaction.channel_id or 0)
        with suppress(StoreError):
            since = self.interaction.created_at - _MAX_END_AGE
            game = await services.store.games.newest_in(channel, since=since)
            if game is not None and game.visiting:
                await services.publisher.sender.resume_game(game.id, game.revision)


def answering(interaction: Interaction) -> AbstractAsyncContextManager[Answer]:
    """Handle an interaction. Refusals and failures become private answers."""
    return handling(Answer(interaction))


class Component(DynamicComponent, template=r"(?!)"):
    """Base class of buttons and selects that respond whenever they are used."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with answering(interaction) as answer:
            await self.check(answer)
            await self.respond(answer)

    async def check(self, answer: Answer) -> None:
        """Check that the user may use this component here. Refusals become private answers."""
        await answer.check_may_read(self.match)

    @abstractmethod
    async def respond(self, answer: Answer) -> None:
        """Respond to the interaction. Refusals and failures become private answers."""


_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)


AnyCommand = app_commands.Command[Any, Any, Any] | app_commands.Group

_LINE = "line in help"

_AnyCommand = TypeVar("_AnyCommand", bound=AnyCommand)
_Command = TypeVar("_Command")


_any_install = app_commands.allowed_installs(guilds=True, users=True)
_everywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
_among_people = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=True)
_in_servers = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
_guild_install = app_commands.allowed_installs(guilds=True, users=False)


def anywhere(command: _Command) -> _Command:
    return _any_install(_everywhere(command))


def among_people(command: _Command) -> _Command:
    """Offer a command everywhere except in direct messages with the bot."""
    return _any_install(_among_people(command))


def in_servers(command: _Command) -> _Command:
    """Offer a command only in servers that have installed the bot."""
    return _guild_install(_in_servers(command))


def in_help(
    *, full_name: str | None = None, condition: Callable[[HelpContext], bool] = bool
) -> Callable[[_AnyCommand], _AnyCommand]:
    """Give a command a line on the first page of /help, in the order of registration.

    Args:
        full_name: The name of the command of a group that the line is about.
        condition: Returns True if the command is useful where /help was used. Always by default.
    """

    def add_line(command: _AnyCommand) -> _AnyCommand:
        def line(reader: Reader, context: HelpContext) -> str | None:
            if not condition(context):
                return None
            named: AnyCommand = command
            if full_name is not None and isinstance(command, app_commands.Group):
                named = command.get_command(full_name.split()[-1]) or command
            described = reader.gettext(str(named.description))
            return f"{context.command(full_name or command.name)} – {described}."

        command.extras[_LINE] = line
        return command

    return add_line


def help_lines(commands: Iterable[AnyCommand], reader: Reader, context: HelpContext) -> list[str]:
    """Return the lines of /help about the commands that have one for this place."""
    lines = (
        command.extras[_LINE](reader, context) for command in commands if _LINE in command.extras
    )
    return [line for line in lines if line is not None]


def channel_of(interaction: Interaction) -> ChannelId:
    return ChannelId(interaction.channel_id or 0)


def guild_of(interaction: Interaction) -> GuildId:
    return GuildId(interaction.guild_id or NO_GUILD)


def venue(interaction: discord.Interaction[Any]) -> Venue:
    place, channel = interaction.channel, ChannelId(interaction.channel_id or 0)
    if permissions.is_visiting(interaction):
        muffled = permissions.is_muffled(interaction)
        return Venue(
            channel=channel, home=channel, has_threads=False, visiting=True, is_muffled=muffled
        )
    if permissions.is_direct(interaction):  # no permission can be missing there
        return Venue(channel=channel, home=channel, has_threads=False, is_direct=True)
    kind = None if place is None else place.type
    to_play_here = permissions.to_play(kind)
    for_threads = {
        flag: name for flag, name in permissions.TO_OPEN_THREADS.items() if flag not in to_play_here
    }
    return Venue(
        channel=channel,
        home=ChannelId(place.parent_id) if isinstance(place, discord.Thread) else channel,
        has_threads=kind in _WITH_THREADS,
        lacking=permissions.missing(interaction.app_permissions, to_play_here),
        lacking_for_threads=permissions.missing(interaction.app_permissions, for_threads),
        asker_may_mend=permissions.may_give_permissions(interaction.permissions),
    )


ReadForm = Callable[[Interaction], Awaitable[None]]
"""Handles a submitted form whose id it knows."""
_Read = Callable[[Answer, re.Match[str], Any], Awaitable[None]]


def form(template: str) -> Callable[[_Read], ReadForm]:
    """Make the decorated function handle forms whose custom id matches a template."""

    def decorate(handler: _Read) -> ReadForm:
        async def read_form(interaction: Interaction) -> None:
            data: Any = interaction.data or {}
            if match := re.fullmatch(template, str(data.get("custom_id", ""))):
                async with answering(interaction) as answer:
                    await answer.check_may_read(match)
                    await handler(answer, match, data)

        return read_form

    return decorate
