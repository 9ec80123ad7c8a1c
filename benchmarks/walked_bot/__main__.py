"""The bot, recording the functions that it enters. `benchmarks.walk` starts it.

    python -m benchmarks.walked_bot FILE

At each SIGUSR1 it writes to FILE, as JSON, the functions entered since the last one: a mapping from
file names to the names of functions.
"""

import json
import runpy
import signal
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
_NAMES: Final = ("bot", "school", "club", "dvonn", "dvonn_lessons", "renderer")
ROOMS: Final = tuple(str(ROOT / name) + "/" for name in _NAMES)

_entered: set[CodeType] = set()


def note(frame: FrameType, event: str, _argument: object) -> None:
    """Record that a function was entered.

    Python calls this for every function, and also when a coroutine goes on after an `await`. Such a
    coroutine was entered earlier, for example a loop that checks the clocks every second.
    """
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(ROOMS) and not code.co_name.startswith("<"):
        goes_on = code.co_code[frame.f_lasti + 1]  # the argument of the instruction RESUME
        if not goes_on:
            _entered.add(code)


def write(file: Path) -> None:
    """Write the entered functions, and start over."""
    functions: dict[str, set[str]] = {}
    for code in tuple(_entered):
        name = Path(code.co_filename).relative_to(ROOT).as_posix()
        functions.setdefault(name, set()).add(code.co_qualname)
    _entered.clear()
    new = file.with_suffix(".new")
    new.write_text(json.dumps({name: sorted(functions[name]) for name in sorted(functions)}))
    new.replace(file)  # at once, so that nobody reads a partial file


def main() -> None:
    file = Path(sys.argv[1])
    signal.signal(signal.SIGUSR1, lambda *_: write(file))
    sys.argv = ["bot"]
    threading.setprofile(note)
    sys.setprofile(note)
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
