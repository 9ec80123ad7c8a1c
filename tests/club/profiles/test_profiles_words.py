"""Tests for the texts and buttons of profiles and leaderboards."""

from dataclasses import replace

import pytest

from bot.base.ids import NO_GUILD
from bot.base.languages import IN_ENGLISH, reader_for
from bot.composition import FEATURE_SET
from bot.connection.forms import DynamicComponent
from bot.connection.posts import CONTENT_LIMIT, Post
from bot.play.model.clock import Pace
from club.profiles.model import ALL_SERVERS, MotifCounts, OwnRank, Score
from club.profiles.words.leaderboards import leaderboard_shown
from club.profiles.words.profiles import Curves, profile_shared, profile_shown
from dvonn import Motif
from renderer import collection, rating_curves
from tests.club.profiles import ranked


def profile_post(**changes: object) -> Post:
    profile = replace(ranked.WHOLE, **changes)  # type: ignore[arg-type]
    return profile_shown(IN_ENGLISH, profile, ranked.ANN if profile.is_own else ranked.CID)


def labels(post: Post) -> list[str]:
    return [button.label for button in post.buttons]


def test_a_players_own_profile_text_is_complete() -> None:
    assert profile_post().content.splitlines() == [
        "**Your profile** · This server",
        "Slow games: **1612** · 42 rated games · best 1655",
        "Live games: **about 1480** · 1 rated game",
        "In all servers: Slow games **1640** · Live games **about 1480**",
        "**Badges**: Winner of Ĝŕåñð \\*Çûþ\\* · Winner of Šþŕîñĝ Çûþ",
        "**Games against people**: 4,800 won, 8 drawn, 12 lost",
        "- as White: 2,400 won, 4 drawn, 6 lost",
        "- as Black: 2,400 won, 4 drawn, 6 lost",
        "- empty board: 2,400 won, 4 drawn, 6 lost",
        "- even board: 2,400 won, 4 drawn, 6 lost",
        "**Games against me**: 4,800 won, 8 drawn, 12 lost",
        "**Beaten**: Pip, Mimi, Milo (3/17)",
        "**Streak**: 4 rated games won in a row",
        f"**<@{ranked.ANN}> against <@{ranked.BOB}>**: 3 won, 1 drawn, 2 lost",
        "**Strengths**: Saving stacks, Taking in time, Retakes",
        "**Watch out for**: Staying near red, Room to move, Taking stacks",
    ]


def test_nothing_is_repeated_and_no_habit_is_both_good_and_bad() -> None:
    both = MotifCounts(catches=((Motif.MOBILITY, 2),), suffers=((Motif.MOBILITY, 2),))
    told = profile_post(overall=ranked.WHOLE.ratings, habits=both).content
    for words in ("In all servers", "**Strengths**", "**Watch out for**"):
        assert words not in told


def test_how_games_went_agrees_with_their_number() -> None:
    told = profile_shown(reader_for("es"), ranked.WHOLE, ranked.ANN).content.splitlines()
    assert f"**<@{ranked.ANN}> contra <@{ranked.BOB}>**: 3 ganadas, 1 empatada, 2 perdidas" in told


def test_other_peoples_weaknesses_and_servers_are_hidden() -> None:
    told = profile_post(is_own=False, overall={}, against=(ranked.CID, Score(3, 1, 2))).content
    assert told.startswith(f"**Profile of <@{ranked.ANN}>** · This server\n")
    assert f"**<@{ranked.CID}> against <@{ranked.ANN}>**: 2 won, 1 drawn, 3 lost" in told
    assert "**Strengths**" in told
    assert "Watch out for" not in told
    assert "all servers" not in told
    two = profile_post(is_own=False, overall={}, against=(ranked.BOB, Score())).content
    assert f"**<@{ranked.ANN}> against <@{ranked.BOB}>**: no finished game" in two


def test_a_shared_profile_is_the_one_that_others_see() -> None:
    post = profile_shared(IN_ENGLISH, ranked.WHOLE)
    for hidden in ("all servers", "> against <", "motifs", "catches"):
        assert hidden not in post.content
    assert post.picture is not None
    assert post.pings == ()


def test_without_rated_games_it_says_how_to_begin() -> None:
    post = profile_shown(IN_ENGLISH, replace(ranked.EMPTY, against=None), ranked.ANN)
    assert post.content.splitlines() == [
        "**Your profile** · This server",
        "No rated games yet. /challenge starts one.",
    ]
    assert post.picture is None


