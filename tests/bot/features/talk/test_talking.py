"""Tests for the bot's replies to people, with the whole bot in this process."""

from collections.abc import AsyncIterator

import pytest

from bot.base.ids import UserId
from bot.play.handlers.replies import SIGN
from bot.play.model.preferences import RemindBy
from bot.play.store.store import Store
from tests.bot.whole import FirstMoves, WholeBot, whole_bot
from tests.e2e.conftest import is_board

WELCOME = "Hi! I'm a board for DVONN"
FIRST_WORDS = {
    "hello": WELCOME,
    "hallo": WELCOME,
    "bonjour": "Salut\u202f! Je suis un plateau de DVONN",
    "hola": "¡Hola! Soy un tablero de DVONN",
    "ciao": "Ciao! Sono un tavoliere di DVONN",
    "hoi": "Hoi! Ik ben een bord voor DVONN",
    "what is this": WELCOME,
    "who are you?": WELCOME,
    "I found you in a list, and thought I'd ask": WELCOME,
    "ok": WELCOME,
    "are you a bot?": "I'm a bot.",
    "who made you?": "Kris Burm invented DVONN.",
    "is anyone there": "Yes, I'm here!",
    "you there?": "Yes, I'm here!",
    "test": "Yes, I'm here!",
    "how are you": "All my pieces are linked to red",
    "what's up?": "All my pieces are linked to red",
    "good game": "Good game! Want another?",
    "gg": "Good game! Want another?",
    "thanks!": "You're welcome!",
    "nice bot": "How kind of you!",
    "I love you": "How kind of you!",
    "lol": "😄",
    "bye": "Bye! See you at the board.",
    "brb": "Take your time.",
    "yes": "Great! Say “play”",
    "no": "All right.",
    "what?": "Sorry, let me help.",
    "I don't understand": "Sorry, let me help.",
    "it doesn't work": "Sorry! Say “board”",
    "can you go easier": "You choose my level with /play. 1 is the easiest.",
    "you're too strong": "You choose my level",
    "harder!": "You choose my level with /play. 1 is the easiest.",
    "how do I win?": "Stay linked to red",
    "tell me a joke": "Why was the red piece never lonely?",
    "can I add you to my server?": "Tap my picture",
    "is it free?": "I'm free software",
    "sprichst du deutsch?": "I speak English, German",
    "puzzle": "/puzzle shows you one",
    "is there a puzzle today?": "/puzzle shows you one",
    "gibt es ein Rätsel?": "/aufgabe zeigt dir eine",
    "tournament": "Tournaments are played in servers. There you join one with /tournament show",
    "quand est le prochain tournoi ?": "Les tournois se jouent sur des serveurs.",
    "my rating": "/profile shows your rating",
    "wie lösche ich meine Daten?": "In /einstellungen zeigt dir *Datenschutz*",
    "how do I delete my data?": "In /settings, *Privacy*",
    "quiero jugar contra un amigo": "/desafiar invita a quien quieras",
    "are there other people online?": "/challenge invites a friend",
    "play level 3": "You choose my level with /play.",
    "kannst du mir helfen?": "Ich bringe es dir in fünf Minuten bei",
    "j'ai une question": "Je t’apprends les règles en cinq minutes",
    "mi insegni a giocare?": "Impara DVONN",
    "ik snap er niets van": "Sorry, ik help je.",
    "wer hat gewonnen?": "Hier läuft gerade keine Partie.",
    "ok thanks bye": "Bye! See you at the board.",
    "dvonn": WELCOME,
    "what's my ELO?": "/profile shows your rating",
    "settings": "/settings has your reminders",
    "you suck": "Sorry! Did I get it wrong?",
    "idiot": "Sorry! Did I get it wrong?",
    "stop": "I'll be quiet",
    "help": "I can teach you in five minutes",
    "rules": "The rules in six pictures:",
    "how do stacks move?": "The rules in six pictures:",
    "how do I play?": "The rules in six pictures:",
    "teach me": "Learn DVONN by playing",
    "can we play?": "I can't play you here.",
    "play against you please": "I can't play you here.",
    "I'm bored": "I can't play you here.",
    "d2-d4": "There's no game here right now.",
    "hint": "There's no game here right now.",
    "resign": "There's no game here right now.",
    "how do i resign??": "There's no game here right now.",
    "who's turn": "There's no game here right now.",
    "how do I undo?": "I can teach you in five minutes",
    "https://example.org/funny.gif": "I can't open that here",
}
AGAIN = "Hi again! Say"
EXPLAINED = "I didn't get that. Say"
NO_GAME = "There's no game here right now."
HELP = "I can teach you in five minutes"
SMILE = "🙂"


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


