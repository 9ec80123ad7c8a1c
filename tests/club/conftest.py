"""Fixtures for features that build on the bot: its databases, tables and clocks."""

from tests.bot.conftest import *  # noqa: F403 - fixtures, and the hook that says on which databases
