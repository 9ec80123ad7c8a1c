"""The pages of /help: complete, short enough, and true of the pictures beside them."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from discord.app_commands import Group

from bot.edge.commands import ALL
from bot.edge.commands.common import lines_of_help
from bot.locales import IN_ENGLISH, Reader
from bot.messages import Picture, Post
from bot.messages import help as pages
from bot.messages.help import PAGES, Surroundings
from bot.model.conduct import Venue
from bot.model.game import Game
from bot.model.ids import ChannelId, UserId
from bot.model.refusals import WrongChannel
from dvonn import Coordinates, Phase
from renderer import LESSONS
from tests.bot.replayed import ANN, BOB, A, B, play, started
from tests.games import random_game

STANDARD, PERGIOCO = Coordinates.STANDARD, Coordinates.PERGIOCO
HERE, HOME, OTHER = 50, 51, 52
LONG_ID = 1234567890123456789
NAMES = ("play", "challenge", "move", "board", "games", "undo", "draw", "resign", "settings")


def around(game: Game | None = None, **changes: Any) -> Surroundings:
    """A channel where everything is possible, but for what is said."""
    place = Surroundings(
        asker=ANN,
        bot=UserId(7),
        game=game,
        reads_messages=True,
        has_machine=True,
        slowmode=False,
        venue=venue(HERE, HERE, threads=True),
        obstacle=None,
        command_ids=dict.fromkeys(NAMES, LONG_ID),
    )
    return replace(place, **changes)


def venue(channel: int, home: int, *, threads: bool) -> Venue:
    return Venue(channel=ChannelId(channel), home=ChannelId(home), has_threads=threads)


def help_page(reader: Reader, name: str, place: Surroundings) -> Post:
    """A page with what the commands themselves say there."""
    return pages.help_page(reader, name, place, lines_of_help(ALL, reader, place))


def first(game: Game | None = None, **changes: Any) -> str:
    return help_page(IN_ENGLISH, "play", around(game, **changes)).content


def picture(post: Post) -> Picture:
    assert isinstance(post.picture, Picture)
    return post.picture


def test_each_lesson_has_a_page() -> None:
    assert ("play", *LESSONS) == PAGES
    assert len(LESSONS) >= 5
    for name in PAGES:
        assert picture(help_page(IN_ENGLISH, name, around())).filename == f"dvonn-help-{name}.png"
        assert re.fullmatch("[a-z]{1,32}", name)  # what the button's id takes


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
        assert len(picture(post).alt_text) <= 1_024
        assert post.pings == ()
        assert "{" not in post.content
        for button in post.buttons:
            assert len(button.label) <= 80


def test_back_and_next_lead_through_all_pages() -> None:
    there, name = [], PAGES[0]
    while True:
        there.append(name)
        post = help_page(IN_ENGLISH, name, around())
        following = [one for one in post.buttons if one.label.startswith("Next: ")]
        if not following:
            break
        name = following[0].custom_id.removeprefix("dvonn:help:")
        title = following[0].label.removeprefix("Next: ")
        heading = help_page(IN_ENGLISH, name, around()).content.splitlines()[0]
        assert heading == f"### {title} ({len(there) + 1} of {len(PAGES)})"
    assert tuple(there) == PAGES
    for before, name in pairwise(PAGES):
        assert help_page(IN_ENGLISH, name, around()).buttons[0].label == "Back"
        assert help_page(IN_ENGLISH, name, around()).buttons[0].custom_id == f"dvonn:help:{before}"


def test_a_page_that_is_no_more_is_the_first_one() -> None:
    assert help_page(IN_ENGLISH, "chess", around()) == help_page(IN_ENGLISH, "play", around())


@pytest.mark.parametrize(
    ("place", "said", "unsaid"),
    [
        ({}, "Type it in this channel: `d2` places", "Reply to the board"),
        ({"reads_messages": False}, "write it after <@7>: `d2` places", "Type it"),
        ({}, "One game at a time runs in a channel; the next gets a thread", "Slowmode"),
        ({"slowmode": True}, "Slowmode is on here", "#"),
        (
            {"venue": venue(HERE, HOME, threads=False)},
            f"for another, </challenge:{LONG_ID}> in <#51>.",
            "gets a thread",
        ),
        (
            {"venue": venue(HERE, HERE, threads=False)},
            "One game at a time runs in this channel.",
            "thread",
        ),
        (
            {"obstacle": WrongChannel(frozenset({ChannelId(OTHER)}))},
            "DVONN is played in <#52>.",
            "Accept",
        ),
        ({"command_ids": {}}, "Use /move: it offers", "</"),
    ],
)
def test_the_first_page_fits_the_place(place: dict[str, Any], said: str, unsaid: str) -> None:
    lines = first(**place).splitlines()[1:]
    assert said in "\n".join(lines)
    assert unsaid not in "\n".join(lines)


def test_the_first_page_knows_whose_turn_it_is() -> None:
    assert f"No game is running here. </play:{LONG_ID}> starts one against me." in first()
    mine = f"A game is running here. White: {A}. Black: {B}. {A} is to move. That is you!"
    assert mine in first(started())
    theirs = first(started(), asker=BOB)
    assert f"{A} is to move." in theirs
    assert "That is you" not in theirs


def test_the_first_page_shows_the_game_or_an_empty_board() -> None:
    game, _ = play(started(PERGIOCO), "d2", "e2")
    shown = picture(help_page(IN_ENGLISH, "play", around(game)))
    assert (shown.position, shown.last, shown.coordinates) == (game.position, game.last, PERGIOCO)
    empty = picture(help_page(IN_ENGLISH, "play", around()))
    assert (empty.position.plies, empty.last, empty.coordinates) == (0, None, STANDARD)


def test_both_ways_of_naming_spaces_are_told() -> None:
    assert "d2 is column d, row 2" in first()
    assert "d2 is row d, number 2" in first(started(PERGIOCO))
    for page in (first(), first(started(PERGIOCO))):
        assert "*standard* goes from a1 to k5, *pergioco* from e1 to a11." in page


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_the_pages_tell_what_their_pictures_show(coordinates: Coordinates) -> None:
    """What a page says of its picture is counted here once more, from the lesson itself."""
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

    placement = LESSONS["placement"]
    assert placement.last is not None
    assert f"{len(placement.position.stacks)} pieces are placed" in said["placement"]
    assert f"the last one on {label(placement.last.target)}," in said["placement"]
    free = " ".join(label(move.target) for move in placement.position.legal_moves()[:3])
    assert f"Name several, such as `{free}`" in said["placement"]

    movement = LESSONS["movement"]
    assert movement.marks is not None
    assert movement.marks.source is not None
    targets = ", ".join(map(label, movement.marks.landings))
    height = len(movement.position.stacks[movement.marks.source])
    assert (
        f"{label(movement.marks.source)}, inside the yellow line, is {height} high."
        in (said["movement"])
    )
    assert said["movement"].count(f"circles: {targets}.") == 1

    full = LESSONS["surrounded"].position
    assert full.phase is Phase.MOVEMENT
    assert len(full.stacks) == 49
    assert "dimmed: 24 of them." in said["surrounded"]

    cut = LESSONS["cut"]
    gone = ", ".join(map(label, cut.position.removed))
    lost = dict.fromkeys("WB", 0)
    for pieces in cut.position.removed.values():
        lost[pieces[-1]] += len(pieces)
    assert f"The stacks on {gone}, shown" in said["cut"]
    assert f"White has lost {lost['W']} pieces, Black {lost['B']}." in said["cut"]

    assert LESSONS["end"].position.phase is Phase.OVER
    assert "Black wins, 15 to 8." in said["end"]


NOT_LOOKED_FOR = {"help", "setup"}
"""Commands of which no page tells: the pages themselves, and what few people ever need."""


def test_the_pages_name_each_command_that_there_is_and_no_other() -> None:
    there = {one.name: one for one in ALL}
    place = around(started(STANDARD), command_ids=dict.fromkeys(there, LONG_ID))
    places = (place, replace(place, game=None))
    said = "\n".join(help_page(IN_ENGLISH, page, one).content for page in PAGES for one in places)
    clicked = re.findall(r"</([a-z ]+):[0-9]+>", said)
    for name, _, part in (one.partition(" ") for one in clicked):
        found = there[name]
        parts = (
            [one.qualified_name.partition(" ")[2] for one in found.walk_commands()]
            if isinstance(found, Group)
            else [""]
        )
        assert part in parts, (name, part)
    assert {one.partition(" ")[0] for one in clicked} == there.keys() - NOT_LOOKED_FOR
    assert not re.findall(r"(?<![\w<`])/[a-z]+", said), "names that cannot be clicked"
