"""Tests for trees of replies in games: played with the previous move, and private until then."""

import re
from datetime import timedelta

import pytest

from bot.base.errors import AlreadyHandled, PlayError
from bot.base.ids import ChannelId, GameId, Revision, UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET
from bot.database.connection import AsyncEngine
from bot.features.plans.model.refusals import BadLines, LineProblem
from bot.features.plans.model.text import mark_of
from bot.features.plans.model.tree import (
    LapsedPlan,
    LapseReason,
    OwnNode,
    Plan,
    PlanState,
    ReplyNode,
    Tree,
    lines_of,
    plan_in,
)
from bot.features.plans.store import PlanTable
from bot.features.plans.use_cases import Planning
from bot.features.plans.words.refusals import bad_lines
from bot.features.plans.words.views import plan_shown
from bot.people.store.privacy import PrivacyTable
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.game import AutoMoveReason, Game, Offer
from bot.play.model.refusals import GameNotRunning, NotAPlayer, StaleBoard
from bot.play.model.terms import Start
from bot.play.model.typed import PlacementList
from bot.play.store.store import Store
from bot.play.words.boards import board
from bot.play.words.notices import action_receipt as played_post
from bot.play.words.picker import picker
from bot.replay.model.replays import ReplayCursor
from bot.replay.parts import page_parts
from bot.replay.words.game_page import PageAsker, game_page
from dvonn import Move, parse_point
from tests.bot.conftest import Clock
from tests.bot.features.plans.clearing import clear
from tests.bot.hands import Hands
from tests.bot.rows import all_rows, statements
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table, moved, raises
from tests.games import random_game

MOVES = random_game(5)
MACHINE = UserId(900)


@pytest.fixture
async def game(table: Table) -> Game:
    """Ann, as White, is to move her second stack."""
    return await begin(table)


async def begin(
    table: Table, channel: ChannelId = CHANNEL, clock: TimeControl | None = None
) -> Game:
    await table.begin(channel=channel, clock=clock)
    placed = [str(move) for move in MOVES[:49]]
    white = [*placed[0:3:2], *placed[4::2]]
    black = [placed[1], *placed[3::2]]
    await table.play(ANN, " ".join(white[:24]), channel)
    await table.play(BOB, " ".join(black), channel)
    found = await table.game_cache.running_in(channel)
    while found.position.plies < 51:
        found = (await table.move(found)).game
    assert found.to_move == ANN
    return found


def path(game: Game, *choices: int) -> list[Move]:
    """Play moves one after the other, each by its number among the legal ones."""
    position, moves = game.position, []
    for choice in choices:
        moves.append(position.legal_moves()[choice])
        position = position.play(moves[-1])
    return moves


async def make(
    table: Table, user: UserId, text: str, channel: ChannelId = CHANNEL
) -> Plan | GameUpdate:
    _, made = await table.of(Planning).make(user, text, channel=channel, source=table.source())
    return made


async def stands(table: Table, user: UserId) -> PlanState | None:
    return (await table.of(Planning).show(CHANNEL, user))[1]


def played(update: GameUpdate) -> list[tuple[UserId, str, AutoMoveReason | None]]:
    return [
        (event.event.actor, str(moved(event).move), moved(event).why) for event in update.events
    ]


@pytest.mark.both_databases
async def test_two_trees_answer_each_other_in_one_transaction(
    table: Table, store: Store, clock: Clock, game: Game
) -> None:
    a, b, c, d, e = path(game, 0, 0, 0, 0, 0)
    assert isinstance(
        await make(table, BOB, f"if {a} then {b}, if {c} then {d}; else ask"), ReplyNode
    )
    update = await make(table, ANN, f"{a}, if {b} then {c}, if {d} then {e}")
    assert isinstance(update, GameUpdate)
    assert played(update) == [
        (ANN, str(a), None),
        *(
            (who, str(move), AutoMoveReason.LISTED)
            for who, move in ((BOB, b), (ANN, c), (BOB, d), (ANN, e))
        ),
    ]
    assert update.plan_note is None
    assert len(update.deliveries) == 1
    assert await store.queries(PlanTable).of_game(game.row.id) == {}
    said = board(IN_ENGLISH, update).content
    assert f"moved {b} (as planned)." in said
    other = Table(store, clock)
    assert await other.game_cache.running_in(CHANNEL) == update.game


