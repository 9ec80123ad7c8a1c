"""Tests for profiles and leaderboards: who sees what, and in which order."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

import pytest
from sqlalchemy import insert

from bot.base.glicko import rounded_rating
from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.base.languages import IN_ENGLISH
from bot.database.connection import AsyncEngine
from bot.play.model.clock import Pace
from club.profiles import model
from club.profiles.use_cases import Profiles
from club.profiles.words.leaderboards import leaderboard_shown
from club.ratings.schema import ratings
from dvonn import Motif
from school.reviews.schema import reviews
from tests.bot.conftest import Clock
from tests.bot.looked import begun
from tests.bot.reviewed import review_of
from tests.bot.table import ANN, BOB, CID, GUILD, Table
from tests.club.ratings.rated import resigned, won

ELSEWHERE = GuildId(2 << 22)
MACHINE = UserId(900)


async def store_ratings(
    engine: AsyncEngine,
    known: Mapping[int, float],
    *,
    pool: GuildId = GUILD,
    pace: Pace = Pace.SLOW,
    settled: bool = True,
) -> None:
    """Store ratings as games would have changed them."""
    values = [
        {
            "guild_id": pool,
            "pace": pace,
            "player_id": player,
            "rating": float(rating),
            "deviation": 70.0,
            "volatility": 0.06,
            "rated_at": Clock().time,
            "settled": settled,
            "games": 20,
            "won": 10,
            "drawn": 0,
            "lost": 10,
            "best": rating,
        }
        for player, rating in known.items()
    ]
    async with engine.begin() as connection:
        await connection.execute(insert(ratings), values)


# Profiles


@pytest.mark.both_databases
async def test_a_players_own_profile_is_complete(table: Table) -> None:
    for winner, loser in ((ANN, BOB), (BOB, ANN), (ANN, BOB), (ANN, CID)):
        await won(table, winner, loser)
        table.clock.advance(hours=1)
    elsewhere = await begun(table, ANN, BOB, guild=ELSEWHERE)
    await resigned(table, elsewhere, BOB)

    here = await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD)
    assert (here.is_own, here.pool, here.against) == (True, GUILD, None)
    assert here.ratings.keys() == here.overall.keys() == {Pace.SLOW}
    assert (here.ratings[Pace.SLOW].games, here.overall[Pace.SLOW].games) == (4, 5)
    course = here.courses[Pace.SLOW]
    assert [item.score for item in course] == [1, 0, 1, 1]
    assert [item.after for item in course[:-1]] == [item.before for item in course[1:]]
    assert course[-1].after[0] == here.ratings[Pace.SLOW].rating
    assert here.streak == 2
    assert model.total(here.results) == model.Score(won=3, lost=1)

    everywhere = await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD, everywhere=True)
    assert (everywhere.pool, everywhere.overall) == (model.ALL_SERVERS, {})
    assert everywhere.ratings == here.overall
    assert everywhere.streak == 3
    assert model.total(everywhere.results) == model.Score(won=4, lost=1)
    alone = await table.of(Profiles).get(ANN, asker=ANN, guild=NO_GUILD)
    assert (alone.ratings, alone.results) == (everywhere.ratings, everywhere.results)


@pytest.mark.both_databases
async def test_a_win_at_a_level_beats_its_character(table: Table) -> None:
    for level, loser in ((3, MACHINE), (5, ANN), (3, MACHINE), (4, MACHINE)):
        game = await table.begin(MACHINE, level=level)
        await table.resign(game, loser)
    here = await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD)
    assert here.beaten == (3, 4)
    assert (await table.of(Profiles).get(ANN, asker=ANN, guild=ELSEWHERE)).beaten == ()
    assert (await table.of(Profiles).get(ANN, asker=ANN, guild=NO_GUILD)).beaten == here.beaten


async def test_a_rating_becomes_unsure_with_time(table: Table, engine: AsyncEngine) -> None:
    await store_ratings(engine, {ANN: 1600})
    assert (await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD)).ratings[Pace.SLOW].is_settled
    table.clock.advance(days=2_000)
    later = (await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD)).ratings[Pace.SLOW]
    assert not later.is_settled
    assert later.deviation > 110


@pytest.mark.both_databases
async def test_others_see_data_of_their_own_server(table: Table) -> None:
    await won(table, ANN, BOB)
    await resigned(table, await begun(table, BOB, ANN, guild=ELSEWHERE), BOB)
    found = await table.of(Profiles).get(ANN, asker=BOB, guild=GUILD, everywhere=True)
    assert (found.is_own, found.pool, found.overall) == (False, GUILD, {})
    assert found.against == (BOB, model.Score(won=1))
    assert model.total(found.results) == model.Score(won=1)
    nothing = await table.of(Profiles).get(ANN, asker=CID, guild=GuildId(3 << 22))
    assert (nothing.ratings, nothing.results, nothing.courses) == ({}, (), {})
    assert nothing.against == (CID, model.Score())


@pytest.mark.both_databases
async def test_two_are_compared_by_their_games_with_each_other(table: Table) -> None:
    await won(table, ANN, BOB)
    await resigned(table, await begun(table, BOB, ANN, rated=False), BOB)
    await resigned(table, await begun(table, ANN, BOB, rated=False), ANN)
    await begun(table, ANN, BOB, turns=0)
    await table.abort(ANN)
    await resigned(table, await begun(table, BOB, ANN, rated=False, guild=ELSEWHERE), BOB)
    here = await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD, against=BOB)
    assert here.against == (BOB, model.Score(won=2, lost=1))
    everywhere = await table.of(Profiles).get(
        ANN, asker=ANN, guild=GUILD, everywhere=True, against=BOB
    )
    assert everywhere.against == (BOB, model.Score(won=3, lost=1))
    of_others = await table.of(Profiles).get(BOB, asker=CID, guild=GUILD, against=ANN)
    assert of_others.against == (ANN, model.Score(won=1, lost=2))


async def test_hidden_profiles_are_invisible_to_others(table: Table, engine: AsyncEngine) -> None:
    await won(table, ANN, BOB)
    await table.choices.switch(ANN, profile=False)
    for player, against in ((ANN, None), (BOB, ANN)):
        with pytest.raises(model.ProfileHidden) as caught:
            await table.of(Profiles).get(player, asker=CID, guild=GUILD, against=against)
        assert (caught.value.problem, caught.value.player) == (model.ProfileProblem.HIDDEN, ANN)
    # Own games are visible to their player.
    own = await table.of(Profiles).get(BOB, asker=BOB, guild=GUILD, against=ANN)
    assert own.against == (ANN, model.Score(lost=1))
    hidden = await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD)
    assert hidden.is_hidden
    await table.choices.switch(ANN, profile=True)
    assert not (await table.of(Profiles).get(ANN, asker=CID, guild=GUILD)).is_hidden


async def test_in_direct_messages_people_see_only_themselves(table: Table) -> None:
    with pytest.raises(model.ProfileHidden) as caught:
        await table.of(Profiles).get(ANN, asker=BOB, guild=NO_GUILD)
    assert caught.value.problem is model.ProfileProblem.PRIVATELY


@pytest.mark.both_databases
async def test_motifs_are_the_same_as_in_reviews(table: Table, engine: AsyncEngine) -> None:
    for _ in range(2):
        game = (await won(table, BOB, ANN)).game
        first = review_of(game, {50: 0.3, 51: 0.3, 52: 0.3}, motifs=(Motif.CUT_OFF, Motif.TAKEN))
        async with engine.begin() as connection:
            values = {
                "game_id": game.row.id,
                "guild_id": GUILD,
                "state": "done",
                "queued_at": table.clock(),
                "tells": False,
                "due_at": table.clock(),
                "tries": 1,
                "review": first.to_json(),
            }
            await connection.execute(insert(reviews), values)
    ann = (await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD)).habits
    bob = (await table.of(Profiles).get(BOB, asker=BOB, guild=GUILD)).habits
    assert (ann.catches, ann.suffers) == (bob.suffers, bob.catches)
    assert {motif for motif, _ in ann.catches + ann.suffers} == {Motif.CUT_OFF}
    assert sum(count for _, count in ann.catches + ann.suffers) == 6
    assert (ann.suffers, model.habits_of([])) == (((Motif.CUT_OFF, 2),), model.MotifCounts())


def test_motifs_are_listed_most_frequent_first() -> None:
    rare, frequent = list(Motif)[:2]
    counted = Counter({rare: 1, frequent: 3})
    assert model._ranked(counted) == ((frequent, 3), (rare, 1))
    assert model._ranked(Counter([frequent, rare])) == ((rare, 1), (frequent, 1))


def test_a_streak_ends_where_something_else_was() -> None:
    def changes(*scores: float) -> list[model.RatingPoint]:
        start = Clock().time
        return [
            model.RatingPoint(
                at=start + timedelta(hours=at), score=one, before=(0, 0), after=(0, 0)
            )
            for at, one in enumerate(scores)
        ]

    assert model.wins_in_a_row(changes(1, 1, 1)) == 3
    assert model.wins_in_a_row(changes(0, 1, 1)[::-1]) == 2
    assert model.wins_in_a_row(changes(1, 1, 0.5)) == model.wins_in_a_row([]) == 0


# Leaderboards


def people(*places: model.Rank) -> list[tuple[int, int | None]]:
    return [(place.number, place.player) for place in places]


def test_people_with_the_same_number_share_a_place() -> None:
    rows = [(UserId(9), 1700.2, 60.0), (UserId(8), 1699.6, 60.0), (None, 1699.4, 60.0)]
    assert people(*model.numbered(rows, 1, 0)) == [(1, 9), (1, 8), (3, None)]
    assert people(*model.numbered(rows, 8, 10)) == [(8, 9), (8, 8), (13, None)]
    assert [rounded_rating(number) for number in (1499.5, 1500.49, 1500.5)] == [1500, 1500, 1501]


@pytest.mark.both_databases
async def test_settled_ratings_have_places_and_ties_share_them(
    table: Table, engine: AsyncEngine
) -> None:
    await store_ratings(engine, {ANN: 1600.3, BOB: 1700, CID: 1599.8})
    await store_ratings(engine, {104: 2000}, settled=False)
    await store_ratings(engine, {105: 2100}, pace=Pace.LIVE)
    await store_ratings(engine, {106: 2200}, pool=ELSEWHERE)
    found = await table.of(Profiles).leaderboard(Pace.SLOW, asker=CID, guild=GUILD)
    assert people(*found.places) == [(1, BOB), (2, ANN), (2, CID)]
    assert (found.count, found.pages, found.own_rank.place) == (3, 1, 2)
    live = await table.of(Profiles).leaderboard(Pace.LIVE, asker=CID, guild=GUILD)
    assert (people(*live.places), live.own_rank.place, live.own_rank.rating) == (
        [(1, 105)],
        None,
        None,
    )
    unsettled = await table.of(Profiles).leaderboard(Pace.SLOW, asker=UserId(104), guild=GUILD)
    assert unsettled.own_rank.place is None
    assert unsettled.own_rank.rating is not None


async def test_a_leaderboard_shows_the_current_deviation_of_a_rating(
    table: Table, engine: AsyncEngine
) -> None:
    await store_ratings(engine, {ANN: 1600})
    for days, shown_as in ((0, "**1600** ± 70 "), (400, "**1600?** ± 117 ")):
        table.clock.advance(days=days)
        found = await table.of(Profiles).leaderboard(Pace.SLOW, asker=BOB, guild=GUILD)
        assert shown_as in leaderboard_shown(IN_ENGLISH, found, BOB).content
        own = await table.of(Profiles).get(ANN, asker=ANN, guild=GUILD)
        rating = own.ratings[Pace.SLOW]
        assert round(rating.deviation) == round(found.places[0].deviation), "as in the profile"


@pytest.mark.both_databases
async def test_hidden_players_have_no_rank(table: Table, engine: AsyncEngine) -> None:
    await store_ratings(engine, {ANN: 1600, BOB: 1700, CID: 1500})
    await table.choices.switch(BOB, profile=False)
    found = await table.of(Profiles).leaderboard(Pace.SLOW, asker=CID, guild=GUILD)
    assert (people(*found.places), found.count, found.own_rank.place) == (
        [(1, ANN), (2, CID)],
        2,
        2,
    )
    own = await table.of(Profiles).leaderboard(Pace.SLOW, asker=BOB, guild=GUILD)
    assert (own.own_rank.place, own.own_rank.is_hidden, own.count) == (None, True, 2)


@pytest.mark.both_databases
async def test_pages_continue_where_the_previous_one_ended(
    table: Table, engine: AsyncEngine
) -> None:
    # Three share each rating, so that ties span the ends of pages.
    await store_ratings(engine, {1_000 + number: 2_000 - number // 3 for number in range(34)})
    places: list[tuple[int, int | None]] = []
    for page in range(4):
        found = await table.of(Profiles).leaderboard(
            Pace.SLOW, asker=UserId(1_009), guild=GUILD, page=page
        )
        assert (found.page, found.pages, found.own_rank.place, found.own_rank.page) == (
            page,
            4,
            10,
            1,
        )
        assert len(found.places) == (model.PAGE if page < 3 else 4)
        places += people(*found.places)
    assert [number for number, _ in places] == [1 + number // 3 * 3 for number in range(34)]
    assert len({player for _, player in places}) == 34
    mine = await table.of(Profiles).leaderboard(
        Pace.SLOW, asker=UserId(1_009), guild=GUILD, page=None
    )
    assert mine.page == mine.own_rank.page
    assert (10, 1_009) in people(*mine.places)
    late = await table.of(Profiles).leaderboard(Pace.SLOW, asker=ANN, guild=GUILD, page=99)
    assert late.page == 3
    nobody = await table.of(Profiles).leaderboard(Pace.SLOW, asker=ANN, guild=ELSEWHERE, page=2)
    assert (nobody.page, nobody.pages, nobody.places) == (0, 1, ())


@pytest.mark.both_databases
async def test_people_of_other_servers_show_only_their_rating(
    table: Table, engine: AsyncEngine
) -> None:
    await store_ratings(engine, {ANN: 1600, BOB: 1700, CID: 1500}, pool=model.ALL_SERVERS)
    await resigned(table, await begun(table, BOB, UserId(300), turns=0, rated=False), BOB)
    found = await table.of(Profiles).leaderboard(Pace.SLOW, asker=CID, guild=GUILD, everywhere=True)
    assert people(*found.places) == [(1, BOB), (2, None), (3, CID)]
    alone = await table.of(Profiles).leaderboard(Pace.SLOW, asker=ANN, guild=NO_GUILD)
    assert people(*alone.places) == [(1, None), (2, ANN), (3, None)]
