"""Tests for rated games without a clock: an absent player is reminded, and can then lose."""

import pytest
from sqlalchemy import update

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.base.zones import Interval
from bot.composition import refusal
from bot.database.connection import AsyncEngine
from bot.play.game_changes import GameHook, GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.events import Deserted, TimedOut
from bot.play.model.game import Game
from bot.play.model.refusals import NotAPlayer, StaleBoard, TooLateToAbort
from bot.play.model.refused_starts import NotForYou
from bot.play.model.terms import ChallengeTerms, EndReason, Outcome, Start
from bot.play.store.schema import games
from bot.play.store.store import Store
from bot.play.use_cases.deadlines import PATIENCE
from bot.play.use_cases.takeovers import can_continue
from bot.play.words.boards import board as board_post
from bot.play.words.boards import board_view
from bot.play.words.clocks import with_clocks
from dvonn import Color, format_move
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.looked import DAY, HOUR, begun
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, Table

MACHINE = UserId(900)
CLAIM = "Claim win"


class RatesWhatIsWanted(GameHook):
    """Make games rated as requested. Features normally decide that."""

    async def is_rated(self, terms: ChallengeTerms, *_: object, **_more: object) -> bool:
        return bool(terms.rated)


@pytest.fixture
def table(store: Store, clock: Clock) -> Table:
    table = Table(store, clock)
    table.does.add(RatesWhatIsWanted())
    return table


async def deserted(table: Table, *, rated: bool = True) -> Game:
    """A game in which Ann has been absent, and Bob has been told so."""
    await begun(table, rated=rated)
    table.clock.advance(days=14)
    (told,) = await table.look()
    return told.game


async def claim(table: Table, game: Game, user: UserId = BOB) -> GameUpdate:
    row = game.row
    return await table.leaving.claim(row.id, row.revision, user, source=table.source())


async def moves(table: Table, user: UserId = ANN) -> GameUpdate:
    game = await table.game_cache.running_in(CHANNEL)
    return await table.play(user, format_move(game.position.legal_moves()[0]))


def labels(told: GameUpdate) -> list[str]:
    return [button.label for button in board_post(IN_ENGLISH, told).buttons]


# The claim


@pytest.mark.both_databases
async def test_the_waiting_players_claim_counts_as_a_loss_on_time(
    table: Table, clock: Clock
) -> None:
    game = await deserted(table)
    (desertion,) = await table.store.games.events(game.row.id, after=game.board_since)
    assert desertion.kind is Deserted
    clock.advance(days=40)
    won = await claim(table, game)
    assert won.game.outcome == Outcome(EndReason.TIME, winner=Color.BLACK)
    (told,) = won.events
    assert (told.event.kind, told.event.actor) == (TimedOut, ANN)
    assert won.pings == (ANN,), "who has claimed it looks on"
    assert can_continue(won.game)
    assert await table.store.timers.due(ALL, clock() + 99 * DAY) == {}
    said = board_post(IN_ENGLISH, won).content
    assert said.startswith("<@102> wins. <@101> hasn't moved for 14 days.\n")


async def test_the_board_offers_it_next_to_abort(table: Table, clock: Clock) -> None:
    await begun(table)
    clock.advance(days=14)
    (told,) = await table.look()
    buttons = labels(told)
    assert buttons[buttons.index(CLAIM) + 1] == "End without a result"
    assert board_post(IN_ENGLISH, told).content == (
        "No move for 14 days. <@101>, your turn.\n<@102>, you can keep waiting, claim the win, "
        "or end it without a result."
    )
    assert CLAIM not in labels(await moves(table))


async def test_the_right_to_claim(table: Table, clock: Clock) -> None:
    waits = await begun(table)
    clock.advance(days=13)
    with pytest.raises(NotForYou):
        await claim(table, waits)
    clock.advance(days=1)
    (told,) = await table.look()
    for user, refused in ((ANN, NotForYou), (CID, NotAPlayer)):
        with pytest.raises(refused):
            await claim(table, told.game, user)
    await moves(table)
    with pytest.raises(StaleBoard):
        await claim(table, told.game)
    with pytest.raises(NotForYou):
        await claim(table, await table.game_cache.running_in(CHANNEL))


async def test_it_can_still_be_ended_without_a_result(table: Table) -> None:
    await deserted(table)
    assert (await table.abort(BOB)).game.outcome == Outcome(EndReason.ABORT)


@pytest.mark.parametrize("user", [ANN, BOB])
async def test_friendly_games_stay_as_they_are(table: Table, user: UserId) -> None:
    game = await deserted(table, rated=False)
    with pytest.raises(NotForYou):
        await claim(table, game, user)
    told = await table.games.unannounced(game.row.id, game.row.revision, game.board_since)
    assert CLAIM not in labels(told)
    assert "End without a result" in labels(told)


