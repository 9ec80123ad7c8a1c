"""Odds in the changes of games: the board as one begins, and the next rung as one ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.glicko import START
from bot.base.ids import NO_GUILD, GuildId, Revision, UserId
from bot.base.languages import Reader
from bot.connection.posts import Button
from bot.features.odds.use_cases import Rung, next_rung
from bot.features.odds.words import again_button, next_line
from bot.features.ratings.model import PoolRating, machine_rating, steps_for
from bot.features.ratings.store import RatingTable
from bot.play.game_changes import Aftermath, GameHook, InTransaction, Turn
from bot.play.model.clock import pace_of
from bot.play.model.events import Told
from bot.play.model.game import Game, GameRow
from bot.play.model.terms import Start
from bot.play.use_cases.use_cases import UseCases
from dvonn import Color
from dvonn.odds import odds_seed

_ODDS_BITS: Final = 32
"""So many boards there are with the same odds, as a power of 2."""
_LOOKED_AT: Final = 50
"""Number of somebody's last games in a server among which one of the ladder is looked for."""


@dataclass(frozen=True, slots=True)
class Climbed(Aftermath):
    """The rung that comes after a game."""

    next: Rung

    def at_end(self, reader: Reader, game: Game) -> Sequence[str]:
        return [next_line(reader, self.next)]

    def buttons(self, reader: Reader, game: Game) -> Sequence[Button]:
        return [again_button(reader, game)]


class OddsHook(GameHook):
    """Chooses boards with odds."""

    def __init__(self, cases: UseCases) -> None:
        self._ratings = cases.store.of(RatingTable)
        self._games = cases.store.games
        self._rng = cases.rng

    async def joins(self, row: GameRow) -> GameRow:
        """Choose the board of a game with odds, so that both players' chances are alike."""
        if row.start is not Start.ODDS:
            return row
        number = self._rng.getrandbits(_ODDS_BITS)
        return replace(row, seed=odds_seed(await self._steps(row), number))

    async def level(self, guild: GuildId, player: UserId, start: Start) -> int | None:
        rung = await self._rung(guild, player) if start is Start.ODDS else None
        return None if rung is None else rung.level

    async def at_end(self, turn: Turn) -> InTransaction | None:
        found = _climbed(turn.after)
        if found is None:
            return None

        async def tell(_connection: AsyncConnection, _row: GameRow) -> Aftermath:
            return found

        return tell

    async def again(
        self, game: Game, told: Sequence[Told], after: Revision, until: Revision
    ) -> Aftermath | None:
        return _climbed(game)

    async def _steps(self, row: GameRow) -> int:
        """Return by how many steps White is to stand farther from the reds."""
        known = await self._ratings.of(NO_GUILD, pace_of(row.clock), (row.white, row.black))
        if row.machine is not None and row.is_solo and row.level is not None:
            color = Color.BLACK if row.machine == row.white else Color.WHITE
            player = row.white if color is Color.WHITE else row.black
            rung = await self._rung(row.guild, player)
            if rung is not None and rung.level == row.level:
                return rung.steps(color)
            if player not in known or machine_rating(row.engine, row.level) is None:
                return Rung(row.level).steps(color)
        white, black = (_strength(row, one, known) for one in (row.white, row.black))
        return steps_for(white, black)

    async def _rung(self, guild: GuildId, player: UserId) -> Rung | None:
        games = await self._games.ended_of(guild, player, limit=_LOOKED_AT)
        rungs = (next_rung(one.row, player) for one in games)
        return next((rung for rung in rungs if rung is not None), None)


def _climbed(game: Game) -> Climbed | None:
    player = game.row.white if game.row.machine == game.row.black else game.row.black
    rung = next_rung(replace(game.row, outcome=game.outcome), player)
    return None if rung is None else Climbed(rung)


def _strength(row: GameRow, player: UserId, known: Mapping[UserId, PoolRating]) -> float:
    """Return a player's rating in all servers together, or that of the machine's level."""
    if player == row.machine:
        measured = machine_rating(row.engine, row.level)
        return START if measured is None else measured.rating
    return known[player].rating.rating if player in known else START
