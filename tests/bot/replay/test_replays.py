"""Tests for a game's moves as records, ids and pasted texts."""

import re
from dataclasses import replace
from datetime import datetime

import pytest

import dvonn
from bot.base.ids import GameId, GuildId, UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET
from bot.connection.posts import Post
from bot.play.model.compat_0_1_0 import BoardPicked, SidePicked
from bot.play.model.events import (
    Aborted,
    AnyEventData,
    Moved,
    Resigned,
    Started,
)
from bot.play.model.game import Game, Offer, before_start
from bot.play.model.offer_events import DrawAgreed, OfferMade, RestPlaced
from bot.play.model.terms import Start
from bot.replay.model import pasted, replays
from bot.replay.model.refusals import BadPaste, LineTooLong, NoSuchPly, PasteProblem
from bot.replay.parts import page_parts, replay_parts
from bot.replay.words.game_page import (
    PageAsker,
    animated,
    game_page,
    page_actions,
    replay,
    shared_ply,
)
from bot.replay.words.views import film, game_link, players
from dvonn.formats import FORMATS, write_records
from dvonn.link import decode
from tests.bot.replayed import ANN, BOB, play, started, step
from tests.games import random_game

GAME = tuple(random_game(5))
COURSE = replays.MoveSequence(dvonn.Position.initial(), GAME)
END_OF_HEADER = ('"Ann"] 5', 'Ann \\"] [x', "Ann\\")
"""Names that look as if a header ended inside them, or not after them."""
FAILS_AT_FIRST = 10096
"""A seed whose first search finds no balanced board, which is rare."""


def played(*moves: dvonn.Move) -> Game:
    return play(started(), *map(str, moves))[0]


def began(start: Start, *events: tuple[AnyEventData, UserId], seed: int = 2001) -> Game:
    row = replace(started().row, start=start, seed=seed)
    game = step(before_start(row), Started(), BOB)[0]
    for what, actor in events:
        game = step(game, what, actor)[0]
    return game


@pytest.mark.parametrize(
    ("game", "placed"),
    [
        (played(*GAME[:60]), GAME[:49]),
        (began(Start.BALANCED), dvonn.balanced_start(2001)),
        (began(Start.BALANCED, seed=FAILS_AT_FIRST), dvonn.balanced_start(FAILS_AT_FIRST)),
        (began(Start.SYMMETRIC), dvonn.symmetric_start(2001)),
        (began(Start.PIE), ()),
        (began(Start.PIE, (BoardPicked(2), ANN)), dvonn.balanced_start(2002)),
        (
            began(Start.PIE, (BoardPicked(2), ANN), (SidePicked(dvonn.Color.BLACK), BOB)),
            dvonn.balanced_start(2002),
        ),
        (
            began(Start.PIE, (BoardPicked(1), ANN), seed=FAILS_AT_FIRST),
            dvonn.balanced_start(FAILS_AT_FIRST),
        ),
    ],
)
def test_a_games_moves_include_random_placements(
    game: Game, placed: tuple[dvonn.Move, ...]
) -> None:
    course = replays.sequence_of(game)
    assert course.moves[:49] == placed
    if placed:
        assert course.positions()[-1] == game.position


@pytest.mark.parametrize(("number", "seed"), [(7, 5), (0, FAILS_AT_FIRST)])
def test_random_placement_respects_the_players_pieces(number: int, seed: int) -> None:
    game = step(played(*GAME[:number]), RestPlaced(seed), ANN)[0]
    after = step(game, _any_move(game), ANN)[0]
    assert replays.sequence_of(after).moves[:number] == GAME[:number]
    assert len(replays.sequence_of(after).moves) == 50
    assert replays.sequence_of(after).positions()[-1] == after.position


def _any_move(game: Game) -> AnyEventData:
    return Moved(game.position.legal_moves()[0])


@pytest.mark.parametrize(
    ("end", "result", "termination"),
    [
        (Resigned(), "0-1", "resignation"),
        (DrawAgreed(), "1/2-1/2", "agreement"),
        (Aborted(), "*", "abort"),
        (None, "*", None),
    ],
)
def test_a_record_says_how_the_game_ended(
    end: AnyEventData | None, result: str, termination: str | None
) -> None:
    game = played(*GAME[:60])
    if end is not None:
        game = step(game, end, ANN)[0]
    record = replays.record_of(game, white="Ann", began=started_at(game))
    assert dvonn.GameRecord.from_text(record.to_text()) == record
    headers = dict(record.headers)
    assert headers.pop("Termination", None) == termination
    assert headers == {
        "White": "Ann",
        "Black": "?",
        "Date": "2026.01.01",
        "Coordinates": "standard",
        "Result": result,
    }
    assert record.moves == GAME[:60]


