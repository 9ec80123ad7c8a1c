"""A page that plays, explores and shows games, each in its own link; a file that any host serves.

    python -m renderer.game_page dvonn.html

The game stands behind the page's number sign, as `dvonn.link` has it: `dvonn.html#1MUp&White=Ann`.
With `?embed` it is only the board and its buttons, for a frame in another page; with `?overlay` the
board alone on no ground, for a stream. Both follow when the link changes, or when the page around
them posts `{"dvonn": "1MUp"}`. Rules and drawing are a script of the page itself: nothing is
loaded, and nothing is sent.

The rules are 6 KB of JavaScript that tests hold to the library's, and not the library itself:
Pyodide 314 is 13 MB, and took 5.6 and 6.0 s of a processor to start from a disk (28 November 2026,
node 20).
"""

import argparse
import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path

from dvonn import POINTS, Coordinates
from renderer.animation import MOVE_MS
from renderer.geometry import Layout
from renderer.look import DEFAULT, Look
from renderer.replay import colours, controls, part
from renderer.vector import LETTERING, VIEW_WIDTH, defs, ink, kit, spaces


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePageWords:
    """The words of the page that no picture has."""

    title: str = "DVONN"
    new_game: str = "New game"
    fill: str = "Fill the board"
    undo: str = "Undo"
    turn_round: str = "Turn the board"
    copy: str = "Copy the link"
    copied: str = "The link is copied."
    back_to_game: str = "Back to the game"
    your_move: str = "Your move, such as d2 or d2-d4"
    enter: str = "Play it"
    not_legal: str = "{move} isn't possible here."
    bad_link: str = "There is no game in this link."
    move: str = "Move"
    start: str = "Start"


def game_page(
    *, look: Look = DEFAULT, words: GamePageWords | None = None, language: str = "en"
) -> str:
    """Return the page.

    Args:
        look: the colours and the words.
        words: those that `look` does not have.
        language: that of the words, as HTML has it.
    """
    own, said = words or GamePageWords(), look.words
    data = {
        "kit": kit(look),
        "labels": {
            coordinates.value: [coordinates.label(point) for point in POINTS]
            for coordinates in Coordinates
        },
        "stepMs": MOVE_MS,
        "cell": ink(look.theme.cell_label),
        "words": asdict(own)
        | {name: asdict(getattr(said, name)) for name in ("to_place", "to_place_red", "to_move")}
        | {name: asdict(getattr(said, name)) for name in ("wins", "passed")}
        | {name: getattr(said, name) for name in ("draw", "counted", "cut_off", "play", "pause")}
        | {name: getattr(said, name) for name in ("white", "black", "white_lost", "black_lost")},
    }
    # Between the tags of a script only this could end it.
    packed = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    script = "".join(
        (part("rules.js"), part("stepping.js"), f"const page = {packed};\n", part("game.js"))
    )
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none';script-src 'sha256-{digest}';style-src 'unsafe-inline'"
    style = colours(look.theme) + part("replay.css") + part("game.css")
    return "".join(
        (
            f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            f"<title>{escape(own.title)}</title><style>{style}</style></head><body>",
            f'<main><h1 id="players">{escape(own.title)}</h1><section>',
            _board(look),
            controls(1, said),
            _buttons(own),
            '<p class="hidden" id="said" role="status" aria-live="polite"></p>',
            f"<noscript><p>{escape(said.no_script)}</p></noscript></section>",
            f'<section id="list"><h2>{escape(said.moves)}</h2><ol id="moves"></ol></section>',
            f"</main><script>{script}</script></body></html>",
        )
    )


def _board(look: Look) -> str:
    theme, layout = look.theme, Layout(VIEW_WIDTH)
    box = f"0 {layout.strip_height} {VIEW_WIDTH} {layout.height - layout.strip_height}"
    return (
        '<div id="top"><p id="headline"></p><p id="counts"></p></div>'
        '<p class="quiet" id="details"></p>'
        f'<svg id="board" viewBox="{box}" role="img" aria-labelledby="title" {LETTERING}>'
        '<title id="title"></title>'
        f'<rect id="ground" width="100%" height="{layout.height}" fill="{ink(theme.canvas)}"/>'
        f"{defs((), theme)}{spaces(theme)}"
        '<g id="moved"></g><g id="names"></g><g id="stacks"></g><g id="hits"></g></svg>'
    )


def _buttons(words: GamePageWords) -> str:
    ways = {
        "new": words.new_game,
        "fill": words.fill,
        "undo": words.undo,
        "turn": words.turn_round,
        "copy": words.copy,
        "return": words.back_to_game,
    }
    buttons = "".join(
        f'<button type="button" id="{name}">{escape(word)}</button>' for name, word in ways.items()
    )
    return (
        f'<form id="typed"><label for="text">{escape(words.your_move)}</label>'
        '<input id="text" autocomplete="off" autocapitalize="none" maxlength="10">'
        f"<button>{escape(words.enter)}</button></form>"
        f'<div id="ways">{buttons}</div>'
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page into a file."""
    parser = argparse.ArgumentParser(prog="python -m renderer.game_page", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", type=Path)
    parser.parse_args(arguments).file.write_text(game_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
