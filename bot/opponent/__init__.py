"""The machine as an opponent: it thinks in processes of its own, so that the bot never waits."""

from bot.opponent.analyst import Analyst
from bot.opponent.machine import LEVELS, Machine, machine_is_installed, queue_is_installed
from bot.opponent.thinker import Thinker

__all__ = [
    "LEVELS",
    "Analyst",
    "Machine",
    "Thinker",
    "machine_is_installed",
    "queue_is_installed",
]