def started_at(game: Game) -> datetime:
    return game.line[0].at


def test_a_played_out_game_has_its_score_in_the_record() -> None:
    record = replays.record_of(played(*GAME))
    assert "Hints" not in record.headers
    agreed = replace(played(*GAME), hints_agreed=True)
    assert replays.record_of(agreed).headers["Hints"] == "agreed"
    assert (record.result, "Score" in record.headers) == ("1-0", True)


def test_in_common_counts_the_first_moves_that_are_the_same() -> None:
    assert replays.common_prefix_length(GAME, GAME[:9]) == 9
    assert replays.common_prefix_length(GAME, (*GAME[:4], *GAME[5:])) == 4
    assert replays.common_prefix_length(GAME, ()) == 0


def test_every_move_is_two_characters() -> None:
    every = [dvonn.Move(target=point) for point in dvonn.POINTS]
    every += [dvonn.Move(target=a, source=b) for a in dvonn.POINTS for b in dvonn.POINTS if a != b]
    packed = [replays.pack([move]) for move in every]
    assert {len(item) for item in packed} == {2}
    assert len(set(packed)) == len(every)
    assert replays.unpack("".join(packed)) == tuple(every)


@pytest.mark.parametrize("text", ["A", "ABC", "__", "é1", "A*"])
def test_malformed_packed_data_is_refused(text: str) -> None:
    with pytest.raises(NoSuchPly):
        replays.unpack(text)


def test_the_longest_line_fits_an_id_of_the_highest_number() -> None:
    spot = replays.ReplayCursor(
        GameId(10**18 - 1), 97, (dvonn.parse_move("a1-a2"),) * replays.LONGEST_LINE
    )
    custom_id = f"dvonn:explore:{spot.with_line}:space1"
    assert len(custom_id) <= 100
    match = re.fullmatch(rf"dvonn:explore:{replays.SPOT}{replays.LINE}:space1", custom_id)
    assert match is not None
    assert replays.ReplayCursor.from_match(match) == spot


def test_a_pasted_position_has_no_game() -> None:
    match = re.fullmatch(replays.SPOT, replays.ReplayCursor(None, 7).text)
    assert match is not None
    assert replays.ReplayCursor.from_match(match) == replays.ReplayCursor(None, 7)


def test_a_view_shows_a_ply_and_the_moves_tried_from_there() -> None:
    other = next(m for m in COURSE.positions()[60].legal_moves() if m is not GAME[60])
    seen = replays.view_at(replays.ReplayCursor(None, 60).with_moves(other), COURSE)
    assert seen.position == COURSE.positions()[60].play(other)
    assert (seen.last, seen.path.moves) == (other, (*GAME[:60], other))
    assert seen.cursor.previous() == replays.ReplayCursor(None, 60)
    assert seen.cursor.previous().previous() == replays.ReplayCursor(None, 59)
    assert replays.ReplayCursor(None, 0).previous() == replays.ReplayCursor(None, 0)


def test_a_spot_that_is_not_there_is_refused() -> None:
    with pytest.raises(NoSuchPly):
        replays.view_at(replays.ReplayCursor(None, len(GAME) + 1), COURSE)
    with pytest.raises(NoSuchPly):
        replays.view_at(replays.ReplayCursor(None, -99), COURSE)
    with pytest.raises(NoSuchPly):
        replays.view_at(replays.ReplayCursor(None, 49, (dvonn.parse_move("d2"),)), COURSE)
    with pytest.raises(LineTooLong):
        replays.view_at(replays.ReplayCursor(None, 0, GAME[: replays.LONGEST_LINE + 1]), COURSE)
    assert (
        replays.view_at(
            replays.ReplayCursor(None, 0, GAME[: replays.LONGEST_LINE]), COURSE
        ).position
        == COURSE.positions()[28]
    )


@pytest.mark.parametrize("coordinates", dvonn.Coordinates)
@pytest.mark.parametrize("plies", [0, 7, 49, 60, len(GAME)])
def test_a_messages_state_is_read_again(coordinates: dvonn.Coordinates, plies: int) -> None:
    course = replays.MoveSequence(dvonn.Position.initial(), GAME[:plies], coordinates)
    assert pasted.read(pasted.to_storage_text(course)) == course
    assert pasted.in_message(f"Somebody shows:\n{pasted.code_block(course)}\nMove 7.") == course
    assert len(pasted.code_block(course)) < 700
    assert pasted.in_message(f"**Ann – Bob**\nMove 7.\n{pasted.link_code(course)}") == course
    assert len(pasted.link_code(course)) < 150
    position = replays.MoveSequence(course.positions()[-1], ())
    assert pasted.in_message(pasted.code_block(position)) == position


