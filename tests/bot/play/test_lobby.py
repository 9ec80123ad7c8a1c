"""Tests for challenges and rematches, on SQLite and PostgreSQL."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import select

from bot.base.errors import AlreadyHandled
from bot.base.ids import ChannelId, GuildId, MessageId, Shards, UserId
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD, THREAD
from bot.play.game_changes import GameUpdate
from bot.play.model import openings
from bot.play.model.clock import TimeControl
from bot.play.model.events import Started
from bot.play.model.refusals import NoGameHere, NotAPlayer, StaleBoard
from bot.play.model.refused_starts import (
    BadOpponent,
    ChallengeAnswered,
    ChannelBusy,
    NotForYou,
    OpponentProblem,
    RematchOffered,
)
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColorChoice,
    Defaults,
    Place,
    Start,
)
from bot.play.store.schema import challenges
from bot.play.store.store import Store
from dvonn import Coordinates, Phase, Position
from dvonn.even_boards import even_seeds, even_start
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, MESSAGE, Table, raises, venue


async def test_the_challenged_accepts_and_white_is_to_place_red(table: Table) -> None:
    update = await table.accept(await table.challenge())
    assert (update.game.row.white, update.game.row.black) == (ANN, BOB)
    assert update.game.to_move == ANN
    assert update.game.position.to_place == "R"
    assert [told.event.kind for told in update.events] == [Started]
    assert [row.kind for row in update.deliveries] == [BOARD]
    assert (update.game.row.machine, update.game.row.level) == (None, None)
    assert update.game.row.seed == 0  # no board is generated


async def test_an_accepted_challenge_names_its_game(table: Table) -> None:
    challenge = await table.challenge()
    row, update = await table.lobby.accept(
        challenge, BOB, message=MESSAGE, venue=venue(), source=table.source()
    )
    assert (row.state, row.game) == (ChallengeState.ACCEPTED, update.game.row.id)
    assert await table.store.challenges.get(challenge) == row


async def test_in_direct_messages_there_is_only_the_machine(table: Table) -> None:
    where = replace(venue(), is_direct=True, has_threads=False)
    caught = await raises(BadOpponent, table.challenge(None, where=where))
    assert caught.problem is OpponentProblem.NOBODY_HERE
    challenge = await table.challenge(UserId(900), level=3, where=where)
    assert (await table.accept(challenge, ANN, where=where)).game.row.level == 3


async def test_the_challenger_may_play_black(table: Table) -> None:
    update = await table.accept(await table.challenge(colour=ColorChoice.BLACK))
    assert (update.game.row.white, update.game.row.black) == (BOB, ANN)


async def test_random_colors_vary(table: Table) -> None:
    whites = set()
    await table.store.guilds.choose(GUILD, games_per_person=25)
    for number in range(20):
        channel = ChannelId(1_000 + number)
        challenge = await table.challenge(colour=ColorChoice.RANDOM, channel=channel)
        whites.add((await table.accept(challenge)).game.row.white)
    assert whites == {ANN, BOB}


async def test_nobody_challenges_themselves_or_a_bot(table: Table) -> None:
    assert (await raises(BadOpponent, table.challenge(ANN))).problem is OpponentProblem.YOURSELF
    terms = ChallengeTerms(
        guild=GUILD,
        channel=CHANNEL,
        challenger=ANN,
        opponent=CID,
        colour=ColorChoice.WHITE,
        coordinates=Coordinates.STANDARD,
        place=Place.HERE,
    )
    with pytest.raises(BadOpponent) as caught:
        await table.lobby.challenge(
            terms, opponent_is_bot=True, venue=venue(), source=table.source()
        )
    assert caught.value.problem is OpponentProblem.BOT


async def test_only_the_challenged_answers(table: Table) -> None:
    challenge = await table.challenge()
    for stranger in (ANN, CID):
        assert (await raises(NotForYou, table.accept(challenge, stranger))).who == BOB
        assert (await raises(NotForYou, table.lobby.decline(challenge, stranger))).who == BOB
    assert (await raises(NotForYou, table.lobby.cancel(challenge, BOB))).who == ANN
    declined = await table.lobby.decline(challenge, BOB)
    assert declined.state is ChallengeState.DECLINED


async def test_an_open_challenge_is_for_anyone_but_the_challenger(table: Table) -> None:
    challenge = await table.challenge(None)
    assert (await raises(NotForYou, table.accept(challenge, ANN))).who is None
    assert (await table.accept(challenge, CID)).game.row.black == CID


async def test_a_challenge_is_answered_once(table: Table) -> None:
    challenge = await table.challenge()
    await table.lobby.cancel(challenge, ANN)
    for late in (
        table.accept(challenge),
        table.lobby.decline(challenge, BOB),
        table.lobby.cancel(challenge, ANN),
    ):
        assert (await raises(ChallengeAnswered, late)).challenge.state is ChallengeState.CANCELLED


@pytest.mark.both_databases
async def test_accept_against_cancel_has_one_winner(table: Table) -> None:
    for number in range(5):
        challenge = await table.challenge(channel=ChannelId(2_000 + number))
        results = await asyncio.gather(
            table.accept(challenge), table.lobby.cancel(challenge, ANN), return_exceptions=True
        )
        assert sum(isinstance(result, ChallengeAnswered) for result in results) == 1


@pytest.mark.parametrize("accepted_first", [True, False])
async def test_of_an_acceptance_and_a_cancellation_the_first_counts(
    hands: Hands, *, accepted_first: bool
) -> None:
    challenge = await hands.quick.challenge()
    acts: list[Callable[[Table], Awaitable[object]]] = [
        lambda table: table.lobby.cancel(challenge, ANN),
        lambda table: table.accept(challenge),
    ]
    late, first = await hands.race(*(acts if accepted_first else acts[::-1]))
    assert isinstance(late, ChallengeAnswered)
    state = ChallengeState.ACCEPTED if accepted_first else ChallengeState.CANCELLED
    number = first.game.row.id if isinstance(first, GameUpdate) else None
    assert (late.challenge.state, late.challenge.game) == (state, number)
    assert (number is not None) == accepted_first


@pytest.mark.parametrize("has_threads", [True, False])
async def test_a_channel_may_be_taken_at_the_last_moment(
    hands: Hands, *, has_threads: bool
) -> None:
    early = await hands.quick.challenge(CID)
    other = await hands.quick.challenge()
    late, first = await hands.race(
        lambda table: table.accept(early, CID, where=venue(has_threads=has_threads)),
        lambda table: table.accept(other),
    )
    assert isinstance(first, GameUpdate)
    assert first.game.row.channel == CHANNEL
    if has_threads:
        assert isinstance(late, GameUpdate)
        assert late.game.row.channel == ChannelId(MESSAGE)
    else:
        assert isinstance(late, ChannelBusy)
        assert late.game == first.game.row.id


@pytest.mark.parametrize("answer", ["accept", "decline", "cancel", "expire", "ask again"])
async def test_the_moment_of_an_answer_is_kept(
    table: Table, engine: AsyncEngine, clock: Clock, answer: str
) -> None:
    game = await table.ended()
    challenge = (await table.rematch(game, ANN))[0].id
    clock.advance(days=7 if answer in ("expire", "ask again") else 1)
    match answer:
        case "accept":
            await table.accept(challenge)
        case "decline":
            await table.lobby.decline(challenge, BOB)
        case "cancel":
            await table.lobby.cancel(challenge, ANN)
        case "expire":
            await table.lobby.expire(Shards((0,), 1))
        case _:
            await table.rematch(game, ANN)
    one = select(challenges.c.answered_at).where(challenges.c.id == challenge)
    async with engine.connect() as connection:
        assert await connection.scalar(one) == clock()


@pytest.mark.both_databases
async def test_two_users_who_accept_at_once_start_one_game(table: Table) -> None:
    challenge = await table.challenge(None)
    results = await asyncio.gather(
        table.accept(challenge, BOB), table.accept(challenge, CID), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == [
        "ChallengeAnswered",
        "GameUpdate",
    ]


async def test_a_thread_has_the_number_of_the_challenges_message(table: Table) -> None:
    update = await table.accept(await table.challenge(place=Place.THREAD))
    assert update.game.row.channel == ChannelId(MESSAGE)
    assert [(row.kind, row.channel) for row in update.deliveries] == [
        (THREAD, CHANNEL),
        (BOARD, MESSAGE),
    ]
    await raises(NoGameHere, table.play(ANN, "d2"))
    await table.play(ANN, "d2", ChannelId(MESSAGE))


async def test_a_busy_channel_gives_the_next_game_a_thread(table: Table) -> None:
    second = await table.challenge()
    await table.begin()
    assert (await table.accept(second)).game.row.channel == ChannelId(MESSAGE)


async def test_defaults_follow_the_server_and_the_channel(
    table: Table,
) -> None:
    chosen = Defaults(
        start=Start.PLACEMENT, clock=TimeControl.from_text("10m+5s"), place=Place.THREAD
    )
    threads, none = venue(CHANNEL), replace(venue(CHANNEL), has_threads=False)
    assert await table.lobby.defaults_for(GUILD, threads) == Defaults()
    await table.begin()
    assert await table.lobby.defaults_for(GUILD, threads) == Defaults(place=Place.THREAD), (
        "it is busy"
    )
    assert await table.lobby.defaults_for(GUILD, none) == Defaults()
    await table.store.guilds.set_defaults(GUILD, chosen)
    assert await table.lobby.defaults_for(GUILD, threads) == chosen
    assert await table.lobby.defaults_for(GUILD, none) == replace(chosen, place=Place.HERE)
    assert await table.lobby.defaults_for(GuildId(77), none) == Defaults()


@pytest.mark.both_databases
async def test_two_games_accepted_at_once_share_no_channel(table: Table) -> None:
    challenges = [await table.challenge() for _ in range(3)]
    updates = await asyncio.gather(
        *(
            table.accept(challenge, message=MessageId(700 + number))
            for number, challenge in enumerate(challenges)
        )
    )
    channels = [update.game.row.channel for update in updates]
    assert len(set(channels)) == 3
    assert CHANNEL in channels


async def test_a_game_against_the_machine_needs_no_message_but_for_a_thread(table: Table) -> None:
    """If two start at once, the second one learns that their game needs a thread."""
    rows = [
        await table.store.challenges.get(await table.challenge(BOB, level=1, challenger=player))
        for player in (ANN, CID)
    ]
    first, second = (row for row in rows if row is not None)
    begin = table.lobby.accept_by_machine
    game = (await begin(first, venue=venue(), source=table.source())).game
    assert (game.row.channel, game.row.machine, game.row.own_thread) == (CHANNEL, BOB, False)
    await raises(ChannelBusy, begin(second, venue=venue(), source=table.source()))
    beside = await begin(second, venue=venue(), source=table.source(), message=MessageId(77))
    assert (beside.game.row.channel, beside.game.row.own_thread) == (ChannelId(77), True)


async def test_a_busy_channel_without_threads_is_refused(table: Table) -> None:
    early = await table.challenge()
    running = (await table.begin()).row.id
    caught = await raises(ChannelBusy, table.challenge(where=venue(has_threads=False)))
    assert (caught.channel, caught.game) == (CHANNEL, running)
    await raises(ChannelBusy, table.accept(early, where=venue(has_threads=False)))
    with pytest.raises(NotForYou):
        await table.lobby.cancel(early, BOB)  # the challenge is still open


async def test_a_rematch_swaps_the_colors(table: Table) -> None:
    game = await table.ended()
    row, update = await table.rematch(game, BOB)
    assert update is None
    assert (row.terms.challenger, row.terms.opponent) == (BOB, ANN)
    assert (await table.accept(row.id, ANN)).game.row.white == BOB


async def test_the_second_request_accepts(table: Table) -> None:
    game = await table.ended()
    await table.rematch(game, ANN)
    await raises(RematchOffered, table.rematch(game, ANN))
    _, update = await table.rematch(game, BOB)
    assert update is not None
    assert (update.game.row.white, update.game.row.black) == (BOB, ANN)
    assert update.game.row.channel == CHANNEL


async def test_the_slower_request_accepts(hands: Hands) -> None:
    game = await hands.quick.ended()
    late, first = await hands.race(
        lambda table: table.rematch(game, ANN), lambda table: table.rematch(game, BOB)
    )
    assert isinstance(first, tuple)
    assert isinstance(late, tuple)
    (row, nothing), (same, update) = first, late
    assert nothing is None
    assert same.id == row.id
    assert update is not None
    assert (update.game.row.white, update.game.row.black) == (BOB, ANN)


async def test_an_expired_rematch_is_closed_once(hands: Hands, clock: Clock) -> None:
    game = await hands.quick.ended()
    old, _ = await hands.quick.rematch(game, ANN)
    clock.advance(days=7)
    late, first = await hands.race(
        lambda table: table.rematch(game, ANN), lambda table: table.rematch(game, BOB)
    )
    assert isinstance(first, tuple)
    assert first[0].id != old.id
    assert isinstance(late, tuple)
    assert late[1] is not None  # Ann's request accepts Bob's


@pytest.mark.parametrize("agreed", [False, True])
async def test_a_repeated_press_counts_once(
    table: Table, engine: AsyncEngine, *, agreed: bool
) -> None:
    game, source = await table.ended(), table.source()
    if agreed:
        await table.rematch(game, BOB)

    async def ask() -> ChallengeRow:
        row, _ = await table.rematches.ask(game, ANN, message=MESSAGE, venue=venue(), source=source)
        return row

    row = await ask()
    if not agreed:
        await table.lobby.cancel(row.id, ANN)
    before = await all_rows(engine)
    await raises(AlreadyHandled, ask())
    assert await all_rows(engine) == before


async def test_a_rematch_in_a_busy_channel_gets_a_thread_at_its_board(table: Table) -> None:
    game = await table.ended()
    await table.begin(CID)
    await table.rematch(game, ANN)
    _, update = await table.rematch(game, BOB)
    assert update is not None
    assert update.game.row.channel == ChannelId(601)  # the id of the last board's message


async def test_a_rematch_is_for_the_players_of_an_ended_game(table: Table) -> None:
    running = await table.begin()
    await raises(StaleBoard, table.rematch(running, ANN))
    update = await table.end()
    await raises(NotAPlayer, table.rematch(update.game, CID))


async def test_a_drawn_board_is_full_and_replayable(
    table: Table, store: Store, clock: Clock
) -> None:
    game = await table.begin(start=Start.BALANCED)
    assert game.row.start is Start.BALANCED
    assert game.position.phase is Phase.MOVEMENT
    expected = Position.initial()
    for placement in even_start(game.row.seed):
        expected = expected.play(placement)
    assert game.position == expected
    # The result is the same in another process, and after a move.
    other = Table(store, clock)
    assert (await other.game_cache.running_in(CHANNEL)).position == expected
    assert (await table.move(game)).game.position == expected.play(expected.legal_moves()[0])


async def test_a_board_comes_again_in_a_server_once_all_others_have_been_played(
    table: Table, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = even_seeds()[:4]
    monkeypatch.setattr(openings, "even_seeds", lambda: boards)
    monkeypatch.setattr(openings, "_CANDIDATES", len(boards))
    begun = []
    for number in range(4):
        channel = ChannelId(8_000 + number)
        challenge = await table.challenge(start=Start.BALANCED, channel=channel)
        begun.append((await table.accept(challenge, where=venue(channel))).game.row)
    assert sorted(row.seed for row in begun) == list(boards)
    for guild in (begun[0].guild, GuildId(77)):
        assert await store.games.new_board(Start.BALANCED, guild, Random(1)) in boards


async def test_a_rematch_starts_as_the_game_did(table: Table) -> None:
    control = TimeControl(bank=timedelta(days=3))
    challenge = await table.challenge(
        start=Start.BALANCED, clock=control, coordinates=Coordinates.PERGIOCO
    )
    game = (await table.accept(challenge)).game
    row, _ = await table.rematch((await table.resign(game)).game, BOB)
    terms = row.terms
    assert (terms.start, terms.clock) == (Start.BALANCED, control)
    assert terms.coordinates is Coordinates.PERGIOCO
