"""Optional test material in a folder next to the checkout.

The project is complete without it. If the folder is missing, its tests are left out, and the end of
a test run says so.
"""

import json
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared"
WANTED_BY = (
    "dvonn/test_shared_vectors.py",
    "engine/test_shared_vectors.py",
    "sandbox/test_openapi.py",
)
"""Tests that need it."""
WITHOUT = (
    "Beside this checkout there are no vectors of others, and no description of Discord's: nothing "
    "was held against those."
)


def shared_json(relative: str) -> Any:
    """Return the parsed content of a shared file."""
    return json.loads((SHARED / relative).read_text(encoding="utf-8"))
