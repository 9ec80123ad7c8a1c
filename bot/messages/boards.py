"""The words around a board: what happened, whose turn it is, how it ended."""

from collections.abc import Iterable

from bot.games import Game, Told, Update
from bot.ids import ChannelId, GuildId, MessageId
from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.durations import clock_line
from bot.messages.posts import (
    CONTENT_LIMIT,
    Button,
    ButtonStyle,
    Picture,
    Post,
    board_button_id,
    channel,
    fit,
    picture_name,
    user,
)
from bot.store.rows import EventKind, GameState, Start
from dvonn import Color, Coordinates, Phase, format_move, parse_move
from dvonn.diagram import to_diagram
from renderer import describe

_DVONN_PIECES = 3
_NEW_POSITION = (EventKind.START, EventKind.MOVE)
"""The kinds of event that bring about a position."""


def board(update: Update) -> Post:
    """The message after a turn.

    Its first 80 characters say who played what and whose turn it is: that is all that a phone's
    notification shows.
    """
    game = update.game
    *earlier, newest = update.told
    lines = [_headline(game, newest), *_details(game, newest)]
    if earlier:
        lines += [_("Before that:"), *_list(game, earlier)]
    lines += _what_now(game, newest)
    return Post(
        content="\n".join(lines)[:CONTENT_LIMIT],
        ping=game.to_move,
        picture=_picture(game),
        buttons=_buttons(game),
    )


def look(game: Game) -> Post:
    """The board for somebody who asks to see it."""
    return Post(content=standing(game), picture=_picture(game))


def standing(game: Game) -> str:
    """Who plays, and who is to move."""
    white, black = user(game.row.white), user(game.row.black)
    players = _("White: {white}. Black: {black}.").format(white=white, black=black)
    if game.to_move is None:
        return players
    return players + " " + _("{player} is to move.").format(player=user(game.to_move))


def done() -> Post:
    """The private word to somebody whose command was carried out."""
    return Post(content=_("Done."))


def played(update: Update) -> Post:
    """The private word to somebody whose command or click was carried out."""
    newest = update.told[-1]
    if newest.event.kind is EventKind.MOVE:
        return Post(content=_("Played {move}.").format(move=_move(update.game, newest)))
    return done()


def board_as_text(game: Game, *, is_newest: bool) -> Post:
    """The whole board in words and as a diagram."""
    coordinates = game.row.coordinates
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
        sentence = (
            _("{where} against {opponent}: your turn.")
            if game.to_move == asker
            else _("{where} against {opponent}: waiting for your opponent.")
        )
        line = sentence.format(where=channel(game.row.channel), opponent=user(opponent))
        if newest is not None:
            url = f"https://discord.com/channels/{guild}/{newest[0]}/{newest[1]}"
            line += " " + _("[Newest board]({url})").format(url=url)
        lines.append(line)
    if not lines:
        return Post(content=_("You have no running game here. /challenge starts one."))
    return Post(content=fit(lines))


def _buttons(game: Game) -> tuple[Button, ...]:
    as_text = _button(game, _("Board as text"), "text")
    if not game.is_running:
        if game.row.state is GameState.ABORTED:
            return (as_text,)
        return (_button(game, _("Rematch"), "rematch", ButtonStyle.PRIMARY), as_text)
    verb = _("Place") if game.position.phase is Phase.PLACEMENT else _("Move")
    return (
        _button(game, verb, "pick", ButtonStyle.PRIMARY),
        _button(game, _("Type a move"), "type"),
        as_text,
        _button(game, _("Resign"), "resign"),
    )


def _headline(game: Game, newest: Told) -> str:
    turn = _turn(game, newest)
    what = _what(game, newest)
    return f"{what} {turn}" if what else turn


def _what(game: Game, told: Told) -> str:
    actor = user(told.event.actor)
    match told.event.kind:
        case EventKind.START:
            return ""
        case EventKind.MOVE:
            sentence = (
                _("{player} placed {move}.")
                if parse_move(told.event.move or "").source is None
                else _("{player} moved {move}.")
            )
            return sentence.format(player=actor, move=_move(game, told))
        case EventKind.RESIGN:
            return _("{player} resigned.").format(player=actor)
        case EventKind.ABORT:
            return _("{player} ended this game.").format(player=actor)


