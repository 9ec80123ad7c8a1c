"""How to play here, and the rules in short, page by page, each with a picture."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.locales import Reader
from bot.messages import pie
from bot.messages.boards import standing
from bot.messages.challenges import play_me
from bot.messages.pictures import Boards, picture
from bot.messages.posts import CONTENT_LIMIT, Button, ButtonStyle, Post, channel, command, user
from bot.messages.refusals import refusal
from bot.messages.troubles import Status, status
from bot.model.conduct import Venue
from bot.model.game import Choosing, Game
from bot.model.ids import UserId
from bot.model.refusals import PlayError
from dvonn import POINTS, Color, Coordinates, Position
from renderer import LESSONS, Lesson

FIRST_PAGE: Final = "play"
PAGES: Final = (FIRST_PAGE, *LESSONS)
"""The names of all pages, in the order in which they are best read."""
STATUS_PAGE: Final = "status"
"""The name of the page that tells how the bot is; it has no number."""

_PLACEMENT_EXAMPLE, _MOVE_EXAMPLE = "d2", "d2-d4"
"""Well-formed in both coordinate systems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where help is asked for, and by whom."""

    asker: UserId
    bot: UserId
    game: Game | None
    """The game that is running here."""
    reads_messages: bool
    """Whether the bot reads plain messages: it has the Message Content intent."""
    has_machine: bool
    """Whether the bot itself can be played."""
    slowmode: bool
    venue: Venue
    obstacle: PlayError | None
    """Why no game can be started here, if so."""
    command_ids: Mapping[str, int]
    """Discord's ids of our commands, as far as they are known."""

    @property
    def coordinates(self) -> Coordinates:
        """The system in which spaces are named here."""
        return Coordinates.STANDARD if self.game is None else self.game.row.coordinates

    @property
    def can_play_machine(self) -> bool:
        """Whether whoever asks can begin a game against the machine here."""
        return self.has_machine and self.game is None and self.obstacle is None

    def command(self, name: str) -> str:
        """A command's name, to be clicked."""
        return command(name, self.command_ids)


@dataclass(frozen=True, slots=True)
class _Page:
    title: str
    paragraphs: list[str]
    lesson: Lesson
    """What its picture shows."""
    picture: Boards | None = None
    """What it shows instead."""


def help_page(reader: Reader, name: str, around: Surroundings, also: Sequence[str]) -> Post:
    """One page, with buttons to those before and after it.

    Args:
        reader: Whoever asks.
        name: One of `PAGES`; for any other, as of an older bot, the first page is shown.
        around: Where help is asked for.
        also: Sentences about further commands, each by its own module.
    """
    number = PAGES.index(name) if name in PAGES else 0
    page = _page(reader, PAGES[number], around, also)
    heading = reader.gettext("### {title} ({number} of {count})").format(
        title=page.title, number=number + 1, count=len(PAGES)
    )
    buttons = []
    if number > 0:
        buttons.append(Button(reader.gettext("Back"), help_button_id(PAGES[number - 1])))
    if number + 1 < len(PAGES):
        following = PAGES[number + 1]
        label = reader.gettext("Next: {title}").format(
            title=_page(reader, following, around, also).title
        )
        buttons.append(Button(label, help_button_id(following), ButtonStyle.PRIMARY))
    if around.can_play_machine:
        buttons.append(play_me(reader))
    if number == 0:
        buttons.append(Button(reader.gettext("Is the bot OK?"), help_button_id(STATUS_PAGE)))
    return Post(
        content="\n".join([heading, *page.paragraphs])[:CONTENT_LIMIT],
        picture=page.picture
        or picture(
            reader,
            _filename(page.lesson.name),
            page.lesson.position,
            around.coordinates,
            last=page.lesson.last,
            marks=page.lesson.marks,
        ),
        buttons=tuple(buttons),
    )


def status_page(reader: Reader, now: Status) -> Post:
    """How the bot is, with a button back to the first page."""
    back = Button(reader.gettext("Back"), help_button_id(FIRST_PAGE))
    return replace(status(reader, now), buttons=(back,))


