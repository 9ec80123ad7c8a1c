"""Faults of tournaments after kills: what happened twice, or never.

Every public message is compared with the database.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Executable, select
from sqlalchemy.engine import Row

from bot.database.delivery_rows import deliveries
from bot.play.store.schema import games
from club.ratings.schema import rating_changes
from club.tournaments.schema import entrants, pairings, tournaments
from club.tournaments.use_cases.news import NEWS, PAIRING
from sandbox import Channel, Message
from tests.e2e.conftest import is_board

OVER: Final = ("done", "cancelled")


@dataclass(frozen=True, slots=True)
class Heard:
    """The messages of one channel's tournaments."""

    channel: Channel
    said: Mapping[int, Message]
    """In the channel and its threads."""
    everywhere: Mapping[int, Message]
    """The same with the messages of all other channels, where a ladder's games are played."""
    events: Mapping[int, str]
    """The names of Discord's scheduled events, by id."""
    rows: Callable[[Executable], Awaitable[list[Row[Any]]]]
    """Queries the database."""

    async def faults(self, bot: object) -> list[str]:
        """Return what was announced, opened or paired twice, or never."""
        here = deliveries.c.channel_id == self.channel.id
        kinds = deliveries.c.kind.in_([NEWS, PAIRING])
        sent = {
            row.message_id: row
            for row in await self.rows(select(deliveries).where(here, kinds))
            if row.sent_at is not None
        }
        stands = {
            message.id: message
            for message in self.said.values()
            if message.channel is self.channel and message.author is bot
        }
        found = [f"told twice: {stands[number].content}" for number in stands.keys() - sent.keys()]
        lost = [sent[item] for item in sent.keys() - stands.keys()]
        found += [f"never told: {delivery.kind} {delivery.key}" for delivery in lost]
        boards = Counter(
            (message.channel.id, message.attachments[0].filename)
            for message in self.said.values()
            if is_board(None)(message)
        )
        found += [f"posted twice: {name}" for (_, name), n in boards.items() if n > 1]
        held = await self.rows(
            select(tournaments).where(tournaments.c.channel_id == self.channel.id)
        )
        for row in held:
            found += [f"{row.name}: {fault}" for fault in await self._of_one(row)]
        made, asked = Counter(self.events.values()), Counter(row.name for row in held)
        found += [f"{name}: {n} events" for name, n in made.items() if n > asked[name]]
        return found

    async def _of_one(self, row: Row[Any]) -> list[str]:
        """Return the faults of one tournament."""
        paired = await self.rows(select(pairings).where(pairings.c.tournament_id == row.id))
        played = await self.rows(select(games).where(games.c.tournament_id == row.id))
        rated = await self.rows(select(rating_changes.c.game_id).distinct())
        told = await self.rows(select(deliveries).where(deliveries.c.kind.in_([NEWS, PAIRING])))
        people = await self.rows(
            select(entrants.c.number).where(entrants.c.tournament_id == row.id)
        )
        mine = [item for item in told if item.data["tournament"] == row.id]
        return [
            *self._games(row, paired, played, {change.game_id for change in rated}),
            *self._rounds(row, bool(people), paired, [item for item in mine if item.kind == NEWS]),
            *self._openings(row, paired, [item for item in mine if item.kind == PAIRING]),
        ]

    def _games(
        self, row: Row[Any], paired: list[Row[Any]], played: list[Row[Any]], rated: set[int]
    ) -> Iterator[str]:
        begun = Counter(item.game_id for item in paired if item.game_id is not None)
        # A ladder counts rated games that end before it does. Only a few games a day between the
        # same two players are rated.
        uncounted = {
            item.id
            for item in played
            if row.format == "ladder"
            and (
                (row.ended_at is not None and item.ended_at >= row.ended_at) or item.id not in rated
            )
        }
        if {item.id for item in played} - uncounted - set(begun) or set(begun.values()) > {1}:
            yield f"games {sorted(item.id for item in played)}, in pairings {sorted(begun)}"
        if set(begun) - {item.id for item in played}:
            yield f"pairings of games {sorted(begun)} that are another's"
        last = {
            f"dvonn-{event.id}-{event.revision}.png"
            for event in played
            if event.outcome is not None
        }
        posted = {
            message.attachments[0].filename
            for message in self.everywhere.values()
            if is_board(None)(message)
        }
        for name in last - posted:
            yield f"a last board never came: {name}"

    def _rounds(
        self, row: Row[Any], people: bool, paired: list[Row[Any]], news: list[Row[Any]]
    ) -> Iterator[str]:
        if row.state not in OVER and people:
            yield f"it is {row.state}"
        # A tournament that was requested again, because there was no answer, is ignored.
        ends = {"done": {"ended-0"}, "cancelled": {"cancelled-0"}}
        wanted = {"created-0"} | ends.get(row.state, set())
        goes_on = row.format == "ladder"
        rounds = 1 if goes_on and row.began_at is not None else row.round
        wanted |= {f"round-{number}" for number in range(1, rounds + 1)}
        wanted |= {f"results-{number}" for number in range(1, rounds)}
        got = {new.key.removeprefix(f"{row.id}-") for new in news}
        optional = {text for text in got if text.startswith(("corrected-", "check_in-"))}
        if got - optional != wanted:
            yield f"told {sorted(got)}, not {sorted(wanted)}"
        seats = Counter(
            (pairing.round, who)
            for pairing in paired
            for who in (pairing.white, pairing.black)
            if who is not None
        )
        if row.format == "swiss" and set(seats.values()) - {1}:
            yield f"somebody is paired twice in a round: {seats}"

    def _openings(
        self, row: Row[Any], paired: list[Row[Any]], told: list[Row[Any]]
    ) -> Iterator[str]:
        by_key = {delivery.key: delivery for delivery in told}
        for pairing in paired:
            at = by_key.get(f"{row.id}-{pairing.round}-{pairing.board}")
            if row.format == "ladder":
                continue
            if pairing.game_id is not None and (at is None or at.message_id != pairing.message_id):
                yield f"round {pairing.round}, board {pairing.board} began from another message"
            if pairing.result is None and row.state == "done":
                yield f"round {pairing.round}, board {pairing.board} was never decided"
            if pairing.game_id is None and pairing.black is not None and row.state == "done":
                left = at is not None and (
                    at.dropped_at is not None or pairing.forfeit or pairing.by_id
                )
                if not left and at is not None:
                    yield f"round {pairing.round}, board {pairing.board} was never opened"
        heads = Counter(
            message.content.splitlines()[0]
            for message in self.said.values()
            if re.match(rf"\*\*{re.escape(row.name)}\*\*, round \d+, board ", message.content)
        )
        for head, times in heads.items():
            if times > 1:
                yield f"announced {times} times: {head}"
