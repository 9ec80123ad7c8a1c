"""Texts for reminders."""

from collections.abc import Sequence

from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.base.languages import Reader
from bot.connection.posts import (
    Button,
    Post,
    channel,
    due,
    join_within_limit,
    link,
    timestamp,
    user,
)
from bot.database.delivery_rows import DeliveryRoute
from bot.features.reminders.use_cases import Reminder
from bot.play.use_cases.own_games import ListedGame
from bot.play.words.names import name_of
from bot.play.words.rounds import waiting_text


def channel_reminder(reader: Reader, all_due: Sequence[Reminder], number: int) -> Post:
    """Return the reminder for a channel.

    For games in other channels, it names only the channel.
    """
    player, count = all_due[0].player, len(all_due)
    if count == 1:
        (reminder,) = all_due
        sentence = reader.gettext("{player}, your turn. Your time runs out {when}.")
        lines = [
            " ".join([_filled_in(sentence, reminder), *_consequence(reader, reminder)]),
            *_board(reader, reminder),
        ]
    else:
        head = reader.ngettext(
            "{player}, your turn in {count} game. Your time runs out:",
            "{player}, your turn in {count} games. Your time runs out:",
            count,
        )
        lines = [head.format(player=user(player), count=count)]
        sentence = reader.gettext("- {when} in {where} vs {opponent}.")
        lines += [
            " ".join([_filled_in(sentence, reminder), *_board(reader, reminder)])
            for reminder in all_due
        ]
    if all_due[0].row.route is DeliveryRoute.INSTEAD:
        lines.append(reader.gettext("I couldn't DM you, so here it is."))
    return Post(
        content=join_within_limit(reader, lines),
        pings=(player,),
        buttons=(_button(reader, number),),
    )


def direct_reminder(reader: Reader, all_due: Sequence[Reminder], number: int) -> Post:
    if len(all_due) == 1:
        (reminder,) = all_due
        sentence = reader.gettext("Your turn in {where} vs {opponent}. Your time runs out {when}.")
        lines = [
            " ".join([_filled_in(sentence, reminder), *_consequence(reader, reminder)]),
            *_board(reader, reminder),
        ]
    else:
        count = len(all_due)
        head = reader.ngettext(
            "Your turn in {count} game. Your time runs out:",
            "Your turn in {count} games. Your time runs out:",
            count,
        )
        lines = [head.format(count=count)]
        sentence = reader.gettext("- {when} in {where} vs {opponent}.")
        lines += [
            " ".join(
                [
                    _filled_in(sentence, reminder),
                    *_consequence(reader, reminder),
                    *_board(reader, reminder),
                ]
            )
            for reminder in all_due
        ]
    return Post(content=join_within_limit(reader, lines), buttons=(_button(reader, number),))


def digest(reader: Reader, games: Sequence[ListedGame], player: UserId, number: int) -> Post:
    count, first = len(games), games[0].deadline
    words = f"{waiting_text(reader, count)}."
    if first is not None:
        words += " " + reader.gettext("The first deadline is {when}.").format(when=due(first))
    lines = [words]
    for game in games:
        row = game.game.row
        sentence = (
            reader.gettext("- {where} vs {opponent}.")
            if game.deadline is None
            else reader.gettext("- {when} in {where} vs {opponent}.")
        )
        line = sentence.format(
            where=channel(row.channel),
            opponent=name_of(game.game, game.game.opponent(player)),
            when="" if game.deadline is None else timestamp(game.deadline),
        )
        lines.append(" ".join([line, *_link(reader, row.guild, game.board)]))
    return Post(content=join_within_limit(reader, lines), buttons=(_button(reader, number),))


def reminder_button_id(number: int) -> str:
    """Return the custom id of a reminder's button, which lets the bot recognize its reminders."""
    return f"dvonn:reminder:{number}"


def _button(reader: Reader, number: int) -> Button:
    return Button(reader.gettext("My settings"), reminder_button_id(number))


def _filled_in(sentence: str, reminder: Reminder) -> str:
    return sentence.format(
        player=user(reminder.player),
        where=channel(reminder.game.row.channel),
        opponent=name_of(reminder.game, reminder.game.opponent(reminder.player)),
        when=due(reminder.deadline),
    )


def _consequence(reader: Reader, reminder: Reminder) -> list[str]:
    """Describe what happens when time runs out, unless a clock already shows it."""
    row = reminder.game.row
    if row.clock is not None and not row.claimable:
        return []
    if row.machine is not None:
        return [reader.gettext("Then the game is lost.")]
    words = reader.gettext("Then {opponent} can claim the win.")
    return [words.format(opponent=name_of(reminder.game, reminder.game.opponent(reminder.player)))]


def _board(reader: Reader, reminder: Reminder) -> list[str]:
    return _link(reader, reminder.game.row.guild, reminder.board)


def _link(reader: Reader, guild: GuildId, board: tuple[ChannelId, MessageId] | None) -> list[str]:
    """Return a link to the newest board, if one was posted."""
    if board is None:
        return []
    return [reader.gettext("[Go to board]({url})").format(url=link(guild, *board))]
