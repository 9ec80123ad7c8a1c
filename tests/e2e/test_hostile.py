"""Tests for hostile names, texts, clicks and forged ids: nobody gets pinged."""

import asyncio
from collections.abc import Iterable

import pytest

from demo import commands
from sandbox import Answer, InteractionFailed, Message, Permission, Person
from sandbox.components import Kind
from sandbox.interactions import InteractionKind
from sandbox.permissions import BOT
from tests.e2e.conftest import Club, answer_to, is_board, message_of, opened_thread, press, texts
from tests.e2e.database import all_rows
from tests.games import random_game


@pytest.fixture
def loud_club(club: Club) -> Club:
    """A server whose bot may ping everyone, which people try to make it do."""
    club.guild.set_role_permissions(club.guild.bot_role, BOT | Permission.MENTION_EVERYONE)
    return club


def pings(club: Club) -> list[set[int]]:
    """Return the users notified by each of the bot's messages, in the order of sending.

    Includes messages that are deleted by now, such as older boards of a placement.
    """
    said = [club.posted[number] for number in sorted(club.posted)]
    return [
        set(message.pinged)
        for message in said
        if message.author is club.world.state.bot and message.pinged
    ]


async def use(person: Person, message: Message, custom_id: str, *values: str) -> Answer | None:
    """Press a button or choose from a select, even one that only another user sees.

    Discord prevents that. If it ever didn't, the press must still be harmless. Returns None if the
    bot didn't answer.
    """
    data: dict[str, object] = {"custom_id": custom_id, "component_type": Kind.BUTTON, "id": 7}
    if values:
        data |= {"component_type": Kind.STRING_SELECT, "values": list(values)}
    try:
        return await person._use(InteractionKind.COMPONENT, message.channel, data, message)
    except InteractionFailed:
        return None


async def forge(
    person: Person, message: Message, custom_ids: Iterable[str], *values: str
) -> list[Answer | None]:
    """Press buttons, or choose from selects, that the bot never put under its message."""
    select = {
        "type": 3,
        "min_values": 1,
        "max_values": 1,
        "options": [{"label": "x", "value": "x"}],
    }
    button = {"type": 2, "style": 2, "label": "x"}
    forged = [{**(select if values else button), "id": 1, "custom_id": item} for item in custom_ids]
    genuine, in_a_row = message.components, 1 if values else 5
    message.components = [
        {"id": 1, "type": 1, "components": forged[start : start + in_a_row]}
        for start in range(0, len(forged), in_a_row)
    ]
    try:
        uses = (use(person, message, item, *values) for item in custom_ids)
        return list(await asyncio.gather(*uses))
    finally:
        message.components = genuine


NAMES = [
    "@everyone",
    "@here <@&1>",
    "**b** `c` ||d|| ~~e~~",
    "[x](https://example.org) # h",
    "\u202eevil\u2067\u200f",
    "a\u200bb\u0301" * 5,
]


async def test_a_name_is_only_a_name(loud_club: Club) -> None:
    for number, name in enumerate(NAMES, start=1):
        await plays_under(name, loud_club, number)


async def plays_under(name: str, club: Club, number: int) -> None:
    """Start and end a game of the server, as a user with a given name."""
    eve, mallory = club.guild.add_person(name), club.guild.add_person(name[::-1])
    before = len(pings(club))
    answer = message_of(
        await commands.use(
            eve,
            club.channel,
            "challenge",
            opponent=mallory,
            colour="white",
            where="thread",
            start="placement",
        )
    )
    await mallory.click(answer, "Accept")
    thread = await opened_thread(answer)
    await thread.wait_for(is_board(0))
    await eve.say(thread, "c3")
    board = await thread.wait_for(is_board(1))
    await press(eve, board, "Resign")
    question = await eve.ephemeral()
    await eve.click(question, "Yes, resign")
    await thread.wait_for(is_board(2))
    # The challenge, the first board, the move, and the end, which pings the other player only.
    assert pings(club)[before:] == [{mallory.id}, {eve.id}, {mallory.id}, {mallory.id}]
    assert thread.name.startswith(f"DVONN {number}: ")
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(thread.name)
    for message in (*club.channel.messages, *thread.messages, *eve.inbox):
        if message.author is club.world.bot_user:
            assert name not in message.content
            told = "".join(file.description or "" for file in message.attachments)
            assert not set("\u202e\u200f\u200b") & set(told), "names in plain text"


async def test_typed_text_is_never_repeated_with_a_ping(loud_club: Club) -> None:
    club = loud_club
    table = await club.start_game()
    bot = club.world.bot_user.mention
    before = all_rows(club.bot)
    for text in (
        "@everyone",
        f"@here {club.cid.mention} d2",
        f"<@&{club.guild.bot_role.id}>",
        "\u202ez9",
        "z9@everyone",
        "`x2` ```",
        "d2 [x](https://example.org)",
    ):
        said = await club.ann.say(club.channel, f"{bot} {text}")
        privately = texts(await club.ann.slash(club.channel, "move", move=text))
        assert not set("@`[\u202e") & set(privately)
    await answer_to(club, said)  # a channel is read in order, so all others are answered
    answers = [
        message for message in club.channel.messages if message.reference and message.author.bot
    ]
    assert len(answers) == 5  # text that can't be a move is answered once per person
    for answer in answers:
        assert not set("@`[\u202e") & set(answer.content)
    assert all_rows(club.bot) == before
    assert pings(club) == [{club.bob.id}, {club.ann.id}]
    await table.play(random_game(1)[:1])


