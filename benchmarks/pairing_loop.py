"""Pauses of the bot's event loop while large tournaments are paired, played and told.

    python -m benchmarks.pairing_loop [--players 64] [--rounds 7] [--idle 5]
        [--format robin|swiss|knockout|ladder]

Whole tournaments run by their use cases on SQLite, with their announcements, games, results and
standings: one of each format, or of the one that is named. A heartbeat asks every two milliseconds
whether the loop still runs. `paired_ms` is its longest wait while the director looks, of all
rounds, `played_ms` while games are opened and resigned, `told_ms` while standings are made in every
language, as a picture, which is rendered beside the loop, and in words; and `idle_ms` before, while
nothing was done: what the machine itself and others on it cost. `slowest_s` is the longest look.
These are times of the clock on the wall: measure on a machine that has nothing else to do.
`paired_worked_ms` and so on are what the loop's own thread took of a processor while a heartbeat
waited, and `standings_ms` what one table takes, whatever else the machine does.

A ladder goes on for as many games each as a Swiss has rounds. A round robin has fewer players, as
it takes no more. What is there at first is set aside from the garbage
collector, as the bot does once it knows its servers. The exit code is 1 where the loop was kept
from any of it for over 50 ms more than `idle_ms`.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.base.garbage_collection import freeze_objects
from bot.base.ids import ChannelId, MessageId, Revision, UserId
from bot.base.languages import languages, read_languages, reader
from bot.database.opening import create_engine, migrate
from bot.features.tournaments.model.rules import MOST_IN_ROUND_ROBIN
from bot.features.tournaments.model.standings import standings
from bot.features.tournaments.model.tournament import Tournament, TournamentFormat, TournamentState
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.features.tournaments.words.games import tournament_games
from bot.features.tournaments.words.standings import (
    tournament_picture,
    tournament_table,
    tournament_text,
)
from bot.play.delivery.publisher import Renderer
from bot.play.model.conduct import Venue
from bot.play.readers import Names
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.features.tournaments.directed import MESSAGES, Event
from tests.bot.table import Table

BEAT_S = 0.002
MOST_MS = 50.0
_FIRST: Final = 10_001
"""The number of the first player."""
_TERMS: Final[dict[TournamentFormat, dict[str, Any]]] = {
    TournamentFormat.LADDER: {"lasts": timedelta(days=28)},
}


@dataclass
class Waits:
    """The longest wait of a heartbeat for the loop, in milliseconds."""

    worst_ms: float = 0.0
    worked_ms: float = 0.0
    """The processor time that the loop's own thread has taken meanwhile."""


@asynccontextmanager
async def heartbeat(waits: Waits) -> AsyncIterator[None]:
    """Look every two milliseconds whether the loop still runs."""

    async def beat() -> None:
        while True:
            before, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(BEAT_S)
            late_s = time.perf_counter() - before - BEAT_S
            waits.worst_ms = max(waits.worst_ms, 1000 * late_s)
            waits.worked_ms = max(waits.worked_ms, 1000 * (time.thread_time() - worked))

    beating = asyncio.create_task(beat())
    await asyncio.sleep(0)  # so that it has begun
    try:
        yield
        await asyncio.sleep(2 * BEAT_S)  # so that it also hears of what came last
    finally:
        beating.cancel()


@dataclass
class Found:
    """The results of all formats."""

    paired: Waits = field(default_factory=Waits)
    played: Waits = field(default_factory=Waits)
    told: Waits = field(default_factory=Waits)
    standings_ms: float = 0.0
    slowest_s: float = 0.0
    games: int = 0


async def tell(tournament: Tournament, renderer: Renderer, found: Found) -> None:
    """Make all that is shown of how a tournament stands, for everybody and for some alone."""
    names = {one.player: f"Player {one.player}" for one in tournament.entrants}
    for language in languages():
        one = reader(language)
        began = time.thread_time()
        table = standings(tournament)
        found.standings_ms = max(found.standings_ms, 1000 * (time.thread_time() - began))
        await renderer.render(tournament_picture(one, tournament, table, names))
        for page in (0, 1):
            tournament_table(one, tournament, table, names, page)
            tournament_text(one, tournament, table, page)
        tournament_games(one, tournament, tournament.round)
        await asyncio.sleep(0)  # each of these is asked for alone


