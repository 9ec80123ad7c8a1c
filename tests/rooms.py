"""The packages of the bot, and the folders of features in them."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[1]
ROOMS: Final = ("bot", "school", "club")
"""Packages of the bot. Their texts are translated, and one wheel contains them all."""
_FEATURES: Final = ("bot/features", "school", "club")
"""Folders with a folder for each feature."""


def sources() -> Iterator[Path]:
    """Yield the modules of all rooms."""
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def modules() -> Iterator[ModuleType]:
    """Yield the modules of all rooms, imported, without scripts and missing extras."""
    for path in sources():
        if "migrations" in path.parts or path.stem in {"__main__", "worker"}:
            continue
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        try:
            yield import_module(name.removesuffix(".__init__"))
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] in {*ROOMS, "dvonn", "renderer"}:
                raise


def features(root: Path = ROOT) -> dict[str, Path]:
    """Return the folder of each feature of a tree, by its name."""
    found = (file.parent for top in _FEATURES for file in sorted((root / top).glob("*/feature.py")))
    return {folder.name: folder for folder in found}


def package(name: str) -> str:
    """Return the package of a feature, such as "school.lessons"."""
    return ".".join(features()[name].relative_to(ROOT).parts)


def feature_of(module: str) -> str | None:
    """Return the feature that a module belongs to, or None."""
    match module.split("."):
        case ["bot", "features", name, *_] | ["school" | "club", name, *_]:
            return name
    return None
