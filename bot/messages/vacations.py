"""Vacations in words."""

from bot.games.vacations import ALLOWANCE, Absence, Allowance
from bot.locales import gettext as _
from bot.messages.durations import duration, roughly
from bot.messages.posts import Post, fit, instant
from bot.model.clock import Interval
from bot.model.refusals import BadVacation, VacationProblem


def vacation_started(absence: Absence) -> Post:
    """The word to somebody who has begun or planned a vacation."""
    return Post(content=fit([*_listed(absence), _what_rests(), *_allowances(absence)]))


def vacation_ended(vacation: Interval, absence: Absence) -> Post:
    """The word to somebody who has ended his vacation, or cancelled one.

    Args:
        vacation: As it was planned.
        absence: What is left.
    """
    if vacation.begins < absence.now:
        done = _("Your vacation has ended. Where it is your turn, your clock runs again.")
    else:
        done = _("Your vacation from {begins} to {ends} is cancelled.").format(
            begins=instant(vacation.begins), ends=instant(vacation.ends)
        )
    return Post(content=fit([done, *_listed(absence), *_allowances(absence)]))


def vacations(absence: Absence) -> Post:
    """Somebody's vacations, and how much is left."""
    listed = _listed(absence) or [_("You are on no vacation, and none is planned.")]
    return Post(content=fit([*listed, _what_rests(), *_allowances(absence)]))


def bad_vacation(error: BadVacation) -> str:
    """Why a vacation cannot be, and what could."""
    match error.problem:
        case VacationProblem.LENGTH:
            return _("A vacation lasts from 1 day to {limit}.").format(limit=duration(error.limit))
        case VacationProblem.UNREADABLE:
            return _("I cannot read that date. Write year, month and day, as in 2026-12-24.")
        case VacationProblem.PAST:
            return _("That day is over. Leave the date out to begin now.")
        case VacationProblem.TOO_FAR:
            return _("A vacation can begin at most {limit} from now.").format(
                limit=duration(error.limit)
            )
        case VacationProblem.OVERLAP if error.other is not None:
            return _(
                "You have a vacation then already, from {begins} to {ends}. /vacation end ends it."
            ).format(begins=instant(error.other.begins), ends=instant(error.other.ends))
        case _:
            return _("That is more than you have: {left}").format(
                left=_allowance(Allowance(error.year, error.limit))
            )


def no_vacation() -> str:
    """Why no vacation can be ended."""
    return _("You are on no vacation, and none is planned. /vacation start begins one.")


def _listed(absence: Absence) -> list[str]:
    return [
        (
            _("You are on vacation until {ends} ({far}).")
            if one.begins <= absence.now
            else _("You are on vacation from {begins} to {ends}.")
        ).format(
            begins=instant(one.begins), ends=instant(one.ends), far=instant(one.ends, relative=True)
        )
        for one in absence.vacations
    ]


def _what_rests() -> str:
    return _(
        "On vacation your clock stands still wherever it is your turn, in every server. "
        "Live games are not paused."
    )


def _allowances(absence: Absence) -> list[str]:
    return [_allowance(one) for one in absence.allowances]


def _allowance(one: Allowance) -> str:
    return _("In {year} {left} of {all} are left.").format(
        year=one.year, left=roughly(one.left), all=duration(ALLOWANCE)
    )
