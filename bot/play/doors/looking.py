"""The parts of private views of games, whatever opened them."""

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.connection.permissions import THREADS, is_direct
from bot.connection.posts import Post
from bot.play.doors.answers import Answer
from bot.play.doors.services import Interaction
from bot.play.model.courses import course_of
from bot.play.model.game import Game
from bot.play.model.pasted import in_message
from bot.play.model.refusals.looking import BadPaste, NoSuchPly, NotYet
from bot.play.model.refusals.starting import NotAllowed
from bot.play.model.spots import Seen, Spot, see
from bot.play.words.game_page import game_page
from bot.play.words.replay import replay


async def look_at(interaction: Interaction, spot: Spot) -> Seen:
    """Return all that is to be seen at a spot; a pasted record stands in the message itself.

    Raises:
        GameGone: if there is no such game.
        NoSuchPly, LineTooLong: as `see`.
    """
    if spot.game is not None:
        game = await interaction.client.services.games.current(spot.game)
        return see(spot, course_of(game), game)
    if interaction.message is None:
        raise NoSuchPly
    try:
        return see(spot, in_message(interaction.message.content))
    except BadPaste as error:
        raise NoSuchPly from error


async def show_page(answer: Answer, game: Game) -> None:
    """Show a game's page."""
    newest = await answer.services.store.deliveries.newest_board(game.row.id)
    client, user = answer.interaction.client, answer.user
    page = game_page(
        answer.reader,
        game,
        newest,
        user,
        has_engine=client.services.has_machine,
        parts=client.page_parts,
        board_parts=client.board_parts,
    )
    await answer.view(page)


async def show_replay(answer: Answer, seen: Seen) -> None:
    """Show one ply of a game."""
    interaction = answer.interaction
    parts = interaction.client.replay_parts
    await answer.view(replay(answer.reader, seen, may_share=may_share(interaction), parts=parts))


def asker(interaction: Interaction) -> tuple[UserId, GuildId]:
    """Return the asker and their server."""
    return UserId(interaction.user.id), GuildId(interaction.guild_id or NO_GUILD)


def may_share(interaction: Interaction) -> bool:
    """Tell whether there are others in the channel, and the asker may write to them."""
    if interaction.guild_id is None:
        return not is_direct(interaction)
    granted = interaction.permissions
    is_thread = interaction.channel is not None and interaction.channel.type in THREADS
    return granted.send_messages_in_threads if is_thread else granted.send_messages


async def share(answer: Answer, seen: Seen, post: Post) -> None:
    """Show something to all who read the channel.

    Raises:
        NotYet: if it is of a game between people that goes on.
        NotAllowed: if whoever asks may not write there.
    """
    if seen.is_running:
        raise NotYet
    if not may_share(answer.interaction):
        raise NotAllowed("Send Messages")
    await answer.publicly(post)
