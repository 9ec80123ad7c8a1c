"""Tests for moments as people type them, in any language of the bot."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.base import time_words
from bot.base.day_words import possible_days
from bot.base.formats import day_as_typed, time_until_text
from bot.base.languages import IN_ENGLISH, Reader, languages, reader_for
from bot.composition import refusal
from bot.connection.posts import Option
from bot.people.model import BadLength, BadMoment
from bot.people.use_cases.moments import LONGEST_TEXT, read_length, read_moment
from bot.people.words.moments import moment_choices, moment_examples

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 23, 18, 0, tzinfo=UTC)
"""A Monday, seven in the evening in Berlin."""
EXAMPLES = (
    "I don't understand that date. Try in 2 hours, tomorrow 18:00, Saturday 18:00, "
    "or 2026-12-24 18:00."
)
SPOKEN = tuple(map(reader_for, languages()))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "in 3 days"),
        ("de", "in 3 Tagen"),
        ("es", "dentro de 3 días"),
        ("fr", "dans 3 jours"),
        ("it", "tra 3 giorni"),
        ("nl", "over 3 dagen"),
    ],
)
def test_the_time_until_an_event_is_in_natural_language(language: str, words: str) -> None:
    assert time_until_text(reader_for(language), 3, "day") == words
    assert read_moment(words, now=NOW, zone="UTC") == NOW + timedelta(days=3)
    assert "72" in time_until_text(reader_for(language), 72, "hour"), "as it was typed"


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("tomorrow", "2026-11-24 18:00"),
        ("Tomorrow 8pm", "2026-11-24 20:00"),
        ("8pm tomorrow", "2026-11-24 20:00"),
        ("tomorrow at 8 pm", "2026-11-24 20:00"),
        ("the day after tomorrow", "2026-11-25 18:00"),
        ("today 23:00", "2026-11-23 23:00"),
        ("tonight at 9pm", "2026-11-23 21:00"),
        ("in 2 days", "2026-11-25 19:00"),
        ("saturday 18:00", "2026-11-28 18:00"),
        ("on Sat, 6pm", "2026-11-28 18:00"),
        ("monday 21:00", "2026-11-23 21:00"),  # later today
        ("monday 18:00", "2026-11-30 18:00"),  # earlier today
        ("24 December 18:00", "2026-12-24 18:00"),
        ("on the 24th of December at 6 pm", "2026-12-24 18:00"),
        ("Dec 24 18:00", "2026-12-24 18:00"),
        ("Thursday, 24 December", "2026-12-24 18:00"),
        ("Mar 24, 2027", "2027-03-24 18:00"),  # in other languages "mar" is a Tuesday
        ("mar 20:00", "2026-11-24 20:00"),
        ("1 Feb", "2027-02-01 18:00"),
        ("2026-12-24", "2026-12-24 18:00"),
        ("2026-12-24T20:00", "2026-12-24 20:00"),
        ("morgen um 20 Uhr", "2026-11-24 20:00"),
        ("übermorgen 20:00", "2026-11-25 20:00"),
        ("am Samstag um 20 Uhr", "2026-11-28 20:00"),
        ("Di 20:00", "2026-11-24 20:00"),
        ("heute Abend 21 Uhr", "2026-11-23 21:00"),
        ("am 24. Dezember um 18 Uhr", "2026-12-24 18:00"),
        ("24.12. 18:00", "2026-12-24 18:00"),
        ("24.12.2027 18:00", "2027-12-24 18:00"),
        ("domani alle 20", "2026-11-24 20:00"),
        ("dopodomani alle ore 21", "2026-11-25 21:00"),
        ("sabato 18:00", "2026-11-28 18:00"),
        ("demain à 18h30", "2026-11-24 18:30"),
        ("apres-demain", "2026-11-25 18:00"),
        ("samedi 20h", "2026-11-28 20:00"),
        ("le 24 decembre a 18h", "2026-12-24 18:00"),
        ("overmorgen om 20 uur", "2026-11-25 20:00"),
        ("op zaterdag 20:00", "2026-11-28 20:00"),
        ("mañana a las 20:00", "2026-11-24 20:00"),
        ("pasado manana 20:00", "2026-11-25 20:00"),
        ("el sabado a las 20:00", "2026-11-28 20:00"),
        ("24 de diciembre 20:00", "2026-12-24 20:00"),
        # Evening and morning
        ("tomorrow evening at 8", "2026-11-24 20:00"),
        ("tonight at 9", "2026-11-23 21:00"),
        ("Saturday morning 10", "2026-11-28 10:00"),
        ("stasera alle 9", "2026-11-23 21:00"),
        ("domani sera alle 21", "2026-11-24 21:00"),
        ("domenica pomeriggio alle 3", "2026-11-29 15:00"),
        ("Samstagabend 20 Uhr", "2026-11-28 20:00"),
        ("heute Abend um 8", "2026-11-23 20:00"),
        ("morgen früh um 9", "2026-11-24 09:00"),
        ("ce soir à 21h", "2026-11-23 21:00"),
        ("demain après-midi à 3h", "2026-11-24 15:00"),
        ("demain matin 10h", "2026-11-24 10:00"),
        ("vanavond om 8 uur", "2026-11-23 20:00"),
        ("morgenavond 20:00", "2026-11-24 20:00"),
        ("komende zaterdagmiddag 3 uur", "2026-11-28 15:00"),
        ("mañana a las 8 de la tarde", "2026-11-24 20:00"),
        ("mañana por la mañana a las 10", "2026-11-24 10:00"),
        ("el viernes por la noche", "2026-11-27 18:00"),
        # Numbers in words
        ("in two hours", "2026-11-23 21:00"),
        ("fra due ore", "2026-11-23 21:00"),
        ("dentro de tres días", "2026-11-26 19:00"),
        ("over een half uur", "2026-11-23 19:30"),
        ("en media hora", "2026-11-23 19:30"),
    ],
)
def test_a_moment_is_read_as_people_write_it(typed: str, there: str) -> None:
    moment = read_moment(typed, now=NOW, zone=BERLIN.key)
    assert f"{moment.astimezone(BERLIN):%Y-%m-%d %H:%M}" == there


@pytest.mark.parametrize(
    ("typed", "language", "there"),
    [
        # In three languages Tuesday the 24th, tomorrow. In the others the month comes first.
        ("mar 24", "es-419", "2026-11-24 18:00"),
        ("mar 24 20:00", "it", "2026-11-24 20:00"),
        ("mar. 24", "fr", "2026-11-24 18:00"),
        ("Mar 24", "en-US", "2027-03-24 18:00"),
        ("mar 24", "de", "2027-03-24 18:00"),
        ("mar 24", "xx", "2027-03-24 18:00"),  # a catalogue in a language that Unicode doesn't have
        ("mar 25", "es", "2027-03-25 18:00"),  # the next 25th is a Wednesday
        ("24 mar", "es", "2027-03-24 18:00"),
        ("maa 30", "nl", "2026-11-30 18:00"),  # maandag, not maart
        ("maart 30", "nl", "2027-03-30 18:00"),
        ("sábado 28 a las 20:00", "es", "2026-11-28 20:00"),
        ("Saturday 28th", "en", "2026-11-28 18:00"),
        ("lunedì 23 21:00", "it", "2026-11-23 21:00"),
        ("jeudi 31", "fr", "2026-12-31 18:00"),  # November has none
        ("martes 20", "es", "2026-11-24 20:00"),  # an hour: the next 20th is a Sunday
        ("viernes 20", "es", "2026-11-27 20:00"),  # this month's is over
        ("24/12", "es", "2026-12-24 18:00"),
        ("24/12/2027 20:00", "fr", "2027-12-24 20:00"),
        ("24-12", "nl", "2026-12-24 18:00"),
        ("12/24", "en-US", "2026-12-24 18:00"),
        ("24/12", "en-US", "2026-12-24 18:00"),
        ("3/4", "en-US", "2027-03-04 18:00"),
        ("3/4", "en-GB", "2027-04-03 18:00"),
    ],
)
def test_ambiguous_words_are_read_by_the_language(typed: str, language: str, there: str) -> None:
    moment = read_moment(typed, now=NOW, zone=BERLIN.key, language=language)
    assert f"{moment.astimezone(BERLIN):%Y-%m-%d %H:%M}" == there


@pytest.mark.parametrize("speaks", SPOKEN, ids=lambda one: one.locale)
def test_the_day_given_as_an_example_can_be_typed(speaks: Reader) -> None:
    day = date(2026, 12, 24)
    said = time_words.plain(day_as_typed(speaks, day))
    assert possible_days(said, NOW.date(), speaks.locale) == [day, day.replace(year=2027)]


@pytest.mark.parametrize(
    "typed",
    [
        "next saturday",  # this one, or the next one?
        "Friday 24 December",  # a Thursday
        "mar 24 mar",  # a Wednesday
        "29 Feb",
        "24 24",
        "31.02. 18:00",
        "tomorrow 25:00",
        "tomorrow saturday",
        "soon",
        "x" * LONGEST_TEXT,
    ],
)
def test_invalid_times_are_refused(typed: str) -> None:
    with pytest.raises(BadMoment):
        read_moment(typed, now=NOW, zone=BERLIN.key)


def test_a_past_time_today_is_read_as_such() -> None:
    assert read_moment("today 10:00", now=NOW, zone="UTC") < NOW


def test_an_ambiguous_beginning_of_a_day_is_not_guessed() -> None:
    today = NOW.date()
    assert possible_days("24 jui", today) == [], "June or July, in French"
    assert possible_days("ce soir", today) == possible_days("tonight", today) == [today]
    assert possible_days("24 juin", today) == [today.replace(year=2027, month=6, day=24)]
    assert possible_days("s", today) == []


@pytest.mark.parametrize("speaks", SPOKEN, ids=lambda one: one.locale)
def test_suggestions_and_examples_are_read_as_meant(speaks: Reader) -> None:
    def when(text: str) -> datetime:
        return read_moment(text, now=NOW, zone="UTC")

    options = list(moment_choices(speaks, "", when, zone="UTC"))
    for option in options:
        said = option.label.partition(": ")[0].strip()
        assert when(said) == when(option.value), said
    said = moment_examples(speaks)
    for option in options[2:5]:
        assert option.label.partition(":")[0].strip() in said


def offered(typed: str) -> list[Option]:
    def when(text: str) -> datetime | None:
        try:
            return read_moment(text, now=NOW, zone=BERLIN.key)
        except BadMoment:
            return None

    return list(moment_choices(IN_ENGLISH, typed, when, zone=BERLIN.key))


def test_suggestions_say_which_moment_they_are() -> None:
    first, *_ = offered("sat 8pm")
    assert (first.label, first.value) == (
        "sat 8pm: Sat, Nov 28, 8:00\N{NARROW NO-BREAK SPACE}PM (Europe/Berlin)",
        "sat 8pm",
    )
    assert [option.value for option in offered("2")] == ["2", "in 2 hour", "in 2 day"]
    assert [option.value for option in offered("tom")] == ["tomorrow 18:00"]
    everything = [option.value for option in offered("")]
    assert len(everything) == 6
    assert [option.value for option in offered("gibberish")] == everything


def test_a_refusal_gives_an_example_to_type() -> None:
    assert refusal(IN_ENGLISH, BadMoment()) == EXAMPLES


def test_lengths_are_read_in_any_language() -> None:
    assert read_length("7 days") == read_length("7 Tage") == timedelta(days=7)
    with pytest.raises(BadLength):
        read_length("soon")
