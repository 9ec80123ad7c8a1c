"""Tests for a worker's health and of its queue's page, without a database."""

import json
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest

pytest.importorskip("saq", reason="the extra `cluster` is not installed")

import psycopg
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from prometheus_client import generate_latest

from bot.base.metrics import WORKER_REGISTRY
from bot.features.machine.opponent import worker, worker_health
from bot.features.machine.opponent.job_queue import BACKDATED_S, JobQueue
from bot.features.machine.opponent.queue_page import _guard
from bot.features.machine.opponent.remote import pause_s
from bot.features.machine.opponent.watched_thinker import WatchedThinker
from bot.features.machine.opponent.worker_health import WorkerOverview

PAGE = "127.0.0.1:8083"
HERE = f"http://{PAGE}"
NOW = 1_800_000_000.0
NO_REQUEST = cast("web.Request", None)


class Questions:
    """A queue with some waiting questions, or one that can't be read."""

    name = "dvonn test"

    def __init__(self, waiting: int, oldest_s: float | None = None, *, fails: bool = False) -> None:
        oldest = None if oldest_s is None else NOW - oldest_s - BACKDATED_S
        self._row = waiting, oldest
        self._fails = fails
        self.pool = self

    @asynccontextmanager
    async def connection(self) -> AsyncIterator["Questions"]:
        if self._fails:
            raise psycopg.OperationalError
        yield self

    async def execute(self, *_: object) -> "Questions":
        return self

    async def fetchone(self) -> tuple[int, float | None]:
        return self._row


class Thinker:
    def __init__(self, fault: str | None) -> None:
        self.fault = fault


@pytest.mark.parametrize(
    ("queue", "fault", "status", "degraded", "database"),
    [
        (Questions(0), None, "ready", {}, "well"),
        (Questions(3, 59), None, "ready", {}, "well"),
        (
            Questions(3, 70),
            None,
            "degraded",
            {"machine silent": "a question has been waiting for 70 s"},
            "well",
        ),
        (Questions(0), "died", "degraded", {"machine silent": "died"}, "well"),
        (Questions(0, fails=True), None, "database", {}, "fails: OperationalError"),
    ],
)
async def test_a_worker_reports_its_health(
    queue: Questions,
    fault: str | None,
    status: str,
    degraded: dict[str, str],
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_health, "time", SimpleNamespace(time=lambda: NOW))
    thinker = cast("WatchedThinker", Thinker(fault))
    answer = await WorkerOverview(cast("JobQueue", queue), thinker).health(NO_REQUEST)
    healthy = status != "database"
    assert json.loads(cast("Any", answer.body)) == {
        "healthy": healthy,
        "status": status,
        "degraded": degraded,
        "database": database,
    }
    assert answer.status == (200 if healthy else 503)
    numbers = generate_latest(WORKER_REGISTRY).decode()
    assert f"dvonn_ready {float(healthy)}" in numbers
    assert f'dvonn_degraded{{fault="machine silent"}} {float(bool(degraded))}' in numbers
    assert 'dvonn_degraded{fault="second bot"} 0.0' in numbers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:8083"}, 200),
        ({"Origin": HERE, "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example", "Sec-Fetch-Mode": "navigate"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": "[::"}, 403),
    ],
)
async def test_the_queues_page_answers_its_own_requests_only(
    headers: dict[str, str], status: int
) -> None:
    async def show(_: web.Request) -> web.StreamResponse:
        return web.Response()

    request = make_mocked_request("GET", "/", headers={"Host": PAGE, **headers})
    assert (await _guard(request, show)).status == status


async def test_a_link_from_another_site_changes_nothing() -> None:
    async def change(_: web.Request) -> web.StreamResponse:
        raise AssertionError

    headers = {"Host": PAGE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    request = make_mocked_request("POST", "/api", headers=headers)
    assert (await _guard(request, change)).status == 403


def test_a_bot_polls_less_often_the_longer_it_waits() -> None:
    assert [pause_s(waited) for waited in (0, 0.9, 10, 20, 100)] == [0.05, 0.05, 0.5, 1, 2]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no own priorities")
def test_a_thread_gives_way_alone() -> None:
    priorities = list[int]()

    def give_way() -> None:
        worker._lower_priority(before + 3)
        priorities.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    thread = threading.Thread(target=give_way)
    thread.start()
    thread.join()
    assert priorities == [min(before + 3, 19)]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
