"""Tests for guesses: private before the move, and answered once with it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from bot.base.ids import BEFORE_START, ChannelId, GuildId, UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET, refusal
from bot.connection.posts import Post
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD
from bot.people.store.privacy import PrivacyTable
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game, Offer
from bot.play.model.refusals import (
    GameNotRunning,
    IllegalPlay,
    NotAPlayer,
    TeamDecides,
    UnreadableMove,
)
from bot.play.model.terms import Start
from bot.play.store.store import Store
from bot.play.words.boards import board
from bot.play.words.stack_buttons import by_stack
from bot.replay.parts import page_parts
from bot.replay.words.game_page import PageAsker, game_page
from club.guesses.hook import GuessAddition
from club.guesses.model import KEPT, CannotGuess, Guesser, GuessProblem, Reveal, check_guess
from club.guesses.store import GuessTable
from club.guesses.use_cases import Guessing
from club.guesses.words import guess_landings, guess_of_board, guess_picker, guessed
from dvonn import Coordinates, Move, Phase, Position, format_move
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.replayed import play, started
from tests.bot.rows import all_rows
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, GUILD, Table
from tests.club.guesses.called import reveals_of
from tests.games import positions_of, random_game

DEE, EVE = UserId(104), UserId(105)
MACHINE = UserId(900)


async def begin(table: Table, channel: ChannelId = CHANNEL, **terms: Any) -> Game:
    """A game on a random board with Ann to move."""
    challenge = await table.challenge(start=Start.BALANCED, channel=channel, **terms)
    return (await table.accept(challenge)).game


def legal(game: Game, number: int = 0) -> str:
    return str(game.position.legal_moves()[number])


async def call(table: Table, game: Game, user: UserId, text: str) -> Move:
    table.clock.advance(seconds=1)
    return (await table.of(Guessing).guess(game.row.id, game.row.revision, user, text))[1]


async def moves(table: Table, game: Game, text: str) -> GameUpdate:
    assert game.to_move is not None
    return await table.play(game.to_move, text, game.row.channel)


async def best(table: Table, guild: GuildId = GUILD) -> list[Guesser]:
    return list((await table.of(Guessing).table(guild, CID)).best)


async def refused(calling: Any) -> GuessProblem:
    with pytest.raises(CannotGuess) as caught:
        await calling
    return caught.value.problem


# Results announced with the move


async def test_the_move_names_the_right_guessers_and_counts_once(
    table: Table, store: Store, clock: Clock
) -> None:
    game = await begin(table)
    for who, number in ((DEE, 1), (CID, 0), (EVE, 0)):
        assert str(await call(table, game, who, legal(game, number))) == legal(game, number)
    assert await best(table) == []
    update = await moves(table, game, legal(game))
    told = update.game.row.revision
    assert reveals_of(update) == (Reveal(told, (CID, EVE), 3),)
    assert await best(table) == [Guesser(CID, 1, 1), Guesser(EVE, 1, 1)]
    assert (await table.of(Guessing).table(GUILD, DEE)).own == Guesser(DEE, 0, 1)
    # Another process that announces it later announces the same.
    other = Table(store, clock)
    again = await other.games.unannounced(game.row.id, told, BEFORE_START)
    assert reveals_of(again) == reveals_of(update)
    # The next move has its own guesses.
    assert reveals_of(await moves(table, update.game, legal(update.game))) == ()
    assert await best(table) == [Guesser(CID, 1, 1), Guesser(EVE, 1, 1)]


async def test_the_last_guess_counts(table: Table) -> None:
    game = await begin(table)
    await call(table, game, CID, legal(game))
    await call(table, game, DEE, legal(game))
    await call(table, game, CID, legal(game, 1))
    found, called = await table.of(Guessing).guessable_game_with_guess(game.row.id, CID)
    assert (found, str(called)) == (game, legal(game, 1))
    assert (await table.of(Guessing).guessable_game_with_guess(game.row.id, EVE))[1] is None
    assert reveals_of(await moves(table, game, legal(game, 1)))[0].right == (CID,)


async def test_the_best_are_those_who_are_right_most_and_of_them_who_needed_less(
    table: Table,
) -> None:
    other = await begin(table, ChannelId(501))
    game = await begin(table)
    for turn in range(3):
        for who, wrong_in in ((CID, {0}), (DEE, {1}), (EVE, {1, 2})):
            if (who, turn) != (EVE, 2):
                await call(table, game, who, legal(game, int(turn in wrong_in)))
        game = (await moves(table, game, legal(game))).game
    await call(table, other, CID, legal(other, 1))
    await moves(table, other, legal(other))
    assert await best(table) == [Guesser(DEE, 2, 3), Guesser(CID, 2, 4), Guesser(EVE, 1, 2)]
    assert await best(table, GuildId(77)) == []


def two_moves_in_a_row() -> tuple[list[Move], int]:
    """A game, and the ply before which a player is to move twice, because the other must pass."""
    for seed in range(200):
        line = random_game(seed)
        positions = positions_of(line)
        for ply in range(50, len(line) - 1):
            here, then = positions[ply], positions[ply + 1]
            if here.turn is then.turn and min(map(choices, (here, then))) > 1:
                return line, ply
    raise AssertionError


def choices(position: Position) -> int:
    return len(position.legal_moves())


async def test_of_several_moves_in_one_turn_the_next_one_is_called(table: Table) -> None:
    line, ply = two_moves_in_a_row()
    await table.accept(await table.challenge())
    game = (await table.play_out(line, ply)).game
    first, second = line[ply : ply + 2]
    await call(table, game, CID, str(first))
    await call(
        table, game, DEE, str(second) if second in game.position.legal_moves() else str(first)
    )
    update = await moves(table, game, f"{first} {second}")
    assert len(update.events) == 2
    assert [item.revision for item in reveals_of(update)] == [update.events[0].event.revision]
    assert await best(table) == [Guesser(CID, 1, 1)]


async def test_a_guess_against_the_machine_is_revealed_with_its_reply(table: Table) -> None:
    challenge = await table.challenge(MACHINE, level=3, start=Start.BALANCED)
    game = (await table.accept(challenge, ANN)).game
    await call(table, game, CID, legal(game))
    asked = await moves(table, game, legal(game))
    assert asked.deliveries == ()
    assert await refused(call(table, asked.game, CID, legal(asked.game))) is GuessProblem.MACHINE
    answer = await table.games.play_by_machine(
        game.row.id, asked.game.row.revision, asked.game.position.legal_moves()[0]
    )
    assert answer is not None
    told = await table.games.unannounced(game.row.id, answer.game.row.revision, game.row.revision)
    assert reveals_of(told) == (Reveal(asked.game.row.revision, (CID,), 1),)
    move = format_move(asked.events[0].event.data.move, game.row.coordinates)  # type: ignore[union-attr]  # it is one
    said = board(IN_ENGLISH, told).content
    assert f"🎯 <@{CID}> guessed {move}!" in said.splitlines()


# How long guesses are accepted


async def test_a_late_call_is_refused_and_talk_makes_none_late(table: Table) -> None:
    game = await begin(table)
    await table.offers.ask(CHANNEL, ANN, Offer.DRAW, source=table.source())
    await call(table, game, CID, legal(game))  # from a view that was opened earlier
    then = (await moves(table, game, legal(game))).game
    assert await best(table) == [Guesser(CID, 1, 1)]
    assert await refused(call(table, game, CID, legal(game))) is GuessProblem.PLAYED
    label = legal(game).partition("-")[0]
    looking = table.of(Guessing).pick_stack_to_guess(game.row.id, game.row.revision, CID, label)
    assert await refused(looking) is GuessProblem.PLAYED
    await call(table, then, CID, legal(then))


async def test_unplayed_plans_are_never_announced(table: Table, engine: AsyncEngine) -> None:
    game = await begin(table)
    then = (await moves(table, game, legal(game))).game
    await call(table, then, CID, legal(then))
    update = await table.offers.ask(CHANNEL, ANN, Offer.TAKEBACK, source=table.source())
    assert reveals_of(update) == ()
    assert (await all_rows(engine))["calls"] == []
    await call(table, update.game, CID, legal(game))
    row = update.game.row
    end = await table.leaving.resign(row.id, row.revision, ANN, source=table.source())
    assert reveals_of(end) == ()
    rows = await all_rows(engine)
    assert (rows["calls"], rows["callers"]) == ([], [])
    with pytest.raises(GameNotRunning):
        await call(table, end.game, CID, legal(game))


async def test_the_rights_to_guess_and_the_moves(table: Table) -> None:
    await table.accept(await table.challenge())
    game = (await table.play_out(random_game(3), 48)).game
    with pytest.raises(NotAPlayer):
        await table.of(Guessing).guessable_game_with_guess(game.row.id, CID)
    game = (await moves(table, game, legal(game))).game
    assert game.position.phase is Phase.MOVEMENT
    for player in (ANN, BOB):
        assert await refused(call(table, game, player, legal(game))) is GuessProblem.PLAYS
    with pytest.raises(UnreadableMove):
        await call(table, game, CID, "hello")
    with pytest.raises(IllegalPlay):
        await call(table, game, CID, "a1-a1")
    polite = legal(game).replace("-", " → ")
    assert str(await call(table, game, CID, f"{polite} please!")) == legal(game)


async def test_an_only_move_cannot_be_guessed(table: Table) -> None:
    line = next(
        (line, ply)
        for line in map(random_game, range(100))
        for ply, position in enumerate(positions_of(line))
        if ply > 50 and choices(position) == 1
    )
    await table.accept(await table.challenge())
    game = (await table.play_out(*line)).game
    assert await refused(call(table, game, CID, legal(game))) is GuessProblem.ONLY_MOVE


# At once


async def test_a_call_that_hesitates_finds_the_move_played(
    engine: AsyncEngine, clock: Clock
) -> None:
    hands = Hands(engine, clock, of_features=[GuessTable])
    game = await begin(hands.quick)
    late, first = await hands.race(
        lambda table: call(table, game, CID, legal(game)),
        lambda table: moves(table, game, legal(game)),
    )
    assert isinstance(first, GameUpdate)
    assert reveals_of(first) == ()
    assert isinstance(late, CannotGuess)
    assert late.problem is GuessProblem.PLAYED
    assert (await all_rows(engine))["calls"] == []


async def test_a_delayed_move_reveals_guesses_made_in_between(
    engine: AsyncEngine, clock: Clock
) -> None:
    hands = Hands(engine, clock, of_features=[GuessTable])
    game = await begin(hands.quick)
    late, _ = await hands.race(
        lambda table: moves(table, game, legal(game)),
        lambda table: call(table, game, CID, legal(game)),
    )
    assert isinstance(late, GameUpdate)
    assert reveals_of(late) == (Reveal(late.game.row.revision, (CID,), 1),)


# No other effects


@pytest.mark.both_databases(thorough="what it costs is counted on the other")
async def test_two_hundred_guessers_change_nothing_visible(
    table: Table, store: Store, clock: Clock, engine: AsyncEngine
) -> None:
    game = await begin(table)
    before = await all_rows(engine)
    callers = [UserId(10_000 + number) for number in range(200)]
    for number, who in enumerate(callers):
        await call(table, game, who, legal(game, number % 2))
    after = await all_rows(engine)
    assert len(after.pop("calls")) == 200
    before.pop("calls")
    assert after == before  # nothing to send, no count, no change in the game
    other = Table(store, clock)
    update = await other.games.unannounced(game.row.id, game.row.revision, BEFORE_START)
    assert reveals_of(update) == ()
    assert (await other.game_cache.running_in(CHANNEL)) == game
    update = await moves(table, game, legal(game))
    assert [row.kind for row in update.deliveries] == [BOARD]
    assert len((await all_rows(engine))["deliveries"]) == len(before["deliveries"]) + 1
    (reveal,) = reveals_of(update)
    assert (len(reveal.right), reveal.count) == (100, 200)
    post = board(IN_ENGLISH, update)
    assert " and 97 others guessed " in post.content
    assert post.content.endswith(" (200 tried)!")
    assert post.pings == (BOB,)


async def test_a_move_costs_as_many_statements_with_many_callers_as_with_one(
    table: Table, engine: AsyncEngine
) -> None:
    async def statements(callers: int) -> int:
        game = await begin(table, ChannelId(700 + callers))
        for number in range(callers):
            await call(table, game, UserId(20_000 + number), legal(game))
        asked: list[object] = []

        def note(*more: object) -> None:
            asked.append(more)

        event.listen(engine.sync_engine, "before_cursor_execute", note)
        await moves(table, game, legal(game))
        event.remove(engine.sync_engine, "before_cursor_execute", note)
        return len(asked)

    assert await statements(1) == await statements(30)


# Stored, exported, deleted


async def test_calls_are_forgotten_after_a_week_and_open_ones_stay(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await begin(table)
    await call(table, game, CID, legal(game))
    then = (await moves(table, game, legal(game))).game
    await call(table, then, CID, legal(then))
    clock.advance(seconds=KEPT.total_seconds() - 60)
    await table.lobby.expire(ALL)
    assert len((await all_rows(engine))["calls"]) == 2
    clock.advance(seconds=60)
    await table.lobby.expire(ALL)
    assert len((await all_rows(engine))["calls"]) == 1
    assert await best(table) == [Guesser(CID, 1, 1)]
    assert reveals_of(await moves(table, then, legal(then)))[0].right == (CID,)


async def test_all_data_about_a_person_is_exported_and_deleted(
    table: Table, store: Store, engine: AsyncEngine
) -> None:
    game = await begin(table)
    for who in (CID, DEE):
        await call(table, game, who, legal(game))
    game = (await moves(table, game, legal(game))).game
    for who in (CID, DEE):
        await call(table, game, who, legal(game, 1))
    kept = await store.queries(PrivacyTable).export(CID)
    assert [row["move"] for row in kept["calls"]] == [
        str(game.line[-1].move),
        legal(game, 1),
    ]
    assert kept["callers"] == [{"guild_id": GUILD, "player_id": CID, "calls": 1, "right_calls": 1}]
    await store.queries(PrivacyTable).erase(CID, at=table.clock())
    for who, calls, callers in ((CID, 0, 0), (DEE, 2, 1)):
        kept = await store.queries(PrivacyTable).export(who)
        assert (len(kept["calls"]), len(kept["callers"])) == (calls, callers)
    assert reveals_of(await moves(table, game, legal(game, 1)))[0].right == (DEE,)


# Texts


MOVING = play(started(), *map(str, random_game(5)[:50]))


@pytest.mark.parametrize(
    ("right", "count", "said"),
    [
        (1, 1, "🎯 <@1> guessed {move}!"),
        (2, 2, "🎯 <@1> and <@2> guessed {move}!"),
        (4, 4, "🎯 <@1>, <@2>, <@3>, and 1 other guessed {move}!"),
        (5, 9, "🎯 <@1>, <@2>, <@3>, and 2 others guessed {move} (9 tried)!"),
        (0, 1, "🎯 Nobody guessed {move} (1 tried)."),
        (0, 7, "🎯 Nobody guessed {move} (7 tried)."),
    ],
)
def test_the_board_names_correct_guesses_without_pings(right: int, count: int, said: str) -> None:
    game, updates = MOVING
    people = tuple(map(UserId, range(1, right + 1)))
    plain = updates[-1]
    update = replace(plain, additions=(GuessAddition((Reveal(game.row.revision, people, count),)),))
    post, without = board(IN_ENGLISH, update), board(IN_ENGLISH, plain)
    line = said.format(move=game.last)
    assert post == replace(without, content=post.content)
    assert post.content.replace(f"{line}\n", "").removesuffix(f"\n{line}") == without.content
    assert post.content.splitlines()[0] == without.content.splitlines()[0]


def test_moves_taken_back_since_are_not_announced() -> None:
    game, updates = MOVING
    back = replace(game, line=game.line[:-1])
    update = replace(
        updates[-1], game=back, additions=(GuessAddition((Reveal(game.row.revision, (), 1),)),)
    )
    assert "🎯" not in board(IN_ENGLISH, update).content


def labels(post: Post) -> list[str]:
    return [button.label for button in post.buttons]


def test_a_game_page_has_the_way_to_call_for_those_who_watch_alone() -> None:
    game = MOVING[0]

    def page(game: Game, asker: UserId) -> list[str]:
        here = PageAsker(asker, has_machine=True)
        return labels(game_page(IN_ENGLISH, game, None, here, page_parts(FEATURE_SET.extensions)))

    assert "Guess the move" in page(game, CID)
    assert "Guess the move" not in page(game, game.row.white)
    assert "Guess the move" not in page(started(), CID)


@pytest.mark.parametrize(("plies", "disabled"), [(46, []), (48, [True]), (50, [False])])
def test_in_a_group_the_button_comes_with_the_machines_last_piece(
    plies: int, disabled: list[bool]
) -> None:
    game, _ = play(started(), *map(str, random_game(5)[:plies]))
    row = replace(game.row, machine=game.row.white, level=3, visiting=True)
    buttons = guess_of_board(IN_ENGLISH, replace(game, row=row))
    assert [button.disabled for button in buttons] == disabled


def test_the_views_are_linked_and_show_guesses() -> None:
    game = MOVING[0]
    move = game.position.legal_moves()[0]
    assert move.source is not None
    picker = guess_picker(IN_ENGLISH, game, None)
    assert "You guess" not in picker.content
    stacks = [str(item) for item in by_stack(game.position)]
    ways = ["Type a move", "Game page", "Best guessers"]
    assert labels(picker) == [*stacks, *ways]
    assert {button.row for button in picker.buttons[-3:]} == {-(-len(stacks) // 5)}, (
        "in a row of its own"
    )
    again = guess_picker(IN_ENGLISH, game, move)
    assert f"You guess **{move}**." in again.content
    landings = guess_landings(IN_ENGLISH, game, move.source)
    assert labels(landings)[-1] == "Back"
    assert all("✂" not in label and "yours" not in label for label in labels(landings))
    assert f"You guess **{move}**." in guessed(IN_ENGLISH, game, move).content
    for post in (picker, again, landings):
        assert post.selects == ()
        assert f":{game.row.revision}:" in post.buttons[0].custom_id


def test_each_reason_not_to_call_has_a_sentence_of_its_own() -> None:
    said = {refusal(IN_ENGLISH, CannotGuess(problem)) for problem in GuessProblem}
    assert len(said) == len(GuessProblem)
    assert all(len(item) < 120 for item in said)


def test_nobody_guesses_the_move_of_a_team() -> None:
    game = started()
    with pytest.raises(TeamDecides):
        check_guess(replace(game, row=replace(game.row, vote=timedelta(hours=1))), CID)


async def test_a_guess_is_parsed_in_the_notation_of_its_user(table: Table) -> None:
    game = (await table.accept(await table.challenge(start=Start.BALANCED))).game
    move = game.position.legal_moves()[0]
    at = game.row.id, game.row.revision, CID
    for text, named in (
        (str(move), None),
        (format_move(move, Coordinates.PERGIOCO), Coordinates.PERGIOCO),
    ):
        assert (await table.of(Guessing).guess(*at, text, named))[1] is move
    with pytest.raises(UnreadableMove) as caught:
        await table.of(Guessing).guess(*at, "k5", Coordinates.PERGIOCO)
    assert caught.value.coordinates is Coordinates.PERGIOCO
