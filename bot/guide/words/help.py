"""The help page on how to play here, which follows six pages of rules with pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.base.languages import Reader
from bot.connection.posts import CONTENT_LIMIT, Button, ButtonStyle, Post, channel, user
from bot.guide.words.rules import RULES, rule
from bot.guide.words.status import Status, status
from bot.guide.words.topics import by_ear
from bot.play.words.boards import standing
from bot.play.words.challenges import play_me
from bot.play.words.help import HelpContext
from bot.play.words.notices import while_visiting
from bot.play.words.pictures import Picture, picture
from bot.play.words.refusals import refusal
from bot.play.words.team_turns import how_to_vote, vote_rules
from dvonn import Coordinates
from renderer import LESSONS

FIRST_RULE: Final = RULES[0]
FIRST_PAGE: Final = "play"
"""First page of help: commands, and how to play here."""
_MORE: Final = "more"
PAGES: Final = (*RULES, FIRST_PAGE, _MORE)
"""Names of all pages, starting with the rules."""
STATUS_PAGE: Final = "status"
"""Name of the page about the bot's health, which has no page number."""

_PLACEMENT_EXAMPLE, _MOVE_EXAMPLE = "d2", "d2-d4"
"""Examples that are valid in both coordinate systems."""


@dataclass(frozen=True, slots=True)
class _Page:
    title: str
    paragraphs: list[str]
    picture: Picture | None


def help_page(
    reader: Reader, name: str, context: HelpContext, command_lines: Sequence[str]
) -> Post:
    name = name if name in PAGES else FIRST_PAGE
    page = _page(reader, name, context, command_lines)
    heading = f"### {page.title}"
    if name in RULES:
        place = reader.gettext("{number} of {count}")
        heading += f" ({place.format(number=RULES.index(name) + 1, count=len(RULES))})"
    return Post(
        content="\n".join([heading, *page.paragraphs])[:CONTENT_LIMIT],
        picture=page.picture,
        buttons=_navigation_buttons(reader, name, context),
    )


def status_page(reader: Reader, state: Status) -> Post:
    back = Button(reader.gettext("Back"), help_button_id(FIRST_PAGE))
    return replace(status(reader, state), buttons=(back,))


def help_button_id(page: str) -> str:
    return f"dvonn:help:{page}"


def _navigation_buttons(reader: Reader, name: str, context: HelpContext) -> tuple[Button, ...]:
    if name == FIRST_PAGE:
        return (
            Button(reader.gettext("◀ Rules"), help_button_id(FIRST_RULE), ButtonStyle.PRIMARY),
            *_buttons(reader, context),
            Button(f"{reader.gettext('More')} ▶", help_button_id(_MORE)),
            *((play_me(reader),) if context.can_play_machine else ()),
            Button(reader.gettext("Is the bot OK?"), help_button_id(STATUS_PAGE)),
        )
    number, buttons = PAGES.index(name), []
    if number > 0:
        before = PAGES[number - 1]
        label = f"◀ {_page(reader, before, context, ()).title}"
        buttons.append(Button(label, help_button_id(before)))
    if number + 1 < len(PAGES):
        following = PAGES[number + 1]
        label = f"{_page(reader, following, context, ()).title} ▶"
        buttons.append(Button(label, help_button_id(following), ButtonStyle.PRIMARY))
    if name in RULES:
        buttons += _buttons(reader, context)
    return tuple(buttons)


def _buttons(reader: Reader, context: HelpContext) -> list[Button]:
    return [button for part in context.parts for button in part.buttons(reader)]


def _page(reader: Reader, name: str, context: HelpContext, command_lines: Sequence[str]) -> _Page:
    if name == FIRST_PAGE:
        return _play(reader, context, command_lines)
    if name == _MORE:
        return _more(reader, context)
    lesson = LESSONS[name]
    coordinates = reader.coordinates_or(context.coordinates)
    title, paragraphs = rule(reader, name, coordinates)
    if name == RULES[-1]:
        ready = reader.gettext("Ready? Challenge a friend with {challenge}.")
        paragraphs.append(ready.format(challenge=context.command("challenge")))
    board = picture(
        reader,
        _filename(name),
        lesson.position,
        coordinates,
        last=lesson.last,
        marks=lesson.marks,
    )
    return _Page(title, paragraphs, board)


def _filename(page: str) -> str:
    return f"dvonn-help-{page}.png"


# How to play here


def _play(reader: Reader, context: HelpContext, command_lines: Sequence[str]) -> _Page:
    game = context.game
    if game is not None and game.row.vote is not None:
        paragraphs = [vote_rules(reader, game.row.vote), how_to_vote(reader)]
    else:
        your_turn = reader.gettext("**Your turn.** I'll ping you. Then play any way you like:")
        paragraphs = [your_turn, *(f"- {line}" for line in _input_lines(reader, context))]
    return _Page(
        reader.gettext("How to play here"),
        [
            _game_status(reader, context),
            *(line for part in context.parts for line in part.paragraphs(reader, context)),
            *paragraphs,
            reader.gettext("**Also useful.**"),
            *(f"- {line}" for line in command_lines),
            *_channel_notes(reader, context),
        ],
        _board(reader, context),
    )


