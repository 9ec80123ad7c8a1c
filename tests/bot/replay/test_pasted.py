"""Tests for pasted texts and files that contain more than a game."""

import codecs

import pytest

import dvonn
from bot.base.languages import IN_ENGLISH, languages, reader_for
from bot.play.words.pictures import position_as_text
from bot.replay.model.pasted import (
    LONGEST,
    code_block,
    decode,
    in_message,
    link_code,
    read,
    to_storage_text,
)
from bot.replay.model.refusals import BadPaste, PasteProblem
from bot.replay.model.replays import ReplayCursor, view_at
from bot.replay.words.game_page import replay
from dvonn.formats import FORMATS, write_records
from dvonn.link import encode
from tests.games import positions_of, random_game

GAME = tuple(random_game(5))
FOUR = ["g2", "c1", "f5", "d1"]
POSITION = "2WwB5/2rBW6/4RBW4/10/4wwrB4 B move"
WRAPPINGS = [
    "{}",
    "```\n{}\n```",
    "```pgn\n{}\n```",
    "```{}```",
    "Here it is:\n```txt\n{}```\nWhat do you think?",
    "||{}||",
    "||```pgn\n{}\n```||",
    "\ufeff{}",
    "\n\n  {}  \n",
]
EVERY = [*FORMATS, "list"]


def as_text(name: str) -> str:
    moves = " ".join(map(str, GAME))
    return moves if name == "list" else write_records([dvonn.GameRecord(GAME)], name)


@pytest.mark.parametrize("text", ["??", "!", "{a comment}", "1-0", "*", "1.", "$2"])
def test_marks_and_numbers_without_moves_are_not_a_game(text: str) -> None:
    with pytest.raises(BadPaste):
        read(text)


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("name", EVERY)
def test_text_around_a_record_does_not_matter(name: str, wrapping: str) -> None:
    assert read(wrapping.format(as_text(name))).moves == GAME


@pytest.mark.parametrize("name", EVERY)
def test_a_quoted_record_is_read(name: str) -> None:
    assert read("".join(f"> {line}\n" for line in as_text(name).splitlines())).moves == GAME


@pytest.mark.parametrize("name", ["dvonn", "pgn", "list", "littlegolem", "boardspace"])
def test_words_may_come_before_and_after(name: str) -> None:
    text = f"Look what happened to me: {as_text(name).strip()} What would you play?"
    assert read(text).moves == GAME


@pytest.mark.parametrize(
    "text",
    [
        "1. g2 c1!? 2. f5 $2 d1 1\u20130",
        "1.g2 c1 2.f5 d1",
        "1) g2 c1 2) f5 d1",
        "**1. g2 c1 2. f5 d1**",
        "*g2 c1 f5 d1*",
        "_g2 c1 f5 d1_",
        "so far: `g2 c1 f5 d1`",
        "my game went g2 c1 f5 d1, and then I was tired",
        '[White "A"] [Black "B"] 1. g2 c1 2. f5 d1',
        '[White "A"]\n\n1. g2 c1 (1... f5 2. a1) 2. f5 d1 {and so on}',
        "Event [Cup] White [Ann] 1. g2 c1 2. f5 d1 gg",
        "```g2\nc1 f5 d1```",
        "1. g2 c1 2. f5 d1 * good game",
    ],
)
def test_moves_are_read_as_people_write_them(text: str) -> None:
    assert [str(move) for move in read(text).moves] == FOUR


@pytest.mark.parametrize("wrapping", [*WRAPPINGS, "what about {} ?", "`{}`"])
def test_a_position_among_words_is_read(wrapping: str) -> None:
    assert dvonn.position_to_text(read(wrapping.format(POSITION)).start) == POSITION


@pytest.mark.parametrize("wrapping", ["{}", "<{}>", "[Open it]({})", "look: {} wow", "||{}||"])
def test_a_link_to_a_game_is_a_record(wrapping: str) -> None:
    record = dvonn.GameRecord(GAME[:60], {"White": "Ann"})
    course = read(wrapping.format(f"https://example.org/dvonn.html#{encode(record)}"))
    assert (course.moves, course.names) == (GAME[:60], ("Ann", ""))


def test_the_bots_own_messages_are_read_again() -> None:
    course = read(" ".join(FOUR))
    for text in (link_code(course), code_block(course)):
        assert in_message(f"Your game:\n{text}\nGo on!").moves == course.moves


def test_the_longest_text_is_read() -> None:
    assert len(read("g2".ljust(LONGEST)).moves) == 1


def test_a_list_with_marks_is_read_as_its_spaces_are_named() -> None:
    course = read("1. d4! c3 2. a6", dvonn.Coordinates.PERGIOCO)
    assert [str(move) for move in course.moves] == ["d2", "c3", "f5"]
    assert course.coordinates is dvonn.Coordinates.PERGIOCO


