"""Tests for the text twin: it contains the whole position, and fits into an alt text."""

import re
from collections.abc import Mapping
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn import Color, Coordinates, Phase, Point, Position
from renderer import ENGLISH, Arrows, Caption, Ending, Marks, PerColor, Words, describe
from renderer.caption import NO_CAPTION, details
from tests.games import positions_of, random_game
from tests.renderer.gallery import GALLERY, GREAT_CUT, WHITE_PASSES, Shown, after
from tests.tiers import share_of

ALT_TEXT_LIMIT = 1024

_STACKS = re.compile(r"(White|Black|Red) ((?:[a-k]\d+(?: \([^)]*\))?(?:, )?)+)\.")
_STACK = re.compile(r"([a-k]\d+)(?: \((\d+) tall(?:, (\d) red)?\))?")

Seen = dict[str, tuple[str, int, int]]


def twin(shown: Shown, *, aids: bool = True) -> str:
    return describe(
        shown.position,
        coordinates=shown.coordinates,
        last=shown.last,
        marks=shown.marks,
        caption=shown.caption,
        aids=aids,
    )


def stacks_in_text(text: str, caption: Caption = NO_CAPTION) -> Seen:
    """Return each point's owner, height and red pieces inside. Players may be named."""
    for color, plain in ((Color.WHITE, "White"), (Color.BLACK, "Black")):
        called = "You" if color is caption.you else caption.name(color) or plain
        text = re.sub(rf"(^|\. |: ?){re.escape(called)} (?=[a-k]\d)", rf"\1{plain} ", text)
    return {
        point: (owner[0], int(height or 1), int(reds or 0))
        for owner, stacks in _STACKS.findall(text)
        for point, height, reds in _STACK.findall(stacks)
    }


def truth(stacks: Mapping[Point, str], coordinates: Coordinates) -> Seen:
    return {
        coordinates.label(point): (
            pieces[-1],
            len(pieces),
            0 if pieces == "R" else pieces.count("R"),
        )
        for point, pieces in stacks.items()
    }


@settings(max_examples=share_of(15))
@given(st.integers(0, 10**6), st.sampled_from(Coordinates))
def test_every_position_of_any_game_fits_and_can_be_read_back(
    seed: int, coordinates: Coordinates
) -> None:
    moves = random_game(seed)
    for position, last in zip(positions_of(moves), [None, *moves], strict=True):
        text = describe(position, coordinates=coordinates, last=last)

        assert len(text) <= ALT_TEXT_LIMIT
        left, _, stands = text.partition("On the board: ")
        assert stacks_in_text(stands) == truth(position.stacks, coordinates)
        assert stacks_in_text(left) == truth(position.removed, coordinates)


def test_a_board_as_full_of_facts_as_the_rules_allow_fits() -> None:
    # 24 stacks of two and a single piece take more words than any other heights.
    pieces = ["RB", "RW", "RB", *["BW"] * 21]
    points = Position.initial().legal_moves()[:24]
    stacks = {str(point): stack for point, stack in zip(points, pieces, strict=True)}
    position = Position.from_stacks(stacks, turn=Color.WHITE)

    for coordinates in Coordinates:
        # The board is counted twice, as if the last move had removed as many stacks.
        told = describe(position, coordinates=coordinates, aids=False)
        aids = len(describe(position, coordinates=coordinates)) - len(told)
        assert aids > 0
        assert 2 * len(told) + aids <= ALT_TEXT_LIMIT
        choice = Marks(Point("k5"), (Point("k4"),) * 6)
        assert len(describe(position, coordinates=coordinates, marks=choice)) <= ALT_TEXT_LIMIT


@pytest.mark.parametrize("name", GALLERY)
def test_the_gallery_can_be_read_back(name: str) -> None:
    shown = GALLERY[name]

    seen = stacks_in_text(twin(shown).partition("On the board: ")[2], shown.caption)

    assert seen == truth(shown.position.stacks, shown.coordinates)


def test_the_empty_board() -> None:
    assert twin(GALLERY["empty"]) == (
        "White to place a red piece. Placement 1 of 49. The board is empty."
    )


def test_a_placement() -> None:
    assert twin(after(GREAT_CUT, 4)) == (
        "Last move i1. White to place. Placement 5 of 49. On the board: Black i1. Red g2, g4, j4."
    )


