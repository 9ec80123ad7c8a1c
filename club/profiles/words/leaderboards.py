"""Texts of leaderboards: ranks, the reader's own rank, and buttons to other pages."""

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
"""Row of the buttons."""


def leaderboard_id(pace: Pace, where: str, page: int | str) -> str:
    """Return the custom id of a button that shows a page, by its number from 0 or as "mine"."""
    return f"dvonn:leaderboard:{pace}:{where}:{page}"


def leaderboard_shown(reader: Reader, found: Leaderboard, asker: UserId) -> Post:
    everywhere = found.pool == ALL_SERVERS
    pace = pace_name(reader, found.pace)
    title = (
        reader.gettext("**Leaderboard of all servers**: {games}")
        if everywhere
        else reader.gettext("**Leaderboard of this server**: {games}")
    )
    lines = [title.format(games=pace)]
    if found.places:
        lines += [_line(reader, place, asker) for place in found.places]
        if found.pages > 1:
            page = reader.gettext("Page {page} of {pages}").format(
                page=number_text(reader, found.page + 1), pages=number_text(reader, found.pages)
            )
            lines.append(f"-# {page}")
    else:
        lines.append(reader.gettext("Nobody's on the list yet."))
    lines.append(_own_place(reader, found))
    if any(place.player is None for place in found.places):
        lines.append("-# " + reader.gettext("I don't show names from other servers."))
    return Post(content=join_within_limit(reader, lines), buttons=_buttons(reader, found, asker))


def _line(reader: Reader, place: Rank, asker: UserId) -> str:
    who = (
        reader.gettext("someone on another server") if place.player is None else user(place.player)
    )
    rating = rating_text(place.rating, is_settled=place.deviation < SETTLED)
    line = f"{place.number}\\. **{rating}** ± {round(place.deviation)} · {who}"
    if place.player == asker:
        line += " · " + reader.gettext("you")
    return line


def _own_place(reader: Reader, found: Leaderboard) -> str:
    mine = found.mine
    if mine.is_hidden:
        return reader.gettext(
            "Your profile is hidden, so you're not ranked. /settings changes that."
        )
    if mine.rating is None:
        return reader.gettext(
            "You're not ranked yet. A few rated games of this kind will change that."
        )
    if mine.place is None:
        about = rating_text(mine.rating.rating, is_settled=False)
        return reader.gettext(
            "Your rating, **{rating}**, is a first guess. A few more rated games, and you're on "
            "the list."
        ).format(rating=about)
    return reader.gettext("Your place: **{place}** of {count}, with **{rating}**.").format(
        place=number_text(reader, mine.place),
        count=number_text(reader, found.count),
        rating=rounded_rating(mine.rating.rating),
    )


def _buttons(reader: Reader, found: Leaderboard, asker: UserId) -> tuple[Button, ...]:
    where = "all" if found.pool == ALL_SERVERS else "here"
    paging: tuple[Button, ...] = ()
    if found.pages > 1:
        is_first, is_last = found.page == 0, found.page + 1 >= found.pages
        has_place = found.mine.place is not None
        paging = (
            _page(reader.gettext("Previous"), found, where, found.page - 1, disabled=is_first),
            _page(reader.gettext("Next"), found, where, found.page + 1, disabled=is_last),
            Button(
                reader.gettext("My place"),
                leaderboard_id(found.pace, where, "mine"),
                disabled=not has_place or found.page == found.mine.page,
                row=_PAGING,
            ),
        )
    other = Pace.LIVE if found.pace is Pace.SLOW else Pace.SLOW
    kinds = [Button(pace_name(reader, other), leaderboard_id(other, where, 0), row=_KINDS)]
    if found.guild != NO_GUILD:
        label, there = (
            (this_server(reader), "here") if where == "all" else (all_servers(reader), "all")
        )
        kinds.append(Button(label, leaderboard_id(found.pace, there, 0), row=_KINDS))
    own = Button(
        reader.gettext("My profile"),
        profile_id(asker, None, where),
        ButtonStyle.PRIMARY,
        row=_KINDS,
    )
    return (*paging, *kinds, own)


def _page(label: str, found: Leaderboard, where: str, page: int, *, disabled: bool) -> Button:
    there = leaderboard_id(found.pace, where, max(page, 0))
    return Button(label, there, disabled=disabled, row=_PAGING)
