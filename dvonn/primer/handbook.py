"""Terms of DVONN strategy, each with the primer step that shows it."""

from collections.abc import Mapping
from typing import Final

HANDBOOK: Final[Mapping[str, str]] = {
    "mobility": "alone",
    "blocked": "surrounded",
    "freeing": "free",
    "neutralise": "take",
    "selfstacking": "sniper",
    "control": "spoil",
    "retake": "back",
    "guard": "guard",
    "towersingle": "silence",
    "overload": "load",
    "young": "decoy",
    "sharpshooting": "snipe",
    "lifting": "lift",
    "spoiling": "retake",
    "melee": "melee",
    "settlement": "settle",
    "cut": "cut",
    "lifeline": "link",
    "bridge": "bridge",
    "string": "lifeline",
    "chokepoint": "choke",
    "sacrifice": "outpost",
    "selfcut": "offering",
    "redtax": "red",
    "reserve": "reserve",
    "lastmover": "order",
    "initiative": "quiet",
    "spread": "reds",
}
"""The names of steps by term. The first right move of a step is the example."""
