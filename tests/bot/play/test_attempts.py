import pytest

from bot.base.spelling import (
    BotNames,
    Meaning,
    looks_like_a_move,
    meaning,
    one_move,
    without_mention,
)
from bot.play.model.typed import narrow
from dvonn import Coordinates, Move, Phase, Position, format_move, parse_move
from tests.games import positions_of, random_game

MEANT = [
    "a１",  # noqa: RUF001 - a full-width digit
    "d2!",
    "d2",
    "D2",
    "d2-d4",
    "d2 d4",
    "d2\u00a0\u2013\u00a0d4",
    "`d2-d4`.",
    "z9",
    "a2-a30",
    "d2d4",
    "d2 to d4",
    "D2 TO D4",
    "d2xd4",
    "d2->d4",
    "d2 → d4",
    "b2 c3 d4",
    "b2, c3; d4",
    "a2--a3",
    "b2/c3",
    "b2 c3, else next free",
    "b2, c3, or else the next free one.",
    "z9 else next",
    "d2-d4, else next free",
    "pass",
    "Pass.",
    " PASS ",
    "paso",
    "Passo.",
    "je passe",
    "ich passe",
    "ik pas",
]
TALK = [
    "",
    "-",
    "to",
    "x",
    "nice one",
    "d2 looks good",
    "what about d2?",
    "resign",
    "pass me the salt",
    "pas",
    "il passe",
    "paso de ti",
    "c",
    "11",
    "1a",
    "aa",
    "mp3 player",
    "4x4",
    "else next free",
    "someone else next?",
    "b2 or somebody else next",
    "b2 " * 300,
]


@pytest.mark.parametrize("text", MEANT)
def test_moves_and_attempts_at_moves(text: str) -> None:
    assert looks_like_a_move(text)


@pytest.mark.parametrize("text", TALK)
def test_talk_is_left_alone(text: str) -> None:
    assert not looks_like_a_move(text)


@pytest.mark.parametrize("unseen", ["\u200e", "\u200f", "\u2068", "\u200b", "\ufeff"])
def test_invisible_characters_are_ignored_in_moves(unseen: str) -> None:
    assert meaning(f"{unseen}z{unseen}9{unseen}", BotNames(7)) == (Meaning.MOVE, "z9")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<@7> d2-d4", "d2-d4"),
        ("<@!7>, d2-d4", "d2-d4"),
        ("d2-d4 <@7>", "d2-d4"),
        ("<@7>", ""),
        ("d2-d4", "d2-d4"),
        ("<@8> d2-d4", "<@8> d2-d4"),
        ("d2 <@7> d4", "d2 <@7> d4"),
    ],
)
def test_the_bots_mention_does_not_belong_to_a_move(text: str, rest: str) -> None:
    assert without_mention(text, BotNames(7)) == rest


@pytest.mark.parametrize(
    ("text", "meant", "said"),
    [
        ("d2-d4", Meaning.MOVE, "d2-d4"),
        ("<@7> d2-d4", Meaning.MOVE, "d2-d4"),
        ("d2 a d4", Meaning.MOVE, "d2-d4"),
        ("D2 à D4", Meaning.MOVE, "D2-D4"),
        ("i1…h1", Meaning.MOVE, "i1-h1"),
        (r"h2\-i3", Meaning.MOVE, "h2-i3"),
        (r"\*\*h2\-i3\*\*", Meaning.MOVE, "h2-i3"),
        (r"\_h2\_", Meaning.MOVE, "h2"),
        ("d2-d4 lol", Meaning.MOVE, "d2-d4 lol"),
        ("d2 lol", Meaning.MOVE, "d2 lol"),
        ("d2 naar d4", Meaning.MOVE, "d2-d4"),
        ("d2 nach d4", Meaning.MOVE, "d2-d4"),
        ("d2 a casa", Meaning.TALK, "d2 a casa"),
        ("d2-d4 <@7>", Meaning.MOVE, "d2-d4"),
        ("<@7> d2-d4!", Meaning.MOVE, "d2-d4!"),
        ("<@7> d2 to nowhere", Meaning.MOVE, "d2 to nowhere"),
        ("<@7> z9", Meaning.MOVE, "z9"),
        ("<@!7>: hello", Meaning.CALL, "hello"),
        ("<@7>", Meaning.CALL, ""),
        ("thanks <@7>, that was fun", Meaning.TALK, "thanks <@7>, that was fun"),
        ("good luck!", Meaning.TALK, "good luck!"),
        ("d2 was strong", Meaning.TALK, "d2 was strong"),
        ("well played <@7>", Meaning.TALK, "well played"),
        ("<@70> d2", Meaning.MOVE, "<@70> d2"),
        ("<@70> d2?", Meaning.TALK, "<@70> d2?"),
        ("<@7> " * 10 + "d2", Meaning.MOVE, "d2"),
        ("<@7> " * 200 + "d2", Meaning.TALK, ""),
    ],
)
def test_messages_addressed_to_the_bot(text: str, meant: Meaning, said: str) -> None:
    assert meaning(text, BotNames(7)) == (meant, said)


