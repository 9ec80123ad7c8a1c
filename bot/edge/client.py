"""The client: hears Discord's events and hands each to the part that knows what to do."""

import asyncio
import sys
from collections.abc import Coroutine
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket

from bot.edge import buttons
from bot.edge.challenges import close_expired
from bot.edge.channels import Channels
from bot.edge.commands import command_tree
from bot.edge.delivery.publisher import Publisher
from bot.edge.desk import Desk, DeskClient
from bot.edge.events import pass_over_broken_ones
from bot.edge.forms import read_form
from bot.edge.gate import Gate
from bot.edge.hearing import Hearing
from bot.edge.hour import Time
from bot.edge.identifying import Identifying
from bot.edge.intime import tracing
from bot.edge.listener import Listener
from bot.edge.machine import MachinePlayer
from bot.edge.permissions import can_read, reads
from bot.edge.requests import Requests
from bot.edge.timekeeping import keep_time
from bot.edge.typed import Typist
from bot.edge.vanished import Vanished
from bot.edge.work import Work, end
from bot.errors import StoreError
from bot.games import (
    Archive,
    Blocks,
    Choices,
    Games,
    Ledger,
    Lobby,
    Offers,
    Pie,
    Planning,
    Rematches,
    Reminders,
    StandIn,
    Timekeeper,
)
from bot.games.clocks import ClockRoom
from bot.games.closing import Closing
from bot.games.vacations import Vacations
from bot.model.ids import ChannelId, GuildId, Shards, UserId
from bot.operations.life import CONNECTED_WITHIN, CONNECTING, Life
from bot.operations.metrics import GATEWAY_CONNECTED, GATEWAY_SESSIONS
from bot.opponent import Machine
from bot.store import Store

_log = structlog.get_logger()

# discord.py warns of missing voice libraries; this bot never speaks.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

_AGAIN = timedelta(seconds=5)
"""A new session is begun again so long after the database could not be used for it."""
_HEARD_EVERY = timedelta(seconds=30)
_PATIENCE = timedelta(seconds=10)
"""How long a stop waits for what is being done."""


def intents(*, message_content: bool) -> discord.Intents:
    """What the bot wants to hear: servers, their channels, and what is written there or to it."""
    wanted = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
    wanted.message_content = message_content
    return wanted


