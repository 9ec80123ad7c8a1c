"""Tests for a reader's own notation of spaces, in every private text and in typed moves."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum

import pytest

from bot.base.languages import IN_ENGLISH, Reader
from bot.composition import FEATURE_SET
from bot.connection.posts import Button, Option, Post, Renderable, Select
from bot.play.model.preview import Preview
from bot.play.words.boards import board_view
from bot.play.words.moves import legal_moves
from bot.play.words.picker import landings, picker, preview
from bot.play.words.pictures import Picture
from bot.replay.model.pasted import read as read_pasted
from bot.replay.model.refusals import BadPaste
from bot.replay.model.replays import MoveSequence, ReplayCursor, ReplayView, sequence_of, view_at
from bot.replay.parts import page_parts, replay_parts
from bot.replay.words.game_page import PageAsker, game_page, replay
from bot.replay.words.views import film as film_post
from dvonn import POINTS, ROWS, Coordinates, Position, format_move
from dvonn_lessons.move_effects import MoveEffects
from renderer import ENGLISH
from tests.bot import replayed
from tests.bot.composition.example_texts import EXAMPLE_TEXTS, of_features
from tests.bot.play.example_texts import MOVES, MOVING, ExampleTexts, all_seen, whole_game
from tests.bot.replayed import play, started
from tests.games import random_game

STANDARD, PERGIOCO = Coordinates.STANDARD, Coordinates.PERGIOCO
CHOSEN = replace(IN_ENGLISH, coordinates=PERGIOCO)
BLACK = replace(CHOSEN, player=replayed.BOB)
ROW = re.compile(r"Row ([1-5])")
AS_CHOSEN = {STANDARD.label(point): PERGIOCO.label(point) for point in POINTS}
ROW_AS_CHOSEN = {STANDARD.row_label(row): PERGIOCO.row_label(row) for row in range(ROWS)}
_NAME = re.compile(r"\bRow (?P<row>[1-5])\b|\b[a-k][1-5]\b")
_KEPT = re.compile(r"```\n.*?\n```", re.DOTALL)
"""Code blocks, whose spaces are never renamed: records for programs, and boards in letters."""

TOLD_OTHERWISE = {
    "challenge",  # it says how spaces will be named in the game
    "help_page",  # it also mentions a game in the other notation
    "note",  # some are shortened if they are too long
    "not_understood",  # its example is valid in both
    "looks",  # these show the possible choices
    "server_games_label",
    "position_form",
    "more_options",
    "place_style",
    "settings",
    "record",  # a file, in the game's own notation
    "refusal",  # in the notation in which a move was read
    "stands_alone",
    "style_line",
    "show_form",
}
"""Functions that don't name spaces for one reader."""
PUBLIC = {"board", "reviewed_board", "shared_line", "shared_ply"}
FEWER: ExampleTexts = {
    "replay": lambda who: [
        replay(who, seen, may_share=True, parts=replay_parts(FEATURE_SET.extensions))
        for seen in seen_of()
    ],
    "game_page": lambda who: [
        game_page(
            who,
            game,
            None,
            PageAsker(replayed.ANN, has_machine=True),
            page_parts(FEATURE_SET.extensions),
        )
        for game in MOVES
    ],
    **{name: says for some in of_features("FEWER") for name, says in some.items()},
}
"""Replacements for functions whose forms take a long time."""
TYPED = "b2, c3, else next free"
"""A list that is valid in both notations."""


def renamed(text: str) -> str:
    """Return a text as a reader of the other notation sees it."""

    def other(found: re.Match[str]) -> str:
        row = found["row"]
        return AS_CHOSEN[found[0]] if row is None else f"Row {ROW_AS_CHOSEN[row]}"

    return TYPED.join(_NAME.sub(other, part) for part in text.split(TYPED))


def visible_texts(said: object) -> Iterator[str]:
    """Return all text of a post, including descriptions for screen readers."""
    if isinstance(said, Enum | Position):
        return
    if isinstance(said, str):
        yield _KEPT.sub("", said)
    elif isinstance(said, list | tuple | set | frozenset):
        for item in said:
            yield from visible_texts(item)
    elif is_dataclass(said):
        unread = {"custom_id", "filename", "value", "look", "last", "marks", "review"}
        for field in fields(said):
            if field.name not in unread:
                yield from visible_texts(getattr(said, field.name))


