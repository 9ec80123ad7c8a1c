"""The words around a board: what happened, whose turn it is, how it ended."""

from collections.abc import Iterable
from datetime import datetime

from bot.games import may_go_on
from bot.games.update import Update
from bot.locales import Reader
from bot.messages import pie
from bot.messages.durations import clock_line
from bot.messages.happened import (
    details,
    listed,
    plies_text,
    standing_offer,
    what,
)
from bot.messages.moves import spaces
from bot.messages.pictures import (
    Boards,
    Picture,
    caption_of,
    diagram,
    look_of,
    picture,
    picture_name,
)
from bot.messages.posts import (
    CONTENT_LIMIT,
    Button,
    ButtonStyle,
    Post,
    board_button_id,
    channel,
    fit,
    how_to_play,
    instant,
    link,
    user,
)
from bot.messages.results import reckoning, result
from bot.model.events import (
    Deserted,
    Moved,
    OfferDeclined,
    OfferMade,
    SidePicked,
    Started,
    TakenBack,
    Told,
)
from bot.model.game import Choosing, Game
from bot.model.ids import ChannelId, GuildId, MessageId, UserId
from bot.model.terms import Start
from dvonn import Phase, format_move
from renderer import describe

_DVONN_PIECES = 3
_FIRST = (Started, SidePicked)
"""After these the seats are settled, and somebody may play."""
_MARGIN = 100
"""How many characters the lines take that tell of others."""


def board(reader: Reader, update: Update) -> Post:
    """The message after a turn.

    Its first 80 characters say who played what and whose turn it is: that is all that a phone's
    notification shows.
    """
    game = update.game
    *earlier, newest = update.told
    lines = [_headline(reader, game, newest), *details(reader, game, newest)]
    if update.deadline is not None and game.to_move is not None:
        lines.append(_until(reader, game.to_move, update.deadline))
    if newest.event.kind is Deserted:
        lines.append(_left_alone(reader, game, newest.event.actor))
    if game.offered is not None and newest.event.kind is not OfferMade:
        lines.append(standing_offer(reader, game))
    hints = _what_now(reader, game, newest)
    room = CONTENT_LIMIT - sum(len(line) + 1 for line in (*lines, *hints))
    before = _newest(reader, listed(reader, game, earlier), room - _MARGIN)
    if before:  # the start alone is nothing to tell
        lines += [reader.gettext("Before that:"), *before]
    lines += hints
    return Post(
        content="\n".join(lines)[:CONTENT_LIMIT],
        ping=_whom_to_ping(update),
        picture=_picture(reader, game),
        buttons=(*_buttons(reader, game), *_first_help(reader, newest)),
    )


def look(reader: Reader, game: Game) -> Post:
    """The board for somebody who asks to see it."""
    lines = [standing(reader, game)]
    if game.choosing is not None:
        lines.append(pie.made_from(reader, game))
    return Post(content="\n".join(lines), picture=_picture(reader, game))


def standing(reader: Reader, game: Game) -> str:
    """Who plays, and who is to move."""
    if game.choosing is not None and game.is_running:
        return pie.standing(reader, game)
    white, black = user(game.row.white), user(game.row.black)
    players = reader.gettext("White: {white}. Black: {black}.").format(white=white, black=black)
    if game.to_move is None:
        return players
    to_move = reader.gettext("{player} is to move.").format(player=user(game.to_move))
    return " ".join(filter(None, [players, to_move, standing_offer(reader, game)]))


def done(reader: Reader) -> Post:
    """The private word to somebody whose command was carried out."""
    return Post(content=reader.gettext("Done."))


def played(reader: Reader, update: Update) -> Post:
    """The private word to somebody whose command or click was carried out."""
    game, own = update.game, update.told[0]  # what follows by itself comes after it
    match own.event.what:
        case Moved():
            word = reader.gettext("Played {moves}.").format(moves=", ".join(_entered(update)))
            return Post(content=" ".join([word, *_kept(reader, update)]))
        case TakenBack():
            words = reader.gettext("Taken back: {moves}.").format(
                moves=plies_text(game, own.undone)
            )
            return Post(content=words)
        case OfferMade():
            words = reader.gettext(
                "Your opponent is asked under the newest board. Until he has answered, you can "
                "take that back with Decline there."
            )
            return Post(content=words)
        case _:
            return done(reader)


def _entered(update: Update) -> list[str]:
    """The moves that a player has entered, without what came by itself."""
    moves = []
    for told in update.told:
        match told.event.what:
            case Moved(move, why=None):
                moves.append(format_move(move, update.game.row.coordinates))
            case _:
                break
    return moves


def kept(reader: Reader, update: Update) -> str:
    """The word to somebody whose list is kept for his next turns; nothing where none is."""
    return "".join(_kept(reader, update))