@pytest.mark.both_databases
async def test_a_game_keeps_the_terms_with_which_it_began(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    await begun(table)
    async with engine.begin() as connection:  # as an older bot has started it
        await connection.execute(update(games).values(claimable=None))
    later = Table(Store(engine), clock)
    later.last_source = 9_000
    clock.advance(days=14)
    await later.look()
    lies = await later.game_cache.running_in(CHANNEL)
    assert lies.left_by == ANN
    with pytest.raises(NotForYou):
        await claim(later, lies)


async def test_young_games_end_without_a_result(table: Table) -> None:
    await begun(table, turns=1)
    table.clock.advance(days=14)
    (told,) = await table.look()
    assert CLAIM not in labels(told)
    with pytest.raises(NotForYou):
        await claim(table, told.game)


async def test_before_that_the_waiting_player_is_told_when_it_becomes_possible(
    table: Table,
) -> None:
    game = await begun(table)
    with pytest.raises(TooLateToAbort) as caught:
        await table.abort(BOB)
    assert caught.value.possible_from == game.line[-1].at + PATIENCE
    assert refusal(IN_ENGLISH, caught.value).endswith("you can claim the win.")


async def test_the_first_board_and_a_missing_clock_show_the_terms(table: Table) -> None:
    words = "After 14 days without a move, the other player can claim the win."
    for rated in (True, False):
        challenge = await table.challenge(start=Start.BALANCED, rated=rated)
        first = await table.accept(challenge)
        assert (words in board_post(IN_ENGLISH, first).content.splitlines()) is rated
        board = board_view(IN_ENGLISH, first.game)
        shown = with_clocks(IN_ENGLISH, board, first.game, None).content
        assert (words in shown) is rated
        await table.abort(ANN)


async def test_a_game_with_a_clock_is_not_claimed(table: Table) -> None:
    game = await begun(table, clock=TimeControl(bank=99 * DAY))
    assert not game.row.claimable


async def test_vacations_and_outages_postpone_it(table: Table, clock: Clock) -> None:
    began = (await begun(table)).line[-1].at
    clock.time = began
    await table.vacations.start(ANN, 5)
    outage = Interval(begins=began + 6 * DAY, ends=began + 8 * DAY)
    await table.store.outages.add(0, 1, outage)
    clock.time = began + 21 * DAY - HOUR
    await table.look()
    assert (await table.game_cache.running_in(CHANNEL)).left_by is None
    clock.advance(hours=1)
    assert len(await table.look()) == 1


# Against the machine


async def alone(table: Table, clock: Clock) -> Game:
    """A rated game against the machine in which it is Ann's turn."""
    game = await begun(table, ANN, MACHINE, level=5)
    assert game.to_move == ANN
    clock.time = game.line[-1].at
    return game


async def test_against_the_machine_an_abandoned_rated_game_is_lost(
    table: Table, clock: Clock
) -> None:
    game = await alone(table, clock)
    clock.advance(days=14)
    (over,) = await table.look()
    assert over.game.outcome == Outcome(EndReason.TIME, winner=Color.BLACK)
    assert over.pings == (ANN,)
    said = board_post(IN_ENGLISH, over).content
    assert said.startswith("Olli wins. <@101> ran out of time.")
    assert with_clocks(IN_ENGLISH, board_view(IN_ENGLISH, game), game, None).content.endswith(
        "<@101> loses after 14 days without a move."
    )


async def test_the_machine_does_not_lose_by_being_slow_and_its_opponent_still_can(
    table: Table, clock: Clock
) -> None:
    await alone(table, clock)
    await moves(table)
    clock.advance(days=30)
    await table.look()
    game = await table.game_cache.running_in(CHANNEL)
    assert (game.to_move, game.left_by) == (MACHINE, None)
    with pytest.raises(TooLateToAbort) as caught:
        await table.abort(ANN)
    assert caught.value.possible_from is None
    clock.time = (await moves(table, MACHINE)).game.line[-1].at + PATIENCE
    assert [item.game.outcome for item in await table.look()] == [
        Outcome(EndReason.TIME, winner=Color.BLACK)
    ]


async def test_an_unrated_game_against_the_machine_never_goes_inactive(
    table: Table, clock: Clock
) -> None:
    await begun(table, ANN, MACHINE, level=5, rated=False)
    assert await table.store.timers.due(ALL, clock() + 99 * DAY) == {}


# At once


@pytest.mark.both_databases
async def test_the_first_player_to_return_does_not_lose(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await deserted(table)

    async def claims(at: Table) -> GameUpdate:
        return await claim(at, game)

    late, first = await Hands(engine, clock).race(claims, moves)
    assert isinstance(first, GameUpdate)
    assert isinstance(late, StaleBoard)


@pytest.mark.both_databases
async def test_a_late_return_finds_the_game_over(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await deserted(table)

    async def claims(at: Table) -> GameUpdate:
        return await claim(at, game)

    late, first = await Hands(engine, clock).race(moves, claims)
    assert isinstance(first, GameUpdate)
    assert isinstance(late, Exception)
    assert (await table.game_cache.existing(game.row.id)).outcome == first.game.outcome
