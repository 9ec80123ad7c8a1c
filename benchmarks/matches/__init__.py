"""Matches between any two programs that speak the CodeCup protocol, and of the engine's levels.

`program` runs one, `referee` plays one game by the rules of `dvonn`, `starts` are the boards that
games begin from, `statistics` tells what a result means, and `match` plays many games. On these
stand the ladder of levels, its ratings, the fairness of starts, and matches with older versions.
"""
