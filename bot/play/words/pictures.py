"""Pictures to render, with the theme and language of a reader."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from gettext import NullTranslations
from typing import Any

import renderer
from bot.base.ids import GameId, GuildId, Revision, UserId
from bot.base.languages import Reader
from bot.connection.posts import NameOf, PlainPicture, Renderable, SpokenPart, mention
from bot.play.model.game import Game
from bot.play.model.terms import Start
from bot.play.model.turn_lines import turn_lines
from bot.play.words.characters import character
from bot.play.words.names import capitalized, names_of_colors
from dvonn import Color, Coordinates, Move, Phase, Position, Review
from dvonn._records.diagram import to_diagram

_ALT_LIMIT = 1_024
"""Maximum number of characters in a picture's alternative text (Discord's limit)."""
_PICTURE = re.compile(r"dvonn-([0-9]{1,18})-([0-9]{1,9})\.png")


@dataclass(frozen=True, slots=True)
class Seats:
    """A game's players and server, for looking up the players' names."""

    guild: GuildId
    white: UserId
    black: UserId
    machine: UserId | None = None
    level: int | None = None

    def names(self, name_of: NameOf) -> tuple[str, str]:
        """Return the names of White and Black, or "" if unknown."""
        return self._name(self.white, name_of), self._name(self.black, name_of)

    def _name(self, player: UserId, name_of: NameOf) -> str:
        if player == self.machine and self.level is not None:
            return character(self.level)
        return name_of(self.guild, player)


def with_names(caption: renderer.Caption, seats: Seats | None, name_of: NameOf) -> renderer.Caption:
    if seats is None:
        return caption
    white, black = seats.names(name_of)
    return replace(caption, white=white, black=black)


@dataclass(frozen=True, slots=True)
class Picture(Renderable):
    """A board to render, with a description for people who cannot see it."""

    position: Position
    coordinates: Coordinates
    look: renderer.Look
    last: Move | None
    marks: renderer.Marking | None = None
    caption: renderer.Caption = renderer.NO_CAPTION
    """Text above the board, apart from the players' names."""
    seats: Seats | None = None
    """The players named in the picture, if it shows a game."""
    you: Color | None = None
    """The only reader's color. The description addresses that player as "you"."""
    spoken_part: SpokenPart = SpokenPart.ALL

    def described(self, name_of: NameOf, part: SpokenPart = SpokenPart.ALL) -> str:
        if part is SpokenPart.NOTHING:
            return ""
        return described(
            self.look,
            self.position,
            self.coordinates,
            last=self.last,
            marks=self.marks,
            caption=replace(with_names(self.caption, self.seats, name_of), you=self.you),
            news=part is SpokenPart.ALL,
        )

    def spoken_text(self, name_of: NameOf) -> str:
        return self.described(name_of, self.spoken_part)

    def rendering(self, name_of: NameOf) -> Callable[[], bytes]:
        return partial(
            renderer.render,
            self.position,
            coordinates=self.coordinates,
            last=self.last,
            marks=self.marks,
            caption=with_names(self.caption, self.seats, name_of),
            look=self.look,
        )


@dataclass(frozen=True, slots=True)
class Themes(PlainPicture):
    """All available themes, rendered as one picture, with their names."""

    look: renderer.Look

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        return partial(renderer.theme_sheet, words=self.look.words)


def picture_name(game: GameId, revision: Revision) -> str:
    """Return the file name of a board's picture, which lets the bot recognize its own boards."""
    return f"dvonn-{game}-{revision}.png"


@dataclass(frozen=True, slots=True)
class Film:
    """A game to render as an animated picture or as a separate page."""

    filename: str
    reel: renderer.Reel
    look: renderer.Look
    seats: Seats | None = None
    """The players named above the board, if the film shows a game."""
    review: Review | None = None
    """The game's review, if its page shows it."""
    language: str = "en"

    def animation(self, name_of: NameOf) -> Callable[[], bytes]:
        caption = with_names(self.reel.caption, self.seats, name_of)
        return partial(renderer.animate, self.reel, caption=caption, look=self.look)

    def page(self, name_of: NameOf) -> Callable[[], str]:
        return partial(
            renderer.replay_page,
            self.reel,
            caption=with_names(self.reel.caption, self.seats, name_of),
            review=self.review,
            look=self.look,
            language=self.language,
        )


