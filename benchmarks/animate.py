"""Speed of turning a whole game into an animation, and its size.

    python -m benchmarks.animate [--seed 1] [--rounds 15] [--width 800]

The baseline is the minimum work of any animation: encoding the changes between the pictures, which
are already in memory. Both sides take turns, so that a noisy machine disturbs both equally, and
each figure is the median of the rounds. `cpu_ms` is processor time, which other processes do not
affect. The first round, which renders the common parts of the pictures, is printed but not counted.
"""

import argparse
import time
from statistics import median

from benchmarks.result import result_line
from dvonn import Position
from renderer import ENGLISH, WOOD, Reel, animate
from renderer.animation import patches, shots, write_gif
from renderer.picture import painter_of
from tests.games import random_game


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.animate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--width", type=int, default=800)
    options = parser.parse_args()

    reel = Reel.line(Position.initial(), random_game(options.seed))
    start = time.perf_counter()
    gif = animate(reel, width_px=options.width)
    cold_ms = (time.perf_counter() - start) * 1000
    print(f"{len(gif) / 1024:.0f} KiB, {cold_ms:.0f} ms with everything made for the first time")
    painter = painter_of(WOOD, options.width)
    palette = painter.palette.rgb_table()
    changes = list(patches(shots(painter, reel, ENGLISH)))
    assert write_gif(palette, iter(changes)) == gif, "the two sides do not write the same file"

    animating, encoding, working = [], [], []
    for number in range(options.rounds):
        start, busy = time.perf_counter(), time.process_time()
        animate(reel, width_px=options.width)
        working.append((time.process_time() - busy) * 1000)
        between = time.perf_counter()
        write_gif(palette, iter(changes))
        end = time.perf_counter()
        animating.append((between - start) * 1000)
        encoding.append((end - between) * 1000)
        print(f"round {number + 1}: {animating[-1]:.0f} and {encoding[-1]:.0f} ms a game")
    figures = {
        "frames": len(changes),
        "ms": median(animating),
        "cpu_ms": median(working),
        "encode_ms": median(encoding),
        "ratio": median(animating) / median(encoding),
        "kib": len(gif) / 1024,
    }
    print(result_line("animate", figures))


if __name__ == "__main__":
    main()