async def test_a_strangers_forged_buttons_do_nothing(loud_club: Club) -> None:
    club = loud_club
    table = await club.start_game()
    board = (await table.play(random_game(1)[:2])).id
    open_one = message_of(await club.cid.slash(club.channel, "challenge", opponent=club.bob))
    eve = club.guild.add_person("Eve")
    before, rung = all_rows(club.bot), pings(club)
    message = club.channel.history[board]
    forged = [
        *(f"dvonn:board:1:2:{action}" for action in ("pick", "type", "resign", "resign-yes")),
        *(f"dvonn:board:1:{at}:{act}" for at in (1, 2) for act in ("accept", "decline")),
        *(f"dvonn:board:1:{revision}:rematch" for revision in (0, 2, 999_999_999)),
        *(f"dvonn:board:999999999999999999:0:{action}" for action in ("text", "resign-yes")),
        *(f"dvonn:challenge:2:{action}" for action in ("accept", "decline", "cancel")),
        *(f"dvonn:challenge:1:{action}" for action in ("accept", "decline", "cancel")),
        *(f"dvonn:challenge:{number}:accept" for number in (0, 3, 999_999_999_999_999_999)),
        "dvonn:pick:1:2:go:c3",
        "dvonn:pick:1:2:go:-------",
    ]
    answers = await forge(eve, message, forged)
    for value in ("c3", "@everyone", "9" * 19):
        selects = [f"dvonn:pick:1:2:{select}" for select in ("row:0", "row:4", "stack")]
        selects += ["dvonn:games:open", "dvonn:replay:1:0:jump"]
        answers += await forge(eve, message, selects, value)
    for answer in answers:
        assert answer is not None
        assert texts(answer)
    assert all_rows(club.bot) == before
    assert pings(club) == rung
    assert message.buttons
    assert open_one.buttons


async def test_unknown_buttons_are_answered_and_do_nothing(club: Club) -> None:
    table = await club.start_game()
    board = await table.board(0)
    before, rung = all_rows(club.bot), pings(club)
    answers = await forge(
        club.ann,
        board,
        [
            "dvonn:board:1:0:explode",
            "dvonn:board:1:0:accept-all",
            "dvonn:board:1:0:accept ",
            "dvonn:board:-1:0:resign-yes",
            "dvonn:board:1:0:resign-yes ",
            "dvonn:board:1:0:resign-yes\n",
            "dvonn:board:9999999999999999999:0:resign-yes",
            "dvonn:board:1:9999999999:resign-yes",
            "dvonn:board:\u0661:0:resign-yes",  # an Arabic digit
            "dvonn:challenge:1:",
            "DVONN:board:1:0:resign-yes",
            "x" * 100,
        ],
    )
    assert len(answers) == 12
    for answer in answers:
        assert answer is not None
        assert texts(answer).startswith("That's an old board.")
    assert all_rows(club.bot) == before
    assert pings(club) == rung
    await table.play(random_game(1)[:1])


async def test_ephemeral_messages_work_only_for_their_user(club: Club) -> None:
    table = await club.start_game()
    await table.reach(random_game(1)[:50])
    mover, board = table.to_move, await table.board(50)
    picker = message_of(await mover.click(board, "Move"))
    landings = (await mover.click(picker, picker.buttons[0].label)).message
    question = (await press(mover, board, "Resign")).message
    assert landings is not None
    assert question is not None
    before, rung = all_rows(club.bot), pings(club)
    for message in (landings, question):
        custom_ids = [button.custom_id or "" for button in message.buttons]
        assert custom_ids
        for custom_id in custom_ids:
            assert await use(club.cid, message, custom_id) is not None
    assert all_rows(club.bot) == before
    assert pings(club) == rung


async def test_a_challenge_is_not_accepted_from_another_server(club: Club) -> None:
    other = club.world.create_guild("Others")
    room = other.create_channel("room")
    eve = other.add_person("Eve")
    open_one = (await club.ann.slash(club.channel, "challenge")).message
    own = (await eve.slash(room, "challenge")).message
    assert open_one is not None
    assert own is not None
    before, rung = all_rows(club.bot), pings(club)
    (answer,) = await forge(eve, own, ["dvonn:challenge:1:accept"])
    assert answer is not None
    assert texts(answer)
    assert all_rows(club.bot) == before
    assert pings(club) == rung
    await club.bob.click(open_one, "Accept")
    await club.channel.wait_for(is_board(0))


async def test_a_flood_of_challenges_notifies_five_times(loud_club: Club) -> None:
    club = loud_club
    answers = await asyncio.gather(
        *(club.ann.slash(club.channel, "challenge", opponent=club.bob) for _ in range(12))
    )
    words = "Please wait "
    assert sum(answer.content.startswith(words) for answer in answers) == 7
    assert pings(club) == [{club.bob.id}] * 5
