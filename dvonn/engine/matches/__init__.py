"""Matches between programs that play DVONN in the protocol of `dvonn.engine.uci` or of CodeCup.

`program` runs a program. `referee` plays one game by the rules of `dvonn`. `starts` has the start
positions, `statistics` evaluates results, and `match` plays many games. `command` is the command
line, `python -m dvonn match`.
"""
