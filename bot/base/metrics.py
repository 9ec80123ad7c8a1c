"""The Prometheus metrics of the bot.

Counting costs almost nothing, so it is always on.
"""

from functools import partial
from typing import Final

import prometheus_client

from bot import __version__
from bot.base.health import Fault

REGISTRY: Final = prometheus_client.CollectorRegistry()
"""The numbers of a bot."""
WORKER_REGISTRY: Final = prometheus_client.CollectorRegistry()
"""The numbers of a worker."""
_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

for _registry in (REGISTRY, WORKER_REGISTRY):
    prometheus_client.ProcessCollector(registry=_registry)
    prometheus_client.PlatformCollector(registry=_registry)

_gauge = partial(prometheus_client.Gauge, registry=REGISTRY)
_counter = partial(prometheus_client.Counter, registry=REGISTRY)
_histogram = partial(prometheus_client.Histogram, buckets=_SECONDS, registry=REGISTRY)

BUILD: Final = _gauge("dvonn_build", "The bot's version", ["version"])
BUILD.labels(__version__).set(1)

READY: Final = _gauge(
    "dvonn_ready",
    "Whether each own shard was heard, and Discord and the database answer (1): as /healthz says",
)
DEGRADED: Final = _gauge(
    "dvonn_degraded", "Whether a fault is there that /healthz names as well (1)", ["fault"]
)
for _fault in Fault:
    DEGRADED.labels(_fault)
SECOND_BOT_SIGNS: Final = _counter(
    "dvonn_second_bot_signs",
    "Signs of another bot with the same token on another database",
    ["sign"],
)

TURNS: Final = _counter(
    "dvonn_turns",
    "What players did in games, and was written down, by the door it came in",
    ["door"],
)
TURN_SECONDS: Final = _histogram(
    "dvonn_turn_seconds", "From hearing of a turn until its board stands in the channel", ["door"]
)
REFUSALS: Final = _counter("dvonn_refusals", "What players asked for and could not have", ["kind"])
TROUBLES: Final = _counter(
    "dvonn_troubles",
    "Warnings and errors in the log, by their words; of other packages by their name",
    ["level", "what"],
)
IN_FLIGHT: Final = _gauge(
    "dvonn_in_flight", "What is being done at the moment and a stop waits for"
)

LASTING: Final = _gauge(
    "dvonn_lasting_objects",
    "Objects that were there once all servers were known, at which no garbage collection looks",
)

RENDERING_SECONDS: Final = _histogram("dvonn_rendering_seconds", "Rendering one picture")
RENDERING_QUEUE: Final = _gauge(
    "dvonn_rendering_queue", "Pictures that are asked for and not rendered yet"
)

INVALID_REQUESTS: Final = _counter(
    "dvonn_discord_invalid_requests",
    "Requests that Discord answered with 401, 403 or 429: 10,000 in ten minutes ban an address",
    ["status"],
)
for _status in (401, 403, 429):
    INVALID_REQUESTS.labels(_status)  # an alarm can be set before the first one

GATEWAY_CONNECTED: Final = _gauge(
    "dvonn_gateway_connected", "Whether a shard's connection to Discord stands (1)", ["shard"]
)
GATEWAY_LATENCY_SECONDS: Final = _gauge(
    "dvonn_gateway_latency_seconds",
    "How long Discord's gateway took to answer the last query",
    ["shard"],
)
GATEWAY_HEARD_SECONDS: Final = _gauge(
    "dvonn_gateway_heard_timestamp_seconds",
    "When a shard last surely heard everything, as seconds since 1970",
    ["shard"],
)
GATEWAY_SESSIONS: Final = _counter(
    "dvonn_gateway_sessions",
    "Connections to Discord's gateway, by whether they began anew or went on",
    ["shard", "how"],
)
GATEWAY_SILENCES: Final = _counter(
    "dvonn_gateway_silences", "How often a connection stood and told nothing any more", ["shard"]
)
GATEWAY_IDENTIFIES: Final = _counter(
    "dvonn_gateway_identifies",
    "Sessions begun with Discord, of which it allows so many a day",
    ["shard"],
)
GATEWAY_IDENTIFIES_LEFT: Final = _gauge(
    "dvonn_gateway_identifies_left", "How many more Discord allows until it counts anew"
)
GATEWAY_WAITS_UNTIL_SECONDS: Final = _gauge(
    "dvonn_gateway_waits_until_timestamp_seconds",
    "When a shard that waits on purpose begins its next session, as seconds since 1970; 0: at once",
    ["shard"],
)

STORE_ANSWERS: Final = _gauge(
    "dvonn_store_answers", "Whether the database can be read and written (1)"
)
GAMES_RUNNING: Final = _gauge("dvonn_games_running", "Games being played")
CHALLENGES_OPEN: Final = _gauge("dvonn_challenges_open", "Challenges that nobody has answered")
DELIVERIES_UNSENT: Final = _gauge(
    "dvonn_deliveries_unsent", "Messages and threads that are yet to be sent"
)
DELIVERIES_OLDEST_SECONDS: Final = _gauge(
    "dvonn_deliveries_oldest_seconds", "For how long the oldest of them waits"
)
DELIVERIES_FAILING: Final = _gauge(
    "dvonn_deliveries_failing", "How many of them Discord has refused twice"
)

REVIEWS_WAITING: Final = _gauge("dvonn_reviews_waiting", "Games that wait for their review")
MACHINE_QUESTIONS: Final = _gauge(
    "dvonn_machine_questions",
    "What the machine was asked and has not answered yet, by kind",
    ["kind"],
)
MACHINE_OLDEST_SECONDS: Final = _gauge(
    "dvonn_machine_oldest_seconds", "For how long a player waits for the machine's move or hint"
)
MACHINE_ANSWER_SECONDS: Final = _histogram(
    "dvonn_machine_answer_seconds", "From a question to the machine's answer, by kind", ["kind"]
)
MACHINE_SEARCH_SECONDS: Final = _histogram(
    "dvonn_machine_search_seconds",
    "What a search took in a process of this bot or worker, by kind",
    ["kind"],
)

for _of_both in (BUILD, READY, DEGRADED, TROUBLES, MACHINE_SEARCH_SECONDS):
    WORKER_REGISTRY.register(_of_both)
QUEUE_WAITING: Final = prometheus_client.Gauge(
    "dvonn_queue_waiting",
    "Questions that no worker of this build has begun",
    registry=WORKER_REGISTRY,
)
QUEUE_OLDEST_SECONDS: Final = prometheus_client.Gauge(
    "dvonn_queue_oldest_seconds",
    "For how long the oldest of them waits",
    registry=WORKER_REGISTRY,
)
