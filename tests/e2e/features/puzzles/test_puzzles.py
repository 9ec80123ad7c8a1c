"""Tests for puzzles: solved by taps, by typing in direct messages, and daily in a channel."""

import re
from datetime import UTC, date, timedelta

from dvonn import Move
from dvonn.puzzles import Puzzle
from sandbox import Answer, Message, Permission
from school.exercises.model import EXERCISE, ExerciseState
from school.exercises.words import PREFIX
from school.puzzles.model import PuzzleKey, puzzle_of
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, choose, texts
from tests.e2e.database import dailies_are_over, forget_that_all_was_sent, nothing_unsent


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


def places(message: Message) -> list[str]:
    """Return the labels of the buttons, in order.

    The one for the solution says that it is free by now.
    """
    return [button.custom_id or "" for button in message.buttons]


def shown_puzzle(message: Message) -> tuple[Puzzle, tuple[Move, ...]]:
    """Return the puzzle of a view, and the moves tried in it, from its buttons' ids."""
    found = (
        re.fullmatch(f"{PREFIX}{EXERCISE}:(?!stack).*", button.custom_id or "")
        for button in message.buttons
    )
    spot = next(ExerciseState.found(match) for match in found if match is not None)
    return PuzzleKey.found(spot.key).puzzle, spot.line


def best(message: Message) -> Move:
    """Return the solution."""
    puzzle, line = shown_puzzle(message)
    return puzzle.play_on(line)[0]


def wrong(message: Message) -> Move:
    puzzle, _ = shown_puzzle(message)
    return next(move for move in puzzle.position.legal_moves() if move != puzzle.solution[0])


def message_of(answer: Answer) -> Message:
    assert answer.message is not None
    return answer.message


async def tap(club: Club, view: Message, move: Move) -> None:
    """Choose a stack and its target."""
    assert view.selects == []
    await club.ann.click(view, str(move.source))
    assert view.content.endswith(f"{move.source} can go to:")
    await club.ann.click(view, str(move.target))


async def test_a_puzzle_is_solved_by_tapping(club: Club) -> None:
    answer = await club.ann.slash(club.channel, "puzzle", theme="cut_off")
    view = message_of(answer)
    assert texts(answer).startswith("**Puzzle** · ")
    first, before = wrong(view), places(view)
    await tap(club, view, first)
    assert places(view)[: len(before)] == before, "all buttons keep their places"
    assert labels(view)[len(before) :] == ["Try again", "Next puzzle"]
    assert view.content.startswith(f"✗ **{first}** isn't it.")
    assert "Your puzzle rating: **about " in view.content
    await club.bot.restart()
    await club.ann.click(view, "Try again")
    while "Type a move" in labels(view):
        await tap(club, view, best(view))
    assert "– solved!" in view.content
    assert "Only your first answer counts." in view.content
    none = await club.ann.slash(club.channel, "puzzle", theme="here")
    assert texts(none).startswith("No game here has become a puzzle yet.")
    await choose(club.ann, club.channel, on=["mentions", "puzzles"])
    assert len(view.attachments) == 1
    mine = message_of(await club.ann.click(view, "My puzzles"))
    assert "0 of 1 solved" in mine.content
    assert [file.filename for file in mine.attachments] == ["puzzles.png"]
    solved, _ = shown_puzzle(view)
    await club.ann.click(view, "Next puzzle")
    following, line = shown_puzzle(view)
    assert following != solved
    assert line == ()


async def test_the_same_puzzle_comes_until_it_is_answered_or_given_up(club: Club) -> None:
    view = message_of(await club.ann.slash(club.channel, "puzzle"))
    first, _ = shown_puzzle(view)
    assert "To skip it" not in view.content
    for options in ({}, {"theme": "fight"}, {}):
        await club.bot.restart()
        view = message_of(await club.ann.slash(club.channel, "puzzle", **options))
        assert shown_puzzle(view) == (first, ())
        assert view.content.endswith("To skip it, show the solution.")
    await club.ann.click(view, "Show solution (counts as a miss)")
    assert "Your puzzle rating: **about " in view.content
    await club.ann.click(view, "Next puzzle")
    second, _ = shown_puzzle(view)
    assert second != first
    assert shown_puzzle(message_of(await club.ann.slash(club.channel, "puzzle")))[0] == second


async def test_judged_puzzles_of_the_middle_and_of_the_placement_are_solved(club: Club) -> None:
    for theme, asks in (("fight", "Only one move keeps you ahead."), ("placement", "is clearly")):
        view = message_of(await club.ann.slash(club.channel, "puzzle", theme=theme))
        assert asks in view.content
        assert "million positions, not proven." in view.content
        await play(club, view, wrong(view))
        assert "games in 100. The best move wins" in view.content
        await club.ann.click(view, "Try again")
        await play(club, view, best(view))
        assert "– solved!" in view.content
        assert "at most" in view.content
        assert len(view.attachments) == 1


async def play(club: Club, view: Message, move: Move) -> None:
    """Choose a stack and its target, or a free space."""
    if move.source is None:
        await club.ann.select(view, [str(move.target)])
    else:
        await tap(club, view, move)


