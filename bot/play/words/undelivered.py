"""Texts about games that wait because their boards can't be sent."""

from bot.base.formats import and_list
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import channel, user
from bot.play.model.game import Game
from bot.play.words.events import result
from bot.play.words.names import name_of


def undelivered(
    reader: Reader, game: Game, person: UserId, missing: tuple[str, ...], *, with_name: bool
) -> str:
    """Explain why a game waits for its board, and what to do. `with_name` names the person."""
    sentences = [user(person)] if with_name else []
    sentences.append(_game_line(reader, game, person))
    sentences.append(_reason_line(reader, game, missing))
    if game.is_running:
        sentences.append(reader.gettext("No time runs until then."))
        if person in (game.row.white, game.row.black):
            sentences.append(reader.gettext("/board shows you the board there, and /move plays."))
    return " ".join(sentences)


def channel_deleted_notice(reader: Reader, game: Game, player: UserId) -> str:
    return reader.gettext(
        "Your game against {opponent} has lost its channel. It's rated, so it goes on here: use "
        "the buttons. In the server, /games finds it, too."
    ).format(opponent=name_of(game, game.opponent(player)))


def _game_line(reader: Reader, game: Game, person: UserId) -> str:
    row = game.row
    if game.outcome is not None:
        over = reader.gettext("The game {white} – {black} is over: {result}")
        return over.format(
            white=user(row.white), black=user(row.black), result=result(reader, game, game.outcome)
        )
    if person in (row.white, row.black):
        return reader.gettext("Your game against {opponent} waits.").format(
            opponent=name_of(game, game.opponent(person))
        )
    return reader.gettext("The game {white} – {black} waits.").format(
        white=user(row.white), black=user(row.black)
    )


def _reason_line(reader: Reader, game: Game, missing: tuple[str, ...]) -> str:
    mention = channel(game.row.channel)
    if missing:
        return reader.ngettext(
            "I can't post in {channel}: I need the permission {permissions}. Please ask a "
            "moderator, and it goes on.",
            "I can't post in {channel}: I need the permissions {permissions}. Please ask a "
            "moderator, and it goes on.",
            len(missing),
        ).format(channel=mention, permissions=and_list(reader, map(reader.gettext, missing)))
    if game.row.own_thread:
        return reader.gettext(
            "I can't post in {channel}. Perhaps that thread is closed: a moderator can open it."
        ).format(channel=mention)
    return reader.gettext("I can't post in {channel} right now. I keep trying.").format(
        channel=mention
    )
