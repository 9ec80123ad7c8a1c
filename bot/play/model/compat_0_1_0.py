"""The pie start of games from 0.1.0, and its events. Newer games don't have it.

In a pie start, one player picked one of three boards, and the other player then picked a color.
Three more modules with this name handle the commands and buttons of 0.1.0. Remove those modules in
the first release after 2027-12-01. This one is needed as long as a database has such games.
"""

from dataclasses import dataclass, replace

from bot.base.ids import UserId
from bot.play.model.game import EventData, EventHeader, Game, GameRow, clock_after
from bot.play.model.openings import opening
from bot.play.model.terms import Start
from dvonn import Color


def provisional_seats(game: Game, accepted_by: UserId, *, picks: bool) -> GameRow:
    """Return the seats until a color is picked. The row has the final seats.

    If `picks` is True, the player who accepted picks the board.
    """
    other = game.opponent(accepted_by)
    picker, opponent = (accepted_by, other) if picks else (other, accepted_by)
    return replace(game.row, white=picker, black=opponent)


@dataclass(frozen=True, slots=True)
class BoardPicked(EventData):
    """A board of a pie start was picked."""

    name = "pick"
    clock_runs = begins_turn = True

    number: int

    def apply(self, game: Game, event: EventHeader) -> Game:
        """Let the other player pick their color."""
        seed = game.row.seed + self.number - 1
        position = opening(Start.BALANCED, seed)
        return replace(
            game,
            position=position,
            base=position,
            board_seed=seed,
            clock=clock_after(game, event, Color.WHITE),
        )


@dataclass(frozen=True, slots=True)
class SidePicked(EventData):
    """The other player of a pie start picked their color."""

    name = "side"
    clock_runs = begins_turn = changes_position = True

    color: Color

    def apply(self, game: Game, event: EventHeader) -> Game:
        clock = clock_after(game, event, Color.BLACK)
        row, other = game.row, game.opponent(event.actor)
        if self.color is Color.WHITE:
            row = replace(row, white=event.actor, black=other)
            if clock is not None:
                clock = replace(clock, white=clock.black, black=clock.white)
        return replace(game, row=row, clock=clock)
