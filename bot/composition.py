"""The one place where all parts are joined: the game, the features, and a client's parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Final

import aiohttp

from bot.base.ids import Shards
from bot.base.retention import Retention
from bot.connection.channels import Channels
from bot.connection.discord_clock import Time
from bot.connection.gate import Gate
from bot.connection.hearing import Heard
from bot.connection.identifying import Identifying
from bot.connection.liveness import Life
from bot.connection.people import Names, Readers
from bot.connection.rate_budget import RequestPace
from bot.connection.requests import Requests, tracing
from bot.connection.work import Tasks, Work
from bot.features.exercises.doors.typed import TypedAnswers
from bot.features.guesses.feature import GUESSES
from bot.features.lessons.feature import LESSONS
from bot.features.machine.opponent.analyst import Analyst
from bot.features.machine.opponent.thinker import Thinker
from bot.features.machine.player import MachinePlayer
from bot.features.plans.feature import PLANS
from bot.features.practice.feature import PRACTICE
from bot.features.profiles.feature import PROFILES
from bot.features.puzzles.feature import PUZZLES
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.ratings.feature import RATINGS
from bot.features.reminders.feature import REMINDERS
from bot.features.reminders.use_cases import Reminders
from bot.features.reviews.feature import REVIEWS
from bot.features.reviews.reviewer import Reviewer
from bot.features.reviews.use_cases import Reviews
from bot.features.talk.doors import Addressed
from bot.features.tournaments.feature import TOURNAMENTS
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.play.deleted_channels import Vanished
from bot.play.delivery.publisher import Publisher
from bot.play.doors.listener import Listener
from bot.play.doors.mentioned_moves import Wonderer
from bot.play.doors.past import CatchingUp
from bot.play.doors.replies import Replies
from bot.play.doors.services import Desk, DeskClient
from bot.play.doors.setup_command import fill_setup
from bot.play.doors.typed import Typist
from bot.play.own_switches import Switch
from bot.play.seams import Feature
from bot.play.shards import ShardKeeper
from bot.play.store.tables import Store
from bot.play.sweeping import Sweeper
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.cases import UseCases
from bot.play.words.own_switches import OWN_SWITCHES

FEATURES: Final[tuple[Feature, ...]] = (
    LESSONS,
    GUESSES,
    PLANS,
    REMINDERS,
    REVIEWS,
    PRACTICE,
    PUZZLES,
    RATINGS,
    PROFILES,
    TOURNAMENTS,
)
"""All features. A feature stands behind those that it needs."""

PLACE_SETTINGS: Final = tuple(setting for feature in FEATURES for setting in feature.place_settings)
"""What moderators choose for features, in the order in which it is listed."""
fill_setup(PLACE_SETTINGS)


def own_switches(features: Sequence[Feature] = FEATURES) -> tuple[Switch, ...]:
    """Return all that people can turn on and off for themselves, as it is shown to them."""
    return (*OWN_SWITCHES, *(switch for feature in features for switch in feature.switches))


def use_cases(
    store: Store,
    *,
    now: Callable[[], datetime],
    rng: Random,
    archive: Archive | None = None,
    has_machine: bool = False,
    retention: Retention | None = None,
    features: Sequence[Feature] = FEATURES,
) -> UseCases:
    """Join the use cases of the game and of features; the arguments are as of `UseCases.over`."""
    cases = UseCases.over(
        store,
        now=now,
        rng=rng,
        archive=archive,
        has_machine=has_machine,
        retention=retention,
        switches=own_switches(features),
    )
    for feature in features:
        for part in feature.makes(cases):
            cases.add(part)
    return cases


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
    does = use_cases(
        store,
        now=now,
        rng=resources.rng,
        has_machine=has_machine,
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
            does.of(Reminders),
            does.of(Reviews),
            does.of(Dailies),
            does.votes,
            work,
            does.choices,
            does.fair_play,
            does.of(Tournaments),
            does.of(Director),
            does.of(Seasons),
            vanished,
            names,
            readers,
            now=now,
        ),
        vanished=vanished,
        work=work,
        place_settings=PLACE_SETTINGS,
        engine=None if resources.machine is None else Analyst(resources.machine),
    )
    machine = reviewer = None
    if resources.machine is not None:
        machine = MachinePlayer(resources.machine, desk, channels)
        desk.publisher.watch(machine.hear)
        reviewer = Reviewer(
            resources.machine, does.of(Reviews), does.of(Puzzles), desk.publisher.sender, work
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