def ids_and_values(said: object) -> Iterator[str]:
    """Return custom ids and the values of selects, which are sent back when they are used."""
    if isinstance(said, Option):
        yield said.value
    elif isinstance(said, Button | Select):
        yield said.custom_id
    if isinstance(said, list | tuple):
        for item in said:
            yield from ids_and_values(item)
    elif is_dataclass(said) and not isinstance(said, Enum | Position):
        for field in fields(said):
            yield from ids_and_values(getattr(said, field.name))


def coordinates(said: object) -> Iterator[object]:
    """Yield the names of spaces in pictures."""
    if isinstance(said, Renderable):
        yield from (
            getattr(said, field.name) for field in fields(said) if field.name == "coordinates"
        )
    elif isinstance(said, list | tuple):
        for item in said:
            yield from coordinates(item)
    elif is_dataclass(said) and not isinstance(said, Enum | Position):
        for field in fields(said):
            yield from coordinates(getattr(said, field.name))


def surely_shown(text: str) -> str:
    """Return a text.

    If it was shortened, return only the part that doesn't depend on the notation.
    """
    return text[:60] if text.endswith("…") else text


def seen_of() -> tuple[ReplayView, ...]:
    return all_seen()[::19]


@pytest.mark.parametrize("name", sorted(EXAMPLE_TEXTS.keys() - TOLD_OTHERWISE - PUBLIC))
def test_all_is_named_as_its_reader_has_chosen(name: str) -> None:
    usual, chosen = ((FEWER.get(name) or EXAMPLE_TEXTS[name])(who) for who in (IN_ENGLISH, CHOSEN))
    expected = [renamed(text) for text in visible_texts(usual)]
    assert list(map(surely_shown, visible_texts(chosen))) == list(map(surely_shown, expected))
    assert set(coordinates(chosen)) <= {PERGIOCO}
    if name != "suggestions":  # these are typed for their reader
        assert list(ids_and_values(chosen)) == list(ids_and_values(usual))


def test_a_film_is_named_as_its_watcher_has_chosen_with_their_side_below() -> None:
    game, _ = whole_game()
    seen = view_at(ReplayCursor(game.row.id), sequence_of(game), game)
    for who, coordinates, turned in (
        (IN_ENGLISH, STANDARD, False),
        (CHOSEN, PERGIOCO, False),
        (BLACK, PERGIOCO, True),
        (replace(IN_ENGLISH, player=replayed.ANN), STANDARD, False),
    ):
        film = film_post(who, seen)
        assert (film.reel.coordinates, film.look.turned) == (coordinates, turned)


def looked_at(who: Reader) -> list[Post]:
    """Return each kind of private view of a game."""
    seen, move = (
        view_at(ReplayCursor(MOVING.row.id, 49), sequence_of(MOVING), MOVING),
        MOVING.position.legal_moves()[0],
    )
    assert move.source is not None  # no placements are left
    return [
        board_view(who, MOVING),
        replay(who, seen, may_share=True, parts=replay_parts(FEATURE_SET.extensions)),
        picker(who, MOVING),
        landings(who, MOVING, move.source),
        preview(who, Preview(MOVING, MoveEffects(MOVING.position, move))),
        *(post for looks in of_features("looked_at") for post in looks(who)),
    ]


def test_blacks_own_side_is_at_the_bottom_in_every_view() -> None:
    for who, turned in ((BLACK, True), (replace(BLACK, player=replayed.ANN), False)):
        for post in looked_at(who):
            assert isinstance(post.picture, Picture)
            assert post.picture.look.turned is turned
            assert (ENGLISH.turned in post.picture.alt_text) is turned


def test_the_rows_to_place_on_are_listed_as_they_are_seen() -> None:
    game = play(started(), "d2")[0]
    rows, turned = (
        [row for row in ROW.findall("\n".join(visible_texts(legal_moves(who, game)))) if row]
        for who in (IN_ENGLISH, replace(IN_ENGLISH, player=replayed.BOB))
    )
    assert turned == rows[::-1]


# Typed moves


def test_a_list_that_is_pasted_is_read_as_it_is_named_or_else_as_standard() -> None:
    moves = tuple(random_game(5))
    own = " ".join(format_move(move, PERGIOCO) for move in moves)
    assert read_pasted(own, PERGIOCO) == MoveSequence(Position.initial(), moves, PERGIOCO)
    standard = " ".join(map(str, moves))
    assert read_pasted(standard, PERGIOCO) == MoveSequence(Position.initial(), moves)
    with pytest.raises(BadPaste) as caught:
        read_pasted(f"{own} {format_move(moves[-1], PERGIOCO)}", PERGIOCO)
    assert caught.value.line == len(moves) + 1
