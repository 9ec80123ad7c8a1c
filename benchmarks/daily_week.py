"""The bot's messages to a daily player in a week, and the pings among them.

    python -m benchmarks.daily_week

Ann plays eight games with two days per move in one server, each in its own channel. Her quiet hours
are 22:00 to 8:00. She answers all waiting games at 8:30 in the morning, except on one day at 20:00.
Her opponents answer within half a day. The benchmark counts the boards on which it is her turn, and
the pings, reminders and digests among her messages: once without a digest, and once with a digest
at 8:00.
"""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Final

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.base.ids import ChannelId, MessageId, UserId
from bot.connection.posts import Post
from bot.database.opening import create_engine, migrate
from bot.features.reminders.delivery import ReminderHandler
from bot.features.reminders.digests import DIGEST, Digests
from bot.features.reminders.use_cases import REMINDER, Reminders
from bot.play.delivery.boards import DeliveryContext
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.refusals import NoGameHere
from bot.play.model.terms import MOST_GAMES_PER_PERSON, Start
from bot.play.store.store import Store
from dvonn import format_move
from tests.bot.conftest import Clock
from tests.bot.looked import ALL, look
from tests.bot.table import ANN, GUILD, Table

GAMES: Final = 8
DAY: Final = timedelta(days=1)
TWO_DAYS: Final = TimeControl(bank=2 * DAY, increment=2 * DAY, cap=2 * DAY)
MONDAY: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
STEP: Final = timedelta(minutes=5)
LATE_DAY: Final = 3
"""The day on which she answers only in the evening."""


_NO_KIND: Final[Any] = None
"""Placeholder for a kind that is never used."""


@dataclass
class MessageCounts:
    """The messages that reached Ann."""

    boards: int = 0
    boards_pinging: int = 0
    reminders: int = 0
    digests: int = 0
    lost: int = 0

    @property
    def pings(self) -> int:
        return self.boards_pinging + self.reminders + self.digests


class Week:
    """A week of eight games."""

    def __init__(self, store: Store, *, digest: str) -> None:
        self.clock = Clock()
        self.clock.time = MONDAY
        self.table = Table(store, self.clock)
        self.heard, self.rng, self.digest = MessageCounts(), Random(1), digest
        self.answers: dict[ChannelId, datetime] = {}

    async def play(self) -> MessageCounts:
        table = self.table
        await table.servers.choose(GUILD, games_per_person=MOST_GAMES_PER_PERSON)
        more = (self.digest,) if self.digest else ()
        await table.choices.set_times(ANN, "22:00", "8:00", "", *more)
        for number in range(GAMES):
            channel = ChannelId(900 + number)
            other = UserId(200 + number)
            challenge = await table.challenge(
                other, clock=TWO_DAYS, channel=channel, start=Start.BALANCED
            )
            await self.hear(await table.accept(challenge, other))
            self.clock.time += timedelta(minutes=5)
        while self.clock.time < MONDAY + 7 * DAY:
            self.clock.time += STEP
            await self.step()
        return self.heard

    async def step(self) -> None:
        now = self.clock.time
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        is_late = (now - MONDAY) // DAY == LATE_DAY
        at = midnight + (timedelta(hours=20) if is_late else timedelta(hours=8, minutes=30))
        if now - STEP < at <= now:
            for number in range(GAMES):
                await self.move(ChannelId(900 + number), ANN)
        for channel, at in list(self.answers.items()):
            if at <= now:
                await self.move(channel, None)
        for digest in await self._digests():
            self.heard.digests += digest
        await look(self.table)
        await self.remind()

    async def move(self, channel: ChannelId, by: UserId | None) -> None:
        try:
            game = await self.table.game_cache.running_in(channel)
        except NoGameHere:
            return
        player = game.to_move
        if player is None or (player == ANN) != (by == ANN):
            return
        text = format_move(game.position.legal_moves()[0])
        await self.hear(await self.table.play(player, text, channel))
        if player == ANN:
            self.answers[channel] = self.clock.time + timedelta(hours=self.rng.uniform(1, 12))
        else:
            self.answers.pop(channel, None)

    async def hear(self, update: GameUpdate) -> None:
        """Count a board when it is received."""
        if not update.game.is_running:
            self.heard.lost += 1
            return
        if ANN not in update.pings:
            return
        self.heard.boards += 1
        made: Any = SimpleNamespace(cases=self.table.does, now=self.clock)
        post = Post(content="", pings=update.pings)
        heard = await DeliveryContext.with_notification_modes(made, post, update)
        self.heard.boards_pinging += ANN in heard.pings

    async def remind(self) -> None:
        """Count reminders as the messages that are sent for them."""
        deliveries = self.table.store.deliveries
        rows = await deliveries.due([REMINDER], ALL, self.clock.time)
        together: dict[object, list[Any]] = {}
        for row in rows:
            key = ReminderHandler.group_key(_NO_KIND, row)
            together.setdefault((row.route, key), []).append(row)
        for due in together.values():
            told = [*due, *await self.table.of(Reminders).due_soon(due[0], ALL)]
            await deliveries.mark_sent(told, MessageId(1), at=self.clock.time)
            self.heard.reminders += told[0].player == ANN

    async def _digests(self) -> list[int]:
        if not self.digest:
            return []
        digests = self.table.of(Digests)
        for one in await digests.due(ALL):
            await digests.write(one)
        rows = await self.table.store.deliveries.due([DIGEST], ALL, self.clock.time)
        await self.table.store.deliveries.drop(rows, at=self.clock.time)
        return [bool(await digests.games(ANN)) for _ in rows]


async def week(digest: str) -> MessageCounts:
    """Play the week on a separate database."""
    with TemporaryDirectory() as folder:
        engine = create_engine(database_address(f"sqlite:///{Path(folder) / 'week.sqlite3'}"))
        await migrate(engine)
        store = Store(engine)
        try:
            return await Week(store, digest=digest).play()
        finally:
            await store.close()


def main() -> None:
    """Play both weeks, and print the counts."""
    figures: dict[str, float] = {}
    for name, digest in (("plain", ""), ("digest", "8:00")):
        heard = asyncio.run(week(digest))
        figures |= {
            f"{name}_boards": heard.boards,
            f"{name}_pings": heard.pings,
            f"{name}_reminders": heard.reminders,
            f"{name}_digests": heard.digests,
        }
    print(result_line("daily_week", figures))


if __name__ == "__main__":
    main()
