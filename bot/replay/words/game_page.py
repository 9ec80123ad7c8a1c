"""Private pages: a game, its replay, and the list of the user's games."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.base.formats import day_text, duration, with_explanation
from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.base.languages import Reader
from bot.connection import posts
from bot.play.model.game import Game, GameRow
from bot.play.model.terms import EndReason
from bot.play.store.games import EndedGame
from bot.play.use_cases.offers import may_undo, no_gift
from bot.play.use_cases.own_games import ListedGame
from bot.play.words.boards import as_text_button, board_view, standing, type_button
from bot.play.words.events import hints_line, result
from bot.play.words.moves import passes
from bot.play.words.names import player_name
from bot.play.words.notices import running_games
from bot.play.words.pictures import Film, film_in_words
from bot.play.words.views import (
    assumed_inside,
    board_button,
    how_to_play,
    to_page,
    to_replay,
    whose_turn,
)
from bot.replay.model.replays import MoveSequence, ReplayCursor, ReplayView, sequence_of
from bot.replay.use_cases.history import EndedGames
from bot.replay.words import views
from bot.replay.words.play_from import play_from
from bot.replay.words.views import record_id
from dvonn import GameRecord
from dvonn.formats import FORMATS, write_records

OWN_FORMAT = next(iter(FORMATS))


@dataclass(frozen=True, slots=True)
class PageAsker:
    """The user who asked for a game's page."""

    user: UserId
    has_machine: bool
    """True if users can play the machine here, and ask it for hints."""
    may_end: bool = False
    """True if the user started a team game and can end it."""
    may_pause: bool = False
    """True if the user can suggest a pause."""
    may_resume: bool = False
    """True if the user can end a pause."""
    link: str = ""
    """Link to the game on the host's page of games, or empty without such a page."""


GamePagePart = Callable[[Reader, Game, PageAsker], Sequence[posts.Button]]
"""Returns buttons for a game's page."""


def game_page(
    reader: Reader,
    game: Game,
    newest: tuple[ChannelId, MessageId] | None,
    asker: PageAsker,
    parts: Iterable[GamePagePart],
) -> posts.Post:
    board, plies = board_view(reader, game), sequence_of(game).plies - game.first_ply
    lines = [standing(reader, game)]
    if game.outcome is not None:
        lines.append(result(reader, game, game.outcome))
    notes = []
    if plies:
        notes.append(reader.ngettext("{count} move", "{count} moves", plies).format(count=plies))
    if newest is not None:
        url = posts.link(game.row.guild, *newest)
        notes.append(reader.gettext("[Go to board]({url})").format(url=url))
    if asker.link and game.is_running and game.to_move == asker.user:
        choose = reader.gettext("Choose on a board")
        notes.append(f"[{choose}](<{asker.link}>)")
    if game.row.rated and game.is_running:  # the text about the end says whether it was rated
        notes.append(reader.gettext("rated"))
    lines += [" · ".join(notes), *hints_line(reader, game)]
    picture = board.picture
    if picture is not None:  # a board is recognized by its picture's name
        picture = replace(picture, filename=f"page-{picture.filename}")
    return posts.Post(
        content="\n".join(lines),
        picture=picture,
        buttons=tuple(button for part in parts for button in part(reader, game, asker)),
    )


def page_replay(reader: Reader, game: Game, _asker: PageAsker) -> tuple[posts.Button, ...]:
    if not (replay := to_replay(reader, game)):
        return ()
    return (*replay, posts.Button(reader.gettext("Record"), record_id(ReplayCursor(game.row.id))))


