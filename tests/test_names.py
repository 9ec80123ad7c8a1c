"""One meaning a word: no two classes of the product have one name."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_no_two_classes_have_one_name() -> None:
    found = defaultdict(list)
    for room in ("bot", "school", "club", "dvonn", "renderer"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(path.relative_to(ROOT)))
    assert len(found) > 200
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}
