"""Parses trees of planned moves as players type them.

    if d2-d4 then e3-e5, if g3-g4 then h4-h5; if f1-f3 then g3-g4; else ask
    d2-d4: e3-e5, g3-g4: h4-h5; f1-f3: g3-g4

Semicolons or line breaks separate the lines of a tree. A comma continues a line. If two lines share
a beginning, they branch after it. `else`, or `*`, means any other move by the opponent. If it is
the player's own turn, their move comes first. Each move must be legal in the position in which it
would be played.
"""

import re
from typing import Final

import dvonn
from bot.base.spelling import LONGEST_LINES, one_move, split_else_next, whole
from bot.features.plans.model import tree
from bot.features.plans.model.clause import Clause, Token, TokenKind
from bot.features.plans.model.refusals import BadLines, LineProblem
from bot.play.model import refusals
from bot.play.model.typed import TypedTurn, read_plan, read_typed

_WORDS: Final = {
    word: kind
    for kind, words in {
        TokenKind.JOINT: "to x",
        TokenKind.IF: "if when wenn falls se si als",
        TokenKind.THEN: "then dann allora alors entonces dan",
        TokenKind.ELSE: "else otherwise sonst altrimenti sinon anders sino otro otra caso "
        "contrario",
        TokenKind.ANYTHING: "any anything alles qualsiasi tout todo cualquier",
        TokenKind.ASK: "ask frag fragen chiedi chiedimi demande demander pregunta pregúntame "
        "preguntame preguntar vraag",
        TokenKind.FILLER: "and me they play mich mir und e et y en de lo i you",
    }.items()
    for word in words.split()
}
_NAME: Final = r"(?:<@!?[0-9]+>|[^\W\d_]+)"
_ANY_OTHER_MOVE: Final = "|".join(
    phrase.replace(" ", r"\s+").replace("WHO", _NAME)
    for phrase in (
        "whatever(?: else)? WHO do(?:es)?",
        "egal,? was WHO(?: sonst)? spielt",
        "bei allem anderen",
        "haga lo que haga WHO",
        "si(?: WHO)? hace otra cosa",
        "quoi que joue WHO",
        "si (?:WHO|l['\u2019]adversaire) joue autre chose",
        "qualunque cosa giochi WHO",
        "se(?: WHO)? gioca altro",
        "wat WHO ook speelt",
        "als WHO iets anders speelt",
        "bij iets anders",
    )
)
"""The bot's own phrases for "any other move", in each of its languages."""
_TOKEN: Final = re.compile(
    rf"(?P<ANYTHING>\*|\b(?i:{_ANY_OTHER_MOVE})(?!\w))|(?P<POINT>[A-Za-z][1-9][0-9]*)"
    r"|(?P<ELSE>\b(?i:s[ie]\s+no)\b)|(?P<WORD>[^\W\d_]+(?![0-9]))"
    r"|(?P<JOINT>->|[-\u2010-\u2014\u2212\u2192>])|(?P<THEN>:)|(?P<COMMA>,)"
    r"|(?P<BLANK>[\s`.]+)|(?P<UNKNOWN>.)",
    re.DOTALL,
)
_SERIES_TOKENS: Final = {
    TokenKind.POINT,
    TokenKind.JOINT,
    TokenKind.COMMA,
    TokenKind.THEN,
    TokenKind.FILLER,
}
_EXAMPLE_MOVES: Final = 3
_CLAUSE: Final = re.compile(r"[^;\n]+")


def parse_plan(
    text: str, coordinates: dvonn.Coordinates, position: dvonn.Position, own_color: dvonn.Color
) -> tree.Plan:
    """Parse a player's plan while the opponent is to move.

    A single movement without a condition is played after any move, if it is legal then.

    Raises:
        NotationError: if it is not a tree, a move or a list of spaces.
        BadList: if a list can't be stored, or the text is too long.
        BadLines: if a tree can't be stored.
    """
    text = _checked_text(text)
    if _has_conditions(text, position, enough=1):
        return _conditions(text, coordinates, position, own_color)
    if position.phase is dvonn.Phase.PLACEMENT:
        return read_plan(text, coordinates, position)
    body, else_next = split_else_next(text)
    move, *rest = dvonn.parse_moves(body, coordinates)
    if else_next or move.source is None:
        raise refusals.BadList(refusals.ListProblem.NOT_PLACING)
    if rest:
        raise dvonn.NotationError(text, 0, dvonn.NotationProblem.SEVERAL_MOVES)
    plan = tree.ReplyNode((), tree.OwnNode(move))
    if not tree.may_follow(plan, position, own_color):
        raise BadLines(LineProblem.NEVER, wrong_part=dvonn.format_move(move, coordinates))
    return plan


