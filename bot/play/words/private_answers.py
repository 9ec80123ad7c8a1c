"""Private words to an actor in a game: what was done, and questions before its end."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.base.languages import Reader
from bot.connection.posts import ButtonStyle, Post, channel, fit, link, user
from bot.connection.words import done
from bot.play.game_changes import Update
from bot.play.model.agreements import OfferMade, TakenBack
from bot.play.model.ahead.text import Phrases, write
from bot.play.model.ahead.tree import Ahead
from bot.play.model.game import Game
from bot.play.model.typed import Plan
from bot.play.words.events import plies_text
from bot.play.words.views import board_button


@dataclass(frozen=True, slots=True)
class PlanCommand:
    """A feature's command that shows and changes what is decided ahead, in brackets."""

    named: Callable[[Reader], str]


def played(reader: Reader, update: Update) -> Post:
    game, own = update.game, update.told[0]  # what follows by itself comes after it
    match own.event.what:
        case TakenBack():
            words = reader.gettext("Taken back: {moves}.").format(
                moves=plies_text(reader, game, own.undone)
            )
            return Post(content=words)
        case OfferMade():
            return Post(content=reader.gettext("I asked. Changed your mind? Press Decline."))
        case _:
            return done(reader)


def kept(reader: Reader, game: Game, made: Ahead | Plan, command: PlanCommand | None) -> str:
    """Tell somebody that their list is kept for their next turns."""
    named = "" if command is None else f" {command.named(reader)}"
    if isinstance(made, Plan):
        return reader.gettext("Got it. On your next turns I'll place {spaces}.{command}").format(
            spaces=spaces(reader, game, made), command=named
        )
    words = reader.gettext("Got it. On your next turns{command}:").format(command=named)
    return "\n".join([words, *told_lines(reader, game, made)])


def confirm_resignation(reader: Reader, game: Game, asker: UserId) -> Post:
    words = reader.gettext("Resign this game?")
    resign = board_button(game, reader.gettext("Yes, resign"), "resign-yes", ButtonStyle.DANGER)
    ways = [resign]
    if game.may_abort(asker):
        words = reader.gettext("Resign this game? Or end it without a result.")
        ways.append(board_button(game, reader.gettext("End without a result"), "abort-yes"))
    keep = board_button(game, reader.gettext("Keep playing"), "resign-no")
    return Post(content=words, buttons=(*ways, keep))


def confirm_abort(reader: Reader, game: Game) -> Post:
    return Post(
        content=reader.gettext("End this game without a result?"),
        buttons=(
            board_button(game, reader.gettext("Yes, end it"), "abort-yes", ButtonStyle.DANGER),
            board_button(game, reader.gettext("Keep playing"), "resign-no"),
        ),
    )


def kept_playing(reader: Reader) -> Post:
    return Post(content=reader.gettext("OK, play on."))


def running_games(
    reader: Reader,
    games: Iterable[tuple[Game, tuple[ChannelId, MessageId] | None]],
    guild: GuildId,
    asker: int,
) -> Post:
    lines = []
    for game, newest in games:
        opponent = game.row.black if asker == game.row.white else game.row.white
        if game.to_move != asker:
            sentence = reader.gettext("{where} vs {opponent}: their turn")
        else:
            sentence = reader.gettext("{where} vs {opponent}: **your turn**")
        line = sentence.format(where=channel(game.row.channel), opponent=user(opponent))
        if newest is not None:
            line += " · " + reader.gettext("[Go to board]({url})").format(url=link(guild, *newest))
        lines.append(line)
    if not lines:
        return Post(content=reader.gettext("You have no games here. Start one with /challenge."))
    return Post(content=fit(reader, lines))


def spaces(reader: Reader, game: Game, plan: Plan) -> str:
    """Return the spaces of a list: "b2, c3, else the next free"."""
    names = ", ".join(map(reader.naming(game.row.coordinates).label, plan.spaces))
    return (
        reader.gettext("{spaces}, else the next free").format(spaces=names)
        if plan.else_next
        else names
    )


def told_lines(reader: Reader, game: Game, ahead: Ahead) -> list[str]:
    """Return its lines, numbered: "1. if d2-d4 then e3-e5"."""
    lines = write(ahead, reader.naming(game.row.coordinates), phrases(reader, game))
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]


def phrases(reader: Reader, game: Game) -> Phrases:
    known = reader.gettext("if {moves} then {reply}")
    otherwise = reader.gettext("else {reply}")
    return Phrases(
        known=lambda moves, reply: known.format(moves=moves, reply=reply),
        otherwise=lambda reply: otherwise.format(reply=reply),
        ask=reader.gettext("ask me"),
        spaces=lambda plan: spaces(reader, game, plan),
    )
