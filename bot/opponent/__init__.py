"""The machine as an opponent: it thinks in processes of its own, so that the bot never waits."""

from bot.opponent.machine import LEVELS, Machine, machine_is_installed

__all__ = ["LEVELS", "Machine", "machine_is_installed"]
