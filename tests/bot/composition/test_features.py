"""Features as the folders that they are: what each is built on is what it says."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from bot.composition import FEATURES, JOINED

FOLDER = Path(__file__).parents[3] / "bot" / "features"
NEEDS = {one.name: set(one.needs) for one in FEATURES}


def imported(feature: str) -> set[str]:
    """The other features that a feature's files import."""
    found = {feature}
    for file in (FOLDER / feature).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bot.features."):
                found |= {(node.module or "").split(".")[2]}
    return found - {feature}


def test_a_feature_needs_what_it_imports() -> None:
    assert {name: imported(name) for name in NEEDS} == NEEDS
    order = list(TopologicalSorter(NEEDS).static_order())
    assert set(order) == {one.parent.name for one in FOLDER.glob("*/__init__.py")}


def test_what_the_game_and_features_have_stands_by_rank() -> None:
    names = [one.name for one in JOINED.commands]
    assert names[:4] == ["play", "challenge", "learn", "help"]
    assert names[-6:] == ["plan", "show", "puzzle", "profile", "leaderboard", "tournament"]
    menus = ["Board as text", "My moves", "Review", "Replay", "Explore from here", "Profile"]
    assert [one.name for one in JOINED.menus] == menus
