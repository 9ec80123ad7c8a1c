"""The changes that may survive: module and a part of the change, and why no test can tell them."""

from typing import Final

_NEVER = "never raised: it says what cannot be"
_SAME_MOMENT = "the same moment, told in the host's own zone: sums and comparisons are the same"
_ONLY_BLANKS = "behind the end are only blanks and the like, of which no space and no move begins"
_AS_FALSE = "None counts as False"
_TOGETHER = "a game has clocks just where it has a time control"
_BEGINS_RUNNING = "a new game is written and begun as a running one, whatever its row says"
_ALWAYS_SAID = "the event always says it"
_STARTED = "the start of a game sets its board"
_EMPTY = "an empty stretch of time counts for nothing"
_SAME_LENGTH = "strict tells a reader that both are equally long, as they are"
_LESS_THAN_ANY = "less than any value, as before"
_COMPILES = "it only compiles what is timed then"
_ONLY_ENDS = "every line ends: no value lies between a draw and a win or a loss"
_THEIR_OWN_TYPE = "what numpy makes of such numbers by itself is the same"
_WHOLE = "the memory of a search holds whole numbers: it is the same limit"
_UTF_8 = "the same: tests run where texts are UTF-8"
_ANOTHER_AGE = "an age is only asked whether it is another one"
_POWER_OF_TWO = "the same: the largest power of two of entries that fits"
_SAME_ORDER = "only the order of merits matters, and it is the same"
_NOT_FOR_COUNTING = "how many lines there are needs no hash, no side and no sets by height"
_MORE_LOOKS = "slower: looks on where nothing better can be found"
_MORE_SEARCHES = "slower: what is listed is searched, and the search finds that nothing is cut off"

