"""A test of a Swiss tournament with every action of its organizers, as people see it.

The bot is killed during the acts. The organizers then do the same again, and it counts once.
"""

import asyncio
import csv
import io
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import pytest
from caissify_pairings.trf import parse_trf

from sandbox import Answer, Message, Permission, Person, Thread
from sandbox.model import Role
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, is_board, message_of, texts
from tests.e2e.features.tournaments.cups import Cup, Form, chosen, make, on_page, organize

T = TypeVar("T")
FIRST = {"tournament": "1"}
"""Names the Swiss in commands when there is a newer tournament."""


@dataclass(frozen=True)
class Ended:
    """A game of the last round."""

    board: int
    winner: Person
    loser: Person
    loser_wins: str
    """The result to the contrary."""


@dataclass
class Organizers:
    """The organizers of a tournament, whose bot is killed."""

    cup: Cup
    acting: Person
    """The one who acts."""
    kills: int = 0
    points: Counter[int] = field(default_factory=Counter)

    async def act(self, choice: str, form: Form | None = None, /, **about: object) -> Answer:
        return await organize(self.acting, self.cup.channel, choice, form, **about)

    async def act_twice(self, choice: str, form: Form | None = None) -> str:
        """Act while the bot is killed, and again. Return the second answer."""
        return texts(await self.do_twice(lambda: self.act(choice, form)))

    async def do_twice(self, do: Callable[[], Awaitable[T]]) -> T:
        """Do something while the bot is killed, later each time, and again."""
        first = asyncio.ensure_future(do())
        await asyncio.wait([first], timeout=self.kills % 6 / 10)
        first.cancel()
        self.kills += 1
        await self.cup.club.bot.kill()
        await asyncio.gather(first, return_exceptions=True)
        await self.cup.club.bot.start()
        return await do()

    async def correct(self, round_: int, board: int, result: str) -> None:
        """Set a result, and confirm it if a game is running there."""
        place = {"round": str(round_), "board": str(board)}
        form: Form = {**place, "result": [result], "note": "We *saw* it."}
        page = message_of(await self.act("correct", form))
        if has(page, "Yes, correct it"):
            assert "Their game stops, and isn't rated." in page.content
            await self.confirm(page, "Yes, correct it")
        corrected = f"{self.acting.mention} corrected round {round_}, board {board}\n"
        assert page.content.startswith(corrected)

    async def confirm(self, question: Message, yes: str) -> None:
        """Press a button while the bot is killed, and again if it is still there."""
        await self.do_twice(lambda: self._press(question, yes))

    async def _press(self, question: Message, yes: str) -> Message:
        return (
            message_of(await self.acting.click(question, yes)) if has(question, yes) else question
        )

    async def play_round(self, number: int) -> list[Ended]:
        """Let the player with more points win each game."""
        games = []
        for board, thread in enumerate(await self.threads(number), start=1):
            white, black = await self.cup.seats(thread)
            white_wins = self.points[white.id] >= self.points[black.id]
            winner, loser = (white, black) if white_wins else (black, white)
            await self.cup.resign(thread, loser)
            self.points[winner.id] += 1
            games.append(Ended(board, winner, loser, "black" if white_wins else "white"))
        return games

    async def threads(self, number: int) -> list[Thread]:
        """Return the threads of a round by board."""
        threads = await self.cup.games(f", round {number}, board ", 3)
        return sorted(threads, key=lambda thread: thread.id)


def has(page: Message, label: str) -> bool:
    return label in [button.label for button in page.buttons]


def winners_role(club: Club) -> Role:
    """Create a role that the bot may give."""
    role, own = club.guild.create_role("Winner"), club.guild.bot_role
    own.position = role.position + 1
    club.guild.set_role_permissions(own, own.permissions | Permission.MANAGE_ROLES)
    return role


async def edit_and_enter(acts: Organizers, ida: Person) -> None:
    """Edit it, put Ida in, out, and in again, and take Finn out, before it starts."""
    cup = acts.cup
    new: Form = {
        "name": "Summer Cup",
        "begins": "in 3 days",
        "rounds": "3",
        "clock": "10 days per move",
    }
    assert (await acts.act_twice("edit", new)).startswith(
        f"{acts.acting.mention} changed its terms"
    )
    cup.name = "Summer Cup"
    await cup.channel.wait_for(lambda one: one is cup.announcement and "Summer" in one.content)
    for words in ("3 rounds", "10 days"):
        assert words in cup.announcement.content
    put_in: Message | None = None
    for choice in ("add", "remove", "add"):
        await acts.act_twice(choice, chosen(ida))
        if choice == "add":  # a player who is out again before the message isn't told
            put_in = await cup.channel.wait_for(lambda one: is_put_in(one, ida), after=put_in)
    await acts.act_twice("remove", chosen(cup.players.pop()))
    cup.players.append(ida)


