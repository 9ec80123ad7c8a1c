"""A whole game as one HTML file that needs no server and asks for nothing else.

Every position is in it, packed; a short script shows one after another. What it may do is told by
its own policy: nothing is loaded, nothing is sent, and no other script runs.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from dvonn import (
    Color,
    Coordinates,
    GameRecord,
    Move,
    Phase,
    PlyReview,
    Position,
    Review,
    format_move,
)
from renderer.animation import MOVE_MS
from renderer.caption import Caption, details, headline
from renderer.chart import chart
from renderer.chart_text_twin import describe_chart, told_turn, turning_points
from renderer.geometry import Layout
from renderer.look import DEFAULT, Look
from renderer.reel import Reel, reel_of
from renderer.text_twin import describe, numbered
from renderer.theme import BLACK, WHITE, Theme, mix
from renderer.vector import LETTERING, VIEW_WIDTH, defs, ink, moved, names, spaces, stacks
from renderer.words import Words

_CHART_PX: Final = 640


def replay_page(
    game: GameRecord | Reel,
    *,
    coordinates: Coordinates | None = None,
    caption: Caption | None = None,
    review: Review | None = None,
    look: Look = DEFAULT,
    language: str = "en",
) -> str:
    """Return a page that replays a game: by keys, by touch, by buttons, and by ear.

    A game with a review and as many moves as the rules allow makes at most 80 KiB.

    Args:
        game: a record, or a part of one (`Reel.of`, `Reel.line`).
        coordinates: how spaces are named, in place of the game's own system.
        caption: who plays, and how the game has ended, in place of what the game says.
        review: of the game, whose chart and verdicts are shown.
        look: the colours and the words.
        language: that of the words, as HTML has it: screen readers go by it.
    """
    reel = reel_of(game)
    reel = replace(
        reel,
        coordinates=coordinates or reel.coordinates,
        caption=reel.caption if caption is None else caption,
    )
    reviewed = review if review is not None and review.plies else None
    verdicts = {one.ply: one for one in reviewed.plies} if reviewed else {}
    words = look.words
    plies = [
        _ply(reel, number, position, last, verdicts, look)
        for number, (position, last) in enumerate(reel.steps())
    ]
    told = {"play": words.play, "pause": words.pause}
    data = json.dumps({"plies": plies, "words": told, "stepMs": MOVE_MS}, ensure_ascii=False)
    packed = base64.b64encode(zlib.compress(data.encode(), 9)).decode()
    script = part("stepping.js") + part("replay.js")
    style = colours(look.theme) + part("replay.css")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none';script-src 'sha256-{digest}';style-src 'unsafe-inline';img-src data:"
    )
    title = escape(_title(reel, words))
    return "".join(
        (
            f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            f"<title>{title}</title><style>{style}</style></head><body>",
            f"<main><h1>{title}</h1><section>",
            _shown(reel, plies[-1], look),
            controls(len(plies), words),
            _told(plies[-1], words),
            "</section><section>",
            "" if reviewed is None else _reviewed(reviewed, reel, look),
            _moves(reel, words),
            "</section></main>",
            f'<script type="application/octet-stream" id="plies">{packed}</script>',
            f"<script>{script}</script></body></html>",
        )
    )


def _ply(
    reel: Reel,
    number: int,
    position: Position,
    last: Move | None,
    verdicts: Mapping[int, PlyReview],
    look: Look,
) -> dict[str, str]:
    """Return the drawing of a position, and the words about it."""
    words, caption = look.words, reel.caption
    if number < len(reel.moves):
        caption = replace(caption, ending=None, winner=None)
    told = describe(
        position,
        coordinates=reel.coordinates,
        last=last,
        caption=caption,
        turned=look.turned,
        aids=False,
        words=words,
    )
    verdict = ""
    if last is not None and (one := verdicts.get(position.plies)) is not None:
        verdict = _verdict(one, reel, words)
    said = told.partition(words.on_board)[0].strip()
    return {
        "name": _name(reel, number, words),
        "moved": moved(last, look),
        "stacks": stacks(position, reel.coordinates, look),
        "headline": headline(position, words, caption),
        "details": " · ".join(details(position, words, caption)),
        "counts": _counts(position, caption, words),
        "verdict": verdict,
        "words": told,
        "said": f"{said} {verdict}".strip(),
    }


def _name(reel: Reel, number: int, words: Words) -> str:
    """Return a move as the list of moves has it."""
    if not number:
        return words.beginning
    before = reel.positions[0].plies - reel.caption.dealt
    return f"{before + number}. {format_move(reel.moves[number - 1], reel.coordinates)}"


def _counts(position: Position, caption: Caption, words: Words) -> str:
    if position.phase is Phase.PLACEMENT:
        return ""
    return " · ".join(
        f"{caption.name(color) or plain} {position.score(color)}"
        for color, plain in ((Color.WHITE, words.white), (Color.BLACK, words.black))
    )


def _verdict(one: PlyReview, reel: Reel, words: Words) -> str:
    """Tell a review's verdict about a move that gave something away."""
    if not one.best:
        return ""
    coordinates = reel.coordinates
    said = [f"{told_turn(one, coordinates, words, reel.caption)}."]
    if one.answer:
        first = one.ply - reel.caption.dealt + 1
        said.append(words.goes_on.format(moves=numbered(one.answer, coordinates, first)))
    said.append(words.better_move.format(move=format_move(one.best[0], coordinates)))
    return " ".join(said)


