"""A private page on which a player moves in all their waiting games, one by one."""

from collections.abc import Iterable

from bot.base.ids import GameId, UserId
from bot.connection.discord_messages import button_ids
from bot.connection.posts import Post
from bot.play.game_changes import GameUpdate
from bot.play.handlers.interactions import Answer, Component
from bot.play.model.events import Moved
from bot.play.model.game import Game
from bot.play.use_cases.own_games import ListedGame
from bot.play.words.rounds import ROUND, round_page


def in_round(answer: Answer) -> bool:
    """Return True if the pressed button is on the page of a round."""
    message = answer.interaction.message
    ids = () if message is None or not message.flags.ephemeral else button_ids(message)
    return any((custom_id or "").startswith(ROUND) for custom_id in ids)


def waiting(running: Iterable[ListedGame], user: UserId) -> list[Game]:
    """Return the listed games where a user can move from anywhere, in the same order."""
    return [
        listing.game
        for listing in running
        if listing.game.to_move == user and not listing.is_stuck and not listing.game.row.visiting
    ]


async def next_in_round(answer: Answer, after: GameId, update: GameUpdate | None = None) -> Post:
    """Return the page of the waiting game after a given one. After the last comes the first."""
    running = await answer.services.own_games.running(answer.guild, answer.user)
    games = waiting(running, answer.user)
    places = [game.row.id for game in games]
    at = places.index(after) + 1 if after in places else 0
    following = games[at % len(games)] if games else None
    events = () if update is None else [applied.event for applied in update.events]
    played = tuple(
        event.data.move
        for event in events
        if isinstance(event.data, Moved) and event.actor == answer.user
    )
    return round_page(answer.reader, following, len(games), played)


class NextGameButton(Component, template=ROUND + r"(?P<after>[0-9]{1,18})"):
    """Button that opens the first waiting game, or skips to the next one."""

    async def respond(self, answer: Answer) -> None:
        await answer.view(await next_in_round(answer, GameId(int(self.match["after"]))))
