"""Texts for refused settings."""

from collections.abc import Mapping
from typing import Final

from bot.base.errors import PlayError
from bot.base.languages import Reader
from bot.connection.posts import user
from bot.people import model
from bot.people.words.moments import moment_examples
from bot.people.words.stops import no_stop, too_many_stops
from bot.play.words.refusals import Words


def _bad_block(reader: Reader, error: model.BadBlock) -> str:
    match error.problem:
        case model.BlockProblem.YOURSELF:
            return reader.gettext("You can't block yourself.")
        case model.BlockProblem.BOT:
            return reader.gettext("Bots never challenge you, so there's nothing to block.")
        case model.BlockProblem.TOO_MANY:
            return reader.ngettext(
                "You've blocked {limit} player, and that's my limit. Unblock one first: "
                "/settings lists them.",
                "You've blocked {limit} players, and that's my limit. Unblock one first: "
                "/settings lists them.",
                error.limit,
            ).format(limit=error.limit)


REFUSALS: Final[Mapping[type[PlayError], Words]] = {
    model.CannotDelete: lambda reader, _: reader.gettext(
        "I couldn't end all your games, so nothing is deleted yet. Try again in a few minutes. "
        "Still no luck? Tell the people who run this bot."
    ),
    model.BadTime: lambda reader, _: reader.gettext(
        "I don't know that time. Write it like 22:00, 8:30 or 10 pm, and fill in both."
    ),
    model.BadMoment: lambda reader, _: reader.gettext(
        "I don't understand that date. Try {examples}."
    ).format(examples=moment_examples(reader)),
    model.BadLength: lambda reader, _: reader.gettext(
        "I didn't understand how long. Try 2 hours, 3 days, or 1 week."
    ),
    model.SameTime: lambda reader, _: reader.gettext(
        "Quiet hours can't begin and end at the same time. Want none? Leave the first field empty."
    ),
    model.BadBlock: _bad_block,
    model.NotBlockedHere: lambda reader, error: reader.gettext(
        "{player} isn't blocked here. /setup show lists who is."
    ).format(player=user(error.who)),
    model.NoStop: lambda reader, _: no_stop(reader),
    model.TooManyStops: lambda reader, _: too_many_stops(reader),
}
