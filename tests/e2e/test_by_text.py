"""Tests for a whole game, a chapter of lessons and a puzzle without pictures.

This player has only what a screen reader reads aloud, and keeps the board in their head. If a text
is wrong, their moves are refused.
"""

import re

from dvonn import Point, distance, neighbours
from dvonn_lessons.primer import CHAPTERS
from sandbox import Message, Person
from tests.e2e.conftest import Club, message_of
from tests.renderer.test_twin import Seen, stacks_in_text

SIDES = 6


def spoken_text(message: Message) -> str:
    """Return everything that a screen reader reads: text, alt texts, buttons and selects."""
    controls = [button.label for button in (*message.buttons, *message.selects)]
    controls += [label for select in message.selects for label, _ in select.options]
    return "\n".join([message.content, *words_of_pictures(message), *controls])


def words_of_pictures(message: Message) -> list[str]:
    assert all(file.description for file in message.attachments)
    return [file.description or "" for file in message.attachments]


def by_color(words: str) -> str:
    """Return a description in which the players are called White and Black."""
    mine = re.search(r"\bYou're (White|Black)\.", words)
    both = re.search(r"\bWhite: (\w+)\. Black: (\w+)\.", words)
    called = {"You": mine[1]} if mine else {}
    called |= {both[1].capitalize(): "White", both[2].capitalize(): "Black"} if both else {}
    for name, color in called.items():
        words = re.sub(rf"\b{name} (?=[a-k]\d|to (?:move|place))", f"{color} ", words)
    return words.replace("Your turn", f"{called['You']} to move") if "You" in called else words


def board_in(words: str) -> Seen:
    """Return the stacks by space."""
    return stacks_in_text(by_color(words).partition("On the board: ")[2])


def board_told(message: Message) -> Seen:
    (words,) = words_of_pictures(message)
    return board_in(words)


def turn_told(message: Message) -> str:
    """Return the player to move in a description: W, B, or "" if nobody is to move."""
    (words,) = words_of_pictures(message)
    found = re.search(r"\b(White|Black) to (?:place|move)\b", by_color(words))
    return found[1][0] if found else ""


def moves(board: Seen, color: str) -> list[str]:
    """Return the legal moves of a color on the board as it was described."""
    return [
        f"{source}-{target}"
        for source, (owner, height, _) in board.items()
        if owner == color and not is_surrounded(board, source)
        for target in board
        if distance(Point(source), Point(target)) == height
    ]


def is_surrounded(board: Seen, point: str) -> bool:
    beside = neighbours(Point(point))
    return len(beside) == SIDES and all(item in board for item in beside)


def listed(message: Message) -> set[str]:
    """Return the stacks among the buttons under a message."""
    words = (first_word(button.label) for button in message.buttons if button.label)
    return {word for word in words if re.fullmatch("[a-k][1-5]", word)}


def first_word(label: str) -> str:
    return label.split(maxsplit=1)[0]


def sources(options: list[str]) -> set[str]:
    return {move.partition("-")[0] for move in options}


async def offered(who: Person, view: Message) -> set[str]:
    """Return the moves that can be pressed, stack by stack."""
    found = set[str]()
    if "Move" in spoken_text(view).splitlines():
        await who.click(view, "Move")
    for stack in listed(view):
        await who.click(view, stack)
        found |= {f"{stack}-{landing}" for landing in listed(view)}
        await who.click(view, "Back")
        if "Move" in spoken_text(view).splitlines():
            await who.click(view, "Move")
    if "Hint" not in spoken_text(view):
        await who.click(view, "Back")
    return found


async def by_form(who: Person, view: Message, move: str) -> Message:
    form = await who.click(view, "Type a move")
    return message_of(await who.submit(form.modal, {"move": move}))


async def test_a_chapter_of_the_lessons(club: Club) -> None:
    view = message_of(await club.ann.slash(club.channel, "learn"))
    solved = list[str]()
    while True:
        given = [str(move) for move in CHAPTERS[0].steps[len(solved)].choices]
        options = given or moves(board_told(view), turn_told(view))
        if given:
            assert {button.label for button in view.buttons} >= set(given)
            assert not listed(view), "a tap plays a whole move"
        else:
            assert await offered(club.ann, view) == set(options)
        await club.ann.click(view, "Hint")
        (hint,) = re.findall(r"💡 (?:Try|Look at) (\S+)\.", spoken_text(view))
        for move in (option for option in options if option.startswith(hint)):
            answer = await by_form(club.ann, view, move)
            assert answer is view, answer.content  # no move is refused
            if f"✓ **{move}**" in spoken_text(view):
                solved.append(move)
                break
            assert f"✗ **{move}**: " in spoken_text(view)
        if "Next ▶" not in spoken_text(view):
            break
        await club.ann.click(view, "Next ▶")
    assert len(solved) == len(CHAPTERS[0].steps)
    assert "Chapter done! Next: The melee." in spoken_text(view)


async def test_a_puzzle(club: Club) -> None:
    view = message_of(await club.ann.slash(club.channel, "puzzle"))
    options = moves(board_told(view), turn_told(view))
    assert listed(view) == sources(options), [button.label for button in view.buttons]
    await by_form(club.ann, view, options[0])
    if "– solved!" not in spoken_text(view):
        (way,) = [
            button.label for button in view.buttons if button.label.startswith("Show solution")
        ]
        await club.ann.click(view, way)
        (solution,) = re.findall(r"\*\*Solution\*\*: (.*)", spoken_text(view))
        await club.ann.click(view, "Try again")
        line = solution.split()
        while "– solved!" not in spoken_text(view):
            assert line[0] in moves(board_told(view), turn_told(view))
            await by_form(club.ann, view, line[0])
            assert f"✓ **{line[0]}**" in spoken_text(view)
            replies = re.findall(r"^Then: (.*)", spoken_text(view), re.MULTILINE)
            line = line[1 + sum(len(reply.split()) for reply in replies) :]
    assert "Your puzzle rating:" in spoken_text(
        view
    ) or "Only your first answer counts." in spoken_text(view)
