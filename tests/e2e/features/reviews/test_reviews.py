"""Reviews, end to end: the last board that tells of one, and its pages; once by the real engine."""

from datetime import UTC, datetime, timedelta
from random import Random

from sqlalchemy import update

from bot.base.database_address import database_address
from bot.base.ids import UserId
from bot.composition import use_cases
from bot.database.opening import create_engine
from bot.features.practice.schema import practice
from bot.features.practice.use_cases import Mistake, Practising
from bot.play.store.store import Store
from sandbox import Message
from tests.e2e.conftest import Club, is_board, shown, texts
from tests.e2e.database import nothing_unsent, seed_of
from tests.e2e.features.reviews.reviewing import review
from tests.games import drawn


async def given_up(club: Club) -> Message:
    """The last board of a game in which both have moved once."""
    table = await club.start_game(start="balanced")
    table.position = drawn(seed_of(club.bot, 1))
    for revision in (1, 2):
        await table.type(table.position.legal_moves()[0])
        await table.board(revision)
    asked = shown(await club.ann.slash(club.channel, "resign"))
    await club.ann.click(asked, "Yes, resign")
    return await table.board(3)


def is_reviewed(message: Message) -> bool:
    return is_board(3)(message) and "Review" in labels(message)


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def test_a_review_is_told_on_the_last_board_and_read_page_by_page(club: Club) -> None:
    last = await given_up(club)
    said, pictures = last.content, list(last.attachments)
    await review(club, game=1, losses={50: 0.2, 51: 0.3})
    assert await club.channel.wait_for(is_reviewed) is last
    assert last.content.startswith(f"{said}\nIt turned on move 2, ")
    assert last.attachments == pictures
    assert [labels(last)[0], labels(last)[-1]] == ["Review", "More"]
    await nothing_unsent(club.bot)
    await club.bot.restart()
    page = shown(await club.cid.click(last, "Review"))
    assert page.ephemeral
    assert page.text.startswith("**Review** of ")
    assert labels(page) == ["Look", "Look"]
    assert (await club.cid.click(page, custom_id="dvonn:review:1:150")).message is page
    assert page.text.endswith("1 of 2")
    await club.bot.restart()
    await club.cid.click(page, "Next")
    assert page.text.endswith("2 of 2")
    assert len(page.attachments) == 2, "the move, and why"
    assert texts(await club.cid.click(page, "Board as text")).startswith("Played ")
    await club.cid.click(page, "Overview")
    assert page.text.startswith("**Review** of ")
    assert len(page.attachments) == 1
    await club.cid.click(page, custom_id="dvonn:review:1:151")
    await club.cid.click(page, "Explore")
    assert not page.content, "what is laid out once stays so, whatever takes its place"
    assert len(page.attachments) == 1


async def test_a_mistake_is_tried_again_without_being_told(club: Club) -> None:
    last = await given_up(club)
    await review(club, game=1, losses={50: 0.2, 51: 0.3})
    await club.channel.wait_for(is_reviewed)
    own = shown(await club.ann.click(last, "Review"))
    first = shown(await club.ann.click(own, "Practise my mistakes"))
    assert first.ephemeral
    assert first.text.startswith("**From your game against ")
    found = await a_day_later(club, club.ann.id)
    told = shown(await club.ann.slash(club.channel, "puzzle"))
    assert "1 of your mistakes is waiting." in told.content
    view = shown(await club.ann.click(told, "Practise"))
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
    ways = ["Review", "Don't show again", "Board as text", "Play from here", "Choose opponent"]
    assert labels(view) == ways


async def a_day_later(club: Club, user: int) -> Mistake:
    """Let what somebody practises be due now, as in a day; the first of it."""
    engine = create_engine(database_address(club.bot.settings["DATABASE_URL"]))
    store, now = Store(engine), datetime.now(UTC)
    async with engine.begin() as connection:
        await connection.execute(update(practice).values(due_at=now - timedelta(minutes=1)))
    practising = use_cases(store, now=lambda: now, rng=Random(1)).of(Practising)
    found = await practising.next(UserId(user))
    await store.close()
    return found
