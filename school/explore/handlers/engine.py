"""Engine evaluations of positions, and hints."""

from contextlib import suppress

from bot.base.ids import GameId, UserId
from bot.connection.bounded_cache import BoundedCache
from bot.play.handlers import interactions
from bot.play.model import refusals
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game, Offer
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.notices import action_receipt
from bot.replay.model.replays import ReplayCursor, ReplayView, sequence_of, view_at
from dvonn import Phase
from school.explore.model import HintProblem, NoHint, check_hint
from school.explore.words.hints import hinted


async def evaluate_position(
    services: interactions.Services, view: ReplayView, *, user: UserId
) -> tuple[Thought, ...]:
    """Return the engine's evaluation of a position.

    All handlers use this function, so its checks always apply.

    Raises:
        NoHint: if there is nothing to evaluate.
        NoEngineHelp: if it would help in a running game between people.
    """
    engine = services.opponent
    if engine is None:
        raise NoHint(HintProblem.NO_MACHINE)
    if view.position.phase is Phase.OVER:
        raise NoHint(HintProblem.OVER)
    if view.is_running:
        raise refusals.NoEngineHelp(refusals.HelpProblem.RUNNING)
    await services.fair_play.check(view.position, user=user)
    return await engine.analyse(view.position, user=user)


async def worth_of_points(answer: interactions.Answer, game: Game, ply: int) -> tuple[Thought, ...]:
    """Return evaluations of all free points at a ply of an ended game, or nothing.

    The engine may be off, or people may be playing the same board. A review works without these
    values.
    """
    with suppress(refusals.NoEngineHelp, NoHint):
        view = view_at(ReplayCursor(game.row.id, ply), sequence_of(game), game)
        return await evaluate_position(answer.services, view, user=answer.user)
    return ()


class HintsGiven:
    """Remembers each user's last hint, because a second hint for the same board says more."""

    def __init__(self, _cases: UseCases | None = None) -> None:
        self._boards: BoundedCache[tuple[GameId, UserId], int] = BoundedCache()

    def is_again(self, game: Game, user: UserId) -> bool:
        """Return True if a user has already had a hint for a game's board."""
        return not self._boards.is_new((game.row.id, user), game.board_since)


async def hint_for(
    services: interactions.Services, number: GameId, *, user: UserId
) -> tuple[Game, tuple[Thought, ...]]:
    """Return a game, and the engine's evaluation for its player to move.

    Raises:
        GameNotRunning, NotAPlayer, NotYourTurn: if it is not the user's turn in a running game.
        NoHint: if hints are not allowed in this game.
        NoEngineHelp: if it would help in another running game between people.
    """
    engine = services.opponent
    if engine is None:
        raise NoHint(HintProblem.NO_MACHINE)
    game = await services.games.may_move(number, user)
    check_hint(game)
    await services.fair_play.check(game.position, user=user, but=number)
    return game, await engine.analyse(game.position, user=user)


class HintButton(interactions.Component, template=r"dvonn:hint:(?P<game>[0-9]{1,18})"):
    """The button *Hint*, in games against the machine and games whose players agreed on hints."""

    async def respond(self, answer: interactions.Answer) -> None:
        game, thoughts = await hint_for(answer.services, self.game, user=answer.user)
        goes_on = answer.services.require(HintsGiven).is_again(game, answer.user)
        hint = hinted(answer.reader, game, thoughts, goes_on=goes_on)
        answer.services.hints.put(game.row.id, await answer.add_view(hint))


class SuggestHintsButton(interactions.Component, template=r"dvonn:hints:(?P<game>[0-9]{1,18})"):
    """The button *Suggest hints*, on the page of a game between people."""

    async def respond(self, answer: interactions.Answer) -> None:
        update = await answer.services.offers.suggest(
            self.game, answer.user, Offer.HINTS, source=answer.source
        )
        await answer.publish(update, answer.send_private(action_receipt(answer.reader, update)))
