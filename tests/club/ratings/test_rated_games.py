"""Tests for rated games: which count, what they change, and that they count once."""

import asyncio
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import func, select

from bot.base.glicko import SETTLED, Rating, gain_text, placing_deviation, rounded_rating
from bot.base.ids import BEFORE_START, NO_GUILD, ChannelId, GuildId, UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import ROLES
from bot.database.connection import AsyncEngine
from bot.play.model.clock import Pace, TimeControl
from bot.play.model.conduct import Venue
from bot.play.model.game import Offer
from bot.play.model.refusals import BadOffer, NoEngineHelp, OfferProblem, OwnRatedGame
from bot.play.model.terms import ChallengeTerms, ColorChoice, EndReason, Outcome, Place, Start
from bot.play.store.schema import games
from bot.play.store.store import Store
from bot.play.words.boards import board
from bot.play.words.challenges import challenge as challenge_post
from club.ratings import model
from club.ratings.model import (
    A_DAY,
    LEAST_TURNS,
    MOST_A_DAY,
    CannotRate,
    RateProblem,
    UnratedReason,
    machine_rating,
)
from club.ratings.schema import rating_changes
from club.ratings.store import Ratings
from club.ratings.words import rating_text
from dvonn import Coordinates
from dvonn.machine import LEVELS, VERSION
from tests.bot.conftest import Clock
from tests.bot.looked import begun
from tests.bot.play.test_claims import claim, deserted
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table, venue
from tests.club.ratings.rated import changes, resigned, strength, verdict_of, won

MACHINE = UserId(900)
DAN = UserId(104)
RATED = "Rated: the result changes your rating. No hints."
LIVE = TimeControl(bank=timedelta(minutes=15))


@pytest.mark.both_databases
async def test_a_rated_game_changes_both_ratings_here_and_overall(table: Table) -> None:
    update = await won(table, ANN, BOB)
    new = Rating.new(table.clock())
    for change in changes(update):
        assert change.before.rating == new
        assert change.after.rating == new.updated([(change.score, new)], table.clock())
    counted = {(change.guild, change.player): change.score for change in changes(update)}
    assert counted == {(GUILD, ANN): 1, (GUILD, BOB): 0, (NO_GUILD, ANN): 1, (NO_GUILD, BOB): 0}

    ann, bob = await strength(table.store, ANN), await strength(table.store, BOB)
    assert ann is not None
    assert bob is not None
    assert (ann.games, ann.won, ann.drawn, ann.lost, ann.best) == (1, 1, 0, 0, None)
    assert (bob.games, bob.won, bob.drawn, bob.lost) == (1, 0, 0, 1)
    assert ann.rating.rating > 1500 > bob.rating.rating
    assert await strength(table.store, ANN, Pace.LIVE) is None, "of other games nothing is known"


async def test_ratings_are_shown_as_of_now(table: Table) -> None:
    await won(table)
    table.clock.advance(days=400)
    told = await table.of(Ratings).ratings_of(GUILD, None, [ANN, CID])
    ann = await strength(table.store, ANN)
    assert ann is not None
    assert told[ANN].rating == ann.rating.rating
    assert told[ANN].deviation > ann.rating.deviation
    assert told[CID] == Rating.new(table.clock())


async def test_an_opponent_counts_as_they_are_known_by_then(table: Table) -> None:
    await won(table, CID, BOB)
    bob = await strength(table.store, BOB)
    assert bob is not None
    table.clock.advance(days=900)
    update = await won(table, ANN, BOB)
    (counted, *_) = (change.opponent for change in changes(update) if change.player == ANN)
    assert counted == bob.rating.as_of(table.clock())
    assert counted.deviation > bob.rating.deviation


async def test_paces_are_rated_apart(table: Table) -> None:
    game = await begun(table, clock=LIVE)
    await resigned(table, game, BOB)
    assert await strength(table.store, ANN) is None
    assert await strength(table.store, ANN, Pace.LIVE) is not None


async def test_an_agreed_draw_counts_half(table: Table) -> None:
    await begun(table)
    await table.offers.ask(CHANNEL, ANN, Offer.DRAW, source=table.source())
    update = await table.offers.ask(CHANNEL, BOB, Offer.DRAW, source=table.source())
    assert {change.score for change in changes(update)} == {0.5}
    bob = await strength(table.store, BOB)
    assert bob is not None
    assert (bob.games, bob.drawn, bob.rating.rating) == (1, 1, 1500)