@pytest.mark.both_databases
async def test_a_game_continues_in_another_process_without_a_loss_of_time(
    store: Store, table: Table
) -> None:
    game = await begin(table, clock=TimeControl.from_text("3d"))
    a, b, c = path(game, 0, 0, 0)
    await make(table, BOB, f"{a}: {b}, {c}: ask; *: {b}")
    table.clock.advance(seconds=3_600)
    update = await Table(store, table.clock).play(ANN, str(a))
    ours = update.game.line[-1]
    assert (ours.move, ours.reason, ours.used) == (b, AutoMoveReason.LISTED, timedelta())
    assert await stands(table, BOB) == Tree(update.game.board_since, ReplyNode(((c, None),)))


async def test_a_plan_without_a_reply_lapses_with_a_note(table: Table, game: Game) -> None:
    a, b = path(game, 0, 0)
    wrong = path(game, 1)[0]
    await make(table, BOB, f"{a}: {b}")
    update = await table.play(ANN, str(wrong))
    assert played(update) == [(ANN, str(wrong), None)]
    note = LapsedPlan(LapseReason.LEFT, wrong)
    assert await stands(table, BOB) == note
    post = plan_shown(IN_ENGLISH, update.game, note, BOB)
    assert post.content.startswith(f"Your plan is over: it had no answer to {wrong}.")
    assert not await clear(table, BOB)
    assert await stands(table, BOB) is None
    await make(table, ANN, f"{path(update.game, 0)[0]}: {path(update.game, 0, 0)[1]}")
    await table.play(BOB, str(path(update.game, 1)[0]))
    assert isinstance(await stands(table, ANN), LapsedPlan)
    now = await table.game_cache.running_in(CHANNEL)
    await table.play(ANN, str(now.position.legal_moves()[0]))
    assert await stands(table, ANN) is None  # the note is read by now, or never


async def test_moves_that_became_illegal_are_not_played(table: Table, game: Game) -> None:
    """Ann's move makes Bob's planned reply illegal."""
    a, b = next(
        (a, b)
        for a in game.position.legal_moves()
        for other in game.position.legal_moves()
        for b in game.position.play(other).legal_moves()
        if game.position.play(a).turn is not game.position.turn
        and b not in game.position.play(a).legal_moves()
    )
    await make(table, BOB, str(b))
    assert await stands(table, BOB) == Tree(game.board_since, ReplyNode((), OwnNode(b)))
    update = await table.play(ANN, str(a))
    assert len(update.events) == 1
    assert await stands(table, BOB) == LapsedPlan(LapseReason.ILLEGAL, b)


@pytest.mark.both_databases
async def test_a_plan_changes_nothing_visible_until_it_is_played(
    table: Table, engine: AsyncEngine, game: Game
) -> None:
    """The same game twice. In one of them Bob has a plan that Ann's move doesn't match."""
    bare = await begin(table, ChannelId(501))
    a, b = path(game, 0, 0)
    other = path(game, 1)[0]
    before = await all_rows(engine)
    await make(table, BOB, f"if {a} then {b}; else ask")
    after = await all_rows(engine)
    assert len(after.pop("plans")) == 1
    assert before.pop("plans") == []
    assert after == before  # nothing to send, and no change in the game

    asked = statements(engine)

    async def observed(number: GameId, channel: ChannelId) -> tuple[list[str], list[object]]:
        found = await table.game_cache.existing(number)
        seen: list[object] = [
            game_page(
                IN_ENGLISH,
                found,
                None,
                PageAsker(asker, has_machine=True),
                page_parts(FEATURE_SET.extensions),
            )
            for asker in (ANN, CID)
        ]
        asked.clear()
        update = await table.play(ANN, str(other), channel)
        run = list(asked)
        seen += [picker(IN_ENGLISH, found), board(IN_ENGLISH, update)]
        seen += [played_post(IN_ENGLISH, update), update.pings, update.deadline]
        seen += [len(update.deliveries), update.plan_note]
        return run, seen

    with_it, seen = await observed(game.row.id, CHANNEL)
    without, seen_there = await observed(bare.row.id, ChannelId(501))
    assert _alike(seen, game) == _alike(seen_there, bare)
    # It takes the same work until the board is written. Then there is the note for Bob.
    extra = [item for item in with_it if re.match(r"(DELETE FROM|INSERT INTO) plans", item)]
    assert [item for item in with_it if item not in extra] == without
    free = await table.ask(ANN, Offer.TAKEBACK)
    assert free.game.position == game.position


