"""Handles /note and the button that shares notes, and adds notes to records."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from discord import app_commands

from bot.base.ids import UserId
from bot.features.notes.store import LONGEST_NOTE, Note, NoteTable
from bot.features.notes.words import note_saved, notes_page
from bot.play.handlers.interactions import (
    Answer,
    Component,
    Interaction,
    Services,
    answering,
    anywhere,
    channel_of,
    in_help,
)
from bot.play.model.game import Game
from bot.play.model.refusals import NoGameHere, NotAPlayer
from bot.replay.model.replays import all_moves

_RECENT: Final = timedelta(days=90)
"""Maximum age of a finished game that /note still finds in its channel."""


@in_help()
@app_commands.command(description="Write a note on this move for yourself, or read your notes")
@app_commands.describe(text="Your note; empty: show them")
@anywhere
async def note(
    interaction: Interaction, text: app_commands.Range[str, 1, LONGEST_NOTE] | None = None
) -> None:
    async with answering(interaction) as answer:
        services, channel = answer.services, channel_of(interaction)
        if text is None:
            row = await services.store.games.newest_in(channel, since=services.now() - _RECENT)
            if row is None:
                raise NoGameHere
            await _show(answer, await services.game_cache.existing(row.id))
            return
        game = await services.game_cache.running_in(channel)
        _check_player(game, answer.user)
        ply = len(all_moves(game))
        new = Note(answer.user, ply, " ".join(text.split()))
        await services.store.queries(NoteTable).write(game.row.id, new, services.now())
        await answer.send_private(note_saved(answer.reader, ply))


class ShareNotesButton(Component, template=r"dvonn:notes:(?P<game>[0-9]{1,18}):share"):
    """Shares a player's notes on a finished game with the opponent."""

    async def respond(self, answer: Answer) -> None:
        services = answer.services
        game = await services.game_cache.existing(self.game)
        _check_player(game, answer.user)
        table = services.store.queries(NoteTable)
        await table.share(game.row.id, answer.user, services.now())
        await _show(answer, game)


async def _show(answer: Answer, game: Game) -> None:
    _check_player(game, answer.user)
    table = answer.services.store.queries(NoteTable)
    notes, sharing = await table.of_game(game.row.id), await table.sharing(game.row.id)
    await answer.view(notes_page(answer.reader, game, answer.user, notes, sharing))


def _check_player(game: Game, user: UserId) -> None:
    """Check that a user plays or played a game.

    Raises:
        NotAPlayer: if they don't.
    """
    if game.seat(user) is None:
        raise NotAPlayer


async def shared_comments(services: Services, game: Game) -> Mapping[int, str]:
    """Return the notes on a game that both players share, by number of moves before them."""
    table, players = services.store.queries(NoteTable), {game.row.white, game.row.black}
    if not players <= await table.sharing(game.row.id):
        return {}
    comments = defaultdict[int, list[str]](list)
    for entry in await table.of_game(game.row.id):
        if entry.player in players:
            name = services.names.name(game.row.guild, entry.player)
            comments[entry.ply].append(f"{name}: {entry.text}" if name else entry.text)
    return {ply: " ".join(texts) for ply, texts in comments.items()}