async def test_time_counts(table: Table) -> None:
    game = await begun(table, clock=TimeControl(bank=timedelta(days=1)))
    loser = game.to_move
    assert loser is not None
    await table.choices.switch(loser, auto_vacation=False)
    table.clock.advance(days=30)
    (update,) = await table.look()
    assert {change.player for change in changes(update) if not change.score} == {loser}


async def test_a_win_that_is_claimed_counts(table: Table) -> None:
    claimed = await claim(table, await deserted(table))
    assert {change.player: change.score for change in changes(claimed)} == {ANN: 0, BOB: 1}


async def test_unrated_games_change_nothing(table: Table, engine: AsyncEngine) -> None:
    casual = await resigned(table, await begun(table, rated=False), BOB)
    assert verdict_of(casual) is None
    await begun(table, turns=1)
    aborted = await table.abort(ANN)
    assert verdict_of(aborted) is None
    short = await resigned(table, await begun(table, turns=LEAST_TURNS - 1), BOB)
    assert verdict_of(short) is UnratedReason.TOO_SHORT
    async with engine.connect() as connection:
        assert (await connection.execute(select(func.count(games.c.rated_at)))).scalar() == 0
        rows = await connection.execute(select(func.count()).select_from(rating_changes))
        assert rows.scalar() == 0


@pytest.mark.both_databases
async def test_the_same_two_count_so_often_a_day(table: Table) -> None:
    for number in range(MOST_A_DAY):
        winner, loser = (ANN, BOB) if number % 2 else (BOB, ANN)
        first = await won(table, winner, loser)
        assert isinstance(verdict_of(first), tuple)
    before = await strength(table.store, ANN)
    assert verdict_of(await won(table, BOB, ANN)) is UnratedReason.TOO_MANY
    assert await strength(table.store, ANN) == before
    assert isinstance(verdict_of(await won(table, ANN, CID)), tuple), "somebody else still does"
    live = await resigned(table, await begun(table, clock=LIVE), BOB)
    assert isinstance(verdict_of(live), tuple), "so does another pace"
    table.clock.advance(days=1)
    assert isinstance(verdict_of(await won(table)), tuple)


@pytest.mark.both_databases
async def test_a_deletion_gives_nothing_back_within_a_day(table: Table) -> None:
    """A second account that loses, is deleted and loses again can't raise anyone's rating.

    Neither one player's rating by repetition, nor another's with a new rating.
    """
    for _ in range(MOST_A_DAY):
        await won(table, ANN, BOB)
    before = await strength(table.store, ANN)
    table.clock.advance(minutes=1)
    await table.privacy.delete(BOB)
    deleted_at = table.clock()
    for winner, loser in ((ANN, BOB), (CID, BOB), (BOB, CID)):
        assert verdict_of(await won(table, winner, loser)) is UnratedReason.RECENTLY_DELETED
    assert await strength(table.store, ANN) == before
    assert await strength(table.store, BOB) is None
    assert isinstance(verdict_of(await won(table, ANN, CID)), tuple), "others' games still count"

    game = await begun(table, CID, BOB)
    table.clock.time = deleted_at + A_DAY - timedelta(milliseconds=1)
    late = await resigned(table, game, BOB)
    assert verdict_of(late) is UnratedReason.RECENTLY_DELETED
    row = late.game.row
    table.clock.advance(milliseconds=1)
    again = await table.games.unannounced(row.id, row.revision, BEFORE_START)
    assert verdict_of(again) is UnratedReason.RECENTLY_DELETED, "also where it is told later"
    assert isinstance(verdict_of(await won(table, ANN, BOB)), tuple)


async def test_games_against_the_machine_are_not_given_back_either(table: Table) -> None:
    await resigned(table, await begun(table, ANN, MACHINE, level=5), ANN)
    table.clock.advance(minutes=1)
    await table.privacy.delete(ANN)
    game = await begun(table, ANN, MACHINE, level=5)
    assert verdict_of(await resigned(table, game, ANN)) is UnratedReason.RECENTLY_DELETED


