"""Matches between any two programs that speak the CodeCup protocol.

`program` runs one, `referee` plays one game by the rules of `dvonn`, `starts` are the boards that
games begin from, `statistics` tells what a result means, and `python -m benchmarks.matches` plays.
"""