def parse_turn(text: str, coordinates: dvonn.Coordinates, position: dvonn.Position) -> TypedTurn:
    """Parse text from the player to move. It can be a move followed by a tree.

    Other texts are parsed by `read_typed`. Words such as "then" make a tree only if there is more
    than one move: "then d2-d4" is just a move.

    Raises:
        NotationError: if the text is none of these.
        IllegalMoveError: if a move that is played immediately is illegal.
        BadList: if a list for later can't be stored, or the text is too long.
        BadLines: if a tree can't be stored.
    """
    is_tree = (
        len(text) <= LONGEST_LINES
        and one_move(text, coordinates, position.phase) is None
        and _has_conditions(whole(text), position, enough=2)
    )
    if not is_tree:
        return read_typed(text, coordinates, position)
    own_color = position.turn
    assert own_color is not None  # they are to move  # noqa: S101
    text = whole(text)
    first = next(_CLAUSE.finditer(text))
    reader = _clause(text, first, coordinates, position, own_color)
    moves = reader.own_moves()
    if not moves:
        raise BadLines(LineProblem.NO_OWN_MOVE)
    for move in moves:
        position = position.play(move)
    rest = text[reader.offset :].lstrip(" ,;\n\r\t")
    before = text[: len(text) - len(rest)]
    return TypedTurn(moves, _conditions(rest, coordinates, position, own_color, before=before))


def with_replies(
    text: str, coordinates: dvonn.Coordinates, position: dvonn.Position, own_color: dvonn.Color
) -> str:
    """Return a series of moves as a tree: on the player's turn, "h5-i5 c2-d2" as "h5-i5, *: c2-d2".

    The expected moves of the opponent may be included. If one is missing, the player's next move is
    played whatever the opponent does. Any other text is returned unchanged.
    """
    parts: list[str] = []
    moves = _series_of_moves(text, coordinates) if position.phase is dvonn.Phase.MOVEMENT else []
    is_reply = position.turn is own_color.opponent
    for move in moves:
        move_text = dvonn.format_move(move, coordinates)
        if (
            is_reply
            and move.source is not None
            and position.owner(move.source) is not own_color.opponent
        ):
            parts.append(f"*: {move_text},")
            continue
        parts.append(f"{move_text}:" if is_reply else f"{move_text},")
        if move in position.legal_moves():
            position = position.play(move)
            is_reply = position.turn is own_color.opponent
        else:  # the tree's parser explains the error
            is_reply = not is_reply
    return " ".join(parts)[:-1] if len(moves) > 1 and parts[-1].endswith(",") else text


def _series_of_moves(text: str, coordinates: dvonn.Coordinates) -> list[dvonn.Move]:
    """Return the movements of a text that contains nothing else, or an empty list."""
    if len(text) > LONGEST_LINES or len(_CLAUSE.findall(text.strip())) > 1:
        return []
    text = whole(text)
    tokens = _tokens(text, 0, len(text))
    spaces = [
        coordinates.point(token.text.lower()) for token in tokens if token.kind is TokenKind.POINT
    ]
    if not {token.kind for token in tokens} <= _SERIES_TOKENS or len(spaces) % 2:
        return []
    pairs = zip(spaces[::2], spaces[1::2], strict=True)
    return [
        dvonn.Move(source=source, target=target) for source, target in pairs if source and target
    ]


def example_plan(
    coordinates: dvonn.Coordinates, position: dvonn.Position, own_color: dvonn.Color
) -> str:
    """Return an example of a plan for a board, after the player's move: "d2-d4: e3-e5"."""
    texts, is_first = list[str](), position.turn is own_color
    while len(texts) < _EXAMPLE_MOVES and (legal := position.legal_moves()):
        texts.append(dvonn.format_move(legal[0], coordinates))
        position = position.play(legal[0])
    return f"{texts[0]}, {': '.join(texts[1:])}" if is_first else ": ".join(texts[:2])