def test_the_curves_are_described_in_text_too() -> None:
    picture = profile_post().picture
    assert isinstance(picture, Curves)
    assert picture.alt_text == (
        "Slow games · 1612: from 1500 (Mar 1, 2026) to 1612 (Mar 2, 2026), lowest 1500, "
        "highest 1612. Settled, give or take 80. Live games · 1480?: from 1500 (Mar 1, 2026) to "
        "1480 (Mar 1, 2026), lowest 1480, highest 1500. Not settled yet, give or take 190. "
        "Pip, Mimi, Milo (3/17)"
    )
    assert picture.rendering(lambda *_: "")() == rating_curves(
        picture.curves, beaten=(1, 2, 7), look=picture.look
    )


def test_beaten_characters_show_their_faces_without_a_rating() -> None:
    picture = profile_shown(IN_ENGLISH, replace(ranked.EMPTY, beaten=(1, 17)), ranked.ANN).picture
    assert isinstance(picture, Curves)
    assert picture.alt_text == "Pip, Ruby (2/17)"
    assert picture.rendering(lambda *_: "")() == collection({1, 17}, look=picture.look)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, ["All servers", "Show everybody", "Leaderboard"]),
        ({"is_hidden": True}, ["All servers", "Leaderboard"]),
        ({"pool": ALL_SERVERS}, ["This server", "Leaderboard"]),
        ({"guild": NO_GUILD, "pool": NO_GUILD}, ["Leaderboard"]),
        ({"is_own": False}, ["Leaderboard"]),
    ],
)
def test_buttons_of_a_profile(changes: dict[str, object], found: list[str]) -> None:
    profile = replace(ranked.WHOLE, **changes)  # type: ignore[arg-type]
    assert labels(profile_shown(IN_ENGLISH, profile, ranked.ANN, may_share=True)) == found
    assert "Show everybody" not in labels(profile_shown(IN_ENGLISH, profile, ranked.ANN))


def test_a_page_of_a_leaderboard() -> None:
    post = leaderboard_shown(IN_ENGLISH, ranked.board(page=1), ranked.ANN)
    assert post.content.splitlines() == [
        "**Leaderboard** · This server · Slow games",
        f"11\\. **1612** ± 64 · <@{ranked.ANN}> · you",
        f"12\\. **1600** ± 60 · <@{ranked.BOB}>",
        "12\\. **1600** ± 71 · someone on another server",
        "-# 2 of 4",
        "Your place: **1** of 31, with **1612**.",
        "-# I don't show names from other servers.",
    ]
    assert post.pings == ()
    assert labels(post) == [
        "Previous",
        "Next",
        "My place",
        "Live games",
        "All servers",
        "My profile",
    ]


def test_people_without_a_rank_get_the_reason() -> None:
    none = OwnRank(place=None, page=0, rating=None, is_hidden=False)
    for own_rank, why in (
        (none, "You're not ranked yet. A few rated games of this kind will change that."),
        (
            replace(none, rating=ranked.UNSETTLED),
            (
                "Your rating, **1480?**, is a first guess. A few more rated games, and you're on "
                "the list."
            ),
        ),
        (
            replace(none, is_hidden=True),
            "Your profile is hidden, so you're not ranked. /settings changes that.",
        ),
    ):
        assert (
            why
            in leaderboard_shown(IN_ENGLISH, ranked.board(own_rank=own_rank), ranked.CID).content
        )
    empty = leaderboard_shown(IN_ENGLISH, ranked.board(count=0, own_rank=none), ranked.CID).content
    assert "Nobody's on the list yet." in empty


def test_at_the_ends_there_is_no_further_page() -> None:
    for page, off in ((0, ["Previous", "My place"]), (3, ["Next"]), (1, [])):
        post = leaderboard_shown(IN_ENGLISH, ranked.board(page=page), ranked.ANN)
        assert [button.label for button in post.buttons if button.disabled] == off
    alone = replace(ranked.board(count=3), guild=NO_GUILD, pool=NO_GUILD)
    assert labels(leaderboard_shown(IN_ENGLISH, alone, ranked.ANN)) == ["Live games", "My profile"]


def test_everything_fits_into_a_message_and_every_button_is_known() -> None:
    posts = [
        profile_shown(IN_ENGLISH, profile, ranked.ANN, may_share=True)
        for profile in ranked.profiles()
    ]
    posts += [
        leaderboard_shown(IN_ENGLISH, leaderboard, ranked.ANN)
        for leaderboard in ranked.leaderboards()
    ]
    for post in posts:
        assert len(post.content) <= CONTENT_LIMIT
        ids = [button.custom_id for button in post.buttons]
        assert len(set(ids)) == len(ids)
        for item in ids:
            assert len(item) <= 100
            assert sum(_knows(kind, item) for kind in FEATURE_SET.buttons) == 1, item
    farthest = f"dvonn:leaderboard:{Pace.SLOW}:all:9999999"
    assert any(_knows(kind, farthest) for kind in FEATURE_SET.buttons)


def _knows(kind: type[DynamicComponent], custom_id: str) -> bool:
    return kind.ids.fullmatch(custom_id) is not None