def _alike(seen: object, game: Game) -> str:
    """Return what players see of a game, without its id and channel."""
    return re.sub(rf"(?<=[-:]){game.row.id}(?=[-:'.])", "N", repr(seen))


async def test_going_back_ends_it_for_both(table: Table, game: Game) -> None:
    a, b, c = path(game, 0, 0, 0)
    await make(table, ANN, f"{a}, {b}: {c}")
    await make(table, BOB, str(b))
    # Bob has moved himself. Ann's reply came at once, and it is his turn again.
    now = await table.game_cache.running_in(CHANNEL)
    assert [str(ply.move) for ply in now.line[-3:]] == [str(a), str(b), str(c)]
    reply, then = path(now, 0, 0)
    await make(table, ANN, f"{reply}: {then}")
    asked = await table.ask(BOB, Offer.TAKEBACK)
    assert isinstance(await stands(table, ANN), Tree)  # an offer doesn't change the plan
    back = await table.agree(asked.game, ANN)
    assert back.game.to_move == BOB
    assert await stands(table, ANN) == LapsedPlan(LapseReason.BACK)
    assert await stands(table, BOB) is None


async def test_it_ends_with_the_game(table: Table, store: Store, game: Game) -> None:
    a, b = path(game, 0, 0)
    await make(table, BOB, f"{a}: {b}")
    await table.resign(game, ANN)
    assert await store.queries(PlanTable).of_game(game.row.id) == {}
    for doing in (
        table.of(Planning).show_in(game.row.id, BOB),
        table.of(Planning).clear(game.row.id, BOB),
        table.of(Planning).drop(game.row.id, BOB, 0, "00000000"),
    ):
        await raises(GameNotRunning, doing)


async def test_trees_while_pieces_are_placed(table: Table) -> None:
    await table.begin()
    assert isinstance(
        await make(table, BOB, "if a1 then b1; else c1 d1, else next free"), ReplyNode
    )
    update = await table.play(ANN, "e1")
    assert played(update)[1:] == [(BOB, "c1", AutoMoveReason.LISTED)]
    assert await stands(table, BOB) == PlacementList((parse_point("d1"),), else_next=True)
    await make(table, ANN, "a1, if d1 then f1")
    now = await table.game_cache.running_in(CHANNEL)
    assert set(now.position.stacks) == {"a1", "c1", "d1", "e1", "f1"}
    await make(table, ANN, "a2: b2")
    for user in (BOB, ANN):
        await table.ask(user, Offer.FINISH)
    assert await stands(table, ANN) == LapsedPlan(LapseReason.BACK)


