"""The words around a board: what happened, whose turn it is, how it ended."""

from collections.abc import Iterable
from datetime import datetime

from bot.games import may_go_on
from bot.games.update import Update
from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages import pie
from bot.messages.durations import clock_line
from bot.messages.happened import (
    details,
    listed,
    plies_text,
    standing_offer,
    what,
)
from bot.messages.plans import spaces
from bot.messages.posts import (
    CONTENT_LIMIT,
    Boards,
    Button,
    ButtonStyle,
    Picture,
    Post,
    board_button_id,
    channel,
    fit,
    instant,
    link,
    picture_name,
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
from dvonn.diagram import to_diagram
from renderer import describe

_DVONN_PIECES = 3
_FIRST = (Started, SidePicked)
"""After these the seats are settled, and somebody may play."""
_MARGIN = 100
"""How many characters the lines take that tell of others."""


def board(update: Update) -> Post:
    """The message after a turn.

    Its first 80 characters say who played what and whose turn it is: that is all that a phone's
    notification shows.
    """
    game = update.game
    *earlier, newest = update.told
    lines = [_headline(game, newest), *details(game, newest)]
    if update.deadline is not None and game.to_move is not None:
        lines.append(_until(game.to_move, update.deadline))
    if newest.event.kind is Deserted:
        lines.append(_left_alone(game, newest.event.actor))
    if game.offered is not None and newest.event.kind is not OfferMade:
        lines.append(standing_offer(game))
    hints = _what_now(game, newest)
    room = CONTENT_LIMIT - sum(len(line) + 1 for line in (*lines, *hints))
    before = _newest(listed(game, earlier), room - _MARGIN)
    if before:  # the start alone is nothing to tell
        lines += [_("Before that:"), *before]
    lines += hints
    return Post(
        content="\n".join(lines)[:CONTENT_LIMIT],
        ping=_whom_to_ping(update),
        picture=_picture(game),
        buttons=_buttons(game),
    )


def look(game: Game) -> Post:
    """The board for somebody who asks to see it."""
    return Post(content=standing(game), picture=_picture(game))


def standing(game: Game) -> str:
    """Who plays, and who is to move."""
    if game.choosing is not None and game.is_running:
        return pie.standing(game)
    white, black = user(game.row.white), user(game.row.black)
    players = _("White: {white}. Black: {black}.").format(white=white, black=black)
    if game.to_move is None:
        return players
    to_move = _("{player} is to move.").format(player=user(game.to_move))
    return " ".join(filter(None, [players, to_move, standing_offer(game)]))


def done() -> Post:
    """The private word to somebody whose command was carried out."""
    return Post(content=_("Done."))


def played(update: Update) -> Post:
    """The private word to somebody whose command or click was carried out."""
    game, own = update.game, update.told[0]  # what follows by itself comes after it
    match own.event.what:
        case Moved():
            word = _("Played {moves}.").format(moves=", ".join(_entered(update)))
            return Post(content=" ".join([word, *_kept(update)]))
        case TakenBack():
            words = _("Taken back: {moves}.").format(moves=plies_text(game, own.undone))
            return Post(content=words)
        case OfferMade():
            words = _(
                "Your opponent is asked under the newest board. Until he has answered, you can "
                "take that back with Decline there."
            )
            return Post(content=words)
        case _:
            return done()


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


def kept(update: Update) -> str:
    """The word to somebody whose list is kept for his next turns; nothing where none is."""
    return "".join(_kept(update))


def _kept(update: Update) -> list[str]:
    if update.kept is None:
        return []
    return [
        _("Kept for your next turns: {spaces}. /plan shows or forgets them.").format(
            spaces=spaces(update.kept, update.game.row.coordinates)
        )
    ]


def board_as_text(game: Game, *, is_newest: bool) -> Post:
    """The whole board in words and as a diagram."""
    coordinates = game.row.coordinates
    if game.choosing is Choosing.BOARD:
        parts = pie.diagrams(game)
    else:
        twin = describe(game.position, coordinates=coordinates, last=game.last)
        diagram = to_diagram(game.position, coordinates, legend=False)
        parts = [f"```\n{diagram}\n```", twin]
    if not is_newest:
        parts.insert(0, _("This is an older board of the game."))
    return Post(content="\n".join(parts)[:CONTENT_LIMIT])


def confirm_resignation(game: Game) -> Post:
    """The question before a game is given up."""
    return Post(
        content=_("Do you really want to resign this game?"),
        buttons=(
            _button(game, _("Yes, resign"), "resign-yes", ButtonStyle.DANGER),
            _button(game, _("Keep playing"), "resign-no"),
        ),
    )


def kept_playing() -> Post:
    """The answer to a player who does not resign after all."""
    return Post(content=_("Good: the game goes on."))


def running_games(
    games: Iterable[tuple[Game, tuple[ChannelId, MessageId] | None]], guild: GuildId, asker: int
) -> Post:
    """Somebody's running games, each with a link to its newest board."""
    lines = []
    for game, newest in games:
        opponent = game.row.black if asker == game.row.white else game.row.white
        if game.to_move != asker:
            sentence = _("{where} against {opponent}: waiting for your opponent.")
        elif game.choosing is not None:
            sentence = pie.in_list(game)
        else:
            sentence = _("{where} against {opponent}: your turn.")
        line = sentence.format(where=channel(game.row.channel), opponent=user(opponent))
        if newest is not None:
            line += " " + _("[Newest board]({url})").format(url=link(guild, *newest))
        lines.append(line)
    if not lines:
        return Post(content=_("You have no running game here. /challenge starts one."))
    return Post(content=fit(lines))


def _buttons(game: Game) -> tuple[Button, ...]:
    as_text = _button(game, _("Board as text"), "text")
    if game.outcome is not None:
        ways = []
        if game.outcome.has_result:
            ways.append(_button(game, _("Rematch"), "rematch", ButtonStyle.PRIMARY))
        if may_go_on(game):
            ways.append(_button(game, _("Play on with the machine"), "play-on"))
        return *ways, as_text
    resign = _button(game, _("Resign"), "resign")
    answers: tuple[Button, ...] = ()
    if game.offered is not None:
        answers = (
            _button(game, _("Accept"), "accept", ButtonStyle.SUCCESS),
            _button(game, _("Decline"), "decline", ButtonStyle.DANGER),
        )
    return *answers, *_ways_to_go_on(game), as_text, resign


def _ways_to_go_on(game: Game) -> tuple[Button, ...]:
    """The buttons of whoever is to move or to choose; the machine needs none."""
    if _machine_is_on(game):
        return ()
    if game.choosing is not None:
        return pie.choices(game)
    verb = _("Place") if game.position.phase is Phase.PLACEMENT else _("Move")
    return (
        _button(game, verb, "pick", ButtonStyle.PRIMARY),
        _button(game, _("Type a move"), "type"),
    )


def _newest(lines: list[str], room: int) -> list[str]:
    """As many of the last lines as there is room for."""
    first = len(lines)
    while first > 0 and (room := room - len(lines[first - 1]) - 1) >= 0:
        first -= 1
    if first == 0:
        return lines
    more = ngettext("- {count} turn more", "- {count} turns more", first).format(count=first)
    return [more, *lines[first:]]


def _headline(game: Game, newest: Told) -> str:
    said = what(game, newest)
    turn = _turn(game, newest)
    return f"{said} {turn}" if said else turn


def _turn(game: Game, newest: Told) -> str:
    if game.outcome is not None:
        return result(game, game.outcome)
    assert game.to_move is not None  # it runs  # noqa: S101
    if newest.event.kind is OfferMade and game.asked is not None:
        return _("{player}, do you agree?").format(player=user(game.asked))
    to_move = user(game.to_move)
    if _machine_is_on(game):
        return _("{player} is thinking.").format(player=to_move)
    if game.choosing is not None:
        return pie.call(game)
    if newest.event.kind is Moved and newest.event.actor == game.to_move:
        return _("{player}, your turn again.").format(player=to_move)
    return _("{player}, your turn.").format(player=to_move)


def _what_now(game: Game, newest: Told) -> list[str]:
    """A hint where something new begins, and the reckoning at the end."""
    position = game.position
    if game.outcome is not None:
        return reckoning(game, game.outcome)
    if newest.event.kind in (OfferMade, Deserted):
        return []
    if game.choosing is not None:
        return pie.what_now(game, newest)
    plies, coordinates = position.plies, game.row.coordinates
    if position.phase is Phase.PLACEMENT and plies < _DVONN_PIECES:
        ask = _("Place a red DVONN piece: press Place, or name a free space such as {example}.")
        lines = [] if _machine_is_on(game) else [ask]
        if newest.event.kind is Started:
            lines.insert(0, _("White: {white}. Black: {black}."))
    elif position.phase is Phase.PLACEMENT and plies == _DVONN_PIECES:
        lines = [_("The red pieces are placed. Now each player places own pieces.")]
    elif newest.event.what.brings_position and _board_full(game):
        lines = [
            _("The board is full: now stacks move, as many spaces as they are high."),
            _("On your turn press Move, or name a move such as {example}.")
            if _machine_is_on(game)
            else _("Press Move, or name a move such as {example}."),
        ]
        if newest.event.kind in _FIRST:
            lines.insert(0, _drawn(game.row.start))
            lines.insert(0, _("White: {white}. Black: {black}."))
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
        spoken[1:1] = clock_line(game.row.clock)
    return spoken


def _left_alone(game: Game, gone: UserId) -> str:
    """What somebody can do whose opponent lets the game lie."""
    sentence = (
        _("{player} can wait, or end the game with /abort, without a result.")
        if game.choosing is not None
        else _(
            "{player} can wait, or end the game with /abort, without a result, and then play on "
            "with the machine."
        )
    )
    return sentence.format(player=user(game.opponent(gone)))


def _until(player: UserId, deadline: datetime) -> str:
    moment = instant(deadline)
    return _("{player} has time until {moment}, {countdown}.").format(
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


def _drawn(start: Start) -> str:
    if start is Start.SYMMETRIC:
        return _("The board was drawn by lot, symmetric; its seed is {seed}.")
    return _("The board was drawn by lot, balanced; its seed is {seed}.")


def _picture(game: Game) -> Picture | Boards:
    if game.choosing is Choosing.BOARD:
        return pie.picture(game)
    return Picture(
        filename=picture_name(game.row.id, game.row.revision),
        alt_text=describe(game.position, coordinates=game.row.coordinates, last=game.last),
        position=game.position,
        coordinates=game.row.coordinates,
        last=game.last,
    )


def _button(
    game: Game, label: str, action: str, style: ButtonStyle = ButtonStyle.SECONDARY
) -> Button:
    return Button(label, board_button_id(game.row.id, game.row.revision, action), style)
