"""The bot with a liveness clock that a file controls: the file has the seconds to add."""

import asyncio
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from bot.__main__ import run
from bot.base.config import load_settings
from bot.base.logs import set_up_logging
from bot.connection.discord_clock import DiscordClock, HostClocks, steady
from bot.connection.liveness import Liveness
from bot.connection.session import use_api
from bot.connection.session_budget import SessionBudget

VARIABLE = "TEST_SILENCE"
_FILE = Path(os.environ.get(VARIABLE, "silence"))


def now() -> datetime:
    return datetime.now(UTC)


def later() -> float:
    return time.monotonic() + float(_FILE.read_text())


if __name__ == "__main__":
    settings = load_settings()
    use_api(settings.discord_api_url)
    set_up_logging(settings.log_level, settings.log_format, settings.secrets)
    clocks = HostClocks(wall_clock=now, steady=steady, awake=time.monotonic)
    asyncio.run(run(settings, DiscordClock(clocks), Liveness(later), SessionBudget()))
    sys.exit(0)
