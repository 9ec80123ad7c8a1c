"""The health and the metrics of a running bot."""

import asyncio
import json
from typing import Any

import aiohttp


class Watched:
    """A bot with metrics."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def numbers(self) -> dict[str, float]:
        """Return every sample by its name and labels, as /metrics writes them."""
        text = (await self._get("metrics"))[1]
        lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    async def health(self) -> tuple[int, Any]:
        """Return the status and content of /healthz."""
        status, text = await self._get("healthz")
        return status, json.loads(text)

    async def _get(self, path: str) -> tuple[int, str]:
        address = f"http://127.0.0.1:{self.port}/{path}"
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            return answer.status, await answer.text()


async def until(true: Any) -> None:
    """Wait until a condition is true."""
    pause_s = 0.05
    while not await true():
        await asyncio.sleep(pause_s)  # another process announces no events
        pause_s = min(pause_s * 1.3, 0.5)
