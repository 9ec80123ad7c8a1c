"""A game's page: everything about one game, privately; and the list of one's games."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from bot.base.formats import day_text
from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.base.languages import Reader
from bot.connection import posts
from bot.play.model.courses import Spot, course_of, first_ply
from bot.play.model.game import Game, GameRow
from bot.play.model.terms import How
from bot.play.store.games import EndedGame
from bot.play.use_cases.past_games import EndedGames
from bot.play.words.boards import as_text_button, look, move_button, standing, type_button
from bot.play.words.events import hints_line, result
from bot.play.words.private_answers import running_games
from bot.play.words.views import board_button, how_to_play, record_id, to_page, to_replay
from dvonn import GameRecord
from dvonn.formats import FORMATS, write_records

OWN_FORMAT = next(iter(FORMATS))


@dataclass(frozen=True, slots=True)
class PageAsker:
    """The one for whom a game's page is made."""

    user: UserId
    has_machine: bool
    """True if they could play the machine here, and ask it."""


GamePagePart = Callable[[Reader, Game, PageAsker], Sequence[posts.Button]]
"""Buttons of a game's page."""
Listed = Sequence[tuple[Game, tuple[ChannelId, MessageId] | None]]
"""Running games, each with where its newest board stands."""


def game_page(
    reader: Reader,
    game: Game,
    newest: tuple[ChannelId, MessageId] | None,
    asker: PageAsker,
    parts: Iterable[GamePagePart],
) -> posts.Post:
    board, plies = look(reader, game), course_of(game).plies - first_ply(game)
    lines = [standing(reader, game)]
    if game.outcome is not None:
        lines.append(result(reader, game, game.outcome))
    about = []
    if plies:
        about.append(reader.ngettext("{count} move", "{count} moves", plies).format(count=plies))
    if newest is not None:
        url = posts.link(game.row.guild, *newest)
        about.append(reader.gettext("[Go to board]({url})").format(url=url))
    if game.row.rated and game.is_running:  # its end tells whether it was
        about.append(reader.gettext("rated"))
    lines += [" · ".join(about), *hints_line(reader, game)]
    picture = board.picture
    if picture is not None:  # a board is known by its picture's name
        picture = replace(picture, filename=f"page-{picture.filename}")
    return posts.Post(
        content="\n".join(lines),
        picture=picture,
        buttons=tuple(button for part in parts for button in part(reader, game, asker)),
    )


def moves_of_page(reader: Reader, game: Game, _asker: PageAsker) -> tuple[posts.Button, ...]:
    if not (replay := to_replay(reader, game)):
        return ()
    return (*replay, posts.Button(reader.gettext("Record"), record_id(Spot(game.row.id))))


def ways_of_page(reader: Reader, game: Game, asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the buttons of a game that goes on which its board has no room for."""
    if not game.is_running:
        return ()
    ways = []
    if game.to_move == asker.user:
        if game.offered is not None:
            ways.append(move_button(reader, game))
        ways.append(type_button(reader, game))
    elif game.is_voted:
        ways.append(type_button(reader, game))
    if game.seat(asker.user) is not None:
        if game.is_placing and game.offered is None:
            ways.append(board_button(game, reader.gettext("Fill at random"), "fill"))
        ways.append(board_button(game, reader.gettext("Resign"), "resign"))
    return (*ways, how_to_play(reader))


def text_of_page(reader: Reader, game: Game, _asker: PageAsker) -> tuple[posts.Button, ...]:
    return (as_text_button(reader, game),)


def record(reader: Reader, game: Game, found: GameRecord, form: str = OWN_FORMAT) -> posts.Post:
    """Return a record; of other programs none can tell of a game from a position."""
    is_whole = not found.start.stacks
    form = form if is_whole else OWN_FORMAT
    text = write_records([found], form)
    words = reader.gettext("The record, as text and as a file:")
    body = f"{words}\n```\n{text.rstrip()}\n```"
    forms = tuple(
        posts.Option(one.title, name, chosen=name == form) for name, one in FORMATS.items()
    )
    return posts.Post(
        content=body if len(body) <= posts.CONTENT_LIMIT else words,
        file=posts.File(f"dvonn-{game.row.id}{FORMATS[form].suffix}", text.encode()),
        selects=(
            (posts.Select(f"dvonn:record:{game.row.id}", reader.gettext("Other programs"), forms),)
            if is_whole
            else ()
        ),
        buttons=(to_page(reader, game.row.id),),
    )


def games_list(
    reader: Reader, running: Listed, ended: EndedGames, guild: GuildId, asker: UserId
) -> posts.Post:
    """List those that run, on the first page alone, and a page of those that are over."""
    if not ended.games:
        post = running_games(reader, running, guild, asker)
        return replace(post, selects=_choice(reader, running, (), asker))
    lines = running_games(reader, running, guild, asker).content.split("\n") if running else []
    lines.append(reader.gettext("**Finished**"))
    for number, one in enumerate(ended.games, start=1):
        opponent = one.row.black if asker == one.row.white else one.row.white
        lines.append(
            reader.gettext("{number}. vs {opponent}: {result} · {when}").format(
                number=number,
                opponent=posts.user(opponent),
                result=_outcome(reader, one.row, asker),
                when=posts.instant(one.at, relative=True),
            )
        )
    return posts.Post(
        content=posts.fit(reader, lines),
        selects=_choice(reader, running, ended.games, asker),
        buttons=_pages(reader, ended),
    )


def _choice(
    reader: Reader, running: Listed, ended: Sequence[EndedGame], asker: UserId
) -> tuple[posts.Select, ...]:
    options = [
        posts.Option(
            reader.gettext("{number}. {result}, {date}").format(
                number=number,
                result=_outcome(reader, one.row, asker),
                date=day_text(reader, one.at),
            ),
            str(one.row.id),
        )
        for number, one in enumerate(ended, start=1)
    ]
    options += [
        posts.Option(
            reader.gettext("Running game {number}").format(number=number), str(game.row.id)
        )
        for number, (game, _) in enumerate(running, start=1)
    ]
    if not options:
        return ()
    placeholder = reader.gettext("Open a game: review, replay, record")
    return (posts.Select("dvonn:games:open", placeholder, tuple(options[:_MOST_OPTIONS])),)


_MOST_OPTIONS = 25


def _pages(reader: Reader, ended: EndedGames) -> tuple[posts.Button, ...]:
    if not (ended.has_newer or ended.has_older):
        return ()
    first, last = ended.games[0].row.id, ended.games[-1].row.id
    return (
        posts.Button(
            reader.gettext("Newer"), f"dvonn:games:after:{first}", disabled=not ended.has_newer
        ),
        posts.Button(
            reader.gettext("Older"), f"dvonn:games:before:{last}", disabled=not ended.has_older
        ),
    )


def _outcome(reader: Reader, row: GameRow, asker: UserId) -> str:
    outcome = row.outcome
    assert outcome is not None  # it is over  # noqa: S101
    if not outcome.has_result:
        return reader.gettext("no result")
    if outcome.winner is None:
        return reader.gettext("draw")
    has_won = (row.white if outcome.winner == "W" else row.black) == asker
    match outcome.how:
        case How.COUNT:
            words = (
                reader.gettext("won by {margin}") if has_won else reader.gettext("lost by {margin}")
            )
            return words.format(margin=outcome.margin)
        case How.TIME:
            return reader.gettext("won on time") if has_won else reader.gettext("lost on time")
        case _:
            return reader.gettext("won") if has_won else reader.gettext("lost")
