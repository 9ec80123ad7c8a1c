"""The one place that knows of the folder beside the checkout where more test material may lie.

The project stands alone: where the folder is absent, the tests that want it are skipped and say so.
"""

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared_file(relative: str) -> Path:
    """The path of a shared file, or a skipped test where it is not at hand."""
    path = SHARED / relative
    if not path.exists():
        pytest.skip(f"{relative} is not beside this checkout")
    return path


def shared_json(relative: str) -> Any:
    """The parsed content of a shared JSON file, or a skipped test where it is not at hand."""
    return json.loads(shared_file(relative).read_text(encoding="utf-8"))
