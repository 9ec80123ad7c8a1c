"""Texts that accompany a board: events, the turn, and the end of the game."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import (
    CONTENT_LIMIT,
    Button,
    ButtonStyle,
    Post,
    SpokenPart,
    as_read,
    due,
    timestamp,
    user,
)
from bot.play.game_changes import GameUpdate
from bot.play.model.compat_0_1_0 import SidePicked
from bot.play.model.events import AppliedEvent, Deserted, Moved, Started
from bot.play.model.explanations import is_full
from bot.play.model.game import Game
from bot.play.model.offer_events import DrawAgreed, HintsAgreed, OfferMade, RestPlaced, TakenBack
from bot.play.model.pauses import PauseReason
from bot.play.model.terms import EndReason, Start
from bot.play.model.time_events import PauseAgreed, PauseEnded, TimeGiven, VacationTaken
from bot.play.use_cases.rematches import next_level
from bot.play.use_cases.takeovers import can_continue
from bot.play.words import events, pictures
from bot.play.words.challenges import board_words, level_name, play_level
from bot.play.words.characters import farewell, greeting
from bot.play.words.clocks import clock_line, left_alone, passed_deadline_line, pause_line
from bot.play.words.names import name_of, seat_name
from bot.play.words.notices import while_visiting
from bot.play.words.stack_buttons import shows_stacks, stacks_of_game, with_row_below
from bot.play.words.team_turns import how_to_vote, vote_button, vote_end, vote_rules
from bot.play.words.views import BoardPart, board_button, buttons_of, to_replay
from dvonn import Color, Phase, format_move

_DVONN_PIECES = 3
_FIRST = (Started, SidePicked)
"""Kinds of events after which seats are final and a player can move."""
_AGREED = (TakenBack, DrawAgreed, RestPlaced, HintsAgreed, PauseAgreed)
"""Events of agreements."""
_PAUSING = (PauseAgreed, PauseEnded)
_TIME_EVENTS = (TimeGiven, VacationTaken, *_PAUSING)
"""Kinds of events that need no reaction."""
_MARGIN = 100
"""Maximum number of characters in the lines about other events."""


def board(
    reader: Reader,
    update: GameUpdate,
    *,
    parts: Iterable[BoardPart] = (),
) -> Post:
    """Return the message after a turn.

    Its first 80 characters say who played which move and whose turn it is, because phone
    notifications show no more.
    """
    game = update.game
    earlier, latest = events.split(game, _without_question(update.events))
    newest = latest[-1]
    lines = [_headline(reader, update, latest), *events.details(reader, game, newest)]
    lines += [line for addition in update.additions for line in addition.turn_lines(reader, game)]
    lines += _time_limit(reader, update)
    lines += pause_line(reader, game, newest.event.at)
    if newest.event.kind is Deserted:
        lines.append(left_alone(reader, game, newest.event.actor))
    if game.asked is not None and newest.event.kind is not OfferMade:
        lines.append(f"{events.standing_offer(reader, game)} {_is_asked(reader, game, game.asked)}")
    hints = [*events.hints_line(reader, game), *_guidance(reader, update)]
    room = CONTENT_LIMIT - sum(len(line) + 1 for line in (*lines, *hints))
    before = _newest(reader, events.event_lines(reader, game, earlier), room - _MARGIN)
    if before:  # the start alone needs no line
        lines += _as_list(reader.gettext("Earlier:"), before)
    lines += hints
    # Discord notifies only users who are named in the text.
    unnamed = [user(player) for player in update.pings if user(player) not in "".join(lines)]
    lines += [" ".join(unnamed)] if unnamed else []
    post = Post(
        content="\n".join(lines)[:CONTENT_LIMIT],
        pings=update.pings,
        picture=_picture(reader, game, SpokenPart.BOARD),
        buttons=(
            with_stacks(
                reader,
                game,
                (*board_buttons(reader, game, parts), *_addition_buttons(reader, update)),
            )
            if game.outcome is None
            else _buttons_at_end(reader, update, parts)
        ),
    )
    return as_read(reader, post)


def with_stacks(reader: Reader, game: Game, buttons: tuple[Button, ...]) -> tuple[Button, ...]:
    """Return a board's buttons, and stack buttons if it shows them."""
    if not shows_stacks(game):
        return buttons
    return with_row_below(buttons, stacks_of_game(reader, game)) or buttons


