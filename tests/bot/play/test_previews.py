"""Tests for previews: a move's consequences before it is played."""

from functools import partial

import pytest

from bot.base.ids import GameId, Revision, UserId
from bot.base.languages import IN_ENGLISH
from bot.connection.posts import Post
from bot.play.model.game import Game
from bot.play.model.preview import Preview
from bot.play.model.refusals import IllegalPlay, NotYourTurn, StaleBoard
from bot.play.words.picker import preview
from bot.play.words.pictures import Picture
from dvonn import Color, Coordinates, Position, format_move, parse_move
from dvonn_lessons.move_effects import MoveEffects
from tests.bot.play.test_moves_words import game_of
from tests.bot.replayed import A, B
from tests.bot.table import ANN, BOB, CHANNEL, Table, raises
from tests.games import random_game


def preview_of(stacks: dict[str, str], turn: Color, move: str) -> tuple[list[str], Post]:
    game = game_of(Position.from_stacks(stacks, turn=turn))
    chosen = parse_move(move)
    post = preview(IN_ENGLISH, Preview(game, MoveEffects(game.position, chosen)))
    return post.content.splitlines(), post


ROW = {"a1": "R", "b1": "W", "c1": "B", "d1": "W", "e1": "B", "f1": "WW"}


def test_its_words() -> None:
    lines, post = preview_of(ROW, Color.WHITE, "b1-a1")
    assert lines == [
        "**b1-a1** isn't played yet.",
        f"Cut off: you lose d1 and f1 (3 pieces), {B} c1 and e1.",
        f"If the game ended now: you 2, {B} 0.",
        "It ends the game.",
    ]
    assert [button.label for button in post.buttons] == ["Play it", "Choose another"]
    assert isinstance(post.picture, Picture)
    assert post.picture.last == parse_move("b1-a1")
    lines, _ = preview_of(ROW, Color.BLACK, "e1-d1")
    assert lines[1:] == [
        f"Cut off: {A} loses f1 (2 pieces).",
        f"If the game ended now: you 3, {A} 1.",
        "Watch out: b1-a1 would then cut off 3 of your pieces.",
    ]
    lines, _ = preview_of(ROW, Color.WHITE, "d1-e1")
    assert lines[1] == "Cut off: you lose e1 and f1 (4 pieces)."
    assert lines[3] == f"{B} can't cut you off next turn."
    lines, _ = preview_of({"a1": "R", "a2": "W", "b1": "B", "c1": "W"}, Color.WHITE, "a2-a1")
    assert lines[1] == f"If the game ended now: you 3, {B} 1."
    assert lines[2] == "Watch out: b1-a1 would then cut off 1 of your pieces."
    for top, turn, waits in (("W", Color.WHITE, B), ("B", Color.BLACK, A)):
        alone = {"a1": "R", "b1": top, "c1": top, "d1": top}
        lines, _ = preview_of(alone, turn, "d1-c1")
        assert lines[-1] == f"Then {waits} can't move, and you move again."


async def in_movement(table: Table) -> Game:
    await table.begin()
    return (await table.play_out(random_game(4), upto=49)).game


async def here(
    table: Table, user: UserId, text: str, named: Coordinates | None = None
) -> Preview | None:
    find = partial(table.games.running_here, CHANNEL, user)
    return await table.games.preview(find, user, text, named)


async def typed(
    table: Table, game: GameId, user: UserId, text: str, named: Coordinates | None = None
) -> Preview | None:
    return await table.games.preview(partial(table.game_cache.running, game), user, text, named)


async def picked(
    table: Table, game: GameId, revision: Revision, user: UserId, text: str
) -> Preview | None:
    return await table.games.preview_picked(game, revision, user, text)


@pytest.mark.both_databases
async def test_a_preview_is_shown_on_request_and_plays_nothing(table: Table) -> None:
    game = await in_movement(table)
    mover = game.to_move
    assert mover is not None
    waiting = BOB if mover == ANN else ANN
    move = random_game(4)[49]
    text = format_move(move, Coordinates.STANDARD)
    row = game.row
    assert await here(table, mover, text) is None
    assert await picked(table, row.id, row.revision, mover, text) is None
    assert await typed(table, row.id, mover, text) is None
    for player in (ANN, BOB):
        await table.choices.switch(player, preview=True)
    in_other = format_move(move, Coordinates.PERGIOCO)
    for found in (
        await here(table, mover, in_other, Coordinates.PERGIOCO),
        await picked(table, row.id, row.revision, mover, text),
        await typed(table, row.id, mover, in_other, Coordinates.PERGIOCO),
    ):
        assert found is not None
        assert (found.game, found.move) == (game, move)
    await raises(NotYourTurn, here(table, waiting, text))
    await raises(IllegalPlay, here(table, mover, "a1-k5"))
    await raises(StaleBoard, picked(table, row.id, Revision(row.revision - 1), mover, text))
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == row.revision
    await table.play(mover, text)
    await raises(StaleBoard, picked(table, row.id, row.revision, mover, text))


async def test_a_placement_is_played_at_once(table: Table) -> None:
    await table.begin()
    await table.choices.switch(ANN, preview=True)
    assert await here(table, ANN, "d2") is None
