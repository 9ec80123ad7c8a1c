"""Texts about guesses on boards, as tests read them."""

from bot.play.game_changes import GameUpdate
from club.guesses.hook import GuessAddition
from club.guesses.model import Reveal
from tests.bot.table import aftermath


def reveals_of(update: GameUpdate) -> tuple[Reveal, ...]:
    """Return what an update reveals."""
    found = aftermath(update, GuessAddition)
    return () if found is None else found.reveals
