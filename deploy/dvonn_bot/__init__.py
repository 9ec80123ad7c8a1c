"""The one name that the bot's wheel puts beside other packages: its parts lie inside.

The parts are called `bot`, `school`, `club` and `renderer`, as other people's packages may be. What
is installed beside them keeps its files and its name; in a process of ours the names are ours.
"""

import sys
from pathlib import Path
from typing import Final

_PARTS: Final = ("bot", "school", "club", "renderer")

_HERE: Final = Path(__file__).resolve().parent

_HOME: Final = next(  # in a checkout they lie at its root
    folder for folder in (_HERE, _HERE.parents[1]) if (folder / "bot" / "__main__.py").is_file()
)


def open_parts() -> None:
    """Let the parts be imported by these names, before others of the same names.

    Processes that `multiprocessing` starts from this one inherit it.

    Raises:
        ImportError: if another package of such a name has been imported already.
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