def _board(reader: Reader, context: HelpContext) -> Picture | None:
    game, filename = context.game, _filename(FIRST_PAGE)
    if game is None:
        return None
    coordinates = reader.coordinates_or(context.coordinates)
    return picture(reader, filename, game.position, coordinates, last=game.last, game=game)


def _game_status(reader: Reader, context: HelpContext) -> str:
    if context.game is None:
        sentences = [reader.gettext("No game is running here.")]
        if context.obstacle is None:
            play, challenge = context.command("play"), context.command("challenge")
            if context.has_machine:
                words = reader.gettext("{play} starts one against me.")
                sentences.append(words.format(play=play))
            if not context.venue.is_direct:
                words = reader.gettext("{challenge} invites a friend, or anyone.")
                sentences.append(words.format(challenge=challenge))
        return " ".join(sentences)
    words = reader.gettext("A game is running here. {standing}").format(
        standing=standing(reader, context.game, asker=context.asker)
    )
    sentences = [words]
    for part in context.parts:
        sentences += part.of_game(reader, context.game, context.asker)
    return " ".join(sentences)


def _input_lines(reader: Reader, context: HelpContext) -> list[str]:
    buttons = reader.gettext("Press *Place* or *Move* under the board, and choose.")
    typing = _typing(reader, context)
    slash = reader.gettext("{move} lists your moves and says what each one does.")
    slash = slash.format(move=context.command("move"))
    return [buttons, typing, slash]


def _typing(reader: Reader, context: HelpContext) -> str:
    if context.venue.visiting:
        return reader.gettext(
            "I'm only visiting here, so I can't see what you type. Play with the buttons or /move."
        )
    words = (
        reader.gettext(
            "Type it in this channel: `{placement}` places a piece, `{move}` moves a stack. "
            "I ignore normal chat."
        )
        if context.reads_messages
        else reader.gettext(
            "I can't read normal messages here. Reply to the board and keep @ ON, or begin with "
            "{bot}. `{placement}` places a piece, `{move}` moves a stack."
        )
    )
    return words.format(placement=_PLACEMENT_EXAMPLE, move=_MOVE_EXAMPLE, bot=user(context.bot))


def _names_of_spaces(reader: Reader, context: HelpContext) -> str:
    name = _PLACEMENT_EXAMPLE
    sentence = (
        reader.gettext("{name} is column {letter}, row {number}.")
        if reader.coordinates_or(context.coordinates) is Coordinates.STANDARD
        else reader.gettext("{name} is row {letter}, number {number}.")
    )
    other = reader.gettext(
        "With `more`, {challenge} lets you choose: *standard* goes from a1 to k5, *pergioco* from "
        "e1 to a11."
    )
    sentences = [
        sentence.format(name=name, letter=name[0], number=name[1:]),
        other.format(challenge=context.command("challenge")),
    ]
    if reader.coordinates_or(context.coordinates) is not context.coordinates:
        sentences.append(
            reader.gettext(
                "You chose these names in {settings}. Use them in forms and commands. In "
                "messages, use those on the channel's board."
            ).format(settings=context.command("settings"))
        )
    return " ".join(sentences)


def _channel_notes(reader: Reader, context: HelpContext) -> list[str]:
    notes = []
    if context.slowmode:
        notes.append(
            reader.gettext("Slowmode is on, so typed moves may have to wait. Buttons don't.")
        )
    venue = context.venue
    if context.obstacle is not None:
        notes.append(refusal(reader, context.obstacle))
    elif venue.thread_possible:
        notes.append(reader.gettext("One game at a time here. The next one gets a thread."))
    elif venue.home != venue.channel:
        notes.append(
            reader.gettext(
                "The thread holds one game. For another, use {challenge} in {home}."
            ).format(challenge=context.command("challenge"), home=channel(venue.home))
        )
    elif not venue.is_direct:
        notes.append(reader.gettext("One game per channel."))
    if venue.visiting and context.game is not None:
        _, *about_time = while_visiting(reader, context.game.row.clock)
        notes += about_time
    if not notes:
        return []
    return [reader.gettext("**This channel.** {notes}").format(notes=" ".join(notes))]


def _more(reader: Reader, context: HelpContext) -> _Page:
    challenge, free = context.command("challenge"), LESSONS["placement"].position.legal_moves()
    several = reader.gettext(
        "**Placing several pieces.** Type several spaces, such as `{list}`. I place the first "
        "now, the rest on your next turns. {plan} does it in secret. It takes answers to moves, "
        "too: `{answer}`. In a hurry? Press *Fill at random* under the board."
    ).format(
        answer=reader.gettext("if {moves} then {reply}").format(moves="d2-d4", reply="e3-e5"),
        list=" ".join(context.coordinates.label(move.target) for move in free[:3]),
        plan=context.command("plan"),
    )
    start = reader.gettext(
        "**How games start.** Usually the board is full, and fair to both. With `more`, "
        "{challenge} lets you choose an empty one: *placement*."
    ).format(challenge=challenge)
    names = reader.gettext("**Names of spaces.** {names}").format(
        names=_names_of_spaces(reader, context)
    )
    return _Page(
        reader.gettext("More"), [names, several, start, by_ear(reader, context.command)], None
    )
