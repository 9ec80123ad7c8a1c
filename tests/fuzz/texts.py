"""Feed random and mutated texts to every parser: only its own errors may come back.

    python -m tests.fuzz.texts [--count 1000000] [--seed 1]

Parsed results are checked, too: they are the same after writing and parsing them again, and an
accepted move is legal. Each refusal's text must fit in a message. The slowest text of each parser
is printed. A text that keeps the processor busy for longer than the event loop may be blocked is a
fault. The short form counts calls instead: see `tests.e2e.loop_steps.Calls`.
"""

import sys
import time
import traceback
import unicodedata
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from bot.base.errors import PlayError
from bot.base.languages import IN_ENGLISH, read_languages
from bot.base.spelling import (
    BotNames,
    Meaning,
    bare,
    looks_like_a_move,
    meaning,
    move_among_courtesies,
    moves_among_words,
)
from bot.base.zones import read_zone
from bot.composition import refusal as refusal_post
from bot.features.talk.model import request_in
from bot.features.talk.small_talk import small_talk_in
from bot.people.use_cases.choices import read_time
from bot.play.model.clock import TimeControl, clock_text
from bot.play.model.refusals import IllegalPlay, UnreadableMove
from bot.play.model.typed import narrow, read_plan, read_typed
from bot.play.model.typed_clocks import PRESETS, read_time_control
from bot.replay.model import pasted
from dvonn import (
    POINTS,
    Coordinates,
    DiagramError,
    GameRecord,
    IllegalMoveError,
    NotationError,
    Phase,
    Position,
    PositionTextError,
    RecordError,
    format_move,
    from_diagram,
    parse_move,
    parse_moves,
    parse_point,
    position_from_text,
    position_to_text,
    to_diagram,
)
from dvonn.formats import FORMATS, read_records, write_records
from dvonn_lessons.printed import printed_position
from tests.e2e.loop_steps import LONGEST_S, collected_as_in_the_bot
from tests.fuzz.asked import parse_arguments
from tests.fuzz.mutations import mutated, random_text
from tests.games import positions_of, random_game

_MESSAGE = 2_000
_STRANGE = set("@`[\u202e")
"""Characters of typed text that must never be repeated in an answer."""
_GAMES = 6
_CHOICES = 4
"""Number of random choices with which a slow text is read again."""
_BOT = 1


@dataclass
class Reader:
    """Something that reads texts.

    Attributes:
        name: The displayed name.
        read: Parses one text, and checks the result.
        refuses: The errors that it may raise.
        seeds: Valid and nearly valid texts.
        share: Relative weight.
        most: Cost of the slowest text, in seconds or calls.
    """

    name: str
    read: Callable[[Random, str], object]
    refuses: tuple[type[Exception], ...]
    seeds: list[str]
    share: int
    most: float = 0.0
    slowest: str = ""
    outcomes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Fault:
    """A text that was not read as it should be."""

    reader: str
    text: str
    trace: str