def _addition_buttons(reader: Reader, update: GameUpdate) -> tuple[Button, ...]:
    return tuple(
        button
        for addition in update.additions
        for button in addition.turn_buttons(reader, update.game)
    )


def _without_question(applied_events: Sequence[AppliedEvent]) -> Sequence[AppliedEvent]:
    """Leave out an offer that the next event accepts, because that event's sentence mentions it."""
    *earlier, newest = applied_events
    if earlier and newest.event.kind in _AGREED and earlier[-1].event.kind is OfferMade:
        return [*earlier[:-1], newest]
    return applied_events


def note(reader: Reader, update: GameUpdate, *, parts: Iterable[BoardPart] = ()) -> Post:
    """Return the short message about an offer or its answer. The board stays unchanged."""
    game = update.game
    *earlier, newest = update.events
    sentences = [events.event_sentence(reader, game, event) for event in earlier]
    lines = [" ".join([*filter(None, sentences), _headline(reader, update, [newest])])]
    if newest.event.kind in _TIME_EVENTS:
        lines += _time_limit(reader, update)
        lines += pause_line(reader, game, newest.event.at)
    return Post(
        content="\n".join([*lines, *events.details(reader, game, newest)])[:CONTENT_LIMIT],
        pings=update.pings,
        buttons=_note_buttons(reader, game, newest, parts),
    )


def _note_buttons(
    reader: Reader, game: Game, newest: AppliedEvent, parts: Iterable[BoardPart]
) -> tuple[Button, ...]:
    """Return the buttons below a short message.

    The board's own buttons also stay usable.

    An answered offer needs no buttons here, unless the answer is a new offer.
    """
    if newest.event.kind is OfferMade:
        return _offer_buttons(reader, game)
    more_button = _more_button(reader, game)
    if newest.event.kind in _PAUSING and pause_line(reader, game, newest.event.at):
        return board_button(game, reader.gettext("End the pause"), "resume"), more_button
    if newest.event.kind is HintsAgreed:
        return *_follow_up_buttons(reader, game, parts), more_button
    return (more_button,)


def answered_offer(reader: Reader, game: Game) -> tuple[Button, ...]:
    """Return the buttons of an offer's message after it was answered there.

    Each button keeps its position.
    """
    return _offer_buttons(reader, game, is_answered=True)


def _offer_buttons(reader: Reader, game: Game, *, is_answered: bool = False) -> tuple[Button, ...]:
    answers = (replace(button, disabled=is_answered) for button in _answer_buttons(reader, game))
    buttons = (*_follow_up_buttons(reader, game, ()), _more_button(reader, game))
    return *answers, *(replace(button, row=1) for button in buttons)


def board_view(reader: Reader, game: Game) -> Post:
    lines = [standing(reader, game), *events.hints_line(reader, game)]
    return Post(content="\n".join(lines), picture=_picture(reader, game))


def standing(reader: Reader, game: Game, *, asker: UserId | None = None) -> str:
    """Name the players and say whose turn it is. The `asker` is addressed as "you"."""
    you = reader.gettext("That's you!") if asker is not None and game.to_move == asker else ""
    white, black = seat_name(game, Color.WHITE), seat_name(game, Color.BLACK)
    players = reader.gettext("White: {white}. Black: {black}.").format(white=white, black=black)
    if game.to_move is None:
        return players
    to_move = reader.gettext("It's {player}'s turn.").format(player=name_of(game, game.to_move))
    return " ".join(filter(None, [players, to_move, you, events.standing_offer(reader, game)]))


def board_as_text(
    reader: Reader, game: Game, *, is_newest: bool, asker: UserId | None = None
) -> Post:
    """Return a board as text and as a diagram, for people who can't see its picture."""
    old = reader.gettext("That's an old board. The newest one is further down.")
    description = pictures.position_as_text(
        reader,
        game.position,
        reader.coordinates_or(game.row.coordinates),
        last=game.last,
        caption=pictures.caption_aloud(game, asker),
        turned=pictures.is_turned(reader, game),
    )
    parts = ["" if is_newest else old, events.standing_offer(reader, game), description]
    return Post(content="\n".join(filter(None, parts))[:CONTENT_LIMIT])


