"""Tests that clocks can be typed in every language of the bot."""

import re
from itertools import pairwise

import pytest
from hypothesis import given

from bot.base.languages import Reader, languages, reader_for
from bot.base.time_words import ALL, read_duration
from bot.play.model import typed_clocks
from bot.play.model.clock import TimeControl, clock_text
from bot.play.model.refusals import BadClock
from bot.play.model.typed_clocks import PRESETS, read_time_control
from bot.play.words.clocks import clock_choices, control, preset_text
from tests.bot.play.test_time_control import clocks

SPOKEN = tuple(map(reader_for, languages()))


@pytest.mark.parametrize(
    ("text", "short"),
    [
        # Italian
        ("1 giorno a mossa", "1d+1d/1d"),
        ("un giorno per mossa", "1d+1d/1d"),
        ("un'ora a testa", "1h"),
        ("3 giorni + 1 giorno", "3d+1d/3d"),
        ("3 giorni e 12 ore più 1 giorno per mossa (massimo 5 giorni)", "84h+1d/5d"),
        ("2 settimane", "14d+14d/14d"),
        ("15 minuti + 10 secondi, dal vivo", "15m+10s"),
        # German
        ("1 Tag pro Zug", "1d+1d/1d"),
        ("ein Tag je Zug", "1d+1d/1d"),
        ("1 Tag/Zug", "1d+1d/1d"),
        ("je 15 Minuten", "15m"),
        ("3 Tage + 1 Tag", "3d+1d/3d"),
        ("10 Tage und 12 Std. plus 36 Stunden, höchstens 20 Tage", "252h+36h/20d"),
        ("240 Stunden + 36 Stunden bis zu 240 Std", "10d+36h/10d"),
        ("1T+1T", "1d+1d/1d"),
        # French
        ("1 jour par coup", "1d+1d/1d"),
        ("3 jours + 1 jour jusqu\N{RIGHT SINGLE QUOTATION MARK}à 5 jours", "3d+1d/5d"),
        ("une heure chacun pour toute la partie", "1h"),
        ("15\N{NO-BREAK SPACE}minutes en direct", "15m"),
        # Dutch
        ("1 dag per zet", "1d+1d/1d"),
        ("ieder 2 uur voor de hele partij", "2h"),
        ("3 dagen + 1 dag tot 4 dagen", "3d+1d/4d"),
        # Spanish
        ("1 día por jugada", "1d+1d/1d"),
        ("1 di\N{COMBINING ACUTE ACCENT}a por jugada", "1d+1d/1d"),
        ("3 dias + 12 horas máx. 4 días", "3d+12h/4d"),
        # Numbers in words
        ("two days per move", "2d+2d/2d"),
        ("dos días por jugada", "2d+2d/2d"),
        ("diez minutos + cinco segundos", "10m+5s"),
        ("sei ore a testa", "6h"),
        # Several at once
        ("3 Tage + 1 day per mossa", "3d+1d/3d"),
    ],
)
def test_a_clock_is_read_as_people_write_it(text: str, short: str) -> None:
    assert clock_text(read_time_control(text, None)) == short


@pytest.mark.parametrize(
    "text",
    ["Senza limiti di tempo", "ohne", "keine Bedenkzeit", "sans pendule", "geen klok", "sin reloj"],
)
def test_no_clock_is_read(text: str) -> None:
    assert read_time_control(text, None) is None


@pytest.mark.parametrize("text", ["3 Tagx", "3 mosse", "je", "pro Zug", "un", "1 Tag 2", "10 e 5"])
def test_invalid_clocks_are_refused(text: str) -> None:
    with pytest.raises(BadClock):
        read_time_control(text, None)


def test_no_word_means_two_things() -> None:
    for part in ("second", "minute", "hour", "day", "week"):
        others = {"second", "minute", "hour", "day", "week"} - {part}
        mine = {word for entry in ALL.values() for word in getattr(entry, part).split(", ")}
        for other in others:
            theirs = {word for entry in ALL.values() for word in getattr(entry, other).split(", ")}
            assert mine & theirs == set(), (part, other)
    numbers = [
        (word, number)
        for entry in ALL.values()
        for number, word in enumerate(entry.numbers.split(", "), start=2)
    ]
    assert len({word for word, _ in numbers}) == len(set(numbers))
    for item in ALL.values():
        assert numbers[-1][1] == len(item.numbers.split(", ")) + 1 == 10, "no number is left out"
        assert not set(item.none.split(", ")) & set(item.live.split(", "))


@pytest.mark.parametrize("speaks", SPOKEN, ids=lambda one: one.locale)
@given(clock=clocks())
def test_a_clocks_text_is_read_as_the_same_clock(speaks: Reader, clock: TimeControl) -> None:
    assert read_time_control(control(speaks, clock), None) == clock


@pytest.mark.parametrize("speaks", SPOKEN, ids=lambda one: one.locale)
def test_no_clock_and_suggested_clocks_can_be_typed(speaks: Reader) -> None:
    assert read_time_control(control(speaks, None), None) is None
    for preset in PRESETS:
        said = preset_text(speaks, preset)
        assert read_time_control(said, None) == read_time_control(preset, None), said
    for option, preset in zip(clock_choices(speaks, ""), PRESETS, strict=True):
        assert option.label.startswith(preset_text(speaks, preset))
        assert option.value == preset


@pytest.mark.parametrize("speaks", SPOKEN, ids=lambda one: one.locale)
def test_every_language_of_the_bot_has_its_words(speaks: Reader) -> None:
    assert speaks.formats.language in ALL


def test_a_german_reader_is_offered_german_clocks_and_finds_them_by_german_words() -> None:
    german = reader_for("de")
    labels = [choice.label for choice in clock_choices(german, "")]
    assert labels[0] == "1 Tag pro Zug"
    assert "240 Stunden + 36 Stunden: 10 Tage + 36 Stunden pro Zug (max. 10 Tage)" in labels
    assert [choice.value for choice in clock_choices(german, "7 tage")] == ["7 tage", "7d+0s"]
    assert [choice.value for choice in clock_choices(german, "7 days per")] == ["7 days per move"]


def test_longer_names_of_units_are_longer_lengths() -> None:
    for item in ALL.values():
        lengths = [
            read_duration(f"1 {unit.split(', ')[-1]}")
            for unit in (item.second, item.minute, item.hour, item.day, item.week)
        ]
        assert all(shorter < longer for shorter, longer in pairwise(lengths))


def test_the_patterns_stay_short_because_compiling_them_takes_time() -> None:
    """With each word's own end, 30,000 characters took a fifth of the startup time."""
    assert re.fullmatch(typed_clocks._CLOCK, "3 days + 1 day")
    assert sum(map(len, (typed_clocks._CLOCK, typed_clocks._PER_MOVE, typed_clocks._BARE))) < 9_000
