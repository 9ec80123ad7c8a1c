"""A web page for playing, exploring and showing games. A link contains the whole game.

Any host can serve the file.

    python -m renderer.game_page dvonn.html

The game follows the number sign in the page's URL, in the format of `dvonn.link`:
`dvonn.html#1CKf&White=Ann~`. With `?embed` the page shows only the board and its buttons, for a
frame in another page. With `?overlay` it shows only the board on a transparent background, for a
stream. In both modes, the board changes when the link changes, or when the surrounding page posts
`{"dvonn": "1CKf~"}`. At each step, a page in a frame posts `{"dvonn": {"link": "1CKf~", "ply": 2,
"move": "b1"}}` to the surrounding page. These are the whole line, the ply that is shown, and the
move that led there (null at the start).

The page's own script implements the rules and draws the board. It loads nothing else and sends
nothing to a server. `replay_page` returns a page with an embedded game and comments on its plies.

The rules are 6 KB of JavaScript, which tests compare with the Python library. Running the library
itself in a browser would require Pyodide. Its version 314 is 13 MB and took 5.6 and 6.0 s of CPU
time to start from disk (28 November 2026, node 20).
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from dvonn import POINTS, Coordinates, GameRecord, Move, Position
from dvonn.link import encode
from dvonn.svg.fragments import LETTERING, VIEW_WIDTH, defs, ink, moved, names, spaces, stacks
from dvonn.svg.geometry import Layout
from dvonn.svg.theme import BLACK, WHITE, Theme, mix
from renderer.animation import MOVE_MS
from renderer.caption import Caption
from renderer.look import DEFAULT, Look
from renderer.scene import Scene
from renderer.vector import board_of, kit
from renderer.words import Words

_SENTENCES: Final = (
    *("to_place", "to_place_red", "to_move", "wins", "passed", "resigned", "out_of_time"),
    *("draw", "no_result", "time_over", "agreed", "aborted"),
    *("cut_off", "white", "black", "lost"),
    *("play", "pause", "beginning", "not_legal", "bad_link", "copy_link", "link_copied"),
    *("copy_move", "move_copied"),
)
"""Names of the `Words` fields that the page's script needs."""
_NOTHING: Final = dict.fromkeys(("headline", "counts", "details", "verdict", "words"), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedGame:
    """A game embedded in a page, with texts about it.

    Attributes:
        title: Title of the page.
        record: The game. The page uses its coordinates.
        first: Number of plies before the first position that is shown.
        plies: Texts about each position, by HTML element id.
        end: The last position and the move that led to it.
        caption: The players and the ending.
        review: HTML to show beside the board.
    """

    title: str
    record: GameRecord
    first: int
    plies: Sequence[Mapping[str, str]]
    end: tuple[Position, Move | None]
    caption: Caption
    review: str


def game_page(
    game: EmbeddedGame | None = None, *, look: Look = DEFAULT, language: str = "en"
) -> str:
    """Return the page as HTML.

    Args:
        game: The game to show if the URL contains none.
        look: Colors and texts.
        language: Language of the texts, as an HTML language code.
    """
    words, title = look.words, escape("DVONN" if game is None else game.title)
    packed = base64.b64encode(zlib.compress(_data(game, look).encode(), 9)).decode()
    script = _part("rules.js") + _part("stepping.js") + _part("game.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none';script-src 'sha256-{digest}';style-src 'unsafe-inline';img-src data:"
    )
    style = _colors(look.theme) + _part("game.css")
    return "".join(
        (
            f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            f"<title>{title}</title><style>{style}</style></head><body>",
            f'<main><h1 id="players">{title}</h1><section>',
            _board(game, look),
            _controls(words),
            _move_form(words),
            _text_below(game, words),
            "</section><section>",
            "" if game is None else f'<div id="review">{game.review}</div>',
            f'<div id="list"><h2>{escape(words.moves)}</h2><ol id="moves"></ol></div>',
            f'</section></main><script type="application/octet-stream" id="data">{packed}</script>',
            f"<script>{script}</script></body></html>",
        )
    )


def _data(game: EmbeddedGame | None, look: Look) -> str:
    """Return the data for the script as JSON."""
    data = {
        "kit": kit(look),
        "labels": {
            coordinates.value: [coordinates.label(point) for point in POINTS]
            for coordinates in Coordinates
        },
        "stepMs": MOVE_MS,
        "turned": look.turned,
        "words": {name: _plain(getattr(look.words, name)) for name in _SENTENCES},
    }
    if game is not None:
        data["own"] = {
            "title": game.title,
            "link": encode(game.record),
            "first": game.first,
            "plies": list(map(dict, game.plies)),
        }
    return json.dumps(data, ensure_ascii=False)


def _plain(value: object) -> object:
    return value if isinstance(value, str) else asdict(value)  # type: ignore[call-overload]


def _board(game: EmbeddedGame | None, look: Look) -> str:
    """Return the final board and the text above it, which are shown if scripts are disabled."""
    theme, layout = look.theme, Layout(VIEW_WIDTH)
    box = f"0 {layout.strip_height} {VIEW_WIDTH} {layout.height - layout.strip_height}"
    ply = _NOTHING if game is None else game.plies[-1]
    text = {name: value if name == "counts" else escape(value) for name, value in ply.items()}
    kinds, ground, labels, drawn = "", "", "", ""
    if game is not None:
        position, last = game.end
        scene = Scene(position, game.record.coordinates, last, None, game.caption, aids=False)
        board = board_of(scene, look)
        kinds, ground = defs((position,), theme), moved(board)
        labels, drawn = names(board), stacks(board)
    return (
        f'<div id="top"><p id="headline">{text["headline"]}</p>'
        f'<p id="counts">{text["counts"]}</p></div>'
        f'<p class="quiet" id="details">{text["details"]}</p>'
        f'<svg id="board" viewBox="{box}" role="img" aria-labelledby="title" {LETTERING}>'
        f'<title id="title">{text["headline"]}</title>'
        f'<rect id="ground" width="100%" height="{layout.height}" fill="{ink(theme.canvas)}"/>'
        f"{kinds or defs((), theme)}{spaces(theme)}"
        f'<g id="moved">{ground}</g><g id="names">{labels}</g><g id="stacks">{drawn}</g>'
        '<g id="hits"></g></svg>'
    )


def _controls(words: Words) -> str:
    ways = ("first", "back", "play", "next", "last")
    buttons = _buttons({way: getattr(words, way) for way in ways})
    return (
        f'<div id="controls" hidden><div id="buttons">{buttons}</div>'
        '<input type="range" id="slider" min="0" max="0" value="0"'
        f' aria-label="{escape(words.position)}"><p class="quiet">{escape(words.keys)}</p></div>'
    )


def _move_form(words: Words) -> str:
    """Return the move form and the players' buttons as HTML."""
    ways = {
        "return": words.back_to_game,
        "undo": words.undo,
        "turn": words.turn_round,
        "copy": words.copy_link,
        "copy_move": "",
        "fill": words.fill,
        "new": words.new_game,
    }
    return (
        f'<form id="typed" hidden><label for="text">{escape(words.your_move)}</label>'
        '<input id="text" autocomplete="off" autocapitalize="none" maxlength="10">'
        f"<button>{escape(words.enter_move)}</button></form>"
        f'<div id="ways" hidden>{_buttons(ways)}</div>'
    )


def _buttons(ways: Mapping[str, str]) -> str:
    return "".join(
        f'<button type="button" id="{name}">{escape(word)}</button>' for name, word in ways.items()
    )


def _text_below(game: EmbeddedGame | None, words: Words) -> str:
    """Return the lines of text below the board, where their length does not move any button."""
    ply = _NOTHING if game is None else game.plies[-1]
    return (
        f'<p id="verdict">{escape(ply["verdict"])}</p>'
        f'<details id="aloud"{" hidden" * (game is None)}>'
        f"<summary>{escape(words.in_words)}</summary>"
        f'<p id="words">{escape(ply["words"])}</p></details>'
        '<p class="hidden" id="said" role="status" aria-live="polite"></p>'
        f"<noscript><p>{escape(words.no_script)}</p></noscript>"
    )


def _colors(theme: Theme) -> str:
    """Return the CSS of the page's dark colors, and of light ones derived from them.

    In a light theme, the page's light colors are the theme's, and the dark ones are derived.

    Printed pages always use the light colors.
    """
    own_colors = {
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
        ":root{" + "".join(f"--{name}:{ink(color)};" for name, color in colors.items()) + "}"
        for colors in ((own_colors, other) if theme.light else (other, own_colors))
    )
    chart = "" if theme.light else "#review img{filter:invert(1) hue-rotate(180deg)}"
    return f"{day}@media (prefers-color-scheme:dark){{{night}}}@media print{{{day}{chart}}}"


@cache
def _part(name: str) -> str:
    """Return the content of one of the page's source files, without comments."""
    lines = (files("renderer") / name).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.lstrip().startswith("// "))
