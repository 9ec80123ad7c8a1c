"""Faults between a bot and Discord, which tests inject with ``world.faults``.

Regular disconnects are methods of the sandbox: :meth:`Sandbox.disconnect` (a close code),
:meth:`Sandbox.ask_to_reconnect` (op 7) and :meth:`Sandbox.invalidate_sessions` (op 9).
"""

import asyncio
import math
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import Any

from sandbox.interactions import TOKEN_LIFE_S
from sandbox.orders import Fault
from sandbox.port import Port
from sandbox.router import Reply, Router
from sandbox.session_faults import SessionFaults
from sandbox.sessions import Sessions
from sandbox.state import State

_TEXTS = {
    500: "500: Internal Server Error",
    502: "502: Bad Gateway",
    503: "503: Service Unavailable",
    504: "504: Gateway Timeout",
}


class Loss(Enum):
    """The point at which a connection is cut."""

    REQUEST = auto()
    """The connection is cut before the request is executed."""
    ANSWER = auto()
    """The connection is cut after the request is executed."""
    CONTENT = auto()
    """The connection is not cut, but the response is unreadable."""


EVERY_ROUTE = "* *"
"""The route of a request fault that applies to all routes."""


class RequestFault(Fault):
    """A fault injected into the requests of one route, or of all routes.

    Attributes:
        reply: A response to send instead of executing the request.
        late_s: Delay of the response, by the sandbox's clock.
        is_held: True if the response waits until the fault ends.
        loss: Where the connection is cut.
        limit_s: Seconds for which all routes refuse requests, starting with this request.
        ahead_s: Seconds by which the time in the response is ahead of the sandbox's clock.
    """

    def __init__(
        self,
        route: str,
        times: int | None,
        *,
        reply: Reply | None = None,
        late_s: float = 0.0,
        is_held: bool = False,
        loss: Loss | None = None,
        limit_s: float = 0.0,
        ahead_s: float = 0.0,
    ) -> None:
        super().__init__(times)
        self.method, self.segments = _parts(route)
        self.reply = reply
        self.late_s = late_s
        self.is_held = is_held
        self.loss = loss
        self.limit_s = limit_s
        self.ahead_s = ahead_s

    def meets(self, method: str, path: str) -> bool:
        """Return True if the fault applies to a request, or to a route's template."""
        segments = path.strip("/").split("/")
        return self.method == "*" or (
            method == self.method
            and len(segments) == len(self.segments)
            and all(map(_same_part, self.segments, segments))
        )


def _parts(route: str) -> tuple[str, list[str]]:
    method, _, path = route.partition(" ")
    return method, path.strip("/").split("/")


def _same_part(first: str, second: str) -> bool:
    return first == second or first.startswith("{") or second.startswith("{")


class CutFault(Fault):
    """A fault that breaks a WebSocket in the middle of a frame.

    Attributes:
        after: Number of payloads that still arrive whole.
    """

    def __init__(self, after: int) -> None:
        super().__init__(1)
        self.after = after


class DeafFault(Fault):
    """A fault that makes the gateway send no events.

    Each suppressed event counts as one occurrence.

    Attributes:
        heartbeats: True if heartbeats are still acknowledged.
    """

    def __init__(self, *, heartbeats: bool) -> None:
        super().__init__(None)
        self.heartbeats = heartbeats


class ResumeFault(Fault):
    """A fault that makes the gateway refuse a RESUME."""


class ClosedFault(Fault):
    """A fault that makes the gateway refuse all connections."""


class SpoiltFault(Fault):
    """A fault that makes a READY unparsable."""


class RepeatFault(Fault):
    """A fault that makes a RESUME repeat payloads that the bot has already received.

    Attributes:
        payloads: Number of repeated payloads.
    """

    def __init__(self, payloads: int, times: int | None) -> None:
        super().__init__(times)
        self.payloads = payloads


