"""Tests for the page's script in Node.js. tests/page has those in a browser."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_parts_of_the_script_that_need_no_browser(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js isn't installed: the page's script is tested in a browser only")
    page = shutil.copytree(ROOT / "sandbox" / "page", tmp_path / "page")
    (page / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    script = ROOT / "tests" / "sandbox" / "page_script.mjs"
    command = [node, str(script), page.as_uri()]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