# The moves that a half-typed text can become


STANDARD, PERGIOCO = Coordinates.STANDARD, Coordinates.PERGIOCO
STANDARD_MOVES = "d2-d4 d2-d1 d1-d2 c1-d1 c1-c2"
PERGIOCO_MOVES = "c1-c2 c1-d1 c10-c1 c11-c10 d1-c1"


def narrowed(typed: str, moves: str, coordinates: Coordinates = STANDARD) -> str:
    legal = [parse_move(text, coordinates) for text in moves.split()]
    return " ".join(format_move(move, coordinates) for move in narrow(typed, legal, coordinates))


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("", STANDARD_MOVES),
        ("d", "d2-d4 d2-d1 d1-d2"),
        ("D2", "d2-d4 d2-d1"),
        ("d2 ", "d2-d4 d2-d1"),
        ("d2-", "d2-d4 d2-d1"),
        ("d2-d", "d2-d4 d2-d1"),
        ("d2d4", "d2-d4"),
        ("`d2 – d4`", "d2-d4"),
        ("d2\u00a0→ D4.", "d2-d4"),
        ("d2 t", "d2-d4 d2-d1"),
        ("d2 to d4", "d2-d4"),
        ("d2xd1", "d2-d1"),
        ("-d1", "d2-d1 c1-d1"),
        ("to d2", "d1-d2"),
        ("e", ""),
        ("d2-e", ""),
        ("d9", ""),
        ("d2-d4-d1", ""),
        ("hello", ""),
        ("d2 @everyone", ""),
    ],
)
def test_a_source_then_a_target_narrow_movements(typed: str, moves: str) -> None:
    assert narrowed(typed, STANDARD_MOVES) == moves


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("c", "c1-c2 c1-d1 c10-c1 c11-c10"),
        ("c1", "c1-c2 c1-d1 c10-c1 c11-c10"),
        ("c1-", "c1-c2 c1-d1"),
        ("c10", "c10-c1"),
        ("c11-c1", "c11-c10"),
        ("c1 d1", "c1-d1"),
        ("-c1", "c10-c1 c11-c10 d1-c1"),
    ],
)
def test_a_finished_source_is_not_the_beginning_of_a_longer_one(typed: str, moves: str) -> None:
    assert narrowed(typed, PERGIOCO_MOVES, PERGIOCO) == moves


@pytest.mark.parametrize(
    ("typed", "moves"),
    [("", "c1 c10 d1"), ("c", "c1 c10"), ("c1", "c1 c10"), ("c1.", "c1"), ("c1-d1", ""), ("e", "")],
)
def test_placements_narrow_too(typed: str, moves: str) -> None:
    assert narrowed(typed, "c1 c10 d1", PERGIOCO) == moves


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_every_prefix_of_a_legal_move_suggests_it(coordinates: Coordinates) -> None:
    positions: list[Position] = positions_of(random_game(3))
    for position in (positions[0], positions[49], positions[-2]):
        for move in position.legal_moves():
            text = format_move(move, coordinates)
            for length in range(len(text) + 1):
                assert move in narrow(text[:length], position.legal_moves(), coordinates)
            legal: list[Move] = narrow(text + ".", position.legal_moves(), coordinates)
            assert move in legal
            assert all(item.source == move.source for item in legal)


@pytest.mark.parametrize(
    ("text", "phase", "move"),
    [
        ("D2, d4 please", Phase.MOVEMENT, "d2-d4"),
        ("d2 to d4!", Phase.MOVEMENT, "d2-d4"),
        ("d2", Phase.MOVEMENT, None),
        ("d2-e3, f4", Phase.MOVEMENT, None),
        ("k1-d4", Phase.MOVEMENT, None),
        ("d2-k1", Phase.MOVEMENT, None),
        ("D2 please", Phase.PLACEMENT, "d2"),
        ("d2-d4", Phase.PLACEMENT, None),
        ("d2 e3", Phase.PLACEMENT, None),
    ],
)
def test_a_text_with_only_one_move_is_read_in_the_form_of_its_phase(
    text: str, phase: Phase, move: str | None
) -> None:
    assert one_move(text, Coordinates.STANDARD, phase) == (move and parse_move(move))
