"""Compare a continued game with every other source of the same facts.

The game's state follows from its events, and so do its moves, its record and its deadline. Each is
computed here a second time, in another way or from the database.
"""

import re
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import datetime, timedelta
from random import Random

from bot.base.ids import Revision
from bot.base.languages import languages, reader_for
from bot.composition import FEATURE_SET
from bot.connection.posts import Post
from bot.features.plans.model.parsing import parse_plan
from bot.features.plans.model.text import short, write
from bot.features.plans.model.tree import Plan, Tree, from_json, to_json
from bot.features.plans.words.views import plan_made
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game, before_start
from bot.play.model.played_boards import board_text
from bot.play.model.typed import PlacementList
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache, Steps, replay
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.boards import board, board_as_text, board_view, note
from bot.play.words.moves import legal_moves
from bot.play.words.picker import picker
from bot.replay.model.pasted import code_block, in_message, read
from bot.replay.model.replays import (
    LINE,
    LONGEST_LINE,
    SPOT,
    ReplayCursor,
    record_of,
    sequence_of,
    view_at,
)
from bot.replay.parts import page_parts, replay_parts
from bot.replay.words.game_page import PageAsker, game_page
from bot.replay.words.game_page import replay as replay_post
from dvonn import Color, Coordinates, GameRecord, Move, Position
from dvonn.formats import FORMATS, read_records, write_records
from school.explore.model import new_study
from school.explore.words.boards import ExploreOptions, explore

_MESSAGE, _ID = 2_000, 100
"""Maximum number of characters in a message, and in a custom id."""
_GOES_ON = 0.8
_MILLISECOND = timedelta(milliseconds=1)
_NAMES = ('"Ann"] 5', "Bob\\", "[a1]", "1-0 {x}", "# Player 1: x", "draw", "(;", "\u00e9\u202e", "")
"""Names of people that make trouble in records."""
_HOW_IT_CAME = ("plies", "passed", "removed", "phase", "turn")
_IMPLIED = 48
"""After this many moves, Little Golem takes the next one for granted."""


