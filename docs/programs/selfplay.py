"""A self-play set: how often the search of a full board named the winner of the game."""

from dvonn.engine.selfplay import SelfPlaySettings, play_game

settings = SelfPlaySettings(level=4, nodes=500, start="balanced")
named = []
for seed in range(6):
    game = play_game(seed, settings)
    named.append((game.values[0] > 0) == (game.margin > 0))
    print(
        f"game {seed}: {len(game.moves)} plies, {game.values[0]:+} points, {game.margin:+} pieces"
    )
print(f"{sum(named)} of {len(named)} named")
