"""Tests of putting a database aside."""

from pathlib import Path

from bot.database.aside import _rename


def test_what_is_put_aside_within_one_second_replaces_nothing(tmp_path: Path) -> None:
    file, aside = tmp_path / "dvonn.sqlite3", tmp_path / "dvonn.sqlite3.aside-20261129-120000"
    for content in ("first", "second", "third"):
        file.write_text(content)
        _rename(file, aside)
    kept = {path.name.removeprefix(aside.name): path.read_text() for path in tmp_path.iterdir()}
    assert kept == {"": "first", "-2": "second", "-3": "third"}
