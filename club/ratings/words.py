"""Short texts about ratings, shown with games."""

from collections.abc import Iterable

from bot.base.glicko import gain_text, rounded_rating
from bot.base.ids import NO_GUILD
from bot.base.languages import Reader
from bot.connection.posts import user
from bot.play.model.game import Game
from club.ratings import model


def rating_text(rating: float, *, is_settled: bool) -> str:
    """Return a rating in digits: "1512", or "1512?" until it is settled.

    >>> rating_text(1512.4, is_settled=True), rating_text(1512.4, is_settled=False)
    ('1512', '1512?')
    """
    return str(rounded_rating(rating)) if is_settled else f"{rounded_rating(rating)}?"


def unsettled(reader: Reader, are_settled: Iterable[bool]) -> list[str]:
    """Explain the question mark after a rating, if there is one."""
    if all(are_settled):
        return []
    return ["-# " + reader.gettext("? = I'm still finding your level.")]


def verdict_lines(reader: Reader, game: Game, verdict: model.Verdict) -> list[str]:
    """Return lines about the rating changes in the game's server, or about why there are none."""
    if isinstance(verdict, model.UnratedReason):
        return [_uncounted(reader, verdict)]
    server_changes = [change for change in verdict if change.guild != NO_GUILD]
    seats = (game.row.white, game.row.black)
    server_changes.sort(
        key=lambda change: seats.index(change.player) if change.player in seats else len(seats)
    )
    if not server_changes:
        return []
    changes = ", ".join(map(_change, server_changes))
    lines = [reader.gettext("Ratings: {changes}").format(changes=changes)]
    return [
        *lines,
        *unsettled(reader, (change.after.rating.is_settled for change in server_changes)),
    ]


def cannot_rate(reader: Reader, error: model.CannotRate) -> str:
    match error.problem:
        case model.RateProblem.TEAMS:
            return reader.gettext("Team games aren't rated.")
        case model.RateProblem.PLACE:
            return reader.gettext(
                "Games are rated only in servers that I'm in. Play this one unrated."
            )
        case model.RateProblem.START:
            return reader.gettext(
                "Against me, only games on an even board are rated. Choose that board, or "
                "play unrated."
            )
        case model.RateProblem.UNMEASURED:
            return reader.gettext(
                "I don't know my own strength yet, so games against me aren't rated."
            )


def _change(change: model.RatingChange) -> str:
    before, after = change.before.rating, change.after.rating
    text = rating_text(after.rating, is_settled=after.is_settled)
    return f"{user(change.player)} {text} ({gain_text(before.rating, after.rating)})"


def _uncounted(reader: Reader, reason: model.UnratedReason) -> str:
    match reason:
        case model.UnratedReason.TOO_SHORT:
            return reader.ngettext(
                "Too short to be rated: you each need {count} turn.",
                "Too short to be rated: you each need {count} turns.",
                model.LEAST_TURNS,
            ).format(count=model.LEAST_TURNS)
        case model.UnratedReason.TOO_MANY:
            return reader.ngettext(
                "Not rated: only {count} game a day counts between the same two.",
                "Not rated: only {count} games a day count between the same two.",
                model.MOST_A_DAY,
            ).format(count=model.MOST_A_DAY)
        case model.UnratedReason.RECENTLY_DELETED:
            return reader.gettext(
                "Not rated: one of you deleted their data today. From tomorrow on your games count "
                "again."
            )
        case model.UnratedReason.MACHINE:
            return reader.gettext("Not rated: I've been updated since this game began.")
