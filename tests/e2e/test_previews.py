"""Tests for the private preview of a move."""

from sandbox import Message
from tests.e2e.conftest import Club, is_gone, message_of, switched_on, texts
from tests.e2e.test_clicking import open_picker
from tests.games import random_game


async def test_a_move_is_shown_and_then_played_or_not(club: Club) -> None:
    for person in (club.ann, club.bob):
        form = (await person.slash(club.channel, "settings")).message
        assert isinstance(form, Message)
        form = message_of(await person.select(form, ["preview"], custom_id="dvonn:preferences:on"))
        assert switched_on(form) == ["preview"]
    table = await club.start_game()
    moves = random_game(6)[:52]
    await table.reach(moves[:49])

    mover, first = table.to_move, moves[49]
    picker = await open_picker(table, mover)
    await mover.click(picker, str(first.source))
    landing = next(
        button for button in picker.buttons if button.label.split()[0] == str(first.target)
    )
    await mover.click(picker, landing.label)
    assert picker.content.startswith(f"**{first}** isn't played yet.\n")
    assert picker.attachments[0].data.startswith(b"\x89PNG")
    await mover.click(picker, "Choose another")
    assert picker.content.startswith("Which stack?")
    await mover.click(picker, str(first.source))
    await mover.click(picker, landing.label)
    await club.bot.restart()
    await mover.click(picker, "Play it")
    await is_gone(picker)
    table.position = table.position.play(first)
    await table.board(50)

    told = message_of(await table.to_move.slash(club.channel, "move", move=str(moves[50])))
    assert told.content.startswith(f"**{moves[50]}** isn't played yet.\n")
    late = table.to_move
    await table.type(moves[50])  # in the channel, without a preview
    await table.board(51)
    assert "That's an old board." in texts(await late.click(told, "Play it"))