def test_removed_stacks_are_listed_just_before_remaining_ones() -> None:
    text = twin(GALLERY["great-cut"])

    assert text.startswith("Last move f4-d4, onto ")
    assert " Left the board: White c2, d2, a3, e3, d4 (4 tall), " in text
    assert text.index("Black to move") < text.index("Can move") < text.index("Left the board")
    assert text.index("Left the board") < text.index("On the board")


@settings(max_examples=share_of(8))
@given(st.integers(0, 10**6))
def test_important_facts_are_read_before_the_board(seed: int) -> None:
    """The last move with its consequences, whose turn it is, and what can move."""
    moves = random_game(seed)
    for before, position, last in zip(
        positions_of(moves), positions_of(moves)[1:], moves, strict=False
    ):
        heard, _, _ = describe(position, last=last).partition(" On the board:")
        assert len(heard.partition(" Left the board:")[0]) <= 250
        if last.source is None:
            assert f"Last move {last}." in heard
            continue
        pieces = before.stacks[last.target]
        color = {"W": "white", "B": "black", "R": "red"}[pieces[-1]]
        facts = [] if len(pieces) == 1 else [f"{len(pieces)} tall"]
        facts += [f"{pieces.count('R')} red"] if facts and "R" in pieces else []
        onto = f"{color} ({', '.join(facts)})" if facts else color
        assert f"Last move {last}, onto {onto}." in heard
        assert ("Can move: " in heard) == (position.phase is Phase.MOVEMENT)


def test_a_pass_is_announced_before_the_turn() -> None:
    text = twin(after(WHITE_PASSES, 81))

    assert "White had to pass. Black to move. Move 82. Can move: " in text


def test_the_result_has_both_counts() -> None:
    text = twin(GALLERY["three-reds-over"])

    assert text.startswith("Black wins. Pieces: White 2, Black 46. On the board:")
    assert "f3 (43 tall, 3 red)" in text


@pytest.mark.parametrize(
    ("ending", "winner", "told"),
    [
        (Ending.RESIGNATION, Color.BLACK, "Black wins. White resigned. After move 66."),
        (Ending.TIME, Color.WHITE, "White wins. Black ran out of time. After move 66."),
        (Ending.TIME, None, "A draw. Time ran out. After move 66."),
        (Ending.AGREEMENT, None, "A draw. Draw agreed. After move 66."),
        (Ending.ABORT, None, "No result. The game was canceled. After move 66."),
    ],
)
def test_an_early_ending_is_announced(ending: Ending, winner: Color | None, told: str) -> None:
    position = after(GREAT_CUT, 66).position

    text = describe(position, caption=Caption(ending=ending, winner=winner))

    assert text.startswith(told)
    assert "to move" not in text


def test_players_are_named_if_their_names_are_known() -> None:
    position = after(WHITE_PASSES, 81).position

    text = describe(position, caption=Caption(white="Ann", black="Bob 🎲"))

    assert "Ann had to pass. Bob 🎲 to move. Move 82. White: Ann. Black: Bob 🎲. Can move: " in text


def test_the_only_player_sees_their_color() -> None:
    position, caption = after(GREAT_CUT, 60).position, Caption(you=Color.BLACK)

    assert "Your turn. Move 61. You're Black. Can move: " in describe(position, caption=caption)
    assert details(position, ENGLISH, caption) == ["Move 61", "You're Black"]
    assert details(position, ENGLISH, Caption(you=Color.WHITE))[1:] == ["You're White"]
    assert details(position, ENGLISH, Caption()) == ["Move 61"]
    cut = details(after(GREAT_CUT, 72).position, ENGLISH, caption)
    assert cut == ["Move 73", "Cut off: White −12, Black −12"], "there is room for no more"


def test_players_are_called_by_their_names_and_their_reader_you() -> None:
    shown = after(WHITE_PASSES, 81)
    told = describe(shown.position, last=shown.last, caption=Caption(white="Ann", black="Bob"))
    assert "Black" not in told.replace("Black: Bob", "")
    assert "Pieces: Ann 18, Bob 10. Left the board: Bob a1" in told
    assert "On the board: Ann d1 (5 tall, 2 red), " in told
    mine = Caption(white="Ann", black="Pip", you=Color.WHITE)
    told = describe(shown.position, last=shown.last, caption=mine)
    assert "You had to pass. Pip to move. Move 82. White: you. Black: Pip. Can move: " in told
    assert "Pieces: you 18, Pip 10. " in told
    assert "On the board: You d1 (5 tall, 2 red), " in told
    assert "Your turn to place a red piece." in describe(Position.initial(), caption=mine)
    assert describe(shown.position, caption=mine, board=False) in told, "what comes first, alone"
    assert len(told.partition("On the board")[0]) <= 250


