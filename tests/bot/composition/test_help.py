"""Tests that the /help pages are complete, short enough, and match their pictures."""

import re
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from discord.app_commands import Group

from bot.base.ids import ChannelId, UserId
from bot.base.languages import IN_ENGLISH, Reader
from bot.composition import FEATURE_SET
from bot.connection.posts import Post
from bot.guide.topics import TOPICS
from bot.guide.words import help as pages
from bot.guide.words.help import PAGES
from bot.play.handlers.interactions import help_lines
from bot.play.model.conduct import Venue
from bot.play.model.events import Started
from bot.play.model.game import Game, Offer
from bot.play.model.offer_events import OfferMade
from bot.play.model.refused_starts import WrongChannel
from bot.play.words.help import HelpContext
from bot.play.words.pictures import Picture
from bot.replay.parts import page_parts
from bot.replay.words.game_page import PageAsker, game_page
from dvonn import Color, Coordinates, Phase
from renderer import LESSONS
from tests.bot.replayed import ANN, BOB, A, B, new_game, play, started, step
from tests.games import random_game

STANDARD, PERGIOCO = Coordinates.STANDARD, Coordinates.PERGIOCO
HERE, HOME, OTHER = 50, 51, 52
LONG_ID = 1234567890123456789
NAMES = ("play", "challenge", "move", "board", "games", "undo", "draw", "resign", "settings")


def around(game: Game | None = None, **changes: Any) -> HelpContext:
    """A channel in which everything is possible, with the given exceptions."""
    place = HelpContext(
        reader=IN_ENGLISH,
        asker=ANN,
        bot=UserId(7),
        game=game,
        reads_messages=True,
        has_machine=True,
        slowmode=False,
        venue=venue(HERE, HERE, threads=True),
        obstacle=None,
        command_ids=dict.fromkeys(NAMES, LONG_ID),
        parts=FEATURE_SET.help,
    )
    return replace(place, **changes)


def venue(channel: int, home: int, *, threads: bool) -> Venue:
    return Venue(channel=ChannelId(channel), home=ChannelId(home), has_threads=threads)


def help_page(reader: Reader, name: str, place: HelpContext) -> Post:
    """Return a page with what the commands themselves add there."""
    place = replace(place, reader=reader)
    return pages.help_page(reader, name, place, help_lines(FEATURE_SET.commands, reader, place))


def first(game: Game | None = None, **changes: Any) -> str:
    return help_page(IN_ENGLISH, "play", around(game, **changes)).content


def test_in_team_games_help_explains_voting() -> None:
    game = started()
    voted = replace(game, row=replace(game.row, vote=timedelta(hours=1)))
    page = first(voted)
    assert "Everyone here votes, 1 hour for each move." in page
    assert "To vote, press *Vote* or type a move, like d2-d4." in page
    assert "Your turn." not in page
    assert "Your turn." in first(game)
    refused = ("</undo", "</draw", "</resign")
    assert not [name for name in refused if name in page]
    assert all(name in first(game) for name in refused)


DIRECT = replace(venue(HERE, HERE, threads=False), is_direct=True)


def test_in_direct_messages_the_channel_is_not_mentioned() -> None:
    page, elsewhere = first(venue=DIRECT), first(venue=replace(DIRECT, is_direct=False))
    assert "**This channel.** One game per channel." in elsewhere
    assert "This channel" not in page
    assert "</games" in page


def picture(post: Post) -> Picture:
    assert isinstance(post.picture, Picture)
    return post.picture


def test_each_lesson_has_a_page_and_the_rules_come_first() -> None:
    assert (*LESSONS, "play", "more") == PAGES
    assert len(LESSONS) == 6
    for name in (*LESSONS, "play"):
        shown = picture(help_page(IN_ENGLISH, name, around(started())))
        assert shown.filename == f"dvonn-help-{name}.png"
    assert help_page(IN_ENGLISH, "more", around()).picture is None
    # the value that the button's id accepts
    assert all(re.fullmatch("[a-z]{1,32}", name) for name in PAGES)


@pytest.mark.parametrize("name", LESSONS)
def test_a_rule_is_short_enough_for_a_phone(name: str) -> None:
    content = help_page(IN_ENGLISH, name, around()).content

    assert len(content) <= 650
    assert not re.search(r"[<`]/", content.partition("Ready?")[0]), "commands come after the rules"


