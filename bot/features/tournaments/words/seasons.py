"""Seasons in words: what moderators have chosen, a month's ladder and play-off, and badges."""

from collections.abc import Sequence
from typing import Final

from bot.base.formats import month_text
from bot.base.languages import Reader
from bot.connection.posts import Post, channel, escaped, instant, user
from bot.features.tournaments.model import seasons
from bot.features.tournaments.model.arenas_and_ladders import qualified
from bot.features.tournaments.model.rules import FEWEST_PLAYERS
from bot.features.tournaments.model.tournament import Tournament, TournamentFormat, TournamentState
from bot.features.tournaments.words.terms import format_choice, how_to_climb, terms_lines, title
from bot.play.words.challenges import level_name

_SEPARATOR: Final = " · "


def season_name(reader: Reader, month: seasons.Month, format_: TournamentFormat) -> str:
    """Return the name of a month's ladder or play-off: "Ladder November 2026"."""
    if format_ is TournamentFormat.LADDER:
        sentence = reader.gettext("Ladder {month}")
    else:
        sentence = reader.gettext("Play-off {month}")
    return sentence.format(month=month_text(reader, month.first))


def season_chosen(reader: Reader, setting: seasons.SeasonSetting | None) -> Post:
    if setting is None:
        return Post(content=reader.gettext("No seasons here."))
    sentence = reader.gettext(
        "Seasons run by themselves in {channel}: a ladder each month ({zone}), then a play-off."
    )
    lines = [sentence.format(channel=channel(setting.channel), zone=setting.zone)]
    if setting.level is not None:
        sentence = reader.gettext("If the play-off has an odd number, I join in on level {level}.")
        lines.append(sentence.format(level=level_name(reader, setting.level)))
    return Post(content=" ".join(lines))


def season_lines(reader: Reader, tournament: Tournament) -> list[str]:
    """Return a month's ladder or play-off, for its announcement, and a ladder's beginning."""
    if tournament.terms.format is not TournamentFormat.LADDER:
        words = reader.gettext("The ladder's top players fight for the title.")
        return [title(tournament), words, *terms_lines(reader, tournament)]
    ends, is_on = tournament.ends_at, tournament.state is TournamentState.RUNNING
    sentence = reader.gettext("{title} has begun.") if is_on else "{title}"
    lines = [
        sentence.format(title=title(tournament)),
        format_choice(reader, TournamentFormat.LADDER),
    ]
    if not is_on:
        return lines
    lines += how_to_climb(reader, tournament)
    if ends is not None:
        sentence = reader.gettext(
            "It ends {moment} ({far}). The first eight then play for the title."
        )
        lines.append(sentence.format(moment=instant(ends), far=instant(ends, relative=True)))
    lines.append(reader.gettext("Play this month, and you're in the next ladder, too."))
    return lines


def season_end(reader: Reader, tournament: Tournament) -> list[str]:
    if tournament.season is None:
        return []
    if tournament.terms.format is not TournamentFormat.LADDER:
        first = seasons.champion(tournament)
        if first is None:
            return [reader.gettext("Nobody won the title this time.")]
        month = month_text(reader, seasons.Month.from_number(tournament.season).first)
        sentence = reader.gettext("**Champion {month}: {player}**")
        return [sentence.format(month=month, player=user(first))]
    count = len(qualified(tournament))
    if count < FEWEST_PLAYERS:
        return [reader.gettext("Too few people played for a play-off.")]
    sentence = reader.ngettext(
        "{count} player goes on to the play-off.", "{count} players go on to the play-off.", count
    )
    return [sentence.format(count=count)]


def badge_line(reader: Reader, badges: Sequence[seasons.EarnedBadge]) -> list[str]:
    """Return a player's badges, the newest first, in one line; none where there is nothing."""
    if not badges:
        return []
    told = _SEPARATOR.join(_badge(reader, one) for one in badges)
    return [reader.gettext("**Badges**: {badges}").format(badges=told)]


def _badge(reader: Reader, badge: seasons.EarnedBadge) -> str:
    if badge.kind is seasons.BadgeKind.WINNER or badge.season is None:
        return reader.gettext("Winner of {tournament}").format(tournament=escaped(badge.name))
    month = month_text(reader, seasons.Month.from_number(badge.season).first)
    if badge.kind is seasons.BadgeKind.CHAMPION:
        return reader.gettext("Champion {month}").format(month=month)
    sentence = reader.gettext("Place {place}, ladder {month}")
    return sentence.format(place=badge.place, month=month)


def organisers(reader: Reader, role: int | None) -> str:
    if role is None:
        return reader.gettext("People who may manage events make tournaments.")
    # The role of everybody has the server's own number, which is not told here.
    sentence = reader.gettext("People who may manage events make tournaments, and {role} too.")
    return sentence.format(role=f"<@&{role}>")
