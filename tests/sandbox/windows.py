"""A window of the sandbox's page without a browser: its requests and its socket."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from sandbox import Channel, Person, Sandbox

Push = dict[str, Any]


class Window:
    """A user's window: its requests and its pushes."""

    def __init__(
        self, base: str, me: str, session: aiohttp.ClientSession, socket: Any = None
    ) -> None:
        self.base = base
        self.me = me
        self.session = session
        self._socket = socket

    async def ask(self, name: str, **query: str) -> tuple[int, Any]:
        """Return the status and JSON of a query."""
        asked = {"as": self.me, **query}
        async with self.session.get(f"{self.base}/page/api/{name}", params=asked) as response:
            return response.status, await response.json()

    async def act(self, name: str, **body: object) -> tuple[int, Any]:
        """Return the status and JSON of an action."""
        return await self.send(name, json.dumps({"as": self.me, **body}))

    async def do(self, name: str, **body: object) -> Any:
        """Return the JSON of an action that must succeed."""
        status, answer = await self.act(name, **body)
        assert status == 200, answer
        return answer

    async def send(
        self, name: str, data: Any, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """Send any body to an action, a text as JSON."""
        kind = {"Content-Type": "application/json"} if isinstance(data, str | bytes) else {}
        url = f"{self.base}/page/api/{name}"
        async with self.session.post(url, data=data, headers={**kind, **(headers or {})}) as answer:
            return answer.status, await answer.json()

    async def next_push(self, check: Callable[[Push], object]) -> Push:
        """Return the next push that passes a check. Others are skipped."""
        while True:
            push: Push = await self._socket.receive_json()
            if check(push):
                return push

    async def message(self, check: Callable[[Push], object] = lambda _: True) -> Push:
        """Return the next message that passes a check."""
        return await self.next_push(lambda push: push["type"] == "message" and check(push))

    async def history(self, channel: Channel, **query: str) -> list[Push]:
        """Return the messages that a channel shows."""
        status, answer = await self.ask("channel", channel=str(channel.id), **query)
        assert status == 200, answer
        messages: list[Push] = answer["messages"]
        return messages


@asynccontextmanager
async def window(world: Sandbox, person: Person) -> AsyncIterator[Window]:
    """A window that is open during the block."""
    base = world.api_url.removesuffix("/api/v10")
    async with aiohttp.ClientSession() as session:
        address = f"{base}/page/live?as={person.id}"
        async with session.ws_connect(address, headers={"Origin": base}) as socket:
            yield Window(base, str(person.id), session, socket)
