"""Tests for /games with the maximum number of games: nearest deadline first, in pages."""

import re

from bot.play.model.terms import MOST_GAMES_PER_PERSON
from sandbox import Message
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, shown_alone
from tests.e2e.test_stopped_clocks import moderator

GAMES = MOST_GAMES_PER_PERSON
_DEADLINE = re.compile(r"<t:([0-9]+):f>")


def listed_games(page: Message) -> list[tuple[str, int]]:
    """Return the channels of a page's games, each with its deadline."""
    found = []
    for line in page.content.splitlines()[1:]:
        moment = _DEADLINE.search(line)
        assert moment is not None, line
        found.append((line.partition(" vs ")[0].partition(". ")[2], int(moment[1])))
    return found


async def test_many_games_are_paged_nearest_deadline_first(clock: BotClock, club: Club) -> None:
    mo = moderator(club)
    await mo.slash(club.channel, "setup limit", games=GAMES)
    channels = [club.guild.create_channel(f"room-{number}") for number in range(GAMES)]
    for number, channel in enumerate(channels):
        clock.advance(minutes=5)
        await club.start_game(channel, clock=f"{2 + 7 * number % GAMES} days per move")
    told_all = shown_alone(await mo.slash(club.channel, "setup games"))
    assert told_all.content.startswith(f"**Running games** 1–10 of {GAMES}\n")
    onward = shown_alone(await mo.click(told_all, "▶"))
    assert onward.content.startswith(f"**Running games** 11–20 of {GAMES}\n")
    page = shown_alone(await club.ann.slash(club.channel, "games"))
    listed = list[tuple[str, int]]()
    while True:
        first = len(listed) + 1
        listed += listed_games(page)
        assert page.content.startswith(f"**Running games** {first}–{len(listed)} of {GAMES}\n")
        following = next(button for button in page.buttons if button.label == "Next")
        if following.disabled:
            break
        page = shown_alone(await club.ann.click(page, "Next"))
    assert sorted(name for name, _ in listed) == sorted(channel.mention for channel in channels)
    times = [moment for _, moment in listed]
    assert times == sorted(times)
    none = shown_alone(await club.ann.click(page, "Finished games"))
    assert none.content == "You have no finished games here."
    again = shown_alone(await club.ann.click(none, "Running games"))
    assert listed_games(again)[0] == listed[0]
    opened = shown_alone(
        await club.ann.select(again, [again.selects[0].payload["options"][0]["value"]])
    )
    assert "Pause" in [button.label for button in opened.buttons]
