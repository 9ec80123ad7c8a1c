"""Tests for other processes with the same database, which are reported to the host once."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.base.database_address import database_address
from bot.database.opening import create_engine
from bot.database.other_processes import OtherProcesses

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
FOUND, GONE = "duplicate process detected", "duplicate process gone"


@pytest.fixture
def others(tmp_path: Path) -> OtherProcesses:
    return OtherProcesses(
        create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    )


def logged_events(others: OtherProcesses, *shards: bool) -> list[str]:
    """Compare shards, each with or without another process. Return what the host is told."""
    with capture_logs() as logged:
        for shard, with_another in enumerate(shards):
            others.record_comparison(shard, NOON, with_another=with_another)
    return [row["event"] for row in logged]


def test_another_process_is_reported_once_and_again_after_its_return(
    others: OtherProcesses,
) -> None:
    assert logged_events(others, False, False) == []
    assert logged_events(others, True, True) == [FOUND]
    assert others.shards == [0, 1]
    assert logged_events(others, False, True) == []
    assert others.any_active
    assert logged_events(others, False, False) == [GONE]
    assert not others.any_active
    assert logged_events(others, True) == [FOUND]


def test_all_shards_have_been_compared_once_the_oldest_has(others: OtherProcesses) -> None:
    assert not others.has_compared_since(NOON)
    others.record_comparison(0, NOON, with_another=False)
    assert others.has_compared_since(NOON)
    others.record_comparison(1, NOON - timedelta(seconds=1), with_another=False)
    assert not others.has_compared_since(NOON)


async def test_a_process_with_the_file_open_counts_for_three_comparisons(
    others: OtherProcesses, tmp_path: Path
) -> None:
    await others.check()
    assert not others.any_active
    with closing(sqlite3.connect(tmp_path / "dvonn.sqlite3")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE things (x)")
        await others.check()
    for _ in range(3):
        assert others.any_active
        logged_events(others, False)
    assert not others.any_active


def test_after_a_takeover_another_may_still_be_ending(others: OtherProcesses) -> None:
    assert not others.may_be_active(NOON)
    others.record_takeover(NOON)
    assert others.may_be_active(NOON + timedelta(seconds=119))
    assert not others.may_be_active(NOON + timedelta(minutes=2))
