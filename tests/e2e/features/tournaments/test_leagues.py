"""A test of a league as people see it: two seasons that begin and end automatically.

The bot is killed while it opens a season's games, when the last one has ended, and between seasons.
"""

import re
from collections import Counter, defaultdict

import pytest

from sandbox import Message, Thread
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, message_of
from tests.e2e.features.tournaments.cups import Cup, make

DIVISIONS = ("A", "B")


def lines_of(message: Message) -> dict[str, list[int]]:
    """Return the users named in a league's news, by division."""
    return {
        line[2]: people_in(line) for line in message.content.splitlines() if line.startswith("**")
    }


def people_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"<@(\d+)>", text)]


async def play(cup: Cup, season: int) -> None:
    """Play all games of a season, whose bot is killed while it opens them, and at the end.

    The player with the smaller number wins each game.
    """
    await cup.message_with(f"**Cup {season}A**, round 1, board 1")
    await cup.club.bot.restart()
    threads: list[Thread] = []
    for letter in DIVISIONS:
        name = f"Cup {season}{letter}"
        division = Cup(cup.club, cup.organiser, cup.players, cup.announcement, name)
        threads += await division.games(", round ", 21)
    for thread in threads:
        await cup.resign(thread, max(await cup.seats(thread), key=lambda one: one.id))
    await cup.club.bot.kill()


@pytest.mark.later("a league of 14 over two seasons, 84 games in two minutes")
async def test_fourteen_people_play_two_seasons_without_an_organizer(
    clock_of_many_lives: BotClock, empty_club: Club
) -> None:
    bot, clock = empty_club.bot, clock_of_many_lives
    cup = await make(
        empty_club, 8, format="league", clock="1 day per move", lasts="30 days", division_size=7
    )
    cup.players += [cup.club.guild.add_person(f"Ida {number}") for number in range(6)]
    await cup.all_join()
    await cup.start()
    begins = await cup.message_with("**Cup**: Season 1 begins.")
    assert "unfinished games are drawn" in begins.content
    first = lines_of(begins)
    assert [len(first[letter]) for letter in DIVISIONS] == [7, 7]
    await play(cup, 1)
    clock.advance(hours=2)
    await bot.start()
    over = await cup.message_with("**Cup**: Season 1 is over.")
    await bot.kill()
    up, down = _moves(over)
    assert up == sorted(first["B"])[:2]
    assert down == sorted(first["A"])[-2:]

    clock.advance(days=1, hours=1)
    await bot.start()
    second = lines_of(await cup.message_with("**Cup**: Season 2 begins."))
    assert set(second["A"]) == set(first["A"]) - set(down) | set(up)
    await play(cup, 2)
    clock.advance(hours=2)
    await bot.start()
    await cup.message_with("**Cup**: Season 2 is over.")

    reader = cup.player(second["B"][0])
    page = message_of(await reader.slash(cup.channel, "tournament show"))
    assert "**Cup 2B** · Over" in page.content
    assert page.attachments
    assert "**Cup 2A** · Over" in message_of(await reader.click(page, "◀ A")).content
    profile = message_of(await cup.player(min(second["A"])).slash(cup.channel, "profile"))
    assert "Winner of Cup 2A" in profile.content
    assert not [item for item in cup.public_messages() if item.pinged], "only games ping"
    _check_each_once(cup)


def _check_each_once(cup: Cup) -> None:
    """Check that nothing was announced, opened or posted twice, despite all kills."""
    told = Counter(message.content for message in cup.public_messages())
    assert max(told.values()) == 1
    threads = [item.thread for item in cup.public_messages() if item.thread is not None]
    assert len(threads) == 84
    for thread in threads:
        pictures = [file.filename for message in thread.messages for file in message.attachments]
        assert len(pictures) == len(set(pictures))


def _moves(message: Message) -> tuple[list[int], list[int]]:
    """Promoted and relegated players"""
    found = defaultdict[str, list[int]](list)
    for line in message.content.splitlines():
        for word in ("Up", "Down"):
            if line.startswith(f"-# {word}: "):
                found[word] += people_in(line)
    return sorted(found["Up"]), sorted(found["Down"])