@pytest.mark.parametrize("coordinates", list(Coordinates))
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_wherever_it_is_asked_for(name: str, coordinates: Coordinates) -> None:
    game, _ = play(started(coordinates), *(str(move) for move in random_game(6)[:60]))
    tight: dict[str, Any] = {
        "reads_messages": False,
        "slowmode": True,
        "bot": UserId(LONG_ID),
        "venue": venue(LONG_ID, LONG_ID + 1, threads=False),
    }
    crowded: dict[str, Any] = {
        "obstacle": WrongChannel(frozenset(ChannelId(LONG_ID + n) for n in range(99)))
    }
    for place in (around(), around(game), around(game, **tight), around(**tight, **crowded)):
        post = help_page(IN_ENGLISH, name, place)
        assert len(post.content) <= 2_000
        assert post.picture is None or len(picture(post).alt_text) <= 1_024
        assert post.pings == ()
        assert "{" not in post.content
        for button in post.buttons:
            assert len(button.label) <= 80


def test_arrows_lead_through_all_pages() -> None:
    for before, name in pairwise(PAGES):
        following = help_page(IN_ENGLISH, name, around())
        title = following.content.splitlines()[0].removeprefix("### ").partition(" (")[0]
        (onward,) = (
            button
            for button in help_page(IN_ENGLISH, before, around()).buttons
            if "▶" in button.label
        )
        assert onward.custom_id == f"dvonn:help:{name}"
        assert onward.label == f"{title} ▶"
        back = following.buttons[0]
        assert "◀" in back.label
        assert back.custom_id == f"dvonn:help:{'aim' if name == 'play' else before}"
    for number, name in enumerate(LESSONS, start=1):
        heading = help_page(IN_ENGLISH, name, around()).content.splitlines()[0]
        assert heading.endswith(f" ({number} of 6)")
    first = help_page(IN_ENGLISH, PAGES[0], around()).buttons
    assert first[0].custom_id == "dvonn:help:placement"


def test_the_page_of_a_running_game_links_to_the_rules() -> None:
    game, _ = step(new_game(), Started(), BOB)

    page = game_page(
        IN_ENGLISH, game, None, PageAsker(ANN, has_machine=True), page_parts(FEATURE_SET.extensions)
    )
    assert HOW_TO_PLAY in ids(page)


HOW_TO_PLAY = "dvonn:rules"


def ids(post: Post) -> list[str]:
    return [button.custom_id for button in post.buttons]


def test_help_and_texts_explain_how_to_play_with_a_screen_reader() -> None:
    said = help_page(IN_ENGLISH, "more", around()).content
    (told,) = (line for line in said.splitlines() if line.startswith("**Playing by ear.** "))
    topics = FEATURE_SET.extensions.all_of(TOPICS)
    (answer,) = (topic.answer(IN_ENGLISH) for topic in topics if "screen reader" in topic.words)
    assert re.sub(r"<(/[a-z]+):[0-9]+>", r"\1", told) == answer


def test_a_removed_page_shows_how_to_play_here() -> None:
    assert help_page(IN_ENGLISH, "chess", around()) == help_page(IN_ENGLISH, "play", around())


@pytest.mark.parametrize(
    ("place", "said", "unsaid"),
    [
        ({}, "Type it in this channel: `d2` places", "Reply to the board"),
        ({"reads_messages": False}, "begin with <@7>. `d2` places", "Type it"),
        ({}, "One game at a time here. The next one gets a thread.", "Slowmode"),
        ({"slowmode": True}, "Slowmode is on, so typed moves", "<#"),
        (
            {"venue": venue(HERE, HOME, threads=False)},
            f"For another, use </challenge:{LONG_ID}> in <#51>.",
            "open threads",
        ),
        ({"venue": venue(HERE, HERE, threads=False)}, "One game per channel.", "thread"),
        (
            {"obstacle": WrongChannel(frozenset({ChannelId(OTHER)}))},
            "Not in this channel, please. DVONN is played in <#52>.",
            "invites",
        ),
        ({"command_ids": {}}, "/move lists your moves", "</"),
    ],
)
def test_the_first_page_fits_the_place(place: dict[str, Any], said: str, unsaid: str) -> None:
    lines = first(**place).splitlines()[1:]
    assert said in "\n".join(lines)
    assert unsaid not in "\n".join(lines)


def test_the_first_page_knows_whose_turn_it_is() -> None:
    assert f"No game is running here. </play:{LONG_ID}> starts one against me." in first()
    mine = f"A game is running here. White: {A}. Black: {B}. It's {A}'s turn. That's you!"
    assert mine in first(started())
    asked, _ = step(started(), OfferMade(Offer.FINISH), BOB)
    assert f"{mine} {B} suggests placing the rest at random." in first(asked)
    theirs = first(started(), asker=BOB)
    assert f"It's {A}'s turn." in theirs
    assert "That's you" not in theirs