def help_button_id(page: str) -> str:
    """The id of a button that leads to a page."""
    return f"dvonn:help:{page}"


def _page(reader: Reader, name: str, around: Surroundings, also: Sequence[str]) -> _Page:
    if name == FIRST_PAGE:
        return _play(reader, around, also)
    return _LESSON_PAGES[name](reader, LESSONS[name], around)


def _filename(page: str) -> str:
    return f"dvonn-help-{page}.png"


# How to play here


def _play(reader: Reader, around: Surroundings, also: Sequence[str]) -> _Page:
    game = around.game
    position, last = (Position.initial(), None) if game is None else (game.position, game.last)
    return _Page(
        reader.gettext("How to play here"),
        [
            _what_runs(reader, around),
            reader.gettext(
                "**Your turn.** I ping you when it comes. Then choose whatever suits you:"
            ),
            *(f"- {way}" for way in _ways_to_play(reader, around)),
            reader.gettext("**Also useful.**"),
            *(f"- {way}" for way in also),
            reader.gettext("**Names of spaces.** {names}").format(
                names=_names_of_spaces(reader, around)
            ),
            *_about_the_channel(reader, around),
        ],
        Lesson(FIRST_PAGE, position, last),
        _boards(reader, game),
    )


def _boards(reader: Reader, game: Game | None) -> Boards | None:
    """The boards to choose from, where a game has not come further."""
    if game is None or game.choosing is not Choosing.BOARD:
        return None
    return pie.picture(reader, game, _filename(FIRST_PAGE))


def _what_runs(reader: Reader, around: Surroundings) -> str:
    if around.game is None:
        sentences = [reader.gettext("No game is running here.")]
        if around.obstacle is None:
            play, challenge = around.command("play"), around.command("challenge")
            if around.has_machine:
                words = reader.gettext("{play} starts one against me.")
                sentences.append(words.format(play=play))
            if not around.venue.is_direct:
                words = reader.gettext("{challenge} invites a friend, or anyone.")
                sentences.append(words.format(challenge=challenge))
        sentences.append(reader.gettext("New to DVONN? The rules come on the next pages."))
        return " ".join(sentences)
    words = reader.gettext("A game is running here. {standing}").format(
        standing=standing(reader, around.game)
    )
    if around.game.to_move == around.asker:
        words += " " + reader.gettext("That is you!")
    return words


def _ways_to_play(reader: Reader, around: Surroundings) -> list[str]:
    buttons = reader.gettext("Press *Place* or *Move* under the board, and tap what you want.")
    typing = (
        reader.gettext(
            "Type it in this channel: `{placement}` places a piece there, `{move}` moves that "
            "stack. Whatever else you write is left alone."
        )
        if around.reads_messages
        else reader.gettext(
            "I cannot read plain messages here. Reply to the board with your move and leave the "
            "ping on, or write it after {bot}: `{placement}` places a piece there, `{move}` moves "
            "that stack."
        )
    ).format(placement=_PLACEMENT_EXAMPLE, move=_MOVE_EXAMPLE, bot=user(around.bot))
    slash = reader.gettext(
        "Use {move}: it offers what is legal and says what each move does."
    ).format(move=around.command("move"))
    ways = [buttons, typing, slash]
    game = around.game
    if game is not None and game.choosing is not None and game.to_move == around.asker:
        ways.insert(0, pie.how_to_choose(reader, game))
    return ways


def _names_of_spaces(reader: Reader, around: Surroundings) -> str:
    """How to read a space's name here, and that there is another way."""
    name = _PLACEMENT_EXAMPLE
    sentence = (
        reader.gettext(
            "{name} is column {letter}, row {number}, as the labels around the board show."
        )
        if around.coordinates is Coordinates.STANDARD
        else reader.gettext(
            "{name} is row {letter}, number {number}, as the labels around the board show."
        )
    )
    other = reader.gettext(
        "The option `coordinates` of {challenge} chooses: *standard* goes from a1 to k5, "
        "*pergioco* from e1 to a11."
    )
    return " ".join(
        [
            sentence.format(name=name, letter=name[0], number=name[1:]),
            other.format(challenge=around.command("challenge")),
        ]
    )


