"""Tests for studies: they are stored, limited and exported, and give no help in running games."""

import json
from collections.abc import Callable
from datetime import timedelta
from operator import methodcaller

import pytest

from bot.base.retention import DeletedKind
from bot.people.store.retention import RetentionTable
from bot.play.model.game import Game
from bot.play.model.terms import Start
from bot.replay.model.replays import MoveSequence, ReplayCursor, ReplayView, sequence_of, view_at
from dvonn import GameRecord, Move, Phase, Position
from school.explore.model import LONGEST_COMMENT, MOST_STUDIES, Study, StudyFull, StudyNotFound
from school.explore.use_cases import Studies
from tests.bot.conftest import Clock
from tests.bot.play.test_fair_play import MOVES, POSITIONS, begin, play, resign
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table, raises
from tests.games import played_out, random_game

PLAYED = 60
OTHER = random_game(6)


def at(game: Game, ply: int, *line: Move) -> ReplayView:
    return view_at(ReplayCursor(game.row.id, ply, line), sequence_of(game), game)


def pasted(moves: list[Move], ply: int) -> ReplayView:
    return view_at(ReplayCursor(None, ply), MoveSequence(Position.initial(), tuple(moves)))


def others(position: Position, played: Move) -> list[Move]:
    """Return other legal moves in a position."""
    return [move for move in position.legal_moves() if move is not played]


async def ended(table: Table) -> Game:
    await begin(table)
    return await resign(table, await play(table, CHANNEL, MOVES[:PLAYED]), ANN)


async def test_lines_and_comments_stay_with_a_game_and_its_record(
    table: Table, other: Table
) -> None:
    game, studies = await ended(table), table.of(Studies)
    first, second = others(POSITIONS[55], MOVES[55])[:2]
    study = await studies.open(at(game, 55, first), ANN)
    assert study.kept
    study, _ = await studies.change(
        study.id, study.revision, ANN, lambda it: it.with_comment(" too  {slow}")
    )
    study = await studies.open(at(game, 55, second), ANN)
    after = POSITIONS[PLAYED].legal_moves()[0]
    study, _ = await studies.change(
        study.id, study.revision, ANN, lambda it: it.at_place(tuple(MOVES[:PLAYED])).played(after)
    )
    # Another process, as after a restart.
    left = await other.of(Studies).resume(game, ANN)
    assert left == study
    assert left.place == (*MOVES[:PLAYED], after)
    assert [path[55:] for _, path, _ in left.lines()] == [
        (*MOVES[55:PLAYED], after),
        (first,),
        (second,),
    ]
    assert left.root.at((*MOVES[:55], first)).comment == "too {slow}"  # type: ignore[union-attr]
    assert left.sequence.moves == tuple(MOVES[:PLAYED])  # the moves of the game, not the tried ones
    # Bob has his own study.
    assert not (await studies.open(at(game, 55), BOB)).kept
    assert await studies.tree(game, BOB) is None

    tree = await studies.tree(game, ANN)
    assert tree is not None
    record = GameRecord.from_text(GameRecord(tree).to_text())
    assert record.moves == tuple(MOVES[:PLAYED])
    assert record.tree.at((*MOVES[:55], first)).comment == "too {slow}"  # type: ignore[union-attr]
    assert record.tree.at(MOVES[:PLAYED]).comment == f"(61. {after})"  # type: ignore[union-attr]


async def test_a_running_game_continues_on_its_board(table: Table) -> None:
    game, studies = await begin(table), table.of(Studies)
    game = await play(table, CHANNEL, MOVES[:50])
    tried = others(POSITIONS[50], MOVES[50])[0]
    study = await studies.open(at(game, 50, tried), ANN)
    game = await play(table, CHANNEL, MOVES[50:52])
    again = await studies.resume(game, ANN)
    assert (again.id, again.place) == (study.id, tuple(MOVES[:52]))
    assert again.root.at((*MOVES[:50], tried)) is not None
    assert [node.move for node in again.root.mainline()] == MOVES[:52]
    # A move of the game can't be deleted, but a tried one can.
    assert again.cut() == again
    gone = again.at_place((*MOVES[:50], tried)).cut()
    assert (gone.place, len(gone.lines())) == (tuple(MOVES[:50]), 1)