def test_the_first_page_shows_the_game_that_is_there() -> None:
    game, _ = play(started(PERGIOCO), "d2", "e2")
    shown = picture(help_page(IN_ENGLISH, "play", around(game)))
    assert (shown.position, shown.last, shown.coordinates) == (game.position, game.last, PERGIOCO)
    assert help_page(IN_ENGLISH, "play", around()).picture is None


def test_both_notations_are_explained() -> None:
    here, there = (
        help_page(IN_ENGLISH, "more", around(game)).content for game in (None, started(PERGIOCO))
    )
    assert "d2 is column d, row 2" in here
    assert "d2 is row d, number 2" in there
    for page in (here, there):
        assert "*standard* goes from a1 to k5, *pergioco* from e1 to a11." in page


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_the_pages_describe_their_pictures(coordinates: Coordinates) -> None:
    """Check what a page says about its picture against the lesson's position."""
    place, label = around(started(coordinates)), coordinates.label
    said = {name: help_page(IN_ENGLISH, name, place).content for name in LESSONS}
    for name, lesson in LESSONS.items():
        shown = picture(help_page(IN_ENGLISH, name, place))
        assert (shown.position, shown.last, shown.marks) == (
            lesson.position,
            lesson.last,
            lesson.marks,
        )
        assert shown.coordinates is coordinates

    aim = LESSONS["aim"].position
    counts = f"White has {aim.score(Color.WHITE)} pieces, Black {aim.score(Color.BLACK)}."
    assert counts in said["aim"]

    placement = LESSONS["placement"]
    assert placement.last is not None
    assert f"{len(placement.position.stacks)} pieces are down" in said["placement"]
    assert f"the last one on {label(placement.last.target)}." in said["placement"]
    free = " ".join(label(move.target) for move in placement.position.legal_moves()[:3])
    assert f"such as `{free}`. I place" in help_page(IN_ENGLISH, "more", place).content

    movement = LESSONS["movement"]
    assert movement.marks is not None
    assert movement.marks.source is not None
    targets = ", ".join(map(label, movement.marks.landings))
    height = len(movement.position.stacks[movement.marks.source])
    assert f"{label(movement.marks.source)} is {height} tall." in said["movement"]
    assert said["movement"].count(f"circles: {targets}.") == 1

    full = LESSONS["surrounded"].position
    assert full.phase is Phase.MOVEMENT
    assert len(full.stacks) == 49
    movable = {move.source for move in full.legal_moves()}
    whites = sum(full.owner(point) is Color.WHITE for point in full.stacks)
    assert (
        f"White can move {len(movable)}, and {whites - len(movable)} are stuck."
        in said["surrounded"]
    )

    cut = LESSONS["cut"]
    gone = ", ".join(map(label, cut.position.removed))
    lost = dict.fromkeys("WB", 0)
    for pieces in cut.position.removed.values():
        lost[pieces[-1]] += len(pieces)
    assert f". {gone}, now dashed" in said["cut"]
    assert f"White −{lost['W']}, Black −{lost['B']}." in said["cut"]

    assert LESSONS["end"].position.phase is Phase.OVER
    assert "Black wins, 15 to 8." in said["end"]


NOT_LOOKED_FOR = {"help", "setup"}
"""Commands that no page mentions: the pages themselves, and one that few people need."""


def test_the_pages_name_each_command_that_there_is_and_no_other() -> None:
    there = {command.name: command for command in FEATURE_SET.commands}
    place = around(started(STANDARD), command_ids=dict.fromkeys(there, LONG_ID))
    places = (place, replace(place, game=None))
    said = "\n".join(
        help_page(IN_ENGLISH, page, place).content for page in PAGES for place in places
    )
    clicked = re.findall(r"</([a-z ]+):[0-9]+>", said)
    for name, _, part in (text.partition(" ") for text in clicked):
        found = there[name]
        parts = (
            [command.qualified_name.partition(" ")[2] for command in found.walk_commands()]
            if isinstance(found, Group)
            else [""]
        )
        assert part in parts, (name, part)
    assert {text.partition(" ")[0] for text in clicked} == there.keys() - NOT_LOOKED_FOR
    not_clicked = set(re.findall(r"(?<![\w<`])/[a-z]+", said))
    assert not_clicked <= {"/plan"} - {f"/{item}" for item in there}, "names that are there"
