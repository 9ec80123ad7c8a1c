"""Texts for the puzzle of the day: its message, its settings, and the table of a month."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from bot.base.formats import day_text, month_text, shortened_people
from bot.base.languages import Reader
from bot.connection.posts import (
    Button,
    ButtonStyle,
    Post,
    channel,
    join_within_limit,
    timestamp,
    user,
)
from bot.play.switches import Switch
from bot.play.words.pictures import picture
from bot.play.words.views import moves_text
from dvonn import Coordinates
from school.puzzles.dailies import DailyNews, DayResult
from school.puzzles.model import PUZZLES, DailySetting, MonthRow, PuzzleKey
from school.puzzles.store import take_back
from school.puzzles.words.puzzles import difficulty, solve_id, table_id, task

_HERE: Final = Coordinates.STANDARD
_SHOWN: Final = 5
"""Maximum number of moves to show of a solution. The rest only finishes the game."""
_LISTED: Final = 20


def daily_post(reader: Reader, news: DailyNews) -> Post:
    key = news.key
    title = reader.gettext("**Puzzle of the day** {day} · {difficulty}").format(
        day=_day(reader, key), difficulty=difficulty(reader, key.puzzle)
    )
    lines = [title, task(reader, key.puzzle)]
    if news.before is not None:
        lines += ["", *_result(reader, news.before)]
    return Post(
        content=join_within_limit(reader, lines),
        picture=picture(
            reader, f"daily-{key.day}.png", key.puzzle.position, reader.coordinates_or(_HERE)
        ),
        buttons=(
            Button(reader.gettext("Solve"), solve_id(key), ButtonStyle.PRIMARY),
            Button(reader.gettext("Standings"), table_id(key)),
        ),
    )


def daily_table(reader: Reader, day: date, rows: Sequence[MonthRow]) -> Post:
    month = month_text(reader, day)
    if not rows:
        nobody = reader.gettext("No results in {month} yet.")
        return Post(content=nobody.format(month=month))
    lines = [reader.gettext("**Puzzles of the day** in {month}").format(month=month)]
    for place, row in enumerate(rows[:_LISTED], start=1):
        line = reader.gettext("{place}. {player}: {solved} of {tries} solved")
        lines.append(
            line.format(place=place, player=user(row.player), solved=row.solved, tries=row.tries)
        )
    return Post(content=join_within_limit(reader, lines))


def daily_chosen(reader: Reader, setting: DailySetting | None, *, tells_how: bool = False) -> Post:
    """Return a server's settings for the puzzle of the day, as moderators see them.

    If there are none, `tells_how` adds how to choose them.
    """
    if setting is None:
        lines = [reader.gettext("No puzzle of the day here.")]
        if tells_how:
            lines.append(reader.gettext("Want one? Choose a channel with /setup puzzle."))
        return Post(content="\n".join(lines))
    sentence = reader.gettext(
        "I post a puzzle of the day in {channel} at {time} ({zone}). The next one: {moment}."
    )
    return Post(
        content=sentence.format(
            channel=channel(setting.channel),
            time=f"{setting.time.hour:%H:%M}",
            zone=setting.time.zone,
            moment=timestamp(setting.due_at),
        )
    )


def _result(reader: Reader, result: DayResult) -> list[str]:
    """Return the lines about the previous puzzle's solution and solvers."""
    first, *rest = result.key.puzzle.solution[:_SHOWN]
    moves = f"**{moves_text(reader, [first])}** {moves_text(reader, rest)}".strip()
    lines = [
        reader.gettext("The last puzzle, {day}: {moves}").format(
            day=_day(reader, result.key), moves=moves
        )
    ]
    solved = [user(answer.player) for answer in result.answers if answer.solved]
    tries = len(result.answers)
    if not tries:
        return lines
    if not solved:
        nobody = reader.ngettext(
            "Nobody solved it ({count} tried).", "Nobody solved it ({count} tried).", tries
        )
        return [*lines, nobody.format(count=tries)]
    by = reader.gettext("Solved by {players} ({solved} of {tries}).")
    lines.append(
        by.format(players=shortened_people(reader, solved), solved=len(solved), tries=tries)
    )
    return lines


def _day(reader: Reader, key: PuzzleKey) -> str:
    assert key.day is not None  # daily puzzles have a day # noqa: S101
    return day_text(reader, key.day)


PUZZLE_SWITCH: Final = Switch(
    of=PUZZLES,
    label=lambda reader: reader.gettext("Make puzzles of my games"),
    hint=lambda reader: reader.gettext("Without names, and only if the other player agrees"),
    turned_off=take_back,
)
