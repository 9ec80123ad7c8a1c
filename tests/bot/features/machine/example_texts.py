"""Examples of texts about the machine's silence."""

from dataclasses import replace
from datetime import timedelta

from bot.features.machine.words import silence_notice
from tests.bot.play.example_texts import THINKS, ExampleTexts

EXAMPLE_TEXTS: ExampleTexts = {
    "silence_notice": lambda who: [
        silence_notice(who, replace(THINKS, row=replace(THINKS.row, vote=vote)))
        for vote in (None, timedelta(hours=1))
    ],
}
