"""Vacations in words."""

from datetime import date, timedelta
from typing import Final

from bot.base.formats import day_as_typed, duration, either
from bot.base.intervals import Interval
from bot.base.locales import Reader
from bot.connection.posts import Post, fit, instant
from bot.play.model.refusals.times import BadVacation, VacationProblem
from bot.play.use_cases.vacations import ALLOWANCE, Absence, Allowance

_DAY: Final = date(2026, 12, 24)
"""An example."""


def vacation_started(reader: Reader, absence: Absence) -> Post:
    """Return the word to somebody who has begun or planned a vacation."""
    return Post(
        content=fit(
            reader, [*_listed(reader, absence), _what_rests(reader), *_allowances(reader, absence)]
        )
    )


def vacation_ended(reader: Reader, vacation: Interval, absence: Absence) -> Post:
    """Return the word to somebody who has ended their vacation, or cancelled one.

    Args:
        reader: That person.
        vacation: As it was planned.
        absence: What is left.
    """
    if vacation.begins < absence.now:
        done = reader.gettext("Your vacation is over. Where it's your turn, your clock runs again.")
    else:
        done = reader.gettext("Your vacation from {begins} to {ends} is cancelled.").format(
            begins=instant(vacation.begins), ends=instant(vacation.ends)
        )
    return Post(
        content=fit(reader, [done, *_listed(reader, absence), *_allowances(reader, absence)])
    )


def vacations(reader: Reader, absence: Absence) -> Post:
    """List a player's vacations, and tell how much is left."""
    listed = _listed(reader, absence) or [reader.gettext("No vacation set or planned.")]
    return Post(content=fit(reader, [*listed, _what_rests(reader), *_allowances(reader, absence)]))


def bad_vacation(reader: Reader, error: BadVacation) -> str:
    """Say why a vacation cannot be, and which could."""
    match error.problem:
        case VacationProblem.LENGTH:
            return reader.gettext("A vacation lasts from 1 day to {limit}.").format(
                limit=duration(reader, error.limit)
            )
        case VacationProblem.UNREADABLE:
            examples = either(reader, [day_as_typed(reader, _DAY), _DAY.isoformat()])
            return reader.gettext("I don't understand that date. Try {examples}.").format(
                examples=examples
            )
        case VacationProblem.PAST:
            return reader.gettext("That date is past. Leave it empty to start now.")
        case VacationProblem.TOO_FAR:
            return reader.gettext("A vacation can start at most {limit} from now.").format(
                limit=duration(reader, error.limit)
            )
        case VacationProblem.OVERLAP if error.other is not None:
            return reader.gettext(
                "That overlaps with your vacation from {begins} to {ends}. /settings vacation end "
                "ends it."
            ).format(begins=instant(error.other.begins), ends=instant(error.other.ends))
        case _:
            return reader.gettext("That's more than you have: {left}").format(
                left=_allowance(reader, Allowance(error.year, error.limit))
            )


def no_vacation(reader: Reader) -> str:
    """Say why no vacation can be ended."""
    return reader.gettext("No vacation set or planned. Start one with /settings vacation start.")


def _listed(reader: Reader, absence: Absence) -> list[str]:
    return [
        (
            reader.gettext("You are on vacation until {ends} ({far}).")
            if one.begins <= absence.now
            else reader.gettext("You are on vacation from {begins} to {ends}.")
        ).format(
            begins=instant(one.begins), ends=instant(one.ends), far=instant(one.ends, relative=True)
        )
        for one in absence.vacations
    ]


def _what_rests(reader: Reader) -> str:
    return reader.gettext("All your clocks pause, in every server, except in live games.")


def _allowances(reader: Reader, absence: Absence) -> list[str]:
    return [_allowance(reader, one) for one in absence.allowances]


def _allowance(reader: Reader, one: Allowance) -> str:
    # Vacations are of whole days: the hours of one that was ended early make none.
    left = one.left // timedelta(days=1)
    return reader.ngettext(
        "{left} day left of {count} in {year}.", "{left} days left of {count} in {year}.", left
    ).format(year=one.year, left=left, count=ALLOWANCE // timedelta(days=1))
