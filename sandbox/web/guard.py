"""Protects the page. Only browsers on this machine that show the page itself get responses.

Names that resolve to this machine (DNS rebinding) are refused by the ``Host`` header, and scripts
from other sites by ``Origin`` and ``Sec-Fetch-Site``. The page's content security policy blocks
scripts that are smuggled in with a message.
"""

import ipaddress
import re

from aiohttp import web

from sandbox.web.body import PageRequestError

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of the responses with the page and its files."""

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.\-]+)(?::\d{1,5})?")
_OWN_FETCHES = frozenset({"same-origin", "none"})


def check(request: web.BaseRequest, bound_to: str, *, navigation: bool = False) -> None:
    """Refuse a request that does not come from the page.

    Args:
        request: The request.
        bound_to: Host that the server listens on.
        navigation: True if the request is for the page itself. Other sites may link to it.

    Raises:
        PageRequestError: 403, with the reason.
    """
    host = request.headers.get("Host", "")
    parsed = _HOST.fullmatch(host)
    if parsed is None or not _is_ours(parsed[1].strip("[]").lower(), bound_to):
        raise PageRequestError("this address is not the sandbox's", 403)
    if navigation:
        return
    origin = request.headers.get("Origin")
    if origin is not None and origin not in {f"http://{host}", f"https://{host}"}:
        raise PageRequestError("only the sandbox's own page may do that", 403)
    if request.headers.get("Sec-Fetch-Site", "none") not in _OWN_FETCHES:
        raise PageRequestError("only the sandbox's own page may do that", 403)


def _is_ours(name: str, bound_to: str) -> bool:
    if name in {"localhost", bound_to.lower()}:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    # DNS can't redirect an IP address. Other addresses reach this port only if it is bound to them.
    return address.is_loopback or not is_loopback(bound_to)


def is_loopback(host: str) -> bool:
    """Return True if only this machine can reach a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
