"""A TLS proxy in front of a server, for tests."""

import asyncio
import subprocess
from contextlib import suppress
from pathlib import Path
from shutil import which

import pytest


def certificate_of(host: str, folder: Path) -> Path:
    """A self-signed certificate of a host, and its key in the same file."""
    tool = which("openssl")
    if tool is None:
        pytest.skip("there is no openssl to make a certificate with")
    file = folder / "both.pem"
    command = f"{tool} req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={host}"
    made = subprocess.run(
        [*command.split(), "-addext", f"subjectAltName=DNS:{host}", "-keyout", "-"],
        capture_output=True,
        check=True,
    )
    file.write_bytes(made.stdout)
    return file


async def pour(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Pass data on until its end."""
    with suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
    target.close()
