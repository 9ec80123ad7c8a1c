"""Tests for a game that takes more than two weeks, run in seconds."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from sandbox import Channel, Message
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, choose, never_saved, set_times, take_vacation
from tests.e2e.database import nothing_due, nothing_unsent, received_until
from tests.e2e.reading import stamps
from tests.games import random_game

TOKYO = ZoneInfo("Asia/Tokyo")


class Watch:
    """Lets time pass and collects the reminders that are sent."""

    def __init__(self, club: Club, clock: BotClock) -> None:
        self.club = club
        self.clock = clock
        self._seen = {place.id: 0 for place in self.places}

    @property
    def places(self) -> list[Channel]:
        return [self.club.channel, self.club.ann.dm, self.club.bob.dm]

    async def advance(self, **by: float) -> dict[str, float]:
        """Let time pass.

        Return the channels of the reminders, and the hours that they say are left.
        """
        await nothing_unsent(self.club.bot)  # no clock runs before a turn's board is posted
        self.clock.advance(**by)
        await nothing_due(self.club.bot, self.clock.now)
        told = {}
        for place, name in zip(self.places, ("channel", "Ann", "Bob"), strict=True):
            found = [message for message in place.messages if "time runs out" in message.content]
            new = found[self._seen[place.id] :]
            self._seen[place.id] = len(found)
            assert len(new) <= 1
            for item in new:
                told[name] = self._hours_left(item)
        return told

    def _hours_left(self, reminder: Message) -> float:
        (deadline,) = stamps(reminder.content, "R")
        return round((deadline - self.clock.now.timestamp()) / 3_600, 1)


async def test_a_game_over_more_than_two_weeks(clock: BotClock, club: Club) -> None:
    began = clock.now
    moves = iter(random_game(31))
    table = await club.start_game(clock="3 days + 1 day")
    watch = Watch(club, clock)
    await never_saved(club.channel, club.ann, club.bob)
    await table.play([next(moves) for _ in range(8)])

    # Ann wants direct messages, and uses two of her three days.
    await choose(club.ann, club.channel, by=["dm"])
    assert await watch.advance(days=1, hours=23) == {}
    assert await watch.advance(hours=1) == {"Ann": 24.0}
    await table.play([next(moves)])

    # Bob starts a vacation: his clock stops, and he gets no reminders.
    await take_vacation(club.bob, club.channel, 4)
    assert await watch.advance(days=4) == {}
    assert await watch.advance(days=1, hours=23) == {}
    assert await watch.advance(hours=1) == {"channel": 24.0}
    assert await watch.advance(hours=23) == {"channel": 1.0}
    await table.play([next(moves)])

    # Ann has two days left. She is asleep at the deadline, and a day before it.
    hours = [clock.now.astimezone(TOKYO) + timedelta(hours=shift) for shift in (-3, 3)]
    begins, until = (hour.strftime("%H:%M") for hour in hours)
    times = {"begins": begins, "ends": until, "zone": "Asia/Tokyo"}
    assert f"{begins} to {until}" in await set_times(club.ann, club.channel, **times)
    assert await watch.advance(days=1, minutes=1) == {}
    assert await watch.advance(hours=3) == {"Ann": 21.0}
    assert await watch.advance(hours=17) == {}
    assert await watch.advance(minutes=55) == {"Ann": 3.1}
    await table.play([next(moves)])

    # Bob has 25 hours left. Then the bot is offline for five days, which don't count.
    assert await watch.advance(hours=10) == {"channel": 15.0}
    received_until(club.bot, clock.now)
    await club.bot.kill()
    clock.advance(days=5)
    await club.bot.start()
    assert await watch.advance(hours=1) == {}
    board = await table.play([next(moves)])
    assert "ran out of time" not in board.content

    # Ann forgets the game, and has no quiet hours now. The bot could not remind her in time.
    await set_times(club.ann, club.channel, zone="Asia/Tokyo")
    assert await watch.advance(hours=26, minutes=35) == {"Ann": 0.5}
    clock.advance(minutes=31)
    over = await table.board(table.position.plies + 1)
    assert over.content.startswith(f"{club.bob.mention} wins. {club.ann.mention} ran out of time")
    assert clock.now - began > timedelta(weeks=2)
    assert await watch.advance(days=1) == {}