class DvonnClient(DeskClient):
    """The bot as Discord sees it."""

    def __init__(
        self,
        store: Store,
        *,
        time: Time,
        life: Life,
        identifying: Identifying,
        rng: Random,
        message_content: bool,
        shards: Shards | None = None,
        machine: Machine | None = None,
    ) -> None:
        self._requests = Requests(life)
        self._identifying = identifying
        self._gate = Gate(self, identifying, time, self._keep_running)
        super().__init__(
            **_chosen(shards),
            intents=intents(message_content=message_content),
            http_trace=self._gate.watch(self._requests.tracing(tracing(time))),
            # Nothing is read from these caches, and a big bot's memory is mostly caches.
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.5,  # nothing waits for the list of servers to be complete
        )
        pass_over_broken_ones(self._connection.parsers)
        self._requests.guard(self.http)
        self._store = store
        self._time = time
        self._life = life
        now = time.now
        work = Work()
        archive = Archive(store)
        ledger = Ledger(store, archive, now=now)
        games = Games(store, archive, ledger, now=now)
        reminders = Reminders(store, archive, ledger, now=now)
        channels = Channels(self)
        closing = Closing(archive, ledger)
        vanished = Vanished(channels, store, games, closing, work, now=now)
        lobby = Lobby(store, archive, ledger, now=now, rng=rng)
        self.desk = Desk(
            lobby=lobby,
            rematches=Rematches(store, lobby, now=now),
            games=games,
            offers=Offers(store, archive, ledger, now=now, rng=rng),
            pie=Pie(store, archive, ledger),
            planning=Planning(store, games),
            timekeeper=Timekeeper(store, archive, ledger, reminders, now=now),
            clocks=ClockRoom(store, games, now=now),
            vacations=Vacations(store, now=now),
            choices=Choices(store, now=now),
            blocks=Blocks(store, now=now),
            stand_in=StandIn(store, archive, now=now),
            store=store,
            publisher=Publisher(channels, store, games, reminders, work, vanished, now=now),
            vanished=vanished,
            work=work,
        )
        self._machine_player: MachinePlayer | None = None
        self.has_machine = machine is not None
        if machine is not None:
            self._machine_player = MachinePlayer(machine, self.desk, self.desk.publisher.channels)
            self.desk.publisher.watch(self._machine_player.consider)
        self._tree = command_tree(self)
        self._listener: Listener | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def setup_hook(self) -> None:
        """Get ready, after the login and before the first event."""
        assert self.user is not None  # we are logged in  # noqa: S101
        reads = self.intents.message_content
        typist = Typist(
            self.desk,
            UserId(self.user.id),
            reads=reads,
            elsewhere=self.done_elsewhere,
            now=self._time.now,
        )
        self._listener = Listener(typist, self.desk)
        self.add_dynamic_items(*buttons.ALL)
        await self.desk.publisher.sender.prepare()
        await self._use_gateway()
        await self._sync_commands()
        self._keep_running("requests", self._requests.keep_asking(self.http))

    async def close(self) -> None:
        """Finish what is being done, then stop everything that was started."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE.total_seconds()):
                await self.desk.work.settled()
        if self._machine_player is not None:
            await self._machine_player.close()
        await end(self._tasks)
        if self._listener is not None:
            await self._listener.close()
        self.desk.publisher.close()
        await self._requests.close()
        await super().close()

    def done_elsewhere(self, channel: ChannelId) -> None:
        """See to it that the machine answers, should the other process not come to that."""
        if self._machine_player is not None:
            self._machine_player.look_later(channel)

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """Connect a shard for the first time, once it may begin a session."""
        await self._gate.before_launch(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(
        self,
        shard_id: int | None,
        *,
        initial: bool = False,  # noqa: ARG002 - the first one is counted like the others
    ) -> None:
        """Begin a session, if that is allowed by now."""
        await self._gate.before_identify(shard_id or 0)

    async def on_shard_connect(self, shard_id: int) -> None:
        """A session is new: what was said before it is read from the channels."""
        GATEWAY_CONNECTED.labels(shard_id).set(1)
        GATEWAY_SESSIONS.labels(shard_id, "anew").inc()
        self._gate.connection(shard_id).is_new()
        self._begin(shard_id)

    def _begin(self, shard_id: int) -> None:
        shards = Shards((shard_id,), self.shard_count or 1)
        _log.info("connected", shard=shard_id, shards=shards.count)
        assert self._listener is not None  # made in setup_hook  # noqa: S101
        # At once: what comes with the session must not overtake what was missed before it.
        self._listener.expect(shard_id)
        self._keep_running(f"catch up {shard_id}", self._start_shard(shards))

    async def on_shard_resumed(self, shard_id: int) -> None:
        """A session goes on; Discord tells what was missed."""
        GATEWAY_CONNECTED.labels(shard_id).set(1)
        GATEWAY_SESSIONS.labels(shard_id, "resumed").inc()
        if self._gate.connection(shard_id).is_doubted:
            self._begin(shard_id)  # what it did not tell before, it may not tell now

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """A connection is gone; discord.py makes another."""
        GATEWAY_CONNECTED.labels(shard_id).set(0)

    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote something."""
        if self._listener is not None:
            with self.desk.work.piece():
                await self._listener.hear(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """A message has changed: perhaps somebody has mended a typo."""
        if self._listener is not None:
            with self.desk.work.piece():
                await self._listener.hear_edited(event.message)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """A channel's permissions may have come back."""
        await self._permissions_changed(after.guild)
        if can_read(after) and not can_read(before):
            await self._read_again(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """A role's permissions may have come back."""
        await self._permissions_changed(after.guild)
        gained = reads(after.permissions) and not reads(before.permissions)
        if gained and after in after.guild.me.roles:
            await self._read_again(after.guild)

    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """A thread may have been unlocked."""
        await self._permissions_changed(after.guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is back after an outage of Discord's, or has let the bot in again."""
        await self._permissions_changed(guild)
        if self.desk.vanished.back(GuildId(guild.id)):
            await self._read_again(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server has removed the bot, or is no more."""
        self.desk.vanished.left(GuildId(guild.id))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has let the bot in, perhaps once more."""
        await self.on_guild_available(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is no more, and the threads in it."""
        guild, gone = GuildId(channel.guild.id), ChannelId(channel.id)
        with self.desk.work.piece():
            await self.desk.vanished.channel_deleted(guild, gone)

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """A thread is no more."""
        with self.desk.work.piece():
            await self.desk.vanished.look_in(ChannelId(event.thread_id))

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """An event could not be dealt with; where the database is to blame, it has been told."""
        if not isinstance(sys.exc_info()[1], StoreError):
            await super().on_error(event_method, *args, **kwargs)

    async def _read_again(self, guild: discord.Guild) -> None:
        """Play what was typed in a server while the bot could not read it."""
        if self._listener is not None:
            await self._listener.read_again(GuildId(guild.id))

    async def _permissions_changed(self, guild: discord.Guild) -> None:
        with self.desk.work.piece():
            await self.desk.publisher.sender.try_again(GuildId(guild.id))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody sent a form, or pressed what we no longer know; the rest is discord.py's."""
        if interaction.type is discord.InteractionType.modal_submit:
            await read_form(interaction)
        elif interaction.type is discord.InteractionType.component:
            await buttons.answer_unknown(interaction)

    async def _start_shard(self, shards: Shards) -> None:
        assert self._listener is not None  # made in setup_hook  # noqa: S101
        # Nobody's time is up before what was written meanwhile is played.
        self._stop(f"clocks {shards.ids}")
        listener, past_is_played = self._listener, asyncio.Event()
        sender = self.desk.publisher.sender
        self._keep_running(f"boards {shards.ids}", sender.run(shards, after_past=False))
        self._keep_running("vanished", self.desk.vanished.run())
        self._keep_running(f"expired {shards.ids}", close_expired(self.desk, shards))
        hearing = Hearing(
            self,
            shards.ids[0],
            self.desk.store,
            self.desk.work,
            self._life,
            connection=self._gate.connection(shards.ids[0]),
            complete=lambda: past_is_played.is_set() and not listener.has_unwritten,
            now=self._time.now,
        )
        if len(self.shards) == len(self.shard_ids or range(self.shard_count or 1)):
            self._life.forget(CONNECTING)
        else:  # they connect one after the other
            self._life.sign(CONNECTING, next_within=CONNECTED_WITHIN)
        self._keep_running(f"hearing {shards.ids}", _listen(hearing))
        while True:
            try:
                with self.desk.work.piece():
                    await hearing.begin()
                await listener.catch_up(shards)
                if self._machine_player is not None:
                    await self._machine_player.resume(self.desk.store, shards)
                break
            except StoreError:
                _log.warning("a session waits for the database", shard=shards.ids[0])
                await asyncio.sleep(_AGAIN.total_seconds())
                listener.expect(shards.ids[0])
        past_is_played.set()
        self._keep_running(f"hearing {shards.ids}", _listen(hearing))  # and write it down at once
        keeping = keep_time(self.desk, hearing, shards, self._time)
        self._keep_running(f"clocks {shards.ids}", keeping)
        self._keep_running(f"reminders {shards.ids}", sender.run(shards, after_past=True))

    def _keep_running(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Run something until the client closes, one of each name."""
        self._stop(name)
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _stop(self, name: str) -> None:
        for task in list(self._tasks):
            if task.get_name() == name:
                task.cancel()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task failed", task=task.get_name(), exc_info=error)

    async def _use_gateway(self) -> None:
        """Take the gateway's address from the API, for later sessions too.

        discord.py asks for it once; a session that cannot be resumed begins anew at the default
        address, which is Discord's own whatever DISCORD_API_URL says.
        """
        _, address, limit = await self.http.get_bot_gateway()
        self._identifying.learn(limit)
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address)

    async def _sync_commands(self) -> None:
        """Tell Discord the commands, if it knows others, and learn by which ids it knows them."""
        ours = [command.to_dict(self._tree) for command in self._tree.get_commands()]
        assert self.application_id is not None  # we are logged in  # noqa: S101
        theirs = await self.http.get_global_commands(self.application_id)
        self.command_ids = {command["name"]: int(command["id"]) for command in theirs}
        if not same_commands(ours, theirs):
            self.command_ids = {command.name: command.id for command in await self._tree.sync()}
            _log.info("told Discord the commands", count=len(ours))


def _chosen(shards: Shards | None) -> dict[str, Any]:
    """Which shards discord.py is to connect; without a choice all that Discord asks for."""
    if shards is None:
        return {}
    return {"shard_ids": list(shards.ids), "shard_count": shards.count}


async def _listen(hearing: Hearing) -> None:
    """Ask again and again whether a shard hears."""
    while True:
        try:
            await hearing.surely()
        except Exception:
            _log.exception("what was heard could not be written down")
        await asyncio.sleep(_HEARD_EVERY.total_seconds())


def same_commands(ours: list[dict[str, Any]], theirs: list[Any]) -> bool:
    """Whether Discord knows exactly our commands. It adds fields of its own to each."""
    known = {command["name"]: command for command in theirs}
    return known.keys() == {command["name"] for command in ours} and all(
        _covers(known[command["name"]], command) for command in ours
    )


def _covers(theirs: Any, ours: Any) -> bool:
    if isinstance(ours, dict):
        return isinstance(theirs, dict) and all(
            _covers(theirs.get(key), value) for key, value in ours.items()
        )
    if isinstance(ours, list):
        if not ours:
            return not theirs
        return (
            isinstance(theirs, list)
            and len(theirs) == len(ours)
            and all(map(_covers, theirs, ours))
        )
    # What Discord leaves out of its answer is at its default: null, false.
    return theirs == ours or (not ours and not theirs) or str(theirs) == str(ours)
