"""Texts for profiles: ratings and their curve, results of games, and habits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.base.formats import day_text, number_text, with_explanation
from bot.base.glicko import SETTLED, rounded_rating
from bot.base.ids import NO_GUILD, UserId
from bot.base.languages import Reader
from bot.connection.posts import (
    Button,
    NameOf,
    PlainPicture,
    Post,
    escaped,
    join_within_limit,
    user,
)
from bot.guide.topics import Topic
from bot.play.model.clock import Pace
from bot.play.model.terms import Start
from bot.play.switches import Switch
from bot.play.words.begin_form import start_name
from bot.play.words.characters import character
from bot.play.words.pictures import cut, look_of
from club.profiles import model
from club.ratings.words import rating_text
from dvonn import Color, Motif
from dvonn.machine import LEVELS
from dvonn_lessons.puzzles import PuzzleTheme
from renderer import Curve, Look, RatedPoint, collection, describe_curves, rating_curves
from school.puzzles.words.puzzles import theme_name

_HABITS: Final = 3
"""Maximum number of motifs that are named."""
_FILENAME: Final = "ratings.png"


def profile_id(player: UserId, against: UserId | None, action: str) -> str:
    return f"dvonn:profile:{player}:{against or 0}:{action}"


_CURVES_PX = 800
"""Width of a curve in pixels. It is less than a board's, because lines have fewer details."""


@dataclass(frozen=True, slots=True)
class Curves(PlainPicture):
    """The curves of a player's ratings, as a picture and as text."""

    curves: tuple[Curve, ...]
    look: Look
    beaten: tuple[int, ...] = ()
    """The machine's characters to show below the curve, or on their own."""

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        if not self.curves:
            return partial(collection, self.beaten, look=self.look)
        return partial(rating_curves, self.curves, beaten=self.beaten, look=self.look)


def profile_shown(
    reader: Reader, profile: model.Profile, asker: UserId, *, may_share: bool = False
) -> Post:
    """Return a private profile. Users who may write in the channel get a button to share it."""
    lines = [_title(reader, profile), *_ratings(reader, profile)]
    overall, rating_texts = (
        [
            f"{pace_name(reader, pace)} {_rating(reader, rating)}"
            for pace, rating in _by_pace(ratings)
        ]
        for ratings in (profile.overall, profile.ratings)
    )
    if overall and overall != rating_texts:
        lines.append(
            reader.gettext("In all servers: {ratings}").format(ratings=" · ".join(overall))
        )
    lines += _badges(reader, profile)
    lines += [*_played(reader, profile), *_against(reader, profile, asker)]
    lines += _habits(reader, profile)
    if profile.is_hidden:
        lines.append(reader.gettext("Only you see this: your profile is hidden in /settings."))
    return Post(
        content=join_within_limit(reader, lines),
        picture=_picture(reader, profile),
        buttons=_buttons(reader, profile, may_share=may_share),
    )


def profile_shared(reader: Reader, profile: model.Profile) -> Post:
    """Return the profile that its owner shares with everyone who reads a channel."""
    lines = [
        _title(reader, replace(profile, is_own=False)),
        *_ratings(reader, profile),
        *_badges(reader, profile),
        *_played(reader, profile),
    ]
    return Post(content=join_within_limit(reader, lines), picture=_picture(reader, profile))


def no_profile(reader: Reader, error: model.ProfileHidden) -> str:
    match error.problem:
        case model.ProfileProblem.HIDDEN:
            return reader.gettext("{player} keeps their profile to themselves.").format(
                player=user(error.player)
            )
        case model.ProfileProblem.PRIVATELY:
            return reader.gettext(
                "In direct messages you see only your own profile. Ask in a server where you both "
                "play."
            )
        case model.ProfileProblem.MACHINE:
            return reader.gettext("Bots have no profile, and neither do I.")


def pace_name(reader: Reader, pace: Pace) -> str:
    match pace:
        case Pace.SLOW:
            return reader.gettext("Slow games")
        case Pace.LIVE:
            return reader.gettext("Live games")


def this_server(reader: Reader) -> str:
    return reader.gettext("This server")


def all_servers(reader: Reader) -> str:
    return reader.gettext("All servers")


def _title(reader: Reader, profile: model.Profile) -> str:
    title = (
        reader.gettext("**Your profile**")
        if profile.is_own
        else reader.gettext("**Profile of {player}**").format(player=user(profile.player))
    )
    is_of_all = profile.is_own and profile.pool == model.ALL_SERVERS
    return f"{title} · {all_servers(reader) if is_of_all else this_server(reader)}"


def _badges(reader: Reader, profile: model.Profile) -> list[str]:
    """Return a player's badges in one line, newest first, or an empty list without badges."""
    if not profile.badges:
        return []
    sentence = reader.gettext("Winner of {tournament}")
    names = (sentence.format(tournament=escaped(badge.name)) for badge in profile.badges)
    return [reader.gettext("**Badges**: {badges}").format(badges=" · ".join(names))]