class Faults(SessionFaults):
    """Injects faults into requests, connections and sessions.

    A route is written as in Discord's documentation, such as ``POST /channels/{id}/messages``. A
    part in braces matches anything, and an id in its place matches only that id. If several faults
    match a request, the oldest is used. ``times=None`` means until the fault is ended.
    """

    def __init__(self, state: State, router: Router, sessions: Sessions, port: Port) -> None:
        super().__init__(state)
        self._router = router
        self._sessions = sessions
        self._port = port

    def answer(
        self,
        route: str,
        *,
        status: int,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        times: int | None = 1,
    ) -> Fault:
        """Respond to a route's requests with a fixed response instead of executing them.

        Such responses are not recorded.

        Args:
            route: Route of the requests.
            status: HTTP status, such as 500.
            body: The JSON. The default is Discord's text for the status.
            headers: Additional headers.
            times: Number of requests.

        Raises:
            ValueError: if there is no such route.
        """
        text = _TEXTS.get(status, f"{status}: Error")
        reply = Reply(status, body or {"message": text, "code": 0}, headers or {})
        return self._order_requests(RequestFault(route, times, reply=reply))

    def rate_limit(
        self, route: str, *, retry_after_s: float = 1.0, via: bool = True, times: int | None = 1
    ) -> Fault:
        """Respond to a route's requests with status 429.

        Without ``via``, the response looks like one from the proxy in front of Discord, which
        clients treat as a ban.

        Raises:
            ValueError: if there is no such route.
        """
        headers = {"Retry-After": str(math.ceil(retry_after_s)), "X-RateLimit-Scope": "shared"}
        if via:
            headers["Via"] = "1.1 google"
        body = {
            "message": "The resource is being rate limited.",
            "retry_after": retry_after_s,
            "global": False,
            "code": 0,
        }
        return self.answer(route, status=429, body=body, headers=headers, times=times)

    def limit_everything(
        self, route: str, *, retry_after_s: float = 1.0, times: int | None = 1
    ) -> Fault:
        """Start a global rate limit at a request to a route.

        Until it is over, every route responds with 429, except the ones that don't count toward the
        limit: callbacks and follow-ups.

        Raises:
            ValueError: if there is no such route.
        """
        return self._order_requests(RequestFault(route, times, limit_s=retry_after_s))

    def slow(self, route: str, *, seconds: float, times: int | None = 1) -> Fault:
        """Execute the request, but delay the response by the sandbox's clock.

        Raises:
            ValueError: if there is no such route.
        """
        return self._order_requests(RequestFault(route, times, late_s=seconds))

    def hold(self, route: str) -> Fault:
        """Execute the request, but respond only when the fault has ended.

        Raises:
            ValueError: if there is no such route.
        """
        return self._order_requests(RequestFault(route, None, is_held=True))

    def wrong_date(self, route: str, *, ahead_s: float, times: int | None = 1) -> Fault:
        """Execute the request, but respond with a wrong Date header, as some proxies do.

        Raises:
            ValueError: if there is no such route.
        """
        return self._order_requests(RequestFault(route, times, ahead_s=ahead_s))

    def lose_answer(self, route: str, *, times: int | None = 1) -> Fault:
        """Execute the request, but cut the connection instead of responding.

        Raises:
            ValueError: if there is no such route.
        """
        return self._order_requests(RequestFault(route, times, loss=Loss.ANSWER))

    def empty_answer(self, route: str, *, times: int | None = 1) -> Fault:
        """Execute the request, but respond with an empty object.

        Raises:
            ValueError: if there is no such route.
        """
        return self._order_requests(RequestFault(route, times, loss=Loss.CONTENT))

    def lose_request(self, route: str, *, times: int | None = 1) -> Fault:
        """Cut the connection instead of executing the request.

        Raises:
            ValueError: if there is no such route.
        """
        return self._order_requests(RequestFault(route, times, loss=Loss.REQUEST))

    def _order_requests(self, fault: RequestFault) -> Fault:
        if not any(fault.meets(route.method, route.template) for route in self._router.routes()):
            path = "/".join(fault.segments)
            raise ValueError(f"there is no route {fault.method} /{path}")
        return self._order(fault)

    @asynccontextmanager
    async def down(self) -> AsyncIterator[None]:
        """Cut all connections and refuse new ones during the block."""
        await self._port.shut()
        try:
            yield
        finally:
            await self._port.open()

    def cut(self) -> None:
        """Cut the gateway's WebSockets without a close frame. Sessions can still be resumed."""
        self._sessions.cut()

    def tear(self, *, after: int = 0) -> Fault:
        """Cut the first WebSocket in the middle of a payload, after `after` more payloads."""
        return self._order(CutFault(after))

    def deaf(self, *, heartbeats: bool = True) -> Fault:
        """Keep the gateway's WebSockets open but send no events.

        Events during that time are lost for good.

        Args:
            heartbeats: True if heartbeats are still acknowledged.
        """
        return self._order(DeafFault(heartbeats=heartbeats))

    def refuse_resume(self, *, times: int | None = 1) -> Fault:
        """Respond to RESUME with op 9: the session no longer exists."""
        return self._order(ResumeFault(times))

    def refuse_sockets(self, *, times: int | None = 1) -> Fault:
        """Respond with 503 to every gateway connection."""
        return self._order(ClosedFault(times))

    def spoil_ready(self, *, times: int | None = 1) -> Fault:
        """Leave the user out of READY, so that no client can parse it."""
        return self._order(SpoiltFault(times))

    def repeat(self, payloads: int, *, times: int | None = 1) -> Fault:
        """At the next RESUME, repeat the last payloads that the bot has received."""
        return self._order(RepeatFault(payloads, times))

    def expire_tokens(self) -> None:
        """Let all interactions so far expire: both their 3 seconds and their 15 minutes."""
        state = self._state
        for interaction in state.interactions.values():
            interaction.created_at -= TOKEN_LIFE_S
            state.cancel(interaction)
            interaction.fail()

    def of_request(self, method: str, path: str) -> RequestFault | None:
        """Return the fault for a request, counted as one occurrence, or None."""
        for fault in self._orders:
            if isinstance(fault, RequestFault) and not fault.is_over and fault.meets(method, path):
                fault.happen()
                return fault
        return None

    async def hold_back(self, fault: RequestFault) -> None:
        """Wait for the delay of a fault, or for its end, if it has one of them."""
        if fault.is_held:
            await fault.ended()
        if not fault.late_s:
            return
        over = asyncio.Event()
        clock = self._state.clock
        timer = clock.call_at(clock.time() + fault.late_s, over.set)
        try:
            await over.wait()
        finally:
            timer.cancel()

    def hides_event(self) -> bool:
        """Return True if an event is lost on its way to the bot."""
        return self._meet(DeafFault) is not None

    def hides_heartbeat(self) -> bool:
        """Return True if a heartbeat is not acknowledged."""
        fault = self._first(DeafFault)
        return fault is not None and not fault.heartbeats

    def refuses_resume(self) -> bool:
        return self._meet(ResumeFault) is not None

    def refuses_socket(self) -> bool:
        """Return True if a connection to the gateway is refused."""
        return self._meet(ClosedFault) is not None

    def spoils_ready(self) -> bool:
        """Return True if a READY is made unparsable."""
        return self._meet(SpoiltFault) is not None

    def repeats(self) -> int:
        """Return the number of payloads that the current RESUME repeats."""
        fault = self._meet(RepeatFault)
        return 0 if fault is None else fault.payloads

    def tears_payload(self) -> bool:
        """Return True if the WebSocket is cut in the middle of the current payload."""
        fault = self._first(CutFault)
        if fault is None:
            return False
        if fault.after:
            fault.after -= 1
            return False
        fault.happen()
        return True
