"""Tests for a replay page as text: small, in one file, complete. See also tests/page."""

import base64
import json
import re
import zlib
from dataclasses import replace
from functools import cache
from html import unescape
from typing import Any

import pytest

import renderer
from dvonn import Color, Coordinates, GameRecord, Position, parse_move
from dvonn.link import decode
from dvonn.svg.fragments import ink, moved, stacks
from renderer.scene import Scene
from renderer.vector import board_of
from tests.games import random_game
from tests.renderer.gallery import CHARTED, GREAT_CUT
from tests.renderer.reviews import reviewed
from tests.renderer.seeing import contrast

LIMIT = 80 * 1024
PLAYERS = renderer.Caption(
    white="Ann", black="Bob", ending=renderer.Ending.RESIGNATION, winner=Color.WHITE
)
GAME = renderer.Reel.line(Position.initial(), map(parse_move, GREAT_CUT.split()), caption=PLAYERS)
REVIEW = reviewed(CHARTED, 9)


@cache
def page() -> str:
    return renderer.replay_page(GAME, review=REVIEW)


def packed(text: str) -> Any:
    """Return the data that the script unpacks."""
    found = re.search(r'id="data">([^<]*)<', text)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def test_the_page_contains_the_game_with_a_text_for_each_position() -> None:
    own = packed(page())["own"]
    plies = own["plies"]
    running = replace(PLAYERS, ending=None, winner=None)

    assert len(plies) == len(GAME.positions)
    for number, (shown, (position, last)) in enumerate(zip(plies, GAME.steps(), strict=True)):
        caption = PLAYERS if number == len(GAME.moves) else running
        assert shown["words"] == renderer.describe(position, last=last, caption=caption, aids=False)
        assert shown["words"].startswith(shown["said"].removesuffix(shown["verdict"]).strip())
        assert "On the board" not in shown["said"]
    record = decode(own["link"])
    assert record.positions() == GAME.positions
    assert [record.headers[tag] for tag in ("White", "Black")] == ["Ann", "Bob"]
    scene = Scene(GAME.positions[-1], last=GAME.moves[-1], caption=PLAYERS)
    board = board_of(scene, renderer.Look())
    end = stacks(board)
    assert f'<g id="moved">{moved(board)}</g>' in page()
    assert f'<g id="stacks">{end}</g>' in page()
    assert plies[-1]["headline"] == "Ann wins"
    assert plies[-2]["headline"].endswith("to move")


def test_verdicts_belong_to_their_moves() -> None:
    plies, before = packed(page())["own"]["plies"], GAME.positions[0].plies
    told = {before + number: ply["verdict"] for number, ply in enumerate(plies) if ply["verdict"]}

    assert set(told) == {ply.ply for ply in REVIEW.plies if ply.best}
    turns = renderer.turning_points(REVIEW)
    for number, one in enumerate(turns, start=1):
        assert told[one.ply].startswith(f"{one.ply}. {one.played} · ")
        assert f" Then {one.ply + 1}. " in told[one.ply]
        assert told[one.ply].endswith(f" Better: {one.best[0]}.")
        assert told[one.ply] in plies[one.ply]["said"]
        assert f'data-turn="{one.ply}">{number}: {one.ply}. ' in page()
    alt = re.search(r'<img src="data:image/png;base64,[^"]+" alt="([^"]+)"', page())
    assert alt is not None
    caption = replace(PLAYERS, scores=GAME.scores)
    assert unescape(alt[1]) == renderer.describe_chart(REVIEW, caption=caption)


def test_a_part_of_a_game_keeps_the_numbers_of_the_whole() -> None:
    part = replace(GAME, positions=GAME.positions[49:], moves=GAME.moves[49:])

    text = renderer.replay_page(part, review=REVIEW)

    first, own = renderer.turning_points(REVIEW)[0], packed(text)["own"]
    assert own["plies"][first.ply - 49]["verdict"].startswith(f"{first.ply}. ")
    assert f'data-turn="{first.ply - 49}">1: {first.ply}. ' in text
    assert own["first"] == 49
    assert decode(own["link"]).start == GAME.positions[49]


def test_names_are_complete_in_any_script_and_next_to_their_pieces() -> None:
    caption = renderer.Caption(white="محمد", black="王小明")

    text = renderer.replay_page(replace(GAME, caption=caption))

    told = packed(text)["own"]["plies"][60]
    assert re.findall(r'aria-label="(\w+)".*?<bdi>(.*?)</bdi>', told["counts"]) == [
        ("White", "\u2068محمد\u2069"),
        ("Black", "王小明"),
    ]
    assert "<title>\u2068محمد\u2069 – 王小明 · DVONN</title>" in text
    assert told["headline"].partition(" ")[0] in ("\u2068محمد\u2069", "王小明")
    assert "White: \u2068محمد\u2069. Black: 王小明." in told["words"]


