"""Reads the page's requests, and refuses values of the wrong type or size."""

import json
from collections.abc import Sequence
from typing import Any

from aiohttp import web

from sandbox.drafts import Upload
from sandbox.errors import ApiError
from sandbox.forms import snowflake
from sandbox.model import JSON
from sandbox.rest import multipart
from sandbox.rest.front import MAX_REQUEST_BYTES

MAX_JSON_BYTES = 64 * 1024
_MULTIPART = "multipart/form-data"


class PageRequestError(Exception):
    """A request by the page is invalid or not allowed. `status` is the HTTP status."""

    def __init__(self, words: str, status: int = 400) -> None:
        super().__init__(words)
        self.status = status


class Body:
    """The JSON object of a request, and its files.

    Every method raises :class:`PageRequestError` if the field is missing or has another type.
    """

    def __init__(self, data: object, files: Sequence[Upload] = ()) -> None:
        if not isinstance(data, dict):
            raise PageRequestError("the body is not a JSON object")
        self._data: JSON = data
        self.files = files

    def __contains__(self, name: str) -> bool:
        return self._data.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        value = self._data.get(name, default)
        if not isinstance(value, str):
            raise PageRequestError(f"{name!r} is not text")
        return value

    def id(self, name: str) -> int:
        """Return an id, from its digits."""
        value = snowflake(self._data.get(name))
        if value is None:
            raise PageRequestError(f"{name!r} is not an id")
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        value = self._data.get(name, default)
        if not isinstance(value, bool):
            raise PageRequestError(f"{name!r} is neither true nor false")
        return value

    def object(self, name: str) -> JSON:
        value = self._data.get(name, {})
        if not isinstance(value, dict):
            raise PageRequestError(f"{name!r} is not an object")
        return value

    def list(self, name: str) -> list[Any]:
        value = self._data.get(name)
        if not isinstance(value, list):
            raise PageRequestError(f"{name!r} is not a list")
        return value


async def read_body(request: web.BaseRequest) -> Body:
    """Return the body of a request.

    Raises:
        PageRequestError: 413 (too long), 415 (neither JSON nor a form), or 400.
    """
    content_type = request.headers.get("Content-Type", "")
    form = content_type.startswith(_MULTIPART)
    if not form and content_type.partition(";")[0].strip() != "application/json":
        raise PageRequestError("the body is not JSON", 415)
    raw = await _read_at_most(request, MAX_REQUEST_BYTES if form else MAX_JSON_BYTES)
    try:
        if form:
            return Body(*multipart.parse(raw, content_type))
        return Body(json.loads(raw))
    except (ApiError, ValueError, RecursionError):
        raise PageRequestError("the body cannot be read") from None


async def _read_at_most(request: web.BaseRequest, most_bytes: int) -> bytes:
    too_long = PageRequestError(f"more than {most_bytes} bytes", 413)
    if (request.content_length or 0) > most_bytes:
        raise too_long
    parts, total = [], 0
    async for part in request.content.iter_any():
        total += len(part)
        if total > most_bytes:
            raise too_long
        parts.append(part)
    return b"".join(parts)