def _kept(reader: Reader, update: Update) -> list[str]:
    if update.kept is None:
        return []
    return [
        reader.gettext("Kept for your next turns: {spaces}. /plan shows or forgets them.").format(
            spaces=spaces(reader, update.kept, update.game.row.coordinates)
        )
    ]


def board_as_text(reader: Reader, game: Game, *, is_newest: bool) -> Post:
    """The whole board in words and as a diagram."""
    coordinates = game.row.coordinates
    if game.choosing is Choosing.BOARD:
        parts = pie.diagrams(reader, game)
    else:
        twin = describe(
            game.position,
            coordinates=coordinates,
            last=game.last,
            caption=caption_of(game),
            words=look_of(reader).words,
        )
        parts = [diagram(reader, game.position, coordinates), twin]
    if not is_newest:
        parts.insert(0, reader.gettext("This is an older board of the game."))
    return Post(content="\n".join(parts)[:CONTENT_LIMIT])


def confirm_resignation(reader: Reader, game: Game) -> Post:
    """The question before a game is given up."""
    return Post(
        content=reader.gettext("Do you really want to resign this game?"),
        buttons=(
            _button(game, reader.gettext("Yes, resign"), "resign-yes", ButtonStyle.DANGER),
            _button(game, reader.gettext("Keep playing"), "resign-no"),
        ),
    )


def kept_playing(reader: Reader) -> Post:
    """The answer to a player who does not resign after all."""
    return Post(content=reader.gettext("Good: the game goes on."))


def running_games(
    reader: Reader,
    games: Iterable[tuple[Game, tuple[ChannelId, MessageId] | None]],
    guild: GuildId,
    asker: int,
) -> Post:
    """Somebody's running games, each with a link to its newest board."""
    lines = []
    for game, newest in games:
        opponent = game.row.black if asker == game.row.white else game.row.white
        if game.to_move != asker:
            sentence = reader.gettext("{where} against {opponent}: waiting for your opponent.")
        elif game.choosing is not None:
            sentence = pie.in_list(reader, game)
        else:
            sentence = reader.gettext("{where} against {opponent}: your turn.")
        line = sentence.format(where=channel(game.row.channel), opponent=user(opponent))
        if newest is not None:
            line += " " + reader.gettext("[Newest board]({url})").format(url=link(guild, *newest))
        lines.append(line)
    if not lines:
        return Post(content=reader.gettext("You have no running game here. /challenge starts one."))
    return Post(content=fit(reader, lines))


def _buttons(reader: Reader, game: Game) -> tuple[Button, ...]:
    as_text = _button(game, reader.gettext("Board as text"), "text")
    if game.outcome is not None:
        ways = []
        if game.outcome.has_result:
            ways.append(_button(game, reader.gettext("Rematch"), "rematch", ButtonStyle.PRIMARY))
        if may_go_on(game):
            ways.append(_button(game, reader.gettext("Play on with the machine"), "play-on"))
        return *ways, as_text
    resign = _button(game, reader.gettext("Resign"), "resign")
    answers: tuple[Button, ...] = ()
    if game.offered is not None:
        answers = (
            _button(game, reader.gettext("Accept"), "accept", ButtonStyle.SUCCESS),
            _button(game, reader.gettext("Decline"), "decline", ButtonStyle.DANGER),
        )
    return *answers, *_ways_to_go_on(reader, game), as_text, resign


def _first_help(reader: Reader, newest: Told) -> tuple[Button, ...]:
    """The way to the rules, under a game's first board."""
    return (how_to_play(reader),) if newest.event.kind is Started else ()


def _ways_to_go_on(reader: Reader, game: Game) -> tuple[Button, ...]:
    """The buttons of whoever is to move or to choose; the machine needs none."""
    if _machine_is_on(game):
        return ()
    if game.choosing is not None:
        return pie.choices(reader, game)
    verb = (
        reader.gettext("Place")
        if game.position.phase is Phase.PLACEMENT
        else reader.gettext("Move")
    )
    return (
        _button(game, verb, "pick", ButtonStyle.PRIMARY),
        _button(game, reader.gettext("Type a move"), "type"),
    )


def _newest(reader: Reader, lines: list[str], room: int) -> list[str]:
    """As many of the last lines as there is room for."""
    first = len(lines)
    while first > 0 and (room := room - len(lines[first - 1]) - 1) >= 0:
        first -= 1
    if first == 0:
        return lines
    more = reader.ngettext("- {count} turn more", "- {count} turns more", first).format(count=first)
    return [more, *lines[first:]]


def _headline(reader: Reader, game: Game, newest: Told) -> str:
    said = what(reader, game, newest)
    turn = _turn(reader, game, newest)
    return f"{said} {turn}" if said else turn


