"""What boards tell of guesses, as tests read it."""

from bot.play.game_changes import Update
from club.guesses.hook import Revealed
from club.guesses.model import Reveal
from tests.bot.table import aftermath


def reveals_of(update: Update) -> tuple[Reveal, ...]:
    """What an update reveals."""
    found = aftermath(update, Revealed)
    return () if found is None else found.reveals
