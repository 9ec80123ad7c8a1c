"""The words on a game without a clock that lies, or may."""

from bot.base.ids import UserId
from bot.base.locales import Reader
from bot.connection.posts import ButtonStyle, Post, user
from bot.play.model.game import Game
from bot.play.use_cases.deadlines import PATIENCE
from bot.play.words.buttons import board_button


def lies_line(reader: Reader, game: Game) -> list[str]:
    """Tell the future of a game without a clock that lies; no line if nothing happens.

    A team's votes end its game.
    """
    row, days = game.row, PATIENCE.days
    if row.vote is not None or (row.machine is not None and not row.claimable):
        return []
    if row.machine is not None:
        words = reader.ngettext(
            "If {player} doesn't move for {days} day, the game is lost.",
            "If {player} doesn't move for {days} days, the game is lost.",
            days,
        )
        return [words.format(player=user(game.opponent(row.machine)), days=days)]
    words = (
        reader.ngettext(
            "If nobody moves for {days} day, the waiting player can claim the win.",
            "If nobody moves for {days} days, the waiting player can claim the win.",
            days,
        )
        if row.claimable
        else reader.ngettext(
            "If nobody moves for {days} day, the waiting player can end it without a result.",
            "If nobody moves for {days} days, the waiting player can end it without a result.",
            days,
        )
    )
    return [words.format(days=days)]


def left_alone(reader: Reader, game: Game, gone: UserId) -> str:
    """Say what a player can do whose opponent lets the game lie."""
    waiting = game.opponent(gone)
    sentence = (
        reader.gettext("{player}, you can keep waiting, claim the win, or press Abort: no result.")
        if game.may_claim(waiting)
        else reader.gettext("{player}, you can keep waiting, or press Abort: no result.")
        if game.choosing is not None
        else reader.gettext(
            "{player}, you can keep waiting, or press Abort: no result, and you can continue "
            "against the bot."
        )
    )
    return sentence.format(player=user(waiting))


def confirm_claim(reader: Reader, game: Game, asker: UserId) -> Post:
    """Return the question before somebody wins a game that the other lets lie."""
    words = has_not_moved(reader, game.opponent(asker)), reader.gettext("Claim the win?")
    return Post(
        content=" ".join(words),
        buttons=(
            board_button(game, reader.gettext("Yes, claim it"), "claim-yes", ButtonStyle.SUCCESS),
            board_button(game, reader.gettext("Keep waiting"), "resign-no"),
        ),
    )


def ended_lying(reader: Reader, gone: UserId, actor: str) -> str:
    """Tell that somebody has ended a game without a result that another player let lie."""
    return reader.ngettext(
        "{player} ended this game: {gone} had not moved for {days} day.",
        "{player} ended this game: {gone} had not moved for {days} days.",
        PATIENCE.days,
    ).format(player=actor, gone=user(gone), days=PATIENCE.days)


def has_not_moved(reader: Reader, gone: UserId) -> str:
    """Say why a game was claimed as won."""
    return reader.ngettext(
        "{player} hasn't moved for {days} day.",
        "{player} hasn't moved for {days} days.",
        PATIENCE.days,
    ).format(player=user(gone), days=PATIENCE.days)


def nobody_moved(reader: Reader) -> str:
    """Say that a game lies."""
    return reader.ngettext(
        "No move for {days} day.",
        "No move for {days} days.",
        PATIENCE.days,
    ).format(days=PATIENCE.days)
