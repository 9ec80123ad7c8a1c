"""A game with odds, asked for in the form and played between two whose ratings are apart."""

from demo.commands import use
from dvonn import Position, fairness
from dvonn.odds import odds_start
from tests.e2e.conftest import FAULTS, Club, is_board, shown, texts
from tests.e2e.database import seed_of
from tests.e2e.features.ratings.test_ratings import lost

ODDS = "Odds: the board helps the lower rated of you."


async def test_the_lower_rated_gets_the_better_board(club: Club) -> None:
    await lost(await club.start_game(), club.bob)
    terms = {"opponent": club.bob, "start": "odds", "colour": "white", "rated": True}
    asked = shown(await use(club.ann, club.channel, "challenge", **terms))
    assert ODDS in asked.content
    await club.bob.click(asked, "Accept")
    board = await club.channel.wait_for(is_board(0, 2))
    seed, position = seed_of(club.bot, 2), Position.initial()
    for move in odds_start(seed):
        position = position.play(move)
    farther = fairness(position).farther
    assert farther is not None
    assert farther > 15  # Ann plays White and is rated higher: her pieces stand farther from red
    page = shown(await club.ann.click(board, "More"))
    assert f'[Seed "{seed}"]' in texts(await club.ann.click(page, "Record"))
    assert FAULTS.findall(club.bot.log) == []
