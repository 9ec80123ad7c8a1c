"""Replies to people who talk to the bot."""

from collections.abc import Sequence
from dataclasses import replace

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, Post
from bot.features.talk.model import TextRequest
from bot.features.talk.small_talk import SmallTalk
from bot.guide.words.help import FIRST_RULE, help_page
from bot.play.model.game import Game
from bot.play.words.help import HelpContext
from bot.play.words.notices import confirm_leaving
from bot.play.words.views import board_button_id


def welcome(reader: Reader, learn: tuple[Button, ...], *, has_machine: bool) -> Post:
    """Return the welcome, with buttons for learning the game."""
    lines = [reader.gettext("Hi! I'm a board for DVONN, a quick and deep game for two.")]
    for button in learn[:1]:
        lines[0] += " " + reader.gettext("Never tried it? Press *{button}*.").format(
            button=button.label
        )
    if has_machine:
        lines.append(
            reader.gettext("Or press *Play me*, and we begin. With /play you choose my level.")
        )
    lines.append(reader.gettext("To play a friend, type /challenge in a server where we both are."))
    buttons = (*learn, *_start_buttons(reader, has_machine=has_machine))
    return Post(content="\n".join(lines), buttons=buttons)


def help_pointer(reader: Reader, *, rules: bool, has_machine: bool) -> Post:
    """Return the answer to "help" and "rules": buttons that show the pages privately."""
    words = (
        reader.gettext("The rules in six pictures:")
        if rules
        else reader.gettext(
            "I can teach you in five minutes, or we just play. /help has everything I"
            " can do. Or tell me: rules, learn, play, board, games, hint, undo, draw "
            "or resign."
        )
    )
    return Post(content=words, buttons=_start_buttons(reader, rules=rules, has_machine=has_machine))


def how_to_begin(reader: Reader, *, has_machine: bool, is_direct: bool) -> Post:
    words = reader.gettext("{challenge} invites a friend, or anyone.").format(
        challenge=f"/{reader.pgettext('command', 'challenge')}"
    )
    if is_direct and not has_machine:  # there is no other player in a direct message
        words = reader.gettext("I can't play you here. In a server /challenge invites a friend.")
    elif has_machine:
        words = " ".join([reader.gettext("Press *Play me* to play against me."), words])
    return Post(content=words, buttons=_start_buttons(reader, has_machine=has_machine))


def command_for(reader: Reader, request: TextRequest) -> str:
    """Return the command for a request that a player made without addressing the bot."""

    def line(name: str, does: str) -> str:
        return f"/{reader.pgettext('command', name)} – {does}."

    if request is TextRequest.RESIGN:
        return line("resign", reader.gettext("Resign this channel's game; I ask first"))
    undo = reader.gettext("Take back your last move (after a minute I ask your opponent)")
    return "\n".join(
        [line("undo", undo), line("draw", reader.gettext("Offer a draw, or accept one"))]
    )


def rules_at_once(reader: Reader, context: HelpContext) -> Post:
    """Return the first page of the rules, with a button that opens the lessons."""
    page = help_page(reader, FIRST_RULE, context, ())
    words = reader.gettext("The rules in six pictures:")
    return replace(page, content=f"{words}\n{page.content}")


def greeting(reader: Reader, learn: tuple[Button, ...], *, has_machine: bool) -> Post:
    return Post(
        content=reader.gettext("Hi again! Say “play” for a game, or “learn” for a lesson."),
        buttons=(*learn, *_start_buttons(reader, has_machine=has_machine)),
    )


