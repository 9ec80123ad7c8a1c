"""Texts for a round: a private page for moving in all waiting games, one after the other."""

from dataclasses import replace

from bot.base.ids import GameId
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, Post, channel
from bot.play.model.game import Game
from bot.play.words.names import name_of
from bot.play.words.picker import picker
from bot.play.words.views import moves_text
from dvonn import Move

ROUND = "dvonn:games:next:"
"""Prefix of the custom id of the button for the next game. It identifies the pages of a round."""


def waiting_text(reader: Reader, count: int) -> str:
    return reader.ngettext(
        "{count} game waits for you", "{count} games wait for you", count
    ).format(count=count)


def begin_round(reader: Reader, count: int) -> tuple[Button, ...]:
    """Return the button that opens a round's first page, if any games are waiting."""
    if count == 0:
        return ()
    return (Button(waiting_text(reader, count), f"{ROUND}0", ButtonStyle.PRIMARY),)


def round_page(
    reader: Reader, game: Game | None, count: int, played: tuple[Move, ...] = ()
) -> Post:
    """Return the page of a waiting game, or the last page.

    Args:
        reader: The player.
        game: The game to move in, or None if no games are waiting.
        count: The number of waiting games.
        played: The moves that were just played in the previous game.
    """
    lines = []
    if played:
        template = reader.gettext("Played: {move}.")
        lines.append(template.format(move=moves_text(reader, played)))
    if game is None:
        lines.append(reader.gettext("No other game waits for you."))
        return Post(content=" ".join(lines))
    lines.append(f"**{waiting_text(reader, count)}**")
    sentence = reader.gettext("{where} vs {opponent}: **your turn**")
    assert game.to_move is not None  # it waits for the reader  # noqa: S101
    opponent = name_of(game, game.opponent(game.to_move))
    place = sentence.format(where=channel(game.row.channel), opponent=opponent)
    post = picker(reader, game)
    content = "\n".join([" ".join(lines), place, post.content])
    return on_page(reader, replace(post, content=content), game.row.id)


def on_page(reader: Reader, post: Post, game: GameId) -> Post:
    """Return a step of the move picker, with the button for the next game."""
    onward = Button(reader.gettext("Next game"), f"{ROUND}{game}")
    return replace(post, buttons=(*post.buttons, onward))
