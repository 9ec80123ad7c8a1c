"""The words of the game's strategy, each with the step of a chapter that shows it."""

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
"""The name of the step by the name of the word. The step's first right move is the example."""
