"""Whoever has chosen how spaces are named reads it so wherever they read alone, and types so."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import partial

import pytest

from bot.base.locales import IN_ENGLISH, Reader
from bot.composition import JOINED
from bot.connection.posts import Button, Option, Post, Select
from bot.features.exercises.model import one_move
from bot.features.exercises.words import exercise, exercise_as_text
from bot.features.explore.words import Around, explore, hinted
from bot.features.guesses.use_cases import Guessing
from bot.features.plans.use_cases import Planning
from bot.features.puzzles.model import PuzzleKey
from bot.features.puzzles.words.puzzles import puzzle_asked
from bot.features.reviews.words.moves import Chart
from bot.features.reviews.words.reviews import review_as_text, review_page
from bot.play.model.ahead.decided import Prepared, Waiting
from bot.play.model.courses import Course, Seen, Spot, course_of, see
from bot.play.model.pasted import read as read_pasted
from bot.play.model.previewing import Preview, consequences
from bot.play.model.refusals import BadPaste, UnreadableMove
from bot.play.model.terms import Start
from bot.play.model.thoughts import Thought
from bot.play.use_cases.update import Update
from bot.play.words.boards import look
from bot.play.words.game_page import game_page
from bot.play.words.moves import legal_moves
from bot.play.words.picker import landings, picker, preview
from bot.play.words.pictures import Picture
from bot.play.words.replay import replay
from bot.play.words.views import film as film_post
from dvonn import POINTS, ROWS, Color, Coordinates, Position, format_move
from dvonn.primer import STEPS
from dvonn.puzzles import load
from renderer import ENGLISH
from tests.bot import replayed
from tests.bot.composition.said import SAID, Says
from tests.bot.features.lessons import taught
from tests.bot.play.said import MOVES, MOVING, REVIEWED, REVIEWS, all_seen, whole_game
from tests.bot.replayed import play, started
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table, moved
from tests.games import random_game

STANDARD, PERGIOCO = Coordinates.STANDARD, Coordinates.PERGIOCO
CHOSEN = replace(IN_ENGLISH, coordinates=PERGIOCO)
BLACK = replace(CHOSEN, player=replayed.BOB)
ALONE = Around(may_share=False, has_engine=False)
ROW = re.compile(r"Row ([1-5])")
AS_CHOSEN = {STANDARD.label(point): PERGIOCO.label(point) for point in POINTS}
ROW_AS_CHOSEN = {STANDARD.row_label(row): PERGIOCO.row_label(row) for row in range(ROWS)}
_NAME = re.compile(r"\bRow (?P<row>[1-5])\b|\b[a-k][1-5]\b")
_KEPT = re.compile(r"```\n.*?\n```", re.DOTALL)
"""Records, which a program reads again, and boards in letters."""

TOLD_OTHERWISE = {
    "challenge",  # it tells how they will be named in the game
    "help_page",  # it tells of a game in the other ones, too
    "note",  # some are cut where they are too long
    "not_understood",  # its example is well-formed in both
    "looks",  # these show what there is to choose
    "place_style",
    "settings",
    "record",  # a file, in the game's own
    "refusal",  # in those in which a move was read
    "stands_alone",
    "show_form",
}
"""What does not name spaces for one reader."""
PUBLIC = {"board", "reviewed_board", "shared_line", "shared_ply"}
FEWER: Says = {
    "replay": lambda who: [
        replay(who, seen, may_share=True, parts=JOINED.replay) for seen in seen_of()
    ],
    "explore": lambda who: [explore(who, seen, ALONE) for seen in seen_of()],
    "game_page": lambda who: [
        game_page(who, game, None, replayed.ANN, has_engine=True, parts=JOINED.page)
        for game in MOVES
    ],
    "lesson_answered": lambda who: [
        taught.answered(who, step, move) for step in STEPS for move in taught.tried(step)[::9]
    ],
}
"""Some of what takes long to say in all ways."""
TYPED = "b2, c3, else next free"
"""Well-formed in both."""


def renamed(text: str) -> str:
    """A text as whoever has chosen the other names reads it."""

    def other(found: re.Match[str]) -> str:
        row = found["row"]
        return AS_CHOSEN[found[0]] if row is None else f"Row {ROW_AS_CHOSEN[row]}"

    return TYPED.join(_NAME.sub(other, part) for part in text.split(TYPED))


def read(said: object) -> Iterator[str]:
    """All that is read of something, by eye or by ear."""
    if isinstance(said, Enum | Position):
        return
    if isinstance(said, str):
        yield _KEPT.sub("", said)
    elif isinstance(said, list | tuple | set | frozenset):
        for one in said:
            yield from read(one)
    elif is_dataclass(said):
        unread = {"custom_id", "filename", "value", "look", "last", "marks", "review"}
        for field in fields(said):
            if field.name not in unread:
                yield from read(getattr(said, field.name))


def kept(said: object) -> Iterator[str]:
    """The ids of parts and the values of lists: what comes back when they are used."""
    if isinstance(said, Option):
        yield said.value
    elif isinstance(said, Button | Select):
        yield said.custom_id
    if isinstance(said, list | tuple):
        for one in said:
            yield from kept(one)
    elif is_dataclass(said) and not isinstance(said, Enum | Position):
        for field in fields(said):
            yield from kept(getattr(said, field.name))


def pictures(said: object) -> Iterator[Picture | Chart]:
    if isinstance(said, Picture | Chart):
        yield said
    elif isinstance(said, list | tuple):
        for one in said:
            yield from pictures(one)
    elif is_dataclass(said) and not isinstance(said, Enum | Position):
        for field in fields(said):
            yield from pictures(getattr(said, field.name))


def seen_of() -> tuple[Seen, ...]:
    return all_seen()[::19]


@pytest.mark.parametrize("name", sorted(SAID.keys() - TOLD_OTHERWISE - PUBLIC))
def test_all_is_named_as_its_reader_has_chosen(name: str) -> None:
    usual, chosen = ((FEWER.get(name) or SAID[name])(who) for who in (IN_ENGLISH, CHOSEN))
    assert list(read(chosen)) == [renamed(text) for text in read(usual)]
    assert {one.coordinates for one in pictures(chosen)} <= {PERGIOCO}
    if name != "suggestions":  # these are typed for their reader
        assert list(kept(chosen)) == list(kept(usual))


def test_a_film_is_named_as_its_watcher_has_chosen_with_their_side_below() -> None:
    game, _ = whole_game()
    seen = see(Spot(game.row.id), course_of(game), game)
    for who, coordinates, turned in (
        (IN_ENGLISH, STANDARD, False),
        (CHOSEN, PERGIOCO, False),
        (BLACK, PERGIOCO, True),
        (replace(IN_ENGLISH, player=replayed.ANN), STANDARD, False),
    ):
        film = film_post(who, seen)
        assert (film.reel.coordinates, film.look.turned) == (coordinates, turned)


def looked_at(who: Reader) -> list[Post]:
    """Each kind of private look at a game."""
    seen, move = (
        see(Spot(MOVING.row.id, 49), course_of(MOVING), MOVING),
        MOVING.position.legal_moves()[0],
    )
    assert move.source is not None  # nothing is placed any more
    return [
        look(who, MOVING),
        replay(who, seen, may_share=True, parts=JOINED.replay),
        explore(who, seen, ALONE),
        explore(who, seen, ALONE, chosen=move.source),
        hinted(who, MOVING, [Thought(moves=(move,))]),
        picker(who, MOVING),
        landings(who, MOVING, move.source),
        preview(who, Preview(MOVING, move, consequences(MOVING.position, move))),
        review_page(who, REVIEWED, REVIEWS[0], 1),
    ]


def test_whoever_plays_black_has_their_side_below_wherever_they_look() -> None:
    for who, turned in ((BLACK, True), (replace(BLACK, player=replayed.ANN), False)):
        for post in looked_at(who):
            assert isinstance(post.picture, Picture)
            assert post.picture.look.turned is turned
            assert (ENGLISH.turned in post.picture.alt_text) is turned
        words = review_as_text(who, REVIEWED, REVIEWS[0], 1).content
        assert (ENGLISH.turned in words) is turned


def test_the_rows_to_place_on_are_listed_as_they_are_seen() -> None:
    game = play(started(), "d2")[0]
    for listed in (picker, legal_moves):
        rows, turned = (
            [row for row in ROW.findall("\n".join(read(listed(who, game)))) if row]
            for who in (IN_ENGLISH, replace(IN_ENGLISH, player=replayed.BOB))
        )
        assert turned == rows[::-1]
    first, last = (
        explore(who, see(Spot(game.row.id, 1), course_of(game), game), ALONE).selects[0]
        for who in (IN_ENGLISH, replace(IN_ENGLISH, player=replayed.BOB))
    )
    assert (first.options[0].label, last.options[0].label) == ("c5", "i1")


def test_a_puzzle_for_black_has_blacks_side_below_for_those_who_want_it() -> None:
    for one in load()[:40]:
        for line in ((), one.solution[:2]):
            view = puzzle_asked(BLACK, PuzzleKey(one), line)
            shown = exercise(BLACK, view).picture
            assert isinstance(shown, Picture)
            assert shown.look.turned is (one.solver is Color.BLACK)
            words = exercise_as_text(BLACK, view).content
            assert (ENGLISH.turned in words) is shown.look.turned


# What they type


def test_an_answer_is_read_as_it_is_named() -> None:
    puzzle = load()[0]
    move = puzzle.solution[0]
    assert one_move(format_move(move, PERGIOCO), puzzle.position, PERGIOCO) is move


async def test_a_call_is_read_as_it_is_named(table: Table) -> None:
    game = (await table.accept(await table.challenge(start=Start.BALANCED))).game
    move = game.position.legal_moves()[0]
    at = game.row.id, game.row.revision, CID
    for text, named in ((str(move), None), (format_move(move, PERGIOCO), PERGIOCO)):
        assert (await table.of(Guessing).guess(*at, text, named))[1] is move
    with pytest.raises(UnreadableMove) as caught:
        await table.of(Guessing).guess(*at, "k5", PERGIOCO)
    assert caught.value.coordinates is PERGIOCO


async def test_a_plan_is_read_as_it_is_named(table: Table) -> None:
    game = (await table.accept(await table.challenge(start=Start.BALANCED))).game
    first, *_ = game.position.legal_moves()
    second, *_ = game.position.play(first).legal_moves()
    text = f"{format_move(first, PERGIOCO)}: {format_move(second, PERGIOCO)}"
    for way in (
        partial(table.of(Planning).make, CHANNEL),
        partial(table.of(Planning).make_in, game.row.id),
    ):
        _, made = await way(BOB, text, source=table.source(), named=PERGIOCO)
        assert made == Waiting(((first, Prepared(second)),))
    with pytest.raises(UnreadableMove) as caught:
        await table.of(Planning).make(CHANNEL, BOB, "k5-k4", source=table.source(), named=PERGIOCO)
    assert caught.value.coordinates is PERGIOCO
    _, update = await table.of(Planning).make(
        CHANNEL, ANN, format_move(first, PERGIOCO), source=table.source(), named=PERGIOCO
    )
    assert isinstance(update, Update)
    assert [moved(one).move for one in update.told] == [first, second]


def test_a_list_that_is_pasted_is_read_as_it_is_named_or_else_as_standard() -> None:
    moves = tuple(random_game(5))
    own = " ".join(format_move(move, PERGIOCO) for move in moves)
    assert read_pasted(own, PERGIOCO) == Course(Position.initial(), moves, PERGIOCO)
    standard = " ".join(map(str, moves))
    assert read_pasted(standard, PERGIOCO) == Course(Position.initial(), moves)
    with pytest.raises(BadPaste) as caught:
        read_pasted(f"{own} {format_move(moves[-1], PERGIOCO)}", PERGIOCO)
    assert caught.value.line == len(moves) + 1