def page_actions(reader: Reader, game: Game, asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the buttons that don't fit below a running game's board."""
    if not game.is_running:
        return ()
    buttons = []
    if game.to_move == asker.user or game.is_voted:
        buttons.append(type_button(reader, game))
    if may_undo(game, asker.user):
        buttons.append(board_button(game, reader.gettext("Undo"), "undo"))
    if game.seat(asker.user) is not None:
        if game.is_placing and game.offered is None:
            buttons.append(board_button(game, reader.gettext("Fill at random"), "fill"))
        buttons += _clock_buttons(reader, game, asker)
        buttons.append(board_button(game, reader.gettext("Resign"), "resign"))
    if asker.may_end:
        buttons.append(board_button(game, reader.gettext("End this game"), "abort"))
    return (*buttons, how_to_play(reader))


def _clock_buttons(reader: Reader, game: Game, asker: PageAsker) -> list[posts.Button]:
    """Return the buttons that change a game's clocks."""
    buttons, control = [], game.row.clock
    if control is not None and no_gift(game) is None:
        label = reader.gettext("Give {time}").format(time=duration(reader, control.gift))
        buttons.append(board_button(game, label, "give"))
    if asker.may_resume:
        buttons.append(board_button(game, reader.gettext("End the pause"), "resume"))
    elif asker.may_pause and control is not None and game.offered is None:
        buttons.append(board_button(game, reader.gettext("Pause"), "pause"))
    return buttons


def page_as_text(reader: Reader, game: Game, _asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the button for the board as text, which is shown to users of screen readers."""
    return (as_text_button(reader, game),) if reader.uses_screen_reader else ()


def record(
    reader: Reader, game: Game, game_record: GameRecord, form: str = OWN_FORMAT
) -> posts.Post:
    """Return a record as a message. Other programs' formats can't hold a game from a position."""
    is_whole = not game_record.start.stacks
    form = form if is_whole else OWN_FORMAT
    text = write_records([game_record], form)
    words = reader.gettext("The record, as text and as a file:")
    body = f"{words}\n```\n{text.rstrip()}\n```"
    forms = tuple(
        posts.Option(record_format.title, name, chosen=name == form)
        for name, record_format in FORMATS.items()
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


RUNNING_PER_PAGE: Final = 7
"""Number of running games per page. They always fit in one message."""


def games_list(
    reader: Reader,
    running: Sequence[ListedGame],
    ended: EndedGames,
    guild: GuildId,
    asker: UserId,
    page: int = 0,
) -> posts.Post:
    """Return a page of running games. If all of them fit on one page, ended games follow."""
    if len(running) > RUNNING_PER_PAGE:
        return _running_page(reader, running, guild, asker, page)
    post = running_games(reader, running, guild, asker)
    if not ended.games:
        return replace(post, selects=_game_select(reader, running, (), asker))
    lines = post.content.split("\n") if running else []
    lines += _ended_lines(reader, ended, asker)
    return posts.Post(
        content=posts.join_within_limit(reader, lines),
        selects=_game_select(reader, running, ended.games, asker),
        buttons=_pages(reader, ended),
    )


def ended_list(reader: Reader, ended: EndedGames, asker: UserId) -> posts.Post:
    """Return a page of ended games alone, with a button that shows the running ones."""
    lines = _ended_lines(reader, ended, asker)
    back = posts.Button(reader.gettext("Running games"), "dvonn:games:running:0")
    return posts.Post(
        content=posts.join_within_limit(reader, lines),
        selects=_game_select(reader, (), ended.games, asker),
        buttons=(*_pages(reader, ended), back),
    )


def _running_page(
    reader: Reader, running: Sequence[ListedGame], guild: GuildId, asker: UserId, page: int
) -> posts.Post:
    last = (len(running) - 1) // RUNNING_PER_PAGE
    page = min(page, last)
    first = page * RUNNING_PER_PAGE
    page_games = running[first : first + RUNNING_PER_PAGE]
    sentence = reader.gettext("**Running games** {first}–{last} of {total}")
    heading = sentence.format(first=first + 1, last=first + len(page_games), total=len(running))
    post = running_games(reader, page_games, guild, asker, first + 1)
    before = f"dvonn:games:running:{max(page - 1, 0)}"
    after = f"dvonn:games:running:{min(page + 1, last)}"
    return posts.Post(
        content=f"{heading}\n{post.content}",
        selects=_game_select(reader, page_games, (), asker, first + 1),
        buttons=(
            posts.Button(reader.gettext("Previous"), before, disabled=page == 0),
            posts.Button(reader.gettext("Next"), after, disabled=page == last),
            posts.Button(reader.gettext("Finished games"), "dvonn:games:ended:0"),
        ),
    )


def _ended_lines(reader: Reader, ended: EndedGames, asker: UserId) -> list[str]:
    if not ended.games:
        return [reader.gettext("You have no finished games here.")]
    lines = [f"**{reader.gettext('Finished games')}**"]
    for number, entry in enumerate(ended.games, start=1):
        opponent = entry.row.black if asker == entry.row.white else entry.row.white
        level = entry.row.level if opponent == entry.row.machine else None
        lines.append(
            reader.gettext("{number}. vs {opponent}: {result} · {when}").format(
                number=number,
                opponent=player_name(opponent, level),
                result=_outcome(reader, entry.row, asker),
                when=posts.timestamp(entry.at, relative=True),
            )
        )
    return lines


def _game_select(
    reader: Reader,
    running: Sequence[ListedGame],
    ended: Sequence[EndedGame],
    asker: UserId,
    first: int = 1,
) -> tuple[posts.Select, ...]:
    """Return the select that opens a game. Running games are numbered from `first`."""
    options = [
        posts.Option(
            f"{number}. {_outcome(reader, entry.row, asker)}, {day_text(reader, entry.at)}",
            str(entry.row.id),
        )
        for number, entry in enumerate(ended, start=1)
    ]
    options += [
        posts.Option(
            reader.gettext("Running game {number}").format(number=number), str(entry.game.row.id)
        )
        for number, entry in enumerate(running, start=first)
    ]
    if not options:
        return ()
    placeholder = reader.gettext("Open a game: replay, record and more")
    return (posts.Select("dvonn:games:open", placeholder, tuple(options[:_MOST_OPTIONS])),)


_MOST_OPTIONS = 25


def _pages(reader: Reader, ended: EndedGames) -> tuple[posts.Button, ...]:
    if not ended.games or not (ended.has_newer or ended.has_older):
        return ()
    first, last = ended.games[0].row.id, ended.games[-1].row.id
    return (
        posts.Button(
            reader.gettext("Previous"), f"dvonn:games:after:{first}", disabled=not ended.has_newer
        ),
        posts.Button(
            reader.gettext("Next"), f"dvonn:games:before:{last}", disabled=not ended.has_older
        ),
    )


def _outcome(reader: Reader, row: GameRow, asker: UserId) -> str:
    outcome = row.outcome
    assert outcome is not None  # it has ended # noqa: S101
    if not outcome.has_result:
        return reader.gettext("no result")
    if outcome.winner is None:
        return reader.gettext("draw")
    has_won = (row.white if outcome.winner == "W" else row.black) == asker
    match outcome.reason:
        case EndReason.COUNT:
            words = (
                reader.gettext("won by {margin}") if has_won else reader.gettext("lost by {margin}")
            )
            return words.format(margin=outcome.margin)
        case EndReason.TIME:
            return reader.gettext("won on time") if has_won else reader.gettext("lost on time")
        case _:
            return reader.gettext("won") if has_won else reader.gettext("lost")


_NEAR_MOVES: Final = 6
"""Number of moves before and after the current one in the select for jumps."""
_FAR_JUMP: Final = 10
"""Distance of the jumps by buttons."""
_FULL: Final = 49
ReplayPart = Callable[[Reader, ReplayView, bool], Sequence[posts.Button]]
"""Returns buttons below a ply.

Its arguments are the reader, the view, and True if it can be shared.
"""
VIEWS: Final = 2
"""Row of the buttons that open other views."""
FILES: Final = 3
"""Row of the buttons that send a file."""


def replay(
    reader: Reader, view: ReplayView, *, may_share: bool, parts: Iterable[ReplayPart]
) -> posts.Post:
    sequence, ply = view.sequence, view.cursor.ply
    lines = views.players(view)
    if sequence.dealt and ply <= sequence.dealt:
        lines.append(reader.gettext("The board at the start."))
    elif sequence.plies:
        place = reader.gettext("Move {ply} of {count}").format(
            ply=sequence.number(ply), count=sequence.number(sequence.plies)
        )
        move = f"**{views.numbered(reader, sequence, ply)}**" if ply else ""
        lines.append(with_explanation(reader, place, move) if ply else place)
    names = views.names_in(view)
    lines += [*passes(reader, view.position, names), whose_turn(reader, view.position, names)]
    lines += [*assumed_inside(reader, sequence.assumed), *views.own_text(view)]
    return posts.Post(
        content="\n".join(lines)[: posts.CONTENT_LIMIT],
        picture=views.view_picture(reader, view, "replay"),
        selects=(_jump(reader, view),) if sequence.plies else (),
        buttons=(
            *_steps(reader, view),
            *(button for part in parts for button in part(reader, view, may_share)),
        ),
    )


def shared_ply(
    reader: Reader,
    view: ReplayView,
    by: UserId,
    parts: Iterable[ReplayPart] = (),
    *,
    link: str = "",
) -> posts.Post:
    lines = [
        reader.gettext("{player} shows a board.").format(player=posts.user(by)),
        *views.players(view),
        *views.shared_text(view),
    ]
    if view.cursor.ply > view.sequence.dealt:
        lines.append(f"**{views.numbered(reader, view.sequence, view.cursor.ply)}**")
    lines += [
        whose_turn(reader, view.position, views.names_in(view)),
        *assumed_inside(reader, view.sequence.assumed),
        *views.link_line(reader, link),
    ]
    return posts.Post(
        content="\n".join(lines)[: posts.CONTENT_LIMIT],
        picture=views.view_picture(reader, view, "shown"),
        buttons=tuple(button for part in parts for button in part(reader, view, False)),
    )


def animated(reader: Reader, film: Film, gif: bytes, name_of: posts.NameOf) -> posts.Post:
    return posts.Post(
        content=reader.gettext("The whole game:"),
        file=posts.File(f"{film.filename}.gif", gif, film_in_words(film, name_of)),
    )


def web_page(reader: Reader, film: Film, page: bytes) -> posts.Post:
    content = reader.gettext("Open it in any browser, also offline:")
    return posts.Post(content=content, file=posts.File(f"{film.filename}.html", page))


def _steps(reader: Reader, view: ReplayView) -> tuple[posts.Button, ...]:
    if not view.sequence.plies:
        return ()
    ply, last, cursor = view.cursor.ply, view.sequence.plies, view.cursor
    first = view.sequence.dealt
    ends = {"first": first, "back": first}
    steps = (
        (f"⏮ {reader.gettext('First')}", "first", first),
        (f"◀ {reader.gettext('Back')}", "back", ply - 1),
        (f"{reader.gettext('Next')} ▶", "next", ply + 1),
        (f"{reader.gettext('Last')} ⏭", "last", last),
    )
    return tuple(
        posts.Button(
            label,
            views.replay_id(cursor.at_ply(min(max(to, first), last)), by),
            posts.ButtonStyle.PRIMARY if by == "next" else posts.ButtonStyle.SECONDARY,
            disabled=ply == ends.get(by, last),
            row=1,
        )
        for label, by, to in steps
    )


def replay_actions(reader: Reader, view: ReplayView, may_share: bool) -> tuple[posts.Button, ...]:
    cursor, buttons = view.cursor, list[posts.Button]()
    if may_share and not view.is_running:
        buttons.append(
            posts.Button(reader.gettext("Share"), views.replay_id(cursor, "share"), row=VIEWS)
        )
    buttons += play_from(reader, view, VIEWS)
    if cursor.game is not None:
        buttons.append(to_page(reader, cursor.game, VIEWS))
    if view.sequence.plies:
        buttons.append(
            posts.Button(reader.gettext("Animation"), views.replay_id(cursor, "film"), row=FILES)
        )
    return tuple(buttons)


def replay_record(reader: Reader, view: ReplayView, _may_share: bool) -> tuple[posts.Button, ...]:
    if view.cursor.game is None:
        return ()
    return (posts.Button(reader.gettext("Record"), views.record_id(view.cursor), row=FILES),)


def _jump(reader: Reader, view: ReplayView) -> posts.Select:
    sequence, ply = view.sequence, view.cursor.ply
    return posts.Select(
        views.replay_id(view.cursor, "jump"),
        reader.gettext("Jump to a move"),
        tuple(
            posts.Option(_ply_label(reader, sequence, to), str(to), chosen=to == ply)
            for to in jumps(ply, sequence.plies, sequence.dealt)
        ),
    )


def jumps(ply: int, last: int, first: int = 0) -> list[int]:
    near_plies = range(max(ply - _NEAR_MOVES, first), min(ply + _NEAR_MOVES, last) + 1)
    far_plies = [*range(first, last, _FAR_JUMP), *((_FULL,) if last >= _FULL else ()), last]
    return sorted({*near_plies, *far_plies})


def _ply_label(reader: Reader, sequence: MoveSequence, ply: int) -> str:
    if ply <= sequence.dealt:
        return reader.gettext("Start")
    if ply == _FULL and not sequence.start.plies:
        return reader.gettext("{move} (board full)").format(
            move=views.numbered(reader, sequence, ply)
        )
    return views.numbered(reader, sequence, ply)
