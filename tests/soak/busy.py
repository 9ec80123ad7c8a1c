"""Everything that people use, next to busy processes: how long each answer takes.

    python -m tests.soak.busy [--count 500] [--busy 4] [--people 4] [--seed 1]

People in two servers use whatever they are offered, one thing after the other: commands, menus,
suggestions, buttons, selects and forms, in games against the machine, too. Some of the files that
they upload are hard to parse. Meanwhile, `--busy` processes keep the cores busy by counting. The
script measures what Discord limits to three seconds: from the use to the first response. It exits
with status 1 if a response took longer, or if an event-loop step was too long.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from sandbox import (
    Answer,
    Channel,
    InteractionFailed,
    InvocationRefused,
    Message,
    Permission,
    Person,
    RateLimits,
    Sandbox,
)
from sandbox.commands import MESSAGE, USER
from sandbox.components import Kind
from sandbox.interactions import InteractionKind
from sandbox.invocations import command_data, offered
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import FAULTS, PATIENCE
from tests.fuzz.long_texts import LONG_TEXTS

_GROUP = 2
_STRING, _INTEGER, _BOOLEAN, _USER, _CHANNEL, _NUMBER, _FILE = 3, 4, 5, 6, 7, 10, 11
_WORDS = ("c3", "d2-d4", "a1 b1 c1 else next", "22:00", "Europe/Berlin", "3 days + 1 day", "Cup")
_SEEN = 8
"""Number of newest messages that people look at."""
_PAUSE_S = 0.2
_SETTLED_S = 60.0
"""Maximum wait for the answer after a deferral."""


@dataclass
class Times:
    """Waiting times of people, in seconds."""

    first: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """For the first response, by the kind of use."""
    late: list[str] = field(default_factory=list)
    """Uses without a response within three seconds."""
    deferred: int = 0
    """Number of uses whose first response was a deferral."""
    thought: list[float] = field(default_factory=list)
    """For the answer after a deferral."""
    never: int = 0
    """Number of those without an answer within a minute."""
    log: str = ""
    """The bot's log."""
    too_long: list[str] = field(default_factory=list)
    """Steps of the bot's event loop that were too long."""

    @property
    def count(self) -> int:
        """Return the number of uses."""
        return sum(map(len, self.first.values())) + len(self.late)


