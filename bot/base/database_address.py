"""Parses database URLs, redacts them, and converts them to the driver's arguments."""

import ssl
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
"""PostgreSQL's SSL modes, from lax to strict."""
SYSTEM = "system"
"""Value of `sslrootcert` that means this machine's root certificates instead of a file."""

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
_PARTS = {
    "user": "username",
    "password": "password",
    "database": "database",
    "dbname": "database",
}
"""Query options of a URL, mapped to the URL part that each one replaces."""
_SSL = {"true": "require", "1": "require", "false": "disable", "0": "disable"}
_FILES = ("sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile")
_HIGHEST_PORT = 65_535
_LONGEST_NAME = 255
"""Maximum length of a file or folder name in bytes."""

_WITH_TLS = SSL_MODES[3:]
_SECRET = ("password", "sslpassword", "sslkey", "passfile")
# Options of libpq that asyncpg lacks. They are ignored, but if `channel_binding` is required, TLS
# is still enforced.
_IGNORED_OPTIONS = (
    *("application_name", "channel_binding", "client_encoding", "connect_timeout"),
    *("fallback_application_name", "gssencmode", "sslcompression", "sslsni", "tcp_user_timeout"),
    *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count"),
    # Other programs use these to detect a connection pooler. The bot detects one itself.
    *("pgbouncer", "prepared_statement_cache_size", "statement_cache_size"),
)


def database_address(text: str) -> URL:
    """Parse a database URL and fill in the asynchronous driver.

    Raises:
        ValueError: if it is not a URL, or the database is unsupported. The message leaves out the
            URL, which may contain a password.
    """
    scheme = text.partition(":")[0]
    if scheme in _DRIVERS and not scheme.startswith("sqlite") and text.count("@") > 1:
        raise ValueError("has more than one @: in a user's name or a password, write it as %40")
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise ValueError("write it like sqlite:///dvonn.sqlite3 or postgresql://…") from error
    if url.drivername not in _DRIVERS:
        raise ValueError("start it with sqlite:/// or postgresql://")
    url = url.set(drivername=_DRIVERS[url.drivername])
    return _checked_file_url(url) if is_sqlite(url) else _normalized_server_url(url)


def _checked_file_url(url: URL) -> URL:
    if url.host is not None:
        raise ValueError("write three slashes, sqlite:///…, or four for a path from the root")
    if url.query:
        raise ValueError("can't have ?options for a file")
    if not url.database or ":memory:" in url.database:
        raise ValueError("name a file: a database in memory is lost at each stop")
    if any(len(part.encode()) > _LONGEST_NAME for part in Path(url.database).parts):
        raise ValueError("has a file or folder name that is too long")
    return url


def _normalized_server_url(url: URL) -> URL:
    """Normalize a URL: move options to the URL parts they replace, and express TLS as `sslmode`."""
    query = dict(url.query)
    for name, part in _PARTS.items():
        if name in query:
            changes: dict[str, Any] = {part: _single_value(name, query.pop(name))}
            url = url.set(**changes)
    if "ssl" in query:
        mode = _single_value("ssl", query.pop("ssl"))
        query.setdefault("sslmode", _SSL.get(mode.lower(), mode))
    _check_tls({name: _single_value(name, query.get(name, "")) for name in ("sslmode", *_FILES)})
    if url.port is not None and not 0 < url.port <= _HIGHEST_PORT:
        raise ValueError(f"has a port that is not from 1 to {_HIGHEST_PORT}")
    url = url.set(query=query)
    try:
        url.get_dialect()().create_connect_args(url)  # checks that there are as many ports as hosts
    except (ArgumentError, ValueError) as error:
        raise ValueError("has different numbers of hosts and ports") from error
    return url


def _check_tls(options: dict[str, str]) -> None:
    mode, roots = options["sslmode"], options["sslrootcert"]
    if mode and mode not in SSL_MODES:
        raise ValueError(f"has an sslmode that isn't one of {', '.join(SSL_MODES)}")
    if mode.startswith("verify") and not roots:
        raise ValueError(f"needs sslrootcert with sslmode={mode}: a file, or {SYSTEM}")
    for name in _FILES:
        if options[name] not in {"", SYSTEM} and not Path(options[name]).is_file():
            raise ValueError(f"has an {name} that doesn't exist")


def _single_value(name: str, text: str | tuple[str, ...]) -> str:
    if not isinstance(text, str):
        raise ValueError(f"has {name} twice")  # noqa: TRY004 - the value is wrong, not its type
    return text


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def redacted_url(url: URL) -> str:
    """Return the public part of an address, without password and options, or the file's path."""
    if is_sqlite(url):
        whole = str(Path(url.database or "").absolute())
        return URL.create("sqlite", database=whole).render_as_string()
    query = {name: text for name, text in url.query.items() if name in {"host", "port"}}
    part = URL.create("postgresql", url.username, None, url.host, url.port, url.database, query)
    return part.render_as_string()


def secrets(url: URL) -> tuple[str, ...]:
    """Return the secrets in a URL, in every spelling that could appear in a log."""
    return encoded_forms(*(_text(url, name) for name in _SECRET), url.password or "")


def encoded_forms(*texts: str) -> tuple[str, ...]:
    """Return the non-empty texts, plain and in every URL-encoded form."""
    return tuple(
        spelling
        for text in texts
        if text
        for spelling in dict.fromkeys((text, quote(text), quote(text, safe=""), quote_plus(text)))
    )


def connection_arguments(url: URL) -> dict[str, Any]:
    """Return asyncpg's arguments for a PostgreSQL URL, parsed as PostgreSQL's own clients do.

    SQLAlchemy would pass each option as a keyword, and asyncpg lacks most of them.
    """
    parts = _connection_parts(url)
    if ":" in (url.host or ""):
        parts["host"] = f"[{url.host}]"
    arguments: dict[str, Any] = {}
    if parts.get("sslrootcert") == SYSTEM:
        del parts["sslrootcert"]
        arguments["ssl"] = ssl.create_default_context()
    return {"dsn": f"postgresql://?{urlencode(parts)}", **arguments}


def libpq_parameters(url: URL) -> dict[str, str]:
    parameters = _connection_parts(url)
    if parameters.get("sslrootcert") == SYSTEM:
        parameters["sslmode"] = SSL_MODES[-1]  # with system certificates, only this mode is allowed
        # An OpenSSL bundled in a wheel does not know this machine's certificate paths.
        paths = ssl.get_default_verify_paths()
        files = (paths.cafile or "", f"{paths.capath}/ca-certificates.crt")
        parameters["sslrootcert"] = next((file for file in files if Path(file).is_file()), SYSTEM)
    return parameters


def _connection_parts(url: URL) -> dict[str, str]:
    query = {name: _text(url, name) for name in url.query if name not in _IGNORED_OPTIONS}
    parts = {
        "host": url.host,
        "port": url.port,
        "user": url.username,
        "password": url.password,
        "dbname": url.database,
    }
    result = query | {name: str(part) for name, part in parts.items() if part}
    is_bound = _text(url, "channel_binding") == "require"
    if is_bound and result.get("sslrootcert") != SYSTEM and result.get("sslmode") not in _WITH_TLS:
        result["sslmode"] = "require"
    return result


def _text(url: URL, name: str) -> str:
    text = url.query.get(name, "")
    return text if isinstance(text, str) else ",".join(text)