def test_a_draw_is_announced() -> None:
    drawn = Position.from_stacks({"a1": "RBW", "k5": "RWB"}, turn=Color.WHITE)
    assert drawn.phase is Phase.OVER

    assert describe(drawn).startswith("A draw. Pieces: White 3, Black 3.")


def test_movable_stacks_in_the_picture_are_described() -> None:
    shown = GALLERY["great-cut"]

    # Two more of Black's stacks aren't surrounded, but have nowhere to land.
    assert " Can move: g1, h1, k3, i4, k4. Pieces: White " in twin(shown)
    assert "Can move" not in describe(shown.position, aids=False)
    assert "Can move" not in describe(shown.position, marks=Arrows())
    assert "Can move" not in describe(shown.position, caption=Caption(ending=Ending.RESIGNATION))
    assert "Can move" not in twin(GALLERY["end"])
    assert "Can move" not in twin(after(GREAT_CUT, 48)), "not while pieces are placed"


def test_pergioco_names_are_used_throughout() -> None:
    shown = GALLERY["placement-pergioco"]

    text = twin(shown)

    assert shown.last is not None
    assert f"Last move {Coordinates.PERGIOCO.label(shown.last.target)}." in text
    assert not re.search(r"\b[f-k]\d", text), "rows are named a to e"


def test_a_choice_is_described_instead_of_the_last_move() -> None:
    shown = after(GREAT_CUT, 72)
    position = shown.position
    source = position.legal_moves()[0].source
    assert source is not None
    plain = describe(position, aids=False)
    assert "Left the board" in plain

    text = describe(position, last=shown.last, marks=Marks.for_stack(position, source))

    start, turn, rest = text.partition("Black to move")
    assert start.startswith(f"From {source} you can go to ")
    for target in position.destinations(source):
        color = {"W": "white", "B": "black", "R": "red"}[position.stacks[target][-1]]
        assert f" {target} {color}" in start, "what stands there"
    left, _, stands = plain.partition(" Left the board:")
    assert turn + rest == left[left.index("Black to move") :] + stands[stands.index(" On the") :]


@pytest.mark.parametrize(
    ("marks", "told"),
    [
        (Marks(Point("b2"), (Point("d2"), Point("d4"))), "From b2 you can go to d2, d4. White"),
        (Marks(Point("b2")), "b2 cannot move. White"),
        (Marks(Point("b2"), only_outlined=True), "b2 is outlined. White"),
        (Marks(None, (Point("a1"), Point("k5"))), "You can choose a1, k5. White"),
        (Marks(), "White to place a red piece."),
    ],
)
def test_choices_of_every_kind_are_shown(marks: Marks, told: str) -> None:
    assert describe(Position.initial(), marks=marks).startswith(told)


def test_a_choice_is_described_in_the_games_coordinates() -> None:
    text = twin(GALLERY["choice-pergioco"])

    assert text.startswith("From c8 you can go to e8 ")


def marked_words() -> Words:
    """Return texts that are not English: each is the field's name in guillemets, with its
    placeholders.
    """
    made: dict[str, str | PerColor] = {}
    for field in fields(Words):
        default = getattr(Words(), field.name)
        if isinstance(default, PerColor):
            made[field.name] = PerColor(f"«{field.name}-w»", f"«{field.name}-b»")
        else:
            blanks = " ".join(re.findall(r"\{\w+\}", default))
            made[field.name] = f"«{field.name}» {blanks}".rstrip()
    return Words(**made)  # type: ignore[arg-type]  # each field has its own type again


@pytest.mark.parametrize("name", GALLERY)
def test_a_description_has_only_the_words_that_it_is_given(name: str) -> None:
    shown = GALLERY[name]

    text = describe(
        shown.position,
        coordinates=shown.coordinates,
        last=shown.last,
        marks=shown.marks,
        words=marked_words(),
    )

    rest = re.sub(r"«[a-z_-]+»", "", text)
    assert re.fullmatch(r"(?:[a-k]?\d*|[-,.() ])*", rest), rest
