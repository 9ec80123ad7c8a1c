import re

import pytest

from benchmarks.result import result_line
from benchmarks.rules import main


def test_the_result_line() -> None:
    figures = {"plies_per_s": 45678.9, "frames": 3, "ratio": 9.87654, "ms": 123.456}
    assert result_line("turn", figures) == (
        "RESULT bench=turn plies_per_s=45679 frames=3 ratio=9.877 ms=123.5"
    )


def test_the_benchmark_of_the_rules_ends_with_its_result(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["--games", "1", "--rounds", "1"])
    last = capsys.readouterr().out.splitlines()[-1]
    number = r"[0-9]+(?:\.[0-9]+)?"
    assert re.fullmatch(
        rf"RESULT bench=rules plies_per_s={number} plain_plies_per_s={number} ratio={number}", last
    )
