"""Random tournaments: faults in their pairings, and the time that pairing takes.

    python -m tests.soak.tournaments [--events 10000] [--jobs 2] [--seed 0]

Tournaments of 4 to 64 players are played in all formats, with people who leave, join late, or never
show up. Each step must pass the assertions of `tests/club/tournaments/tournament_events.py`, and
`events` is the number of tournaments that did. `excused` counts the rounds of a Swiss that have a
rematch, a second bye or one color too often, where an exhaustive search found no round without
them. `unproven`, which must be 0, counts such rounds in fields too large for that search.
`unbalanced`, which must be 0, counts players of a Swiss whose games with the two colors differed by
more than two. `slowest_s` is the slowest pairing of a round of 64 players, in seconds of processor
time, which other work on the machine does not affect.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import Pool
from random import Random

from benchmarks.result import result_line
from club.tournaments.model.pairing import next_step
from club.tournaments.model.tournament import Tournament, TournamentFormat, Wait
from tests.club.tournaments.tournament_events import Event, a_tournament, at_random


def _play(seed: int) -> tuple[str, Counter[str]]:
    try:
        event = at_random(seed)
    except AssertionError as error:
        return f"seed {seed}: {error}", Counter()
    figures = Counter(
        events=1,
        steps=event.steps,
        excused=event.excused,
        unproven=event.unproven,
        unbalanced=event.unbalanced,
    )
    figures[f"events_{event.tournament.terms.format}"] += 1
    return "", figures


def rounds_of_64() -> list[Tournament]:
    """Return a Swiss of 64 players before each of its rounds."""
    event = Event(a_tournament(TournamentFormat.SWISS, 64, rounds=7), Random(64))
    before = []
    while not event.ended:
        if not event.running:
            before.append(event.tournament)
        if isinstance(event.step(), Wait):
            for pairing in event.running:
                event.play(pairing)
    return before[:-1]


def paired_s(tournament: Tournament) -> float:
    """Return the processor time of pairing a round, in seconds."""
    began = time.process_time()
    next_step(tournament, now=tournament.created_at)
    return time.process_time() - began


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the tournaments, and print the RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    figures: Counter[str] = Counter()
    with Pool(chosen.jobs) as pool:
        seeds = range(chosen.seed, chosen.seed + chosen.events)
        for problem, sizes in pool.imap_unordered(_play, seeds, chunksize=4):
            figures.update(sizes)
            figures["broken"] += bool(problem)
            if problem:
                sys.stdout.write(f"{problem}\n")
    slowest = {"slowest_s": max(paired_s(tournament) for tournament in rounds_of_64())}
    sys.stdout.write(result_line("tournaments", dict(sorted(figures.items())) | slowest) + "\n")


if __name__ == "__main__":
    main()
