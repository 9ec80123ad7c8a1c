"""Matches between any programs that speak CodeCup's protocol or ours, and of the engine's levels.

`program` runs one, `referee` plays one game by the rules of `dvonn`, `starts` are the boards that
games begin from, `statistics` tells what a result means, `match` plays many games, and `table` many
matches. On these stand the ladder of levels, its ratings, the fairness of starts, and matches with
older versions.
"""