def board_buttons(
    reader: Reader, game: Game, parts: Iterable[BoardPart], *, is_answered: bool = False
) -> tuple[Button, ...]:
    """Return the buttons below a running game's board.

    Against the machine, the board is edited. So while the machine thinks, all buttons are there but
    disabled. The buttons that answer an offer come last. They are disabled if `is_answered`.
    """
    claim = board_button(game, reader.gettext("Claim win"), "claim", ButtonStyle.SUCCESS)
    abort = board_button(game, reader.gettext("End without a result"), "abort")
    answers = _answer_buttons(reader, game) if is_answered else _answers(reader, game)
    return (
        *_follow_up_buttons(reader, game, parts),
        *((claim,) if game.left_by and game.may_claim(game.opponent(game.left_by)) else ()),
        *((abort,) if game.left_by is not None else ()),
        _more_button(reader, game),
        *(replace(button, row=1, disabled=is_answered) for button in answers),
    )


def _buttons_at_end(
    reader: Reader, update: GameUpdate, parts: Iterable[BoardPart]
) -> tuple[Button, ...]:
    """Return the buttons below the last board.

    Buttons that come later are added after them.

    On an edited board, *More* keeps its position.
    """
    game = update.game
    feature_buttons = (
        button for addition in update.additions for button in addition.buttons(reader, game)
    )
    buttons = [*feature_buttons, *_end_buttons(reader, game)]
    if not game.row.is_solo:
        return *buttons, _more_button(reader, game), *buttons_of(reader, game, parts)
    buttons += buttons_of(reader, game, parts)
    count = len(_follow_up_buttons(reader, _before_end(game), parts))
    return *buttons[:count], _more_button(reader, game), *buttons[count:]


def _end_buttons(reader: Reader, game: Game) -> list[Button]:
    assert game.outcome is not None  # checked by the caller # noqa: S101
    level = next_level(game)
    buttons = [] if level is None else [play_level(reader, level)]
    if game.row.vote is None and (game.outcome.has_result or game.row.is_solo):
        rematch = board_button(game, reader.gettext("Rematch"), "rematch", ButtonStyle.PRIMARY)
        buttons.append(replace(rematch, disabled=not game.outcome.has_result))
    if can_continue(game):
        buttons.append(board_button(game, reader.gettext("Play on against me"), "play-on"))
    return [*buttons, *to_replay(reader, game)]


def _before_end(game: Game) -> Game:
    """Return an ended game as on its second-to-last board, to keep the buttons in place."""
    row = replace(game.row, outcome=None)
    if game.position.phase is not Phase.OVER:
        return replace(game, row=row)
    position, last = game.position_after(len(game.line) - 1)
    return replace(game, row=row, position=position, last=last)


def _answers(reader: Reader, game: Game) -> tuple[Button, ...]:
    return () if game.offered is None else _answer_buttons(reader, game)


def _answer_buttons(reader: Reader, game: Game) -> tuple[Button, ...]:
    return (
        board_button(game, reader.gettext("Accept"), "accept", ButtonStyle.SUCCESS),
        board_button(game, reader.gettext("Decline"), "decline", ButtonStyle.DANGER),
    )


def _more_button(reader: Reader, game: Game) -> Button:
    return board_button(game, reader.gettext("More"), "more")


def as_text_button(reader: Reader, game: Game) -> Button:
    return board_button(game, reader.gettext("Board as text"), "text")


def _is_first(update: GameUpdate) -> bool:
    """Return True if no board of this game was posted yet. The machine may have already moved."""
    return any(applied.event.kind is Started for applied in update.events)


def _follow_up_buttons(
    reader: Reader, game: Game, parts: Iterable[BoardPart]
) -> tuple[Button, ...]:
    buttons = (
        (move_button(reader, game), *buttons_of(reader, game, parts))
        if game.row.vote is None
        else (vote_button(reader, game),)
    )
    thinks = _machine_is_to_move(game)
    return tuple(replace(button, disabled=button.disabled or thinks) for button in buttons)


def move_button(reader: Reader, game: Game) -> Button:
    return board_button(game, _verb(reader, game), "pick", ButtonStyle.PRIMARY)


def type_button(reader: Reader, game: Game) -> Button:
    return board_button(game, reader.gettext("Type a move"), "type")


