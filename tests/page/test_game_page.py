"""Tests for the page for games in links: it uses the library's rules, and needs no server."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from dvonn import POINTS, Color, GameRecord, Position, from_diagram, parse_move, position_to_text
from dvonn.link import decode, encode
from renderer.game_page import game_page
from renderer.game_page.__main__ import main
from tests.dvonn.vectors import DATA, read_vectors
from tests.games import drawn, played_out, positions_of, random_game
from tests.page.browser import DESKTOP
from tests.page.test_look import VIEWS, violations

if TYPE_CHECKING:
    from playwright.async_api import Browser, Dialog, Page

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAME = random_game(3)[:75]
LINK = encode(GameRecord(GAME, {"White": "Ann", "Black": "<b>Bob"}))

REPLAYED = """link => {
    const { start, moves, headers } = dvonn.decode(link);
    const told = [];
    let position = start;
    for (const move of [null, ...moves]) {
        if (move) position = dvonn.play(position, move);
        told.push([dvonn.legal(position).map(dvonn.name).join(" "), position.cells.join(","),
            position.turn, position.passed, dvonn.score(position, "W"), position.removed.length]);
    }
    return [told, dvonn.encode(start, moves, headers)];
}"""


FRAMED = """<!doctype html><script>
const heard = [];
addEventListener("message", ({ data }) => heard.push(data.dvonn));
</script><iframe src="dvonn.html?embed#LINK"></iframe>"""
"""A page that shows a link in a frame, and records the frame's events."""