async def test_against_the_machine_only_the_person_is_rated(table: Table) -> None:
    game = await begun(table, ANN, MACHINE, level=5)
    assert game.row.engine == VERSION
    update = await resigned(table, game, ANN)
    level = machine_rating(VERSION, 5)
    assert level is not None
    assert [change.player for change in changes(update)] == [ANN, ANN]
    new = Rating.new(table.clock())
    expected = new.updated([(0, level)], table.clock(), least=placing_deviation(0))
    assert [change.after.rating for change in changes(update)] == [expected, expected]
    assert await strength(table.store, MACHINE) is None


async def test_provisional_ratings_are_as_uncertain_as_their_games(table: Table) -> None:
    level = machine_rating(VERSION, 5)
    assert level is not None
    await resigned(table, await begun(table, ANN, MACHINE, level=5), ANN)
    first = await strength(table.store, ANN)
    assert first is not None
    here, _ = changes(await resigned(table, await begun(table, ANN, MACHINE, level=5), ANN))
    at, least = here.after.rating.at, placing_deviation(1)
    assert first.rating.deviation < least
    assert here.after.rating == first.rating.updated([(0, level)], at, least=least)

    among_people = await won(table, ANN, BOB)
    mine = next(change for change in changes(among_people) if change.player == ANN)
    at = mine.after.rating.at
    assert mine.after.rating == here.after.rating.updated([(1, mine.opponent)], at)


