"""Random spellings of moves: a message in, and a board, a text or a reaction out.

    python -m tests.fuzz.spellings [--count 20000] [--seed 1]

Formatting, surrounding words, separators, channels, ways to address the bot and states of a game
are combined. A legal move with only harmless words around it must be played for the player to move.
Everything else that names the bot, replies to it or contains the move must get an answer that its
author can see. Apart from some chatter, the script sends nothing that `ReasonForSilence` lets the
bot ignore.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from bot.base.courtesies import BEFORE, BETWEEN, JOINING, POLITE
from demo.commands import use
from dvonn import Move, Phase, Position
from sandbox import Channel, GuildAdmin, Message, Permission, Person, RateLimits, Sandbox, Thread
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import FAULTS, PATIENCE, Club, is_board
from tests.fuzz.asked import parse_arguments
from tests.games import positions_of, random_game

_TABLES = 8
_PLACED = 49
_UNTIL = 90
"""The ply at which a table starts another game."""
_SILENT_AFTER_S = 60.0
_HALF = 0.5
_MARKS = 2
"""Number of reactions per turn that are tested. After three there are no more."""

_FORMATS: Final = (
    *("{}", "{}", "{}", "**{}**", "*{}*", "***{}***", "__{}__", "_{}_", "__**{}**__", "||{}||"),
    *("`{}`", "``{}``", "```{}```", "```\n{}\n```", "```txt\n{}\n```", "||**{}**||", "_**{}**_"),
)
_LINES: Final = (
    *("{}", "{}", "{}", "> {}", ">>> {}", "# {}", "## {}", "### {}", "-# {}", "- {}", "* {}"),
    *("1. {}", "12... {}", "7) {}", "3.{}", "> - {}"),
)
_BEFORE: Final = (*POLITE, *BEFORE, *JOINING, "🙂", "<:hi:123456789>", "👉", "->", "(", "“", "...")
_BEHIND: Final = (
    *POLITE,
    *JOINING,
    *("🙂", "👍🏽", "<a:hi:12345678>", "!", "!?", "?!", "!!!", ".", "...", ")", "”", ":)", "*"),
)
_SIGNS: Final = (
    *("-", " - ", "", " ", "->", " -> ", "-->", " --> ", "--", "=>", " ⇒ ", "→", " ⟶ ", " ➜ ", "~"),
    *(" ➡️ ", " 👉 ", "~>", ">", " >> ", ":", "x", " x ", "\u00d7", "–", "—", "\u2212", "\uff0d"),
    *("\u3000", "\u00a0", ", ", "/", " to ", "to"),
)
_TALK: Final = (
    *("{}?", "~~{}~~", "I might play {}", "what about {}", "{} loses", "not {}", "is {} any good?"),
    *("{} wäre schön", "on dirait {}", "quizá {}", "forse {}", "misschien {}", "¿{}?"),
)
_SAYINGS: Final = (
    "what a start",
    "I like it",
    "hm, tricky",
    "wow!",
    "good luck!",
    "🙂",
    "who, me?",
)
_CHATTER: Final = ("nice weather", "lol", "see you at eight", "3 pizzas, please")


@dataclass
class Result:
    """The result of a run.

    Attributes:
        faults: Messages without an answer, or with a wrong one, as text.
        outcomes: Number of messages by outcome.
        sent: Number of messages that must be answered.
    """

    faults: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    sent: int = 0


@dataclass
class _Game:
    """A game as this script knows it."""

    white: Person
    black: Person
    position: Position
    revision: int
    marks: int = 0
    told: bool = False
    """True if the waiting player was told on this board that it isn't their turn."""
    offered: bool = False
    """True if a draw is offered."""

    @property
    def mover(self) -> Person:
        return self.white if self.position.turn is self._white else self.black

    @property
    def waiting(self) -> Person:
        return self.black if self.mover is self.white else self.white

    @property
    def _white(self) -> object:
        return Position.initial().turn

    def play(self, move: Move) -> None:
        self.position = self.position.play(move)
        self.revision += 1
        self.marks, self.told, self.offered = 0, False, False


