"""Notifies people when boards can't be sent. Such games are paused (`deadlines.pauses`)."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from bot.base.ids import NO_GUILD, is_deleted_user, is_team
from bot.database.database import Conflict
from bot.database.deliveries import STUCK_FROM
from bot.database.delivery_rows import BOARD, Delivery, DeliveryKind, DeliveryRoute, NewDelivery
from bot.play.game_changes import GameHook
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache

UNDELIVERED: Final = DeliveryKind("undelivered")
"""Kind of delivery for the notice to one person that a game's board can't be sent.

Its data is {"channel"}: the game's channel.
"""


class StuckGameNotices:
    """Announces that games are waiting while their boards or threads are retried."""

    def __init__(
        self,
        store: Store,
        game_cache: GameCache,
        *,
        now: Callable[[], datetime],
        hooks: Sequence[GameHook],
    ) -> None:
        self._store = store
        self._game_cache = game_cache
        self._now = now
        self._hooks = hooks

    async def on_found(self, row: Delivery) -> None:
        """Make a game's timer due, because its board was sent but counted as unsent until now.

        A check in the meantime may have set the timer too late.
        """
        await self._store.timers.wake_game(row.event_key[0], self._now())

    async def notify(self, row: Delivery) -> None:
        """Queue notices that a board can't be sent.

        They are not repeated while boards still can't be sent.

        If a person accepts no direct messages, it goes to the parent channel of the game's thread.
        """
        if row.tries < STUCK_FROM or row.guild == NO_GUILD:
            return
        deliveries = self._store.deliveries
        game = (await self._game_cache.existing(row.event_key[0])).row
        last_revision = await deliveries.newest_announced(game.id, by=[BOARD])
        parent = await deliveries.opened_in(game.id)
        people = [user for user in (game.white, game.black) if user != game.machine]
        for hook in self._hooks:
            event = await hook.event_of(game)
            people += [] if event is None else [event.organizer]
        for person in dict.fromkeys(people):
            if is_team(person) or is_deleted_user(person):
                continue
            new = NewDelivery(
                kind=UNDELIVERED,
                key=f"{game.id}-{last_revision}-{person}",
                guild=game.guild,
                channel=parent or game.channel,
                game=game.id,
                player=person,
                route=DeliveryRoute.DM,
                data={"channel": game.channel},
            )
            with suppress(Conflict):
                await deliveries.add(new, at=self._now())
