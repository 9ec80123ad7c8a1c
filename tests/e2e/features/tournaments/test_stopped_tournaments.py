"""Tests for stopping the clocks of a tournament: the message of its round stays correct."""

from datetime import timedelta

from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, texts
from tests.e2e.database import nothing_unsent
from tests.e2e.features.tournaments.cups import Cup, make, organize

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
_STOPPED = "All clocks here are paused until <t:"


async def begun(club: Club) -> Cup:
    """A running tournament of two."""
    cup = await make(
        club, 2, format="robin", clock="2 days per move", round_time="4 days", start="placement"
    )
    await cup.all_join()
    await cup.start()
    await cup.games(", round 1, board ", 1)
    return cup


async def test_an_organizer_stops_and_restarts_the_clocks(
    clock: BotClock, empty_club: Club
) -> None:
    cup = await begun(empty_club)
    elsewhere = await empty_club.start_game(
        empty_club.guild.create_channel("other"), clock="2 days per move"
    )
    (thread,) = await cup.games(", round 1, board ", 1)
    white, _ = await cup.seats(thread)
    await nothing_unsent(empty_club.bot)
    clock.advance(hours=1)
    answer = texts(await organize(cup.organiser, cup.channel, "stop", {"days": "7"}))
    assert answer.startswith(f"{cup.organiser.mention} stopped the clocks (7 d)\n")
    await cup.message_with("**Cup**: an organizer has stopped all clocks until <t:")
    await thread.wait_for(lambda one: "All clocks here are paused until <t:" in one.content)
    assert _STOPPED in texts(await white.slash(cup.channel, "tournament show"))
    assert "are paused" not in texts(await elsewhere.white.slash(elsewhere.channel, "board"))
    clock.advance(days=3)
    answer = texts(await organize(cup.organiser, cup.channel, "resume"))
    assert answer.startswith(f"{cup.organiser.mention} started the clocks again\n")
    await cup.message_with("**Cup**: all clocks have been running again since <t:")
    standing = texts(await white.slash(thread, "board"))
    assert f"{white.mention} has 1 day, 22 hours left" in standing
    clock.advance(days=2)
    await thread.wait_for(lambda one: f"{white.mention} ran out of time" in one.content)
