"""Fork bots with a changed function from a process that has imported everything.

`python -m tests.mutation.origin keep SOCKET` is that process. The tests of `tests.e2e` start `...
ask SOCKET` instead of `tests.e2e.warm`. It passes its files to a fork of that process, which
changes itself and then serves as their origin.
"""

import gc
import os
import signal
import socket
import sys

from tests.mutation.exchange import CHANGE, exchange_told


def keep(address: str) -> None:
    """Fork an origin for each request. Returns in the origin."""
    from tests.e2e import warm  # noqa: PLC0415 - who asks needs none of it

    warm.prepare()
    warm._play_once()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        while True:
            asking, _ = listening.accept()
            change, files, _, _ = socket.recv_fds(asking, 4096, 2)
            if os.fork() == 0:
                break
            asking.close()
            for file in files:
                os.close(file)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = os.fdopen(0, "r"), os.fdopen(1, "w")
    gc.unfreeze()
    exchange_told(change.decode())
    gc.freeze()
    warm.serve()


def ask(address: str) -> None:
    """Hand over this process's files, and wait until the origin has ended."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(address)
        socket.send_fds(asking, [os.environ.get(CHANGE, "-").encode()], [0, 1])
        os.close(0)
        os.close(1)
        asking.recv(1)


if __name__ == "__main__":
    {"keep": keep, "ask": ask}[sys.argv[1]](sys.argv[2])
