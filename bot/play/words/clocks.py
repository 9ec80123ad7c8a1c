"""Texts about clocks: time controls, and the clocks of a game."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from bot.base.formats import (
    amount,
    approximate_duration,
    day_as_typed,
    duration,
    or_list,
    with_explanation,
)
from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH, Reader
from bot.connection import posts
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.pauses import PauseReason
from bot.play.model.refusals import BadClock, BadVacation, ClockProblem, VacationProblem
from bot.play.model.terms import Defaults
from bot.play.model.typed_clocks import PRESETS, read_time_control, readings, typed_form
from bot.play.use_cases.clocks import ALLOWANCE, Allowance, Clocks, VacationSummary
from bot.play.use_cases.deadlines import PATIENCE
from bot.play.words.names import seat_name
from bot.play.words.views import board_button
from dvonn import Color


def control(reader: Reader, clock: TimeControl | None) -> str:
    """Return a time control as text: "1 day per move", "10 minutes + 5 seconds per move, live".

    `read_time_control` can parse the English text, without the weekends.
    """
    if clock is None:
        return reader.gettext("no clock")
    words = _amounts(reader, clock)
    if clock.is_live:
        return reader.gettext("{clock}, live").format(clock=words)
    if clock.weekends is None:
        return words
    return reader.gettext("{clock}; paused at weekends ({zone})").format(
        clock=words, zone=clock.weekends
    )


def _amounts(reader: Reader, clock: TimeControl) -> str:
    if clock.is_per_move:
        words = reader.gettext("{increment} per move")
    elif not clock.increment:
        words = (
            reader.gettext("{bank} each")
            if clock.is_live
            else reader.gettext("{bank} each for the whole game")
        )
    elif clock.cap is None:
        words = reader.gettext("{bank} + {increment} per move")
    else:
        words = reader.gettext("{bank} + {increment} per move (max {cap})")
    return words.format(
        bank=duration(reader, clock.bank),
        increment=duration(reader, clock.increment),
        cap="" if clock.cap is None else duration(reader, clock.cap),
    )


def clock_line(reader: Reader, clock: TimeControl | None) -> list[str]:
    if clock is None:
        return []
    return [with_explanation(reader, reader.gettext("Clock"), f"{control(reader, clock)}.")]


def pause_line(reader: Reader, game: Game, now: datetime) -> list[str]:
    """Return the line about the start or end of an agreed pause, or an empty list."""
    pause = game.pause
    if pause is None or not game.is_running or (pause.ends is not None and pause.ends <= now):
        return []
    if pause.ends is None:
        words = reader.gettext("⏸ Paused since {begins}, by agreement.")
        return [words.format(begins=posts.timestamp(pause.begins))]
    words = reader.gettext("⏸ No time runs until {ends} ({far}).")
    countdown = posts.timestamp(pause.ends, relative=True)
    return [words.format(ends=posts.timestamp(pause.ends), far=countdown)]


def passed_deadline_line(reader: Reader, game: Game) -> list[str]:
    """Return the line about the consequence of a missed deadline or inactivity, or an empty list.

    For a team, several votes in a row without voters end the game instead.
    """
    row, days = game.row, PATIENCE.days
    if row.clock is not None:
        return [flags_left(reader)]
    if row.vote is not None or (row.machine is not None and not row.claimable):
        return []
    if row.machine is not None:
        words = reader.ngettext(
            "{player} loses after {days} day without a move.",
            "{player} loses after {days} days without a move.",
            days,
        )
        return [words.format(player=posts.user(game.opponent(row.machine)), days=days)]
    words = (
        reader.ngettext(
            "After {days} day without a move, the other player can claim the win.",
            "After {days} days without a move, the other player can claim the win.",
            days,
        )
        if row.claimable
        else reader.ngettext(
            "After {days} day without a move, the game can be ended with no winner.",
            "After {days} days without a move, the game can be ended with no winner.",
            days,
        )
    )
    return [words.format(days=days)]


def flags_left(reader: Reader) -> str:
    return reader.gettext(
        "Out of time? That alone loses no game: the other player can claim the win, or keep "
        "waiting."
    )


def left_alone(reader: Reader, game: Game, absentee: UserId) -> str:
    waiting = game.opponent(absentee)
    sentence = (
        reader.gettext("{player}, you can keep waiting, claim the win, or end it without a result.")
        if game.may_claim(waiting)
        else reader.gettext("{player}, you can keep waiting, or end it without a result.")
    )
    return sentence.format(player=posts.user(waiting))


def confirm_claim(reader: Reader, game: Game, asker: UserId) -> posts.Post:
    words = why_gone(reader, game, game.opponent(asker)), reader.gettext("Claim the win?")
    return posts.Post(
        content=" ".join(words),
        buttons=(
            board_button(
                game, reader.gettext("Yes, claim it"), "claim-yes", posts.ButtonStyle.SUCCESS
            ),
            board_button(game, reader.gettext("Keep waiting"), "resign-no"),
        ),
    )


def why_gone(reader: Reader, game: Game, absentee: UserId) -> str:
    if game.clock is not None and not game.is_member_gone:
        return ran_out(reader, absentee)
    return (has_left_server if game.is_member_gone else has_not_moved)(reader, absentee)


def ran_out(reader: Reader, player: UserId) -> str:
    return reader.gettext("{player} ran out of time.").format(player=posts.user(player))


def has_left_server(reader: Reader, absentee: UserId) -> str:
    return reader.gettext("{player} has left this server.").format(player=posts.user(absentee))


def ended_left(reader: Reader, game: Game, absentee: UserId, actor: str) -> str:
    """Announce that a player ended a game without a result after the other player left it."""
    if game.is_member_gone:
        reason = has_left_server(reader, absentee)
    else:
        reason = (has_not_moved if game.clock is None else ran_out)(reader, absentee)
    return f"{reason} {reader.gettext('{player} ended this game.').format(player=actor)}"


def has_not_moved(reader: Reader, absentee: UserId) -> str:
    return reader.ngettext(
        "{player} hasn't moved for {days} day.",
        "{player} hasn't moved for {days} days.",
        PATIENCE.days,
    ).format(player=posts.user(absentee), days=PATIENCE.days)


def nobody_moved(reader: Reader) -> str:
    return reader.ngettext(
        "No move for {days} day.",
        "No move for {days} days.",
        PATIENCE.days,
    ).format(days=PATIENCE.days)


_DAY: Final = date(2026, 12, 24)
"""A date for examples."""


def vacations(reader: Reader, summary: VacationSummary) -> str:
    listed = _vacation_list(reader, summary)
    pause_text = reader.gettext("All your clocks pause, in every server, except in live games.")
    words = [*listed, *((pause_text,) if listed else ()), *_allowances(reader, summary)]
    return with_explanation(reader, f"**{reader.gettext('Vacation')}**", " ".join(words))


def bad_vacation(reader: Reader, error: BadVacation) -> str:
    match error.problem:
        case VacationProblem.LENGTH:
            return reader.gettext("A vacation lasts from 1 day to {limit}.").format(
                limit=duration(reader, error.limit)
            )
        case VacationProblem.UNREADABLE:
            examples = or_list(reader, [day_as_typed(reader, _DAY), _DAY.isoformat()])
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
                "You already have a vacation then, from {begins} to {ends}. End it first with "
                "*End vacation* in /settings."
            ).format(
                begins=posts.timestamp(error.other.begins), ends=posts.timestamp(error.other.ends)
            )
        case _:
            return reader.gettext("You don't have that many days: {left}").format(
                left=_allowance(reader, Allowance(error.year, error.limit))
            )


def no_vacation(reader: Reader) -> str:
    return reader.gettext("You have no vacation planned. *Vacation* in /settings starts one.")


def _vacation_list(reader: Reader, summary: VacationSummary) -> list[str]:
    return [
        (
            reader.gettext("You are on vacation until {ends} ({far}).")
            if vacation.begins <= summary.now
            else reader.gettext("You are on vacation from {begins} to {ends}.")
        ).format(
            begins=posts.timestamp(vacation.begins),
            ends=posts.timestamp(vacation.ends),
            far=posts.timestamp(vacation.ends, relative=True),
        )
        for vacation in summary.vacations
    ]


def _allowances(reader: Reader, summary: VacationSummary) -> list[str]:
    return [_allowance(reader, allowance) for allowance in summary.allowances]


def _allowance(reader: Reader, allowance: Allowance) -> str:
    # Vacations are whole days, so the remaining hours of one that ended early don't count.
    days = allowance.left // timedelta(days=1)
    return reader.ngettext(
        "{left} day left of {count} in {year}.", "{left} days left of {count} in {year}.", days
    ).format(year=allowance.year, left=days, count=ALLOWANCE // timedelta(days=1))


_MIN_SHOWN = timedelta(minutes=1)
_SECOND = timedelta(seconds=1)
_AMOUNT = re.compile(r"([0-9]+) (day|hour|minute)s?")
_PER_MOVE = " per move"


def clock_choices(
    reader: Reader, typed_text: str, defaults: Defaults | None = None
) -> tuple[posts.Option, ...]:
    """Return suggested clocks for half-typed text. If it is a clock itself, it comes first."""
    default_options = (
        () if defaults is None or typed_text.strip() else _default_option(reader, defaults)
    )
    return *default_options, *_choices(reader, typed_text)


def _default_option(reader: Reader, defaults: Defaults) -> tuple[posts.Option, ...]:
    if defaults.clock is None or defaults.clock.weekends is not None:
        return ()  # the bot's own default, or a clock that needs two options
    label = reader.gettext("{clock} (usual in this server)").format(
        clock=control(reader, defaults.clock)
    )
    return (posts.Option(label=label[: posts.OPTION_LIMIT], value=typed_form(defaults.clock)),)


def with_clocks(reader: Reader, post: posts.Post, game: Game, clocks: Clocks | None) -> posts.Post:
    content = f"{post.content}\n{_clocks(reader, game, clocks)}"
    return replace(post, content=content) if len(content) <= posts.CONTENT_LIMIT else post


def _clocks(reader: Reader, game: Game, clocks: Clocks | None) -> str:
    if clocks is None:
        return " ".join(_without_clock(reader, game))
    lines = [
        *clock_line(reader, game.row.clock),
        *(_time_left_text(reader, game, color, clocks) for color in Color),
        _clock_state_line(reader, game, clocks),
    ]
    if clocks.outage >= _MIN_SHOWN:
        lines.append(
            reader.gettext("I was offline for {outage}. That time doesn't count.").format(
                outage=approximate_duration(reader, clocks.outage)
            )
        )
    if clocks.unsent >= _MIN_SHOWN and clocks.pause_reason is not PauseReason.UNSENT:
        lines.append(
            reader.gettext("The board came {late} late. That time doesn't count.").format(
                late=approximate_duration(reader, clocks.unsent)
            )
        )
    return "\n".join(lines)


def _without_clock(reader: Reader, game: Game) -> Iterator[str]:
    yield reader.gettext("No clock in this game.")
    yield from passed_deadline_line(reader, game)


def _time_left_text(reader: Reader, game: Game, color: Color, clocks: Clocks) -> str:
    time_left = clocks.time_left(color)
    words = approximate_duration(reader, time_left) if time_left >= _SECOND else "0:00"
    sentence = reader.gettext("{player} has {left} left.")
    return sentence.format(player=seat_name(game, color), left=words)


def _clock_state_line(reader: Reader, game: Game, clocks: Clocks) -> str:
    if game.has_no_deadline:
        return why_gone(reader, game, game.player(clocks.turn))
    match clocks.pause_reason:
        case PauseReason.UNSENT:
            return reader.gettext("I couldn't post the board yet, so no time runs.")
        case PauseReason.AGREED if game.is_paused:
            return " ".join(pause_line(reader, game, clocks.deadline))
        case PauseReason.AGREED:
            words = reader.gettext("The game is paused until {until}, by agreement.")
        case PauseReason.STOPPED:
            words = reader.gettext("All clocks here are paused until {until}.")
        case PauseReason.VACATION:
            words = reader.gettext("{player} is on vacation until {until}.")
        case PauseReason.WEEKEND:
            words = reader.gettext("It's the weekend: {player}'s clock rests until {until}.")
        case _:
            words = ""
    time_left = reader.gettext("{player} has until {deadline}.")
    if words:
        after = reader.gettext("After that {player} has until {deadline}.")
        time_left = f"{words} {after}"
    countdown = posts.timestamp(clocks.deadline, relative=True)
    return time_left.format(
        player=seat_name(game, clocks.turn),
        until=posts.timestamp(clocks.deadline if clocks.pause is None else clocks.pause.ends),
        deadline=f"{posts.timestamp(clocks.deadline)} ({countdown})",
    )


def _choices(reader: Reader, typed_text: str) -> Iterator[posts.Option]:
    text, understood = typed_text.strip(), None
    if text and text not in PRESETS:
        try:
            understood, *alternatives = readings(text)
        except BadClock:
            pass  # the command itself explains the reason
        else:
            yield posts.Option(
                label=_label(reader, text, control(reader, understood)),
                value=text[: posts.OPTION_LIMIT],
            )
            for alternative in alternatives:
                yield posts.Option(
                    label=control(reader, alternative), value=typed_form(alternative)
                )
    for preset in PRESETS:
        words, clock = preset_text(reader, preset), read_time_control(preset, None)
        is_like = text.casefold() in preset or text.casefold() in words.casefold()
        if is_like and (understood is None or clock != understood):
            yield posts.Option(label=_label(reader, words, control(reader, clock)), value=preset)


def preset_text(reader: Reader, preset: str) -> str:
    """Return one of the `PRESETS` in words that can be typed in the reader's language."""
    if preset == "none" and reader.formats.language != IN_ENGLISH.formats.language:
        return reader.gettext("no clock")
    words = _AMOUNT.sub(lambda match: amount(reader, int(match[1]), match[2]), preset)
    if words == (increment := words.removesuffix(_PER_MOVE)):
        return words
    return reader.gettext("{increment} per move").format(increment=increment)


