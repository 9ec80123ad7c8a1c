"""Simulated opponents for a lone visitor, and automatic placement for both sides."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from random import Random

from sandbox.friend import Friend, TurnPlayer, fast_forward
from sandbox.interactions import InteractionFailed
from sandbox.invocations import InvocationRefused
from sandbox.model import JSON, Channel
from sandbox.person import Person
from sandbox.state import State
from sandbox.web.body import PageRequestError

_log = logging.getLogger(__name__)


class SimulatedPlayers:
    """The people that the sandbox currently plays for.

    Args:
        state: The sandbox's state.
        changed: Called after any change here.
        chance: Random number generator for their moves.
        reaction_s: Reaction time of a friend, in seconds.
    """

    def __init__(
        self,
        state: State,
        changed: Callable[[], None],
        *,
        chance: Random | None = None,
        reaction_s: float = 1.2,
    ) -> None:
        self.reaction_s = reaction_s
        self._state = state
        self._changed = changed
        self._turn_player = TurnPlayer(chance or Random())  # noqa: S311 - a game, no secret
        self._friends: dict[int, asyncio.Task[None]] = {}
        self._forward: asyncio.Task[None] | None = None
        self._forward_in: Channel | None = None
        self._note = ""
        self._stopping = False

    def view(self) -> JSON:
        """Return the data that the page shows."""
        place = self._forward_in
        return {
            "friends": [str(number) for number in self._friends],
            "forward": None if place is None else str(place.id),
            "note": self._note,
        }

    def switch(self, person: Person, *, on: bool) -> None:
        """Start or stop the automatic play of a person."""
        task = self._friends.pop(person.id, None)
        if task is not None:
            task.cancel()
        if on:
            friend = Friend(person, self._state, self._turn_player, reaction_s=self.reaction_s)
            task = asyncio.create_task(friend.run(), name=f"{person.name} plays")
            task.add_done_callback(self._ended)
            self._friends[person.id] = task
        self._changed()

    def forward(self, people: Sequence[Person], channel: Channel) -> None:
        """Start to place pieces for the given people in a channel.

        Raises:
            PageRequestError: 409, if pieces are already being placed in some channel.
        """
        if self._forward is not None:
            raise PageRequestError("pieces are already being placed", 409)
        self._forward_in, self._note, self._stopping = channel, "", False
        self._forward = asyncio.create_task(self._run_forward(people, channel))
        self._forward.add_done_callback(self._ended)
        self._changed()

    def stop_forward(self) -> None:
        """Stop placing after the current turn."""
        self._stopping = True

    async def close(self) -> None:
        tasks = [*self._friends.values(), *([self._forward] if self._forward else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run_forward(self, people: Sequence[Person], channel: Channel) -> None:
        try:
            played = await fast_forward(
                people, channel, self._turn_player, goes_on=lambda: not self._stopping
            )
            sentence = f"Pieces placed: {played}." if played else "Nobody has to place here."
            self._note = "Stopped." if self._stopping else sentence
        except (InteractionFailed, InvocationRefused) as error:
            self._note = str(error)
        finally:
            self._forward = self._forward_in = None
            self._changed()

    def _ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        self._state.crashes.append(error if isinstance(error, Exception) else Exception(error))
        _log.error("simulated player failed", exc_info=error)
        self._friends = {key: player for key, player in self._friends.items() if player is not task}
        self._changed()
