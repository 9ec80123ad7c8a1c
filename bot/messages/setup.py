"""What moderators have chosen for their server, in words."""

from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.posts import Post, channel, fit
from bot.model.ids import ChannelId
from bot.model.terms import GuildRules, PlacementBoards


def settings(rules: GuildRules) -> Post:
    """All that is chosen."""
    return Post(content=fit(_lines(rules)))


def forbidden(rules: GuildRules, where: ChannelId) -> Post:
    """All that is chosen, after a channel was taken off the list."""
    if rules.channels:
        return settings(rules)
    # The last name has gone, or there was none: nothing is forbidden by that.
    sentence = _(
        "To keep games out of {channel}, name the channels where they may be started: /setup allow."
    ).format(channel=channel(where))
    return Post(content=fit([sentence, *_lines(rules)]))


def _lines(rules: GuildRules) -> list[str]:
    return [_games(rules), _boards(rules), *_channels(rules)]


def _channels(rules: GuildRules) -> list[str]:
    if not rules.channels:
        return [_("Games may be started in any channel.")]
    return [
        _("Games may be started only in these channels and their threads:"),
        *(f"- {channel(where)}" for where in sorted(rules.channels)),
    ]


def _games(rules: GuildRules) -> str:
    return ngettext(
        "Each person may be playing {count} game at once.",
        "Each person may be playing {count} games at once.",
        rules.games_per_person,
    ).format(count=rules.games_per_person)


def _boards(rules: GuildRules) -> str:
    if rules.placement_boards is PlacementBoards.EDIT:
        return _("While pieces are placed, the last board is edited if nobody has written since.")
    return _("Each turn posts a new board.")