def small_talk_answer(  # noqa: C901, PLR0911, PLR0912 - one answer for each kind
    reader: Reader, talk: SmallTalk, *, in_game: bool, pasting: Sequence[str] = ()
) -> str:
    """Return the answer to small talk, in one or two sentences.

    `pasting` contains sentences about where to paste a game or a position.
    """
    match talk:
        case SmallTalk.ABOUT:
            return reader.gettext(
                "I'm a bot with a board for DVONN, a quick and deep game for two. Say “rules” "
                "to see how it goes, or “play” for a game."
            )
        case SmallTalk.HUMAN:
            return reader.gettext("I'm a bot. Want to play a person? /challenge asks one.")
        case SmallTalk.MAKER:
            return reader.gettext(
                "Kris Burm invented DVONN. I'm free software that lets you play it here."
            )
        case SmallTalk.PRESENCE:
            return reader.gettext(
                "Yes, I'm here! Say “play” for a game, or “help” for all I can do."
            )
        case SmallTalk.HEALTH:
            return reader.gettext("All my pieces are linked to red, so I'm fine. And you?")
        case SmallTalk.THANKS if in_game:
            return reader.gettext("You're welcome! On we play.")
        case SmallTalk.THANKS:
            return reader.gettext("You're welcome! Another game? Say “play”.")
        case SmallTalk.GOOD_GAME if in_game:
            return reader.gettext("I like it, too. It isn't over yet!")
        case SmallTalk.GOOD_GAME:
            return reader.gettext("Good game! Want another? Say “play”.")
        case SmallTalk.PRAISE:
            return reader.gettext("How kind of you!")
        case SmallTalk.GOODBYE:
            return reader.gettext("Bye! See you at the board.")
        case SmallTalk.WAIT:
            return reader.gettext("Take your time.")
        case SmallTalk.YES:
            return reader.gettext("Great! Say “play” for a game, or “learn” for a lesson.")
        case SmallTalk.NO:
            return reader.gettext("All right. I'm here when you want a game.")
        case SmallTalk.CONFUSED:
            return reader.gettext(
                "Sorry, let me help. “rules” shows the game in six pictures, “learn” lets you "
                "try it, and “help” has the rest."
            )
        case SmallTalk.BROKEN:
            return reader.gettext(
                "Sorry! Say “board”, and I'll show you our game again. Still wrong? Tell the "
                "people who run me."
            )
        case SmallTalk.EASIER | SmallTalk.HARDER if in_game:
            return reader.gettext(
                "This game keeps its level. Say “resign” to end it, then choose another with /play."
            )
        case SmallTalk.EASIER | SmallTalk.HARDER:
            return reader.gettext("You choose my level with /play. 1 is the easiest.")
        case SmallTalk.STRATEGY:
            return reader.gettext(
                "Stay linked to red, keep your stacks free to move, and cut the others off. "
                "“learn” shows you how."
            )
        case SmallTalk.JOKE:
            return reader.gettext(
                "Why was the red piece never lonely? Everybody was so attached to it."
            )
        case SmallTalk.INVITE:
            return reader.gettext(
                "Tap my picture: Discord lets you add me there. If it doesn't, ask the people who "
                "run me."
            )
        case SmallTalk.PRICE:
            return reader.gettext("I'm free software, and there's nothing to buy here.")
        case SmallTalk.LANGUAGE:
            return reader.gettext(
                "I speak English, German, French, Spanish, Italian and Dutch. Choose yours in "
                "/settings."
            )
        case SmallTalk.SETTINGS:
            return reader.gettext("/settings has your reminders, language and boards.")
        case SmallTalk.VOICE:
            return reader.gettext("I can't hear, sorry. Type to me: “help” has all I can do.")
        case SmallTalk.STICKER:
            return reader.gettext("Nice sticker! All I have are white, black and red pieces.")
        case _:
            return " ".join((reader.gettext("I can't open that here, sorry."), *pasting))


def reply_to_swearing(reader: Reader, *, in_game: bool) -> str:
    if in_game:
        return reader.gettext("Ouch. Want your last move back? Say “undo”.")
    return reader.gettext("Sorry! Did I get it wrong? Say “help”, or “stop” and I'll be quiet.")


def quiet_answer(reader: Reader, *, in_game: bool) -> str:
    sentences = [
        reader.gettext(
            "I'll be quiet: no more reminders, and here I only answer. /settings turns them on "
            "again."
        )
    ]
    if in_game:
        sentences.append(reader.gettext("Our game stays open. Say “resign” to end it."))
    return " ".join(sentences)


def how_to_learn(reader: Reader, learn: tuple[Button, ...]) -> Post:
    words = reader.gettext("Learn DVONN by playing; only you see it")
    return Post(content=f"{words}:", buttons=learn)


def not_understood(reader: Reader, *, has_machine: bool) -> Post:
    """Return the answer to words that the bot does not understand."""
    return Post(
        content=reader.gettext(
            "I didn't get that. Say “play” for a game, “learn” for a lesson, or “help” for all "
            "I can do."
        ),
        buttons=_start_buttons(reader, has_machine=has_machine),
    )


def resignation_in_public(reader: Reader, game: Game, asker: UserId) -> Post:
    """Return the confirmation prompt for a resignation. Only the user who asked can answer it."""
    question = confirm_leaving(reader, game, asker)
    answers = {
        board_button_id(game.row.id, game.row.revision, action): answer
        for action, answer in (("resign-yes", "yes"), ("abort-yes", "abort"), ("resign-no", "no"))
    }
    begin = f"dvonn:resign:{game.row.id}:{game.row.revision}:{asker}"
    return replace(
        question,
        buttons=tuple(
            replace(button, custom_id=f"{begin}:{answers[button.custom_id]}")
            for button in question.buttons
        ),
    )


def _start_buttons(reader: Reader, *, has_machine: bool, rules: bool = False) -> tuple[Button, ...]:
    page = "rules" if rules else "help"
    buttons = [Button(reader.gettext("How to play"), f"dvonn:asked:{page}", ButtonStyle.PRIMARY)]
    if has_machine:
        buttons.append(Button(reader.gettext("Play me"), "dvonn:play", ButtonStyle.SUCCESS))
    return tuple(buttons)