async def play(table: Table, event: Event) -> int:
    """Open the games of all pairings, and let somebody resign in each; how many there were."""
    for row in await event.announce():
        place = row.data["round"], row.data["board"]
        await table.of(Director).opened(event.id, *place, MessageId(MESSAGES + row.id))
    running = await event.running()
    for pairing in running:
        await event.lose(pairing, max(pairing.players))
    return len(running)


async def challenge(table: Table, event: Event, rng: Random) -> int:
    """Return a game of a ladder for each two of its people."""
    people = [one.player for one in (await event.now()).entrants]
    rng.shuffle(people)
    for one, other in zip(people[::2], people[1::2], strict=True):
        channel = ChannelId(table.last_source)
        where = Venue(channel=channel, home=channel, has_threads=True)
        number = await table.challenge(
            other, challenger=one, channel=channel, where=where, rated=True
        )
        begun = await table.accept(number, other, message=MessageId(channel + 1), where=where)
        await table.leaving.resign(
            begun.game.row.id, Revision(0), max(one, other), source=table.source()
        )
    return len(people) // 2


async def run(event: Event, rounds: int, found: Found) -> None:
    """One tournament, to its end."""
    table, renderer, rng = event.table, Renderer(Names()), Random(7)
    await event.begin()
    if (await event.now()).state is TournamentState.CHECK_IN:
        for entrant in (await event.now()).entrants:
            await table.of(Tournaments).check_in(event.id, entrant.player)
        await event.begin()
    format_ = (await event.now()).terms.format
    is_ladder = format_ is TournamentFormat.LADDER
    while True:
        began = time.perf_counter()
        async with heartbeat(found.paired):
            await event.tick()
        found.slowest_s = max(found.slowest_s, time.perf_counter() - began)
        now = await event.now()
        if now.state is TournamentState.DONE:
            break
        async with heartbeat(found.played):
            if is_ladder:
                found.games += await challenge(table, event, rng)
            else:
                found.games += await play(table, event)
        now = await event.now()
        async with heartbeat(found.told):
            await tell(now, renderer, found)
        if is_ladder:
            table.clock.advance(days=28 / rounds)
        else:
            table.clock.advance(seconds=2)
    renderer.close()


async def measure(
    folder: Path, formats: Sequence[TournamentFormat], players: int, rounds: int, idle_s: float
) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    engine = create_engine(database_address(f"sqlite:///{folder / 'loop.sqlite3'}"))
    await migrate(engine)
    table = Table(Store(engine), Clock())
    read_languages()
    freeze_objects()
    idle, found = Waits(), Found()
    async with heartbeat(idle):
        await asyncio.sleep(idle_s)
    for format_ in formats:
        is_robin = format_ is TournamentFormat.ROUND_ROBIN
        people = min(players, MOST_IN_ROUND_ROBIN) if is_robin else players
        terms = {"format": format_, "rated": True, **_TERMS.get(format_, {})}
        if format_ is TournamentFormat.SWISS:
            terms["rounds"] = rounds
        entering = [UserId(_FIRST + number) for number in range(people)]
        event = await Event.made(table, entering, **terms)
        await run(event, rounds, found)
        print(f"{format_}: {found}")
    await engine.dispose()
    return {
        "players": players,
        "games": found.games,
        "idle_ms": idle.worst_ms,
        "paired_ms": found.paired.worst_ms,
        "paired_worked_ms": found.paired.worked_ms,
        "played_ms": found.played.worst_ms,
        "played_worked_ms": found.played.worked_ms,
        "told_ms": found.told.worst_ms,
        "told_worked_ms": found.told.worked_ms,
        "standings_ms": found.standings_ms,
        "slowest_s": found.slowest_s,
    }


def main() -> int:
    """Measure, print the RESULT line, and say whether the loop was there all the time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pairing_loop")
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--idle", type=float, default=5.0, help="seconds of doing nothing before")
    parser.add_argument("--format", type=TournamentFormat, choices=list(TournamentFormat))
    options = parser.parse_args()
    formats = list(TournamentFormat) if options.format is None else [options.format]
    with tempfile.TemporaryDirectory(prefix="dvonn-loop-") as name:
        found = asyncio.run(
            measure(Path(name), formats, options.players, options.rounds, options.idle)
        )
    print(result_line("pairing_loop", found))
    stood_still = max(found[what] for what in ("paired_ms", "played_ms", "told_ms"))
    return int(stood_still > MOST_MS + found["idle_ms"])


if __name__ == "__main__":
    raise SystemExit(main())
