"""The standings of a tournament and its games, page by page: as a picture, and in words."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.locales import Reader
from bot.messages.pictures import Standings, standings_picture
from bot.messages.posts import Button, ButtonStyle, Post, fit
from bot.messages.tournament_terms import button_id, how_far, player, title
from bot.model.ids import UserId
from bot.model.tournaments import (
    Format,
    Pairing,
    PairingResult,
    Standing,
    Tournament,
    as_played,
)
from dvonn import Color
from renderer import PAGE_ROWS, Cell, Table, TableRow, TieBreak, Went
from renderer.table import amount

_BY_GAME: Final = {Format.KNOCKOUT, Format.ARENA, Format.LADDER}
"""Where not everybody plays once in each round."""
_TIE_BREAKS: Final = {
    Format.ROUND_ROBIN: (TieBreak.SONNEBORN_BERGER, TieBreak.MARGIN),
    Format.SWISS: tuple(TieBreak),
}


def points_text(reader: Reader, points: float) -> str:
    """Points in words: "2½ points"."""
    return reader.ngettext("{points} point", "{points} points", 1 if points == 1 else 2).format(
        points=amount(points)
    )