def _label(reader: Reader, text: str, meaning: str) -> str:
    if text == meaning:
        return text
    return with_explanation(reader, text, meaning)[: posts.OPTION_LIMIT]


def bad_clock(reader: Reader, error: BadClock) -> str:
    limit = "" if error.limit is None else duration(reader, error.limit)
    match error.problem:
        case ClockProblem.UNREADABLE:
            sentence = reader.gettext(
                "I don't know that clock. Try 1 day per move, 10+5, 15 minutes, or none."
            )
        case ClockProblem.BANK_TOO_SHORT:
            sentence = reader.gettext("That's too short. Each player needs at least {limit}.")
        case ClockProblem.BANK_TOO_LONG:
            sentence = reader.gettext("That's too long. You can start with {limit} at most.")
        case ClockProblem.INCREMENT_TOO_LONG:
            sentence = reader.gettext("Each move can add {limit} at most.")
        case ClockProblem.CAP_BELOW_BANK:
            sentence = reader.gettext("The maximum can't be below the start time, {limit}.")
        case ClockProblem.CAP_TOO_LONG:
            sentence = reader.gettext("The maximum can be at most {limit}.")
        case ClockProblem.LIVE_INCREMENT:
            sentence = reader.gettext("Each move can add {limit} at most.")
        case ClockProblem.LIVE_WEEKENDS:
            sentence = reader.gettext(
                "Live games don't pause at weekends. Choose a longer clock, from {limit} on."
            )
        case ClockProblem.WEEKENDS_WITHOUT_CLOCK:
            sentence = reader.gettext(
                "Without a clock there's nothing to pause. Try 1 day per move."
            )
    return sentence.format(limit=limit)