class _Place:
    """A place where people spell moves, one message after the other."""

    def __init__(
        self, club: Club, channel: Channel, rng: Random, result: Result, *, reads: bool, plays: bool
    ) -> None:
        self._club, self._channel, self._rng, self._result = club, channel, rng, result
        self._reads, self._plays = reads, plays
        self._game: _Game | None = None
        self._count = 0
        is_direct = channel.guild is None
        self._stranger = club.cid if is_direct else club.guild.add_person(f"Sue {channel.id}")
        self._board: Message | None = None
        self.is_lost = False
        """True after a fault: the state of the game is not known any more."""
        self._said = ""
        """The bot's last answer."""

    async def step(self) -> None:
        """Send one message that must be answered."""
        if self._plays:
            await self._see_to_a_game()
        chance = self._rng.random()
        if chance < 0.05 and self._channel.guild is not None:
            await self._stranger.say(self._channel, self._rng.choice(_CHATTER))
        if self._game is None or chance < 0.1:
            await self._say_to_the_bot(self._stranger)
        elif chance < 0.15:
            await self._say_out_of_turn(self._game)
        elif chance < 0.3 and self._game.marks < _MARKS:
            await self._talk(self._game)
        else:
            await self._spell(self._game)

    async def _see_to_a_game(self) -> None:
        game, rng, club = self._game, self._rng, self._club
        if game is not None and game.position.turn is not None:
            if game.position.plies < _UNTIL:
                if rng.random() < 0.02 and not game.offered:
                    await self._offer_a_draw(game)
                return
            await game.waiting.slash(self._channel, "resign")
            question = await game.waiting.ephemeral(lambda one: one.channel is self._channel)
            await game.waiting.click(question, "Yes, resign")
            await self._channel.wait_for(is_board(game.revision + 1), after=self._newest)
        self._count += 1
        names = (f"{color} {self._count} {self._channel.id}" for color in ("Ann", "Bob"))
        white, black = map(club.guild.add_person, names)
        self._let_read(history=True)  # or no game starts
        position = await self._start(white, black)
        if self._count % 2:
            moves = random_game(rng.getrandbits(20))[:_PLACED]
            for person, first, revision in ((white, 0, 1), (black, 1, _PLACED)):
                spaces = " ".join(map(str, moves[first::2]))
                said = await person.say(self._channel, f"{self._name()} {spaces}")
                self._board = await self._channel.wait_for(is_board(revision), after=said)
                if person is white:
                    await self._channel.wait_for(lambda one: "Got it." in one.content, after=said)
            position = positions_of(moves)[_PLACED]
        self._let_read(history=rng.random() < _HALF)
        self._game = _Game(white, black, position, position.plies)

    async def _start(self, white: Person, black: Person) -> Position:
        terms = {"colour": "white", "start": "placement", "rated": True}
        asked = await use(white, self._channel, "challenge", opponent=black, **terms)
        assert asked.message is not None
        await black.click(asked.message, "Accept")
        self._board = await self._channel.wait_for(is_board(0), after=asked.message)
        return Position.initial()

    def _let_read(self, *, history: bool) -> None:
        """Allow or forbid the bot to read the history of a server's channel."""
        place, guild = self._channel, self._club.guild
        if isinstance(place, Thread):
            place = place.parent_channel
        if place.guild is not None:
            lacks = Permission(0) if history else Permission.READ_MESSAGE_HISTORY
            guild.set_permissions(place, guild.bot_role, deny=lacks)
            guild.set_permissions(place, guild.everyone)

    @property
    def _newest(self) -> int:
        return 0 if self._board is None else self._board.id

    async def _offer_a_draw(self, game: _Game) -> None:
        await game.waiting.slash(self._channel, "draw")
        await self._channel.wait_for(lambda one: "offers a draw" in one.content, after=self._newest)
        game.revision += 1
        game.offered = True

    # What is written

    async def _spell(self, game: _Game) -> None:
        """Spell a move, which must be played."""
        move = self._rng.choice(game.position.legal_moves())
        text = self._company(self._spelled(move, game.position))
        said, addressed = await self._send(game.mover, text)
        came = await self._came(said, game.revision + 1)
        self._note("spelled", text, came, None if not addressed else "played")
        if came == "played":
            game.play(move)

    async def _talk(self, game: _Game) -> None:
        """Write a move among other words, which must get a reaction or an answer."""
        move = self._rng.choice(game.position.legal_moves())
        text = self._rng.choice(_TALK).format(self._spelled(move, game.position, joint="-"))
        said, _ = await self._send(game.mover, text)
        came = await self._came(said, game.revision + 1)
        self._note("talk", text, came, None)
        game.marks += 1
        if came == "played":
            self._result.faults.append(f"played, though it says more: {text!r}")
            game.play(move)

    async def _say_out_of_turn(self, game: _Game) -> None:
        move = self._rng.choice(game.position.legal_moves())
        text = self._spelled(move, game.position)
        if game.told or not self._reads:
            text = f"{self._name()} {text}"
        said = await game.waiting.say(self._channel, text)
        game.told = True
        self._note("out of turn", text, await self._came(said, game.revision + 1), None)

    async def _say_to_the_bot(self, who: Person) -> None:
        """Address the bot in a way that it can read."""
        rng = self._rng
        position = Position.initial()
        move = rng.choice(position.legal_moves())
        text = rng.choice((rng.choice(_SAYINGS), self._spelled(move, position), "help", "rules"))
        said, _ = await self._send(who, text, named=True)
        came = await self._came(said, -1)
        self._note("to the bot", said.content, came, None)

    # How it is written

    def _spelled(self, move: Move, position: Position, joint: str = "") -> str:
        rng = self._rng
        if position.phase is Phase.PLACEMENT:
            text = str(move.target)
        else:
            word = rng.choice(BETWEEN)
            joint = joint or rng.choice((*_SIGNS, f" {word} ", f" {word} "))
            text = f"{move.source}{joint}{move.target}"
        if rng.random() < 0.2:
            text = text.upper()
        elif rng.random() < 0.1:
            text = "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in text)
        return rng.choice(_FORMATS).format(text)

    def _company(self, text: str) -> str:
        rng = self._rng
        if rng.random() < 0.4:
            text = f"{rng.choice(_BEFORE)} {text}"
        if rng.random() < 0.4:
            text = f"{text} {rng.choice(_BEHIND)}"
        if rng.random() < 0.1:
            text = rng.choice(_FORMATS[:10]).format(text)
        return rng.choice(_LINES).format(text)

    def _name(self) -> str:
        return self._club.world.bot_user.mention

    async def _send(self, who: Person, text: str, *, named: bool = False) -> tuple[Message, bool]:
        """Write it in some way. Return True if the bot can read it."""
        rng, role = self._rng, f"<@&{self._club.guild.bot_role.id}>"

        board = self._board if self._board is not None and not self._board.deleted else None
        way = rng.choice(
            ["plain"] * (0 if named else 6) + ["name", "role", "reply", "silent reply"]
        )
        if not self._reads and way == "plain":
            way = "name"
        if board is None and "reply" in way:
            way = "name"
        if self._channel.guild is None and way in ("role", "silent reply", "reply"):
            way = "name"
        if way == "plain":
            return await who.say(self._channel, text), True
        if way == "reply" and board is not None:
            return await who.reply(board, text), True
        if way == "silent reply" and board is not None:
            return await who.reply(board, text, ping=False), self._reads
        name = role if way == "role" else self._name()
        texts = (f"{name} {text}", f"{text} {name}", f"{name}, {text}")
        many_lines = "\n" in text or text.startswith((">", "#", "-", "*", "1", "7", "3"))
        text = texts[1] if many_lines else rng.choice(texts)
        return await who.say(self._channel, text), self._reads or way == "name"

    # Effects

    async def _came(self, said: Message, revision: int) -> str:
        """Return the effect of a message: played, a reaction, an answer, or none."""
        bot = self._club.world.bot_user

        def shows(one: Message) -> bool:
            if one is said:
                return bool(one.reactions)
            if one.author is not bot:
                return False
            if one.reference is not None:
                return one.reference.message_id == said.id
            if is_board(None)(one):
                return is_board(revision)(one)
            return one.content.startswith(said.author.mention)

        try:
            shown = await self._channel.wait_for(shows, after=said.id - 1, timeout=_SILENT_AFTER_S)
        except TimeoutError:
            return "silent"
        if is_board(revision)(shown):
            self._board = shown
            return "played"
        self._said = shown.content
        return "marked" if shown is said else "answered"

    def _note(self, kind: str, text: str, came: str, expected: str | None) -> None:
        self._result.sent += 1
        self._result.outcomes[f"{kind}: {came}"] += 1
        if came == "silent" or expected not in (None, came):
            self.is_lost = True
            self._result.faults.append(f"{kind}, {came}: {text!r}, {self._said!r}")


