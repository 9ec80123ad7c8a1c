"""Odds are offered where two ratings are far apart, and only the challenger takes them."""

from collections.abc import Awaitable, Callable

import pytest

from bot.base.ids import ChallengeId, UserId
from bot.base.languages import IN_ENGLISH
from bot.features.odds.use_cases import Gap, Odds
from bot.play.doors.challenge_buttons import ChallengeAdvice
from bot.play.game_changes import GameHook
from bot.play.model.game import GameRow
from bot.play.model.refused_starts import ChallengeAnswered, NotForYou
from bot.play.model.terms import ChallengeRow, ChallengeTerms, Start
from bot.play.words.challenges import challenge as challenge_post
from tests.bot.features.ratings.rated import won
from tests.bot.table import ANN, BOB, CID, Table, raises


async def rated(table: Table, games: int, loser: UserId = BOB) -> None:
    """Ann wins some games in a row."""
    for number in range(games):
        await won(table, ANN, loser)
        table.clock.advance(days=1 if number % 4 == 3 else 0, hours=1)


async def asked(table: Table, **terms: object) -> ChallengeRow:
    number = await table.challenge(**({"start": Start.BALANCED} | terms))  # type: ignore[arg-type]
    row = await table.store.challenges.get(number)
    assert row is not None
    return row


async def gap(table: Table, **terms: object) -> Gap | None:
    return await table.of(Odds).gap((await asked(table, **terms)).terms)


async def test_two_who_are_far_apart_are_told(table: Table) -> None:
    await rated(table, 4)
    found = await gap(table)
    assert found is not None
    assert found.weaker == BOB
    assert found.points % 10 == 0
    assert found.points >= 400
    assert await gap(table, opponent=ANN, challenger=BOB) == found


async def test_one_game_says_too_little(table: Table) -> None:
    await rated(table, 1)
    assert await gap(table) is None


@pytest.mark.parametrize(
    "terms",
    [
        {"opponent": None},
        {"opponent": CID},
        {"start": Start.ODDS},
        {"start": Start.PLACEMENT},
        {"opponent": UserId(900), "level": 3},
    ],
)
async def test_else_nothing_is_offered(table: Table, terms: dict[str, object]) -> None:
    await rated(table, 4)
    assert await gap(table, **terms) is None


async def test_the_offer_is_a_line_and_a_button(table: Table) -> None:
    await rated(table, 4)
    row = await asked(table)
    advice = await table.of(ChallengeAdvice).on(IN_ENGLISH, row)
    assert advice is not None
    post = challenge_post(IN_ENGLISH, row, advice=advice)
    assert f"points apart. With odds, <@{BOB}> gets the better board." in post.content
    assert [(one.label, one.custom_id) for one in post.buttons][-1] == (
        "Even it out",
        f"dvonn:even:{row.id}",
    )
    assert len(post.buttons) == 5


async def test_only_the_challenger_chooses_and_only_while_it_is_open(table: Table) -> None:
    row = await asked(table)
    choose = table.lobby.choose_start
    await raises(NotForYou, choose(row.id, BOB, Start.ODDS))
    assert terms_of(await table.store.challenges.get(row.id)).start is Start.BALANCED
    chosen = await choose(row.id, ANN, Start.ODDS)
    assert terms_of(chosen) == terms_of(await table.store.challenges.get(row.id))
    assert await choose(row.id, ANN, Start.ODDS) == chosen  # pressed twice
    game = (await table.accept(ChallengeId(row.id))).game
    assert game.row.start is Start.ODDS
    await raises(ChallengeAnswered, choose(row.id, ANN, Start.BALANCED))


class _Overtaken(GameHook):
    """The challenger chooses odds in the moment in which their challenge is accepted."""

    def __init__(self, choose: Callable[[], Awaitable[object]]) -> None:
        self.choose = [choose]

    async def joins(self, row: GameRow) -> GameRow:
        if self.choose:
            await self.choose.pop()()
        return row


async def test_what_is_chosen_as_it_is_accepted_is_played(table: Table) -> None:
    row = await asked(table)
    overtaken = _Overtaken(lambda: table.lobby.choose_start(row.id, ANN, Start.ODDS))
    table.does.hooks.insert(0, overtaken)
    assert (await table.accept(row.id)).game.row.start is Start.ODDS
    assert overtaken.choose == []


def terms_of(row: ChallengeRow | None) -> ChallengeTerms:
    assert row is not None
    return row.terms
