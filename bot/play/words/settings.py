"""The choices of moderators for their server, in words."""

from collections.abc import Iterable

from bot.base.ids import ChannelId
from bot.base.locales import Reader
from bot.connection.posts import Button, ButtonStyle, Post, channel, fit
from bot.play.model.preferences import Style
from bot.play.model.terms import Defaults, GuildRules, Place, PlacementBoards, Start
from bot.play.words.durations import control
from bot.play.words.pictures import look_of
from bot.play.words.styles import naming, sheet, style_lines, style_selects
from dvonn import Coordinates


def settings(
    reader: Reader,
    rules: GuildRules,
    features: Iterable[tuple[str, str]] = (),
    *,
    forbidden: ChannelId | None = None,
) -> Post:
    """Tell all settings.

    Args:
        reader: Who reads it.
        rules: How games are played.
        features: What is chosen for features, each with the name of its subcommand.
        forbidden: The channel that was just taken off the list.
    """
    lines = [
        _by(reader, _defaults(reader, rules.defaults), "defaults"),
        _by(reader, _games(reader, rules), "limit"),
        _by(reader, _boards(reader, rules), "boards"),
        *(_by(reader, sentence, command) for sentence, command in features),
        *_channels(reader, rules),
    ]
    if forbidden is not None and not rules.channels:
        # The last name has gone, or there was none: nothing is forbidden by that.
        sentence = reader.gettext(
            "To block {channel}, list the channels where games are allowed, with /setup allow."
        )
        lines.insert(0, sentence.format(channel=channel(forbidden)))
    return Post(content=fit(reader, lines))


def _by(reader: Reader, sentence: str, name: str) -> str:
    """Tell a choice, and the subcommand for it, as the reader's client names it."""
    group, command = (reader.pgettext("command", one) for one in ("setup", name))
    return f"{sentence} (/{group} {command})"


def _channels(reader: Reader, rules: GuildRules) -> list[str]:
    if not rules.channels:
        everywhere = reader.gettext("Games are allowed in every channel.")
        return [_by(reader, everywhere, "allow")]
    return [
        reader.gettext("Games are allowed only in these channels and their threads:"),
        *(f"- {channel(where)}" for where in sorted(rules.channels)),
    ]


def _games(reader: Reader, rules: GuildRules) -> str:
    return reader.ngettext(
        "Up to {count} game per person at once.",
        "Up to {count} games per person at once.",
        rules.games_per_person,
    ).format(count=rules.games_per_person)


def _boards(reader: Reader, rules: GuildRules) -> str:
    if rules.placement_boards is PlacementBoards.EDIT:
        return reader.gettext(
            "Placement boards are edited in place (no ping) while nobody else writes."
        )
    return reader.gettext("While pieces are placed, each new board replaces the one before.")


def _defaults(reader: Reader, defaults: Defaults) -> str:
    """Tell the usual game: "Usual game: balanced board, no clock, here."."""
    parts = [start_name(reader, defaults.start), control(reader, defaults.clock)]
    if defaults.coordinates is Coordinates.PERGIOCO:
        parts.append(reader.gettext("pergioco coordinates"))
    if defaults.place is Place.THREAD:
        parts.append(reader.gettext("in its own thread"))
    if not defaults.rated:
        parts.append(reader.gettext("unrated"))
    return reader.gettext("Usual game: {parts}.").format(parts=", ".join(parts))


def start_name(reader: Reader, start: Start) -> str:
    """Name a start in a word or two."""
    match start:
        case Start.PLACEMENT:
            return reader.gettext("empty board")
        case Start.BALANCED:
            return reader.gettext("balanced board")
        case Start.SYMMETRIC:
            return reader.gettext("symmetric board")
        case Start.PIE:
            return reader.gettext("pie")


def place_style(reader: Reader, where: ChannelId, server: Style, here: Style | None) -> Post:
    """Return the form of a language, a theme and coordinates, with a picture of all themes.

    Args:
        reader: The moderator who asks.
        where: The channel that they are in.
        server: What is chosen for its server.
        here: What is chosen for the channel itself; None shows the server's page.
    """
    if here is None:
        usual = (
            reader.gettext("as in Discord's settings of this server"),
            reader.gettext("{choice}, as usual").format(
                choice=look_of(reader).words.theme("slate")
            ),
            reader.gettext("{choice}, as usual").format(
                choice=naming(reader, Coordinates.STANDARD)
            ),
        )
        title, style, other = reader.gettext("Everywhere in this server:"), server, "here"
        label = reader.gettext("This channel")
    else:
        as_server = reader.gettext("as in the server")
        usual = (as_server, as_server, as_server)
        sentence = reader.gettext("In {channel} and its threads:")
        title, style, other = sentence.format(channel=channel(where)), here, "server"
        label = reader.gettext("The whole server")
    page = "server" if here is None else "here"
    return Post(
        content="\n".join([title, *style_lines(reader, style, usual)]),
        picture=sheet(reader),
        selects=style_selects(reader, lambda what: f"dvonn:style:{page}:{what}", style, usual),
        buttons=(Button(label, f"dvonn:style:{other}:show", ButtonStyle.PRIMARY),),
    )