def _title(reel: Reel, words: Words) -> str:
    caption = reel.caption
    white, black = (
        caption.name(color) or plain
        for color, plain in ((Color.WHITE, words.white), (Color.BLACK, words.black))
    )
    return f"{white} – {black} · DVONN"


def _shown(reel: Reel, final: Mapping[str, str], look: Look) -> str:
    """Return the board and what is told above it, as the last position has it."""
    theme, layout = look.theme, Layout(VIEW_WIDTH)
    box = f"0 {layout.strip_height} {VIEW_WIDTH} {layout.height - layout.strip_height}"
    text = {name: escape(told) for name, told in final.items()}
    return (
        f'<div id="top"><p id="headline">{text["headline"]}</p>'
        f'<p id="counts">{text["counts"]}</p></div>'
        f'<p class="quiet" id="details">{text["details"]}</p>'
        f'<svg id="board" viewBox="{box}" role="img" aria-labelledby="title" {LETTERING}>'
        f'<title id="title">{text["headline"]}</title>'
        f'<rect width="100%" height="{layout.height}" fill="{ink(theme.canvas)}"/>'
        f"{defs(reel.positions, theme)}{spaces(theme)}"
        f'<g id="moved">{final["moved"]}</g>{names(reel.coordinates, look)}'
        f'<g id="stacks">{final["stacks"]}</g></svg>'
    )


def _told(final: Mapping[str, str], words: Words) -> str:
    """Return the lines below the board, whose length moves no button."""
    return (
        f'<p id="verdict">{escape(final["verdict"])}</p>'
        f"<details><summary>{escape(words.in_words)}</summary>"
        f'<p id="words">{escape(final["words"])}</p></details>'
        '<p class="hidden" id="said" role="status" aria-live="polite"></p>'
        f"<noscript><p>{escape(words.no_script)}</p></noscript>"
    )


def controls(count: int, words: Words) -> str:
    ways = (
        ("first", words.first),
        ("back", words.back),
        ("play", words.play),
        ("next", words.next),
        ("last", words.last),
    )
    buttons = "".join(
        f'<button type="button" id="{way}">{escape(word)}</button>' for way, word in ways
    )
    return (
        f'<div id="controls" hidden><div id="buttons">{buttons}</div>'
        f'<input type="range" id="slider" min="0" max="{count - 1}" value="{count - 1}"'
        f' aria-label="{escape(words.position)}"><p class="quiet">{escape(words.keys)}</p></div>'
    )


def _moves(reel: Reel, words: Words) -> str:
    items = "".join(
        f'<li><button type="button" data-ply="{number}">{escape(_name(reel, number, words))}'
        "</button></li>"
        for number in range(len(reel.positions))
    )
    return f'<h2>{escape(words.moves)}</h2><ol id="moves">{items}</ol>'


def _reviewed(review: Review, reel: Reel, look: Look) -> str:
    """Return the chart, and what it numbers."""
    words, coordinates = look.words, reel.coordinates
    caption = replace(reel.caption, scores=reel.scores)
    png = chart(
        review, coordinates=coordinates, caption=caption, look=replace(look, width_px=_CHART_PX)
    )
    told = describe_chart(review, coordinates=coordinates, caption=caption, words=words)
    source = "data:image/png;base64," + base64.b64encode(png).decode()
    before = reel.positions[0].plies
    turns = "".join(
        f'<li><button type="button" data-ply="{one.ply - before}">{number}: '
        f"{escape(told_turn(one, coordinates, words, caption))}</button></li>"
        for number, one in enumerate(turning_points(review), start=1)
    )
    return (
        f'<h2>{escape(words.review)}</h2><img src="{source}" alt="{escape(told)}">'
        f'<ol id="turns">{turns}</ol>'
    )


def colours(theme: Theme) -> str:
    """The colours of the page by night, and by day as they follow from them; or the reverse."""
    own = {
        "page": theme.canvas,
        "text": theme.text,
        "quiet": theme.quiet_text,
        "panel": theme.chart_ground,
        "focus": theme.accent,
    }
    far = BLACK if theme.light else WHITE
    other = {
        "page": mix(theme.canvas, far, 0.97),
        "text": theme.canvas,
        "quiet": mix(theme.canvas, far, 0.25),
        "panel": mix(theme.canvas, far, 0.86),
        "focus": mix(theme.accent, theme.accent_edge, 0.55),
    }
    day, night = (
        ":root{" + "".join(f"--{name}:{ink(colour)};" for name, colour in colours.items()) + "}"
        for colours in ((own, other) if theme.light else (other, own))
    )
    return f"{day}@media (prefers-color-scheme:dark){{{night}}}"


@cache
def part(name: str) -> str:
    """Return a file of the page that lies beside this one."""
    return (files("renderer") / name).read_text(encoding="utf-8")