def seats(game: Game) -> Seats:
    row = game.row
    return Seats(row.guild, row.white, row.black, row.machine, row.level)


def turn_of_picture(name: str) -> tuple[GameId, Revision] | None:
    """Return a board's game and revision from its picture's name, or None for other pictures."""
    match = _PICTURE.fullmatch(name)
    return None if match is None else (GameId(int(match[1])), Revision(int(match[2])))


def look_of(reader: Reader, played: Game | Color | None = None) -> renderer.Look:
    """Return the look of pictures for a reader, with their theme and language.

    The board is turned if the reader plays Black and wants their own side at the bottom. `played`
    is the game, or the color of a user on their own board.
    """
    words = _words_of(reader.locale, reader.catalogue)
    return renderer.Look(theme=reader.theme, words=words, turned=is_turned(reader, played))


def is_turned(reader: Reader, played: Game | Color | None) -> bool:
    """Return True if a reader sees a board with Black's side at the bottom."""
    if reader.player is None:
        return False
    return (
        played is Color.BLACK if not isinstance(played, Game) else reader.player == played.row.black
    )


@lru_cache(maxsize=64)
def _words_of(locale: str, catalogue: NullTranslations) -> renderer.Words:
    reader = Reader(locale, catalogue)
    words: Any = {field.name: _translate(reader, field.name) for field in fields(renderer.Words)}
    return renderer.Words(**words)


def picture(
    reader: Reader,
    filename: str,
    position: Position,
    coordinates: Coordinates,
    *,
    last: Move | None = None,
    marks: renderer.Marking | None = None,
    game: Game | None = None,
    seen_in: Game | Color | None = None,
    you: Color | None = None,
    spoken: SpokenPart = SpokenPart.ALL,
) -> Picture:
    """Return a picture of a position in the reader's look, described for screen readers.

    A picture of a `game` shows how it ended, above the board. `seen_in` (a game, or the reader's
    color) decides whether other pictures are turned. Both show the names of the game's players.
    Moves are numbered only in a game. If `you` is a color, its player is the only reader.
    """
    look, caption, players = look_of(reader, game or seen_in), renderer.Caption(counted=False), None
    if game is not None:
        caption = caption_of(game)
        players = seats(game)
        you = caption.you if you is None else you
    elif isinstance(seen_in, Game):
        caption = renderer.Caption(dealt=seen_in.first_ply)
        players = seats(seen_in)
    return Picture(
        filename, position, coordinates, look, last, marks, caption, players, you, spoken
    )


def described(
    look: renderer.Look,
    position: Position,
    coordinates: Coordinates,
    *,
    last: Move | None = None,
    marks: renderer.Marking | None = None,
    caption: renderer.Caption = renderer.NO_CAPTION,
    aids: bool = True,
    board: bool = True,
    news: bool = True,
) -> str:
    """Describe a board with a given look in words."""
    return cut(
        renderer.describe(
            position,
            coordinates=coordinates,
            last=last,
            marks=marks,
            caption=caption,
            turned=look.turned,
            aids=aids,
            board=board,
            news=news,
            words=look.words,
        )
    )


def caption_aloud(game: Game, reads: UserId | None) -> renderer.Caption:
    """Return a game's caption for a text that mentions the players. One may be the only reader."""
    caption = with_names(caption_of(game), seats(game), mention)
    return replace(caption, you=None if reads is None else game.seat(reads))


