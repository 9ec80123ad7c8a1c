"""Tests that metrics agree with the games played, and that health is correct."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aiohttp.test_utils import make_mocked_request

from bot.base.database_address import database_address
from bot.base.health import ActiveFaults
from bot.base.ids import ChannelId, GuildId
from bot.connection.liveness import Liveness
from bot.database.delivery_rows import NOTE, NewDelivery
from bot.database.faults import DatabaseFault
from bot.database.opening import create_engine, migrate
from bot.features.machine.opponent.analyst import Analyst
from bot.features.machine.opponent.staged_machine import StagedMachine
from bot.operations.health import Overview
from bot.play.store.store import Store
from tests.e2e.bot_process import run_bot
from tests.e2e.conftest import Club, texts
from tests.games import random_game
from tests.operations.watched import Watched, until
from tests.postgresql import without_rows


async def test_the_metrics_count_the_games_played(quiet_club: Club, watched: Watched) -> None:
    club = quiet_club
    club.bot.settings["METRICS_PORT"] = str(watched.port)
    await club.bot.start()
    table = await club.start_game()
    moves = random_game(2)
    await table.play(moves[:3])
    await club.bob.slash(club.channel, "move", move=str(moves[3]))
    await table.board(4)
    assert "'s turn" in texts(await club.bob.slash(club.channel, "move", move="a1"))
    await club.bob.slash(club.channel, "challenge")

    numbers = await watched.numbers()
    assert numbers['dvonn_turns_total{door="typed"}'] == 3
    assert numbers['dvonn_turns_total{door="command"}'] == 1
    assert numbers['dvonn_turns_total{door="button"}'] == 1  # someone accepted the challenge
    assert numbers['dvonn_turn_seconds_count{door="typed"}'] == 3
    assert 0 < numbers['dvonn_turn_seconds_sum{door="typed"}'] < 30
    assert numbers['dvonn_refusals_total{kind="NotYourTurn"}'] == 1
    assert numbers["dvonn_rendering_seconds_count"] >= 5
    assert numbers["dvonn_games_running"] == numbers["dvonn_challenges_open"] == 1
    assert numbers["dvonn_deliveries_unsent"] == numbers["dvonn_deliveries_oldest_seconds"] == 0
    assert numbers['dvonn_gateway_connected{shard="0"}'] == 1
    assert numbers['dvonn_gateway_sessions_total{how="anew",shard="0"}'] == 1
    assert numbers["dvonn_store_answers"] == 1
    assert await watched.health() == (
        200,
        {
            "healthy": True,
            "status": "ready",
            "degraded": {},
            "silent": [],
            "waiting": {},
            "heard": ["requests", "shard 0"],
            "unheard": [],
            "shared": [],
            "database": "well",
        },
    )

    async def settled() -> bool:
        return (await watched.numbers())["dvonn_lasting_objects"] > 50_000

    await until(settled)  # once the bot knows all its servers
    with club.world.faults.answer("POST /channels/{id}/messages", status=403, times=None):
        await table.white.slash(club.channel, "move", move=str(moves[4]))
        await club.bot.wrote("delivery failed, retrying")
        numbers = await watched.numbers()
        assert numbers["dvonn_deliveries_unsent"] == 1
        assert numbers["dvonn_deliveries_oldest_seconds"] > 0
        assert (
            numbers['dvonn_troubles_total{level="warning",what="delivery failed, retrying"}'] >= 1
        )
    await club.world.disconnect()

    async def resumed() -> bool:
        return 'dvonn_gateway_sessions_total{how="resumed",shard="0"}' in await watched.numbers()

    await until(resumed)
    assert await club.bot.stop() == 0


async def test_a_process_of_some_shards_waits_for_no_others(
    quiet_club: Club, watched: Watched, postgres_url: str
) -> None:
    bot = quiet_club.bot
    bot.settings["DATABASE_URL"] = await without_rows(postgres_url)
    bot.settings |= {"METRICS_PORT": str(watched.port), "SHARDS": "1-2/4"}
    await bot.start()

    async def hears_with_both() -> bool:
        _, told = await watched.health()
        return bool(told["heard"] == ["requests", "shard 1", "shard 2"])

    await until(hears_with_both)


async def test_a_used_port_is_named_in_the_error(quiet_club: Club, watched: Watched) -> None:
    club = quiet_club
    club.bot.settings["METRICS_PORT"] = str(watched.port)
    await club.bot.start()
    status, _, said = await run_bot(club.bot.folder, **club.bot.settings)
    assert status == 2
    assert f"METRICS_PORT {watched.port} cannot be opened on METRICS_HOST 127.0.0.1: " in said
    assert await club.bot.stop() == 0


class Silent(Analyst):
    """A machine that never answers."""

    fault = "a question has been waiting for 61 s"


async def test_a_silent_machine_and_late_deliveries_degrade_it(tmp_path: Path) -> None:
    liveness = Liveness(lambda: 0.0)
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    await migrate(engine)
    store, now = Store(engine), datetime(2026, 3, 1, tzinfo=UTC)
    note = NewDelivery(kind=NOTE, key="key", guild=GuildId(1), channel=ChannelId(2))
    await store.deliveries.add(note, at=now - timedelta(seconds=121))
    try:
        overview = Overview(
            liveness, store, ActiveFaults(), opponent=Silent(StagedMachine(None)), now=lambda: now
        )
        response = await overview.health(make_mocked_request("GET", "/healthz"))
        told = json.loads(response.text or "")
        assert (response.status, told["status"]) == (200, "degraded")
        assert told["degraded"] == {
            "machine silent": Silent.fault,
            "deliveries late": "no process has sent what was due at 2026-02-28 23:57:59 UTC",
        }
    finally:
        await store.close()


async def ask(url: str, liveness: Liveness) -> tuple[int, dict[str, object]]:
    """Request the health of a bot with this database."""
    engine = create_engine(database_address(url))
    try:
        if url.startswith("sqlite"):
            await migrate(engine)
        overview = Overview(liveness, Store(engine), ActiveFaults(), now=lambda: datetime.now(UTC))
        response = await overview.health(make_mocked_request("GET", "/healthz"))
        assert response.text is not None
        return response.status, json.loads(response.text)
    finally:
        await engine.dispose()


async def test_health_is_bad_when_something_is_silent(tmp_path: Path) -> None:
    seconds = 0.0
    liveness = Liveness(lambda: seconds)
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    liveness.sign("shard 1", next_within=timedelta(minutes=4))
    url = f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"
    assert (await ask(url, liveness))[0] == 200
    seconds = 121.0
    status, said = await ask(url, liveness)
    assert (status, said["silent"], said["heard"]) == (503, ["shard 0"], ["shard 1"])
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    assert (await ask(url, liveness))[0] == 200


async def test_health_is_bad_when_the_database_is_away() -> None:
    status, said = await ask("postgresql://127.0.0.1:1/none", Liveness(lambda: 0.0))
    assert (status, said["healthy"]) == (503, False)
    assert said["database"] == DatabaseFault.UNREACHABLE.problem
