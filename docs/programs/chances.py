"""Draws who was how likely to win, ply by ply, as a picture for a notebook: chances.svg."""

from pathlib import Path

from dvonn import GameRecord
from dvonn.engine import review

record = GameRecord.from_text(Path("docs/game.txt").read_text(encoding="utf-8"))
plies = review(record, nodes=2_000).plies
heights = [100 * (1 - ply.after.win_probability) for ply in plies]
points = " ".join(f"{9 * number},{height:.0f}" for number, height in enumerate(heights))
line = (
    f'<polyline points="{points}" fill="none" stroke="black"/><path d="M0 50H400" stroke="gray"/>'
)
picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100">{line}</svg>'
Path("chances.svg").write_text(picture, encoding="utf-8")  # in a notebook: SVG(picture)
print(len(plies), "plies; White's chances at the end:", plies[-1].after.win_probability)
