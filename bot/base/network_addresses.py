"""Network addresses in the settings, and the choice of a proxy."""

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined] # untyped

import yarl


def web_address(text: str) -> str:
    """Return the base URL of an API, or raise ValueError if it is invalid."""
    try:
        url = yarl.URL(text)
        check_host_name(url.host or "")
        is_valid = url.scheme in {"http", "https"} and url.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or url.query_string or url.fragment or text.split() != [text]:
        raise ValueError("write it like https://discord.com/api/v10")
    if url.user or url.password:
        raise ValueError("write it without name and password")
    return text


def proxy_address(text: str) -> str:
    """Return a proxy's URL. The scheme may be missing from the text."""
    address = text if "://" in text else f"http://{text}"
    try:
        url = yarl.URL(address)
        check_host_name(url.host or "")
        is_valid = (
            url.scheme in {"http", "https"} and url.port != 0 and address.split() == [address]
        )
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ValueError("write it like http://proxy.example:3128")
    return address


def proxy_for(address: str, proxies: Mapping[str, str]) -> str | None:
    """Return the proxy for a URL, or None to connect directly.

    `proxies` maps schemes to proxies, and "no" to the hosts without a proxy.
    """
    url = yarl.URL(address)
    host = url.host or ""
    if _is_loopback(host) or proxy_bypass_environment(f"{host}:{url.port}", dict(proxies)):
        return None
    return proxies[url.scheme] or None


def password_in(address: str) -> str:
    return yarl.URL(address).password or ""


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_host_name(name: str) -> None:
    """Raise ValueError if a host name is missing or malformed."""
    yarl.URL.build(scheme="http", host=name)
    name.encode("idna")
    if not name:
        raise ValueError("the name is missing")
