"""The bot with a clock in the test's hand: the same parts, joined the same way.

A file holds two numbers, in seconds: by how much time has passed faster than in reality, and by how
much the hour alone was put forward, as when somebody sets the machine's clock.

A bot that is killed more often than Discord lets it begin sessions in a day may begin as many as it
wants, if told so.
"""

import asyncio
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.__main__ import run
from bot.allowance import Allowance
from bot.config import load_settings
from bot.edge.session import use_api
from bot.edge.timekeeping import Time
from bot.logs import set_up_logging
from bot.operations.life import Life

VARIABLE = "TEST_CLOCK"
MANY_LIVES = "TEST_MANY_LIVES"
_FILE = Path(os.environ.get(VARIABLE, "clock"))


def moved() -> tuple[float, float]:
    passed, put_forward = map(float, _FILE.read_text().split())
    return passed, put_forward


def now() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=sum(moved()))


def monotonic() -> float:
    return time.monotonic() + moved()[0]


if __name__ == "__main__":
    settings = load_settings()
    use_api(settings.discord_api_url)
    set_up_logging(settings.log_level, settings.log_format)
    unbounded = Allowance(apart=timedelta(0), at_once=1_000_000, a_shard=1_000_000)
    allowance = unbounded if MANY_LIVES in os.environ else Allowance()
    asyncio.run(run(settings, Time(now, monotonic), Life(time.monotonic), allowance))
    sys.exit(0)
