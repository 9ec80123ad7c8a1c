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
from bot.connection.discord_clock import DiscordClock
from bot.connection.identify_limiter import IdentifyLimiter
from bot.connection.liveness import Liveness
from bot.connection.names import Names
from bot.connection.rate_budget import RateBudget
from bot.connection.requests import Requests, tracing
from bot.connection.shard_sessions import ShardSessions
from bot.connection.work import Tasks, Work
from bot.features.exercises.feature import EXERCISES
from bot.features.explore.feature import EXPLORE
from bot.features.guesses.feature import GUESSES
from bot.features.lessons.feature import LESSONS
from bot.features.machine.feature import MACHINE
from bot.features.plans.feature import PLANS
from bot.features.practice.feature import PRACTICE
from bot.features.profiles.feature import PROFILES
from bot.features.puzzles.feature import PUZZLES
from bot.features.ratings.feature import RATINGS
from bot.features.reminders.feature import REMINDERS
from bot.features.reviews.feature import REVIEWS
from bot.features.talk.feature import TALK
from bot.features.tournaments.feature import TOURNAMENTS
from bot.play.deleted_channels import DeletedChannels
from bot.play.delivery.publisher import Publisher
from bot.play.doors.interactions import Commands, Services, ServicesClient
from bot.play.doors.listener import Listener
from bot.play.doors.past import CatchingUp
from bot.play.doors.replies import MentionedMoves, Replies
from bot.play.doors.setup_command import fill_setup
from bot.play.doors.typed import MoveReader
from bot.play.feature import GAME
from bot.play.readers import Readers
from bot.play.seams import ClientPart, Feature, Opponent, join
from bot.play.shards import ShardKeeper
from bot.play.store.schema import add_switches
from bot.play.store.tables import Store
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.cases import UseCases
from bot.play.use_cases.preferences import Switch
from bot.play.words.own_settings import OWN_SWITCHES
from bot.play.words.refusals import RefusalWords

FEATURES: Final[tuple[Feature, ...]] = (
    MACHINE,
    EXERCISES,
    LESSONS,
    GUESSES,
    PLANS,
    EXPLORE,
    REMINDERS,
    REVIEWS,
    PRACTICE,
    PUZZLES,
    RATINGS,
    PROFILES,
    TOURNAMENTS,
    TALK,
)
"""All features. One stands behind those whose use cases its own are made with."""
JOINED: Final = join((GAME, *FEATURES))
"""The parts of the game and of all features together."""


def command_tree(client: ServicesClient) -> Commands:
    """Return all commands of the bot."""
    tree = Commands(client)
    for command in (*JOINED.commands, *JOINED.menus):
        tree.add_command(command)
    return tree


refusal: Final = RefusalWords(*(feature.refusals for feature in FEATURES))
"""Says every refusal."""

PLACE_SETTINGS: Final = tuple(setting for feature in FEATURES for setting in feature.place_settings)
"""Choices of moderators for features, in the order in which they are listed."""
fill_setup(PLACE_SETTINGS)


def own_switches(features: Sequence[Feature] = FEATURES) -> tuple[Switch, ...]:
    """Return all that people can turn on and off for themselves, as it is shown to them."""
    return (*OWN_SWITCHES, *(switch for feature in features for switch in feature.switches))


add_switches(switch.of.key for switch in own_switches())


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
    """Join the use cases of the game and of features; the arguments are as of `UseCases`."""
    cases = UseCases(
        store,
        now=now,
        rng=rng,
        archive=archive,
        has_machine=has_machine,
        retention=retention,
        switches=own_switches(features),
    )
    for feature in features:
        for make in feature.makes:
            cases.add(make(cases))
    return cases


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """The resources that outlive a client."""

    store: Store
    time: DiscordClock
    liveness: Liveness
    identify_limiter: IdentifyLimiter
    rng: Random
    shards: Shards | None
    """Shards that this process connects; None: all that Discord asks for."""
    opened: Sequence[object]
    """Parts that features have made for the whole process."""
    retention: Retention
    requests_a_second: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of one client."""

    tasks: Tasks
    requests: Requests
    shard_sessions: ShardSessions
    services: Services
    listener: Listener
    mentioned_moves: MentionedMoves
    parts: Sequence[ClientPart]
    keeper: ShardKeeper
    trace: aiohttp.TraceConfig
    """Trace of the client's requests."""


def wire(client: ServicesClient, resources: Resources, *, reads: bool) -> Parts:
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
    has_machine = any(isinstance(one, Opponent) for one in resources.opened)
    does = use_cases(
        store,
        now=now,
        rng=resources.rng,
        has_machine=has_machine,
        retention=resources.retention,
    )
    for part in resources.opened:
        does.add(part)
    names, readers = Names(channels.name_of), Readers(store, channels)
    deleted_channels = DeletedChannels(
        channels, store.deliveries, does, readers, work, board_parts=JOINED.board, now=now
    )
    services = Services(
        cases=does,
        refusal=refusal,
        names=names,
        readers=readers,
        publisher=Publisher(
            does,
            channels,
            deleted_channels,
            names,
            readers,
            work,
            deliveries=[kind for feature in FEATURES for kind in feature.deliveries],
            board_parts=JOINED.board,
            now=now,
        ),
        deleted_channels=deleted_channels,
        work=work,
        place_settings=PLACE_SETTINGS,
    )
    makers = (make for feature in FEATURES for make in feature.client_parts if has_machine)
    parts = [make(services) for make in makers]
    for part in parts:
        services.publisher.watch(part.hear)
    replies = Replies(services, now=now)
    services.publisher.watch(replies.tidy)
    mentioned_moves = MentionedMoves(services, replies)
    move_reader = MoveReader(
        services,
        replies,
        mentioned_moves,
        [make(services, replies) for make in JOINED.typed],
        reads=reads,
        elsewhere=client.done_elsewhere,
    )
    listener = Listener(move_reader, CatchingUp(move_reader, services, now=now), services)
    return Parts(
        tasks=tasks,
        requests=requests,
        shard_sessions=shard_sessions,
        services=services,
        listener=listener,
        mentioned_moves=mentioned_moves,
        parts=parts,
        keeper=ShardKeeper(
            client,
            services,
            listener,
            parts,
            [feature.recurring for feature in FEATURES],
            shard_sessions,
            tasks,
            resources.liveness,
            time,
        ),
        trace=rate_budget.heeded_by(shard_sessions.watch(requests.tracing(tracing(time)))),
    )
