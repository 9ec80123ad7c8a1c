"""Room under Discord's limit, by how soon Discord answers: of the bot its pace alone.

    python -m benchmarks.room [--rate 25] [--a-second 50] [--answers-ms 10 100 250]
        [--seconds 4000] [--seed 1]

Boards are wanted at random moments, so many in a second on average, and each, once it is answered,
has something tidied up after it. The bot hands out the room itself, in
`bot/connection/request_limits.py`. The
loop's clock does not wait, but goes on to whatever is next. Answers take so long on average, and
half of that at least.

`waits_p99_ms` is how long the slowest of a hundred boards waits for room, `left` the part of the
turns after which nothing was tidied up.
"""

import argparse
import asyncio
import selectors
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from statistics import quantiles

from benchmarks.result import result_line
from bot.base.priority_semaphore import Priority
from bot.connection.request_limits import RateBudget, TooLateError


class _NoWait(selectors.SelectSelector):
    """Lets the loop's clock go on where it would wait."""

    now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now_s += max(0.0, timeout or 0.0)
        return []


class Hurried(asyncio.SelectorEventLoop):
    """A loop for which no time passes but in its clock; nothing from outside reaches it."""

    def __init__(self) -> None:
        self._selector_of_ours = _NoWait()
        super().__init__(self._selector_of_ours)

    def time(self) -> float:
        """Seconds since it was made."""
        return self._selector_of_ours.now_s


@dataclass
class Turns:
    """Boards, and what is tidied up after them."""

    pace: RateBudget
    rng: Random
    answer_s: float
    waits: list[float] = field(default_factory=list)
    left: int = 0

    async def turn(self) -> None:
        """One board, and the one before it."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        place = await self.pace.turn(Priority.NOW)
        self.waits.append(loop.time() - began)
        await self._answered(place)
        try:
            place = await self.pace.turn(Priority.OPTIONAL)
        except TooLateError:
            self.left += 1
            return
        await self._answered(place)

    async def _answered(self, place: int) -> None:
        await asyncio.sleep(self.answer_s / 2 * (1 + self.rng.expovariate(1)))
        self.pace.over(place)


async def played(turns: Turns, rate: float, seconds: float) -> None:
    """Turns at random moments, for so many seconds."""
    async with asyncio.TaskGroup() as group:
        for _ in range(int(rate * seconds)):
            await asyncio.sleep(turns.rng.expovariate(rate))
            group.create_task(turns.turn())


def figures(
    rate: float, a_second: int, answer_ms: float, seconds: float, seed: int
) -> Mapping[str, float]:
    """Return the figures for answers that take so long."""
    turns = Turns(RateBudget(a_second), Random(seed), answer_ms / 1_000)
    with asyncio.Runner(loop_factory=Hurried) as runner:
        runner.run(played(turns, rate, seconds))
    return {
        "waits_p50_ms": quantiles(turns.waits, n=100)[49] * 1_000,
        "waits_p99_ms": quantiles(turns.waits, n=100)[98] * 1_000,
        "left": turns.left / len(turns.waits),
    }


def main() -> None:
    """Reckon, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.room")
    parser.add_argument("--rate", type=float, default=25)
    parser.add_argument("--a-second", type=int, default=50)
    parser.add_argument("--answers-ms", type=float, nargs="+", default=[10, 100, 250])
    parser.add_argument("--seconds", type=float, default=4_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    result: dict[str, float] = {"rate": options.rate, "a_second": options.a_second}
    for answer_ms in options.answers_ms:
        found = figures(options.rate, options.a_second, answer_ms, options.seconds, options.seed)
        result |= {f"{name}_{answer_ms:g}": value for name, value in found.items()}
    print(result_line("room", result))


if __name__ == "__main__":
    main()
