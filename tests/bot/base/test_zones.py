"""Zones by their names, and what is suggested for a name that none has."""

import pytest

from bot.base.zones import UnknownZone, read_zone, zones_like


@pytest.mark.parametrize("text", ["am", "lon", "sa"])
def test_cities_that_begin_with_a_text_come_first(text: str) -> None:
    found = zones_like(text, 1_000)
    begins = [name.rpartition("/")[2].casefold().startswith(text) for name in found]
    assert begins == sorted(begins, reverse=True)
    assert any(begins)
    assert not all(begins)
    assert zones_like(text, 2) == found[:2]


def test_a_name_is_read_with_blanks_and_none_typed_yet_is_offered_well_known_ones() -> None:
    assert read_zone(" america/new  york ") == "America/New_York"
    assert zones_like("", 2) == ["UTC", "Europe/London"]


@pytest.mark.parametrize("text", ["America", "Berlni", "Europe/Berlni", " "])
def test_at_most_three_names_are_suggested(text: str) -> None:
    with pytest.raises(UnknownZone) as caught:
        read_zone(text)
    assert caught.value.text == text
    assert len(caught.value.suggestions) <= 3
    assert ("Europe/Berlin" in caught.value.suggestions) == ("Berlni" in text)