async def manage_a_round(acts: Organizers, clock: BotClock) -> tuple[Person, Person]:
    """Stop the clocks, take a player out and in, extend a game, and set its result at last.

    Return the player who was out, and one who missed a game and is brought back.
    """
    cup, boards = acts.cup, await acts.threads(1)
    (_, first), (came, absent), (white, black) = [await cup.seats(thread) for thread in boards]
    await acts.act_twice("stop", {"days": "2"})
    await acts.act_twice("resume")
    await acts.act_twice("remove", chosen(black))
    await acts.act_twice("add", chosen(black))
    extended = await acts.act("extend", {"round": "1", "board": "3", "days": "3"})
    assert texts(extended).startswith(f"{acts.acting.mention} extended round 1, board 3 (3 d)\n")
    await cup.resign(boards[0], first)
    await came.say(boards[1], "a1")
    await boards[1].wait_for(is_board(1))
    clock.advance(days=6)  # a round takes five at most
    await boards[1].wait_for(lambda one: f"it counts as a win for {came.mention}" in one.content)
    await acts.act_twice("add", chosen(absent))
    await acts.correct(1, 3, "white")
    await cup.message_with(f"{acts.acting.mention} has corrected round 1, board 3: ")
    first_white, _ = await cup.seats(boards[0])
    acts.points.update([first_white.id, came.id, white.id])
    return black, absent


async def copy_and_call_off(acts: Organizers) -> None:
    """Make another one like it, and call it off."""
    said = texts(await acts.act("copy", {}))
    assert said.startswith("I'm announcing **Summer Cup** here.")
    question = message_of(await acts.act("off"))
    await acts.confirm(question, "Yes, call it off")
    await acts.cup.message_with("**Summer Cup** is canceled.")


async def check_files(acts: Organizers) -> None:
    """Check that the exported files have all nine games."""
    table, report = [
        message_of(await acts.act(kind, **FIRST)).attachments[0].data.decode("utf-8-sig")
        for kind in ("csv", "trf")
    ]
    rows = list(csv.DictReader(io.StringIO(table)))
    assert Counter(row["round"] for row in rows) == {"1": 3, "2": 3, "3": 3}
    assert [row["note"] for row in rows].count("We *saw* it.") == 2
    players = parse_trf(report.replace("\r\n", "\n"))["players"]
    assert [len(player["results"]) for player in players] == [3] * 6


def is_put_in(message: Message, player: Person) -> bool:
    return f"{player.mention}, an organizer has put you into **Summer Cup**" in message.content


def log(page: Message) -> list[str]:
    """Return the actions on a log's page, without their times."""
    return [line.partition(" · ")[2] for line in page.content.splitlines()[1:]]


def check_each_once(cup: Cup, put_in: Counter[Person]) -> None:
    """Check that each announcement and thread was posted once. Some players were put in again."""
    for content, times in Counter(message.content for message in cup.public_messages()).items():
        again = [times_in for player, times_in in put_in.items() if player.mention in content]
        is_added = "an organizer has put you into **Summer Cup**" in content
        assert times == (again[0] if is_added else 1), content
    assert sum(item.thread is not None for item in cup.public_messages()) == 9


@pytest.mark.later("a Swiss with every organizer's act, whose bot is killed 15 times, a minute")
async def test_each_organizer_action_counts_once(
    clock_of_many_lives: BotClock, empty_club: Club
) -> None:
    club, role = empty_club, winners_role(empty_club)
    pat = club.guild.add_person("Pat", permissions=Permission.MANAGE_CHANNELS)
    ida = club.guild.add_person("Ida")
    await pat.slash(club.channel, "setup tournaments", winners=role)
    cup = await make(
        club,
        6,
        format="swiss",
        clock="1 day per move",
        start="placement",
        rounds=2,
        round_time="5 days",
    )
    mo, finn = cup.organiser, cup.players[-1]
    await cup.all_join()
    acts = Organizers(cup, mo)
    await edit_and_enter(acts, ida)
    await acts.act_twice("helper", chosen(pat))
    acts.acting = pat
    await acts.act_twice("begin")
    out, absent = await manage_a_round(acts, clock_of_many_lives)

    await acts.play_round(2)
    final = max(await acts.play_round(3), key=lambda game: acts.points[game.winner.id])
    ended = await cup.message_with("**Summer Cup** is over.")
    assert f"{final.winner.mention} now has the role <@&{role.id}>." in ended.content
    await acts.correct(3, final.board, final.loser_wins)
    again = await cup.message_with("**Summer Cup**, after the correction:")
    assert again.content.splitlines()[1].startswith(f"1\\. {final.loser.mention} · 3 points")
    assert f"{final.loser.mention} now has the role <@&{role.id}>." in again.content
    past = texts(await finn.slash(cup.channel, "tournament past"))
    assert past.endswith(f"🏆 {final.loser.mention}")

    acts.acting = mo
    await copy_and_call_off(acts)
    await check_files(acts)
    page = message_of(await on_page(finn, cup.channel, "Log", **FIRST))
    assert log(page) == [
        f"{pat.mention} corrected round 3, board {final.board}",
        f"{pat.mention} corrected round 1, board 3",
        f"{pat.mention} put {absent.mention} in",
        f"{pat.mention} extended round 1, board 3 (3 d)",
        f"{pat.mention} put {out.mention} in",
        f"{pat.mention} took {out.mention} out",
        f"{pat.mention} started the clocks again",
        f"{pat.mention} stopped the clocks (2 d)",
        f"{pat.mention} started it",
        f"{mo.mention} made {pat.mention} the second organizer",
        f"{mo.mention} took {finn.mention} out",
        f"{mo.mention} put {ida.mention} in",
        f"{mo.mention} took {ida.mention} out",
        f"{mo.mention} put {ida.mention} in",
        f"{mo.mention} changed its terms",
    ]
    check_each_once(cup, Counter([ida, ida, out, absent]))
