"""Pictures for users of the package `dvonn`, which finds this module by an entry point."""

from dvonn import Position
from dvonn_bot import open_parts


def picture(position: Position) -> bytes:
    """Return a position as a PNG."""
    open_parts()
    from renderer import render  # noqa: PLC0415 - only now it can be found

    return render(position)
