"""Tests for extension points, with additions by features."""

from collections.abc import Callable

from bot.play.extension_points import ExtensionPoint, Extensions

NUMBERS = ExtensionPoint[int]()
OTHERS = ExtensionPoint[Callable[[int], str]]()


def test_a_place_gets_its_own_additions_in_the_order_of_the_features() -> None:
    added = (NUMBERS.extended_by(2), OTHERS.extended_by(str), NUMBERS.extended_by(1))
    extensions = Extensions(added)
    assert extensions.all_of(NUMBERS) == (2, 1)
    assert extensions.first(NUMBERS) == 2
    assert extensions.all_of(OTHERS) == (str,)


def test_nothing_is_added_where_no_feature_is() -> None:
    assert Extensions().all_of(NUMBERS) == ()
    assert Extensions().first(NUMBERS) is None


def test_two_places_are_two() -> None:
    assert Extensions((NUMBERS.extended_by(1),)).all_of(ExtensionPoint[int]()) == ()