class PageWindows:
    """Windows of the page, and the errors in them."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.faults: list[str] = []
        self._browser = browser
        self._file = file

    async def window(self, behind: str = "", **options: Any) -> Page:
        context = await self._browser.new_context(offline=True, **options)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self.faults.append(line.text))
        await page.goto(self._file.as_uri() + behind)
        return page

    async def framed(self, link: str) -> Page:
        """Open another page, with this one in a frame."""
        around = self._file.with_name("around.html")
        around.write_text(FRAMED.replace("LINK", link), encoding="utf-8")
        page = await self.window()
        await page.goto(around.as_uri())
        return page


@pytest_asyncio.fixture(loop_scope="session")
async def game_windows(browser: Browser, tmp_path: Path) -> AsyncIterator[PageWindows]:
    file = tmp_path / "dvonn.html"
    main([str(file)])
    assert file.read_text(encoding="utf-8") == game_page()
    windows = PageWindows(browser, file)
    yield windows
    assert windows.faults == []


def told_of(position: Position) -> list[object]:
    legal = " ".join(map(str, position.legal_moves()))
    cells = ",".join(position.stacks.get(point, "") for point in POINTS)
    passed = "".join(position.passed)
    turn = position.turn or ""
    return [legal, cells, turn, passed, position.score(Color.WHITE), len(position.removed)]


async def test_its_rules_are_the_librarys(game_windows: PageWindows) -> None:
    page = await game_windows.window()
    games = [GameRecord(random_game(seed), {"White": "é (1)!*'/&="}) for seed in range(8)]
    games += [GameRecord(played_out(drawn(seed), seed), start=drawn(seed)) for seed in range(4)]
    for record in games:
        link = encode(record)
        replayed, again = await page.evaluate(REPLAYED, link)
        assert replayed == [told_of(position) for position in record.positions()]
        assert again == link
    for name, vector in read_vectors(DATA / "perft.txt").items():
        line = position_to_text(from_diagram(vector["board"]))
        depth, count = map(int, vector["lines"].splitlines()[1].split())
        asked = "([line, depth]) => dvonn.perft(dvonn.fromText(line), depth)"
        assert await page.evaluate(asked, [line, depth]) == count, name


async def test_a_game_is_shown_and_explored_and_resumed(game_windows: PageWindows) -> None:
    page = await game_windows.window(f"#{LINK}", viewport=DESKTOP)
    await expect(page.locator("#players")).to_have_text("Ann – <b>Bob")
    await expect(page.locator("#moves [aria-current]")).to_have_text(f"75. {GAME[-1]}")
    await page.keyboard.press("ArrowLeft")
    before = positions_of(GAME)[74]
    other = next(move for move in before.legal_moves() if move is not GAME[-1])
    for point in filter(None, (other.source, other.target)):
        await page.locator(f"#hits [data-point='{POINTS.index(point)}']").click()
    await expect(page.locator("#moves [aria-current]")).to_have_text(f"75. {other}")
    fragment = (await page.evaluate("location.hash")).removeprefix("#")
    assert decode(fragment).moves == (*GAME[:-1], other)
    await page.get_by_role("button", name="Back to the game").click()
    assert await page.evaluate("location.hash") == f"#{LINK}".replace("<b>", "%3Cb%3E")
    await expect(page.get_by_role("button", name="Back to the game")).to_be_hidden()


async def test_a_new_game_is_played_by_hand_and_by_word(game_windows: PageWindows) -> None:
    page = await game_windows.window("", viewport=DESKTOP)
    await expect(page.locator("#headline")).to_have_text("White to place a red piece")
    await page.get_by_label("Your move").fill("D2")
    await page.keyboard.press("Enter")
    await expect(page.locator("#headline")).to_have_text("Black to place a red piece")
    await page.get_by_label("Your move").fill("d2")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_have_text("d2 isn't possible here.")
    await page.locator("#hits [data-point='0']").click()
    played = decode(await page.evaluate("location.href")).moves
    assert played == (parse_move("d2"), parse_move("a1"))
    await page.get_by_role("button", name="Fill the board").click()
    record = decode(await page.evaluate("location.href"))
    assert len(record.moves) == 49
    await page.reload()
    await expect(page.locator("#headline")).to_have_text("White to move")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator("#headline")).to_have_text("White to place")
    await page.get_by_role("button", name="New game").click()
    await expect(page.locator("#slider")).to_have_attribute("max", "0")


async def test_a_move_chosen_on_a_running_game_is_copied_as_its_channel_reads_it(
    game_windows: PageWindows,
) -> None:
    running = GAME[:60]
    page = await game_windows.window("#" + encode(GameRecord(running)), viewport=DESKTOP)
    copied: list[str] = []

    async def prompted(dialog: Dialog) -> None:
        copied.append(dialog.default_value)
        await dialog.dismiss()

    page.on("dialog", prompted)
    copy = page.locator("#copy_move")
    await expect(copy).to_be_hidden()
    moves = positions_of(running)[-1].legal_moves()
    first, after = moves[0], positions_of([*running, moves[0]])[-1].legal_moves()[0]
    for point in filter(None, (first.source, first.target)):
        await page.locator(f"#hits [data-point='{POINTS.index(point)}']").click()
    await expect(copy).to_have_text(f"Copy {first}")
    await page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    await copy.click()
    assert copied == [str(first)]
    for point in filter(None, (after.source, after.target)):
        await page.locator(f"#hits [data-point='{POINTS.index(point)}']").click()
    await expect(copy).to_be_hidden()
    await page.get_by_role("button", name="Back to the game").click()
    await page.keyboard.press("ArrowLeft")
    await expect(copy).to_be_hidden()


async def test_a_frame_reports_its_board_to_its_parent_page(game_windows: PageWindows) -> None:
    link = encode(GameRecord(GAME[:3]))
    page = await game_windows.framed(link)
    await page.frame_locator("iframe").get_by_role("button", name="Back", exact=True).click()
    await page.wait_for_function("heard.length === 2")
    told = {"link": link, "ply": 3, "move": str(GAME[2])}
    assert await page.evaluate("heard") == [told, told | {"ply": 2, "move": str(GAME[1])}]


async def test_an_overlay_is_the_board_alone_and_follows(game_windows: PageWindows) -> None:
    page = await game_windows.window(f"?overlay#{LINK}", viewport=DESKTOP)
    for hidden in ("#players", "#moves", "#controls", "#ways", "#typed"):
        await expect(page.locator(hidden)).to_be_hidden()
    await page.locator("#hits [data-point='0']").click()
    assert decode(await page.evaluate("location.href")).moves == tuple(GAME)
    shorter = encode(GameRecord(GAME[:3]))
    await page.evaluate("text => postMessage({ dvonn: text }, '*')", shorter)
    await expect(page.locator("#headline")).to_have_text("Black to place")
    await page.evaluate("text => { location.hash = text }", encode(GameRecord(GAME[:49])))
    await expect(page.locator("#headline")).to_have_text("White to move")


async def test_names_are_shown_in_one_line_as_text(game_windows: PageWindows) -> None:
    name = "<img src=x>\n\u202e" + "x" * 80
    page = await game_windows.window(
        f"#{encode(GameRecord(GAME[:3], {'White': name}))}", viewport=DESKTOP
    )
    await expect(page.locator("#players")).to_have_text(f"<img src=x>{'x' * 29} – Black")
    await page.set_viewport_size({"width": 320, "height": 640})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("link", ["2nonsense", "1M&__proto__=a~", "1M&White=a&White=b~", LINK[:50]])
async def test_a_link_with_no_game_says_so(game_windows: PageWindows, link: str) -> None:
    page = await game_windows.window(f"#{link}")
    await expect(page.locator("#details")).to_have_text("There is no game in this link.")
    await expect(page.locator("#headline")).to_have_text("White to place a red piece")


@pytest.mark.thorough("looks at many sizes, by axe, of one page")
async def test_axe_finds_nothing_grave_and_nothing_overflows(game_windows: PageWindows) -> None:
    page = await game_windows.window(f"#{LINK}", viewport=DESKTOP, reduced_motion="reduce")
    for size, scheme in VIEWS.values():
        await page.set_viewport_size(size)
        await page.emulate_media(color_scheme=scheme)
        assert await violations(page) == [], scheme
        assert await page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )


@pytest.mark.parametrize(
    ("headers", "headline", "details"),
    [
        ({"Result": "1-0", "Termination": "time"}, "White wins", "Black ran out of time"),
        ({"Result": "0-1", "Termination": "resignation"}, "Black wins", "White resigned"),
        ({"Result": "1/2-1/2", "Termination": "agreement"}, "A draw", "Draw agreed"),
        ({"Result": "1/2-1/2", "Termination": "time"}, "A draw", "Time ran out"),
        ({"Result": "*", "Termination": "abort"}, "No result", "The game was canceled"),
        ({}, "Black to move", ""),
    ],
)
async def test_a_game_that_is_over_says_so(
    game_windows: PageWindows, headers: dict[str, str], headline: str, details: str
) -> None:
    running = next(n for n in range(52, 75) if positions_of(GAME)[n].turn is Color.BLACK)
    page = await game_windows.window(
        f"#{encode(GameRecord(GAME[:running], headers))}", viewport=DESKTOP
    )
    await expect(page.locator("#headline")).to_have_text(headline)
    assert (await page.locator("#details").inner_text()).split(" · ")[0] == details
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator("#headline")).to_have_text(re.compile("to move"))


async def test_colors_are_drawn_and_names_change_no_direction(
    game_windows: PageWindows,
) -> None:
    link = encode(GameRecord(GAME[:60], {"White": "W" * 30, "Black": "محمد"}))
    page = await game_windows.window(f"#{link}", viewport={"width": 320, "height": 640})
    drawn = await page.locator("#counts svg").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-label'))"
    )
    assert drawn == ["White", "Black"]
    names = await page.locator("#counts bdi").all_inner_texts()
    assert names == ["W" * 30, "محمد"]
    assert await page.evaluate("document.documentElement.scrollWidth") <= 320