class Agreement:
    """Checks of a game."""

    def __init__(
        self,
        store: Store,
        game_cache: GameCache,
        does: UseCases,
        now: Callable[[], datetime],
        rng: Random,
    ) -> None:
        self._store, self._game_cache, self._does, self._now = store, game_cache, does, now
        self._readers, self._rng = tuple(map(reader_for, languages())), rng

    async def check(self, update: GameUpdate) -> None:
        """Check that all consequences of a change agree.

        Raises:
            AssertionError: if something does not.
        """
        game = update.game
        row = await self._store.games.get(game.row.id)
        assert row == game.row
        steps = list(replay(before_start(row), await self._store.games.events(row.id)))
        told = tuple(told for told, _ in steps)
        _same(game, steps[-1][1])
        assert told[-len(update.events) :] == update.events
        unaided = await self._store.games.unaided(row.white)
        kept = {f"{revision}-{board}" for number, revision, board in unaided if number == row.id}
        assert kept == {f"{row.revision}-{text}" for text in [board_text(game)] if text}
        await self._remembered(game, steps)
        await self._told_again(update)
        await self._timed(game)
        self._check_texts(update)
        self._recorded(game)
        self._looked_at(game)

    async def _remembered(self, game: Game, steps: Steps) -> None:
        """The cache has the game as of any revision."""
        row, rng = game.row, self._rng
        other_cache = GameCache(self._store, size=1, page_ends=2)
        for game_cache in (self._game_cache, other_cache):
            number = rng.randrange(len(steps))
            then = await game_cache.at_revision(row, Revision(number))
            assert then is not None
            _same(then, steps[number][1])
        after = rng.randrange(-1, len(steps))
        now, told = await other_cache.since(row, Revision(after), row.revision)
        _same(now, game)
        assert told == tuple(told for told, _ in steps[after + 1 :])
        if game.is_running:
            _same(await other_cache.running(row.id), game)

    async def _told_again(self, update: GameUpdate) -> None:
        """A later announcement from fresh data says the same."""
        row, first = update.game.row, update.events[0].event
        again = await self._does.games.unannounced(
            row.id, row.revision, Revision(first.revision - 1)
        )
        assert (again.events, again.deadline) == (update.events, update.deadline)
        _same(again.game, update.game)
        reads = self._rng.choice(self._readers)
        assert board(reads, again) == board(reads, update)

    async def _timed(self, game: Game) -> None:
        """The clocks run until the deadline and no longer, and no time is lost or created."""
        if game.clock is not None:
            for left in (game.clock.white, game.clock.black):
                assert left >= timedelta()
                assert not left % _MILLISECOND
        clocks = await self._does.clocks.of_game(game)
        if clocks is not None:
            assert clocks.outage >= timedelta()
            is_up = clocks.time_left(clocks.turn) == timedelta()
            assert is_up == (self._now() >= clocks.deadline)

    def _check_texts(self, update: GameUpdate) -> None:
        """All texts about it fit a message."""
        reads, game = self._rng.choice(self._readers), update.game
        posts: list[Post] = [
            board(reads, update, parts=FEATURE_SET.board),
            note(reads, update, parts=FEATURE_SET.board),
            board_view(reads, game),
            board_as_text(reads, game, is_newest=True),
        ]
        if game.is_running:
            posts.append(legal_moves(reads, game))
            posts.append(picker(reads, game))
        for post in posts:
            _can_be_sent(post)

    def _looked_at(self, game: Game) -> None:
        """Each place in it can be shown, and its custom id leads back to it."""
        rng, course = self._rng, sequence_of(game)
        reads, ply = rng.choice(self._readers), rng.randint(course.dealt, course.plies)
        position, line = course.positions()[ply], list[Move]()
        while position.turn is not None and rng.random() < _GOES_ON and len(line) < LONGEST_LINE:
            line.append(rng.choice(position.legal_moves()))
            position = position.play(line[-1])
        spot, around = (
            ReplayCursor(game.row.id, ply, tuple(line)),
            ExploreOptions(may_share=True, has_engine=True),
        )
        there, pasted = view_at(spot, course, game), ReplayCursor(None, ply)
        assert there.position == position
        found = re.fullmatch(SPOT + LINE, spot.with_line)
        assert found is not None
        assert ReplayCursor.from_match(found) == spot
        _can_be_sent(explore(reads, new_study(there, game.row.white), around))
        _can_be_sent(
            replay_post(
                reads,
                view_at(spot.at_ply(ply), course, game),
                may_share=True,
                parts=replay_parts(FEATURE_SET.extensions),
            )
        )
        _can_be_sent(
            game_page(
                reads,
                game,
                None,
                PageAsker(game.row.white, has_machine=True),
                page_parts(FEATURE_SET.extensions),
            )
        )
        alone = replace(course, dealt=0)
        shown = replay_post(
            reads,
            view_at(pasted, alone),
            may_share=True,
            parts=replay_parts(FEATURE_SET.extensions),
        )
        _can_be_sent(shown)
        assert in_message(shown.content) == alone, shown.content

    def _recorded(self, game: Game) -> None:
        """The moves lead to the board, and every stored form restores them."""
        course = replace(sequence_of(game), dealt=0)  # a text doesn't say who placed
        last = course.positions()[-1]
        _same_position(last, game.position)
        assert in_message(code_block(course)) == course
        white, black = self._rng.choices(_NAMES, k=2)
        record = record_of(game, white=white, black=black)
        assert GameRecord.from_text(record.to_text()) == record
        for text in (record.to_text(), record.to_text().replace("\n", " ")):
            assert replace(read(text), headers=()) == course, text  # it has the names, too
        name = self._rng.choice([*FORMATS])
        (other,) = read_records(write_records([record], name))
        implied = name == "littlegolem" and len(record.moves) == _IMPLIED
        assert other.moves[: _IMPLIED if implied else None] == record.moves, name

    def planned(self, game: Game, ahead: Plan, own: Color) -> None:
        """A plan is the same after it is stored, and after its text is typed.

        Raises:
            AssertionError: if it is not.
        """
        if not isinstance(ahead, PlacementList):
            tree = Tree(game.board_since, ahead)
            assert from_json(to_json(tree)) == tree
        for system in Coordinates:
            text = "; ".join(write(ahead, system, short(system)))
            assert parse_plan(text, system, game.position, own) == ahead, text
        for reads in self._readers:
            post = plan_made(reads, game, ahead, game.player(own))
            assert 0 < len(post.content) <= _MESSAGE


def _can_be_sent(post: Post) -> None:
    """A post fits a message, and exactly one class handles each of its buttons and selects."""
    assert 0 < len(post.content) <= _MESSAGE, post.content
    ids = [
        *(button.custom_id for button in post.buttons),
        *(select.custom_id for select in post.selects),
    ]
    assert len(set(ids)) == len(ids), ids
    for custom_id in ids:
        assert len(custom_id) <= _ID, custom_id
        known = [button for button in FEATURE_SET.buttons if button.ids.fullmatch(custom_id)]
        assert len(known) == 1, (custom_id, known)


def _same(one: Game, other: Game) -> None:
    if one != other:
        names = [field.name for field in fields(one)]
        pairs = {name: (getattr(one, name), getattr(other, name)) for name in names}
        raise AssertionError({name: pair for name, pair in pairs.items() if pair[0] != pair[1]})
    _same_position(one.position, other.position)
    _same_position(one.base, other.base)


def _same_position(one: Position, other: Position) -> None:
    """Including the parts that are ignored when positions are compared."""
    assert one == other, (one, other)
    for name in _HOW_IT_CAME:
        assert getattr(one, name) == getattr(other, name), (name, one, other)
