"""Ports for programs that a test starts."""

import random
import socket
from typing import Final

_PORTS: Final = range(20_000, 32_000)
"""The system gives none of these to whoever asks for any port, as every connection does."""


def free_port() -> int:
    """A port that nobody has, and that nobody is given before the test's program takes it."""
    while True:
        port = random.choice(_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
