"""Speed of rendering pictures: every frame of a whole random game.

    python -m benchmarks.render [--seed 1] [--rounds 15]

Beside it runs the least that any rendering must do: the finished images, already in memory, are
written as PNGs again. Both sides take turns, so that a noisy machine disturbs both alike, and each
figure is the median of the rounds. The first round of all, in which the parts that frames share are
made, is shown and left out.
"""

import argparse
import time
from io import BytesIO
from statistics import median

from PIL import Image

from benchmarks.result import result_line
from dvonn import Move, Position
from renderer import render
from renderer.picture import COMPRESSION
from tests.games import positions_of, random_game

Frame = tuple[Position, Move | None]


def render_all(frames: list[Frame]) -> list[bytes]:
    """Return the picture of every frame."""
    return [render(position, last=last) for position, last in frames]


def encode_all(images: list[Image.Image]) -> list[bytes]:
    """Return the images as PNGs, with the settings of the renderer."""
    files = []
    for image in images:
        file = BytesIO()
        image.save(file, "PNG", compress_level=COMPRESSION)
        files.append(file.getvalue())
    return files


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.render")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()

    moves = random_game(options.seed)
    frames: list[Frame] = list(zip(positions_of(moves), [None, *moves], strict=True))
    start = time.perf_counter()
    pictures = render_all(frames)
    cold_ms = (time.perf_counter() - start) * 1000
    print(f"{len(frames)} frames, {cold_ms:.0f} ms with everything to be made for the first time")
    images: list[Image.Image] = [Image.open(BytesIO(picture)) for picture in pictures]
    for image in images:
        image.load()
    assert encode_all(images) == pictures, "the two sides do not write the same files"

    rendering, encoding = [], []
    for number in range(options.rounds):
        start = time.perf_counter()
        render_all(frames)
        between = time.perf_counter()
        encode_all(images)
        end = time.perf_counter()
        rendering.append((between - start) * 1000 / len(frames))
        encoding.append((end - between) * 1000 / len(frames))
        print(f"round {number + 1}: {rendering[-1]:.2f} and {encoding[-1]:.2f} ms a frame")
    figures = {
        "ms_per_frame": median(rendering),
        "encode_ms": median(encoding),
        "ratio": median(rendering) / median(encoding),
        "max_kib": max(map(len, pictures)) / 1024,
    }
    print(result_line("render", figures))


if __name__ == "__main__":
    main()