async def _places(
    club: Club, guild: GuildAdmin, rng: Random, result: Result, *, reads: bool
) -> list[_Place]:
    """Places of each kind. Games are played in all except the last two."""
    channel = guild.create_channel("aside")
    forum = guild.create_channel("posts", kind="forum")
    plain = [guild.create_channel(f"table-{number}") for number in range(_TABLES - 5)]
    places = [
        *plain,
        guild.create_channel("voices", kind="voice"),
        await club.cid.start_thread(channel, "a thread"),
        await club.cid.post(forum, "a post", "Hello"),
        guild.create_channel("empty"),
        club.cid.dm,
    ]
    return [
        _Place(club, place, Random(rng.getrandbits(32)), result, reads=reads, plays=plays)
        for place, plays in zip(places, (*[True] * (_TABLES - 2), False, False), strict=True)
    ]


async def fuzz(count: int, seed: int, folder: Path) -> Result:
    """Send a number of messages, half of them to a bot that can't read ordinary ones."""
    rng, result = Random(seed), Result()
    for number, reads in enumerate((True, False)):
        part = count - count // 3 if reads else count // 3
        where = folder / str(number)
        where.mkdir()
        await _fuzz_one(part, rng, where, result, reads=reads)
    return result


async def _fuzz_one(count: int, rng: Random, folder: Path, result: Result, *, reads: bool) -> None:
    limits = RateLimits.generous()
    async with Sandbox(rate_limits=limits, record=False, patience=PATIENCE) as world:
        world.application.message_content = reads
        bot = BotProcess(world, folder, LOG_LEVEL="warning")
        await bot.start()
        guild = world.create_guild("Friends")
        guild.bot_role.mentionable = True
        ann, bob, cid = (guild.add_person(name) for name in ("Ann", "Bob", "Cid"))
        club = Club(world, guild, guild.create_channel("dvonn"), ann, bob, cid, bot)
        left = count

        async def talk(place: _Place) -> None:
            nonlocal left
            while left > 0 and not place.is_lost:
                left -= 1
                await place.step()
                club.posted.clear()

        places = await _places(club, guild, rng, result, reads=reads)
        await asyncio.gather(*map(talk, places))
        if await bot.stop() != 0:
            result.faults.append("the bot did not stop in good order")
        result.faults += [line[:300] for line in FAULTS.findall(bot.log)]
        if world.crashes:
            result.faults.append(f"the sandbox crashed: {world.crashes[0]!r}")


def main() -> int:
    """Run, and print the result."""
    options = parse_arguments(__doc__, count=20_000)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(fuzz(options.count, options.seed, Path(folder)))
    sys.stdout.writelines(f"{fault}\n" for fault in result.faults[:60])
    told = ", ".join(f"{name} {number}" for name, number in sorted(result.outcomes.items()))
    silent = sum(number for name, number in result.outcomes.items() if name.endswith("silent"))
    sys.stdout.write(
        f"{told}\n{result.sent} messages, seed {options.seed}: {silent} silent, "
        f"{len(result.faults)} faults, {time.monotonic() - began:.0f} s\n"
    )
    return 1 if result.faults else 0


if __name__ == "__main__":
    sys.exit(main())