def caption_of(game: Game) -> renderer.Caption:
    """Return the text above a game's board, apart from the players' names."""
    if game.outcome is None:
        return renderer.Caption(
            dealt=game.first_ply,
            you=only_person(game),
            face=game.row.level,
            machine=_machine(game),
            # On a board taken from another game, the next move is not the first.
            counted=game.row.start is not Start.POSITION or game.position.plies > 0,
        )
    return renderer.Caption(
        ending=renderer.Ending(game.outcome.reason.value),
        winner=game.outcome.winner,
        scores=_scores(game),
        dealt=game.first_ply,
        face=game.row.level,
        machine=_machine(game),
    )


def _machine(game: Game) -> Color | None:
    """Return the machine's color, if it plays."""
    row = game.row
    if row.machine is None:
        return None
    return Color.WHITE if row.machine == row.white else Color.BLACK


def only_person(game: Game) -> Color | None:
    """Return the color of the only person in a game against the machine."""
    row = game.row
    if row.machine is None or row.vote is not None:
        return None
    return Color.BLACK if row.machine == row.white else Color.WHITE


def _scores(game: Game) -> tuple[tuple[int, int], ...]:
    """Return White's and Black's counts for each move since the board was full."""
    positions = [game.base]
    for ply in game.line[game.settled :]:
        positions.append(positions[-1].play(ply.move))
    return tuple(
        (position.score(Color.WHITE), position.score(Color.BLACK))
        for position in positions
        if position.phase is not Phase.PLACEMENT
    )


def themes(reader: Reader, filename: str) -> Themes:
    look = look_of(reader)
    return Themes(filename, cut(renderer.describe_themes(words=look.words)), look)


def position_as_text(
    reader: Reader,
    position: Position,
    coordinates: Coordinates,
    *,
    last: Move | None = None,
    marks: renderer.Marking | None = None,
    caption: renderer.Caption = renderer.NO_CAPTION,
    turned: bool = False,
) -> str:
    """Describe a position in words, followed by a diagram, which screen readers can't read."""
    look = replace(look_of(reader), turned=turned)
    description = described(look, position, coordinates, last=last, marks=marks, caption=caption)
    return f"{description}\n{diagram(reader, position, coordinates, turned=turned)}"


def film_in_words(film: Film, name_of: NameOf) -> str:
    """Describe an animation's last board, for people who can't see it."""
    reel = film.reel
    return described(
        film.look,
        reel.positions[-1],
        reel.coordinates,
        last=reel.moves[-1] if reel.moves else None,
        caption=with_names(reel.caption, film.seats, name_of),
        aids=False,
    )


def diagram(
    reader: Reader, position: Position, coordinates: Coordinates, *, turned: bool = False
) -> str:
    """Return a position as a diagram of letters and digits, with a key and whose turn it is."""
    text = to_diagram(position, coordinates, legend=False, turned=turned)
    rows, turn = text.rstrip("\n").rsplit("\n", maxsplit=1)
    return "\n".join(["```", rows, *_letters(reader), turn_lines(reader)[turn], "```"])


def _letters(reader: Reader) -> list[str]:
    """Return a diagram's key, in languages whose words start with other letters."""
    words = {
        "W": reader.gettext("White"),
        "B": reader.gettext("Black"),
        "R": reader.gettext("Red"),
    }
    if all(word.startswith(letter) for letter, word in words.items()):
        return []
    return [", ".join(f"{letter} = {word}" for letter, word in words.items())]


def _translate(reader: Reader, field: str) -> str | renderer.PerColor:
    words: str | renderer.PerColor = getattr(renderer.ENGLISH, field)
    if isinstance(words, str):
        return reader.gettext(words)
    about_player: str | None = getattr(renderer.ENGLISH, f"player_{field}", None)
    if about_player is None:
        return renderer.PerColor(reader.gettext(words.white), reader.gettext(words.black))
    sentence, colors = reader.gettext(about_player), names_of_colors(reader)
    white, black = (
        capitalized(sentence.replace("{player}", colors.name(color))) for color in Color
    )
    return renderer.PerColor(white, black)


def cut(words: str) -> str:
    """Shorten an alternative text to Discord's limit. In English every position fits."""
    return words if len(words) <= _ALT_LIMIT else f"{words[: _ALT_LIMIT - 1]}…"
