"""The declaration of the feature."""

from bot.features.notes.handlers import ShareNotesButton, note, shared_comments
from bot.play.seams import Feature
from bot.replay.handlers.views import RECORD_COMMENTS

NOTES = Feature(
    name="notes",
    commands={3: (note,)},
    buttons=(ShareNotesButton,),
    extends=(RECORD_COMMENTS.extended_by(shared_comments),),
)