async def test_a_puzzle_is_solved_by_typing_in_direct_messages(club: Club) -> None:
    dm = club.ann.dm
    await club.ann.slash(dm, "puzzle")
    # during a slow answer, a reaction shows that the message arrived
    asking = "Type your move, or choose below."
    view = await dm.wait_for(lambda message: message.content.endswith(asking))
    refused = await club.ann.say(dm, "a1-k5")
    await reply_to(club, refused)
    while "Type a move" in labels(view):
        said = await club.ann.say(dm, str(best(view)))
        view = await reply_to(club, said)
    assert "– solved!" in view.content
    assert "(+" in view.content
    nothing = await club.ann.say(dm, "a1-a2")  # no exercise is waiting for a move
    told = await reply_to(club, nothing)
    assert told.content.startswith("There's no game here right now.")
    await club.ann.click(view, "Next puzzle")
    missed = await reply_to(club, await club.ann.say(dm, str(wrong(view))))
    assert "isn't it." in missed.content
    found = await reply_to(club, await club.ann.say(dm, str(best(missed))))
    assert f"✓ **{best(view)}**" in found.content, "the next answer is typed at once"


async def test_too_many_stacks_are_behind_a_button(club: Club) -> None:
    view = message_of(await club.ann.slash(club.channel, "puzzle", theme="cut_off"))
    move, stacks = best(view), labels(view)
    there = next(button.custom_id for button in view.buttons if button.label == "Type a move")
    assert there is not None
    button = {"id": 2, "type": 2, "style": 1, "label": "Move"}
    button["custom_id"] = f"{there.removesuffix('type')}move"
    view.components = [{"id": 1, "type": 1, "components": [button]}]
    await club.ann.click(view, "Move")
    assert labels(view)[:-1] == stacks[: len(labels(view)) - 1]
    assert labels(view)[-1] == "Back"
    await tap(club, view, move)
    assert view.content.startswith(f"✓ **{move}**")


async def reply_to(club: Club, said: Message) -> Message:
    """Wait for the bot's reply in Ann's direct messages."""

    def is_it(message: Message) -> bool:
        return message.reference is not None and message.reference.message_id == said.id

    return await club.ann.dm.wait_for(is_it)


async def test_a_daily_puzzle_is_posted_and_solved_and_revealed_with_the_next(
    clock: BotClock, club: Club
) -> None:
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    while (clock.now + timedelta(days=2)).month != clock.now.month:  # each table covers one month
        clock.advance(days=1)
    soon = clock.now + timedelta(hours=2)
    where = {"channel": club.channel, "time": f"{soon:%H:%M}", "zone": "UTC"}
    none = texts(await moderator.slash(club.channel, "setup puzzle"))
    assert none == ("No puzzle of the day here.\nWant one? Choose a channel with /setup puzzle.")
    chosen = texts(await moderator.slash(club.channel, "setup puzzle", **where))
    assert f"<#{club.channel.id}> at {soon:%H:%M} (UTC)" in chosen
    clock.advance(hours=2)
    day = soon.astimezone(UTC).date()
    first = await posted(club, day)
    key = PuzzleKey(puzzle_of(day), day=day)
    assert "<@" not in first.content
    view = message_of(await club.ann.click(first, "Solve"))
    assert view.ephemeral
    assert "Show solution" not in labels(view)
    while "Type a move" in labels(view):
        await tap(club, view, best(view))
    assert "The solution comes with the next puzzle of the day." in view.content
    missed = message_of(await club.bob.click(first, "Solve"))
    bad = wrong(missed)
    await club.bob.click(missed, str(bad.source))
    await club.bob.click(missed, str(bad.target))
    await club.bot.kill()
    forget_that_all_was_sent(club.bot)
    clock.advance(hours=1)  # Discord has forgotten the nonce
    await club.bot.start()
    await nothing_unsent(club.bot)
    assert puzzles(club) == [first]
    clock.advance(days=1)
    second = await posted(club, day + timedelta(days=1))
    told = f"The last puzzle, {day:%b} {day.day}, {day.year}: **{key.puzzle.solution[0]}**"
    assert told in second.content
    assert f"Solved by {club.ann.mention} (1 of 2)." in second.content
    table = texts(await club.cid.click(second, "Standings"))
    assert f"1. {club.ann.mention}: 1 of 1 solved" in table
    await nothing_unsent(club.bot)
    assert puzzles(club) == [first, second]
    club.guild.delete_channel(club.channel)
    forget_that_all_was_sent(club.bot)
    await dailies_are_over(club.bot)  # the channel is gone, so the bot drops its daily puzzle


def puzzles(club: Club) -> list[Message]:
    """Return the puzzles of the day in the channel."""
    return [message for message in club.channel.messages if "Solve" in labels(message)]


async def posted(club: Club, day: date) -> Message:
    """Wait for the message of a day's puzzle."""
    begin = f"**Puzzle of the day** {day:%b} {day.day}, {day.year} "
    return await club.channel.wait_for(lambda one: one.content.startswith(begin))
