"""Tests for time zones by name, and for suggestions for unknown names."""

import pytest

from bot.base.zones import UnknownZone, read_zone, suggest_zones


@pytest.mark.parametrize("text", ["am", "to", "sa"])
def test_cities_that_begin_with_a_text_come_first(text: str) -> None:
    found = suggest_zones(text, 1_000)
    begins = [name.rpartition("/")[2].casefold().startswith(text) for name in found]
    assert begins == sorted(begins, reverse=True)
    assert any(begins)
    assert not all(begins)
    assert suggest_zones(text, 2) == found[:2]


def test_a_name_is_read_with_blanks_and_none_typed_yet_is_offered_well_known_ones() -> None:
    assert read_zone(" america/new  york ") == "America/New_York"
    assert suggest_zones("", 2) == ["UTC", "Europe/London"]


@pytest.mark.parametrize("text", ["America", "Berlni", "Europe/Berlni", " "])
def test_at_most_three_names_are_suggested(text: str) -> None:
    with pytest.raises(UnknownZone) as caught:
        read_zone(text)
    assert caught.value.text == text
    assert len(caught.value.suggestions) <= 3
    assert ("Europe/Berlin" in caught.value.suggestions) == ("Berlni" in text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("CET", ["Europe/Berlin", "Europe/Paris", "Europe/Rome"]),
        ("cest", ["Europe/Berlin", "Europe/Paris", "Europe/Rome"]),
        ("PST", ["America/Los_Angeles"]),
        ("EDT", ["America/New_York"]),
        ("GMT", ["Europe/London"]),
        ("JST", ["Asia/Tokyo"]),
        ("york", ["America/New_York"]),
        ("new yo", ["America/New_York"]),
        ("dakota", [f"America/North_Dakota/{city}" for city in ("Beulah", "Center", "New_Salem")]),
        ("erlin", []),
        ("enter", []),
    ],
)
def test_a_text_finds_the_beginnings_of_words_and_the_short_names_of_clocks(
    text: str, names: list[str]
) -> None:
    assert suggest_zones(text, 25) == names
    with pytest.raises(UnknownZone) as caught:
        read_zone(text)
    assert list(caught.value.suggestions)[: len(names)] == names