@pytest.mark.parametrize("start", [Start.BALANCED, Start.PLACEMENT])
async def test_both_sides_are_played_to_the_end_and_taken_back(table: Table, start: Start) -> None:
    studies = table.of(Studies)
    study = await studies.both_sides(ANN, GUILD, start)
    phase = Phase.MOVEMENT if start is Start.BALANCED else Phase.PLACEMENT
    assert study.replay_view.position.phase is phase
    assert await studies.saved(ANN) == []  # until a move is played
    moves = played_out(study.replay_view.position, 3)
    for move in moves:  # far more than a custom id could hold
        study, _ = await studies.change(study.id, study.revision, ANN, methodcaller("played", move))
    assert study.replay_view.position.phase is Phase.OVER
    back, _ = await studies.change(
        study.id, study.revision, ANN, lambda it: it.previous().previous()
    )
    assert back.place == tuple(moves[:-2])
    forth, _ = await studies.change(back.id, back.revision, ANN, lambda it: it.onward().onward())
    assert forth.place == study.place
    (row,) = await studies.saved(ANN)
    assert (row.id, row.moves) == (study.id, len(moves))
    another = await studies.both_sides(ANN, GUILD, start)
    assert another.id != study.id
    assert await studies.get(study.id, ANN) == forth


async def test_the_same_pasted_text_is_found_again(table: Table) -> None:
    studies = table.of(Studies)
    study = await studies.open(pasted(MOVES, 55), ANN)
    found = await studies.open(pasted(MOVES[:58], 58), ANN)  # the view that is shared or replayed
    assert (found.id, found.place) == (study.id, tuple(MOVES[:58]))
    assert found.sequence.moves == tuple(MOVES)
    assert (await studies.open(pasted(OTHER, 55), ANN)).id != study.id


async def test_a_button_of_an_older_view_changes_nothing(table: Table, other: Table) -> None:
    studies = table.of(Studies)
    study = await studies.open(pasted(MOVES, 55), ANN)
    now, is_done = await studies.change(study.id, study.revision, ANN, Study.previous)
    assert is_done
    again, is_done = await other.of(Studies).change(study.id, study.revision, ANN, Study.previous)
    assert (again, is_done) == (now, False)
    for doing in (
        studies.get(study.id, BOB),
        studies.change(study.id, now.revision, BOB, Study.previous),
        studies.get(study.id + 1, ANN),
    ):
        await raises(StudyNotFound, doing)
    assert await studies.get(study.id, ANN) == now


async def test_a_board_and_their_number_are_bounded(table: Table, clock: Clock) -> None:
    studies = table.of(Studies)
    kept = await studies.open(
        view_at(ReplayCursor(None, 0, (MOVES[0],)), MoveSequence(Position.initial(), ())), ANN
    )
    study = await studies.open(pasted(OTHER, 20), ANN)

    def comment_at(ply: int) -> Callable[[Study], Study]:
        return lambda it: it.at_place(tuple(OTHER[:ply])).with_comment("x y " * LONGEST_COMMENT)

    for ply in range(20):
        study, _ = await studies.change(study.id, study.revision, ANN, comment_at(ply))

    async def say_more() -> None:
        now = study
        for ply in range(20, len(OTHER)):
            now, _ = await studies.change(now.id, now.revision, ANN, comment_at(ply))

    await raises(StudyFull, say_more())
    study = await studies.get(study.id, ANN)  # the study has as much as fits
    assert len(study.current_node.comment) <= LONGEST_COMMENT
    assert study.current_node.comment
    first = await studies.both_sides(ANN, GUILD, Start.BALANCED)
    for _ in range(MOST_STUDIES - 3):
        clock.advance(minutes=1)
        await studies.both_sides(ANN, GUILD, Start.BALANCED)
    await studies.get(first.id, ANN)
    await studies.both_sides(ANN, GUILD, Start.BALANCED)
    await raises(
        StudyNotFound, studies.get(first.id, ANN)
    )  # the oldest study without content was deleted
    await studies.get(kept.id, ANN)


async def test_they_are_given_out_and_deleted_with_their_person(table: Table) -> None:
    game, studies = await ended(table), table.of(Studies)
    for user in (ANN, CID):
        study = await studies.open(at(game, 55), user)
        await studies.change(study.id, study.revision, user, lambda it: it.with_comment("mine"))
    _, exported = await table.privacy.export(ANN)
    (row,) = json.loads(exported)["tables"]["studies"]
    assert "{mine}" in row["record"]
    await table.privacy.delete(ANN)
    assert await studies.saved(ANN) == []
    assert len(await studies.saved(CID)) == 1


async def test_old_boards_go_when_the_host_wants_it(table: Table, clock: Clock) -> None:
    studies = table.of(Studies)
    study = await studies.open(pasted(MOVES, 50), ANN)
    clock.advance(days=9)
    newer = await studies.open(pasted(OTHER, 50), ANN)
    until = clock() - timedelta(days=8)
    assert await table.store.queries(RetentionTable).drop(DeletedKind.STUDIES, until=until) == 1
    await raises(StudyNotFound, studies.get(study.id, ANN))
    await studies.get(newer.id, ANN)
