"""Clocks in words: what a challenger can choose, and how the clocks of a game stand."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from bot.base.formats import amount, duration, explained, roughly
from bot.base.locales import IN_ENGLISH, Reader
from bot.connection.posts import CONTENT_LIMIT, OPTION_LIMIT, Option, Post, instant, user
from bot.play.model.clock import clock_text
from bot.play.model.game import Game
from bot.play.model.refusals.times import BadClock, ClockProblem
from bot.play.model.terms import Defaults
from bot.play.model.time_control import PRESETS, read_time_control
from bot.play.use_cases.clocks import Clocks, Rest
from bot.play.words.durations import clock_line, control
from bot.play.words.lying import lies_line
from dvonn import Color

_WORTH_TELLING = timedelta(minutes=1)
_SECOND = timedelta(seconds=1)
_AMOUNT = re.compile(r"([0-9]+) (day|hour|minute)s?")
_PER_MOVE = " per move"


def clock_choices(
    reader: Reader, typed: str, defaults: Defaults | None = None
) -> tuple[Option, ...]:
    """Return suggested clocks for a half-typed one; the typed one first, if readable.

    Args:
        reader: Whoever types.
        typed: What stands there so far.
        defaults: What is usual in the server; that clock comes first while nothing is typed.
    """
    usual = () if defaults is None or typed.strip() else _usual(reader, defaults)
    return *usual, *_choices(reader, typed)


def _usual(reader: Reader, defaults: Defaults) -> tuple[Option, ...]:
    """Return the clock that a game has in this server where nobody says otherwise."""
    if defaults.clock is None or defaults.clock.weekends is not None:
        return ()  # the bot's own default, or one that takes two options to say
    label = reader.gettext("{clock} (usual in this server)").format(
        clock=control(reader, defaults.clock)
    )
    return (Option(label=label[:OPTION_LIMIT], value=clock_text(defaults.clock)),)


def with_clocks(reader: Reader, post: Post, game: Game, standing: Clocks | None) -> Post:
    """Return a board, and below it how both clocks of its game stand."""
    content = f"{post.content}\n{_clocks(reader, game, standing)}"
    return replace(post, content=content) if len(content) <= CONTENT_LIMIT else post


def _clocks(reader: Reader, game: Game, standing: Clocks | None) -> str:
    if standing is None:
        return " ".join(_without_clock(reader, game))
    lines = [
        *clock_line(reader, game.row.clock),
        *(_left(reader, game, color, standing) for color in Color),
        _runs(reader, game, standing),
    ]
    if standing.outage >= _WORTH_TELLING:
        lines.append(
            reader.gettext("I was offline for {outage}; that time isn't counted.").format(
                outage=roughly(reader, standing.outage)
            )
        )
    return "\n".join(lines)


def _without_clock(reader: Reader, game: Game) -> Iterator[str]:
    yield reader.gettext("No clock in this game.")
    yield from lies_line(reader, game)


def _left(reader: Reader, game: Game, color: Color, standing: Clocks) -> str:
    sentence = (
        reader.gettext("{player} (White) has {left} left.")
        if color is Color.WHITE
        else reader.gettext("{player} (Black) has {left} left.")
    )
    left = standing.left(color)
    words = roughly(reader, left) if left >= _SECOND else reader.gettext("0:00")
    return sentence.format(player=user(game.player(color)), left=words)


def _runs(reader: Reader, game: Game, standing: Clocks) -> str:
    """Tell which clock runs and until when, or why it rests."""
    match standing.rest:
        case Rest.VACATION:
            words = reader.gettext(
                "{player}'s clock is paused (vacation) until {until}, then runs to {deadline}."
            )
        case Rest.WEEKEND:
            words = reader.gettext(
                "{player}'s clock is paused (weekend) until {until}, then runs to {deadline}."
            )
        case _:
            words = reader.gettext("{player}'s clock is running, until {deadline} ({far}).")
    return words.format(
        player=user(game.player(standing.turn)),
        until=instant(standing.rests_until or standing.deadline),
        deadline=instant(standing.deadline),
        far=instant(standing.deadline, relative=True),
    )


def _choices(reader: Reader, typed: str) -> Iterator[Option]:
    text = typed.strip()
    if text and text not in PRESETS:
        try:
            chosen = read_time_control(text, None)
        except BadClock:
            pass  # the command itself says why
        else:
            yield Option(
                label=_label(reader, text, control(reader, chosen)), value=text[:OPTION_LIMIT]
            )
    for preset in PRESETS:
        said = preset_text(reader, preset)
        if text.casefold() in preset or text.casefold() in said.casefold():
            yield Option(
                label=_label(reader, said, control(reader, read_time_control(preset, None))),
                value=preset,
            )


def preset_text(reader: Reader, preset: str) -> str:
    """Write a clock of `PRESETS` as it is suggested: in words that can be typed in the language."""
    if preset == "none" and reader.formats.language != IN_ENGLISH.formats.language:
        return reader.gettext("no clock")
    words = _AMOUNT.sub(lambda found: amount(reader, int(found[1]), found[2]), preset)
    if words == (each := words.removesuffix(_PER_MOVE)):
        return words
    return reader.gettext("{increment} per move").format(increment=each)


def _label(reader: Reader, text: str, meaning: str) -> str:
    if text == meaning:
        return text
    return explained(reader, text, meaning)[:OPTION_LIMIT]


def bad_clock(reader: Reader, error: BadClock) -> str:
    """Say why there can be no such clock, and which ones there can be."""
    limit = "" if error.limit is None else duration(reader, error.limit)
    match error.problem:
        case ClockProblem.UNREADABLE:
            sentence = reader.gettext(
                "I didn't understand that clock. Try 1 day per move, 3 days + 1 day, 10+5, "
                "15 minutes, or none."
            )
        case ClockProblem.BANK_TOO_SHORT:
            sentence = reader.gettext("Each player needs at least {limit}.")
        case ClockProblem.BANK_TOO_LONG:
            sentence = reader.gettext("A clock begins with at most {limit}.")
        case ClockProblem.INCREMENT_TOO_LONG:
            sentence = reader.gettext("A move can add at most {limit}.")
        case ClockProblem.CAP_BELOW_BANK:
            sentence = reader.gettext("The maximum can't be below the start time, {limit}.")
        case ClockProblem.CAP_TOO_LONG:
            sentence = reader.gettext("The maximum can be at most {limit}.")
        case ClockProblem.LIVE_INCREMENT:
            sentence = reader.gettext(
                "In a live game, a move can add at most what you start with: {limit}."
            )
        case ClockProblem.LIVE_WEEKENDS:
            sentence = reader.gettext(
                "Weekend pause needs a clock of {limit} or more; shorter games are live."
            )
        case ClockProblem.WEEKENDS_WITHOUT_CLOCK:
            sentence = reader.gettext("Weekend pause needs a clock, such as 1 day per move.")
    return sentence.format(limit=limit)
