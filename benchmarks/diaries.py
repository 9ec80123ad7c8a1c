"""Three whole games as their players live them: by tapping, by typing, and by ear.

    python -m benchmarks.diaries [--seed 1]

Two games are against the machine, at level 1, on an even board: one by the board's buttons, one
with *Boards in words* on, where each turn is a new message. In the third two friends type. For each
game the program prints its first turns, and counts:

- `messages`: messages of the bot, private ones too;
- `taps`: buttons pressed and messages sent, by those who play;
- `lines`: median lines of a turn's message, 38 characters each, as on a phone;
- `before`: most characters of a turn's message before the end of the words "your turn", with names
  of three letters in place of mentions.
"""

import argparse
import asyncio
import re
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from benchmarks.bots import running_bot
from benchmarks.result import result_line
from demo.commands import use
from sandbox import Answer, Message, RateLimits, Sandbox
from tests.e2e.conftest import PATIENCE, choose, shown

LINE: Final = 38
TOLD: Final = 3
_MENTION: Final = re.compile(r"<@\d+>")
_PATIENCE_S: Final = 120.0


class Diary:
    """A game in a channel of its own, and what its players see and do."""

    def __init__(self, world: Sandbox, name: str, seed: int) -> None:
        guild = world.create_guild(name)
        self._name, self._bot, self._rng = name, world.bot_user, Random(seed)
        self.channel = guild.create_channel("dvonn")
        self.ann, self.bob = guild.add_person("Ann"), guild.add_person("Bob")
        self._taps, self._seen, self._turns = 0, set[int](), list[str]()
        world.state.messages_changed.listen(self._see)

    def _see(self, message: Message) -> None:
        if message.author is self._bot and message.channel is self.channel:
            self._seen.add(message.id)

    async def by_buttons(self) -> None:
        """Play a game against the machine by the board's buttons."""
        await use(self.ann, self.channel, "play", level=1, colour="white", start="balanced")
        self._taps += 1
        board = await self._turn("")
        while _stacks(board):
            before = board.content
            self._turns.append(before)
            chosen = shown(await self._tap(board, self._rng.choice(_stacks(board))))
            await self._tap(chosen, self._rng.choice(_targets(chosen)))
            board = await self._turn(before, after=None if chosen is board else board)

    async def by_typing(self) -> None:
        """Play a game of two friends by typed moves."""
        await use(
            self.ann, self.channel, "challenge", opponent=self.bob, colour="white", start="balanced"
        )
        await self.bob.click(self.channel.messages[-1], "Accept")
        self._taps += 2
        board = await self._turn("")
        while "your turn" in board.content:
            self._turns.append(board.content)
            player = self.bob if f"{self.bob.mention}, your turn" in board.content else self.ann
            listed = shown(await player.menu(board, "My moves"))
            self._seen.discard(listed.id)  # a person looks at the picture instead
            source, targets = self._rng.choice(
                re.findall(r"^([a-k][1-5])[^:]*: (.*)$", listed.content, re.MULTILINE)
            )
            target = self._rng.choice(re.findall(r"\b[a-k][1-5]\b", targets))
            self._taps += 1
            await player.say(self.channel, f"{source}-{target}")
            board = await self._turn(board.content, after=board)

    async def _tap(self, message: Message, custom_id: str) -> Answer:
        self._taps += 1
        return await self.ann.click(message, custom_id=custom_id)

    async def _turn(self, before: str, after: Message | None = None) -> Message:
        """Return the next board on which somebody is to move, or the last one."""
        return await self.channel.wait_for(
            lambda item: (
                bool(item.attachments)
                and item.content != before
                and (
                    "your turn" in item.content
                    or "Rematch" in [each.label for each in item.buttons]
                )
            ),
            after=after,
            timeout=_PATIENCE_S,
        )

    def told(self) -> dict[str, float]:
        """Print the first turns, and return the counts."""
        said = [_MENTION.sub("Ann", words) for words in self._turns]
        for number, words in enumerate(said[:TOLD], start=1):
            print(f"{self._name} {number}: {words.partition('On the board')[0]}")
        texts = said[1:]  # the first board explains the rules
        return {
            "turns": len(said),
            "messages": len(self._seen),
            "taps": self._taps,
            "lines": median(
                sum(-(-len(line) // LINE) for line in item.split("\n")) for item in texts
            ),
            "before": max(item.index("your turn") + len("your turn") for item in texts),
        }


def _stacks(message: Message) -> list[str]:
    return [str(item.custom_id) for item in message.buttons if ":from:" in str(item.custom_id)]


def _targets(message: Message) -> list[str]:
    return [str(item.custom_id) for item in message.buttons if re.match("[a-k][1-5]", item.label)]


async def measure(home: Path, seed: int) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    url = f"sqlite:///{home.as_posix()}/diaries.sqlite3"
    figures: dict[str, float] = {}
    async with (
        Sandbox(rate_limits=RateLimits.generous(), record=False, patience=PATIENCE) as world,
        running_bot(world, home, "bot", DATABASE_URL=url, MACHINE="auto"),
    ):
        for name in ("tapping", "typing", "ear"):
            diary = Diary(world, name, seed)
            if name == "ear":
                await choose(diary.ann, diary.channel, seen=["words"])
            await (diary.by_typing if name == "typing" else diary.by_buttons)()
            figures |= {f"{name}_{what}": count for what, count in diary.told().items()}
    return figures


def main() -> None:
    """Play the games, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diaries")
    parser.add_argument("--seed", type=int, default=1)
    with tempfile.TemporaryDirectory(prefix="dvonn-diaries-") as folder:
        print(result_line("diaries", asyncio.run(measure(Path(folder), parser.parse_args().seed))))


if __name__ == "__main__":
    main()
