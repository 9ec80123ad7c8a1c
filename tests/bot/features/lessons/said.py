"""What lessons say, as functions of whoever reads it."""

from tests.bot.features.lessons import taught
from tests.bot.play.said import Table

SAID: Table = {
    **taught.SAID,
}
