"""The only top-level package of the bot's wheel, which contains all other packages.

Their names are `bot`, `school`, `club` and `renderer`. Other projects may install packages with
these names: such packages keep their files, but the bot's processes import ours.
"""

import sys
from pathlib import Path
from typing import Final

_PARTS: Final = ("bot", "school", "club", "renderer")

_HERE: Final = Path(__file__).resolve().parent

_HOME: Final = next(  # in a checkout, they are at its root
    folder for folder in (_HERE, _HERE.parents[1]) if (folder / "bot" / "__main__.py").is_file()
)


def open_parts() -> None:
    """Make the contained packages importable by their own names, ahead of other packages.

    Child processes started by `multiprocessing` inherit this.

    Raises:
        ImportError: if another package with one of these names was already imported.
    """
    for name in _PARTS:
        if name not in sys.modules:
            continue
        place = sys.modules[name].__file__ or "a folder without a name"
        if not Path(place).resolve().is_relative_to(_HOME):
            raise ImportError(f"dvonn-bot needs the name {name!r}, which is taken by {place}")
    if str(_HOME) in sys.path[:1]:
        return
    sys.path.insert(0, str(_HOME))