def _about_the_channel(reader: Reader, around: Surroundings) -> list[str]:
    notes = []
    if around.slowmode:
        notes.append(
            reader.gettext(
                "Slowmode is on here: what you type may have to wait, buttons and commands do not."
            )
        )
    venue = around.venue
    if around.obstacle is not None:
        notes.append(refusal(reader, around.obstacle))
    elif venue.thread_possible:
        notes.append(
            reader.gettext(
                "One game at a time runs in a channel; the next gets a thread of its own."
            )
        )
    elif venue.home != venue.channel:
        notes.append(
            reader.gettext(
                "A thread has one game at a time; for another, {challenge} in {home}."
            ).format(challenge=around.command("challenge"), home=channel(venue.home))
        )
    else:
        notes.append(reader.gettext("One game at a time runs in this channel."))
    return [reader.gettext("**This channel.** {notes}").format(notes=" ".join(notes))]


# The rules, each page with the lesson that its picture shows


def _placement(reader: Reader, lesson: Lesson, around: Surroundings) -> _Page:
    position, label = lesson.position, around.coordinates.label
    assert lesson.last is not None  # its picture is of a placement  # noqa: S101
    shown = reader.gettext(
        "In the picture {count} pieces are placed, the last one on {last}, inside the yellow line. "
        "Free spaces show their names: `{example}` places a piece on {example}."
    ).format(
        count=position.plies,
        last=label(lesson.last.target),
        example=label(position.legal_moves()[0].target),
    )
    several = reader.gettext(
        "Name several, such as `{list}`, and I place the first and keep the rest for your next "
        "turns, as far as they are free then. {plan} does so unseen by others. *Fill at random* "
        "under the board suggests that I place all that is left."
    ).format(
        list=" ".join(label(move.target) for move in position.legal_moves()[:3]),
        plan=around.command("plan set"),
    )
    random = reader.gettext(
        "Games usually start on a ready-made board. The option `start` of {challenge} chooses: "
        "*placement* is the empty board, *balanced* and *symmetric* are random boards, and *pie* "
        "gives three of them: one of you picks a board, the other a colour."
    ).format(challenge=around.command("challenge"))
    return _Page(
        reader.gettext("Placing"),
        [
            reader.gettext(
                "White and Black place one piece in turn, on any free space. The first three are "
                "the red **DVONN pieces**: White places one, Black one, White one."
            ),
            reader.gettext(
                "Then Black and White place their own, Black first, until all {spaces} spaces are "
                "full. Nothing moves yet. Whose turn it is stands above the board."
            ).format(spaces=len(POINTS)),
            several,
            shown,
            random,
        ],
        lesson,
    )


def _movement(reader: Reader, lesson: Lesson, around: Surroundings) -> _Page:
    position, label = lesson.position, around.coordinates.label
    assert lesson.marks is not None  # its picture is of a choice  # noqa: S101
    source, landings = lesson.marks.source, lesson.marks.landings
    assert source is not None  # the same  # noqa: S101
    height = position.height(source)
    shown = reader.ngettext(
        "In the picture the stack on {source}, inside the yellow line, is {height} high. It can go "
        "{height} space, to one of the blue circles: {targets}.",
        "In the picture the stack on {source}, inside the yellow line, is {height} high. It can go "
        "{height} spaces, to one of the blue circles: {targets}.",
        height,
    ).format(
        source=label(source),
        height=height,
        targets=", ".join(map(label, landings)),
    )
    return _Page(
        reader.gettext("Moving"),
        [
            reader.gettext(
                "When the board is full, White begins, and you move in turn. A stack belongs to "
                "whoever has the piece on top; a single piece is a stack of one. Move one whole "
                "stack of yours:"
            ),
            "- "
            + reader.gettext(
                "in a straight line, in one of the six directions, over stacks and empty spaces;"
            ),
            "- "
            + reader.gettext(
                "exactly as many spaces as it has pieces: one piece goes 1 space, five go 5;"
            ),
            "- "
            + reader.gettext(
                "onto a red piece or another stack, no matter whose, never an empty space."
            ),
            reader.gettext(
                "Both are one stack then, and yours. A red piece alone never moves; under a piece "
                "of yours it goes along."
            ),
            shown,
            reader.gettext(
                "Numbers are heights. A red diamond at a stack's foot is a red piece inside."
            ),
        ],
        lesson,
    )


