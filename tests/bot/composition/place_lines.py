"""What a server has chosen for features, each line with its subcommand of /setup."""

from bot.base.locales import Reader
from bot.features.puzzles.model import DailySetting
from bot.features.puzzles.words.dailies import daily_chosen
from bot.features.reviews.words.moves import no_review
from bot.features.tournaments.model.seasons import SeasonSetting
from bot.features.tournaments.words.seasons import organisers, season_chosen
from bot.play.model.terms import GuildRules


def feature_lines(
    reader: Reader, rules: GuildRules, daily: DailySetting | None, season: SeasonSetting | None
) -> list[tuple[str, str]]:
    """Return the lines as they are listed."""
    return [
        *([] if rules.reviews else [(no_review(reader), "reviews")]),
        (daily_chosen(reader, daily).content, "puzzle"),
        (season_chosen(reader, season).content, "season"),
        (organisers(reader, rules), "tournaments"),
    ]
