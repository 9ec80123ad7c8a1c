"""The one place where the edge's parts are joined: what a client hears comes to them."""

from dataclasses import dataclass
from random import Random

import aiohttp

from bot.base.ids import Shards
from bot.base.retention import Retention
from bot.connection.channels import Channels
from bot.connection.discord_clock import DiscordClock
from bot.connection.gateway_probe import ListeningRecord
from bot.connection.identify_limiter import IdentifyLimiter
from bot.connection.liveness import Liveness
from bot.connection.names import Names
from bot.connection.rate_budget import RateBudget
from bot.connection.requests import Requests, tracing
from bot.connection.shard_sessions import ShardSessions
from bot.connection.work import Tasks, Work
from bot.features.exercises.doors.typed import TypedAnswers
from bot.features.machine.opponent.analyst import Analyst
from bot.features.machine.opponent.thinker import Thinker
from bot.features.machine.player import MachinePlayer
from bot.features.reviews.reviewer import Reviewer
from bot.features.talk.doors import Addressed
from bot.play.deleted_channels import Vanished
from bot.play.delivery.publisher import Publisher
from bot.play.doors.listener import Listener
from bot.play.doors.mentioned_moves import Wonderer
from bot.play.doors.past import CatchingUp
from bot.play.doors.replies import Replies
from bot.play.doors.services import Desk, DeskClient
from bot.play.doors.typed import Typist
from bot.play.readers import Readers
from bot.play.shards import ShardKeeper
from bot.play.sweeping import Sweeper
from bot.store import Store
from bot.use_cases import UseCases


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What outlives a client."""

    store: Store
    time: DiscordClock
    liveness: Liveness
    identify_limiter: IdentifyLimiter
    rng: Random
    shards: Shards | None
    """Which shards this process connects; None: all that Discord asks for."""
    machine: Thinker | None
    retention: Retention
    requests_a_second: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What works for one client."""

    tasks: Tasks
    requests: Requests
    shard_sessions: ShardSessions
    desk: Desk
    listener: Listener
    wonderer: Wonderer
    machine: MachinePlayer | None
    keeper: ShardKeeper
    trace: aiohttp.TraceConfig
    """What the client has to look at with each of its requests."""


def wire(client: DeskClient, resources: Resources, *, reads: bool) -> Parts:
    """Join the parts of a client. None of them asks it anything yet.

    Args:
        client: The client, which may be half made.
        resources: What it works with.
        reads: Whether it is told the text of messages.
    """
    store, time, now = resources.store, resources.time, resources.time.now
    tasks, work, channels = Tasks(), Work(), Channels(client, now=now)
    requests, rate_budget = Requests(resources.liveness), RateBudget(resources.requests_a_second)
    shard_sessions = ShardSessions(client, resources.identify_limiter, time, tasks.keep_running)
    has_machine = resources.machine is not None
    does = UseCases.over(
        store,
        now=now,
        rng=resources.rng,
        reviews=has_machine,
        retention=resources.retention,
    )
    names, readers = Names(channels.name_of), Readers(does.styles, channels)
    vanished = Vanished(channels, store.deliveries, does, readers, work, now=now)
    desk = Desk.with_ways_out(
        does,
        heard=ListeningRecord(store.listening, store.outages),
        names=names,
        readers=readers,
        publisher=Publisher(
            channels,
            store,
            does.games,
            does.reminders,
            does.reviews,
            does.dailies,
            does.votes,
            work,
            does.choices,
            does.fair_play,
            does.tournaments,
            does.director,
            does.seasons,
            vanished,
            names,
            readers,
            now=now,
        ),
        vanished=vanished,
        work=work,
        engine=None if resources.machine is None else Analyst(resources.machine),
    )
    machine = reviewer = None
    if resources.machine is not None:
        machine = MachinePlayer(resources.machine, desk, channels)
        desk.publisher.watch(machine.hear)
        reviewer = Reviewer(
            resources.machine, does.reviews, does.puzzles, desk.publisher.sender, work
        )
        desk.publisher.watch(reviewer.hear)
    replies = Replies(desk, now=now)
    desk.publisher.watch(replies.tidy)
    wonderer = Wonderer(desk, replies)
    typist = Typist(
        desk,
        replies,
        Addressed(desk, replies, has_machine=has_machine),
        wonderer,
        TypedAnswers(desk, replies),
        reads=reads,
        elsewhere=client.done_elsewhere,
    )
    listener = Listener(typist, CatchingUp(typist, desk, now=now), desk)
    return Parts(
        tasks=tasks,
        requests=requests,
        shard_sessions=shard_sessions,
        desk=desk,
        listener=listener,
        wonderer=wonderer,
        machine=machine,
        keeper=ShardKeeper(
            client,
            desk,
            listener,
            machine,
            reviewer,
            shard_sessions,
            tasks,
            resources.liveness,
            time,
            Sweeper(does.housekeeping, channels),
        ),
        trace=rate_budget.heeded_by(shard_sessions.watch(requests.tracing(tracing(time)))),
    )
