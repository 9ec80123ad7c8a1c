"""The ladder of odds: each win against the machine makes the next board harder."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.ids import GuildId, UserId
from bot.base.languages import IN_ENGLISH
from bot.features.odds.hook import Climbed
from bot.features.odds.use_cases import Rung, next_rung
from bot.features.ratings.model import advantage, machine_rating
from bot.play.doors.challenge_buttons import PlayMeButton
from bot.play.game_changes import Update
from bot.play.model.game import Game
from bot.play.model.openings import EVEN_STEPS
from bot.play.model.terms import ColourChoice, How, Outcome, Start
from bot.play.words.boards import board
from dvonn import Color, fairness
from dvonn.machine import LEVELS, MEASURED, VERSION
from dvonn.odds import odds_steps
from tests.bot.features.ratings.rated import won as won_by
from tests.bot.table import ANN, BOB, GUILD, Table, aftermath

MACHINE = UserId(900)
RUNGS = st.builds(Rung, st.sampled_from(LEVELS), st.sampled_from([0, 4, 8]))


async def begun(table: Table, level: int, *, start: Start = Start.ODDS, **terms: object) -> Game:
    """Ann's game against the machine."""
    return await table.begin(MACHINE, level=level, start=start, **terms)


async def over(table: Table, game: Game, *, won: bool) -> Update:
    row = game.row
    loser = MACHINE if won else ANN
    return await table.leaving.resign(row.id, row.revision, loser, source=table.source())


def told(update: Update) -> Rung | None:
    found = aftermath(update, Climbed)
    return None if found is None else found.next


def help_of(game: Game) -> int:
    """By how many steps the board helps Ann."""
    nearer = EVEN_STEPS - odds_steps(game.row.seed)
    return nearer if game.row.white == ANN else -nearer


@given(RUNGS)
def test_a_rung_up_and_down_again_is_the_same(rung: Rung) -> None:
    if rung != Rung(LEVELS[-1], 0):
        assert rung.harder.easier == rung
    if rung != Rung(LEVELS[0]):
        assert rung.easier.harder == rung


def test_each_rung_is_harder_than_the_one_below() -> None:
    """By ratings: the board's worth is taken from the machine's strength."""

    def strength(rung: Rung) -> float:
        found = machine_rating(VERSION, rung.level)
        assert found is not None
        return found.rating - advantage(rung.steps(Color.WHITE), found.rating)

    rung, seen = Rung(LEVELS[0], 40), [Rung(LEVELS[0], 40)]
    while rung != Rung(LEVELS[-1], -40):
        rung = rung.harder
        seen.append(rung)
    assert len(seen) == 8 + 3 * len(LEVELS) + 10
    strengths = [strength(one) for one in seen if one.level in MEASURED]
    # Ratings of levels may be off by some 70 points.
    assert all(above > below - 25 for below, above in pairwise(strengths))
    assert (rung.harder, seen[0].easier) == (rung, seen[0])


@pytest.mark.parametrize("colour", [ColourChoice.WHITE, ColourChoice.BLACK])
async def test_the_board_is_that_of_the_rung_and_helps_the_person(
    table: Table, colour: ColourChoice
) -> None:
    game = await begun(table, 3, colour=colour)
    assert help_of(game) == 8
    better = EVEN_STEPS - (fairness(game.position).farther or 0)
    assert abs(better - (8 if colour is ColourChoice.WHITE else -8)) <= 1
    assert not game.row.rated


async def test_wins_and_losses_move_along_it(table: Table) -> None:
    rung, played = Rung(3), []
    for won in (True, True, True, False, False):
        game = await begun(table, rung.level)
        played.append((game.row.level, help_of(game)))
        rung = told(await over(table, game, won=won)) or rung
    assert played == [(3, 8), (3, 4), (3, 0), (4, 8), (3, 0)]
    assert rung == Rung(3, 4)
    assert await table.lobby.usual_level(ANN, GUILD, Start.ODDS) == 3


async def test_it_is_remembered_for_each_person_whatever_they_play_meanwhile(table: Table) -> None:
    await over(table, await begun(table, 5), won=True)
    for _ in range(3):
        await over(table, await begun(table, 9, start=Start.BALANCED), won=True)
    asks = table.lobby.usual_level
    assert await asks(ANN, GUILD, Start.ODDS) == 5
    assert (await asks(ANN, GUILD), await asks(BOB, GUILD, Start.ODDS)) == (9, 1)
    assert await asks(ANN, GuildId(GUILD + 1), Start.ODDS) == 9
    assert help_of(await begun(table, 5)) == 4


async def test_a_level_that_nobody_measured_begins_as_for_a_newcomer(table: Table) -> None:
    await won_by(table, ANN, BOB)
    assert help_of(await begun(table, LEVELS[-1])) == 8


async def test_another_level_begins_there(table: Table) -> None:
    await over(table, await begun(table, 5), won=True)
    assert help_of(await begun(table, 2)) == 8


@pytest.mark.parametrize(
    ("level", "won", "next_"),
    [
        (17, True, Rung(17, -4)),
        (1, False, Rung(1, 4)),
        (17, False, None),
        (16, True, None),
        (1, True, None),
        (8, True, None),
    ],
)
async def test_where_there_is_no_other_level_it_is_offered(
    table: Table, level: int, won: bool, next_: Rung | None
) -> None:
    update = await over(table, await begun(table, level, start=Start.BALANCED), won=won)
    assert told(update) == next_
    labels = [one.label for one in board(IN_ENGLISH, update).buttons]
    assert ("Rematch" in labels) is True
    assert (labels[0] in ("Again, one step harder", "Easier, please")) == (next_ is not None)


async def test_under_a_game_of_the_ladder_stands_the_way_on(table: Table) -> None:
    first = await begun(table, 4, colour=ColourChoice.WHITE)
    update = await over(table, first, won=True)
    post = board(IN_ENGLISH, update)
    assert next(one.label for one in post.buttons) == "Again, one step harder"
    assert "Rematch" not in [one.label for one in post.buttons]
    play = PlayMeButton.__discord_ui_compiled_template__
    assert not any(play.fullmatch(one.custom_id) for one in post.buttons)
    line = "Next: level 4. You start about 4 steps ahead."
    assert line in post.content
    aside = await table.does.ledger.aftermath(
        update.game, update.told, first.row.revision, update.game.row.revision
    )
    assert Climbed(Rung(4, 4)) in aside  # another process tells the same


async def test_games_of_others_are_not_of_it(table: Table) -> None:
    game = await begun(table, 4)
    row = replace(game.row, outcome=Outcome(How.RESIGNATION, Color.WHITE))
    assert next_rung(row, ANN) is not None
    assert next_rung(row, BOB) is None
    assert next_rung(replace(row, outcome=Outcome(How.ABORT)), ANN) is None
    assert next_rung(replace(row, outcome=None), ANN) is None
    assert next_rung(replace(row, continues=game.row.id), ANN) is None
    assert next_rung(replace(row, start=Start.POSITION), ANN) is None
    assert next_rung(replace(row, outcome=Outcome(How.AGREEMENT)), ANN) == Rung(4)
