"""Tests for reviews: the edited last board, and the pages. One test uses the real engine."""

from sandbox import Message
from tests.e2e.conftest import Club, is_board, message_of
from tests.e2e.database import nothing_unsent
from tests.e2e.features.reviews.reviewing import a_day_later, given_up, review


def is_reviewed(message: Message) -> bool:
    return is_board(3)(message) and "Review" in labels(message)


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def test_a_review_is_announced_on_the_last_board_and_read_in_pages(club: Club) -> None:
    last = await given_up(club)
    said, pictures, before = last.content, list(last.attachments), labels(last)
    await review(club, game=1, losses={50: 0.3, 51: 0.06})
    assert await club.channel.wait_for(is_reviewed) is last
    told = last.content.removeprefix(said)
    assert told == "\nThe game was still open when it ended."
    assert last.attachments == pictures
    assert labels(last) == [*before, "Review"]
    await nothing_unsent(club.bot)
    await club.bot.restart()
    page = message_of(await club.cid.click(last, "Review"))
    assert page.ephemeral
    assert page.text.startswith("**Review** of ")
    # The board is random, so both moves may belong to one moment.
    assert labels(page) in (["Look"], ["Look", "Look"])
    assert (await club.cid.click(page, custom_id="dvonn:review:1:150")).message is page
    assert "\n1 of 2\nBefore " in page.text
    assert page.text.endswith(":"), "each board has its caption"
    await club.bot.restart()
    await club.cid.click(page, "Next")
    assert "\n2 of 2\n" in page.text
    assert len(page.attachments) == 2, "the move, and why"
    await club.cid.click(page, "Overview")
    assert page.text.startswith("**Review** of ")
    assert len(page.attachments) == 1
    await club.cid.click(page, custom_id="dvonn:review:1:150")
    await club.cid.click(page, "Explore")
    assert not page.content, "what is laid out once stays so, whatever takes its place"
    assert len(page.attachments) == 1


async def test_a_mistake_is_retried_without_the_solution(club: Club) -> None:
    last = await given_up(club)
    await review(club, game=1, losses={50: 0.2, 51: 0.3})
    await club.channel.wait_for(is_reviewed)
    own = message_of(await club.ann.click(last, "Review"))
    first = message_of(await club.ann.click(own, "Practice my mistakes"))
    assert first.ephemeral
    assert first.text.startswith("**From your game against ")
    found = await a_day_later(club, club.ann.id)
    told = message_of(await club.ann.slash(club.channel, "puzzle"))
    assert "1 of your mistakes is waiting." in told.content
    view = message_of(await club.ann.click(told, "Practice"))
    assert view.ephemeral
    assert view.content.startswith("**From your game against ")
    best = found.made.best[0]
    assert best.source is not None
    before = labels(view)
    made = found.made.played
    await club.ann.click(view, str(made.source))
    await club.ann.click(view, made.target)
    assert view.content.startswith(f"✗ **{made}** isn't it.")
    assert str(best) not in view.content
    assert labels(view) == [*before, "Try again"], "all buttons keep their places"
    await club.ann.click(view, "Try again")
    assert labels(view) == before
    await club.ann.click(view, best.source)
    await club.ann.click(view, best.target)
    assert view.content.startswith(f"✓ **{best}** is better.")
    ways = ["Review", "Don't show again", "Play from here", "Choose opponent"]
    assert labels(view) == ways