class Walker:
    """A person who uses anything, at random."""

    def __init__(self, person: Person, channel: Channel, others: list[Person], rng: Random) -> None:
        self._person, self._channel, self._others, self._rng = person, channel, others, rng
        person.patience = None  # the first response is timed, and the answer is awaited afterwards

    async def go(self, times: Times, count: int) -> None:
        """Use one thing after the other."""
        ways = {
            "command": (self._command, 8),
            "suggestions": (self._suggestions, 2),
            "menu": (self._menu, 2),
            "button": (self._button, 9),
            "select": (self._select, 4),
        }
        while times.count < count:
            kind = self._rng.choices([*ways], [weight for _, weight in ways.values()])[0]
            answer = await self._timed(times, kind, ways[kind][0])
            if answer is not None and answer.modal is not None:
                form = answer.modal
                values = {button.custom_id: self._typed(button) for button in form.modal.fields}
                await self._timed(times, "form", lambda: self._person.submit(form, values))  # noqa: B023 - used at once
            await asyncio.sleep(self._rng.expovariate(1 / _PAUSE_S))

    async def _timed(self, times: Times, kind: str, use: Any) -> Answer | None:
        began = time.perf_counter()
        try:
            answer: Answer | None = await use()
        except InvocationRefused:  # Discord's client would not have allowed it
            return None
        except InteractionFailed:
            times.late.append(f"{kind} after {time.perf_counter() - began:.1f} s")
            return None
        if answer is None:  # there was nothing to use
            return None
        times.first[kind].append(time.perf_counter() - began)
        times.deferred += answer.deferred
        if answer.deferred and answer.message is not None and answer.message.loading:
            settled = await answer.awaited(PATIENCE, timeout=_SETTLED_S)
            times.never += settled.deferred
            times.thought.append(time.perf_counter() - began)
        return answer

    # What they use

    def _leaf(self, commands: list[Any]) -> tuple[str, list[Any]]:
        """Return a command's path and its options."""
        level = self._rng.choice(commands)
        path = [level["name"]]
        while nested := [row for row in level.get("options", ()) if row["type"] <= _GROUP]:
            level = self._rng.choice(nested)
            path.append(level["name"])
        return " ".join(path), level.get("options", [])

    async def _command(self) -> Answer | None:
        state = self._person._state
        path, options = self._leaf(offered(state, self._channel, self._person.user))
        given = {
            option["name"]: self._value(option)
            for option in options
            if option.get("required") or self._rng.random() < 0.4
        }
        return await self._person.slash(self._channel, path, **given)

    async def _suggestions(self) -> Answer | None:
        state, rng = self._person._state, self._rng
        found: list[tuple[str, str]] = []
        for _ in range(20):
            path, options = self._leaf(offered(state, self._channel, self._person.user))
            found += [(path, option["name"]) for option in options if option.get("autocomplete")]
        if not found:
            return None
        path, name = rng.choice(found)
        data = command_data(
            state, self._channel, self._person.user, path, {name: rng.choice(_WORDS)}, focused=name
        )
        return await self._person._use(InteractionKind.AUTOCOMPLETE, self._channel, data)

    async def _menu(self) -> Answer | None:
        state, rng = self._person._state, self._rng
        kind = rng.choice((MESSAGE, USER))
        names = [row["name"] for row in offered(state, self._channel, self._person.user, kind)]
        if kind == USER:
            who = rng.choice(self._others)
            return await self._person.menu_of(self._channel, who, rng.choice(names))
        message = self._message(lambda _: True)
        return None if message is None else await self._person.menu(message, rng.choice(names))

    async def _button(self) -> Answer | None:
        message = self._message(lambda one: one.buttons)
        if message is None:
            return None
        pressed = self._rng.choice(message.buttons).custom_id
        return await self._person.click(message, custom_id=pressed)

    async def _select(self) -> Answer | None:
        message = self._message(lambda one: one.selects)
        if message is None:
            return None
        component = self._rng.choice(message.selects)
        fewest = max(component.payload.get("min_values", 1), 1)
        values: list[Any] = [value for _, value in component.options]
        if component.kind == Kind.USER_SELECT:
            values = list(self._others)
        elif component.kind == Kind.CHANNEL_SELECT:
            values = [self._channel]
        chosen = self._rng.sample(values, min(fewest, len(values)))
        return await self._person.select(message, chosen, custom_id=component.custom_id)

    def _message(self, fits: Any) -> Message | None:
        """Return one of the newest messages that they see."""
        seen = [*self._channel.messages[-_SEEN:], *self._person.inbox[-_SEEN:]]
        found = [message for message in seen if not message.deleted and fits(message)]
        return self._rng.choice(found) if found else None

    def _typed(self, one: Any) -> Any:
        options = one.payload.get("options")
        if one.is_text:
            return self._rng.choice(_WORDS)[: one.payload.get("max_length") or 4_000]
        return [self._rng.choice(options)["value"]] if options else []

    def _value(self, option: Any) -> Any:
        rng = self._rng
        if option.get("choices"):
            return rng.choice(option["choices"])["value"]
        low = option.get("min_value", 1)
        values = {
            _STRING: rng.choice(_WORDS),
            _INTEGER: rng.randint(low, max(low, option.get("max_value", 5))),
            _NUMBER: float(low),
            _BOOLEAN: rng.random() < 0.5,
            _USER: rng.choice(self._others),
            _CHANNEL: self._channel,
            _FILE: ("game.txt", rng.choice(("d2", *LONG_TEXTS)).encode()),
        }
        return values.get(option["type"])


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Start a number of processes that only count."""
    command = (sys.executable, "-c", "while True: pass")
    running = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for popen in running:
            popen.kill()
            popen.wait()


async def run(count: int, others: int, people: int, seed: int, folder: Path) -> Times:
    """Measure."""
    rng, times = Random(seed), Times()
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        bot = BotProcess(world, folder, LOG_LEVEL="warning", MACHINE="auto")
        bot.cold = True
        bot.watch_loop()
        await bot.start()
        begun = len(bot.too_long_steps)
        walkers = list[Walker]()
        for name in ("Friends", "Strangers"):
            guild = world.create_guild(name)
            channel = guild.create_channel("dvonn")
            club = [guild.add_person(f"{name} {number}") for number in range(people // 2)]
            club.append(guild.add_person("Mod", permissions=Permission.MANAGE_GUILD))
            for person in club:
                rest = [other for other in club if other is not person]
                walkers.append(Walker(person, channel, rest, Random(rng.random())))
        with busy(others):
            await asyncio.gather(*(walker.go(times, count) for walker in walkers))
        await bot.stop()
        times.log, times.too_long = bot.log, bot.too_long_steps[begun:]
    return times


def main() -> int:
    """Run, and print the result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--busy", type=int, default=4, metavar="PROCESSES")
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = run(options.count, options.busy, options.people, options.seed, Path(folder))
        times = asyncio.run(work)
    for kind, took in times.first.items():
        sys.stdout.write(
            f"{kind}: {len(took)}, median {median(took):.2f} s, at most {max(took):.2f} s\n"
        )
    sys.stdout.writelines(f"unanswered: {what}, {n}\n" for what, n in Counter(times.late).items())
    everything = sorted(number for took in times.first.values() for number in took)
    sys.stdout.write(
        f"RESULT bench=busy uses={times.count} busy={options.busy} late={len(times.late)} "
        f"median_ms={median(everything) * 1000:.0f} "
        f"p99_ms={everything[len(everything) * 99 // 100] * 1000:.0f} "
        f"worst_ms={everything[-1] * 1000:.0f} deferred={times.deferred} "
        f"answered_ms={max(times.thought, default=0) * 1000:.0f} never={times.never}\n"
    )
    faults = FAULTS.findall(times.log)
    if faults:
        Path("busy.log").write_text(times.log)
    sys.stdout.writelines(f"{line}\n" for line in faults)
    sys.stdout.writelines(f"the loop was busy for {step}\n" for step in times.too_long)
    return 1 if times.late or faults or times.too_long else 0


if __name__ == "__main__":
    sys.exit(main())
