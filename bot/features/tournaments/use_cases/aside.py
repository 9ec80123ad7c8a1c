"""The next step of a tournament, worked out so that nobody waits for it."""

import asyncio
from datetime import datetime
from functools import partial
from typing import Final

from bot.base.own_process import in_a_process
from bot.features.tournaments.model.field import undecided
from bot.features.tournaments.model.pairing import next_step
from bot.features.tournaments.model.steps import Step
from bot.features.tournaments.model.terms import Tournament, TournamentFormat

_FEW: Final = 8
"""So many are paired in some milliseconds."""
_COSTLY: Final = (TournamentFormat.SWISS, TournamentFormat.ARENA)


class Aside:
    """A thread where that takes no time; else a process that is there for this alone.

    To pair 64 people for a Swiss takes a thread a second or more, in which others wait for Python's
    lock: the event loop for 0.4 s on a busy machine of two cores, where with a process it waited no
    longer than without. Such a process takes 27 MiB for 12 people, 45 for 64, and for 128 people 82
    MiB and 10 s. One at a time: several would only take turns, and memory.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def next_step(self, tournament: Tournament, now: datetime) -> Step:
        """Return the next step of a tournament. A cancelled call ends the process as well.

        Raises:
            BrokenProcessPool: if the process dies over it, as where memory runs out.
        """
        ask = partial(next_step, tournament, now=now)
        async with self._turn:
            if not is_costly(tournament):
                return await asyncio.to_thread(ask)
            return await in_a_process(ask)


def is_costly(tournament: Tournament) -> bool:
    """Tell whether many people may have to be paired by their scores."""
    busy = {player for pairing in undecided(tournament) for player in pairing.players}
    if tournament.terms.format is TournamentFormat.SWISS and busy:
        return False  # a round is over only with its last game
    if tournament.terms.format is TournamentFormat.KNOCKOUT:  # its later rounds are given
        return not tournament.round and bool(tournament.apart) and len(tournament.entrants) > _FEW
    free = [one for one in tournament.entrants if not one.withdrawn and one.player not in busy]
    return tournament.terms.format in _COSTLY and len(free) > _FEW
