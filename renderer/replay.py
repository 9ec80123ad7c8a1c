"""A game as a single HTML file that needs no server and loads nothing else.

It is the page from `renderer.game_page` with one game embedded. The reader can step through all
plies and their comments, and try other moves at any of them.
"""

import base64
from collections.abc import Mapping
from dataclasses import replace
from html import escape
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
from dvonn._records.record_text import RESULT, TERMINATION, WON_BY
from renderer.caption import Caption, Ending, details, headline
from renderer.chart_text_twin import describe_chart, turning_point_text, turning_points
from renderer.game_page import EmbeddedGame, game_page
from renderer.look import DEFAULT, Look
from renderer.reel import Reel, reel_of
from renderer.review_chart import chart
from renderer.text_twin import describe, numbered
from renderer.vector import disc
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
    """Return a page that replays a game, usable by keyboard, touch, mouse or screen reader.

    The page has at most 80 KiB, even for the longest possible game with a review.

    Args:
        game: A record, or a part of one (`Reel.from_record`, `Reel.line`).
        coordinates: Coordinate system of the names of spaces, in place of the game's own.
        caption: The players' names and the ending, in place of the game's own.
        review: A review of the game, whose chart and verdicts are added, or None.
        look: Colors and texts.
        language: Language of the texts as an HTML language code, for screen readers.
    """
    reel = reel_of(game)
    reel = replace(
        reel,
        coordinates=coordinates or reel.coordinates,
        caption=reel.caption if caption is None else caption,
    )
    reviewed = review if review is not None and review.plies else None
    verdicts = {ply.ply: ply for ply in reviewed.plies} if reviewed else {}
    steps = tuple(reel.steps())
    page_game = EmbeddedGame(
        title=_title(reel, look.words),
        record=_record(reel),
        first=reel.positions[0].plies - reel.caption.dealt,
        plies=[
            _ply(reel, number, position, last, verdicts, look)
            for number, (position, last) in enumerate(steps)
        ],
        end=steps[-1],
        caption=reel.caption,
        review="" if reviewed is None else _reviewed(reviewed, reel, look),
    )
    return game_page(page_game, look=look, language=language)


def _record(reel: Reel) -> GameRecord:
    """Return the game as a record, for encoding in the page's link."""
    caption = reel.caption
    headers = {"White": caption.white, "Black": caption.black}
    headers = {tag: name for tag, name in headers.items() if name}
    if caption.ending is not None and reel.positions[-1].turn is not None:
        headers[TERMINATION] = caption.ending
        if caption.ending is not Ending.ABORT:
            headers[RESULT] = WON_BY[caption.winner]
    return GameRecord(reel.moves, headers, reel.coordinates, start=reel.positions[0])


def _ply(
    reel: Reel,
    number: int,
    position: Position,
    last: Move | None,
    verdicts: Mapping[int, PlyReview],
    look: Look,
) -> dict[str, str]:
    """Return the texts about a position by HTML element id."""
    words, caption = look.words, reel.caption
    if number < len(reel.moves):
        caption = replace(caption, ending=None, winner=None)
    description = describe(
        position,
        coordinates=reel.coordinates,
        last=last,
        caption=caption,
        turned=look.turned,
        aids=False,
        words=words,
    )
    verdict = ""
    if last is not None and (review := verdicts.get(position.plies)) is not None:
        verdict = _verdict(review, reel, words)
    text = description.partition(words.on_board)[0].strip()
    return {
        "headline": headline(position, words, caption),
        "details": " · ".join(details(position, words, caption)),
        "counts": counts(position, caption, look),
        "verdict": verdict,
        "words": description,
        "said": f"{text} {verdict}".strip(),
    }


def counts(position: Position, caption: Caption, look: Look) -> str:
    """Return the players with their pieces and counts, as HTML."""
    placing = position.phase is Phase.PLACEMENT
    return " · ".join(
        f"{disc(color, look)}&nbsp;<bdi>{escape(caption.name(color) or plain)}</bdi>"
        + ("" if placing else f" {position.score(color)}")
        for color, plain in ((Color.WHITE, look.words.white), (Color.BLACK, look.words.black))
    )


def _verdict(review: PlyReview, reel: Reel, words: Words) -> str:
    """Return the text of a review's verdict on a costly move."""
    if not review.best:
        return ""
    coordinates = reel.coordinates
    sentences = [f"{turning_point_text(review, coordinates, words, reel.caption)}."]
    if review.answer:
        first = review.ply - reel.caption.dealt + 1
        sentences.append(words.goes_on.format(moves=numbered(review.answer, coordinates, first)))
    sentences.append(words.better_move.format(move=format_move(review.best[0], coordinates)))
    return " ".join(sentences)


def _title(reel: Reel, words: Words) -> str:
    caption = reel.caption
    white, black = (
        caption.name(color) or plain
        for color, plain in ((Color.WHITE, words.white), (Color.BLACK, words.black))
    )
    return f"{white} – {black} · DVONN"


def _reviewed(review: Review, reel: Reel, look: Look) -> str:
    """Return the review's chart and the list of its numbered plies, as HTML."""
    words, coordinates = look.words, reel.coordinates
    caption = replace(reel.caption, scores=reel.scores)
    png = chart(
        review, coordinates=coordinates, caption=caption, look=replace(look, width_px=_CHART_PX)
    )
    description = describe_chart(review, coordinates=coordinates, caption=caption, words=words)
    source = "data:image/png;base64," + base64.b64encode(png).decode()
    before = reel.positions[0].plies
    turns = "".join(
        f'<li><button type="button" data-turn="{ply.ply - before}">{number}: '
        f"{escape(turning_point_text(ply, coordinates, words, caption))}</button></li>"
        for number, ply in enumerate(turning_points(review), start=1)
    )
    return (
        f'<h2>{escape(words.review)}</h2><img src="{source}" alt="{escape(description)}">'
        f'<ol id="turns">{turns}</ol>'
    )
