"""Tests for the page for games in links, as a file: content policy, size, and pictures."""

import re
import subprocess
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from dvonn import Coordinates
from dvonn.svg.fragments import departed_stack, stack
from dvonn.svg.stack_shapes import StackFace
from renderer.game_page import game_page
from renderer.look import DEFAULT
from renderer.vector import kit
from tests.games import positions_of, random_game

THEME = DEFAULT.theme


def test_the_documented_command_writes_it_and_says_nothing(tmp_path: Path) -> None:
    file = tmp_path / "dvonn.html"
    command = (sys.executable, "-m", "renderer.game_page", str(file))
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == ("", "")
    assert file.read_text(encoding="utf-8") == game_page()


def test_nothing_can_be_loaded_or_sent_and_it_is_light() -> None:
    words = replace(DEFAULT.words, undo="</script><b>")
    page = game_page(look=replace(DEFAULT, words=words), language="de")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none';script-src 'sha256-")
    assert "http" not in page.replace("http-equiv", "")
    assert page.count("</script>") == 2
    assert "<b>" not in page.partition("<script>")[0]
    assert '<html lang="de">' in page
    assert len(page.encode()) < 40 * 1024


def test_the_kit_makes_the_stacks_of_pictures() -> None:
    parts: Any = kit(DEFAULT)
    seen = chain.from_iterable(
        positions_of(random_game(seed))[-1].stacks.values() for seed in range(9)
    )
    for pieces in {*seen, "R", "W", "B", "WB", "RW", "WRBRW", "B" * 12}:
        face = StackFace.from_pieces(pieces)
        if len(pieces) == 1:
            made = parts["single"][pieces]
        else:
            number = parts["numbers"][face.top][len(str(face.height)) - 1]
            made = "".join(
                (
                    *(parts["layers"][n][piece] for n, piece in enumerate(face.pieces)),
                    parts["lifted"][len(face.pieces) - 1],
                    parts["caps"][face.top],
                    re.sub(r"\{n+\}", str(face.height), number),
                    parts["marks"][face.reds],
                    "</g>",
                )
            )
        assert made == stack(face, THEME), pieces
    assert parts["gone"]["W"].replace("{n}", "3") == departed_stack("3", THEME.piece("W"), THEME)
    assert len(parts["spaces"]) == len(parts["centres"]) == 49
    assert set(parts["sizes"]) == {coordinates.value for coordinates in Coordinates}
