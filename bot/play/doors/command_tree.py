"""The tree of commands, as it answers to people who use one that there isn't."""

from contextlib import AbstractAsyncContextManager

from bot.base.locales import Reader
from bot.connection.command_tree import CheckedTree
from bot.play.doors.answers import Answer, answering
from bot.play.doors.services import Interaction, ServicesClient
from bot.play.words.troubles import unknown_command


class Commands(CheckedTree[ServicesClient]):
    """The bot's commands."""

    def answer(self, interaction: Interaction) -> AbstractAsyncContextManager[Answer]:
        """Carry out what is done inside, as the answer to an interaction."""
        return answering(interaction)

    def unknown(self, reader: Reader, name: str) -> str:
        """Return the words for who has used a command that there isn't."""
        return unknown_command(reader, name, self.client.command_ids)
