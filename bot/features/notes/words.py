"""Texts for notes."""

from collections.abc import Collection, Sequence

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, Post, escaped, join_within_limit, user
from bot.features.notes.store import Note
from bot.play.model.game import Game


def note_saved(reader: Reader, ply: int) -> Post:
    sentence = reader.gettext("Noted at move {number}. Only you can see it, with /note.")
    return Post(content=sentence.format(number=ply))


def notes_page(
    reader: Reader, game: Game, asker: UserId, notes: Sequence[Note], sharing: Collection[UserId]
) -> Post:
    """Return a player's notes on a game, and the opponent's if both share them."""
    other = game.opponent(asker)
    is_shared = {asker, other} <= set(sharing)
    visible = [note for note in notes if is_shared or note.player == asker]
    lines = [reader.gettext("**Notes on game #{game}**").format(game=game.row.id)]
    lines += [_line(note, named=is_shared) for note in visible]
    if not visible:
        lines.append(reader.gettext("None yet. /note with a text writes one."))
    if is_shared:
        lines.append(reader.gettext("You both share your notes, so they are in the record."))
    elif asker in sharing:
        sentence = reader.gettext("You share your notes. {player} sees them by sharing, too.")
        lines.append(sentence.format(player=user(other)))
    elif other in sharing:
        sentence = reader.gettext("{player} shares notes with you. Share yours to see them.")
        lines.append(sentence.format(player=user(other)))
    can_share = not (game.is_running or game.row.is_solo or asker in sharing)
    share = Button(reader.gettext("Share notes"), f"dvonn:notes:{game.row.id}:share")
    return Post(content=join_within_limit(reader, lines), buttons=(share,) if can_share else ())


def _line(note: Note, *, named: bool) -> str:
    name = f"{user(note.player)}: " if named else ""
    return f"**{note.ply}.** {name}{escaped(note.text)}"
