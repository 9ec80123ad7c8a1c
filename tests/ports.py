"""Ports for programs that a test starts."""

import random
import socket
from typing import Final

_PORTS: Final = range(20_000, 32_000)
"""The system assigns none of these as a free port, as it does for every connection."""


def free_port() -> int:
    """Return a free port that no other program gets before the test's program uses it."""
    while True:
        port = random.choice(_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