def test_a_pasted_game_keeps_its_names_and_how_it_ended() -> None:
    named = {"White": 'A`n"n ' + "x" * 99, "Black": "Bob", "Termination": "resignation"}
    resigned = dvonn.GameRecord(GAME[:60], {**named, "Result": "1-0"})
    course = replays.sequence_of_record(resigned)
    assert course.names == ("A'n'n " + "x" * 34, "Bob")
    for text in (pasted.link_code(course), pasted.code_block(course)):
        assert pasted.in_message(text) == course
    assert pasted.read(resigned.to_text()).names[1] == "Bob"
    part = course.cut(50)
    assert part.names == course.names
    assert "1-0" not in pasted.to_storage_text(part), "it did not end there"
    assert pasted.in_message(pasted.code_block(part)) == part
    seen = replays.view_at(replays.ReplayCursor(None, 50), course)
    assert players(seen) == [f"**{course.names[0]} – Bob**"]
    assert players(replays.view_at(replays.ReplayCursor(None, 7), COURSE)) == []
    told = decode(game_link(seen, "https://e.org/x", name_of)).headers
    assert (told["Black"], told["Result"]) == ("Bob", "*")


@pytest.mark.parametrize(
    "text", ["-# `1CKf~`", "-# `1CKf`", "-# `2CKf~`", "-# `1CKf&White~`", "-# ``", "-# `1~~`"]
)
def test_a_forged_code_is_refused(text: str) -> None:
    if text == "-# `1CKf~`":
        assert len(pasted.in_message(text).moves) == 3
        return
    with pytest.raises(BadPaste):
        pasted.in_message(text)


@pytest.mark.parametrize(
    "text",
    [
        dvonn.GameRecord(GAME, {"White": "A [x] B", "Black": "B"}).to_text(),
        dvonn.GameRecord(GAME, {"White": "A"}).to_text().replace("\n", " "),  # a form with one line
        *(dvonn.GameRecord(GAME, {"White": name}).to_text() for name in END_OF_HEADER),
        *(
            dvonn.GameRecord(GAME, {"White": name}).to_text().replace("\n", " ")
            for name in END_OF_HEADER
        ),
        f"```\n{dvonn.GameRecord(GAME).to_text()}```",
        *(write_records([dvonn.GameRecord(GAME)], name) for name in FORMATS),
        " ".join(map(str, GAME)),
        ", ".join(map(str, GAME)),
    ],
)
def test_games_are_read_in_many_forms(text: str) -> None:
    assert pasted.read(text).moves == GAME


def test_a_diagram_is_a_position() -> None:
    position = COURSE.positions()[60]
    assert pasted.read(dvonn.to_diagram(position)) == replays.MoveSequence(position, ())


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("", PasteProblem.EMPTY, 0),
        ("``` ```", PasteProblem.EMPTY, 0),
        ("d2 " * pasted.LONGEST, PasteProblem.TOO_LONG, 0),
        ("hello there", PasteProblem.UNKNOWN, 0),
        ("d2 d2", PasteProblem.ILLEGAL, 2),
        ('[White "Ann"]\n\n1. d2 2. d2 *', PasteProblem.BAD_MOVE, 3),
        ('[White "Ann]\n\n1. d2 *', PasteProblem.BAD_LINE, 1),
    ],
)
def test_unreadable_text_is_refused_with_a_reason(
    text: str, problem: PasteProblem, line: int
) -> None:
    with pytest.raises(BadPaste) as caught:
        pasted.read(text)
    assert (caught.value.problem, caught.value.line) == (problem, line)


def test_the_end_of_a_course_is_over() -> None:
    assert COURSE.positions()[-1].phase is dvonn.Phase.OVER


def test_a_page_offers_to_fill_the_board_unless_an_offer_is_open() -> None:
    game = played(*GAME[:2])
    asked, _ = step(game, OfferMade(Offer.DRAW), ANN)
    full, asker = played(*GAME[:49]), PageAsker(ANN, has_machine=True)
    found = [
        [button.label for button in page_actions(IN_ENGLISH, item, asker)]
        for item in (game, asked, full)
    ]
    assert ["Fill at random" in labels for labels in found] == [True, False, False]
    assert all("Resign" in labels for labels in found)


