"""Three tiers of tests: quick for everyone, all for each change, thorough at night and for
releases.

`./run test` runs the quick tier, `./run test ROOM` that of a package. `./run test --all` adds what
a change must also pass, and `--thorough` adds the rest. A path, `-k` or `-m` names tests, which
then run whatever their tier, except thorough ones.

A test may be left to `--all` if it takes a longer way through lines that quick tests guard. `LATER`
names such files, and `@pytest.mark.later("why")` marks single tests. `@pytest.mark.thorough("why")`
marks tests of packaging, environments, or a whole machine. Each tier tries its share of
Hypothesis's examples.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final, TypeVar

import pytest
from hypothesis import settings

_T = TypeVar("_T")

QUICK: Final = "quick"
ALL: Final = "all"
THOROUGH: Final = "thorough"

EXAMPLES: Final = {QUICK: 10, ALL: 20, THOROUGH: 100}
"""Number of examples that a property tries in each tier, if it names no number of its own."""

LEFT_OUT: Final = {
    QUICK: "Hosting, browsers and longer roads through the bot are left to CI, and --all.",
    ALL: "What guards packaging and whole machines is left to nights and releases: --thorough.",
    THOROUGH: "Nothing is left out.",
}
"""The message of each tier about the tests that it leaves out."""

# How long an example takes says nothing on a busy machine.
for _tier, _examples in EXAMPLES.items():
    settings.register_profile(_tier, deadline=None, max_examples=_examples)

TESTS: Final = Path(__file__).parent

LATER: Final = (
    # What a host does: processes that start cold, full disks, services, backups of whole files.
    "operations",
    "hosting/test_backups.py",
    "hosting/test_check.py",
    "hosting/test_imports.py",
    "hosting/test_installed.py",
    "hosting/test_large.py",
    "hosting/test_library.py",
    "hosting/test_packages.py",
    "hosting/test_papers.py",
    "hosting/test_release.py",
    "hosting/test_settings.py",
    "hosting/test_tls.py",
    "hosting/test_way_back.py",
    "bot/database/test_backups.py",
    "bot/features/machine/test_remote_machine.py",
    "school/reviews/test_reviewer.py",
    # Names and comments: CI reports them to people who change code.
    "test_names.py",
    # The sandbox in a browser, scripts, and everything around the bot.
    "benchmarks",
    "demo/test_demo.py",
    "demo/test_engine_installer.py",
    "demo/test_local.py",
    "demo/test_ten_moves.py",
    "gym/test_learning.py",
    "gym/test_openspiel.py",
    "gym/test_programs.py",
    "page",
    "fuzz/test_spellings.py",
    "fuzz/test_users.py",
    # Longer ways through the real bot.
    "e2e/test_abuse.py",
    "e2e/test_bad_days_places.py",
    "e2e/test_bad_days_sessions.py",
    "e2e/test_bare.py",
    "e2e/test_bare_events.py",
    "e2e/test_catching_up.py",
    "e2e/test_desertion.py",
    "e2e/test_extending.py",
    "e2e/test_fair_play.py",
    "e2e/test_faults.py",
    "e2e/test_forged_ids.py",
    "e2e/test_global_limits.py",
    "e2e/test_great_numbers.py",
    "e2e/test_hostile.py",
    "e2e/test_hour.py",
    "e2e/test_in_languages.py",
    "e2e/test_languages.py",
    "e2e/test_look.py",
    "e2e/test_noise.py",
    "e2e/test_open_offers.py",
    "e2e/test_pings.py",
    "e2e/test_processes.py",
    "e2e/test_proxy.py",
    "e2e/test_refused_boards.py",
    "e2e/test_registration.py",
    "e2e/test_rights.py",
    "e2e/test_shares.py",
    "e2e/test_start.py",
    "e2e/test_two_weeks.py",
    "e2e/test_undelivered.py",
    "e2e/test_upgrades.py",
    "e2e/test_whole_games.py",
    "e2e/features/explore/test_pasted_texts.py",
    "e2e/features/machine/test_pooler.py",
    "e2e/features/machine/test_silence.py",
    "e2e/features/machine/test_workers.py",
    "e2e/features/tournaments/test_fair_tournaments.py",
    "e2e/features/tournaments/test_rights_of_rounds.py",
    "e2e/features/tournaments/test_tournaments_killed.py",
)
"""Files and folders that wait for `--all`."""

MOST_BOTS: Final = 220
"""Maximum number of tests in the quick tier with a bot process of their own."""
MOST_ON_POSTGRESQL: Final = 64
"""Maximum number of tests in the quick tier that use a PostgreSQL."""

ON_POSTGRESQL: Final = (
    "bot/connection/test_delivery.py",
    "bot/database/test_migrations.py",
    "bot/play/test_endings.py::test_a_game_ends_once[Before.WRITING",
    "bot/play/test_races.py",
    "bot/features/plans/test_plan_races.py::test_a_plan",
)
"""Beginnings of the names of quick tests that run on PostgreSQL, too, because of concurrency."""


def tier_of(config: pytest.Config) -> str:
    """Return the tier of a run, from its command line."""
    if config.getoption("thorough"):
        return THOROUGH
    if config.getoption("quick"):
        return QUICK
    names_tests = config.args_source is pytest.Config.ArgsSource.ARGS
    asked = config.getoption("all") or config.getoption("keyword") or config.getoption("markexpr")
    return ALL if names_tests or asked else QUICK


def waits(path: Path) -> bool:
    """Return True if a file or folder below `tests` is left to `--all`."""
    name = path.relative_to(TESTS).as_posix()
    return any(name == later or name.startswith(f"{later}/") for later in LATER)


def of_tier(items: Iterable[pytest.Item], tier: str) -> Iterator[pytest.Item]:
    """Yield the tests that run in a tier."""
    for item in items:
        if tier != THOROUGH and item.get_closest_marker("thorough") is not None:
            continue
        if tier == QUICK and (
            item.get_closest_marker("later") is not None
            or (uses_postgresql(item) and not _full_name(item).startswith(ON_POSTGRESQL))
        ):
            continue
        yield item


def is_quick(item: pytest.Item) -> bool:
    """Return True if a test runs in the quick tier."""
    return not waits(item.path) and item in of_tier([item], QUICK)


def uses_postgresql(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    return "postgres_url" in getattr(item, "fixturenames", ()) or (
        callspec is not None and "postgresql" in map(str, callspec.params.values())
    )


def too_dear(items: Iterable[pytest.Item]) -> str | None:
    """Return why there are too many costly tests in the quick tier, or None if there aren't."""
    found = list(filter(is_quick, items))
    bots = sum(PurePosixPath(_name(item)).parts[0] == "e2e" for item in found)
    twins = sum(map(uses_postgresql, found))
    if bots > MOST_BOTS:
        return f"{bots} quick tests start a bot, {MOST_BOTS} at most: leave some to --all"
    if twins > MOST_ON_POSTGRESQL:
        return f"{twins} quick tests use PostgreSQL, {MOST_ON_POSTGRESQL} at most"
    return None


def share_of(examples: int) -> int:
    """Return how many of a property's own number of examples this tier tries."""
    return max(1, examples * settings().max_examples // EXAMPLES[THOROUGH])


def one_in(number: int, examples: Iterable[_T]) -> list[_T]:
    """Return every nth example in the quick tier, and all of them in the others."""
    is_quick_tier = settings().max_examples == EXAMPLES[QUICK]
    return list(examples)[:: number if is_quick_tier else 1]


def _full_name(item: pytest.Item) -> str:
    return f"{_name(item)}::{item.name}"


def _name(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).as_posix()
