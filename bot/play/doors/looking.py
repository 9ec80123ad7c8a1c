"""What the private views of games are made of, at whatever door they were asked for."""

from contextlib import suppress

from bot.base.ids import NO_GUILD, GameId, GuildId, UserId
from bot.connection.permissions import THREADS, is_direct
from bot.connection.posts import Post
from bot.features.explore.words import Around, explore
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words.reviews import review_page
from bot.play.doors.answers import Answer
from bot.play.doors.services import Desk, Interaction
from bot.play.model.courses import course_of, worth_another_try
from bot.play.model.game import Game
from bot.play.model.pasted import in_message
from bot.play.model.refusals.looking import BadPaste, HelpProblem, NoEngineHelp, NoSuchPly, NotYet
from bot.play.model.refusals.starting import NotAllowed
from bot.play.model.spots import Seen, Spot, see
from bot.play.model.thoughts import Thought
from bot.play.words.game_page import game_page
from bot.play.words.replay import replay
from dvonn import Phase


async def look_at(interaction: Interaction, spot: Spot) -> Seen:
    """All that is to be seen at a spot; what was pasted stands in the message itself.

    Raises:
        GameGone: if there is no such game.
        NoSuchPly, LineTooLong: as `see`.
    """
    if spot.game is not None:
        game = await interaction.client.desk.games.current(spot.game)
        return see(spot, course_of(game), game)
    if interaction.message is None:
        raise NoSuchPly
    try:
        return see(spot, in_message(interaction.message.content))
    except BadPaste as error:
        raise NoSuchPly from error


async def show_page(answer: Answer, game: Game) -> None:
    """Show a game's page."""
    newest = await answer.interaction.client.desk.whereabouts.board(game.row.id)
    user = UserId(answer.interaction.user.id)
    has_engine = answer.interaction.client.desk.engine is not None
    await answer.view(game_page(answer.reader, game, newest, user, has_engine=has_engine))


async def show_replay(answer: Answer, seen: Seen) -> None:
    """Show one ply of a game."""
    await answer.view(replay(answer.reader, seen, may_share=may_share(answer.interaction)))


async def show_review(answer: Answer, game: GameId) -> None:
    """Show the first page of a game's review.

    Raises:
        GameGone: if there is no such game.
        NoReview: if it has none yet.
        NoEngineHelp: if it would help in a game that goes on.
    """
    user, guild = asker(answer.interaction)
    found, review = await answer.interaction.client.desk.of(Reviews).of(
        game, user=user, guild=guild
    )
    await answer.view(review_page(answer.reader, found, review, 0, asker=user))


async def show_explore(
    answer: Answer, seen: Seen, *, thoughts: tuple[Thought, ...] = (), again: bool = False
) -> None:
    """Show a board to try moves on."""
    here = around(answer.interaction)
    await answer.view(explore(answer.reader, seen, here, thoughts=thoughts, again=again))


def around(interaction: Interaction) -> Around:
    """What else is possible where somebody explores."""
    has_engine = interaction.client.desk.engine is not None
    return Around(
        may_share=may_share(interaction),
        has_engine=has_engine,
        asker=UserId(interaction.user.id),
    )


async def try_again(interaction: Interaction, game: GameId) -> Seen:
    """The board before what somebody had better not have played in a finished game.

    Raises:
        GameGone: if there is no such game.
    """
    desk, (user, guild) = interaction.client.desk, asker(interaction)
    found, review = await desk.games.current(game), None
    with suppress(NoEngineHelp):  # then they try their last move again
        review = await desk.of(Reviews).told(game, user=user, guild=guild)
    ply = worth_another_try(found, found.seat(user), review)
    return see(Spot(game, ply), course_of(found), found)


async def thoughts_on(interaction: Interaction, seen: Seen) -> tuple[Thought, ...]:
    """What the engine says of a position: every door to it leads through here.

    Raises:
        NoEngineHelp: if it says nothing, because it would help in a game between people.
    """
    user = UserId(interaction.user.id)
    return await thoughts_for(interaction.client.desk, seen, user=user)


async def thoughts_for(desk: Desk, seen: Seen, *, user: UserId) -> tuple[Thought, ...]:
    """The same, where somebody may have asked without an interaction.

    Raises:
        NoEngineHelp: as `thoughts_on`.
    """
    if desk.engine is None:
        raise NoEngineHelp(HelpProblem.NO_MACHINE)
    if seen.position.phase is Phase.OVER:
        raise NoEngineHelp(HelpProblem.OVER)
    await desk.fair_play.check(seen.positions, user=user, game=seen.spot.game)
    return await desk.engine.analyse(seen.position, user=user)


async def worth_of_points(interaction: Interaction, game: Game, ply: int) -> tuple[Thought, ...]:
    """What free points were worth after a ply of a game that is over; nothing where that is kept.

    A review does without: the engine may be switched off, or people may be playing the same.
    """
    with suppress(NoEngineHelp):
        return await thoughts_on(interaction, see(Spot(game.row.id, ply), course_of(game), game))
    return ()


async def hint_in(interaction: Interaction, number: GameId) -> tuple[Game, tuple[Thought, ...]]:
    """A game as it stands, and what the engine says to its player who is to move.

    Raises:
        GameGone, NotAPlayer, NotYourTurn, MustChoose: if they are not to move there.
        NoEngineHelp: if it says nothing, and why.
    """
    return await hint_for(interaction.client.desk, number, user=UserId(interaction.user.id))


async def hint_for(desk: Desk, number: GameId, *, user: UserId) -> tuple[Game, tuple[Thought, ...]]:
    """The same, where somebody has asked without an interaction.

    Raises:
        GameGone, NotAPlayer, NotYourTurn, MustChoose, NoEngineHelp: as `hint_in`.
    """
    if desk.engine is None:
        raise NoEngineHelp(HelpProblem.NO_MACHINE)
    game = await desk.games.may_move(number, user)
    await desk.fair_play.check_hint(game, user=user)
    return game, await desk.engine.analyse(game.position, user=user)


def asker(interaction: Interaction) -> tuple[UserId, GuildId]:
    """Who asks, and in which server."""
    return UserId(interaction.user.id), GuildId(interaction.guild_id or NO_GUILD)


def may_share(interaction: Interaction) -> bool:
    """Whether others are there, and whoever asks may write to them."""
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