def _newest(reader: Reader, lines: list[str], room: int) -> list[str]:
    """Return the last lines that fit."""
    first = len(lines)
    while first > 0 and (room := room - len(lines[first - 1]) - 1) >= 0:
        first -= 1
    if first == 0:
        return lines
    summary = reader.ngettext("- {count} earlier turn", "- {count} earlier turns", first)
    summary = summary.format(count=first)
    return [summary, *lines[first:]]


def _as_list(heading: str, lines: list[str]) -> list[str]:
    """Return lines below a heading, or a single line next to it."""
    return [heading, *lines] if len(lines) > 1 else [f"{heading} {lines[0].removeprefix('- ')}"]


def _headline(reader: Reader, update: GameUpdate, latest: Sequence[AppliedEvent]) -> str:
    game, newest = update.game, latest[-1]
    sentences = [
        events.event_sentence(reader, game, newest, reads=_addressed_color(update))
        if len(latest) == 1
        else events.moved_on(reader, game, latest),
        *events.passes(reader, game, newest),
    ]
    is_moot = (game.is_running and game.is_member_gone) or newest.event.kind in _TIME_EVENTS
    turn = "" if is_moot or update.is_answered else _turn(reader, update, newest)
    if game.outcome is None or not game.outcome.has_result:
        return " ".join(filter(None, [*sentences, turn]))
    return " ".join([turn, *(sentences if game.outcome.reason is not EndReason.AGREEMENT else ())])


def _addressed_color(update: GameUpdate) -> Color | None:
    """Return the color of the player that a message about an update addresses, if any."""
    game = update.game
    if game.outcome is not None or game.is_voted or _machine_is_to_move(game):
        return None
    return game.position.turn


def _turn(reader: Reader, update: GameUpdate, newest: AppliedEvent) -> str:
    game = update.game
    if game.outcome is not None:
        return events.result(reader, game, game.outcome)
    assert game.to_move is not None  # the game is running # noqa: S101
    if newest.event.kind is OfferMade and game.asked is not None:
        return _is_asked(reader, game, game.asked)
    to_move = name_of(game, game.to_move)
    if _machine_is_to_move(game):
        if update.is_long:
            return reader.gettext("{player} is thinking longer than usual.").format(player=to_move)
        return reader.gettext("{player} is thinking.").format(player=to_move)
    if newest.event.kind is Moved and newest.event.actor == game.to_move:
        return reader.gettext("{player}, your turn again.").format(player=to_move)
    return reader.gettext("{player}, your turn.").format(player=to_move)


def _is_asked(reader: Reader, game: Game, player: UserId) -> str:
    return reader.gettext("{player}, accept?").format(player=name_of(game, player))


def _guidance(reader: Reader, update: GameUpdate) -> list[str]:
    game, newest = update.game, update.events[-1]
    if game.outcome is not None:
        return [
            *_farewell(reader, game),
            *(line for addition in update.additions for line in addition.end_lines(reader, game)),
        ]
    if newest.event.kind is Deserted:
        return []
    first = next((applied for applied in update.events if applied.event.kind in _FIRST), None)
    lines = [] if first is None else _who_plays(reader, game)
    if first is not None and first.event.kind is Started:
        level = game.row.level if game.row.is_solo else None
        if level is not None and not update.familiar.character:
            lines.append(greeting(reader, level))
        if game.row.tournament is not None:
            return lines  # the announcement contained the rest
        lines += clock_line(reader, game.row.clock)
        lines += [reader.gettext("This game is rated.")] if game.row.rated else []
        lines += passed_deadline_line(reader, game) if game.row.claimable else []
        lines += [] if game.row.vote is None else [vote_rules(reader, game.row.vote)]
        lines += while_visiting(reader, game.row.clock) if game.row.visiting else []
    return lines if update.familiar.rules else lines + _how_to_play(reader, update)


def _who_plays(reader: Reader, game: Game) -> list[str]:
    white, black = seat_name(game, Color.WHITE), seat_name(game, Color.BLACK)
    players = reader.gettext("White: {white}. Black: {black}.").format(white=white, black=black)
    # A board's description for a screen reader names the players, too.
    sentences = [] if reader.uses_screen_reader else [players]
    level = game.row.level
    if game.row.is_solo and level is not None:
        level_text = reader.gettext("Level {level}.").format(level=level_name(reader, level))
        sentences.insert(0, level_text)
    if game.row.start is Start.POSITION:
        sentences.append(board_words(reader, game.row.start))
    return [" ".join(sentences)] if sentences else []