def _surrounded(reader: Reader, lesson: Lesson, _around: Surroundings) -> _Page:
    position = lesson.position
    held = sum(
        position.is_surrounded(point) and position.owner(point) is not None
        for point in position.stacks
    )
    return _Page(
        reader.gettext("Surrounded"),
        [
            reader.gettext(
                "A stack with stacks on all six sides is surrounded: it cannot move until one of "
                "these sides becomes free."
            ),
            reader.gettext(
                "Spaces at the edge of the board have fewer than six sides, so stacks there are "
                "never surrounded. That is why only the pieces at the edge can move at first."
            ),
            reader.gettext(
                "In the picture the surrounded pieces are dimmed: {count} of them."
            ).format(count=held),
        ],
        lesson,
    )


def _cut(reader: Reader, lesson: Lesson, around: Surroundings) -> _Page:
    position, label, last = lesson.position, around.coordinates.label, lesson.last
    assert last is not None  # its picture is of a move  # noqa: S101
    assert last.source is not None  # the same  # noqa: S101
    gone = position.removed
    white, black = (
        sum(len(pieces) for pieces in gone.values() if pieces[-1] == color) for color in Color
    )
    shown = reader.gettext(
        "In the picture the stack on {source} has moved to {target}. The stacks on {gone}, shown "
        "with dashed lines, were joined to a red piece only through {source}: they are gone, and "
        "White has lost {white} pieces, Black {black}."
    ).format(
        source=label(last.source),
        target=label(last.target),
        gone=", ".join(map(label, gone)),
        white=white,
        black=black,
    )
    return _Page(
        reader.gettext("Cut off"),
        [
            reader.gettext(
                "After each move every stack must still be joined to a red piece: it has one "
                "inside, touches one, or touches a stack that is joined."
            ),
            reader.gettext(
                "Whatever is not joined leaves the board at once and for good, yours and your "
                "opponent's alike. So stay near the red pieces, and look what your moves cut off."
            ),
            shown,
        ],
        lesson,
    )


def _end(reader: Reader, lesson: Lesson, around: Surroundings) -> _Page:
    position = lesson.position
    white, black = (position.score(color) for color in Color)
    sentence = (
        reader.gettext("In the picture White wins, {white} to {black}.")
        if position.winner is Color.WHITE
        else reader.gettext("In the picture Black wins, {black} to {white}.")
    )
    return _Page(
        reader.gettext("The end"),
        [
            reader.gettext(
                "You must move if you can. If you cannot, I pass for you, and as soon as you can "
                "again, you move again. When neither of you can move, the game is over."
            ),
            reader.gettext(
                "Each of you counts the pieces in your own stacks, of any colour, and the higher "
                "number wins. Red pieces alone count for nobody. During the game these numbers "
                "stand above the board."
            ),
            sentence.format(white=white, black=black),
            reader.gettext("Ready? {challenge} somebody!").format(
                challenge=around.command("challenge")
            ),
        ],
        lesson,
    )


_LESSON_PAGES: Final[Mapping[str, Callable[[Reader, Lesson, Surroundings], _Page]]] = {
    "placement": _placement,
    "movement": _movement,
    "surrounded": _surrounded,
    "cut": _cut,
    "end": _end,
}
