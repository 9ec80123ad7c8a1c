"""Speed of rendering pictures: every frame of a whole random game.

    python -m benchmarks.render [--seed 1] [--rounds 15]

The baseline is the work that no renderer can avoid: Pillow writes the finished images, which are
already in memory, as PNGs, with its default settings. Both sides are measured in turn at each
frame, in processor time, so that other work affects both equally. Each figure is the median of the
rounds. The first round, which renders the common parts of the frames, is printed but not counted.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from io import BytesIO
from operator import truediv
from statistics import mean, median

from PIL import Image

from benchmarks.result import result_line
from renderer import render
from tests.games import positions_of, random_game


def encode(image: Image.Image) -> bytes:
    """Return an image as a PNG, with Pillow's default settings."""
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def timed(work: Callable[[], bytes]) -> tuple[bytes, float]:
    """Do some work. Return its result, and the milliseconds of processor time that it took."""
    start = time.process_time()
    result = work()
    return result, (time.process_time() - start) * 1000


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.render")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()

    moves = random_game(options.seed)
    frames = list(zip(positions_of(moves), [None, *moves], strict=True))
    renderings = [partial(render, position, last=last) for position, last in frames]
    pictures, cold = zip(*map(timed, renderings), strict=True)
    print(f"{len(frames)} frames, {sum(cold):.0f} ms with everything to be made for the first time")
    images: list[Image.Image] = [Image.open(BytesIO(picture)) for picture in pictures]
    for image in images:
        image.load()
        decoded = Image.open(BytesIO(encode(image)))
        assert decoded.convert("RGB").tobytes() == image.convert("RGB").tobytes(), "another picture"

    rendering, encoding = [], []
    for number in range(options.rounds):
        spent = [
            (timed(draw)[1], timed(partial(encode, image))[1])
            for draw, image in zip(renderings, images, strict=True)
        ]
        rendering.append(mean(whole for whole, _ in spent))
        encoding.append(mean(least for _, least in spent))
        print(f"round {number + 1}: {rendering[-1]:.2f} and {encoding[-1]:.2f} ms a frame")
    figures = {
        "ms_per_frame": median(rendering),
        "encode_ms": median(encoding),
        "ratio": median(map(truediv, rendering, encoding)),
        "max_kib": max(map(len, pictures)) / 1024,
    }
    print(result_line("render", figures))


if __name__ == "__main__":
    main()
