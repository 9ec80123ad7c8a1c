"""The CDN: uploaded files, served and downloaded over HTTP."""

import aiohttp
from aiohttp import web

from sandbox.model import Attachment
from sandbox.state import State

PREFIX = "/attachments/"

_INERT = frozenset(
    {"image/png", "image/gif", "image/jpeg", "image/webp", "text/plain", "application/json"}
)
"""Types of files that browsers don't execute."""


def _headers(attachment: Attachment) -> dict[str, str]:
    """Return headers that prevent an uploaded file from running as a script in the page."""
    kind = attachment.content_type or ""
    return {
        "Content-Type": kind if kind in _INERT else "application/octet-stream",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


class Cdn:
    """Serves the world's files, and downloads them as a client does."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._downloads: aiohttp.ClientSession | None = None

    def open(self) -> None:
        """Open the HTTP session for downloads."""
        self._downloads = aiohttp.ClientSession()

    async def close(self) -> None:
        """Close the HTTP session for downloads."""
        if self._downloads is not None:
            await self._downloads.close()

    def serves(self, request: web.BaseRequest) -> bool:
        return request.path.startswith(PREFIX) and request.method in {"GET", "HEAD"}

    def serve(self, path: str) -> web.Response:
        """Return a file by its path."""
        number = path.removeprefix(PREFIX).split("/")[1:2]
        attachment = None
        if number and number[0].isdecimal():
            attachment = self._state.attachments.get(int(number[0]))
        if attachment is None or not path.endswith("/" + attachment.filename):
            return web.Response(status=404, text="This content is no longer available.")
        return web.Response(body=attachment.data, headers=_headers(attachment))

    async def download(self, url: str) -> bytes:
        """Download a file by its URL, over HTTP."""
        if self._downloads is None:
            raise RuntimeError("the sandbox has not been started")
        async with self._downloads.get(url) as response:
            response.raise_for_status()
            return await response.read()
