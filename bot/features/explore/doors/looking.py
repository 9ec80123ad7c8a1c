"""Private boards on which moves are tried, and the engine's thoughts on them."""

from contextlib import suppress

from bot.base.ids import GameId, UserId
from bot.features.explore.words import Around, explore
from bot.features.machine.opponent.analyst import Analyst
from bot.play.doors.interactions import Answer, Interaction, Services
from bot.play.doors.looking import may_share
from bot.play.model.courses import Seen, Spot, course_of, see
from bot.play.model.game import Game
from bot.play.model.refusals import HelpProblem, NoEngineHelp
from bot.play.model.thoughts import Thought
from dvonn import Phase


async def show_explore(
    answer: Answer, seen: Seen, *, thoughts: tuple[Thought, ...] = (), again: bool = False
) -> None:
    """Show a board to try moves on."""
    here = around(answer.interaction)
    await answer.view(explore(answer.reader, seen, here, thoughts=thoughts, again=again))


def around(interaction: Interaction) -> Around:
    """Return the other things that are possible while exploring."""
    has_engine = interaction.client.services.has_machine
    return Around(
        may_share=may_share(interaction),
        has_engine=has_engine,
        asker=UserId(interaction.user.id),
    )


async def thoughts_on(interaction: Interaction, seen: Seen) -> tuple[Thought, ...]:
    """Return the engine's thoughts on a position: every door to them leads through here.

    Raises:
        NoEngineHelp: if it says nothing, because it would help in a game between people.
    """
    user = UserId(interaction.user.id)
    return await thoughts_for(interaction.client.services, seen, user=user)


async def thoughts_for(services: Services, seen: Seen, *, user: UserId) -> tuple[Thought, ...]:
    """Return the engine's thoughts for a person who may have asked without an interaction.

    Raises:
        NoEngineHelp: as `thoughts_on`.
    """
    engine = services.get(Analyst)
    if engine is None:
        raise NoEngineHelp(HelpProblem.NO_MACHINE)
    if seen.position.phase is Phase.OVER:
        raise NoEngineHelp(HelpProblem.OVER)
    await services.fair_play.check(seen.positions, user=user, game=seen.spot.game)
    return await engine.analyse(seen.position, user=user)


async def worth_of_points(interaction: Interaction, game: Game, ply: int) -> tuple[Thought, ...]:
    """Return the worth of free points after a ply of a game that is over; empty where that is kept.

    A review does without: the engine may be switched off, or people may be playing the same.
    """
    with suppress(NoEngineHelp):
        return await thoughts_on(interaction, see(Spot(game.row.id, ply), course_of(game), game))
    return ()


async def hint_in(interaction: Interaction, number: GameId) -> tuple[Game, tuple[Thought, ...]]:
    """Return a game as it stands, and what the engine says to its player who is to move.

    Raises:
        GameGone, NotAPlayer, NotYourTurn, MustChoose: if they are not to move there.
        NoEngineHelp: if it says nothing, and why.
    """
    return await hint_for(interaction.client.services, number, user=UserId(interaction.user.id))


async def hint_for(
    services: Services, number: GameId, *, user: UserId
) -> tuple[Game, tuple[Thought, ...]]:
    """Return a hint for a person who may have asked without an interaction.

    Raises:
        GameGone, NotAPlayer, NotYourTurn, MustChoose, NoEngineHelp: as `hint_in`.
    """
    engine = services.get(Analyst)
    if engine is None:
        raise NoEngineHelp(HelpProblem.NO_MACHINE)
    game = await services.games.may_move(number, user)
    await services.fair_play.check_hint(game, user=user)
    return game, await engine.analyse(game.position, user=user)
