"""The bot's Prometheus metrics.

They are always on, because counting costs almost nothing.
"""

from functools import partial
from typing import Final

import prometheus_client

from bot import __version__
from bot.base.health import Fault

REGISTRY: Final = prometheus_client.CollectorRegistry()
"""Metrics of a bot."""
WORKER_REGISTRY: Final = prometheus_client.CollectorRegistry()
"""Metrics of a worker."""
_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

for _registry in (REGISTRY, WORKER_REGISTRY):
    prometheus_client.ProcessCollector(registry=_registry)
    prometheus_client.PlatformCollector(registry=_registry)

_gauge = partial(prometheus_client.Gauge, registry=REGISTRY)
_counter = partial(prometheus_client.Counter, registry=REGISTRY)
_histogram = partial(prometheus_client.Histogram, buckets=_SECONDS, registry=REGISTRY)

BUILD: Final = _gauge("dvonn_build", "The version, as a label", ["version"])
BUILD.labels(__version__).set(1)

READY: Final = _gauge(
    "dvonn_ready",
    "1 if /healthz answers 200",
)
DEGRADED: Final = _gauge("dvonn_degraded", "1 for each fault that /healthz names", ["fault"])
for _fault in Fault:
    DEGRADED.labels(_fault)
SECOND_BOT_SIGNS: Final = _counter(
    "dvonn_second_bot_signs",
    "Signs of a second bot: the same token with another database",
    ["sign"],
)

TURNS: Final = _counter(
    "dvonn_turns",
    "Played turns, by the kind of input",
    ["door"],
)
TURN_SECONDS: Final = _histogram(
    "dvonn_turn_seconds", "Time from the receipt of a turn until its board is posted", ["door"]
)
REFUSALS: Final = _counter("dvonn_refusals", "Refused requests from players", ["kind"])
TROUBLES: Final = _counter(
    "dvonn_troubles",
    "Warnings and errors in the log, by message; those of other packages by package",
    ["level", "what"],
)
IN_FLIGHT: Final = _gauge("dvonn_in_flight", "Running work that a stop waits for")

LASTING_OBJECTS: Final = _gauge(
    "dvonn_lasting_objects",
    "Objects that the garbage collector skips",
)

RENDERING_SECONDS: Final = _histogram("dvonn_rendering_seconds", "Time to render one picture")
RENDERING_QUEUE: Final = _gauge("dvonn_rendering_queue", "Pictures that wait to be rendered")

INVALID_REQUESTS: Final = _counter(
    "dvonn_discord_invalid_requests",
    "Requests answered with 401, 403 or 429. Discord bans an address at 10,000 in ten minutes",
    ["status"],
)
for _status in (401, 403, 429):
    # create the series now, so that an alert can be set up before the first invalid request
    INVALID_REQUESTS.labels(_status)

GATEWAY_CONNECTED: Final = _gauge(
    "dvonn_gateway_connected", "1 if the shard is connected", ["shard"]
)
GATEWAY_LATENCY_SECONDS: Final = _gauge(
    "dvonn_gateway_latency_seconds",
    "Time that the shard's gateway took to answer the last query",
    ["shard"],
)
GATEWAY_HEARD_SECONDS: Final = _gauge(
    "dvonn_gateway_heard_timestamp_seconds",
    "Last time at which the shard had received everything, in seconds since 1970",
    ["shard"],
)
GATEWAY_SESSIONS: Final = _counter(
    "dvonn_gateway_sessions",
    "Gateway connections of the shard, new or resumed",
    ["shard", "how"],
)
GATEWAY_SILENCES: Final = _counter(
    "dvonn_gateway_silences", "Times that the shard's connection went silent", ["shard"]
)
GATEWAY_IDENTIFIES: Final = _counter(
    "dvonn_gateway_identifies",
    "Sessions that the shard started",
    ["shard"],
)
GATEWAY_IDENTIFIES_LEFT: Final = _gauge(
    "dvonn_gateway_identifies_left", "Sessions that Discord still allows today"
)
GATEWAY_WAITS_UNTIL_SECONDS: Final = _gauge(
    "dvonn_gateway_waits_until_timestamp_seconds",
    "Time until which the shard waits on purpose, in seconds since 1970; 0 if it does not",
    ["shard"],
)

STORE_ANSWERS: Final = _gauge("dvonn_store_answers", "1 if the database can be read and written")
GAMES_RUNNING: Final = _gauge("dvonn_games_running", "Running games of all processes")
CHALLENGES_OPEN: Final = _gauge("dvonn_challenges_open", "Open challenges of all processes")
DELIVERIES_UNSENT: Final = _gauge("dvonn_deliveries_unsent", "Unsent messages of all processes")
DELIVERIES_OLDEST_SECONDS: Final = _gauge(
    "dvonn_deliveries_oldest_seconds", "Age of the oldest unsent message"
)
DELIVERIES_FAILING: Final = _gauge(
    "dvonn_deliveries_failing", "Unsent messages that Discord has refused twice"
)

REVIEWS_WAITING: Final = _gauge("dvonn_reviews_waiting", "Games that wait for a review")
MACHINE_QUESTIONS: Final = _gauge(
    "dvonn_machine_questions",
    "Unanswered questions to the machine",
    ["kind"],
)
MACHINE_OLDEST_SECONDS: Final = _gauge(
    "dvonn_machine_oldest_seconds", "Longest time that a player has waited for a move or a hint"
)
MACHINE_ANSWER_SECONDS: Final = _histogram(
    "dvonn_machine_answer_seconds", "Time from a question to the machine's answer", ["kind"]
)
MACHINE_SEARCH_SECONDS: Final = _histogram(
    "dvonn_machine_search_seconds",
    "Duration of a search by this process's own machine",
    ["kind"],
)

for _shared in (BUILD, READY, DEGRADED, TROUBLES, MACHINE_SEARCH_SECONDS):
    WORKER_REGISTRY.register(_shared)
QUEUE_WAITING: Final = prometheus_client.Gauge(
    "dvonn_queue_waiting",
    "Questions that no worker of this version has started",
    registry=WORKER_REGISTRY,
)
QUEUE_OLDEST_SECONDS: Final = prometheus_client.Gauge(
    "dvonn_queue_oldest_seconds",
    "Age of the oldest question from a player",
    registry=WORKER_REGISTRY,
)
