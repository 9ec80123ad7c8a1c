"""Tests for Discord's markup in posts: mentions, timestamps, commands, links."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from bot.base.ids import ChannelId, GuildId, MessageId, UserId, team_of
from bot.base.languages import reader_for
from bot.connection import posts
from bot.connection.posts import (
    CONTENT_LIMIT,
    Post,
    Section,
    as_read,
    escaped,
    join_within_limit,
    unescaped,
)

NOON = datetime(2026, 11, 29, 12, 0, 0, 999_999, tzinfo=UTC)
READER, GERMAN = reader_for("en-US"), reader_for("de")


def test_a_moment_is_shown_in_the_readers_zone_and_relative_to_now() -> None:
    second = int(NOON.timestamp())
    assert posts.timestamp(NOON) == f"<t:{second}:f>"
    assert posts.timestamp(NOON, relative=True) == f"<t:{second}:R>"
    assert posts.due(NOON) == f"<t:{second}:R> (<t:{second}:f>)"


def test_a_command_can_be_pressed_if_its_number_is_known_and_its_name_is_english() -> None:
    ids = {"play": 7}
    assert posts.command(READER, "play friend", ids) == "</play friend:7>"
    assert posts.command(READER, "play", {}) == "/play"
    called = GERMAN.pgettext("command", "play")
    assert called != "play"
    assert posts.command(GERMAN, "play", ids) == f"`/{called}`"
    assert posts.command(GERMAN, "play", {}) == f"/{called}"


@pytest.mark.parametrize(
    ("long", "kept"), [(18, 100), (19, 95), (1_899, 1), (1_900, 1), (1_901, 0)]
)
def test_lines_that_do_not_fit_are_counted(long: int, kept: int) -> None:
    lines = ["x" * long] * 150
    shown = join_within_limit(READER, lines).splitlines()
    assert shown[:-1] == lines[:kept]
    assert str(150 - kept) in shown[-1]
    assert len(join_within_limit(READER, lines)) <= CONTENT_LIMIT
    assert join_within_limit(READER, lines[:kept]) == "\n".join(lines[:kept])


def test_a_place_without_a_server_has_a_link_too() -> None:
    place = ChannelId(2), MessageId(3)
    assert posts.link(GuildId(1), *place) == "https://discord.com/channels/1/2/3"
    assert posts.link(GuildId(0), *place) == "https://discord.com/channels/@me/2/3"


def test_a_user_and_a_team_are_mentioned_each_in_its_way() -> None:
    assert posts.user(UserId(5)) == "<@5>"
    assert posts.user(team_of(ChannelId(5))) == posts.channel(ChannelId(5)) == "<#5>"


def test_typed_text_is_stored_without_markup() -> None:
    typed = "*a* <@1> [b](c) 1. d\u202e\n  e #f"
    assert unescaped(escaped(typed)) == "*a* <@1> [b](c) 1. d e #f"
    assert escaped("*a* 1. <@1>") == r"\*a\* 1\. \<\@1\>"
    assert escaped("a. b-c + d") == "a. b-c + d"
    assert escaped("- a") == r"\- a"


def test_sections_a_second_picture_or_a_footnote_make_a_layout() -> None:
    section = Section("A part", posts.Button("See", "see"))
    assert not Post(content="Hi").is_laid_out
    assert Post(content="Hi", sections=(section,)).is_laid_out
    assert Post(content="Hi", footnote="Bye").is_laid_out


def test_a_reader_who_hears_gets_pictures_in_words_once() -> None:
    picture: Any = SimpleNamespace(filename="board.png", spoken_text=lambda _: "c3 is White's.")
    post, ears = Post(content="Hi", picture=picture), replace(READER, uses_screen_reader=True)
    assert as_read(READER, post) is post
    heard = as_read(ears, post)
    assert heard.content == "Hi\nc3 is White's."
    assert as_read(ears, heard) is heard
    two = replace(post, second_picture=picture, captions=("Before:", "After:"))
    heard = as_read(ears, two)
    assert heard.content == "Hi"
    assert heard.captions == ("Before:\nc3 is White's.", "After:\nc3 is White's.")
    told: Any = SimpleNamespace(filename="board.png", spoken_text=lambda _: "")
    assert as_read(ears, replace(post, picture=told)).content == "Hi"