def _farewell(reader: Reader, game: Game) -> list[str]:
    """Return what the machine's character says to its opponent after the game."""
    level, outcome = game.row.level, game.outcome
    if not game.row.is_solo or level is None or outcome is None or outcome.winner is None:
        return []
    beaten = game.player(outcome.winner) != game.row.machine
    return [farewell(reader, level, beaten=beaten)]


def _how_to_play(reader: Reader, update: GameUpdate) -> list[str]:
    game, newest = update.game, update.events[-1]
    position = game.position
    if position.phase is Phase.PLACEMENT and position.plies < _DVONN_PIECES:
        ask = (
            reader.gettext("Place a red piece: press *{verb}*.")
            if game.row.visiting
            else reader.gettext(
                "Place a red piece: press *{verb}* or type a space, like {example}."
            )
        )
        lines = [] if _machine_is_to_move(game) else [ask]
    elif position.phase is Phase.PLACEMENT and position.plies == _DVONN_PIECES:
        lines = [reader.gettext("All three red pieces are down. Now place your own.")]
    elif (newest.event.data.changes_position and is_full(game)) or (
        position.phase is Phase.MOVEMENT and _is_first(update)
    ):
        full = reader.gettext("Board full!")
        rule = reader.gettext(
            "A stack moves in a straight line, exactly as far as it is tall. It must land on a "
            "piece."
        )
        nobody_placed = _is_first(update) or not game.line
        lines = [
            rule if nobody_placed else f"{full} {rule}",
            how_to_vote(reader, _example(reader, game))
            if game.row.vote is not None
            else reader.gettext("On your turn, press *{verb}*.")
            if game.row.visiting
            else _how_to_move(reader, game),
        ]
    else:
        return events.why_cut_off(reader, game, update.events)
    verb, example = _verb(reader, game), _example(reader, game)
    return [line.format(verb=verb, example=example) for line in lines]


def _how_to_move(reader: Reader, game: Game) -> str:
    if game.row.is_solo:
        return reader.gettext("On your turn, press a stack or type a move, like {example}.")
    return reader.gettext("On your turn, press *{verb}* or type a move, like {example}.")


def _example(reader: Reader, game: Game) -> str:
    """Return a playable move in the reader's notation.

    While the machine thinks, it is only an example.
    """
    first, *_ = moves = game.position.legal_moves()
    if _machine_is_to_move(game):
        moves = game.position.play(first).legal_moves() or moves
    return format_move(moves[0], reader.coordinates_or(game.row.coordinates))


def _verb(reader: Reader, game: Game) -> str:
    if game.row.vote is not None:
        return reader.gettext("Vote")
    placing = game.position.phase is Phase.PLACEMENT
    return reader.gettext("Place") if placing else reader.gettext("Move")


def _time_limit(reader: Reader, update: GameUpdate) -> list[str]:
    """Return the time-limit line for the player to move, or an empty list."""
    game, pause = update.game, update.pause
    if update.deadline is not None and game.is_voted:
        return [vote_end(reader, update.deadline)]
    if update.deadline is None or game.to_move is None or game.has_no_deadline:
        return []
    limit = reader.gettext("⏱ Time limit: {when}.").format(when=due(update.deadline))
    if pause is None:
        return [limit]
    words = (
        reader.gettext("{player} is on vacation until {until}.")
        if pause.reason is PauseReason.VACATION
        else reader.gettext("All clocks here are paused until {until}.")
    )
    reason = words.format(player=name_of(game, game.to_move), until=timestamp(pause.ends))
    return [f"{limit} {reason}"]


def _machine_is_to_move(game: Game) -> bool:
    return game.to_move is not None and game.to_move == game.row.machine


def _picture(reader: Reader, game: Game, spoken: SpokenPart = SpokenPart.ALL) -> pictures.Picture:
    return pictures.picture(
        reader,
        pictures.picture_name(game.row.id, game.row.revision),
        game.position,
        reader.coordinates_or(game.row.coordinates),
        last=game.last,
        game=game,
        spoken=spoken,
    )
