"""A game move by move, privately; and a position or record that somebody has pasted."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from bot.base.formats import explained, number_text
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection import posts
from bot.play.model.courses import Course, Seen
from bot.play.model.refusals import BadPaste, PasteProblem
from bot.play.words import views
from bot.play.words.begin_form import play_from
from bot.play.words.moves import passes
from bot.play.words.pictures import Film, film_in_words

_QUOTED: Final = 80
"""Number of characters of a pasted text that are shown again."""
_NEAR: Final = 6
"""Number of moves before and after the shown one that can be jumped to."""
_FAR: Final = 10
"""Distance of the others that can be jumped to."""
_FULL: Final = 49


ReplayPart = Callable[[Reader, Seen, bool], Sequence[posts.Button]]
"""Makes buttons below a ply, from what is seen and whether it may be shared."""
SharedPart = Callable[[Reader, Seen], Sequence[posts.Button]]
"""Makes buttons with which others go on by themselves from what is shared."""
VIEWS: Final = 2
"""The row of buttons that show something else."""
FILES: Final = 3
"""The row of those that give a file."""


def replay(
    reader: Reader, seen: Seen, *, may_share: bool, parts: Iterable[ReplayPart]
) -> posts.Post:
    course, ply = seen.course, seen.spot.ply
    lines = [*views.players(seen), *views.own_text(seen)]
    if course.dealt and ply <= course.dealt:
        lines.append(reader.gettext("The board at the start."))
    elif course.plies:
        where = reader.gettext("Move {ply} of {count}").format(
            ply=course.number(ply), count=course.number(course.plies)
        )
        move = f"**{views.numbered(reader, course, ply)}**" if ply else ""
        lines.append(explained(reader, where, move) if ply else where)
    lines += [*passes(reader, seen.position), views.whose_turn(reader, seen.position)]
    return posts.Post(
        content="\n".join(lines)[: posts.CONTENT_LIMIT],
        picture=views.seen_picture(reader, seen, "replay"),
        selects=(_jump(reader, seen),) if course.plies else (),
        buttons=(
            *_steps(reader, seen),
            *(button for part in parts for button in part(reader, seen, may_share)),
        ),
    )


def bad_paste(reader: Reader, error: BadPaste) -> str:
    match error.problem:
        case PasteProblem.EMPTY:
            return reader.gettext("There's nothing to show yet: paste a game or a position.")
        case PasteProblem.TOO_LONG:
            return reader.ngettext(
                "That's too much: I read {count} character at most.",
                "That's too much: I read {count} characters at most.",
                error.limit,
            ).format(count=number_text(reader, error.limit))
        case PasteProblem.NOT_TEXT:
            return reader.gettext("That file isn't text. Save the game as text and try again.")
        case PasteProblem.UNKNOWN:
            return reader.gettext(
                "I couldn't read that. Paste a game record, moves such as “d2 c3 f5”, or a "
                "position. *Record* on a game's page shows you one."
            )
        case PasteProblem.BAD_LINE:
            return reader.gettext("Line {line} of that record is wrong: {found}").format(
                line=error.line, found=_quoted(error.found)
            )
        case PasteProblem.ILLEGAL:
            return reader.gettext("Move {number} isn't possible there: {found}").format(
                number=error.line, found=_quoted(error.found)
            )


def _quoted(found: str) -> str:
    shown = found.replace("`", "'").strip()[:_QUOTED]
    return f"`{shown}`" if shown else "…"


def shared_ply(
    reader: Reader,
    seen: Seen,
    by: UserId,
    parts: Iterable[SharedPart] = (),
    *,
    link: str = "",
) -> posts.Post:
    lines = [
        reader.gettext("{player} shows a board.").format(player=posts.user(by)),
        *views.players(seen),
        *views.shared_text(seen),
    ]
    if seen.spot.ply > seen.course.dealt:
        lines.append(f"**{views.numbered(reader, seen.course, seen.spot.ply)}**")
    lines += [
        views.whose_turn(reader, seen.position),
        *views.link_line(reader, link),
    ]
    return posts.Post(
        content="\n".join(lines)[: posts.CONTENT_LIMIT],
        picture=views.seen_picture(reader, seen, "shown"),
        buttons=tuple(button for part in parts for button in part(reader, seen)),
    )


def animated(reader: Reader, film: Film, gif: bytes) -> posts.Post:
    return posts.Post(
        content=reader.gettext("The whole game:"),
        file=posts.File(f"{film.filename}.gif", gif, film_in_words(film)),
    )


def web_page(reader: Reader, film: Film, page: bytes, why_not: str = "") -> posts.Post:
    words = reader.gettext("Open it in any browser, also offline:")
    content = "\n".join(filter(None, [why_not, words]))
    return posts.Post(content=content, file=posts.File(f"{film.filename}.html", page))


def _steps(reader: Reader, seen: Seen) -> tuple[posts.Button, ...]:
    if not seen.course.plies:
        return ()
    ply, last, spot = seen.spot.ply, seen.course.plies, seen.spot
    first = seen.course.dealt
    ends = {"first": first, "back": first}
    steps = (
        (reader.gettext("⏮ First"), "first", first),
        (reader.gettext("◀ Back"), "back", ply - 1),
        (reader.gettext("Next ▶"), "next", ply + 1),
        (reader.gettext("Last ⏭"), "last", last),
    )
    return tuple(
        posts.Button(
            label,
            views.replay_id(spot.at(min(max(to, first), last)), by),
            posts.ButtonStyle.PRIMARY if by == "next" else posts.ButtonStyle.SECONDARY,
            disabled=ply == ends.get(by, last),
            row=1,
        )
        for label, by, to in steps
    )


def ways_of_replay(reader: Reader, seen: Seen, may_share: bool) -> tuple[posts.Button, ...]:
    spot, ways = seen.spot, list[posts.Button]()
    if may_share and not seen.is_running:
        ways.append(
            posts.Button(reader.gettext("Share"), views.replay_id(spot, "share"), row=VIEWS)
        )
    ways += play_from(reader, seen, VIEWS)
    if spot.game is not None:
        ways.append(views.to_page(reader, spot.game, VIEWS))
    if seen.course.plies:
        ways.append(
            posts.Button(reader.gettext("Animation"), views.replay_id(spot, "film"), row=FILES)
        )
    return tuple(ways)


def record_of_replay(reader: Reader, seen: Seen, _may_share: bool) -> tuple[posts.Button, ...]:
    if seen.spot.game is None:
        return ()
    return (posts.Button(reader.gettext("Record"), views.record_id(seen.spot), row=FILES),)


def _jump(reader: Reader, seen: Seen) -> posts.Select:
    course, ply = seen.course, seen.spot.ply
    return posts.Select(
        views.replay_id(seen.spot, "jump"),
        reader.gettext("Jump to a move"),
        tuple(
            posts.Option(_named(reader, course, to), str(to), chosen=to == ply)
            for to in jumps(ply, course.plies, course.dealt)
        ),
    )


def jumps(ply: int, last: int, first: int = 0) -> list[int]:
    near = range(max(ply - _NEAR, first), min(ply + _NEAR, last) + 1)
    far = [*range(first, last, _FAR), *((_FULL,) if last >= _FULL else ()), last]
    return sorted({*near, *far})


def _named(reader: Reader, course: Course, ply: int) -> str:
    if ply <= course.dealt:
        return reader.gettext("Start")
    if ply == _FULL and not course.start.plies:
        return reader.gettext("{move} (board full)").format(
            move=views.numbered(reader, course, ply)
        )
    return views.numbered(reader, course, ply)
