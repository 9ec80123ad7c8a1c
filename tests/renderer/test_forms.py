"""The PNG, the SVG, the page and the text twin tell the same of a position: what the rules say."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games import positions_of, random_game
from tests.renderer.forms import differences, paged, truth
from tests.tiers import share_of


@settings(max_examples=share_of(15))
@given(st.integers(0, 10**6), st.floats(0, 1))
def test_all_forms_tell_what_the_rules_say(seed: int, share: float) -> None:
    moves = random_game(seed)
    positions = positions_of(moves)
    at = round(share * (len(positions) - 1))

    assert differences(positions[at], moves[at - 1] if at else None) == []


@settings(max_examples=share_of(4))
@given(st.integers(0, 10**6), st.floats(0.5, 1))
def test_a_page_tells_what_the_rules_say(seed: int, share: float) -> None:
    moves = random_game(seed)
    positions = positions_of(moves)
    at = round(share * (len(positions) - 1))
    wanted = truth(positions[at], moves[at - 1])

    told, counts = paged(positions, moves, at)

    assert counts == wanted.counts
    assert told._replace(movable=None) == wanted._replace(movable=None)
