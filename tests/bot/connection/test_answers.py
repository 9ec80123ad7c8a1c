"""Tests for answers to interactions, with a real client in one process with the sandbox."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.base.errors import AlreadyHandled, InputError, PlayError, StoreError
from bot.base.ids import ChannelId
from bot.base.languages import IN_ENGLISH, Reader, reader_for
from bot.base.metrics import REFUSALS
from bot.connection import interaction_handling
from bot.connection.answers import InteractionAnswer
from bot.connection.discord_messages import FollowUpSlots, NoFollowUpError
from bot.connection.forms import FormCache, one_line, typed_text
from bot.connection.interaction_handling import handling
from bot.connection.posts import Button, File, FormWords, Post
from bot.connection.tasks import InFlightWork
from bot.connection.words import REOPEN_ID
from sandbox import Answer as Shown
from sandbox import Channel, Message, Person, Sandbox
from tests.sandbox.clients import Bot, running

Press = discord.Interaction[Any]

BOARD = Post(
    content="A board",
    file=File("board.png", b"\x89PNG\r\n\x1a\n", "all of it"),
    buttons=(Button("Go", "go"),),
)
FORM = FormWords(title="A move", label="Your move", placeholder="d2-d4")


class Answer(InteractionAnswer):
    """The answer of a bot that knows one refusal."""

    def __init__(self, interaction: Press, bot: "Answering") -> None:
        super().__init__(interaction)
        self.work, self.slots, self.forms = bot.work, bot.slots, bot.forms
        self._bot = bot

    async def find_reader(self) -> Reader:
        return await self._bot.find_reader()

    async def render(self, post: Post) -> Sequence[File]:
        return [File(picture.filename, b"") for picture in post.pictures]

    def refusal(self, error: PlayError) -> str:
        return f"No: {type(error).__name__}."

    async def is_handled(self) -> bool:
        return self._bot.is_handled

    def leave_to_other(self) -> None:
        self._bot.left_to_others += 1

    async def send_pending(self) -> None:
        self._bot.sent_pending += 1


Does = Callable[[Answer], Awaitable[object]]


async def in_english() -> Reader:
    return IN_ENGLISH


class Answering(Bot):
    """A bot whose response to each command, button and form is set by the test."""

    def __init__(self) -> None:
        super().__init__()
        self.work, self.forms = InFlightWork(), FormCache()
        self.slots = FollowUpSlots(
            sees=lambda guild: self.get_guild(guild) is not None, now=discord.utils.utcnow
        )
        self.find_reader = in_english
        self.is_handled = False
        self.left_to_others = self.sent_pending = 0
        self.does = list[Does]()
        self.answers = list[Answer]()

        @self.tree.command()
        @app_commands.allowed_installs(guilds=True, users=True)
        @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
        async def ask(interaction: Press) -> None:
            """Ask."""
            await self._answer(interaction)

    async def on_interaction(self, interaction: Press) -> None:
        if interaction.type is not discord.InteractionType.application_command:
            await self._answer(interaction)

    async def _answer(self, interaction: Press) -> None:
        self.answers.append(Answer(interaction, self))
        async with handling(self.answers[-1]) as answer:
            await self.does.pop(0)(answer)

    async def is_done(self) -> None:
        """Wait until everything is answered."""
        await self.work.settled()


@pytest.fixture
async def bot(world: Sandbox) -> AsyncIterator[Answering]:
    async with running(world, Answering()) as bot:
        yield bot


class Place:
    """A channel in which Ann uses commands, and the messages that she sees there."""

    def __init__(self, bot: Answering, ann: Person, channel: Channel) -> None:
        self.bot, self.ann, self.channel = bot, ann, channel

    async def ask(self, does: Does) -> Shown:
        """Use the command, and let the bot give a set answer. Return once it has finished."""
        self.bot.does = [does]
        shown = await self.ann.slash(self.channel, "ask")
        await self.bot.is_done()
        return shown

    async def press(self, message: Message, does: Does, label: str = "Go") -> Shown:
        """Press a button, for which the bot gives a set answer."""
        self.bot.does = [does]
        shown = await self.ann.click(message, label)
        await self.bot.is_done()
        return shown

    async def board(self, *, private: bool = False) -> Message:
        """Post a board with a button, for everyone or for Ann alone."""
        shown = await self.ask(lambda answer: say(answer, BOARD, private=private))
        assert shown.message is not None
        return shown.message

    @property
    def public_texts(self) -> list[str]:
        """Return the messages that everyone sees."""
        return [message.content for message in self.channel.messages]

    @property
    def private_texts(self) -> list[str]:
        """Return the messages that only Ann sees."""
        return [message.content for message in self.ann.inbox]

    @property
    def is_ours(self) -> bool:
        """Return True if the newest request counts as answered by this process."""
        return self.bot.answers[-1].is_ours


async def say(answer: Answer, post: Post, *, private: bool) -> None:
    await (answer.send_private if private else answer.send_public)(post)


@pytest.fixture
def place(bot: Answering, ann: Person, channel: Channel) -> Place:
    return Place(bot, ann, channel)


@pytest.fixture
def group(world: Sandbox, bot: Answering, ann: Person) -> Place:
    """A place where the bot is a guest, because Ann has installed it."""
    ann.install()
    others = map(world.create_person, ("Bob", "Cid"))
    return Place(bot, ann, world.create_private_channel(ann, *others))


async def test_the_first_words_answer_and_the_next_ones_follow(place: Place) -> None:
    async def answer_twice(answer: Answer) -> None:
        await answer.send_private(Post(content="For you"))
        posted = await answer.send_public(Post(content="For all"))
        assert [message.id for message in place.channel.messages] == [posted]

    first = await place.ask(answer_twice)
    assert (first.content, first.ephemeral) == ("For you", True)
    assert (place.private_texts, place.public_texts) == (["For you"], ["For all"])
    assert place.is_ours
    assert place.bot.sent_pending == 0, "nothing waits where the bot is a member"


async def test_a_private_view_replaces_its_readers_private_message(place: Place) -> None:
    private, public = await place.board(private=True), await place.board()
    for board in (private, public):
        await place.press(board, lambda answer: answer.view(Post(content="Another view")))
    assert place.private_texts == ["Another view", "Another view"]
    assert place.public_texts == ["A board"]


async def test_an_edit_takes_the_picture_and_the_buttons_away_too(place: Place) -> None:
    board = await place.board()
    await place.press(board, lambda answer: answer.edit_message(Post(content="Over")))
    assert (board.content, board.attachments, board.buttons) == ("Over", [], [])
    assert place.is_ours


async def test_deferred_responses_are_still_edited(place: Place) -> None:
    async def late(answer: Answer) -> None:
        await answer.defer()
        assert not answer.is_ours, "to ask for patience answers nothing"
        await answer.defer()  # once is enough
        await answer.edit_message(Post(content="Over"))

    board = await place.board()
    assert (await place.press(board, late)).deferred
    assert board.content == "Over"


@pytest.mark.parametrize("private", [True, False])
async def test_after_thinking_come_the_words_and_nothing_is_left_of_it(
    place: Place, *, private: bool
) -> None:
    async def late(answer: Answer) -> None:
        await answer.defer()
        await say(answer, Post(content="Here it is"), private=private)

    assert (await place.ask(late)).deferred
    assert place.private_texts + place.public_texts == ["Here it is"]
    assert len(place.private_texts) == private


async def test_a_slow_form_of_a_command_is_deferred_as_the_command_is(place: Place) -> None:
    async def late(answer: Answer) -> None:
        await answer.defer()
        await answer.send_public(Post(content="Here it is"))

    form = one_line(FORM, "form", "move", 10)
    for does in (late, lambda answer: answer.dismiss()):
        opened = await place.ask(lambda answer: answer.form(form))
        assert opened.modal is not None
        place.bot.does = [does]
        shown = await place.ann.submit(opened.modal, {"move": "d2"})
        await place.bot.is_done()
        assert shown.deferred
        assert place.is_ours
    assert (place.private_texts, place.public_texts) == ([], ["Here it is"])


async def test_a_dismissed_message_stays_for_others(place: Place) -> None:
    private, public, begun = [await place.board(private=number) for number in (True, False, False)]
    for board in (private, public):
        await place.press(board, lambda answer: answer.dismiss())
        assert place.is_ours
    await place.press(begun, lambda answer: answer.dismiss(public=True))
    assert place.private_texts == []
    assert place.channel.messages == [public]


async def test_a_dismissed_command_leaves_nothing_but_a_word_where_the_bot_is_a_guest(
    place: Place, group: Place
) -> None:
    for where in (place, group):
        await where.ask(lambda answer: answer.dismiss())
        assert where.is_ours
    assert (place.public_texts, group.public_texts) == ([], [])
    assert place.private_texts == ["Done."], "that of the group, without which nothing could follow"


async def test_a_form_opens_or_waits_behind_a_button(place: Place) -> None:
    async def open_form(answer: Answer) -> None:
        await answer.form(one_line(FORM, "dvonn:form", "move", 10))

    async def too_late(answer: Answer) -> None:
        await answer.defer()
        await open_form(answer)

    board = await place.board()
    opened = await place.press(board, open_form)
    assert opened.modal is not None
    assert place.is_ours
    await place.press(board, too_late)
    (offered,) = place.ann.inbox
    assert offered.content == "Sorry, that took me a while. The form is ready now."
    (button,) = offered.buttons
    mark = (button.custom_id or "").removeprefix(REOPEN_ID)
    kept = place.bot.answers[-1].cached_form("dvonn:form")
    assert kept is place.bot.forms.get(place.ann.id, mark) is not None


OUT_OF_REACH = StoreError("no answer", writing=True)


async def test_a_form_opens_from_the_cache_if_the_database_is_slow(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.connection.answers._FORM_S", 0.0)

    is_late = asyncio.Event()

    async def late() -> str:
        await is_late.wait()
        raise OUT_OF_REACH

    async def at_once() -> str:
        return "read"

    async def broken() -> str:
        raise OUT_OF_REACH

    found = list[str]()

    async def respond(answer: Answer) -> None:
        found.append(await answer.within_deadline(late(), "cached"))
        found.append(await answer.within_deadline(at_once(), None))
        monkeypatch.setattr("bot.connection.answers._FORM_S", 60.0)
        found.append(await answer.within_deadline(broken(), "cached"))
        found.append(await answer.within_deadline(at_once(), "cached"))
        await answer.send_private(Post(content="Read"))

    await place.ask(respond)
    is_late.set()
    assert found == ["cached", "read", "cached", "read"]


def refusing(error: Exception) -> Does:
    async def refuse(_: Answer) -> None:
        raise error

    return refuse


class NotNowError(PlayError):
    """A refusal."""


async def test_refusals_are_private_and_counted(place: Place) -> None:
    refused = REFUSALS.labels("NotNowError")
    before = refused._value.get()
    board = await place.board()
    await place.press(board, refusing(NotNowError()))
    await place.ask(refusing(OUT_OF_REACH))
    await place.ask(refusing(ValueError("a fault of the bot")))
    assert place.private_texts == [
        "No: NotNowError.",
        "I can't save right now, so nothing has changed. Please try again in a while.",
        "Something went wrong on my side. Nothing has changed, please try again.",
    ]
    assert place.public_texts == ["A board"]
    assert refused._value.get() == before + 1


async def test_a_refused_form_reopens_filled_in_and_a_new_refusal_replaces_the_old(
    place: Place,
) -> None:
    async def open_form(answer: Answer) -> None:
        form = answer.cached_form("dvonn:form") or one_line(FORM, "dvonn:form", "move", 10)
        await answer.form(form)

    async def refuse(answer: Answer) -> None:
        raise InputError(typed_text(answer.interaction.data, "move"))

    opened = await place.press(await place.board(), open_form)
    for text in ("d2", "d3"):
        assert opened.modal is not None
        place.bot.does = [refuse]
        await place.ann.submit(opened.modal, {"move": text})
        await place.bot.is_done()
        (refused,) = place.ann.inbox
        assert refused.content == "No: InputError."
        opened = await place.press(refused, open_form, "Try again")
    assert opened.modal is not None
    form = place.bot.answers[-1].cached_form("dvonn:form")
    assert form is not None
    assert [child.default for child in form.walk_children() if hasattr(child, "default")] == ["d3"]


@pytest.mark.parametrize(
    ("error", "is_handled"), [(AlreadyHandled(), False), (NotNowError(), True)]
)
async def test_requests_of_another_process_are_left_to_it_for_a_while(
    place: Place, monkeypatch: pytest.MonkeyPatch, error: Exception, *, is_handled: bool
) -> None:
    monkeypatch.setattr(interaction_handling, "_HANDOVER_S", 0.1)
    place.bot.is_handled = is_handled
    began = asyncio.get_running_loop().time()
    shown = await place.ask(refusing(error))
    assert shown.deferred, "it may have died, so at least the press is acknowledged"
    assert asyncio.get_running_loop().time() - began >= 0.1
    assert place.bot.left_to_others == 1
    assert place.private_texts in ([], [""])


async def test_a_refusal_after_an_answer_is_sent(place: Place) -> None:
    """What the database has is its own work then, and no other process answers."""
    place.bot.is_handled = True

    async def answer_and_fail(answer: Answer) -> None:
        await answer.send_private(Post(content="Saved"))
        raise NotNowError

    await place.ask(answer_and_fail)
    assert place.private_texts == ["Saved", "No: NotNowError."]
    assert place.bot.left_to_others == 0


async def test_long_waits_show_that_the_bot_is_thinking(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interaction_handling, "PATIENCE_S", 0.0)

    async def slowly(answer: Answer) -> None:
        while not answer.interaction.response.is_done():  # noqa: ASYNC110 - a flag tells of no event
            await asyncio.sleep(0)
        await answer.send_private(Post(content="Here it is"))

    assert (await place.ask(slowly)).deferred
    assert place.private_texts == ["Here it is"]


async def test_an_answer_is_in_its_readers_language_or_their_discord_language(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def in_german() -> Reader:
        return reader_for("de")

    is_late = asyncio.Event()

    async def late() -> Reader:
        await is_late.wait()
        return IN_ENGLISH

    place.ann.user.locale = "fr"
    spoken = list[str]()

    async def tell(answer: Answer) -> None:
        spoken.append(answer.reader.locale)
        await answer.send_private(Post(content="Hm"))

    place.bot.find_reader = in_german
    await place.ask(tell)
    monkeypatch.setattr(interaction_handling, "_READER_S", 0.0)
    place.bot.find_reader = late
    await place.ask(tell)
    is_late.set()
    assert spoken == ["de", "fr"]


async def test_a_response_only_deferred_elsewhere_is_sent_here(
    world: Sandbox, place: Place
) -> None:
    """The other process has carried out the request, and this one waits for its answer."""
    place.bot.is_handled = True

    async def come_second(answer: Answer) -> None:
        other = Answer(answer.interaction, place.bot)
        await other.defer()
        answer.interaction.response._response_type = None  # this process doesn't know it
        await answer.send_private(Post(content="Here it is"))

    await place.ask(come_second)
    assert place.private_texts == ["Here it is"]


async def test_a_guest_sends_follow_ups_of_the_last_interaction(group: Place) -> None:
    where = ChannelId(group.channel.id)
    assert not group.bot.slots.is_visited(where)

    async def before_and_after(answer: Answer) -> None:
        with pytest.raises(NoFollowUpError):
            await group.bot.slots.send(where, Post(content="too early"))
        await answer.send_public(Post(content="First"))
        await group.bot.slots.send(where, Post(content="Second"))

    await group.ask(before_and_after)
    assert group.public_texts == ["First", "Second"]
    assert group.bot.sent_pending == 1, "what waited for a press goes out now"
    assert group.bot.slots.is_visited(where)


async def test_a_guest_may_follow_an_answer_five_times(group: Place) -> None:
    where = ChannelId(group.channel.id)
    await group.ask(lambda answer: answer.send_public(Post(content="First")))
    for number in range(5):
        await group.bot.slots.send(where, Post(content=str(number)))
    with pytest.raises(NoFollowUpError):
        await group.bot.slots.send(where, Post(content="too much"))
    assert group.public_texts == ["First", "0", "1", "2", "3", "4"]