@pytest.mark.parametrize(
    ("game", "ply"),
    [
        (played(*GAME[:60]), 0),
        (began(Start.BALANCED), 49),
        (began(Start.SYMMETRIC), 49),
        (began(Start.PIE), 0),
        (began(Start.PIE, (BoardPicked(2), ANN), (SidePicked(dvonn.Color.WHITE), BOB)), 49),
        (began(Start.PLACEMENT, (RestPlaced(7), BOB)), 0),
    ],
)
def test_a_replay_begins_where_its_players_began(game: Game, ply: int) -> None:
    assert game.first_ply == ply
    asker = PageAsker(ANN, has_machine=True)
    views = game_page(IN_ENGLISH, game, None, asker, page_parts(FEATURE_SET.extensions)).buttons
    opens = [view.custom_id for view in views if view.label == "Replay"]
    assert opens == (
        [f"dvonn:replay:{game.row.id}:{ply}:at"] if replays.sequence_of(game).plies else []
    )
    reel = film(
        IN_ENGLISH,
        replays.view_at(replays.ReplayCursor(game.row.id), replays.sequence_of(game), game),
    ).reel
    assert (reel.positions[0].plies, reel.positions[-1]) == (ply, game.position)


def test_an_animation_in_words_names_no_stacks_that_can_move() -> None:
    game = played(*GAME[:60])
    view = replays.view_at(replays.ReplayCursor(game.row.id), replays.sequence_of(game), game)
    file = animated(IN_ENGLISH, film(IN_ENGLISH, view), b"", lambda _, user: str(user)).file
    assert file is not None
    assert "Move 61." in str(file.alt_text)
    assert "Can move:" not in str(file.alt_text)


def test_a_ready_made_board_is_named_and_comes_first() -> None:
    game = began(Start.BALANCED)
    game, _ = step(game, Moved(game.position.legal_moves()[0]), ANN)
    course = replays.sequence_of(game)

    def replay_post(ply: int) -> Post:
        seen = replays.view_at(replays.ReplayCursor(game.row.id, ply), course, game)
        return replay(IN_ENGLISH, seen, may_share=False, parts=replay_parts(FEATURE_SET.extensions))

    assert "\nThe board at the start.\nIt's <@" in replay_post(49).content
    first, back = replay_post(49).buttons[:2]
    assert (first.disabled, back.disabled) == (True, True)
    assert "Move 1 of 1: **1. " in replay_post(50).content
    assert replay_post(50).buttons[0].custom_id == f"dvonn:replay:{game.row.id}:49:first"
    assert replay_post(20) == replay_post(49)  # a button of an older version


def test_before_a_ready_made_board_no_move_is_shared_or_tried() -> None:
    game = began(Start.BALANCED)
    game, _ = step(game, Moved(game.position.legal_moves()[0]), ANN)
    start = replays.view_at(replays.ReplayCursor(game.row.id, 49), replays.sequence_of(game), game)
    shared = shared_ply(IN_ENGLISH, start, ANN).content.splitlines()
    assert shared[1:] == [f"**<@{ANN}> – <@{BOB}>**", f"It's <@{ANN}>'s turn."]
    link = game_link(start, "https://e.org/", name_of)
    assert len(link) < 400
    assert decode(link).positions()[-1] == start.position
    told = shared_ply(IN_ENGLISH, start, ANN, link=link).content.splitlines()
    assert told[-1] == f"[Open it in a browser](<{link}>)"
    with pytest.raises(NoSuchPly):
        replays.view_at(
            replays.ReplayCursor(game.row.id, 20, start.sequence.moves[20:22]), start.sequence, game
        )


def name_of(_guild: GuildId, player: UserId) -> str:
    return {ANN: "\u202eAnn <b>", BOB: ""}[player]


def test_a_link_has_the_names_and_at_the_end_the_result() -> None:
    game, _ = step(began(Start.BALANCED), Resigned(), BOB)
    course = replays.sequence_of(game)
    end = replays.view_at(replays.ReplayCursor(game.row.id, course.plies), course, game)
    link = game_link(end, "https://e.org/x", name_of)
    assert link.startswith("https://e.org/x#1")
    assert "<" not in link
    headers = decode(link).headers
    assert (headers["White"], headers.get("Black")) == ("Ann <b>", None)
    assert (headers["Result"], headers["Termination"]) == ("1-0", "resignation")
    tried = replays.view_at(
        replays.ReplayCursor(game.row.id, 49, (end.position.legal_moves()[0],)), course, game
    )
    assert decode(game_link(tried, "https://e.org/x", name_of)).result == "*"
    assert game_link(end, "", name_of) == ""


@pytest.mark.parametrize(
    "text",
    ["1. d2 2. c3 3. f5 4. a1", "1.d2 2.c3 {centre} 3. f5\n4... a1", "d2 c3 f5 a1"],
)
def test_a_list_may_be_numbered(text: str) -> None:
    assert [str(move) for move in pasted.read(text).moves] == ["d2", "c3", "f5", "a1"]


def test_impossible_moves_in_a_numbered_list_are_named() -> None:
    with pytest.raises(BadPaste) as refused:
        pasted.read("1. d2 2. c3 3. f5 4. d2")
    error = refused.value
    assert (error.problem, error.line, error.wrong_part) == (PasteProblem.ILLEGAL, 4, "d2")
