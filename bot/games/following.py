"""What becomes of what players have decided ahead, as a game goes on."""

from collections.abc import Mapping

from bot.model.conditional import (
    Decided,
    after_anything_else,
    after_own,
    after_theirs,
    goes_on,
)
from bot.model.events import Event, Moved
from bot.model.game import Game
from bot.model.ids import UserId
from bot.model.lists import Plan


def that_go_on(game: Game, stand: Mapping[UserId, Decided]) -> dict[UserId, Decided]:
    """What stands that is of the board as it is."""
    return {who: one for who, one in stand.items() if goes_on(one, game.board_since)}


def that_can_stand(game: Game, stand: Mapping[UserId, Decided]) -> Mapping[UserId, Decided]:
    """What can still come to something, or tells its player something: lists in the placement."""
    if not game.is_running:
        return {}
    return {who: one for who, one in stand.items() if game.is_placing or not isinstance(one, Plan)}


def stand_after(stand: dict[UserId, Decided], event: Event) -> None:
    """Bring what stands to where an event has led."""
    if event.what.is_talk:
        return
    for who, one in list(stand.items()):
        match event.what:
            case Moved(move) if who != event.actor:
                then = after_theirs(one, move, event.revision)
            case Moved():
                then = after_own(one)
            case _:
                then = after_anything_else(one)
        if then is None:
            del stand[who]
        else:
            stand[who] = then