def _checked_text(text: str) -> str:
    if len(text) > LONGEST_LINES:
        raise refusals.BadList(refusals.ListProblem.TOO_LONG, limit=LONGEST_LINES)
    return whole(text)


def _tokens(text: str, start: int, end: int) -> list[Token]:
    tokens = []
    for match in _TOKEN.finditer(text, start, end):
        name = match.lastgroup or ""
        if name == "BLANK":
            continue
        kind = (
            _WORDS.get(match[0].casefold(), TokenKind.UNKNOWN)
            if name == "WORD"
            else TokenKind[name]
        )
        tokens.append(Token(kind, match[0], match.start()))
    return tokens


def _has_conditions(text: str, position: dvonn.Position, *, enough: int) -> bool:
    """Return True if a text contains a tree's words or symbols, and is not just a list.

    A colon between two spaces may be part of a movement. So it must follow a move, and on the
    player's own turn a later one than the first (`enough` is the number of placements before it).
    """
    if len(text) > LONGEST_LINES:
        return False
    needed = 2 * enough if position.phase is dvonn.Phase.MOVEMENT else enough
    points, has_word = 0, False
    for clause in _CLAUSE.finditer(text):
        body, _ = split_else_next(clause[0])
        for token in _tokens(body, 0, len(body)):
            match token.kind:
                case TokenKind.UNKNOWN:
                    return False
                case TokenKind.POINT:
                    points += 1
                case TokenKind.IF | TokenKind.ELSE | TokenKind.ANYTHING:
                    has_word = True
                case TokenKind.THEN if token.text != ":" or points >= needed:
                    has_word = True
    return has_word


def _conditions(
    text: str,
    coordinates: dvonn.Coordinates,
    position: dvonn.Position,
    own_color: dvonn.Color,
    *,
    before: str = "",
) -> tree.Plan:
    """Parse a tree for a position where the opponent is to move.

    Errors quote `before`, the text in front of this one.
    """
    plan: tree.Plan | None = None
    for clause in _CLAUSE.finditer(text):
        reader = _clause(text, clause, coordinates, position, own_color, before=before)
        if reader.is_empty:
            continue
        line = reader.line()
        if tree.contradicts(plan, line):
            raise BadLines(LineProblem.TWICE, wrong_part=clause[0].strip())
        plan = tree.add_line(plan, line)
        if tree.size(plan) > tree.MAX_MOVES:
            raise BadLines(LineProblem.TOO_MANY, limit=tree.MAX_MOVES)
    if plan is None or all(
        isinstance(step, tree.OpponentStep) for line in tree.lines_of(plan) for step in line
    ):
        raise BadLines(LineProblem.NOTHING)
    _check_fallback(plan, coordinates, position, own_color)
    return plan


def _clause(
    text: str,
    match: re.Match[str],
    coordinates: dvonn.Coordinates,
    position: dvonn.Position,
    own_color: dvonn.Color,
    *,
    before: str = "",
) -> Clause:
    """Return the parser for one line of a tree, with the line's place in the text."""
    body, else_next = split_else_next(text[: match.end()])
    tokens = _tokens(text, match.start(), len(body))
    return Clause(
        text,
        tokens,
        match.end(),
        coordinates,
        position,
        own_color,
        else_next=else_next,
        before=before,
    )


def _check_fallback(
    plan: tree.Plan | None,
    coordinates: dvonn.Coordinates,
    position: dvonn.Position,
    own_color: dvonn.Color,
) -> None:
    """Check that the answer to any other move can be played in at least one case."""
    match plan:
        case tree.OwnNode(move, next_plan):
            if position.turn is own_color:
                _check_fallback(next_plan, coordinates, position.play(move), own_color)
        case tree.ReplyNode(replies, fallback):
            for move, next_plan in replies:
                _check_fallback(next_plan, coordinates, position.play(move), own_color)
            if fallback is None or tree.may_follow(plan, position, own_color):
                return
            if isinstance(fallback, tree.OwnNode):
                move_text = dvonn.format_move(fallback.move, coordinates)
                raise BadLines(LineProblem.NEVER, wrong_part=move_text)
            raise BadLines(LineProblem.NOTHING_ELSE)
        case _:
            pass
