"""Examples of texts about notes."""

from dataclasses import replace

from bot.features.notes.store import Note
from bot.features.notes.words import note_saved, notes_page
from bot.play.model.events import Resigned
from tests.bot.play.example_texts import ExampleTexts
from tests.bot.replayed import ANN, BOB, play, started, step

GAME = step(play(started(), "d2", "e2")[0], Resigned(), ANN)[0]
NOTES = (Note(ANN, 1, "Ŵĥý *ñöţ*"), Note(BOB, 2, "Ĥḿ"))

EXAMPLE_TEXTS: ExampleTexts = {
    "note_saved": lambda who: note_saved(who, 3),
    "notes_page": lambda who: [
        *(
            notes_page(who, GAME, ANN, NOTES, sharing)
            for sharing in ((), (ANN,), (BOB,), (ANN, BOB))
        ),
        notes_page(who, replace(GAME), ANN, (), ()),
    ],
}
