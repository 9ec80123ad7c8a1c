"""Tests for private texts in each player's language."""

from importlib.util import find_spec

import pytest

from bot.base.languages import reader_for
from demo.commands import use
from dvonn import format_move
from tests.e2e.conftest import Club, choose, is_board, is_gone, shown_alone, texts
from tests.e2e.database import seed_of
from tests.e2e.features.plans.test_deciding_ahead import begin
from tests.games import drawn


async def test_all_that_is_for_one_player_speaks_their_language(club: Club) -> None:
    language, condition, otherwise = "it", "se {} allora {}", "altrimenti chiedimi"
    says = reader_for(language).gettext
    await choose(club.bob, club.channel, on=["preview"])
    form = await choose(club.bob, club.channel, language=[language])
    assert form.startswith(f"**{says('Language')}**: ")

    table, line = await begin(club)
    first, reply, _, last = map(format_move, line)
    typed = f"{condition.format(first, reply)}; {otherwise}"
    made = texts(await club.bob.slash(club.channel, "plan", moves=typed))
    assert condition.format(first, reply) in made.casefold()
    await table.type(line[0])
    board = await table.board(2)
    assert f" {reply} (as planned)." in board.content, "all read the channel's language"
    table.position = table.position.play(line[1])
    await table.type(line[2])
    await table.board(3)

    preview = shown_alone(await club.bob.slash(club.channel, "move", move=last))
    assert preview.content.startswith(says("**{move}** isn't played yet.").format(move=last))
    await club.bob.click(preview, says("Play it"))
    await is_gone(preview)
    await table.board(4)

    lessons = shown_alone(await club.bob.slash(club.channel, "learn"))
    assert says("Type a move") in [button.label for button in lessons.buttons]
    puzzle = shown_alone(await club.bob.slash(club.channel, "puzzle"))
    assert says("Type a move") in [button.label for button in puzzle.buttons]
    settings = shown_alone(await club.bob.slash(club.channel, "settings"))
    kept = shown_alone(await club.bob.click(settings, custom_id="dvonn:privacy:show"))
    assert says("Export my data") in [button.label for button in kept.buttons]


@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_a_vote_is_answered_in_the_voters_language(empty_club: Club) -> None:
    club = empty_club
    club.bot.settings["MACHINE"] = "auto"
    await club.bot.start()
    language = "de"
    says = reader_for(language).gettext
    await choose(club.bob, club.channel, language=[language])
    here = club.channel
    await use(club.ann, here, "play", teams=True, level=1, colour="white")
    await here.wait_for(is_board(0))
    wanted = str(drawn(seed_of(club.bot, 1)).legal_moves()[0])
    voted = texts(await club.bob.slash(here, "move", move=wanted))
    told = says("🗳️ You voted for **{move}**. You can change that until the vote ends: {when}.")
    assert voted.startswith(told.partition("{when}")[0].format(move=wanted))
