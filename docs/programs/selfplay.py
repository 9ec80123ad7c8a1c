"""A self-play set: games of the engine with itself, and what it thought of their full boards."""

from dvonn.engine.selfplay import SelfPlaySettings, play_game

settings = SelfPlaySettings(level=4, nodes=500, start="balanced")
for seed in range(6):
    game = play_game(seed, settings)
    print(
        f"game {seed}: {len(game.moves)} plies, {game.values[0]:+} points, {game.margin:+} pieces"
    )
