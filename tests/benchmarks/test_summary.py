"""Tests for the command that measures everything, and of its table in docs/measurements.md."""

import dataclasses
from datetime import date
from pathlib import Path

import pytest

from benchmarks import summary
from benchmarks.summary import BENCHES, Bench, Result, Row

NEEDS_MORE = {"first_run", "limits"}
"""Benchmarks that need a package index, or root."""


def test_the_page_shows_the_recorded_results() -> None:
    page = summary.PAGE.read_text(encoding="utf-8")
    results = summary.read_results(summary.KEPT.read_text(encoding="utf-8"))

    assert page.count(summary.HEAD) == 1
    assert page == summary.with_table(page, results), "update it: ./run bench"
    assert results.keys() <= {bench.name for bench in BENCHES}


def test_a_missed_aim_is_marked() -> None:
    day = date(2030, 1, 31)
    missed = {"batch": Result(day, {"steps_per_s": 999_999.0, "ratio": 58.0})}
    table = summary.table(missed)
    command = "| `./run bench batch` | 999,999 | at least 1,000,000 | **no** | 2030-01-31 |"
    assert command in table
    met = {"batch": Result(day, {"steps_per_s": 1_000_000.0})}
    assert "| 1,000,000 | at least 1,000,000 | yes | 2030-01-31 |" in summary.table(met)
    assert "| `./run bench batch` | not measured | at least 1,000,000 |  |  |" in summary.table({})


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("turn_ms", 8.012, "8.01 ms"),
        ("seen_p99_ms_50", 8.012, "8.01 ms"),
        ("idle_percent", 0.5, "0.5%"),
        ("plies_per_s", 470_123, "470,123"),
        ("max_kib", 72, "72 KiB"),
        ("ratio", 58.43, "58.4"),
    ],
)
def test_figures_have_three_digits_and_a_unit(name: str, value: float, shown: str) -> None:
    assert Row("it", name).with_unit(value) == shown


def test_an_aim_is_a_limit_on_one_side() -> None:
    assert Row("it", "ratio", most=1).meets(1)
    assert not Row("it", "ratio", most=1).meets(1.01)
    assert Row("it", "ratio", least=10).meets(10)
    assert not Row("it", "ratio", least=10).meets(9.99)
    assert Row("it", "ratio").meets(99)
    for row in (row for bench in BENCHES for row in bench.rows):
        assert row.most is None or row.least is None, row.what


def test_each_row_is_there_once() -> None:
    names = [(bench.name, row.name) for bench in BENCHES for row in bench.rows]
    texts = [row.what for bench in BENCHES for row in bench.rows]
    assert len(names) == len(set(names))
    assert len(texts) == len(set(texts))


@pytest.mark.later("runs a benchmark in a process")
def test_results_are_kept_with_their_date_and_a_failed_benchmark_keeps_its_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (rules,) = (bench for bench in BENCHES if bench.name == "rules")
    quick = dataclasses.replace(rules, arguments=f"rules {rules.small}")
    fails = Bench("batch --no-such-option", "", ())
    kept, page = tmp_path / "measured.txt", tmp_path / "page.md"
    line = "2020-01-31 RESULT bench=batch ratio=7\n"
    kept.write_text(line, encoding="utf-8")
    page.write_text(f"# Before\n\n{summary.HEAD}| old |\n\n## After\n", encoding="utf-8")
    monkeypatch.setattr(summary, "BENCHES", (quick, fails))
    monkeypatch.setattr(summary, "KEPT", kept)
    monkeypatch.setattr(summary, "PAGE", page)

    assert summary.main([]) == 1
    results = summary.read_results(kept.read_text(encoding="utf-8"))
    assert results["batch"] == Result(date(2020, 1, 31), {"ratio": 7})
    assert results["rules"].figures["plies_per_s"] > 0
    assert page.read_text(encoding="utf-8") == f"# Before\n\n{summary.table(results)}## After\n"
    assert "These benchmarks failed: batch" in capsys.readouterr().err

    before = kept.read_text(encoding="utf-8")
    assert summary.main(["rules", "--small"]) == 0
    assert kept.read_text(encoding="utf-8") == before


@pytest.mark.thorough("measures everything at small sizes, with a compilation of the engine")
@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.name)
def test_each_benchmark_prints_the_figures_of_its_rows(bench: Bench) -> None:
    if bench.name in NEEDS_MORE:
        pytest.skip("needs a package index, or root")
    line = summary.run(bench, bench.small)
    assert line is not None
    results = summary.read_results(f"2030-01-31 {line}")
    assert {row.name for row in bench.rows} <= results[bench.name].figures.keys()
