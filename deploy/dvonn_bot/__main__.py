"""The `dvonn-bot` command of an installed bot."""

import sys

from dvonn_bot import open_parts


def main() -> int:
    """Run the bot or one of its tools, and return the exit status."""
    open_parts()
    from bot.__main__ import main as run_bot  # noqa: PLC0415 - only now it can be found

    return run_bot()


if __name__ == "__main__":
    sys.exit(main())
