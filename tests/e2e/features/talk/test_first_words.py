"""Tests of people's first messages to the bot, in direct messages and by mention."""

from collections.abc import Callable

from sandbox import Message
from tests.e2e.conftest import Club

WELCOME = "Hi! I'm a board for DVONN"
FIRST_WORDS = {
    "hello": WELCOME,
    "hallo": WELCOME,
    "bonjour": WELCOME,
    "hola": WELCOME,
    "ciao": WELCOME,
    "hoi": WELCOME,
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
    "can you go easier": "Sure! You choose my level with /play. 1 is the easiest.",
    "you're too strong": "Sure! You choose my level",
    "harder!": "Sure! You choose my level with /play. Take a higher one.",
    "how do I win?": "Stay linked to red",
    "tell me a joke": "Why was the red piece never lonely?",
    "can I add you to my server?": "Tap my picture",
    "is it free?": "I'm free software",
    "sprichst du deutsch?": "I speak English, German",
    "puzzle": "/puzzle shows you one",
    "is there a puzzle today?": "/puzzle shows you one",
    "gibt es ein Rätsel?": "/puzzle shows you one",
    "tournament": "Tournaments are played in servers. There you join one with /tournament show",
    "quand est le prochain tournoi ?": "Tournaments are played in servers.",
    "my rating": "/profile shows your rating",
    "wie lösche ich meine Daten?": "In /settings, *Privacy*",
    "how do I delete my data?": "In /settings, *Privacy*",
    "quiero jugar contra un amigo": "/challenge invites a friend",
    "are there other people online?": "/challenge invites a friend",
    "play level 3": "You choose my level with /play.",
    "kannst du mir helfen?": "I can teach you in five minutes",
    "j'ai une question": "I can teach you in five minutes",
    "mi insegni a giocare?": "Learn DVONN in five minutes",
    "ik snap er niets van": "Sorry, let me help.",
    "wer hat gewonnen?": "There's no game here right now.",
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
    "teach me": "Learn DVONN in five minutes",
    "can we play?": "I can't play you here.",
    "play against you please": "I can't play you here.",
    "I'm bored": "I can't play you here.",
    "d2-d4": "There's no game here right now.",
    "hint": "There's no game here right now.",
    "resign": "There's no game here right now.",
    "https://example.org/funny.gif": "I can't open that here",
}


def is_reply(said: Message) -> Callable[[Message], bool]:
    return lambda one: (
        bool(one.reactions)
        if one is said
        else one.reference is not None and one.reference.message_id == said.id
    )


async def answer_to(said: Message) -> str:
    """What is said to a message, or the sign that is put on it."""
    answer = await said.channel.wait_for(is_reply(said), after=said.id - 1)
    return next(iter(said.reactions)) if answer is said else answer.content


async def test_each_of_the_first_words_gets_an_answer_of_its_own_sense(club: Club) -> None:
    assert len(FIRST_WORDS) > 40
    wrong = []
    for number, (words, begins) in enumerate(FIRST_WORDS.items()):
        person = club.guild.add_person(f"Guest {number}")
        answer = await answer_to(await person.say(person.dm, words))
        if not answer.startswith(begins):
            wrong.append((words, answer))
    assert wrong == []


async def test_what_is_no_text_gets_an_answer_too(club: Club) -> None:
    here = club.ann.dm
    for sending, begins in (
        (club.ann.say(here, files=[("holiday.png", b"\x89PNG")]), "I can't see pictures"),
        (club.ann.say(here, files=[("game.pdf", b"%PDF")]), "I can't open that here"),
        (club.ann.send_voice(here), "I can't hear, sorry."),
        (club.ann.send_sticker(here, "Wave"), "Nice sticker!"),
    ):
        assert (await answer_to(await sending)).startswith(begins)


async def test_behind_a_greeting_and_its_name_the_bot_is_spoken_to(club: Club) -> None:
    bot = club.world.bot_user.mention
    for words, begins in (
        (f"hey {bot}, how do I win?", "Stay linked to red"),
        (f"Hallo {bot} Regeln", "The rules in six pictures"),
        (f"hi {bot}", "🙂"),
    ):
        said = await club.ann.say(club.channel, words)
        assert (await answer_to(said)).startswith(begins)


async def test_by_its_name_the_bot_answers_small_talk_in_a_channel(club: Club) -> None:
    await club.start_game()
    bot = club.world.bot_user.mention
    for words, begins in (
        ("who are you?", "I'm a bot with a board for DVONN"),
        ("thanks", "You're welcome! On we play."),
        ("good game", "I like it, too. It isn't over yet!"),
        ("can you go easier", "This game keeps its level."),
        ("is there a puzzle?", "/puzzle shows you one of your strength."),
    ):
        said = await club.ann.say(club.channel, f"{bot} {words}")
        assert (await answer_to(said)).startswith(begins)
