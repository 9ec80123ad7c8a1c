"""A small bot with a game: the player to move types a letter, and later two with a hyphen."""

from typing import Any

import discord
from discord import app_commands

from tests.sandbox.clients import Bot

EARLY = ("a", "b", "c", "d", "e", "f")
LATE = ("a-b", "b-c")

Press = discord.Interaction[discord.Client]


class Croupier(Bot):
    """Offers EARLY, then LATE once EARLY is used up. The players take turns.

    Args:
        quiet: True if moves get no answer: the bot deletes "thinking ...", because the channel
            shows them.

    Attributes:
        players: Ids of the challenger and the other player. The first one is to move.
        played: The moves with their players.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        super().__init__()
        self.quiet = quiet
        self.players: list[int] = []
        self.played: list[tuple[int, str]] = []
        self._add_game()
        self._add_things()

    @property
    def legal_moves(self) -> list[str]:
        """Return the legal moves."""
        gone = {choice for _, choice in self.played}
        early = [item for item in EARLY if item not in gone]
        return early or [item for item in LATE if item not in gone]

    def _add_game(self) -> None:
        @self.tree.command(description="Challenge somebody, or anyone")
        async def challenge(interaction: Press, opponent: discord.User | None = None) -> None:
            self.players = [interaction.user.id]
            view = discord.ui.View(timeout=None)
            view.add_item(discord.ui.Button(label="Accept", custom_id="accept"))
            view.stop()
            words = opponent.mention if opponent else "Anybody"
            await interaction.response.send_message(f"{words}: a game?", view=view)

        @self.tree.command(description="Play")
        async def move(interaction: Press, move: str) -> None:
            if interaction.user.id != self.players[0] or move not in self.legal_moves:
                await interaction.response.send_message("No.", ephemeral=True)
                return
            self.played.append((interaction.user.id, move))
            self.players.reverse()
            if self.quiet:
                await interaction.response.defer(ephemeral=True)
                await self._call(interaction, f"{move} was played.")
                await interaction.delete_original_response()
                return
            await interaction.response.send_message(f"Played {move}.", ephemeral=True)
            await self._call(interaction, f"{move} was played.")

        @move.autocomplete("move")
        async def _complete_move(interaction: Press, typed: str) -> list[app_commands.Choice[str]]:
            if not self.players or interaction.user.id != self.players[0]:
                return []
            fitting = [text for text in self.legal_moves if text.startswith(typed)]
            return [app_commands.Choice(name=f"{item}!", value=item) for item in fitting]

    def _add_things(self) -> None:
        @self.tree.command(description="One of everything")
        async def menu(interaction: Press) -> None:
            view = discord.ui.View(timeout=None)
            view.add_item(discord.ui.Button(label="Form", custom_id="form"))
            options = [discord.SelectOption(label=text.upper(), value=text) for text in "xy"]
            view.add_item(discord.ui.Select(custom_id="select", options=options))
            view.add_item(discord.ui.UserSelect(custom_id="people"))
            view.stop()
            await interaction.response.send_message("Choose", view=view)

        @self.tree.command(description="Whisper")
        async def secret(interaction: Press, words: str) -> None:
            await interaction.response.send_message(words, ephemeral=True)

        @self.tree.context_menu(name="Wave")
        async def wave(interaction: Press, somebody: discord.User) -> None:
            words = f"{interaction.user.id} waves at {somebody.id}"
            await interaction.response.send_message(words, ephemeral=True)

    async def on_interaction(self, interaction: Press) -> None:
        data: dict[str, Any] = dict(interaction.data or {})
        if interaction.type is discord.InteractionType.modal_submit:
            await interaction.response.send_message(_only_text(data), ephemeral=True)
        elif interaction.type is not discord.InteractionType.component:
            return
        elif data["custom_id"] == "accept":
            self.players.append(interaction.user.id)
            await interaction.response.edit_message(content="A game!", view=None)
            await self._call(interaction, "It begins.")
        elif data["custom_id"] == "form":
            form = discord.ui.Modal(title="A form", custom_id="form")
            form.add_item(discord.ui.TextInput(label="Text", custom_id="text", max_length=20))
            form.stop()
            await interaction.response.send_modal(form)
        else:
            words = f"{data['custom_id']}: {', '.join(data['values'])}"
            await interaction.response.send_message(words, ephemeral=True)

    async def _call(self, interaction: Press, words: str) -> None:
        assert isinstance(interaction.channel, discord.TextChannel)
        turn = f" <@{self.players[0]}>, your turn." if self.legal_moves else " It is over."
        await interaction.channel.send(words + turn)


def _only_text(data: dict[str, Any]) -> str:
    (row,) = data["components"]
    (field,) = row["components"]
    return f"You wrote {field['value']}"
