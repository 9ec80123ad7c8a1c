"""Examples of reminder texts."""

from dataclasses import replace

from bot.base.ids import ChannelId, MessageId
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.features.reminders.use_cases import REMINDER, Reminder
from bot.features.reminders.words import channel_reminder, digest, direct_reminder
from bot.play.model.game import Game
from tests.bot.play.example_texts import NOW, ExampleTexts, clocked, own_game
from tests.bot.replayed import ANN, BOB, play, started


def reminded(way: DeliveryRoute, game: Game | None = None) -> Reminder:
    game = play(started(), "d2")[0] if game is None else game
    row = Delivery(
        id=1,
        kind=REMINDER,
        guild=game.row.guild,
        channel=game.row.channel,
        game=game.row.id,
        player=BOB,
        route=way,
        tries=0,
        tried_at=NOW,
    )
    return Reminder(row, game, NOW, (ChannelId(2), MessageId(9)))


EXAMPLE_TEXTS: ExampleTexts = {
    "channel_reminder": lambda who: [
        *(
            channel_reminder(who, [reminded(way)] * count, 5)
            for way in (DeliveryRoute.CHANNEL, DeliveryRoute.INSTEAD)
            for count in (1, 2, 25)
        ),
        channel_reminder(
            who, [reminded(DeliveryRoute.CHANNEL, clocked(None, ANN, claimable=True))], 5
        ),
    ],
    "digest": lambda who: [
        digest(who, [replace(own_game(started()), deadline=deadline)] * count, BOB, 5)
        for deadline in (None, NOW)
        for count in (1, 2, 25)
    ],
    "direct_reminder": lambda who: [
        direct_reminder(who, [reminded(DeliveryRoute.DM)] * count, 5) for count in (1, 2, 25)
    ],
}