@pytest.fixture
async def playing_bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    """A bot with a machine player."""
    async with whole_bot(store, monkeypatch, FirstMoves()) as bot:
        yield bot


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_each_first_message_gets_its_own_answer(bot: WholeBot) -> None:
    wrong = []
    for number, (words, begins) in enumerate(FIRST_WORDS.items()):
        person = bot.guild.add_person(f"Guest {number}")
        answers = await bot.say(person, words, person.dm)
        if len(answers) != 1 or not answers[0].startswith(begins):
            wrong.append((words, answers))
    assert wrong == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_messages_without_text_get_an_answer_too(bot: WholeBot) -> None:
    ann = bot.ann
    for say, begins in (
        (lambda here: ann.say(here, files=[("holiday.png", b"\x89PNG")]), "I can't open that here"),
        (lambda here: ann.say(here, files=[("game.pdf", b"%PDF")]), "I can't open that here"),
        (ann.send_voice, "I can't hear, sorry."),
        (lambda here: ann.send_sticker(here, "Wave"), "Nice sticker!"),
    ):
        (answer,) = await bot.answers_to(say, ann.dm)
        assert answer.startswith(begins)


async def follows(bot: WholeBot, *lines: tuple[str, str | None], by_name: bool = False) -> None:
    """Say some lines as Ann, in direct messages or with a mention, and compare the answers."""
    for text, begins in lines:
        words = f"{bot.world.bot_user.mention} {text}" if by_name else text
        answers = await bot.say(bot.ann, words, bot.channel if by_name else bot.ann.dm)
        assert [answer[: len(begins or "")] for answer in answers] == [begins][: begins is not None]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_in_direct_messages_it_greets_once(bot: WholeBot) -> None:
    await follows(
        bot,
        ("hello", WELCOME),
        ("hello", AGAIN),
        ("blah", EXPLAINED),
        ("blah", "I didn't get that."),
        ("is there a puzzle", "/puzzle shows you one"),
        ("thanks", "You're welcome! Another game?"),
        ("undo", NO_GAME),
    )
    bot.advance(seconds=61)
    await follows(bot, ("blah", EXPLAINED))
    user = UserId(bot.ann.id)
    before = await bot.store.players.get(user)
    await follows(bot, ("stop", "I'll be quiet: no more reminders"))
    after = await bot.store.players.get(user)
    assert (before.remind_by is RemindBy.NONE, after.remind_by) == (False, RemindBy.NONE)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_person_it_has_spoken_to_gets_no_greeting(bot: WholeBot) -> None:
    await bot.client.get_partial_messageable(bot.ann.dm.id).send("Your turn")
    await follows(bot, ("hello", AGAIN))
    await bot.say(bot.bob, "is there a puzzle", bot.bob.dm)
    assert (await bot.say(bot.bob, "hello", bot.bob.dm))[0].startswith(AGAIN)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_in_a_channel_it_answers_only_to_its_name(bot: WholeBot) -> None:
    await follows(
        bot,
        ("hello", AGAIN),
        ("lol", "😄"),
        ("https://example.org/a.gif", "I can't open that here"),
        ("resign", NO_GAME),
        ("help", HELP),
        ("play", "/challenge invites a friend"),
        ("games", "You have no games here."),
        ("learn", "Learn DVONN by playing"),
        ("blah", EXPLAINED),
        ("blah", SIGN),
        by_name=True,
    )
    bot.advance(seconds=61)
    await follows(bot, ("blah", SIGN), by_name=True)
    for text in ("hello", "blah", "resign", "play", "help", "https://example.org/a.gif"):
        assert await bot.say(bot.ann, text) == []
    await bot.begin()
    for text in ("hint", "play", "games"):
        assert await bot.say(bot.ann, text) == [], "between two people"
    assert await bot.say(bot.cid, "undo") == [], "a spectator has nothing to undo"
    (told,) = await bot.say(bot.ann, "undo")  # it may be meant for Bob, so nothing is undone
    assert told.splitlines() == [
        "/undo – Take back your last move (after a minute I ask your opponent).",
        "/draw – Offer a draw, or accept one.",
    ]
    assert await bot.say(bot.ann, "resign") == [], "not twice in a minute"
    assert await bot.say(bot.bob, "resign") == [
        "/resign – Resign this channel's game; I ask first."
    ]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_direct_message_is_answered_in_its_language(bot: WholeBot) -> None:
    (told,) = await bot.say(bot.ann, "guten tag", bot.ann.dm)
    assert told.startswith("Hi! Mit mir spielt ihr DVONN")
    (again,) = await bot.say(bot.ann, "ok 42", bot.ann.dm)
    assert again.startswith("Das habe ich nicht verstanden."), "its last one is remembered"
    (other,) = await bot.say(bot.bob, "¿qué es esto?", bot.bob.dm)
    assert other.startswith("¡Hola! Soy un tablero")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_in_a_game_it_answers_requests_by_name(bot: WholeBot) -> None:
    await bot.begin()
    await follows(
        bot,
        ("hello", SMILE),
        ("who are you?", "I'm a bot with a board for DVONN"),
        ("thanks", "You're welcome! On we play."),
        ("good game", "I like it, too. It isn't over yet!"),
        ("can you go easier", "This game keeps its level."),
        ("is there a puzzle?", "/puzzle shows you one at your level."),
        ("undo", "You have nothing to take back."),
        ("board", f"White: {bot.ann.mention}. Black: {bot.bob.mention}."),
        ("games", f"1. {bot.channel.mention} vs {bot.bob.mention}: **your turn**"),
        ("hint", "The machine is switched off here."),
        ("resign", "Resign, or call the game off?"),
        ("draw", f"{bot.ann.mention} offers a draw. {bot.bob.mention}, accept?"),
        by_name=True,
    )
    looked = [message for message in bot.channel.messages if message.content.startswith("White: ")]
    assert looked[0].attachments[0].filename.startswith("look-dvonn-1-0")
    call = bot.world.bot_user.mention
    (refused,) = await bot.say(bot.cid, f"{call} undo")
    assert refused.startswith("Only the two players can do that.")
    assert await bot.say(bot.cid, f"{call} undo") == [SIGN], "a spectator is told once"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_in_direct_messages_requests_need_no_mention(playing_bot: WholeBot) -> None:
    bot = playing_bot
    await follows(bot, ("rules", "The rules in six pictures"))
    (begun,) = await bot.say(bot.ann, "play", bot.ann.dm)
    assert begun.startswith(f"{bot.ann.mention}, your turn.")
    await follows(
        bot,
        ("play", "White: "),
        ("hello", SMILE),
        ("blah", SIGN),
        ("blah?", EXPLAINED),
        ("is there a puzzle", "/puzzle shows you one"),
        ("idiot", "Ouch. Want your last move back?"),
        ("resign", "Resign, or call the game off?"),
    )
    question = bot.ann.dm.messages[-1]
    await bot.ann.click(question, "End without a result")
    await bot.is_done()
    assert is_board(1)(bot.ann.dm.messages[-1]) or "ended" in bot.ann.dm.messages[-1].content


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_players_need_no_mention_for_requests_about_their_game(
    playing_bot: WholeBot,
) -> None:
    bot = playing_bot
    await bot.ann.slash(bot.channel, "play", level=1)
    await bot.is_done()
    for text, begins in (("undo", "You have nothing"), ("resign", "Resign, or")):
        (answer,) = await bot.say(bot.ann, text)
        assert answer.startswith(begins)
    for text in ("play", "games", "learn"):
        assert await bot.say(bot.ann, text) == []
    assert await bot.say(bot.bob, "resign") == [], "somebody else's game"
