"""Texts for moderators' settings for their server."""

from collections.abc import Iterable

from bot.base.ids import ChannelId
from bot.base.languages import Reader
from bot.connection import posts
from bot.people.words.styles import naming, sheet, style_lines, style_selects
from bot.play.model.preferences import Style
from bot.play.model.terms import Defaults, GuildRules, Place, PlacementBoards
from bot.play.words.begin_form import start_name
from bot.play.words.clocks import control
from bot.play.words.pictures import look_of
from dvonn import Coordinates


def settings(
    reader: Reader,
    rules: GuildRules,
    features: Iterable[tuple[str, str]] = (),
    *,
    forbidden: ChannelId | None = None,
) -> posts.Post:
    lines = [
        _with_subcommand(reader, _defaults(reader, rules.defaults), "defaults"),
        _with_subcommand(reader, _games(reader, rules), "limit"),
        _with_subcommand(reader, _boards(reader, rules), "boards"),
        *(_with_subcommand(reader, sentence, command) for sentence, command in features),
        *_channels(reader, rules),
    ]
    if forbidden is not None and not rules.channels:
        # The last channel was removed, or there was none, so games are allowed everywhere.
        sentence = reader.gettext(
            "To keep games out of {channel}, list the channels where you want them: /setup allow."
        )
        lines.insert(0, sentence.format(channel=posts.channel(forbidden)))
    return posts.Post(content=posts.join_within_limit(reader, lines))


def _with_subcommand(reader: Reader, sentence: str, name: str) -> str:
    """Describe a setting after the name of its subcommand, as shown in the reader's Discord app."""
    group, command = (reader.pgettext("command", word) for word in ("setup", name))
    return f"- **/{group} {command}**: {sentence}"


def _channels(reader: Reader, rules: GuildRules) -> list[str]:
    if not rules.channels:
        everywhere = reader.gettext("Games are allowed in every channel.")
        return [_with_subcommand(reader, everywhere, "allow")]
    only = reader.gettext("Games are allowed only in these channels and their threads:")
    return [
        _with_subcommand(reader, only, "allow"),
        *(f"  - {posts.channel(channel)}" for channel in sorted(rules.channels)),
    ]


def _games(reader: Reader, rules: GuildRules) -> str:
    return reader.ngettext(
        "Up to {count} game per person at once.",
        "Up to {count} games per person at once.",
        rules.games_per_person,
    ).format(count=rules.games_per_person)


def _boards(reader: Reader, rules: GuildRules) -> str:
    if rules.placement_boards is PlacementBoards.EDIT:
        return reader.gettext("During placement I keep editing one board, so nobody is pinged.")
    return reader.gettext("While pieces are placed, each new board replaces the one before.")


def _defaults(reader: Reader, defaults: Defaults) -> str:
    parts = [start_name(reader, defaults.start), control(reader, defaults.clock)]
    if defaults.coordinates is Coordinates.PERGIOCO:
        parts.append(reader.gettext("pergioco coordinates"))
    if defaults.place is Place.THREAD:
        parts.append(reader.gettext("in its own thread"))
    parts.append(reader.gettext("rated") if defaults.rated else reader.gettext("unrated"))
    return reader.gettext("Usual game: {parts}.").format(parts=", ".join(parts))


def usual_style(reader: Reader) -> tuple[str, str, str]:
    """Return the language, theme and coordinates of a server without settings."""
    return (
        reader.gettext("as in Discord's settings of this server"),
        look_of(reader).words.theme("wood"),
        naming(reader, Coordinates.STANDARD),
    )


def place_style(
    reader: Reader, channel: ChannelId, server: Style, channel_style: Style | None
) -> posts.Post:
    """Return the form for a channel's settings or, without `channel_style`, for the server's."""
    if channel_style is None:
        sentence = reader.gettext("{choice}, as usual")
        language, *sentences = usual_style(reader)
        theme, coordinates = (sentence.format(choice=choice) for choice in sentences)
        defaults = (language, theme, coordinates)
        title, style, other = reader.gettext("Everywhere in this server:"), server, "here"
        label = reader.gettext("This channel")
    else:
        as_server = reader.gettext("as in the server")
        defaults = (as_server, as_server, as_server)
        sentence = reader.gettext("In {channel} and its threads:")
        title, style, other = (
            sentence.format(channel=posts.channel(channel)),
            channel_style,
            "server",
        )
        label = reader.gettext("The whole server")
    page = "server" if channel_style is None else "here"
    return posts.Post(
        content="\n".join([title, *style_lines(reader, style, defaults)]),
        picture=sheet(reader),
        selects=style_selects(
            reader, lambda setting: f"dvonn:style:{page}:{setting}", style, defaults
        ),
        buttons=(posts.Button(label, f"dvonn:style:{other}:show", posts.ButtonStyle.PRIMARY),),
    )