def _turn(reader: Reader, game: Game, newest: Told) -> str:
    if game.outcome is not None:
        return result(reader, game, game.outcome)
    assert game.to_move is not None  # it runs  # noqa: S101
    if newest.event.kind is OfferMade and game.asked is not None:
        return reader.gettext("{player}, do you agree?").format(player=user(game.asked))
    to_move = user(game.to_move)
    if _machine_is_on(game):
        return reader.gettext("{player} is thinking.").format(player=to_move)
    if game.choosing is not None:
        return pie.call(reader, game)
    if newest.event.kind is Moved and newest.event.actor == game.to_move:
        return reader.gettext("{player}, your turn again.").format(player=to_move)
    return reader.gettext("{player}, your turn.").format(player=to_move)


def _what_now(reader: Reader, game: Game, newest: Told) -> list[str]:
    """A hint where something new begins, and the reckoning at the end."""
    position = game.position
    if game.outcome is not None:
        return reckoning(reader, game, game.outcome)
    if newest.event.kind in (OfferMade, Deserted):
        return []
    if game.choosing is not None:
        return pie.what_now(reader, game, newest)
    plies, coordinates = position.plies, game.row.coordinates
    if position.phase is Phase.PLACEMENT and plies < _DVONN_PIECES:
        ask = reader.gettext(
            "Place a red DVONN piece: press Place, or name a free space such as {example}."
        )
        lines = [] if _machine_is_on(game) else [ask]
        if newest.event.kind is Started:
            lines.insert(0, reader.gettext("White: {white}. Black: {black}."))
    elif position.phase is Phase.PLACEMENT and plies == _DVONN_PIECES:
        lines = [reader.gettext("The red pieces are placed. Now each player places own pieces.")]
    elif newest.event.what.brings_position and _board_full(game):
        lines = [
            reader.gettext("The board is full: now stacks move, as many spaces as they are high."),
            reader.gettext("On your turn press Move, or name a move such as {example}.")
            if _machine_is_on(game)
            else reader.gettext("Press Move, or name a move such as {example}."),
        ]
        if newest.event.kind in _FIRST:
            lines.insert(0, _made_by_lot(reader, game.row.start))
            lines.insert(0, reader.gettext("White: {white}. Black: {black}."))
    else:
        return []
    example = format_move(position.legal_moves()[0], coordinates)
    spoken = [
        line.format(
            example=example,
            white=user(game.row.white),
            black=user(game.row.black),
            seed=game.row.seed if game.board_seed is None else game.board_seed,
        )
        for line in lines
    ]
    if newest.event.kind is Started:
        spoken[1:1] = clock_line(reader, game.row.clock)
    return spoken


def _left_alone(reader: Reader, game: Game, gone: UserId) -> str:
    """What somebody can do whose opponent lets the game lie."""
    sentence = (
        reader.gettext("{player} can wait, or end the game with /abort, without a result.")
        if game.choosing is not None
        else reader.gettext(
            "{player} can wait, or end the game with /abort, without a result, and then play on "
            "with the machine."
        )
    )
    return sentence.format(player=user(game.opponent(gone)))


def _until(reader: Reader, player: UserId, deadline: datetime) -> str:
    moment = instant(deadline)
    return reader.gettext("{player} has time until {moment}, {countdown}.").format(
        player=user(player), moment=moment, countdown=instant(deadline, relative=True)
    )


def _machine_is_on(game: Game) -> bool:
    """Whether the machine is to move, or to choose."""
    return game.to_move is not None and game.to_move == game.row.machine


def _whom_to_ping(update: Update) -> UserId | None:
    game, newest = update.game, update.told[-1].event
    whom = newest.calls(game)
    withdrawn = newest.what == OfferDeclined(withdrawn=True)
    # Of their turn the other has heard before, unless this board tells of it as well.
    heard = withdrawn and len(update.told) == 1
    return None if heard or whom == game.row.machine else whom


def _board_full(game: Game) -> bool:
    """Whether all pieces are placed and none has moved."""
    return game.position.phase is Phase.MOVEMENT and (game.last is None or game.last.source is None)


def _made_by_lot(reader: Reader, start: Start) -> str:
    if start is Start.SYMMETRIC:
        return reader.gettext("The board was made by lot, symmetric; its seed is {seed}.")
    return reader.gettext("The board was made by lot, balanced; its seed is {seed}.")


def _picture(reader: Reader, game: Game) -> Picture | Boards:
    if game.choosing is Choosing.BOARD:
        return pie.picture(reader, game)
    return picture(
        reader,
        picture_name(game.row.id, game.row.revision),
        game.position,
        game.row.coordinates,
        last=game.last,
        game=game,
    )


def _button(
    game: Game, label: str, action: str, style: ButtonStyle = ButtonStyle.SECONDARY
) -> Button:
    return Button(label, board_button_id(game.row.id, game.row.revision, action), style)