def _by_pace(ratings: Mapping[Pace, model.PlayerRating]) -> list[tuple[Pace, model.PlayerRating]]:
    return [(pace, ratings[pace]) for pace in (Pace.SLOW, Pace.LIVE) if pace in ratings]


def _rating(reader: Reader, rating: model.PlayerRating) -> str:
    """Return a rating, marked as approximate until it is settled."""
    if rating.is_settled:
        return f"**{rounded_rating(rating.rating)}**"
    about = reader.gettext("about {rating}").format(rating=round(rounded_rating(rating.rating), -1))
    return f"**{about}**"


def _ratings(reader: Reader, profile: model.Profile) -> list[str]:
    if not profile.ratings:
        return [reader.gettext("No rated games yet. /challenge starts one.")]
    lines = []
    for pace, rating in _by_pace(profile.ratings):
        games = reader.ngettext("{count} rated game", "{count} rated games", rating.games)
        parts = [_rating(reader, rating), games.format(count=number_text(reader, rating.games))]
        if rating.best is not None:
            parts.append(reader.gettext("best {rating}").format(rating=rounded_rating(rating.best)))
        lines.append(with_explanation(reader, pace_name(reader, pace), " · ".join(parts)))
    return lines


def _played(reader: Reader, profile: model.Profile) -> list[str]:
    """Return the results by color and kind of start, and the streak of wins."""
    people = [result for result in profile.results if not result.machine]
    lines = []
    if people:
        title = reader.gettext("**Games against people**: {score}")
        lines += [
            title.format(score=_score(reader, model.total(people))),
            *_sorted_out(reader, people),
        ]
    machine = model.total(result for result in profile.results if result.machine)
    if machine.games:
        title = reader.gettext("**Games against me**: {score}")
        lines.append(title.format(score=_score(reader, machine)))
    if profile.beaten:
        lines.append(reader.gettext("**Beaten**: {names}").format(names=_beaten(profile)))
    if profile.streak > 1:
        streak = reader.ngettext(
            "**Streak**: {count} rated game won in a row",
            "**Streak**: {count} rated games won in a row",
            profile.streak,
        )
        lines.append(streak.format(count=number_text(reader, profile.streak)))
    return lines


def _beaten(profile: model.Profile) -> str:
    names = ", ".join(map(character, profile.beaten))
    return f"{names} ({len(profile.beaten)}/{len(LEVELS)})"


def _sorted_out(reader: Reader, results: Sequence[model.Results]) -> list[str]:
    colours = {Color.WHITE: reader.gettext("as White"), Color.BLACK: reader.gettext("as Black")}
    parts = [
        (words, model.total(result for result in results if result.colour is colour))
        for colour, words in colours.items()
    ]
    parts += [
        (
            start_name(reader, start),
            model.total(result for result in results if result.start is start),
        )
        for start in Start
    ]
    scores = ((words, _score(reader, score)) for words, score in parts if score.games)
    return [f"- {with_explanation(reader, words, score)}" for words, score in scores]


def _score(reader: Reader, score: model.Score) -> str:
    parts = (
        (reader.ngettext("{count} won", "{count} won", score.won), score.won),
        (reader.ngettext("{count} drawn", "{count} drawn", score.drawn), score.drawn),
        (reader.ngettext("{count} lost", "{count} lost", score.lost), score.lost),
    )
    return ", ".join(
        words.format(count=number_text(reader, count)) for words, count in parts if count
    )


def _against(reader: Reader, profile: model.Profile, asker: UserId) -> list[str]:
    if profile.against is None:
        return []
    other, score = profile.against
    player = profile.player
    if other == asker:
        player, other = other, player
        score = model.Score(score.lost, score.drawn, score.won)
    sentence = reader.gettext("**{player} against {other}**: {score}")
    names = {"player": user(player), "other": user(other)}
    score_text = _score(reader, score) if score.games else reader.gettext("no finished game")
    return [sentence.format(score=score_text, **names)]


def _habits(reader: Reader, profile: model.Profile) -> list[str]:
    """Return the motifs from reviews. Only the player sees their own weaknesses."""
    catches, suffers = profile.habits.catches, profile.habits.suffers
    lines = []
    if ideas := _ideas(reader, catches, suffers):
        lines.append(reader.gettext("**Strengths**: {ideas}").format(ideas=ideas))
    if profile.is_own and (ideas := _ideas(reader, suffers, catches)):
        lines.append(reader.gettext("**Watch out for**: {ideas}").format(ideas=ideas))
    return lines


def _ideas(
    reader: Reader, counts: Sequence[tuple[Motif, int]], against: Sequence[tuple[Motif, int]]
) -> str:
    """Return the motifs that are more frequent on this side than on the other."""
    other_counts = dict(against)
    names = dict.fromkeys(
        motif_name(reader, motif) for motif, count in counts if count > other_counts.get(motif, 0)
    )
    return ", ".join([*names][:_HABITS])