REASONS: Final[dict[tuple[str, str], str]] = {
    ("bot/model/clock.py", "+ raise AssertionError(None)"): _NEVER,
    ("bot/model/clock.py", '+ raise AssertionError("XXthe last'): _NEVER,
    ("bot/model/clock.py", '+ raise AssertionError("THE LAST'): _NEVER,
    ("bot/model/clock.py", "start, end = since.astimezone(None)"): _SAME_MOMENT,
    ("bot/model/clock.py", "until.astimezone(None)"): _SAME_MOMENT,
    ("bot/model/clock.py", "_weekends(moment.astimezone(None)"): _SAME_MOMENT,
    ("bot/model/clock.py", "pause.begins.astimezone(None)"): _SAME_MOMENT,
    ("bot/model/clock.py", "pause.ends.astimezone(None)"): _SAME_MOMENT,
    ("bot/model/clock.py", "today = start.astimezone(None)"): "a day off leads to the same weekend",
    ("bot/model/clock.py", "+ if begins > end:"): _EMPTY,
    ("bot/games/archive.py", "size: int = 1001"): "one game more",
    ("bot/games/archive.py", "page_ends: int = 513"): "one game more",
    ("bot/games/archive.py", "popitem(last=None)"): _AS_FALSE,
    ("bot/games/archive.py", "+ return Game(row, None, None,"): _STARTED,
    ("bot/games/archive.py", "+ return Game(row, Position.initial(), None, None)"): _STARTED,
    ("bot/games/clocks.py", "+ if control is None and clock is None or turn is None"): _TOGETHER,
    ("bot/games/events.py", "int(event.detail or 2)"): _ALWAYS_SAID,
    (
        "bot/games/events.py",
        "+ if game.clock is None or control is None and turn is None:",
    ): _TOGETHER,
    (
        "bot/games/events.py",
        "+ if game.clock is None and control is None or turn is None:",
    ): _TOGETHER,
    ("bot/games/events.py", "- case _: return False"): _AS_FALSE,
    ("bot/games/events.py", 'event.move or "XXXX"'): _ALWAYS_SAID,
    ("bot/games/events.py", 'event.detail or "XXXX"'): _ALWAYS_SAID,
    ("bot/games/events.py", "+ plies = int(event.detail or 1)"): _ALWAYS_SAID,
    ("bot/games/events.py", "finish_placement(position, int(event.detail or 1))"): _ALWAYS_SAID,
    (
        "bot/games/events.py",
        "game.row, game.opponent(None)",
    ): "whoever picks his side sits as Black",
    (
        "bot/games/events.py",
        "+ refused = game.refused if (offered is None) and",
    ): "what is declined was offered",
    ("bot/games/events.py", "+ if game.clock is None or first.clock is None and mover"): _TOGETHER,
    ("bot/games/events.py", "+ if game.clock is None and first.clock is None or mover"): _TOGETHER,
    ("bot/games/events.py", "+ clock=_spent(game, event, game.turn, gains=None),"): _AS_FALSE,
    ("bot/games/events.py", "GameState.TIMED_OUT)(game, None)"): "an end asks nothing of its event",
    ("bot/games/games.py", 'typed: str = "XXXX"'): "x separates: it asks for every move",
    ("bot/games/games.py", "- at_hand = False\n    + at_hand = None"): _AS_FALSE,
    ("bot/games/ledger.py", "+ if control is None and clock is None:"): _TOGETHER,
    ("bot/games/ledger.py", "+ if control is None and clock is None or turn is None:"): _TOGETHER,
    (
        "bot/games/ledger.py",
        "+ look_at=None if (deadline is None) and",
    ): "the first look is None too",
    ("bot/games/ledger.py", "+ plans=thought if (game.is_placing) or True"): "asks for no lists",
    ("bot/games/ledger.py", "+ seats=seats if (seats !="): "writes the seats that stand already",
    (
        "bot/games/ledger.py",
        "+ if control is None or control.is_live or clock is None and turn is None:",
    ): _TOGETHER,
    (
        "bot/games/preferences.py",
        "+ break  # his first choice was made twice at once",
    ): "SQLite has one writer at a time; on PostgreSQL a test notices it",
    ("bot/games/preferences.py", "XXreminders are to come at no time"): _NEVER,
    ("bot/games/reminders.py", "- continue\n    + break"): "nobody takes games out of the database",
    ("bot/games/reminders.py", "+ if game is None and deadline is None:"): _TOGETHER,
    ("bot/games/reminders.py", "or turn is None and player is None:"): _TOGETHER,
    ("bot/games/reminders.py", "or clock is None and turn is None or player"): _TOGETHER,
    (
        "bot/games/reminders.py",
        "+ if game.to_move != row.player and game.clock is None or",
    ): "each turn begins at a moment of its own",
    ("bot/model/time_control.py", 'duration or "XXXX")'): "no amount is read from it either",
    ("bot/games/vacations.py", "time(), where).astimezone(None)"): _SAME_MOMENT,
    ("bot/games/vacations.py", "vacation.ends.year + 2)"): "a year it does not touch lends nothing",
    (
        "bot/games/pauses.py",
        "+ if game.row.clock is None and game.clock is None or not game.is_running:",
    ): _TOGETHER,
    (
        "bot/games/pauses.py",
        "+ if control is None or control.is_live or clock is None and player is None:",
    ): "nobody has no vacations",
    ("bot/games/standin.py", "+ state=None,"): _BEGINS_RUNNING,
    ("bot/games/standin.py", "- state=GameState.RUNNING, )"): _BEGINS_RUNNING,
    (
        "bot/model/preferences.py",
        "+ last = day if self.begins <= self.ends",
    ): "they are never the same",
    ("bot/model/preferences.py", "self.begins, where).astimezone(None)"): _SAME_MOMENT,
    ("bot/model/preferences.py", "self.ends, where).astimezone(None)"): _SAME_MOMENT,
    ("bot/model/zones.py", "_SUGGESTED, )"): "what difflib takes by itself is the same",
    ("dvonn/notation.py", ".match(self.text, self.at, )"): _ONLY_BLANKS,
    ("dvonn/notation.py", "_POINT.match(self.text, gap.end(), )"): _ONLY_BLANKS,
    ("bot/model/clock.py", "+ if begins >= start and ends > begins:"): _EMPTY,
    ("dvonn/diagram.py", "lines, strict=None)"): "what zip does by itself is the same",
    ("dvonn/diagram.py", "lines, ):"): "what zip does by itself is the same",
    ("dvonn/diagram.py", "zip(points, views, strict=None)"): _SAME_LENGTH,
    ("dvonn/diagram.py", "zip(points, views, strict=False)"): _SAME_LENGTH,
    ("dvonn/diagram.py", "zip(points, views, )"): _SAME_LENGTH,
    ("dvonn/engine/__init__.py", "nodes: int = 300001"): "half of it is the same number",
    ("dvonn/engine/__init__.py", '(error.name or "XXXX")'): "that is none of the packages either",
    ("dvonn/engine/__main__.py", '+ if not 0 < seconds < float("INF"):'): "the same number",
    ("dvonn/engine/__main__.py", "sys.stdin.buffer, encoding=None,"): _UTF_8,
    ("dvonn/engine/__main__.py", 'sys.stdin.buffer, errors="replace")'): _UTF_8,
    ("dvonn/engine/__main__.py", 'sys.stdin.buffer, encoding="UTF-8",'): _UTF_8,
    ("dvonn/engine/analysis.py", "max(nodes / _BEST_SHARE, 1)"): _WHOLE,
    ("dvonn/engine/analysis.py", "max(nodes // _BEST_SHARE / len(others), 1)"): _WHOLE,
    ("dvonn/engine/analysis.py", "max(nodes / _BEST_SHARE // len(others), 1)"): _WHOLE,
    ("dvonn/engine/analysis.py", "+ return float(points >= 0)"): "0 is no proven win or loss",
    ("dvonn/engine/analysis.py", "+ return float(points > 1)"): "1 is no proven win or loss",
    (
        "dvonn/engine/analysis.py",
        "+ if entry is None and entry not in",
    ): "only where two positions share a hash the known move is not legal",
    ("dvonn/engine/baseline.py", "+ best, value = moves[0], -3 * _WON"): _LESS_THAN_ANY,
    ("dvonn/engine/baseline.py", "value, 3 * _WON)"): "more than any value, as before",
    (
        "dvonn/engine/baseline.py",
        "for red in reds), default=1)",
    ): "all points are alike to the first",
    ("dvonn/engine/baseline.py", "+ best = -3 * _WON"): _LESS_THAN_ANY,
    ("dvonn/engine/baseline.py", "+ if best > beta:"): _MORE_LOOKS,
    ("dvonn/engine/bench.py", "+ for ply in range(max(PLIES) + 2)"): "one more move, not looked at",
    ("dvonn/engine/bench.py", "+ searcher.search(positions()[1], depth=1)"): _COMPILES,
    ("dvonn/engine/bench.py", "+ searcher.search(positions()[0], depth=2)"): _COMPILES,
    ("dvonn/engine/codecup.py", "+ numbers = {point: _DIGITS.rindex("): "no digit is there twice",
    ("dvonn/engine/codecup.py", "zip(POINTS, text[1:], strict=None)"): _SAME_LENGTH,
    ("dvonn/engine/codecup.py", "zip(POINTS, text[1:], strict=False)"): _SAME_LENGTH,
    ("dvonn/engine/codecup.py", "zip(POINTS, text[1:], )"): _SAME_LENGTH,
    ("dvonn/engine/codecup.py", "divmod((number - 2) % 4, 2)"): "the same remainder of 4",
    ("dvonn/engine/endgame.py", "+ memory[THOROUGH] = 2"): "all but 0 is a yes",
    ("dvonn/engine/endgame.py", "+ value = _ask(memory, state, 1, 1)"): _ONLY_ENDS,
    ("dvonn/engine/endgame.py", "+ value = _ask(memory, state, 0, 2)"): _ONLY_ENDS,
    ("dvonn/engine/endgame.py", "+ value = _ask(memory, state, -2, 0)"): _ONLY_ENDS,
    ("dvonn/engine/endgame.py", "+ if value <= 1:"): _ONLY_ENDS,
    ("dvonn/engine/endgame.py", "if value > 1 else"): _ONLY_ENDS,
    ("dvonn/engine/endgame.py", "if value >= 0 else"): "a draw has been told by then",
    ("dvonn/engine/endgame.py", "else (-1, -INFINITE, +WIN)"): "whatever he plays he loses",
    ("dvonn/engine/moves.py", "+ while witnesses | ~reached:"): _MORE_LOOKS,
    ("dvonn/engine/moves.py", "touching\n    - while True:"): _MORE_LOOKS,
    ("dvonn/engine/moves.py", "+ wider = spread(run) | points"): _MORE_LOOKS,
    ("dvonn/engine/moves.py", "key\n    - return HASH_KEYS["): "other keys, as different",
    (
        "dvonn/engine/moves.py",
        "perft\n    - hashed ^=",
    ): _NOT_FOR_COUNTING,
    (
        "dvonn/engine/moves.py",
        "after[2], after[4], after[4], after[5], 1 - side",
    ): _NOT_FOR_COUNTING,
    (
        "dvonn/engine/moves.py",
        "after[3], after[5], after[5], 1 - side",
    ): _NOT_FOR_COUNTING,
    ("dvonn/engine/moves.py", "+ own, other, side = (other, own, "): _NOT_FOR_COUNTING,
    ("dvonn/engine/moves.py", "after[5], 1 + side, depth - 1"): _NOT_FOR_COUNTING,
    ("dvonn/engine/moves.py", "after[5], 2 - side, depth - 1"): _NOT_FOR_COUNTING,
    ("dvonn/engine/placement.py", "+ apart = 2 if position.turn"): _SAME_ORDER,
    ("dvonn/engine/placement.py", "Color.WHITE else -2"): _SAME_ORDER,
    ("dvonn/engine/placement.py", "min(steps, default=1)"): "all points are alike to the first",
    (
        "dvonn/engine/placement.py",
        "+ self._memory[HEIGHTS : ",
    ): "single pieces are known by their set, and their heights are not read",
    ("dvonn/engine/placement.py", "+ sums, counts = (scratch[3:6]"): "a row that is not read",
    ("dvonn/engine/placement.py", "scratch[5:8])"): "there are no more rows",
    ("dvonn/engine/placement.py", "np.array(empty, dtype=None)"): _THEIR_OWN_TYPE,
    ("dvonn/engine/placement.py", "np.array(empty, )"): _THEIR_OWN_TYPE,
    ("dvonn/engine/player.py", "getrandbits(63)"): "other errors, as far off",
    (
        "dvonn/engine/protocol.py",
        "+ return None if (first is None) and False",
    ): "no line can be played where the game is over",
    ("dvonn/engine/searcher.py", "megabytes: int = 17"): _POWER_OF_TWO,
    ("dvonn/engine/searcher.py", "+ entries = 2"): _POWER_OF_TWO,
    ("dvonn/engine/searcher.py", "else nodes / SOLVE_SHARE"): _WHOLE,
    ("dvonn/engine/searcher.py", "+ self._table[:] = 1"): "no position has the hash 1",
    (
        "dvonn/engine/searcher.py",
        "+ self.memory[KILLERS:MOVES] = 1",
    ): "a search begins with an eighth",
    ("dvonn/engine/searcher.py", "+ memory[AGE] = (memory[AGE] - 1)"): _ANOTHER_AGE,
    ("dvonn/engine/searcher.py", "+ memory[AGE] = (memory[AGE] + 2)"): _ANOTHER_AGE,
    ("dvonn/engine/searcher.py", "abs(around) <= WIN"): "who wins is ahead by a piece",
    ("dvonn/engine/tables.py", "(MAX_HEIGHT + 2) * POINT_SLOTS"): "no stack is so high",
    ("dvonn/engine/tables.py", "np.array(keys, dtype=None)"): _THEIR_OWN_TYPE,
    ("dvonn/engine/tables.py", "np.array(keys, )"): _THEIR_OWN_TYPE,
    ("dvonn/record.py", "zip(self.moves, after, strict=None), start=1)"): _SAME_LENGTH,
    ("dvonn/record.py", "zip(self.moves, after, strict=False), start=1)"): _SAME_LENGTH,
    ("dvonn/record.py", "zip(self.moves, after, ), start=1)"): _SAME_LENGTH,
    ("dvonn/record.py", '+ passes = "XXXX".join('): "no more than one player is passed over",
    ("dvonn/record.py", "+ self.numbered = None"): _AS_FALSE,
    ("dvonn/bitboard.py", "+ while witnesses | ~reached:"): "slower: the search goes to its end",
    ("dvonn/bitboard.py", "+ for choice in range(2 << len(ring)):"): "the same sets, found twice",
    ("dvonn/bitboard.py", "+ runs = sum(here or not taken["): _MORE_SEARCHES,
    ("dvonn/bitboard.py", "+ if runs >= 1:"): _MORE_SEARCHES,
    ("dvonn/bitboard.py", "zip(ring, taken, strict=None)"): _SAME_LENGTH,
    ("dvonn/bitboard.py", "zip(ring, taken, strict=False)"): _SAME_LENGTH,
    ("dvonn/bitboard.py", "zip(ring, taken, )"): _SAME_LENGTH,
    ("dvonn/position.py", '+ everything = "XXXX".join('): "only the R, W and B in it are counted",
    ("dvonn/starts.py", "in enumerate(points, ):"): "no point is far from itself",
    (
        "dvonn/starts.py",
        "+ over(rings[0] & rings[1]),",
    ): "on a full board the rest is led by as many",
    ("dvonn/starts.py", "+ for least in range(1, COLUMNS + 2)"): "one more set of no points",
}