@pytest.mark.parametrize("ending", renderer.Ending)
def test_every_end_has_a_link(ending: renderer.Ending) -> None:
    caption = renderer.Caption(ending=ending, winner=None)
    game = replace(GAME, positions=GAME.positions[:60], moves=GAME.moves[:59], caption=caption)
    headers = decode(packed(renderer.replay_page(game))["own"]["link"]).headers
    assert headers["Termination"] == ending
    assert headers["Result"] == ("*" if ending is renderer.Ending.ABORT else "1/2-1/2")


def test_nothing_can_be_loaded_or_sent() -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page())
    assert policy is not None
    assert policy[1].startswith("default-src 'none';script-src 'sha256-")
    links = re.findall(r'(?:src|href|action)="?([^"\s>]{1,10})', page())
    assert set(links) <= {"data:image", *(link for link in links if link.startswith("#dvonn"))}
    assert "http" not in page().replace("http-equiv", "")


def test_the_longest_game_with_a_review_is_small() -> None:
    longest = max((random_game(seed) for seed in range(40)), key=len)
    reel = renderer.Reel.line(Position.initial(), longest, caption=PLAYERS)
    moved = replace(reel, positions=reel.positions[49:], moves=reel.moves[49:])

    text = renderer.replay_page(reel, review=reviewed(moved, 5))

    assert len(longest) > 85
    assert len(text.encode()) <= LIMIT


def test_names_are_plain_text() -> None:
    caption = renderer.Caption(white="</script><b>", black='" onload="x')

    text = renderer.replay_page(replace(GAME, caption=caption))

    assert "<b>" not in text
    assert 'onload="x' not in text


def test_the_callers_words_coordinates_theme_and_language_are_used() -> None:
    record = GameRecord(GAME.moves[:60])
    look = renderer.Look(
        theme=renderer.THEMES["slate"],
        words=replace(renderer.Look().words, moves="Züge", play="Los"),
    )

    text = renderer.replay_page(record, coordinates=Coordinates.PERGIOCO, look=look, language="de")

    assert '<html lang="de">' in text
    assert "<h2>Züge</h2>" in text
    data = packed(text)
    assert data["words"]["play"] == "Los"
    assert decode(data["own"]["link"]).coordinates is Coordinates.PERGIOCO
    assert ink(renderer.WOOD.canvas) not in text


@pytest.mark.parametrize("key", renderer.THEMES)
@pytest.mark.parametrize("vision", ["full", "protanopia", "deuteranopia", "tritanopia"])
def test_the_page_has_contrast_by_day_and_by_night(vision: str, key: str) -> None:
    short = replace(GAME, positions=GAME.positions[:1], moves=())
    text = renderer.replay_page(short, look=renderer.Look(theme=renderer.THEMES[key]))
    style = text.partition("<style>")[2].partition("</style>")[0]
    day, night, paper = re.findall(r":root\{([^}]*)\}", style)
    assert paper == day
    luminances = [contrast(_page(colors), (0, 0, 0)) for colors in (day, night)]
    assert luminances[0] > 15, "by day it is light"
    assert luminances[1] < 2, "and by night dark"
    for colors in (day, night):
        found = {
            name: tuple(bytes.fromhex(code))
            for name, code in re.findall(r"--(\w+):#(\w{6});", colors)
        }
        assert set(found) == {"page", "text", "quiet", "panel", "focus"}
        for ground in ("page", "panel"):
            assert contrast(found["text"], found[ground], vision) >= 4.5  # type: ignore[arg-type]
        assert contrast(found["quiet"], found["page"], vision) >= 4.5  # type: ignore[arg-type]
        assert contrast(found["focus"], found["page"], vision) >= 3  # type: ignore[arg-type]


def _page(colors: str) -> tuple[int, int, int]:
    found = re.search(r"--page:#(\w{6});", colors)
    assert found is not None
    red, green, blue = bytes.fromhex(found[1])
    return red, green, blue


def test_a_review_without_a_move_leaves_the_chart_out() -> None:
    nothing = reviewed(renderer.Reel.line(CHARTED.positions[0], ()), 1)

    assert "<img" not in renderer.replay_page(GAME, review=nothing)
    assert "<img" not in renderer.replay_page(GAME)
