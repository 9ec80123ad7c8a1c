"""Short private answers, and messages about problems."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from enum import StrEnum

from bot.base.formats import and_list, number_text
from bot.base.ids import GuildId, UserId
from bot.base.languages import Reader
from bot.connection.posts import (
    Button,
    ButtonStyle,
    Post,
    channel,
    due,
    join_within_limit,
    link,
    timestamp,
    user,
)
from bot.connection.words import done
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.offer_events import OfferMade
from bot.play.model.pauses import PauseReason
from bot.play.use_cases.own_games import ListedGame
from bot.play.words.names import name_of
from bot.play.words.views import board_button


def will_be_played(reader: Reader) -> str:
    return reader.gettext(
        "I can't save right now. Moves typed here will be played as soon as I can."
    )


class Notice(StrEnum):
    """Kinds of notices in a channel. Each has its own button below it."""

    SET_BACK = "set-back"
    READ_IN_PART = "in-part"

    @property
    def button_id(self) -> str:
        """The button's custom id, which lets the bot recognize its own notices."""
        return f"dvonn:notice:{self}"


def set_back(reader: Reader) -> Post:
    """Return the notice that the channel's newest turns are missing from a restored backup."""
    words = reader.gettext(
        "I was restored from a backup, so the last moves by buttons or commands are lost. Please "
        "go on from this board."
    )
    return _notice(reader, Notice.SET_BACK, words)


def read_in_part(reader: Reader, limit: int, age: timedelta) -> Post:
    words = reader.ngettext(
        "I couldn't read this channel for a while. Now I've read the last {most} messages, from "
        "{days} day. Did you type a move before that? Please type it again.",
        "I couldn't read this channel for a while. Now I've read the last {most} messages, from "
        "{days} days. Did you type a move before that? Please type it again.",
        age.days,
    ).format(most=number_text(reader, limit), days=age.days)
    return _notice(reader, Notice.READ_IN_PART, words)


def cannot_read(reader: Reader, bot: UserId) -> str:
    return reader.gettext(
        "Was that a move? I can't read it here. Use the buttons or /move. Or reply to the board "
        "(keep @ ON), or begin with {mention}."
    ).format(mention=user(bot))


def not_posted(reader: Reader, missing: tuple[str, ...]) -> str:
    if not missing:
        return reader.gettext("Your move counts. The board comes as soon as I can post it.")
    return reader.ngettext(
        "Your move counts, but I can't post the board. I need this permission here: "
        "{permissions}. Please ask a moderator.",
        "Your move counts, but I can't post the board. I need these permissions here: "
        "{permissions}. Please ask a moderator.",
        len(missing),
    ).format(permissions=and_list(reader, map(reader.gettext, missing)))


def _notice(reader: Reader, notice: Notice, words: str) -> Post:
    return Post(
        content=words, buttons=(Button(reader.gettext("Show the board"), notice.button_id),)
    )


def while_visiting(reader: Reader, clock: TimeControl | None) -> list[str]:
    lines = [
        reader.gettext(
            "I'm only visiting here, so I can't see what you type. Play with the buttons or /move."
        )
    ]
    if clock is not None:
        lines.append(
            reader.gettext(
                "If someone's time runs out, I can only say so when you press a button here. "
                "Reminders come by direct message."
            )
        )
    return lines


def not_shown(reader: Reader) -> str:
    return reader.gettext(
        "Your move counts. Everyone sees the board once one of you presses a button here."
    )


def only_privately(reader: Reader) -> str:
    return reader.gettext(
        "In this server only you would see the game. Play in a direct message or a group, or ask "
        "a moderator to add me."
    )


def action_receipt(reader: Reader, update: GameUpdate) -> Post:
    game, applied = update.game, update.events[0]  # automatic moves follow it
    match applied.event.data:
        case OfferMade() if game.row.is_solo and game.asked is not None:
            words = reader.gettext("I asked {player}.").format(player=name_of(game, game.asked))
            return Post(content=words)
        case OfferMade():
            return Post(content=reader.gettext("I asked. Changed your mind? Press *Decline*."))
        case _:
            return done(reader)


def confirm_resignation(reader: Reader, game: Game, asker: UserId) -> Post:
    words = reader.gettext("Resign this game?")
    resign = board_button(game, reader.gettext("Yes, resign"), "resign-yes", ButtonStyle.DANGER)
    buttons = [resign]
    if game.may_abort(asker):
        words = reader.gettext("Resign, or call the game off? It has only just begun.")
        buttons.append(board_button(game, reader.gettext("End without a result"), "abort-yes"))
    keep = board_button(game, reader.gettext("Keep playing"), "resign-no")
    return Post(content=words, buttons=(*buttons, keep))


def confirm_leaving(reader: Reader, game: Game, asker: UserId) -> Post:
    """Ask a user to confirm that they want to leave a game, or to end a team's game."""
    if game.row.vote is not None:
        return confirm_abort(reader, game)
    return confirm_resignation(reader, game, asker)


def confirm_abort(reader: Reader, game: Game) -> Post:
    return Post(
        content=reader.gettext("End this game without a result?"),
        buttons=(
            board_button(game, reader.gettext("Yes, end it"), "abort-yes", ButtonStyle.DANGER),
            board_button(game, reader.gettext("Keep playing"), "resign-no"),
        ),
    )


def play_on_answer(reader: Reader) -> Post:
    return Post(content=reader.gettext("OK, play on."))


def running_games(
    reader: Reader,
    games: Iterable[ListedGame],
    guild: GuildId,
    asker: UserId,
    first: int = 1,
) -> Post:
    """List games with the time left in each, their pauses, and their newest boards.

    The list is numbered from `first`.
    """
    lines = []
    for number, listing in enumerate(games, start=first):
        game = listing.game
        opponent = game.row.black if asker == game.row.white else game.row.white
        if game.to_move != asker:
            sentence = reader.gettext("{where} vs {opponent}: their turn")
        else:
            sentence = reader.gettext("{where} vs {opponent}: **your turn**")
        line = sentence.format(where=channel(game.row.channel), opponent=name_of(game, opponent))
        parts = [line, *_time_left(reader, listing)]
        if listing.board is not None:
            parts.append(
                reader.gettext("[Go to board]({url})").format(url=link(guild, *listing.board))
            )
        lines.append(f"{number}. {' · '.join(parts)}")
    if not lines:
        return Post(
            content=reader.gettext(
                "You have no games here. /play starts one with me, /challenge one with a friend."
            )
        )
    return Post(content=join_within_limit(reader, lines))


def _time_left(reader: Reader, listing: ListedGame) -> Iterator[str]:
    """Yield when a game's time runs out, and the reason for a pause."""
    if listing.deadline is not None:
        yield due(listing.deadline)
    pause = listing.pause
    if listing.is_stuck:
        yield reader.gettext("it waits: I can't post there")
    elif pause is None or pause.reason is PauseReason.UNSENT:
        return
    elif pause.is_open:
        words = reader.gettext("paused since {begins}, by agreement")
        yield words.format(begins=timestamp(pause.begins))
    elif pause.reason is PauseReason.VACATION:
        yield reader.gettext("on vacation until {until}").format(until=timestamp(pause.ends))
    else:
        yield reader.gettext("paused until {until}").format(until=timestamp(pause.ends))
