"""Matches between any two programs that speak the CodeCup protocol.

`program` runs one, `referee` plays one game by the rules of `dvonn`, `starts` are the boards that
games begin from, `statistics` tells what a result means, and `match` plays many games.
"""

from dvonn.engine.matches.match import Match
from dvonn.engine.matches.program import Command, Program
from dvonn.engine.matches.referee import MatchResult, RefereedGame
from dvonn.engine.matches.starts import STARTS
from dvonn.engine.matches.statistics import MatchScore, Sprt, estimate

__all__ = [
    "STARTS",
    "Command",
    "Match",
    "MatchResult",
    "MatchScore",
    "Program",
    "RefereedGame",
    "Sprt",
    "estimate",
]