async def test_a_line_is_stored_up_to_the_limit_of_a_plan(
    table: Table, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, c, d = path(game, 0, 0, 0, 0)
    here = ReplayCursor(game.row.id, game.position.plies)
    monkeypatch.setattr("bot.features.plans.model.tree.MAX_MOVES", 2)
    adding = table.of(Planning).add(here.with_moves(a, b), BOB, source=table.source())
    assert (await adding)[1] == ReplyNode(((a, OwnNode(b)),))
    adding = table.of(Planning).add(here.with_moves(a, b, c, d), BOB, source=table.source())
    assert (await raises(BadLines, adding)).limit == 2


async def test_a_line_tried_on_a_board_is_stored(table: Table, game: Game) -> None:
    a, b, c, d = path(game, 0, 0, 0, 0)
    here = ReplayCursor(game.row.id, game.position.plies)

    async def add(user: UserId, *moves: Move, at: ReplayCursor = here) -> Plan | GameUpdate:
        return (await table.of(Planning).add(at.with_moves(*moves), user, source=table.source()))[1]

    assert await add(BOB, a, b) == ReplyNode(((a, OwnNode(b)),))
    made = await add(BOB, a, b, c, d)
    assert made == ReplyNode(((a, OwnNode(b, ReplyNode(((c, OwnNode(d)),)))),))
    other, reply = path(game, 1, 0)
    two = await add(BOB, other, reply)
    assert not isinstance(two, GameUpdate)
    assert len(lines_of(two)) == 2
    for user, moves in ((BOB, [a]), (BOB, []), (ANN, [a])):
        await raises(StaleBoard, add(user, *moves))
    assert game.last is not None
    await raises(
        StaleBoard, add(BOB, game.last, a, b, at=ReplayCursor(game.row.id, game.position.plies - 1))
    )
    await raises(NotAPlayer, add(CID, a, b))
    await raises(NotAPlayer, add(BOB, a, b, at=ReplayCursor(None)))
    # Lines are removed one by one. Nobody can remove a line that they haven't seen.
    await raises(StaleBoard, table.of(Planning).drop(game.row.id, BOB, 0, mark_of(made)))
    _, rest = await table.of(Planning).drop(game.row.id, BOB, 1, mark_of(two))
    assert rest == made
    # On one's own turn the first move is played, and the rest stays.
    source = table.source()
    _, update = await table.of(Planning).add(here.with_moves(a, b, c), ANN, source=source)
    assert isinstance(update, GameUpdate)
    assert played(update) == [
        (ANN, str(a), None),
        (BOB, str(b), AutoMoveReason.LISTED),
        (ANN, str(c), AutoMoveReason.LISTED),
        (BOB, str(d), AutoMoveReason.LISTED),
    ]
    await raises(
        AlreadyHandled, table.of(Planning).add(here.with_moves(a, b, c), ANN, source=source)
    )


async def test_the_rights_and_times_to_decide(table: Table, game: Game) -> None:
    a, b = path(game, 0, 0)
    await raises(NotAPlayer, make(table, CID, f"{a}: {b}"))
    caught = await raises(BadLines, make(table, ANN, f"if {a} then {b}"))
    assert caught.problem is LineProblem.NO_OWN_MOVE
    refused = await raises(BadLines, make(table, BOB, "**what** if?"))
    assert (refused.problem, refused.wrong_part) == (LineProblem.UNREADABLE, "what if")
    shown = bad_lines(IN_ENGLISH, refused).rpartition("Write it like this: ")[2].strip("`")
    assert isinstance(await make(table, BOB, shown), ReplyNode)  # a plan valid on this board
    _, made = await table.of(Planning).make(
        BOB, f"{a}: {b}", game=game.row.id, source=table.source()
    )
    assert made == ReplyNode(((a, OwnNode(b)),))
    assert await table.of(Planning).clear(game.row.id, BOB)
    other = await table.accept(await table.challenge(start=Start.BALANCED, channel=ChannelId(502)))
    with pytest.raises(StaleBoard):
        await table.of(Planning).add(ReplayCursor(other.game.row.id), ANN, source=table.source())


async def test_a_machine_that_meets_it_is_answered(table: Table) -> None:
    challenge = await table.challenge(MACHINE, level=3, start=Start.BALANCED)
    game = (await table.accept(challenge, ANN)).game
    a, b, c, _d = path(game, 0, 0, 0, 0)
    asked = await make(table, ANN, f"{a}, {b}: {c}")
    assert isinstance(asked, GameUpdate)
    assert asked.plan_note is not None
    update = await table.games.play_by_machine(game.row.id, asked.game.row.revision, b)
    assert update is not None
    assert played(update) == [(MACHINE, str(b), None), (ANN, str(c), AutoMoveReason.LISTED)]
    assert update.deliveries == ()  # the machine's next move announces everything


@pytest.mark.both_databases
async def test_a_tree_of_another_board_is_never_played(table: Table, game: Game) -> None:
    """An older bot that keeps running leaves trees unchanged."""
    a, b = path(game, 0, 0)
    old = Tree(Revision(game.board_since - 1), ReplyNode(((a, OwnNode(b)),)))
    await table.store.queries(PlanTable).put(game.row.id, BOB, old, revision=game.row.revision)
    assert await stands(table, BOB) is None
    assert len((await table.play(ANN, str(a))).events) == 1
    assert await table.store.queries(PlanTable).of_game(game.row.id) == {}


async def test_a_tree_comes_before_a_move_or_after_it(
    engine: AsyncEngine, clock: Clock, table: Table, game: Game
) -> None:
    a, b = path(game, 0, 0)
    late, first = await Hands(engine, clock, of_features=[PlanTable]).race(
        lambda at: at.play(ANN, str(a)),
        lambda at: at.of(Planning).make(BOB, f"{a}: {b}", channel=CHANNEL, source=at.source()),
    )
    assert isinstance(first, tuple)
    assert isinstance(late, GameUpdate)
    assert played(late) == [(ANN, str(a), None), (BOB, str(b), AutoMoveReason.LISTED)]
    then = path(late.game, 0, 0)
    hands = Hands(engine, clock, of_features=[PlanTable])
    hands.slow.last_source, hands.quick.last_source = 700_000, 800_000
    too_late, _ = await hands.race(
        lambda at: at.of(Planning).make(
            BOB, f"{then[0]}: {then[1]}", channel=CHANNEL, source=at.source()
        ),
        lambda at: at.play(ANN, str(then[0])),
    )
    assert isinstance(
        too_late, PlayError
    )  # it has become his turn, and his plan doesn't start with his own move


@pytest.mark.both_databases
async def test_all_data_about_a_person_is_exported_and_deleted(
    table: Table, store: Store, game: Game
) -> None:
    a, b = path(game, 0, 0)
    await make(table, BOB, f"{a}: {b}")
    (kept,) = (await store.queries(PrivacyTable).export(BOB))["plans"]
    assert (kept["game_id"], kept["player_id"], kept["spaces"]) == (game.row.id, BOB, "")
    assert kept["tree"]["root"]["if"][0][0] == str(a)
    assert (await store.queries(PrivacyTable).export(ANN))["plans"] == []
    await table.privacy.delete(BOB)
    assert (await store.queries(PrivacyTable).export(BOB))["plans"] == []


async def test_nobody_reads_another_persons_data(table: Table, game: Game) -> None:
    a, b = path(game, 0, 0)
    await make(table, BOB, f"{a}: {b}")
    assert await stands(table, ANN) is None
    for doing in (
        table.of(Planning).show_in(game.row.id, CID),
        table.of(Planning).clear(game.row.id, CID),
        table.of(Planning).drop(game.row.id, CID, 0, "00000000"),
    ):
        await raises(NotAPlayer, doing)
    await raises(StaleBoard, table.of(Planning).drop(game.row.id, ANN, 0, "00000000"))


def own_twice(game: Game) -> tuple[Move, Move]:
    """Return two moves that the player to move can make one after the other."""
    position = game.position
    assert position.turn is not None
    for first in position.legal_moves():
        after = position.play(first)
        assert after.turn is not position.turn
        replies = [after.play(reply) for reply in after.legal_moves()]
        for second in position.legal_moves():
            if second.source != first.source and all(
                second in reply.legal_moves() for reply in replies if reply.turn is position.turn
            ):
                return first, second
    raise AssertionError


@pytest.mark.parametrize("between", [" ", " then ", ", "])
async def test_two_own_moves_in_a_row_are_played_whatever_comes_between(
    table: Table, game: Game, between: str
) -> None:
    first, second = own_twice(game)
    update = await make(table, ANN, f"{first}{between}{second}")
    assert isinstance(update, GameUpdate)
    assert plan_in(await stands(table, ANN)) == ReplyNode((), OwnNode(second))
    reply = update.game.position.legal_moves()[0]
    answered = await table.move(update.game, reply)
    assert [move for _, move, _ in played(answered)][-1] == str(second)


async def test_opponents_moves_may_be_listed_between_the_players_own(
    table: Table, game: Game
) -> None:
    first, theirs, second = path(game, 0, 0, 0)
    update = await make(table, ANN, f"{first} {theirs} {second}")
    assert isinstance(update, GameUpdate)
    assert plan_in(await stands(table, ANN)) == ReplyNode(((theirs, OwnNode(second)),), None)
    theirs, second = path(update.game, 1, 0)
    await make(table, ANN, f"{theirs} {second}")  # on their turn as well
    assert plan_in(await stands(table, ANN)) == ReplyNode(((theirs, OwnNode(second)),), None)


async def test_a_refused_plan_comes_with_an_example_for_its_board(table: Table, game: Game) -> None:
    first, second = own_twice(game)
    third = next(move for move in game.position.legal_moves() if move not in (first, second))
    refused = await raises(BadLines, make(table, ANN, f"{first} {second} {third}"))
    assert (refused.problem, refused.valid_part) == (LineProblem.NO_REPLY, "")
    shown = bad_lines(IN_ENGLISH, refused).rpartition("Write it like this: ")[2].strip("`")
    assert isinstance(await make(table, ANN, shown), GameUpdate)
