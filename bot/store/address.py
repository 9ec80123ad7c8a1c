"""A database's address: what of it may be shown, what must not, and what the driver is told."""

import ssl
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

from sqlalchemy.engine import URL

SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
"""As PostgreSQL's own clients name them, from careless to careful."""
SYSTEM = "system"
"""In place of a file of root certificates: those of this machine."""

_WITH_TLS = SSL_MODES[3:]
_SECRET = ("password", "sslpassword", "sslkey", "passfile")
# What PostgreSQL's own clients know and asyncpg does not; without it a connection is the same.
# Whoever requires a binding to the channel gets TLS at least.
_NOT_FOR_US = (
    *("application_name", "channel_binding", "client_encoding", "connect_timeout"),
    *("fallback_application_name", "gssencmode", "sslcompression", "sslsni", "tcp_user_timeout"),
    *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count"),
)


def is_sqlite(url: URL) -> bool:
    """Whether it is a file of SQLite's; else it is a PostgreSQL."""
    return url.get_backend_name() == "sqlite"


def shown(url: URL) -> str:
    """The part of an address that may be shown: host and database, or the file with its path."""
    if is_sqlite(url):
        whole = str(Path(url.database or "").absolute())
        return URL.create("sqlite", database=whole).render_as_string()
    hosts = {name: text for name, text in url.query.items() if name == "host"}
    part = URL.create("postgresql", host=url.host, database=url.database, query=hosts)
    return part.render_as_string()


def secrets(url: URL) -> tuple[str, ...]:
    """What of an address must never be written down, in every way in which it may be written."""
    texts = [_text(url, name) for name in _SECRET] + [url.password or ""]
    return tuple(
        way
        for text in texts
        if text
        for way in dict.fromkeys((text, quote(text), quote(text, safe=""), quote_plus(text)))
    )


def connection_arguments(url: URL) -> dict[str, Any]:
    """What asyncpg is told: a name of a PostgreSQL, which it reads as PostgreSQL's own clients do.

    SQLAlchemy would hand it each part of the query by its name, most of which it has not.
    """
    query = {name: _text(url, name) for name in url.query if name not in _NOT_FOR_US}
    parts = {
        "host": f"[{url.host}]" if ":" in (url.host or "") else url.host,
        "port": url.port,
        "user": url.username,
        "password": url.password,
        "dbname": url.database,
    }
    told = query | {name: str(part) for name, part in parts.items() if part}
    arguments: dict[str, Any] = {}
    if told.get("sslrootcert") == SYSTEM:
        del told["sslrootcert"]
        arguments["ssl"] = ssl.create_default_context()
    elif _text(url, "channel_binding") == "require" and told.get("sslmode") not in _WITH_TLS:
        told["sslmode"] = "require"
    return {"dsn": f"postgresql://?{urlencode(told)}", **arguments}


def _text(url: URL, name: str) -> str:
    text = url.query.get(name, "")
    return text if isinstance(text, str) else ",".join(text)
