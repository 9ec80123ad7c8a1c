"""The choices of moderators about tournaments, in words."""

from bot.base.locales import Reader
from bot.play.model.terms import GuildRules


def organisers(reader: Reader, rules: GuildRules) -> str:
    """Return who may make tournaments."""
    if rules.organisers is None:
        return reader.gettext("Moderators make tournaments.")
    # The role of everybody has the server's own number, which these rules do not tell.
    sentence = reader.gettext("Moderators and {role} make tournaments.")
    return sentence.format(role=f"<@&{rules.organisers}>")
