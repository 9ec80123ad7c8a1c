"""A pie start: three boards to pick one from, then colours to pick from, then White moves."""

import re
from io import BytesIO

from PIL import Image

from demo.commands import use
from sandbox import Message, Person
from tests.e2e.conftest import Club, is_board, shown, texts
from tests.games import drawn

OUT_OF_DATE = "That's an old board."
SEEDS = re.compile(r"from the seeds (\d+), (\d+) and (\d+)\.")


async def offered(club: Club, **options: object) -> Message:
    """Ann's challenge to Bob, whose message this is."""
    return shown(
        await use(club.ann, club.channel, "challenge", opponent=club.bob, start="pie", **options)
    )


async def begun(club: Club) -> Message:
    """The board with the three to pick from."""
    await club.bob.click(await offered(club), "Accept")
    return await board(club, 0)


async def board(club: Club, revision: int, game: int = 1) -> Message:
    return await club.channel.wait_for(is_board(revision, game))


def size(message: Message) -> tuple[int, int]:
    (picture,) = message.attachments
    return Image.open(BytesIO(picture.data)).size


async def press(person: Person, message: Message, custom_id: str) -> str:
    """Press a button that may stand there no more, or never did, and read the private answer."""
    button = {"id": 2, "type": 2, "style": 2, "label": "Forged", "custom_id": custom_id}
    message.components = [{"id": 1, "type": 1, "components": [button]}]
    return texts(await person.click(message, "Forged"))


async def test_from_the_challenge_to_the_first_move_over_restarts(club: Club) -> None:
    ann, bob = club.ann, club.bob
    message = await offered(club, colour="white")
    assert f"{ann.mention} picks the board, {bob.mention} picks a colour" in message.content
    assert "With pie, colours are picked later." in message.content
    await bob.click(message, "Accept")
    first = await board(club, 0)
    assert first.content.startswith(f"{ann.mention}, pick a board.")
    assert first.pinged == {ann.id}
    assert [one.label for one in first.buttons][:3] == ["Board 1", "Board 2", "Board 3"]
    width, height = size(first)
    assert height / width <= 350 / 550, "three boards, which Discord shows whole"
    found = SEEDS.search(texts(await bob.slash(club.channel, "board")))
    assert found is not None
    seed = int(found[2])
    (picture,) = first.attachments
    assert picture.description
    assert len(picture.description) <= 1024
    assert picture.description.count("Board ") == 3

    assert texts(await bob.click(first, "Board 2")) == f"Only {ann.mention} can press that."
    assert "players" in texts(await club.cid.click(first, "Board 2"))
    await club.bot.restart()
    await ann.click(first, "Board 2")

    second = await board(club, 1)
    assert second.content.startswith(f"{ann.mention} picked board 2. {bob.mention}, pick")
    assert f"from the seed {seed}." in texts(await bob.slash(club.channel, "board"))
    assert second.pinged == {bob.id}
    assert size(second)[0] > size(second)[1], "one board"
    assert texts(await ann.click(second, "White")) == f"Only {bob.mention} can press that."
    await club.bot.restart()
    await bob.click(second, "White")

    third = await board(club, 2)
    assert third.content.startswith(f"{bob.mention} plays White. {bob.mention}, your turn.")
    assert f"White: {bob.mention}. Black: {ann.mention}." in third.content
    assert third.pinged == frozenset()  # he has just picked
    position = drawn(seed)
    await club.bot.restart()
    move = position.legal_moves()[0]
    await bob.say(club.channel, str(move))
    after = await board(club, 3)
    assert after.content.startswith(f"{bob.mention} moved {move}. {ann.mention}, your turn.")
    assert after.pinged == {ann.id}
    boards = [one for one in club.channel.messages if is_board(None)(one)]
    assert len(boards) == 4, "each once, over three kills"


async def test_forged_and_old_buttons_pick_nothing(club: Club) -> None:
    first = await begun(club)
    for action in ("pick-0", "pick-4", "pick-", "pick-22", "side-white", "side-red"):
        assert (await press(club.ann, first, f"dvonn:board:1:0:{action}")).startswith(OUT_OF_DATE)
    assert (await press(club.ann, first, "dvonn:board:1:5:pick-1")).startswith(OUT_OF_DATE)
    assert await press(club.ann, first, "dvonn:board:77:0:pick-1")
    await club.bot.restart()
    assert [one for one in club.channel.messages if is_board(1)(one)] == []
