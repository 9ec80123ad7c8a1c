"""Tests for log lines: each names its request, and none contains a secret."""

import asyncio
import json
import logging
import os
import threading
import warnings
from contextlib import closing

import pytest

from bot.base.logs import LogFormat, LogLevel, set_up_logging
from bot.base.separate_process import run_in_process
from bot.features.machine.opponent import worker
from bot.features.machine.opponent.machine import Machine
from tests.bot.base.test_logs import logging_as_before
from tests.e2e.conftest import Club, press
from tests.games import random_game
from tests.postgresql import without_tables

PASSWORD = "s3cret/pass word"

__all__ = ["logging_as_before"]


async def play(club: Club) -> None:
    """Play a game that uses every handler, with a refusal, a form, and a failure or two."""
    await club.bot.start()
    table = await club.start_game()
    moves = random_game(2)
    await table.play(moves[:2])
    await club.ann.slash(club.channel, "move", move=str(moves[2]))
    board = await table.board(3)
    form = await press(club.bob, board, "Type a move")
    await club.bob.submit(form.modal, {"move": str(moves[3])})
    await table.board(4)
    with club.world.faults.answer("POST /channels/{id}/messages", status=403):
        await club.ann.say(club.channel, str(moves[4]))
        await club.bot.wrote("delivery failed, retrying")
    with club.world.faults.lose_answer("POST /interactions/{id}/{token}/callback"):
        await club.cid.slash(club.channel, "games")
    await club.world.disconnect()
    await table.board(5)
    assert await club.bot.stop() == 0


async def test_lines_for_machines_have_game_server_and_message(quiet_club: Club) -> None:
    club = quiet_club
    club.bot.settings["LOG_FORMAT"] = "json"
    await play(club)
    lines = [json.loads(line) for line in club.bot.log.splitlines()]
    played = [line for line in lines if line["event"] == "move played"]
    assert [line["door"] for line in played[:5]] == ["button", "typed", "typed", "command", "form"]
    for revision, line in enumerate(played[:5]):
        assert (line["game"], line["revision"], line["sent"]) == (1, revision, True)
        assert (line["guild"], line["channel"]) == (club.guild.id, club.channel.id)
        assert ("message" in line) == (line["door"] == "typed")
        assert ("interaction" in line) == (line["door"] != "typed")
        assert line["level"] == "info"
        assert {"timestamp", "logger", "ms"} <= line.keys()
    (unsent, *_) = [line for line in lines if line["event"] == "delivery failed, retrying"]
    assert (unsent["game"], unsent["door"], unsent["guild"]) == (1, "typed", club.guild.id)
    refused = [line for line in lines if line["event"] == "interaction response rejected"]
    assert all("interaction" in line for line in refused)


@pytest.mark.parametrize("style", ["text", "json"])
async def test_no_secret_is_ever_written_down(
    quiet_club: Club, postgres_url: str, style: str
) -> None:
    """At the debug level, through errors, with a password in the database's address."""
    club = quiet_club
    await without_tables(postgres_url)
    user, _, place = postgres_url.partition("://")[2].partition("@")
    name, _, own = user.partition(":")
    shown = PASSWORD.replace("/", "%2F").replace(" ", "%20")
    # A server that trusts this machine needs no password. Another one has its own.
    address = postgres_url if own else f"postgresql://{name}:{shown}@{place}"
    club.bot.settings |= {"DATABASE_URL": address, "LOG_LEVEL": "debug", "LOG_FORMAT": style}
    await play(club)
    log = club.bot.log
    assert "INTERACTION_CREATE" in log
    for secret in {club.world.token, own or PASSWORD, own or shown}:
        assert secret not in log
    tokens = {interaction.token for interaction in club.world.state.interactions.values()}
    assert len(tokens) > 5
    assert [token for token in tokens if token in log] == []


def cries_for_help() -> None:
    """Output of libraries, threads and Python itself."""
    warnings.warn("a number too large", RuntimeWarning, stacklevel=1)
    logging.getLogger("numba").warning("compiled anew: %s", "no folder")
    failing = threading.Thread(target=lambda: 1 // 0)
    failing.start()
    failing.join()


@pytest.mark.usefixtures("logging_as_before")
@pytest.mark.parametrize("begins", ["worker", "apart"])
def test_every_line_of_other_processes_is_for_machines_too(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, begins: str
) -> None:
    set_up_logging(LogLevel.INFO, LogFormat.JSON)
    if begins == "apart":
        asyncio.run(run_in_process(cries_for_help))
    else:
        monkeypatch.setattr(worker, "warm_up", cries_for_help)  # the first request that it gets
        with closing(Machine(1)) as machine:
            machine._pool.submit(os.getpid).result()  # by then it is running
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert {line["level"] for line in lines} == {"warning", "critical"}
    warned, told, failed = (line["event"] for line in lines)
    assert "RuntimeWarning: a number too large" in warned
    assert (told, failed) == ("compiled anew: no folder", "thread died: uncaught exception")