async def test_a_replaced_machine_rates_nobody(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await begun(table, ANN, MACHINE, level=5)
    monkeypatch.setattr(model, "VERSION", VERSION + 1)
    assert verdict_of(await resigned(table, game, ANN)) is UnratedReason.MACHINE


async def test_a_rated_game_against_the_machine_is_played_alone(table: Table) -> None:
    game = await begun(table, ANN, MACHINE, level=5)
    with pytest.raises(BadOffer) as caught:
        await table.offers.ask(CHANNEL, ANN, Offer.TAKEBACK, source=table.source())
    assert caught.value.problem is OfferProblem.TAKEBACK_RATED
    assert not game.gives_hints
    with pytest.raises(NoEngineHelp):
        await table.fair_play.check(game.position, user=ANN)


async def test_a_rated_game_between_people_offers_no_hints(table: Table) -> None:
    game = await begun(table)
    with pytest.raises(BadOffer) as caught:
        await table.offers.suggest(game.row.id, ANN, Offer.HINTS, source=table.source())
    assert caught.value.problem is OfferProblem.HINTS_RATED
    taken = await table.offers.ask(CHANNEL, ANN, Offer.TAKEBACK, source=table.source())
    assert taken.game.row.is_running, "slips can be taken back, if both want it"


# Which games are rated


async def proposed(
    table: Table,
    *,
    where: Venue | None = None,
    start: Start = Start.BALANCED,
    level: int | None = None,
    rated: bool | None = None,
) -> bool:
    """Return True if a game with these terms counts."""
    number = await table.challenge(
        MACHINE if level else BOB, start=start, level=level, rated=rated, where=where
    )
    row = await table.store.challenges.get(number)
    assert row is not None
    await table.lobby.cancel(number, ANN)
    return bool(row.terms.rated)


@pytest.mark.parametrize("start", [Start.BALANCED, Start.PLACEMENT])
async def test_games_between_people_are_rated(table: Table, start: Start) -> None:
    await won(table)
    assert await proposed(table, start=start)
    assert await proposed(table, start=start, rated=True)
    assert not await proposed(table, start=start, rated=False)


async def test_against_the_machine_they_are_if_one_wants_it(table: Table) -> None:
    assert not await proposed(table, level=3)
    assert await proposed(table, level=3, rated=True)


async def test_a_server_may_want_them_unrated(table: Table) -> None:
    await won(table)
    rules = await table.servers.set_defaults(GUILD, rated=False)
    assert not rules.defaults.rated
    assert not await proposed(table)
    assert await proposed(table, rated=True)
    await table.servers.set_defaults(GUILD, start=Start.PLACEMENT)
    assert not await proposed(table), "what else is chosen leaves it alone"


async def test_a_first_game_between_people_is_rated_only_on_request(table: Table) -> None:
    await resigned(table, await begun(table, ANN, CID, rated=False), ANN)
    await resigned(table, await begun(table, BOB, MACHINE, level=3, rated=False), BOB)
    await resigned(table, await begun(table, CID, BOB, guild=GuildId(2 << 22), rated=False), BOB)
    await begun(table, BOB, CID, rated=False, turns=0)
    await table.abort(BOB)
    assert not await proposed(table), "Bob has played nobody to the end here"
    assert await proposed(table, rated=True)
    await resigned(table, await begun(table, CID, BOB, rated=False), BOB)
    assert await proposed(table), "the second one is as usual"


async def test_rated_players_are_not_newcomers_against_the_machine(
    table: Table,
) -> None:
    await won(table)
    for _ in range(12):
        await resigned(table, await begun(table, ANN, MACHINE, level=3, turns=0), ANN)
    assert await proposed(table)


async def test_an_open_challenge_is_rated_by_who_accepts_it(table: Table) -> None:
    await won(table)
    for accepting, counts in ((CID, False), (BOB, True)):
        number = await table.challenge(None, start=Start.BALANCED, rated=None)
        row = await table.store.challenges.get(number)
        assert row is not None
        assert RATED in challenge_post(IN_ENGLISH, row).content
        assert "If it's your first game" in challenge_post(IN_ENGLISH, row).content
        game = (await table.accept(number, accepting)).game
        assert game.row.rated is counts
        await resigned(table, game, ANN)


DIRECT = Venue(channel=CHANNEL, home=CHANNEL, has_threads=False, is_direct=True)
VISITING = Venue(channel=CHANNEL, home=CHANNEL, has_threads=False, visiting=True)


@pytest.mark.parametrize(
    ("where", "start", "level", "problem"),
    [
        (VISITING, Start.BALANCED, None, RateProblem.PLACE),
        (DIRECT, Start.BALANCED, 3, RateProblem.PLACE),
        (venue(), Start.PLACEMENT, 3, RateProblem.START),
        (venue(), Start.BALANCED, LEVELS.stop, RateProblem.UNMEASURED),
    ],
)
async def test_terms_that_cannot_count_are_refused(
    table: Table, where: Venue, start: Start, level: int | None, problem: RateProblem
) -> None:
    with pytest.raises(CannotRate) as caught:
        await proposed(table, where=where, start=start, level=level, rated=True)
    assert caught.value.problem is problem
    assert not await proposed(table, where=where, start=start, level=level)


@pytest.mark.skipif(ROLES.teams is None, reason="the bot is without teams")
async def test_teams_are_not_rated(table: Table) -> None:
    terms = ChallengeTerms(
        guild=GUILD,
        channel=CHANNEL,
        challenger=ANN,
        opponent=MACHINE,
        colour=ColorChoice.WHITE,
        coordinates=Coordinates.STANDARD,
        start=Start.BALANCED,
        level=3,
        place=Place.HERE,
        vote=timedelta(minutes=5),
        rated=True,
    )
    with pytest.raises(CannotRate) as caught:
        await table.lobby.challenge(
            terms, opponent_is_bot=False, venue=venue(), source=table.source()
        )
    assert caught.value.problem is RateProblem.TEAMS


@pytest.mark.parametrize("counts", [True, False])
async def test_a_rematch_is_rated_as_its_game_was(table: Table, *, counts: bool) -> None:
    game = (await resigned(table, await begun(table, rated=counts), BOB)).game
    row, _ = await table.rematch(game, ANN)
    assert row.terms.rated is counts
    _, update = await table.rematch(game, BOB)
    assert update is not None
    assert update.game.row.rated is counts


async def test_games_continued_by_the_machine_are_unrated(table: Table) -> None:
    game = (await resigned(table, await begun(table), BOB)).game
    row = game.row
    update = await table.stand_in.continue_game(
        row.id, row.revision, ANN, MACHINE, source=table.source()
    )
    assert not update.game.row.rated


# The players who end games


@pytest.mark.parametrize("counts", [True, False])
async def test_a_moderator_does_not_end_a_rated_game_of_their_own(
    table: Table, *, counts: bool
) -> None:
    early = await begun(table, rated=counts, turns=1)
    await table.leaving.abort_here(CHANNEL, ANN, source=table.source())
    assert not (await table.game_cache.existing(early.row.id)).is_running, "as any player could"
    game = await begun(table, rated=counts)
    if counts:
        with pytest.raises(OwnRatedGame):
            await table.leaving.abort_here(CHANNEL, ANN, source=table.source())
        assert await table.game_cache.existing(game.row.id) == game
    moderator = CID if counts else ANN
    ended = await table.leaving.abort_here(CHANNEL, moderator, source=table.source())
    assert (ended.game.outcome, verdict_of(ended)) == (Outcome(EndReason.ABORT), None)


# Texts


async def test_the_last_board_mentions_it_in_every_process(table: Table) -> None:
    update = await won(table)
    line = "Ratings: <@101> 1662? (+162), <@102> 1338? (−162)"
    lines = board(IN_ENGLISH, update).content.splitlines()
    mark = "-# ? = I'm still finding your level."
    assert lines[lines.index(line) + 1] == mark
    row = update.game.row
    again = await table.games.unannounced(row.id, row.revision, BEFORE_START)
    assert line in board(IN_ENGLISH, again).content.splitlines()


async def test_the_reason_why_a_game_did_not_count_is_given(table: Table) -> None:
    short = await resigned(table, await begun(table, turns=0), BOB)
    words = "Too short to be rated: you each need 5 turns."
    assert words in board(IN_ENGLISH, short).content
    for _ in range(MOST_A_DAY):
        await won(table)
    often = await won(table)
    words = "Not rated: only 5 games a day count between the same two."
    assert words in board(IN_ENGLISH, often).content
    again = await table.games.unannounced(often.game.row.id, often.game.row.revision, BEFORE_START)
    assert verdict_of(again) is UnratedReason.TOO_MANY


async def test_a_challenge_shows_whether_it_is_rated(table: Table) -> None:
    for wanted in (True, False):
        number = await table.challenge(start=Start.BALANCED, rated=wanted)
        row = await table.store.challenges.get(number)
        assert row is not None
        assert (RATED in challenge_post(IN_ENGLISH, row).content.splitlines()) is wanted
        await table.lobby.cancel(number, ANN)


# At once


@pytest.mark.both_databases
async def test_games_of_one_person_that_end_at_once_all_count_one_after_the_other(
    engine: AsyncEngine, clock: Clock
) -> None:
    """Everyone plays everyone, and two processes end all games at the same moment."""
    tables = [Table(Store(engine), clock), Table(Store(engine.execution_options()), clock)]
    tables[1].last_source = 1_000_000
    await tables[0].servers.choose(GUILD, games_per_person=25)
    people = [ANN, BOB, CID, DAN]
    pairs = [(person, other) for person in people for other in people if person != other]
    begun_games = [
        await begun(tables[0], one, other, channel=ChannelId(500 + number))
        for number, (one, other) in enumerate(pairs)
    ]
    updates = await asyncio.gather(
        *(
            resigned(tables[number % 2], game, pairs[number][1])
            for number, game in enumerate(begun_games)
        )
    )
    assert all(len(changes(update)) == 4 for update in updates)
    async with engine.connect() as connection:
        rows = (await connection.execute(select(rating_changes))).all()
        ended = await connection.execute(select(games.c.rated_at))
    for guild in (GUILD, NO_GUILD):
        for player in people:
            own = [row for row in rows if (row.guild_id, row.player_id) == (guild, player)]
            own.sort(key=lambda one: one.at)
            assert [item.number for item in own] == list(range(1, 7))
            assert len({item.at for item in own}) == len(own)
            for earlier, later in pairwise(own):
                assert later.rating_before == earlier.rating_after
    assert all(moment is not None for (moment,) in ended)


def test_a_rating_is_settled_below_its_threshold(clock: Clock) -> None:
    one = Rating(rating=1500, deviation=SETTLED, at=clock())
    assert rating_text(one.rating, is_settled=one.is_settled) == "1500?"
    settled = Rating(rating=1512.4, deviation=SETTLED - 1, at=clock())
    assert rating_text(settled.rating, is_settled=settled.is_settled) == "1512"


@pytest.mark.parametrize("rating", [1499.5, 1500.5, 1500.4])
def test_a_rating_is_shown_after_a_game_as_in_a_leaderboard(rating: float) -> None:
    assert rating_text(rating, is_settled=True) == str(rounded_rating(rating))
    assert gain_text(1400, rating) == f"+{rounded_rating(rating) - 1400}"


async def test_the_first_board_says_that_a_game_is_rated(table: Table) -> None:
    for rated_one in (True, False):
        challenge = await table.challenge(BOB, start=Start.BALANCED, rated=rated_one)
        begun_now = await table.accept(challenge, BOB)
        post = board(IN_ENGLISH, begun_now)
        assert ("This game is rated." in post.content.splitlines()) == rated_one
        row = begun_now.game.row
        await table.leaving.resign(row.id, row.revision, ANN, source=table.source())
