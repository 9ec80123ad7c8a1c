"""A TLS proxy in front of a server, for tests."""

import asyncio
import subprocess
from contextlib import suppress
from pathlib import Path
from shutil import which

import pytest


def certificate_of(host: str, folder: Path, *, days: int = 2) -> Path:
    """A self-signed certificate of a host, and its key in the same file.

    With a negative number of days, it has expired.
    """
    tool = which("openssl")
    if tool is None:
        pytest.skip("there is no openssl to make a certificate with")
    file, key, request = (folder / name for name in ("both.pem", "key.pem", "request.pem"))
    asks = f"req -new -newkey rsa:2048 -nodes -subj /CN={host} -keyout {key} -out {request}"
    signs = f"x509 -req -in {request} -signkey {key} -days {days} -copy_extensions copy"
    alternative = ("-addext", f"subjectAltName=DNS:{host}")
    subprocess.run([tool, *asks.split(), *alternative], capture_output=True, check=True)
    signed = subprocess.run([tool, *signs.split()], capture_output=True, check=True)
    file.write_bytes(key.read_bytes() + signed.stdout)
    return file


async def pour(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Pass data on until its end."""
    with suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
    target.close()
