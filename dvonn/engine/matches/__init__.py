"""Matches between any programs that play DVONN, by the protocol of `dvonn.engine.uci` or CodeCup's.

`program` runs one, `referee` plays one game by the rules of `dvonn`, `starts` are the boards that
games begin from, `statistics` tells what a result means, `match` plays many games, and `command` is
`python -m dvonn match`.
"""
