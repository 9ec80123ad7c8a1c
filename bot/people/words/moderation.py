"""Texts for moderators, and for blocked people."""

from collections.abc import Sequence

from bot.base.formats import shortened_people
from bot.base.ids import ChannelId, UserId
from bot.base.languages import Reader
from bot.connection.posts import (
    Button,
    Post,
    channel,
    escaped,
    join_within_limit,
    timestamp,
    user,
)
from bot.people.model import ModeratorAction
from bot.people.words.setup import usual_style
from bot.people.words.styles import style_choices
from bot.play.model.game import Game
from bot.play.model.preferences import Style
from bot.play.model.terms import ServerBlock
from bot.play.words.names import name_of, seat_name
from dvonn import Color

_MAX_NAMES = 20
"""Maximum number of people or channels named in a line."""


def blocked_here(reader: Reader, block: ServerBlock) -> Post:
    """Return the answer to a moderator who has blocked a person."""
    sentence = reader.gettext(
        "{player} can't start or join games here until {until}. I'm telling them, with your "
        "reason. Games they're in go on: /setup games lists them."
    )
    words = sentence.format(player=user(block.player), until=timestamp(block.until))
    return Post(content=words)


def unblocked_here(reader: Reader, player: UserId) -> Post:
    return Post(content=reader.gettext("{player} can play here again.").format(player=user(player)))


def block_message(reader: Reader, server: str, block: ServerBlock) -> Post:
    """Return the message to a blocked person."""
    sentence = reader.gettext(
        "A moderator of {server} has blocked you there until {until}: you can't start or join "
        "games. You can finish the games you're in."
    )
    words = sentence.format(server=f"**{escaped(server)}**", until=timestamp(block.until))
    return Post(content=f"{words}\n> {escaped(block.reason)}")


def action_message(reader: Reader, number: int, action: ModeratorAction) -> Post:
    """Return an action's entry in the log: "`7` @Ann: **/setup limit** games: 3"."""
    words = action.command.split()
    path = words if len(words) > 1 else ["setup", *words]
    command = " ".join(reader.pgettext("command", word) for word in path)
    people = [] if action.player is None else [user(action.player)]
    options = [f"{reader.pgettext('option', name)}: {value}" for name, value in action.options]
    text = " ".join([f"**/{command}**", ", ".join([*people, *options])])
    return Post(content=f"{log_mark(number)} {user(action.by)}: {text}".rstrip())


def log_mark(number: int) -> str:
    """Return the start of a log entry, which lets the bot recognize the entry."""
    return f"`{number}`"


def log_line(reader: Reader, channel_id: ChannelId | None) -> str:
    if channel_id is None:
        return reader.gettext("What moderators do here isn't logged.")
    sentence = reader.gettext("I log what moderators do in {channel}.")
    return sentence.format(channel=channel(channel_id))


def log_chosen(reader: Reader, channel_id: ChannelId | None) -> Post:
    """Return the answer to the moderator who has chosen the log's channel."""
    return Post(content=log_line(reader, channel_id))


def blocks_line(reader: Reader, blocks: Sequence[ServerBlock]) -> str | None:
    if not blocks:
        return None
    names = [f"{user(block.player)} ({timestamp(block.until, relative=True)})" for block in blocks]
    sentence = reader.gettext("Blocked here: {players}")
    return sentence.format(players=shortened_people(reader, names, _MAX_NAMES))


def style_line(reader: Reader, server: Style, channels: Sequence[tuple[ChannelId, Style]]) -> str:
    """Describe a server's language, theme and coordinates, and the channels that differ."""
    choices = style_choices(reader, server, usual_style(reader))
    sentence = reader.gettext("Language, theme and coordinates: {choices}.")
    line = sentence.format(choices="; ".join(choices))
    if not channels:
        return line
    channel_names = shortened_people(
        reader, [channel(channel_id) for channel_id, _ in channels], _MAX_NAMES
    )
    return f"{line} {reader.gettext('Others in {channels}.').format(channels=channel_names)}"


def running_list(reader: Reader, games: Sequence[Game], page: int, total: int, size: int) -> Post:
    """Return a page of a server's running games."""
    if not games:
        return Post(content=reader.gettext("Nobody is playing in this server right now."))
    first = page * size
    sentence = reader.gettext("**Running games** {first}–{last} of {total}")
    lines = [sentence.format(first=first + 1, last=first + len(games), total=total)]
    lines += [_running_line(reader, game) for game in games]
    buttons = [
        Button(symbol, f"dvonn:running:{target}")
        for symbol, target in (("◀", page - 1), ("▶", page + 1))
        if 0 <= target * size < total
    ]
    return Post(content=join_within_limit(reader, lines), buttons=tuple(buttons))


def _running_line(reader: Reader, game: Game) -> str:
    players = " – ".join(seat_name(game, color) for color in Color)
    line = f"#{game.row.id} · {channel(game.row.channel)} · {players}"
    if game.to_move is None or game.turn_since is None:
        return line
    sentence = reader.gettext("{player} to move since {when}")
    when = timestamp(game.turn_since, relative=True)
    return f"{line} · {sentence.format(player=name_of(game, game.to_move), when=when)}"