def _readers() -> list[Reader]:
    lines = [random_game(number) for number in range(_GAMES)]
    positions = [position for line in lines for position in positions_of(line)]
    moves = [str(move) for line in lines for move in line]
    lists = [" ".join(moves[n : n + 5]) for n in range(0, len(moves), 7)]
    lists += ["d2, e3; f4 else next free", "a1 b1 or else next", "d2 to d4", "pass", "d2→d4"]
    records = [GameRecord(tuple(line)).to_text() for line in lines]
    games = [GameRecord(tuple(line), {"White": "Ann"}) for line in lines]
    files = [item.write(games[n : n + 2]) for item in FORMATS.values() for n in (0, 2)]
    codes = [position_to_text(position) for position in positions[:: len(positions) // 40]]
    diagrams = [to_diagram(position) for position in positions[:: len(positions) // 40]]
    printed = [
        to_diagram(position, legend=False) for position in positions[:: len(positions) // 40]
    ]
    printed += ["a1 B6, b1 W3+1, b2 R, c1 W; White to move", "a1: WB\nb1=R\nBlack to move"]
    wrapped = [f"Look:\n```pgn\n{text}```\nnice?" for text in files] + [
        f"||{text}||" for text in printed
    ]
    clocks = [*PRESETS, "2 hours 30 min + 1 h each move up to 3 h", "1 week / max 2 weeks", "off"]
    zones = ["Europe/Berlin", "america/new york", "UTC", "Berlin", "Asia/Kolkatta"]
    calls = [f"<@{_BOT}> {moves[0]}", f"<@!{_BOT}>, hello", f"{moves[1]} <@{_BOT}>"]
    company = [f"{moves[0]} please", f"**{moves[60]}**, thanks! :)", f"I think {moves[70]} wins"]
    times = ["22:00", "7", "7:30 am", "noon", "12 pm", "23.15", "0700"]

    def a_position(rng: Random) -> Position:
        return rng.choice(positions)

    def entry(rng: Random, text: str) -> object:
        position, system = a_position(rng), rng.choice(list(Coordinates))
        if position.phase is Phase.OVER:
            position = Position.initial()
        try:
            found = read_typed(text, system, position)
        except (NotationError, IllegalMoveError, PlayError) as error:
            return _refused(error, position, system)
        assert found.moves
        for move in found.moves:
            position = position.play(move)
        return found

    def among(rng: Random, text: str) -> object:
        position, system = a_position(rng), rng.choice(list(Coordinates))
        held = moves_among_words(text, position, system)
        assert set(held) <= set(position.legal_moves())
        move = move_among_courtesies(text, system)
        if move is not None:
            assert parse_move(bare(text), system) == move
        return held

    def plan(rng: Random, text: str) -> object:
        position, system = a_position(rng), rng.choice(list(Coordinates))
        try:
            found = read_plan(text, system, position)
        except (NotationError, IllegalMoveError, PlayError) as error:
            return _refused(error, position, system)
        assert len(set(found.spaces)) == len(found.spaces) <= len(POINTS)
        return found

    return [
        Reader("parse_move", _move, (NotationError,), moves, 20),
        Reader("parse_moves", _moves, (NotationError,), lists, 15),
        Reader("parse_point", _point, (NotationError,), moves, 10),
        Reader("record", _record, (RecordError,), records, 2),
        Reader("files", _files, (RecordError,), files, 2),
        Reader("one line", _one_line, (PositionTextError,), codes, 5),
        Reader("diagram", _diagram, (DiagramError,), diagrams, 5),
        Reader("printed", _printed, (DiagramError,), [*printed, *codes, *diagrams], 5),
        Reader("pasted", _pasted, (_Refused,), [*wrapped, *lists, *codes, *diagrams], 3),
        Reader("read_typed", entry, (_Refused,), moves + lists + company, 25),
        Reader("among words", among, (), moves + company, 10),
        Reader("small talk", lambda _, text: small_talk_in(text), (), ["thanks!", "stop"], 2),
        Reader("wish", lambda _, text: request_in(text), (), ["help", "Resign!", "let's play"], 2),
        Reader("read_plan", plan, (_Refused,), lists, 10),
        Reader("clock", _clock, (PlayError,), clocks, 10),
        Reader("zone", lambda _, text: read_zone(text), (PlayError,), zones, 1),
        Reader("time", lambda _, text: read_time(text), (PlayError,), times, 5),
        Reader("attempt", _attempt, (), moves + lists + calls, 20),
        Reader("half typed", _half_typed, (), moves, 5),
    ]


class _Refused(Exception):  # noqa: N818 - it is what a player reads, in its place
    """Refused, with words that fit."""


def _refused(error: Exception, position: Position, coordinates: Coordinates) -> object:
    """Check the text of a refusal.

    Raises:
        _Refused: they are fine.
    """
    if isinstance(error, NotationError):
        refusal: PlayError = UnreadableMove(error, position, coordinates)
    elif isinstance(error, IllegalMoveError):
        refusal = IllegalPlay(error, coordinates)
    else:
        assert isinstance(error, PlayError)
        refusal = error
    words = refusal_post(IN_ENGLISH, refusal)
    assert 0 < len(words) <= _MESSAGE, words
    assert not _STRANGE & set(words), words
    raise _Refused from error


def _move(rng: Random, text: str) -> object:
    system = rng.choice(list(Coordinates))
    move = parse_move(text, system)
    assert parse_move(format_move(move, system), system) == move
    return move


def _moves(rng: Random, text: str) -> object:
    system = rng.choice(list(Coordinates))
    found = parse_moves(text, system)
    assert parse_moves(" ".join(format_move(move, system) for move in found), system) == found
    return found


def _point(rng: Random, text: str) -> object:
    system = rng.choice(list(Coordinates))
    point = parse_point(text, system)
    assert parse_point(system.label(point), system) == point
    return point


def _record(_: Random, text: str) -> object:
    record = GameRecord.from_text(text)
    again = GameRecord.from_text(record.to_text())
    assert again.moves == record.moves
    assert again.to_text() == record.to_text()
    return record


def _files(rng: Random, text: str) -> object:
    records = read_records(text)
    kept = [record for record in records if record.start == Position.initial()]
    again = read_records(write_records(kept, rng.choice([*FORMATS]))) if kept else ()
    assert [item.moves[:48] for item in again] == [item.moves[:48] for item in kept]
    return records


def _one_line(_: Random, text: str) -> object:
    position = position_from_text(text)
    assert position_to_text(position) == text.strip()
    return position


def _diagram(_: Random, text: str) -> object:
    position = from_diagram(text)
    assert from_diagram(to_diagram(position)).stacks == position.stacks
    return position


def _printed(rng: Random, text: str) -> object:
    found = printed_position(text, rng.choice(list(Coordinates)))
    again = printed_position(position_to_text(found.position, found.assumed))
    assert again.position.legal_moves() == found.position.legal_moves()
    assert again.assumed == found.assumed
    return found


def _pasted(rng: Random, text: str) -> object:
    """Read a text or a file, as `/show` does. The message keeps what was read."""
    encoding = rng.choice((None, None, "utf-8", "utf-16", "cp1252"))
    given = text if encoding is None else text.encode(encoding, "replace")
    try:
        course = pasted.read(given, rng.choice(list(Coordinates)))
    except PlayError as error:
        words = refusal_post(IN_ENGLISH, error)
        assert 0 < len(words) <= _MESSAGE, words
        assert words.isprintable(), words  # the quoted part is in backticks, and pings nobody
        assert words.count("`") in {0, 2}, words
        raise _Refused from error
    assert pasted.read(pasted.to_storage_text(course)).positions() == course.positions()
    return course


def _clock(rng: Random, text: str) -> object:
    control = read_time_control(text, rng.choice((None, None, "Europe/Berlin")))
    assert TimeControl.from_text(clock_text(control)) == control
    return control


def _attempt(_: Random, text: str) -> object:
    meant, said = meaning(text, BotNames(_BOT))
    assert looks_like_a_move(text) <= (meant is Meaning.MOVE)
    assert len(said) <= len(unicodedata.normalize("NFC", text))
    return meant


def _half_typed(rng: Random, text: str) -> object:
    position, system = Position.initial(), rng.choice(list(Coordinates))
    return narrow(text, position.legal_moves(), system)


def fuzz(
    count: int, seed: int, spent: Callable[[], float] = time.thread_time
) -> tuple[list[Reader], list[Fault]]:
    """Try `count` texts. Return the readers, with their outcomes, and the faults.

    Args:
        count: Number of texts.
        seed: Random seed.
        spent: Returns the cost so far, to find the slowest text.
    """
    rng = Random(seed)
    read_languages()  # as the bot has, before anybody types
    readers, faults = _readers(), list[Fault]()
    with collected_as_in_the_bot():  # else its rounds count as slow texts
        _try(rng, readers, faults, count, spent)
    return readers, faults


def _try(
    rng: Random,
    readers: list[Reader],
    faults: list[Fault],
    count: int,
    spent: Callable[[], float],
) -> None:
    everything = [text for reader in readers for text in reader.seeds]
    for reader in rng.choices(readers, [reader.share for reader in readers], k=count):
        if rng.random() < 0.1:
            text = random_text(rng)
        else:
            own = reader.seeds if rng.random() < 0.9 else everything
            text = mutated(rng, rng.choice(own), everything)
        began = spent()
        try:
            reader.read(rng, text)
        except reader.refuses as error:
            outcome = type(error).__name__
        except Exception:
            outcome = "FAULT"
            faults.append(Fault(reader.name, text, traceback.format_exc()))
        else:
            outcome = "read"
        reader.outcomes[outcome] += 1
        took = spent() - began
        if took > LONGEST_S:  # a busy machine may be slow once, but not with the same text again
            took = min(took, *(_repeated(reader, text, spent) for _ in range(2)))
        if took > reader.most:
            reader.most, reader.slowest = took, text


def _repeated(reader: Reader, text: str, spent: Callable[[], float]) -> float:
    """Return the processor time of reading a text again, at most, in seconds."""
    longest = 0.0
    for seed in range(_CHOICES):
        began = spent()
        with suppress(Exception):  # it was counted the first time
            reader.read(Random(seed), text)
        longest = max(longest, spent() - began)
    return longest


def main() -> int:
    """Run, and print the result."""
    options = parse_arguments(__doc__, count=1_000_000)
    began = time.monotonic()
    readers, faults = fuzz(options.count, options.seed)
    write = sys.stdout.write
    for reader in readers:
        outcomes = ", ".join(f"{name} {n}" for name, n in sorted(reader.outcomes.items()))
        write(f"{reader.name:<12} slowest {reader.most * 1000:5.1f} ms   {outcomes}\n")
    for fault in faults[:10]:
        write(f"\n{fault.reader} {fault.text!r}\n{fault.trace}")
    slow = [reader for reader in readers if reader.most > LONGEST_S]
    for reader in slow:
        write(f"\n{reader.name} is slow on {reader.slowest!r}\n")
    write(
        f"{options.count} texts, seed {options.seed}: {len(faults)} faults, {len(slow)} slow, "
        f"{time.monotonic() - began:.0f} s\n"
    )
    return 1 if faults or slow else 0


if __name__ == "__main__":
    sys.exit(main())
