"""The one place where the edge's parts are joined: what a client hears comes to them."""

from dataclasses import dataclass
from random import Random

import aiohttp

from bot.edge.addressed import Addressed
from bot.edge.channels import Channels
from bot.edge.delivery.publisher import Publisher
from bot.edge.desk import Desk, DeskClient
from bot.edge.exercises.typing import TypedAnswers
from bot.edge.gate import Gate
from bot.edge.hearing import Heard
from bot.edge.hour import Time
from bot.edge.identifying import Identifying
from bot.edge.listener import Listener
from bot.edge.machine import MachinePlayer
from bot.edge.pace import RequestPace
from bot.edge.past import CatchingUp
from bot.edge.people import Names, Readers
from bot.edge.replies import Replies
from bot.edge.requests import Requests, tracing
from bot.edge.reviewer import Reviewer
from bot.edge.shards import ShardKeeper
from bot.edge.sweeping import Sweeper
from bot.edge.typed import Typist
from bot.edge.vanished import Vanished
from bot.edge.wondering import Wonderer
from bot.edge.work import Tasks, Work
from bot.games.use_cases import UseCases
from bot.model.ids import Shards
from bot.model.retention import Retention
from bot.operations.life import Life
from bot.opponent.analyst import Analyst
from bot.opponent.thinker import Thinker
from bot.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What outlives a client."""

    store: Store
    time: Time
    life: Life
    identifying: Identifying
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
    gate: Gate
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
    requests, pace = Requests(resources.life), RequestPace(resources.requests_a_second)
    gate = Gate(client, resources.identifying, time, tasks.keep_running)
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
        heard=Heard(store.listening, store.outages),
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
        gate=gate,
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
            gate,
            tasks,
            resources.life,
            time,
            Sweeper(does.housekeeping, channels),
        ),
        trace=pace.heeded_by(gate.watch(requests.tracing(tracing(time)))),
    )