@pytest.mark.parametrize(
    ("text", "problem", "line", "found"),
    [
        ("hello there", PasteProblem.UNKNOWN, 0, ""),
        ("``` ```", PasteProblem.EMPTY, 0, ""),
        ("my game: 1. g2 c1 2. f5 c1 ok", PasteProblem.ILLEGAL, 4, "c1"),
        ('first\n\n```pgn\n[White "A"]\n\n1. g2 c1 2. z5\n```', PasteProblem.BAD_LINE, 6, "z5"),
        ('see\n\nhere:\n[White "A"]\n1. g2 c1\n2. g2 a1\n', PasteProblem.BAD_MOVE, 6, "g2"),
        ("1. g2 c1 2. f5 d9", PasteProblem.BAD_LINE, 1, "d9"),
        ('look: [White "A"] 1. g2 c1 2. z5 *', PasteProblem.BAD_LINE, 1, "z5"),
        ('look: [White "A"]\n1. g2 c1 2. z5 *', PasteProblem.BAD_LINE, 2, "z5"),
        ('> [White "A"]\n> 1. g2 c1\n> 2. z5 ||d1|| *', PasteProblem.BAD_LINE, 3, "z5"),
        ('[White "A"]\n||1. g2|| `c1` ||2. f5|| z5', PasteProblem.BAD_LINE, 2, "z5"),
        ("g2 " * LONGEST, PasteProblem.TOO_LONG, 0, ""),
    ],
)
def test_faults_are_reported_with_their_place(
    text: str, problem: PasteProblem, line: int, found: str
) -> None:
    with pytest.raises(BadPaste) as caught:
        read(text)
    assert (caught.value.problem, caught.value.line) == (problem, line)
    assert caught.value.wrong_part == found
    if problem in {PasteProblem.BAD_LINE, PasteProblem.BAD_MOVE}:
        there = text.split("\n")[line - 1]
        assert caught.value.column == there.rindex(found) + 1


@pytest.mark.parametrize(
    "text",
    [
        "- g2\n- c1\n- f5",
        "* g2\n* c1\n* f5\n",
        "| 1 | g2 |\n|---|---|\n| 2 | c1 |\n| 3 | f5 |",
        "#1 g2\n#2 c1\n#3 f5",
        "1 g2 2 c1 3 f5",
        "1: g2\n2: c1\n3: f5",
        "g2\u200b c1 \u2060f5\u00ad",
        '[White \u200b"A"]\n\n1.\u00ad g2 c1 \u200b2. f5',
    ],
)
def test_a_list_is_parsed_in_any_layout(text: str) -> None:
    assert [str(move) for move in read(text).moves] == ["g2", "c1", "f5"]


def test_a_truncated_game_is_reported_with_its_last_line() -> None:
    with pytest.raises(BadPaste) as caught:
        read('[White "A"]\n1. g2 (c1')
    assert (caught.value.problem, caught.value.line) == (PasteProblem.BAD_LINE, 2)


@pytest.mark.parametrize("end", [b"\0\0", b"\x1a"])
def test_old_end_of_file_marks_are_ignored(end: bytes) -> None:
    assert len(read(b"g2 c1 f5" + end).moves) == 3


def test_a_wrong_list_in_the_other_notation_is_reported_with_its_place() -> None:
    with pytest.raises(BadPaste) as caught:
        read("1. d4! c3 2. z6!", dvonn.Coordinates.PERGIOCO)
    assert (caught.value.line, caught.value.column, caught.value.wrong_part) == (1, 14, "z6")


NAMED = dvonn.GameRecord(GAME, {"White": "J\u00fcrgen", "Black": "Zo\u00eb"}).to_text()


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_files_are_read_in_the_encodings_that_people_save_them_in(encoding: str) -> None:
    assert decode(NAMED.encode(encoding)) == NAMED
    assert read(NAMED.encode(encoding)).moves == GAME
    assert read(NAMED.replace("\n", "\r\n").encode(encoding)).moves == GAME


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),  # it starts like the first one
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_shows_the_encoding_of_a_file(mark: bytes, encoding: str) -> None:
    assert decode(mark + NAMED.encode(encoding)) == NAMED


@pytest.mark.parametrize(
    "file",
    [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", b"\x89PNG\xff", b"\x00\x01\x02", b"GIF89a\x01\x00"],
)
def test_a_file_that_is_not_text_is_refused(file: bytes) -> None:
    with pytest.raises(BadPaste) as caught:
        read(file)
    assert caught.value.problem is PasteProblem.NOT_TEXT


def test_the_boards_of_a_game_are_positions() -> None:
    for position in positions_of(list(GAME))[::7]:
        for text in (dvonn.position_to_text(position), dvonn.to_diagram(position)):
            course = read(f"```\n{text}\n```")
            assert (course.start, course.assumed) == (position, ())


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("coordinates", dvonn.Coordinates)
def test_the_bots_own_board_as_text_is_a_position(
    locale: str, turned: bool, coordinates: dvonn.Coordinates
) -> None:
    """Its diagram shows only the tops of stacks, as printed boards do."""
    for position in positions_of(list(GAME))[::12]:
        text = position_as_text(reader_for(locale), position, coordinates, turned=turned)
        course = read(text)
        assert course.start.legal_moves() == position.legal_moves()
        assert course.start.turn is position.turn
        assert all(len(position.stacks[point]) > 1 for point in course.assumed)
        assert read(to_storage_text(course)) == course
        assert read(code_block(course)) == course


def test_a_printed_list_of_stacks_is_a_position_and_says_that_it_is_assumed() -> None:
    course = read("From a book: ```a1 B6, b1 W3+1\nb2 R, c1 W\nWhite to move```")
    assert course.assumed == ("a1", "b1")
    assert "?" in to_storage_text(course)
    post = replay(IN_ENGLISH, view_at(ReplayCursor(None), course), may_share=False, parts=())
    assert "so I guessed" in post.content
    whole = read("```a1 WB, b1 WRW, b2 R, c1 W\nWhite to move```")
    assert (
        "guessed"
        not in replay(
            IN_ENGLISH, view_at(ReplayCursor(None), whole), may_share=False, parts=()
        ).content
    )
