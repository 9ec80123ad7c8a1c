"""Tests that a hook receives only changes to games in its scope."""

from bot.base.ids import Revision, UserId
from bot.play.game_changes import BoardAddition, GameChange, GameHook, GameScope, TransactionStep
from bot.play.model.game import Game
from tests.bot.play.example_texts import team_games
from tests.bot.table import ANN, BOB, Table

MACHINE = UserId(900)


class NotingHook(GameHook):
    """A hook that records the waiting player of each game in its scope."""

    def __init__(self) -> None:
        self.changed, self.loaded = list[UserId | None](), list[UserId | None]()

    async def on_change(self, change: GameChange) -> TransactionStep | None:
        self.changed.append(change.after.to_move)
        return None

    async def reload(self, game: Game, *_: object, **_more: object) -> BoardAddition | None:
        self.loaded.append(game.to_move)
        return None


class OfMachine(NotingHook):
    scope = GameScope.AGAINST_MACHINE


class OfTeams(NotingHook):
    scope = GameScope.OF_TEAMS


HOOKS = (NotingHook, OfMachine, OfTeams)


async def concerned(table: Table, game: Game) -> list[type[GameHook]]:
    """Play a move, and load its board again. Return the hooks that were asked both times."""
    hooks = [kind() for kind in HOOKS]
    for hook in hooks:
        table.does.add(hook)
    row = (await table.move(game)).game.row
    await table.games.unannounced(row.id, row.revision, Revision(row.revision - 1))
    assert [len(hook.changed) for hook in hooks] == [len(hook.loaded) for hook in hooks]
    return [type(hook) for hook in hooks if hook.changed]


async def test_a_game_between_people_concerns_no_hook_of_the_machine(table: Table) -> None:
    assert await concerned(table, await table.begin(BOB)) == [NotingHook]


async def test_a_game_against_the_machine_concerns_its_hooks(table: Table) -> None:
    challenge = await table.challenge(MACHINE, level=3)
    game = (await table.accept(challenge, ANN)).game
    assert await concerned(table, game) == [NotingHook, OfMachine]


def test_a_team_game_concerns_the_hooks_of_teams() -> None:
    row = next(team_games()).game.row
    assert row.vote is not None
    assert [kind for kind in HOOKS if kind.scope.includes(row)] == [NotingHook, OfMachine, OfTeams]
