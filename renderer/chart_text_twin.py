"""The text twin of a review's chart, for people who can't see it: turning points and curves."""

from collections.abc import Sequence
from typing import Final

from dvonn import Color, Coordinates, Grade, PlyReview, Review, format_move
from renderer.caption import NO_CAPTION, Caption
from renderer.words import ENGLISH, Words

TURNS_LIMIT: Final = 6
"""Maximum number of numbered turning points."""


def turning_points(review: Review) -> tuple[PlyReview, ...]:
    """Return the costliest plies, at most TURNS_LIMIT of them, in the order of play.

    They are numbered from 1 in the chart and in its text twin.
    """
    dearest = sorted(review.marked, key=lambda ply: -ply.loss)[:TURNS_LIMIT]
    return tuple(sorted(dearest, key=lambda ply: ply.ply))


def describe_chart(
    review: Review,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    caption: Caption = NO_CAPTION,
    words: Words = ENGLISH,
) -> str:
    """Describe a chart: how the winning chance and the lead changed, and each turning point.

    With ENGLISH texts and shortened names, it fits into the 1024 characters of a Discord alt text.

    Raises:
        ValueError: if the game has no movements.
    """
    if not review.plies:
        raise ValueError("the review has no movements")
    first, last = review.plies[0], review.plies[-1]
    sentences = [
        words.chance_course.format(
            chance=title(words.player_chance, words.your_chance, caption, words),
            first=first.before.percent_for(side(caption)),
            last=last.after.percent_for(side(caption)),
        )
    ]
    if len(leads := leads_of(caption)) > 1:
        sentences.append(_course(leads, caption, words))
    for number, ply in enumerate(turning_points(review), start=1):
        sentence = turning_point_text(ply, coordinates, words, caption)
        sentences.append(words.turn.format(number=number, what=sentence))
    if review.exact_from is not None:
        number = review.exact_from - caption.dealt
        sentences.append(words.exact_from.format(number=number))
    return " ".join(sentences)


def turning_point_text(
    ply: PlyReview, coordinates: Coordinates, words: Words, caption: Caption
) -> str:
    """Return a turning point as text, such as "63. c4-c2 · Blunder"."""
    grade = {
        Grade.INACCURACY: words.inaccuracy,
        Grade.MISTAKE: words.mistake,
        Grade.BLUNDER: words.blunder,
    }[ply.grade]
    return f"{ply.ply - caption.dealt}. {format_move(ply.played, coordinates)} · {grade}"


def side(caption: Caption) -> Color:
    """Return the player whose winning chance and lead a chart shows: the reader, or else White."""
    return caption.you or Color.WHITE


def leads_of(caption: Caption) -> list[int]:
    """Return the lead in pieces after each move, as a chart shows it."""
    sign = 1 if side(caption) is Color.WHITE else -1
    return [sign * (white - black) for white, black in caption.scores]


def title(named: str, yours: str, caption: Caption, words: Words) -> str:
    """Return a panel's title, which names the player that the chart shows."""
    if caption.you is not None:
        return yours
    return named.replace("{player}", caption.name(Color.WHITE) or words.white)


def signed(lead: int) -> str:
    """Return a lead as charts show it: "+3", "−3" or "0"."""
    return f"{lead:+d}".replace("-", "−") if lead else "0"


def _course(leads: Sequence[int], caption: Caption, words: Words) -> str:
    """Describe how the lead changed from move to move."""
    return title(words.player_lead_course, words.your_lead_course, caption, words).format(
        first=signed(leads[0]),
        last=signed(leads[-1]),
        least=signed(min(leads)),
        most=signed(max(leads)),
    )
