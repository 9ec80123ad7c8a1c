"""Matches between programs that play DVONN in the protocol of `dvonn.engine.uci` or of CodeCup.

`program` runs a program, `referee` plays one game by the rules of `dvonn`, `starts` has the start
positions, `statistics` evaluates results, `match` plays many games, and `command` is `python -m
dvonn match`.
"""
