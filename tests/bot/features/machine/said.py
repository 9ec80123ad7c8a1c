"""Examples of texts about the machine's silence."""

from dataclasses import replace
from datetime import timedelta

from bot.features.machine.words import silent
from tests.bot.play.said import THINKS, Table

SAID: Table = {
    "silent": lambda who: [
        silent(who, replace(THINKS, row=replace(THINKS.row, vote=vote)))
        for vote in (None, timedelta(hours=1))
    ],
}
