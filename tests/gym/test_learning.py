"""Tests for the script that learns values from the sample of games, and of its document."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="scikit-learn comes at night: locks/nightly.txt")

ROOT = Path(__file__).resolve().parents[2]


def test_the_learner_reaches_the_documented_strength() -> None:
    script = ROOT / "docs" / "learn_values.py"
    done = subprocess.run(
        [sys.executable, script],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    losses = {
        name: float(loss)
        for name, loss in re.findall(
            r"^(\w.*?) +(0\.\d+)(?: +0\.\d+){3}$", done.stdout, re.MULTILINE
        )
    }
    constant, material, added, small, search = losses.values()
    assert search < small < material < constant < 0.7
    assert added < material
    paper = (ROOT / "docs" / "data" / "README.md").read_text("utf-8")
    told = dict(re.findall(r"^\| (.+?) \| (0\.\d+) \|", paper, re.MULTILINE))
    assert {name: pytest.approx(float(loss), abs=0.005) for name, loss in told.items()} == losses