def _turn(game: Game, newest: Told) -> str:
    if game.to_move is not None:
        to_move = user(game.to_move)
        if newest.event.kind is EventKind.MOVE and newest.event.actor == game.to_move:
            return _("{player}, your turn again.").format(player=to_move)
        return _("{player}, your turn.").format(player=to_move)
    match game.row.state:
        case GameState.RESIGNED:
            loser = game.seat(newest.event.actor) or Color.WHITE
            return _("{player} wins.").format(player=user(game.player(loser.opponent)))
        case GameState.ABORTED:
            return _("It has no result.")
        case _:
            winner = game.position.winner
            white, black = (game.position.score(color) for color in Color)
            if winner is None:
                return _("A draw, {white}–{black}.").format(white=white, black=black)
            return _("{player} wins {more}–{fewer}.").format(
                player=user(game.player(winner)), more=max(white, black), fewer=min(white, black)
            )


def _details(game: Game, told: Told) -> list[str]:
    lines = []
    removed = told.position.removed if told.event.kind is EventKind.MOVE else {}
    if removed:
        pieces = sum(len(stack) for stack in removed.values())
        points = ", ".join(game.row.coordinates.label(point) for point in removed)
        lines.append(
            ngettext(
                "Cut off: {points} ({pieces} piece).",
                "Cut off: {points} ({pieces} pieces).",
                pieces,
            ).format(points=points, pieces=pieces)
        )
    passed = told.position.passed if told.event.kind in _NEW_POSITION else ()
    lines += [
        _("{player} ({colour}) has no legal move and must pass.").format(
            player=user(game.player(color)), colour=_colour(color)
        )
        for color in passed
    ]
    return lines


def _list(game: Game, told: Iterable[Told]) -> list[str]:
    return [
        " ".join(["-", _what(game, one), *_details(game, one)]) for one in told if _what(game, one)
    ]


def _what_now(game: Game, newest: Told) -> list[str]:
    """A hint where something new begins, and the reckoning at the end."""
    position = game.position
    if not game.is_running:
        return _reckoning(game)
    plies, coordinates = position.plies, game.row.coordinates
    if position.phase is Phase.PLACEMENT and plies < _DVONN_PIECES:
        lines = [_("Place a red DVONN piece: press Place, or name a free space such as {example}.")]
        if newest.event.kind is EventKind.START:
            lines.insert(0, _("White: {white}. Black: {black}."))
    elif position.phase is Phase.PLACEMENT and plies == _DVONN_PIECES:
        lines = [_("The red pieces are placed. Now each player places own pieces.")]
    elif newest.event.kind in _NEW_POSITION and _board_full(game):
        lines = [
            _("The board is full: now stacks move, as many spaces as they are high."),
            _("Press Move, or name a move such as {example}."),
        ]
        if newest.event.kind is EventKind.START:
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
            seed=game.row.seed,
        )
        for line in lines
    ]
    if newest.event.kind is EventKind.START:
        spoken[1:1] = clock_line(game.row.clock)
    return spoken


def _board_full(game: Game) -> bool:
    """Whether all pieces are placed and none has moved."""
    return game.position.phase is Phase.MOVEMENT and (game.last is None or game.last.source is None)


def _drawn(start: Start) -> str:
    if start is Start.SYMMETRIC:
        return _("The board was drawn by lot, symmetric; its seed is {seed}.")
    return _("The board was drawn by lot, balanced; its seed is {seed}.")


def _reckoning(game: Game) -> list[str]:
    position, state = game.position, game.row.state
    if state is GameState.ABORTED:
        return []
    after = (
        ngettext("After {plies} ply:", "After {plies} plies:", position.plies)
        if state is GameState.FINISHED
        else ngettext(
            "On the board after {plies} ply:", "On the board after {plies} plies:", position.plies
        )
    ).format(plies=position.plies)
    score = _("{white} (White) {white_count}, {black} (Black) {black_count}.").format(
        white=user(game.row.white),
        white_count=position.score(Color.WHITE),
        black=user(game.row.black),
        black_count=position.score(Color.BLACK),
    )
    return [f"{after} {score}"]


def _picture(game: Game) -> Picture:
    return Picture(
        filename=picture_name(game.row.id, game.row.revision),
        alt_text=describe(game.position, coordinates=game.row.coordinates, last=game.last),
        position=game.position,
        coordinates=game.row.coordinates,
        last=game.last,
    )


def _move(game: Game, told: Told) -> str:
    return _move_text(told.event.move or "", game.row.coordinates)


def _move_text(standard: str, coordinates: Coordinates) -> str:
    return format_move(parse_move(standard), coordinates)


def _colour(color: Color) -> str:
    return _("White") if color is Color.WHITE else _("Black")


def _button(
    game: Game, label: str, action: str, style: ButtonStyle = ButtonStyle.SECONDARY
) -> Button:
    return Button(label, board_button_id(game.row.id, game.row.revision, action), style)
