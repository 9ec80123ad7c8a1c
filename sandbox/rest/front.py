"""Handling of a request: authentication, route, rate limit and response."""

import json
import logging
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from sandbox.drafts import Upload
from sandbox.errors import ApiError, invalid_json, too_large, unauthorized
from sandbox.faults import Faults, Loss, RequestFault
from sandbox.ratelimits import RateLimiter, Verdict
from sandbox.rest import (
    applications,
    channels,
    guilds,
    interactions,
    messages,
    multipart,
    scheduled_events,
)
from sandbox.router import Call, Reply, Route, Router, read_params
from sandbox.snowflakes import http_date
from sandbox.state import State

MAX_REQUEST_BYTES = 25 * 1024 * 1024
PREFIX = "/api/v10"

_log = logging.getLogger(__name__)
_TOO_MANY = 429
_NOT_FOUND_TEXT = "404: Not Found"
_JSON = "application/json"
_MAJORS = ("channel_id", "guild_id", "webhook_token", "interaction_token")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response.

    Attributes:
        route: The path's template, such as ``/channels/{channel_id}/messages``.
        request: The JSON body, or a form's ``payload_json``. None without a body.
        files: Names of the files in the request.
        unknown_fields: Fields of the body that Discord does not know and ignores.
        response: The JSON of the response, or None for 204.
        at: The time by the sandbox's clock, in seconds since the Unix epoch.
    """

    method: str
    route: str
    path: str
    query: dict[str, str]
    request: Any
    files: tuple[str, ...]
    unknown_fields: tuple[str, ...]
    status: int
    response: Any
    at: float


def all_routes() -> Router:
    """Return all routes under ``/api/v10``."""
    router = Router()
    for area in (applications, messages, channels, guilds, scheduled_events, interactions):
        router.include(area.router)
    return router


@dataclass(eq=False)
class RestServer:
    """Handles requests under ``/api/v10``.

    Attributes:
        exchanges: Every request and response, if ``record``.
        unknown_routes: Requested routes that the sandbox does not implement.
    """

    state: State
    token: str
    limiter: RateLimiter
    faults: Faults
    router: Router
    record: bool = True
    exchanges: list[Exchange] = field(default_factory=list)
    unknown_routes: list[str] = field(default_factory=list)

    async def handle(self, request: web.BaseRequest) -> web.Response:
        response = await self._answer(request)
        response.headers.setdefault("Date", http_date(self.state.now()))
        return response

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        path = request.rel_url.raw_path.removeprefix(PREFIX)
        verdict = Verdict()
        route: Route | None = None
        call = Call(self.state, self.limiter, {}, request.query, None, ())
        fault: RequestFault | None = None
        try:
            route, params = self._find(request, path)
            self._authorize(request, route)
            fault = self.faults.of_request(request.method, path)
            if fault is not None and (fault.reply is not None or fault.loss is Loss.REQUEST):
                return await _instead(request, fault)
            if fault is not None and fault.limit_s:
                self.limiter.refuse_all(seconds=fault.limit_s)
            call.params = read_params(params)
            verdict = self._count(route, call)
            call.body, call.uploads = await _read_body(request)
            reply = self._reply(route, call, verdict)
        except ApiError as error:
            reply = Reply(error.status, error.body)
        except ConnectionError:
            # The client disconnected before it had sent the whole request.
            return web.Response(status=400)
        except Exception as error:
            _log.exception("REST request failed: %s %s", request.method, request.path)
            self.state.crashes.append(error)
            reply = Reply(500, {"message": "500: Internal Server Error", "code": 0})
        if self.record:
            self._record(request, route, call, reply)
        if fault is not None:
            await self.faults.hold_back(fault)
            if fault.loss is Loss.ANSWER:
                _cut(request)
            reply = _with_fault(reply, fault, self.state.now())
        return _response(reply, verdict)

    def _find(self, request: web.BaseRequest, path: str) -> tuple[Route, dict[str, str]]:
        route = self.router.find(request.method, path)
        if route is None:
            self.unknown_routes.append(f"{request.method} {request.path}")
            raise ApiError(404, 0, _NOT_FOUND_TEXT)
        return route

    def _authorize(self, request: web.BaseRequest, route: Route) -> None:
        token = request.headers.get("Authorization")
        if not route.open and (token != f"Bot {self.token}" or self.state.gateway.token_reset):
            raise unauthorized()

    def _count(self, route: Route, call: Call) -> Verdict:
        if not route.bucket:
            return Verdict()
        major = "/".join(str(call.params[name]) for name in _MAJORS if name in call.params)
        return self.limiter.check(route.bucket, major, route=route.own, exempt=route.open)

    @staticmethod
    def _reply(route: Route, call: Call, verdict: Verdict) -> Reply:
        if verdict.refusal is not None:
            return Reply(_TOO_MANY, verdict.refusal)
        answer = route.handler(call)
        if route.method != "GET":
            call.state.touch()
        return answer if isinstance(answer, Reply) else Reply(200, answer)

    def _record(
        self, request: web.BaseRequest, route: Route | None, call: Call, reply: Reply
    ) -> None:
        self.exchanges.append(
            Exchange(
                method=request.method,
                route=route.template if route else "",
                path=request.path,
                query=dict(request.query),
                request=call.body,
                files=tuple(upload.filename for upload in call.uploads),
                unknown_fields=tuple(call.unknown),
                status=reply.status,
                response=reply.body,
                at=self.state.now(),
            )
        )


async def _instead(request: web.BaseRequest, fault: RequestFault) -> web.Response:
    """Return the response that a fault prescribes instead of executing the request."""
    await request.read()
    if fault.loss is Loss.REQUEST:
        _cut(request)
    return _response(fault.reply or Reply(502), Verdict())


def _cut(request: web.BaseRequest) -> None:
    if request.transport is not None:
        request.transport.abort()


def not_found() -> web.Response:
    """Return the response for an unknown path."""
    return _response(Reply(404, {"message": _NOT_FOUND_TEXT, "code": 0}), Verdict())


async def _read_body(request: web.BaseRequest) -> tuple[Any, list[Upload]]:
    """Return the request's JSON and files.

    Raises:
        ApiError: 40005 or 50109.
    """
    if not request.body_exists:
        return None, []
    if (request.content_length or 0) > MAX_REQUEST_BYTES:
        raise too_large()
    body = await request.content.read()
    if not body:
        return None, []
    content_type = request.headers.get("Content-Type", "")
    if content_type.startswith("multipart/form-data"):
        return multipart.parse(body, content_type)
    try:
        return json.loads(body), []
    except ValueError:
        raise invalid_json() from None


def _with_fault(reply: Reply, fault: RequestFault, now: float) -> Reply:
    """Return a response with the changes that a fault makes."""
    headers = {"Date": http_date(now + fault.ahead_s)} if fault.ahead_s else {}
    body = {} if fault.loss is Loss.CONTENT else reply.body
    return Reply(reply.status, body, {**reply.headers, **headers})


def _response(reply: Reply, verdict: Verdict) -> web.Response:
    headers = {**verdict.headers, **reply.headers}
    if reply.body is None:
        return web.Response(status=reply.status, headers=headers)
    headers["Content-Type"] = _JSON
    return web.Response(status=reply.status, headers=headers, body=json.dumps(reply.body).encode())