def motif_name(reader: Reader, motif: Motif) -> str:
    """Return a short name for a motif. Puzzle themes have the same names."""
    names = {
        Motif.HANGING: reader.gettext("Saving stacks"),
        Motif.ESCAPED: reader.gettext("Taking in time"),
        Motif.RETAKEN: reader.gettext("Retakes"),
        Motif.SHARPSHOT: reader.gettext("Sharpshooting"),
        Motif.TAKEN: reader.gettext("Taking stacks"),
        Motif.LAST_LINK: reader.gettext("Last links"),
        Motif.LAST_MOVER: reader.gettext("Who moves last"),
        Motif.MOBILITY: reader.gettext("Room to move"),
        Motif.MOVERS: reader.gettext("Room to move"),
        Motif.SPOT: reader.gettext("Taking in time"),
        Motif.SAFE_TAKE: reader.gettext("Taking stacks"),
        Motif.LET_TAKE: reader.gettext("Saving stacks"),
        Motif.PIECES: reader.gettext("Counting"),
        Motif.TOOK_NONE: reader.gettext("Taking stacks"),
        Motif.FREED: reader.gettext("Room to move"),
        Motif.NEAR_RED: reader.gettext("Staying near red"),
        Motif.LET_LAND: reader.gettext("Taking in time"),
        Motif.DOUBLE_THREAT: reader.gettext("Saving stacks"),
    }
    return names.get(motif) or theme_name(reader, PuzzleTheme(motif.value))


def _buttons(reader: Reader, profile: model.Profile, *, may_share: bool) -> tuple[Button, ...]:
    against = None
    if profile.is_own and profile.against is not None:
        against = profile.against[0]
    buttons = []
    if profile.is_own and profile.guild != NO_GUILD:
        action_id = partial(profile_id, profile.player, against)
        if profile.pool == model.ALL_SERVERS:
            buttons.append(Button(this_server(reader), action_id("here")))
        else:
            buttons.append(Button(all_servers(reader), action_id("all")))
            if may_share and not profile.is_hidden:
                buttons.append(Button(reader.gettext("Show everybody"), action_id("share")))
    paces = [pace for pace, _ in _by_pace(profile.ratings)] or [Pace.SLOW]
    scope = "all" if profile.pool == model.ALL_SERVERS else "here"
    leads = f"dvonn:leaderboard:{paces[0]}:{scope}:mine"
    return (*buttons, Button(reader.gettext("Leaderboard"), leads))


def _picture(reader: Reader, profile: model.Profile) -> Curves | None:
    shown_curves = [
        _curve(reader, pace, rating, profile.courses[pace])
        for pace, rating in _by_pace(profile.ratings)
        if pace in profile.courses
    ]
    if not shown_curves and not profile.beaten:
        return None
    curves_picture = curves(reader, _FILENAME, shown_curves)
    texts = (curves_picture.alt_text, _beaten(profile) if profile.beaten else "")
    return replace(
        curves_picture, description=cut(" ".join(filter(None, texts))), beaten=profile.beaten
    )


def _curve(
    reader: Reader, pace: Pace, rating: model.PlayerRating, course: Sequence[model.RatingPoint]
) -> Curve:
    values = [course[0].before, *(point.after for point in course)]
    now = rating_text(rating.rating, is_settled=rating.is_settled)
    return Curve(
        title=f"{pace_name(reader, pace)} · {now}",
        points=tuple(
            RatedPoint(value, deviation, deviation < SETTLED) for value, deviation in values
        ),
        begins=day_text(reader, course[0].at),
        ends=day_text(reader, course[-1].at),
    )


def curves(reader: Reader, filename: str, player_curves: Sequence[Curve]) -> Curves:
    """Return the curve of a player's ratings for a reader, with its description."""
    look = replace(look_of(reader), width_px=_CURVES_PX)
    alt_text = describe_curves(player_curves, words=look.words) if player_curves else ""
    return Curves(filename, cut(alt_text), tuple(player_curves), look)


PROFILE_SWITCH: Final = Switch(
    of=model.SHOWN,
    label=lambda reader: reader.gettext("Show others my profile"),
    hint=lambda reader: reader.gettext("And my place in leaderboards"),
)


RATING_TOPIC: Final = Topic(
    words=(
        "rating, ratings, elo, stats, statistics, profile, leaderboard, ranking, rank, "
        "wertung, statistik, profil, rangliste, classement, statistiques, clasificación, "
        "puntuación, estadísticas, perfil, classifica, statistiche, profilo, ranglijst, "
        "statistieken, profiel"
    ),
    answer=lambda reader: reader.gettext(
        "/profile shows your rating and your games. /leaderboard shows who is best here."
    ),
)
