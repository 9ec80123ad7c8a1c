"""Texts for leaderboards: ranks, the reader's own rank, and buttons for other pages."""

from typing import Final

from bot.base.formats import number_text
from bot.base.glicko import SETTLED, rounded_rating
from bot.base.ids import NO_GUILD, UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, Post, join_within_limit, user
from bot.play.model.clock import Pace
from club.profiles.model import ALL_SERVERS, Leaderboard, Rank
from club.profiles.words.profiles import all_servers, pace_name, profile_id, this_server
from club.ratings.words import rating_text

_PAGING: Final = 0
_KINDS: Final = 1
"""Row of the buttons for the kinds of leaderboards."""


def leaderboard_id(pace: Pace, scope: str, page: int | str) -> str:
    """Return the custom id of a page button. `page` is a number from 0, or "mine"."""
    return f"dvonn:leaderboard:{pace}:{scope}:{page}"


def leaderboard_shown(reader: Reader, board: Leaderboard, asker: UserId) -> Post:
    scope = all_servers(reader) if board.pool == ALL_SERVERS else this_server(reader)
    title = f"**{reader.gettext('Leaderboard')}**"
    lines = [" · ".join((title, scope, pace_name(reader, board.pace)))]
    if board.places:
        lines += [_line(reader, place, asker) for place in board.places]
        if board.pages > 1:
            page = reader.gettext("{number} of {count}").format(
                number=number_text(reader, board.page + 1), count=number_text(reader, board.pages)
            )
            lines.append(f"-# {page}")
    else:
        lines.append(reader.gettext("Nobody's on the list yet."))
    lines.append(_own_place(reader, board))
    if any(place.player is None for place in board.places):
        lines.append("-# " + reader.gettext("I don't show names from other servers."))
    return Post(content=join_within_limit(reader, lines), buttons=_buttons(reader, board, asker))


def _line(reader: Reader, place: Rank, asker: UserId) -> str:
    name = (
        reader.gettext("someone on another server") if place.player is None else user(place.player)
    )
    rating = rating_text(place.rating, is_settled=place.deviation < SETTLED)
    line = f"{place.number}\\. **{rating}** ± {round(place.deviation)} · {name}"
    if place.player == asker:
        line += " · " + reader.gettext("you")
    return line


def _own_place(reader: Reader, board: Leaderboard) -> str:
    own_rank = board.own_rank
    if own_rank.is_hidden:
        return reader.gettext(
            "Your profile is hidden, so you're not ranked. /settings changes that."
        )
    if own_rank.rating is None:
        return reader.gettext(
            "You're not ranked yet. A few rated games of this kind will change that."
        )
    if own_rank.place is None:
        about = rating_text(own_rank.rating.rating, is_settled=False)
        return reader.gettext(
            "Your rating, **{rating}**, is a first guess. A few more rated games, and you're on "
            "the list."
        ).format(rating=about)
    return reader.gettext("Your place: **{place}** of {count}, with **{rating}**.").format(
        place=number_text(reader, own_rank.place),
        count=number_text(reader, board.count),
        rating=rounded_rating(own_rank.rating.rating),
    )


def _buttons(reader: Reader, board: Leaderboard, asker: UserId) -> tuple[Button, ...]:
    scope = "all" if board.pool == ALL_SERVERS else "here"
    paging: tuple[Button, ...] = ()
    if board.pages > 1:
        is_first, is_last = board.page == 0, board.page + 1 >= board.pages
        has_place = board.own_rank.place is not None
        paging = (
            _page(reader.gettext("Previous"), board, scope, board.page - 1, disabled=is_first),
            _page(reader.gettext("Next"), board, scope, board.page + 1, disabled=is_last),
            Button(
                reader.gettext("My place"),
                leaderboard_id(board.pace, scope, "mine"),
                disabled=not has_place or board.page == board.own_rank.page,
                row=_PAGING,
            ),
        )
    other = Pace.LIVE if board.pace is Pace.SLOW else Pace.SLOW
    kinds = [Button(pace_name(reader, other), leaderboard_id(other, scope, 0), row=_KINDS)]
    if board.guild != NO_GUILD:
        label, other_scope = (
            (this_server(reader), "here") if scope == "all" else (all_servers(reader), "all")
        )
        kinds.append(Button(label, leaderboard_id(board.pace, other_scope, 0), row=_KINDS))
    own_profile = Button(
        reader.gettext("My profile"),
        profile_id(asker, None, scope),
        ButtonStyle.PRIMARY,
        row=_KINDS,
    )
    return (*paging, *kinds, own_profile)


def _page(label: str, board: Leaderboard, scope: str, page: int, *, disabled: bool) -> Button:
    button_id = leaderboard_id(board.pace, scope, max(page, 0))
    return Button(label, button_id, disabled=disabled, row=_PAGING)
