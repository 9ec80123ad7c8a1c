"""The command line of the package `dvonn`.

python -m dvonn match A B      plays a match between engines
python -m dvonn engine ...     as `python -m dvonn.engine ...`
"""

import importlib
import sys
from collections.abc import Sequence
from typing import Final

_COMMANDS: Final = {"engine": "dvonn.engine.__main__", "match": "dvonn.engine.matches.command"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return the exit status."""
    name, *rest = (sys.argv[1:] if arguments is None else arguments) or [""]
    if name not in _COMMANDS:
        (sys.stdout if name in {"-h", "--help"} else sys.stderr).write(f"{__doc__}\n")
        return 0 if name in {"-h", "--help"} else 2
    status: int = importlib.import_module(_COMMANDS[name]).main(rest)
    return status


if __name__ == "__main__":
    sys.exit(main())
