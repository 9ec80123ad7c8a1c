"""Tests for message types, and for messages inside interactions."""

from datetime import timedelta

import discord
import pytest

from bot.base.ids import NO_GUILD, ChannelId, MessageId, UserId
from bot.connection.answers import _message_fields
from bot.connection.bounded_cache import EDIT_WINDOW, Edits
from bot.connection.discord_messages import (
    MAX_FOLLOW_UPS,
    TOKEN_LIFETIME,
    FollowUpSlots,
    MessageFormat,
    NoFollowUpError,
    allowed_mentions,
    arguments,
    in_format,
    layout,
)
from bot.connection.posts import Button, File, Option, Post, Section, Select
from tests.bot.connection import received
from tests.bot.connection.received import ELSEWHERE, HOME, interaction, message

ANN, BOB = UserId(received.ANN), UserId(12)
HALL = ChannelId(received.HALL)


class World:
    """A bot that is in one server, at a moment."""

    def __init__(self) -> None:
        self.now = discord.utils.utcnow()
        self.slots = FollowUpSlots(sees=lambda guild: guild == HOME, now=lambda: self.now)

    async def is_taken(self, channel: ChannelId = HALL) -> bool:
        """Return True if it tries a follow-up. Nothing here would send one."""
        with pytest.raises(Exception) as caught:  # noqa: PT011 - both kinds are told apart
            await self.slots.send(channel, Post(content="Hi"))
        return not isinstance(caught.value, NoFollowUpError)


def test_only_addressed_users_are_pinged() -> None:
    told = allowed_mentions(ANN, BOB)
    assert told.users == [discord.Object(ANN), discord.Object(BOB)]
    assert (told.everyone, told.roles, told.replied_user) == (False,) * 3
    nobody = allowed_mentions()
    assert (nobody.everyone, nobody.roles, nobody.users, nobody.replied_user) == (False,) * 4


@pytest.mark.parametrize("form", [*MessageFormat])
def test_only_the_simplest_form_omits_buttons(form: MessageFormat) -> None:
    select = Select("list", "Which?", (Option("One", "1", "the first", chosen=True),), 0, 3)
    with in_format(form):
        pressed = arguments(Post(content="Hi", buttons=(Button("Go", "go", row=2),)))
        chosen = arguments(Post(content="Hi", selects=(select,)))
        assert "view" not in arguments(Post(content="Hi"))
    assert ("view" in pressed) is ("view" in chosen) is (form is not MessageFormat.WITHOUT_BUTTONS)
    if form is MessageFormat.WHOLE:
        (button,), (listed,) = pressed["view"].children, chosen["view"].children
        assert (button.label, button.custom_id, button.row) == ("Go", "go", 2)
        assert (listed.min_values, listed.max_values, listed.placeholder) == (0, 3, "Which?")
        assert [
            (option.label, option.description, option.default) for option in listed.options
        ] == [("One", "the first", True)]


def test_a_text_in_a_picture_s_place_is_as_long_as_a_message_may_be() -> None:
    with in_format(MessageFormat.AS_TEXT):
        sent = arguments(Post(content="a" * 1_990, file=File("b.png", b"x", "b" * 100)))
        plain = arguments(Post(content="Hi", file=File("b.png", b"x")))
    assert len(sent["content"]) == 2_000
    assert plain["content"] == "Hi"


def test_an_answer_has_its_file_in_a_list_so_that_an_edit_takes_an_older_one_away() -> None:
    file = File("board.png", b"x", "A board")
    assert [
        word.filename for word in _message_fields(Post(content="Hi", file=file), [])["files"]
    ] == ["board.png"]
    plain = _message_fields(Post(content="Hi"), [])
    assert (plain["files"], "file" in plain) == ([], False)
    assert "content" not in _message_fields(Post(content="Hi"), [], is_laid_out=True)
    assert "content" not in _message_fields(Post(content="Hi", footnote="Bye"), [])


def test_a_layout_has_its_parts_in_order_and_five_buttons_on_a_line() -> None:
    buttons = [Button(str(number), str(number)) for number in range(6)]
    post = Post(
        content="Hi",
        file=File("game.txt", b"c3"),
        sections=(Section("A part", Button("See", "see")),),
        footnote="Bye",
        buttons=(*buttons, Button("last", "last", row=3), Button("up", "up", row=1)),
    )
    sent = layout(post)
    kinds = [type(child).__name__ for child in sent["view"].children]
    assert kinds == ["TextDisplay", "File", "Section", "TextDisplay", *["ActionRow"] * 3]
    lines = [[child.label for child in row.children] for row in sent["view"].children[-3:]]
    assert lines == [["0", "1", "2", "3", "4"], ["5", "up"], ["last"]]
    assert [file.filename for file in sent["files"]] == ["game.txt"]
    shown = layout(Post(content="", file=File("board.png", b"x", "A board")))
    assert [type(child).__name__ for child in shown["view"].children] == ["MediaGallery"]
    assert shown["view"].children[0].items[0].description == "A board"


async def test_the_newest_interaction_has_a_limit_of_follow_ups() -> None:
    world = World()
    assert not await world.is_taken(), "nobody has pressed anything there"
    world.slots.record_interaction(interaction(), count=MAX_FOLLOW_UPS - 2)
    assert [await world.is_taken() for _ in range(3)] == [True, True, False]
    world.slots.record_interaction(interaction(), count=0)
    assert [await world.is_taken() for _ in range(4)] == [True, True, True, False], (
        "the same interaction still counts what it has carried"
    )
    world.slots.record_interaction(interaction(number=1), count=0)
    assert await world.is_taken()
    assert not await world.is_taken(ChannelId(71))


async def test_an_interaction_carries_follow_ups_as_long_as_discord_takes_them() -> None:
    world = World()
    pressed = interaction()
    world.slots.record_interaction(pressed, count=0)
    world.slots.record_message(pressed, MessageId(5))
    world.now = pressed.created_at + TOKEN_LIFETIME - timedelta(milliseconds=1)
    assert await world.is_taken()
    world.slots.find(MessageId(5))
    world.now = pressed.created_at + TOKEN_LIFETIME
    assert not await world.is_taken()
    with pytest.raises(NoFollowUpError):
        world.slots.find(MessageId(5))
    with pytest.raises(NoFollowUpError):
        world.slots.find(MessageId(6))


@pytest.mark.parametrize(("guild", "is_guest"), [(HOME, False), (ELSEWHERE, True), (None, True)])
def test_the_bot_is_a_guest_where_it_is_not_a_member(guild: int | None, *, is_guest: bool) -> None:
    world = World()
    assert not world.slots.is_visited(HALL)
    world.slots.record_interaction(interaction(guild, kind=1 if guild is None else 0), count=0)
    assert world.slots.is_visited(HALL) is is_guest
    assert not world.slots.is_visited(ChannelId(71))
    assert NO_GUILD == 0


def test_an_edit_counts_once_and_soon() -> None:
    edits = Edits()
    assert not edits.is_new(message(None)), "a preview of a link is no edit"
    soon = timedelta(seconds=9)
    assert edits.is_new(message(soon))
    assert not edits.is_new(message(soon))
    assert edits.is_new(message(soon * 2))
    assert edits.is_new(message(soon, number=1)), "another message's"
    assert edits.is_new(message(EDIT_WINDOW))
    assert not edits.is_new(message(EDIT_WINDOW + timedelta(seconds=1), number=2))
