"""The databases, tables and clocks of the bot's tests, for features that stand on the bot."""

from tests.bot.conftest import *  # noqa: F403 - fixtures, and the hook that says on which databases
