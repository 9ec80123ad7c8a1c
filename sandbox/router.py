"""Routes, and the matching of requests to them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from sandbox.drafts import Upload
from sandbox.errors import Form
from sandbox.forms import snowflake
from sandbox.ratelimits import RateLimiter
from sandbox.state import State


@dataclass(slots=True)
class Call:
    """One request, as a route's handler sees it.

    Attributes:
        params: The variable parts of the path. Those named ``…_id`` are numbers.
        unknown: Fields of the body that Discord does not know.
    """

    state: State
    limiter: RateLimiter
    params: dict[str, Any]
    query: Mapping[str, str]
    body: Any
    uploads: Sequence[Upload]
    unknown: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reply:
    """A response other than JSON with status 200."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


NO_CONTENT = Reply(204)

Handler = Callable[[Call], Any]
"""A function that handles a request and returns a Reply, or JSON for status 200."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the API, with its handler.

    Attributes:
        bucket: Name of its rate limit. Callbacks have none, so their responses lack its headers.
        open: True if a token in the path replaces the bot's.
    """

    method: str
    template: str
    handler: Handler
    bucket: str
    open: bool

    @property
    def own(self) -> str:
        """The key that distinguishes buckets with the same name, or "" if routes share one."""
        return f"{self.method} {self.template}" if self.bucket == "other" else ""


class _Node:
    __slots__ = ("literals", "routes", "variable")

    def __init__(self) -> None:
        self.literals: dict[str, _Node] = {}
        self.variable: _Node | None = None
        self.routes: dict[str, tuple[Route, tuple[str, ...]]] = {}


class Router:
    """A tree of path segments. A literal segment takes precedence over a variable one."""

    def __init__(self) -> None:
        self._root = _Node()

    def route(
        self,
        method: str,
        template: str,
        bucket: str = "other",
        *,
        open: bool = False,  # noqa: A002
    ) -> Callable[[Handler], Handler]:
        """Register a handler, as a decorator."""

        def register(handler: Handler) -> Handler:
            node = self._root
            names = []
            for segment in template.strip("/").split("/"):
                if segment.startswith("{"):
                    names.append(segment[1:-1])
                    node.variable = node.variable or _Node()
                    node = node.variable
                else:
                    node = node.literals.setdefault(segment, _Node())
            node.routes[method] = (Route(method, template, handler, bucket, open), tuple(names))
            return handler

        return register

    def include(self, other: "Router") -> None:
        """Add all routes of another router."""
        for route in other.routes():
            register = self.route(route.method, route.template, route.bucket, open=route.open)
            register(route.handler)

    def routes(self) -> list[Route]:
        routes = []
        nodes = [self._root]
        while nodes:
            node = nodes.pop()
            nodes += node.literals.values()
            if node.variable is not None:
                nodes.append(node.variable)
            routes += [route for route, _ in node.routes.values()]
        return routes

    def find(self, method: str, raw_path: str) -> tuple[Route, dict[str, str]] | None:
        """Return the route of a request, with the path's variable parts."""
        values: list[str] = []
        node = self._descend(self._root, raw_path.strip("/").split("/"), 0, values)
        if node is None or method not in node.routes:
            return None
        route, names = node.routes[method]
        return route, dict(zip(names, map(unquote, values), strict=True))

    def _descend(self, node: _Node, segments: list[str], n: int, values: list[str]) -> _Node | None:
        if n == len(segments):
            return node if node.routes else None
        literal = node.literals.get(segments[n])
        if literal is not None:
            leaf = self._descend(literal, segments, n + 1, values)
            if leaf is not None:
                return leaf
        if node.variable is None:
            return None
        values.append(segments[n])
        leaf = self._descend(node.variable, segments, n + 1, values)
        if leaf is None:
            values.pop()
        return leaf


def read_params(raw: dict[str, str]) -> dict[str, Any]:
    """Return a path's variable parts, with ids converted to numbers.

    >>> read_params({"channel_id": "12", "emoji": "x"})
    {'channel_id': 12, 'emoji': 'x'}

    Raises:
        ApiError: 50035, if an id is not a number.
    """
    params: dict[str, Any] = {**raw}
    form = Form()
    for name, value in raw.items():
        if name.endswith("_id"):
            params[name] = snowflake(value)
            if params[name] is None:
                form.wrong((name,), "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
    form.raise_errors()
    return params
