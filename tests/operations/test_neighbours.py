"""Tests for two bots on one database by mistake: both report it, and both keep running."""

from pathlib import Path

from tests.operations.hosts import Hosts
from tests.operations.watched import until
from tests.postgresql import without_rows

OVER = "duplicate process gone"


async def test_two_bots_on_one_file_both_report_it(hosts: Hosts, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"
    old, new = hosts.bot(url), hosts.bot(url)
    await old.start()
    await new.start()
    assert (old.log_count, new.log_count) == (
        0,
        1,
    )  # the new process sees at its start that the file is open
    hosts.world.invalidate_sessions()  # a new session is recorded at once
    await until(lambda: old.shares("shard 0"))
    await until(lambda: new.shares("shard 0"))
    assert (old.log_count, new.log_count) == (1, 1)
    assert await new.bot.stop() == 0
    hosts.world.invalidate_sessions()
    await until(old.shares)
    assert OVER in old.bot.log
    assert await old.bot.stop() == 0


async def test_a_bot_finds_no_other_process_after_a_power_cut(hosts: Hosts, tmp_path: Path) -> None:
    one = hosts.bot(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}")
    await one.start()
    await one.bot.kill()
    await one.start()
    hosts.world.invalidate_sessions()
    await one.bot.wrote("damage scan finished")
    assert await one.shares()
    assert one.log_count == 0


async def test_shared_shards_on_postgresql_are_reported_and_others_are_not(
    hosts: Hosts, postgres_url: str
) -> None:
    await without_rows(postgres_url)
    first, other, same = (hosts.bot(postgres_url, shards) for shards in ("0/2", "1/2", "0/2"))
    for item in (first, other, same):
        await item.start()
    hosts.world.invalidate_sessions()
    await until(lambda: first.shares("shard 0"))
    await until(lambda: same.shares("shard 0"))
    assert await other.shares()
    assert [entry.log_count for entry in (first, other, same)] == [1, 0, 1]
