"""The tests that guard each module: they must fail if the module is changed."""

import os
from functools import cache
from pathlib import Path
from typing import Final

from tests import coverage_map
from tests.rooms import ROOMS, features

ROOT: Final = Path(__file__).parents[2]

_IN_PLAY: Final = (
    "invariants_hold_in_small_events",
    "only_running_tournaments_are_paired",
)
_BOT: Final = {
    "base/priority_semaphore.py": "places",
    "base/retention.py": "retention",
    "base/time_words.py": "time_words time_control",
    "base/zones.py": "zones choices",
    "connection/rate_budget.py": "rate_budget",
    "connection/known_refusals.py": "requests",
    "features/plans/use_cases.py": "planning plan_races",
    "features/profiles/store/records.py": "records",
    "features/reminders/use_cases.py": "before_claims vacations reminders",
    "features/reviews/model.py": "reviews",
    "features/tournaments/model/possible_terms.py": "tournament_rules no_shows",
    "features/tournaments/model/ladder.py": "standings",
    "features/tournaments/model/leagues.py": "league_rules",
    "features/tournaments/model/knockout.py": "knockouts tournament_rules",
    "features/tournaments/model/pairing.py": "swiss standings round_robins",
    "features/tournaments/model/results.py": "pairing_ends no_shows standings tournament_rules",
    "features/tournaments/model/rules.py": "tournament_rules no_shows",
    "features/tournaments/model/badges.py": "badges",
    "features/tournaments/model/standings.py": "standings knockouts round_robins",
    "features/tournaments/model/tournament.py": "standings knockouts round_robins tournaments",
    "features/tournaments/use_cases/director.py": "directors members tournament_blocks",
    "features/tournaments/use_cases/pairings.py": "tournaments directors presence leagues",
    "features/tournaments/use_cases/news.py": "corrections held_up",
    "features/tournaments/use_cases/tournaments.py": "tournaments corrections no_shows",
    "features/tournaments/words/answers.py": "tournament_posts tournament_words",
    "features/tournaments/words/games.py": "tournament_posts tournament_words",
    "features/tournaments/words/standings.py": "tournament_posts tournament_words",
    "features/tournaments/words/terms.py": "tournament_posts tournament_words",
    "features/tournaments/words/announcements.py": "tournament_posts tournament_words",
    "play/model/offer_events.py": "events offers clocks_in_games",
    "features/plans/model/clause.py": "conditional",
    "features/plans/model/tree.py": "conditional conditional_games",
    "features/plans/model/parsing.py": "conditional games votes",
    "features/plans/model/text.py": "conditional",
    "play/model/clock.py": "clock time_control",
    "play/model/typed_clocks.py": "time_control time_words bounded_texts",
    "play/model/pauses.py": "clock clocks clocks_in_games",
    "play/model/conduct.py": "conduct lobby",
    "play/model/events.py": (
        "events games lobby offers compat_0_1_0 clocks_in_games stand_in planning messages"
    ),
    "play/model/game.py": "games lobby offers clocks_in_games machine_games planning reminders",
    "play/model/openings.py": "openings compat_0_1_0 replays reviews",
    "replay/model/pasted.py": "pasted replays",
    "play/model/preferences.py": "choices reminder_times",
    "features/teams/model.py": "voting votes",
    "base/spelling.py": "attempts lists courtesies bounded_texts",
    "play/model/typed.py": "attempts lists planning",
    "play/store/timers.py": "vacations clocks clocks_in_games",
    "play/use_cases/game_cache.py": "game_cache endings long_games games races lobby stand_in",
    "play/use_cases/clocks.py": "clocks vacations",
    "play/use_cases/deadlines.py": "claims desertion clocks clocks_in_games vacations",
    "play/use_cases/games.py": "games races conduct machine_games closing endings planning",
    "play/use_cases/endings.py": "claims games closing desertion endings privacy",
    "play/use_cases/ledger.py": (
        "lobby stand_in games offers clocks clocks_in_games vacations races planning reminders "
        "rematches"
    ),
    "play/use_cases/lobby.py": "games lobby conduct clocks_in_games machine_games",
    "play/use_cases/offers.py": "long_games offers games races clocks_in_games planning",
    "replay/use_cases/pasted_texts.py": "pasted_texts",
    "people/use_cases/choices.py": "choices reminders conduct blocks",
    "play/use_cases/rematches.py": "rematches lobby conduct machine_games",
    "play/use_cases/takeovers.py": "stand_in claims desertion",
    "people/use_cases/personal_data.py": "retention privacy",
    "play/use_cases/timekeeper.py": "claims clocks_in_games races reminders",
    "features/teams/use_cases.py": "votes voting",
}
"""The test files of a module of `bot`, by name without "test_"."""
_ALSO_IN_PLAY: Final = (
    "features/tournaments/model/pairing.py",
    "features/tournaments/model/results.py",
)
"""Modules of `bot` that `_IN_PLAY` guards, too."""


_FILES: Final = {
    path.stem.removeprefix("test_"): path.relative_to(ROOT).as_posix()
    for room in ROOMS
    for path in ROOT.glob(f"tests/{room}/**/test_*.py")
}


def _files(names: str) -> tuple[str, ...]:
    return tuple(_FILES[name] for name in names.split())


def _module(name: str) -> str:
    """Return the path of a module. Features are in several rooms."""
    if not name.startswith("features/"):
        return f"bot/{name}"
    _, feature, inside = name.split("/", 2)
    return (features()[feature] / inside).relative_to(ROOT).as_posix()


GUARDS: Final[dict[str, tuple[str, ...]]] = {
    **{_module(module): _files(names) for module, names in _BOT.items()},
    **{
        _module(module): (
            *_files(_BOT[module]),
            *(f"{_FILES['tournaments_in_play']}::test_{name}" for name in _IN_PLAY),
        )
        for module in _ALSO_IN_PLAY
    },
    **{
        f"dvonn/{name}.py": ("tests/dvonn/test_programs.py",)
        for name in ("actions", "arrays", "hashing", "perft", "simulation", "symmetries")
    },
    "dvonn/_rules/bitboard.py": (
        *("tests/dvonn/test_position.py", "tests/dvonn/test_rules.py"),
        *("tests/dvonn/test_properties.py", "tests/dvonn/test_vectors.py"),
    ),
    "dvonn/_rules/board.py": ("tests/dvonn/test_board.py",),
    "dvonn/_records/diagram.py": ("tests/dvonn/test_diagram.py", "tests/dvonn/test_printed.py"),
    "dvonn/_rules/layout.py": ("tests/dvonn/test_diagram.py",),
    "dvonn/link.py": ("tests/dvonn/test_link.py",),
    "dvonn/_rules/packed_moves.py": ("tests/dvonn/test_link.py",),
    "dvonn_lessons/printed.py": ("tests/dvonn/test_printed.py",),
    "dvonn/_records/record_reader.py": (
        *("tests/dvonn/test_pgn.py", "tests/dvonn/test_record.py", "tests/dvonn/test_tree.py"),
    ),
    "dvonn/_records/tree.py": ("tests/dvonn/test_tree.py",),
    "dvonn/starts.py": tuple(
        f"tests/dvonn/test_starts.py::test_{name}"
        for name in (
            "a_seed_always_gives_the_same_board",
            "violating_any_single_rule_makes_a_board_unfair",
            "an_empty_board_is_fair",
            "near_the_end_no_other_way_is_nearer",
            "new_reds_keep_away_from_all_others",
            "nothing_is_left_to_place_once_the_placement_is_over",
            "of_equally_near_ways_each_is_taken",
            "the_figures_of_every_position_equal_a_plain_count",
            "the_order_in_which_pieces_were_placed_does_not_matter",
        )
    ),
    "dvonn/engine/__init__.py": (
        "tests/engine/test_api.py::TestWithoutIt",
        "tests/engine/test_api.py::TestWithNumba::test_analyse",
        "tests/engine/test_api.py::TestWithNumba::test_choose",
    ),
    "dvonn/engine/__main__.py": ("tests/engine/test_command_line.py",),
    "dvonn/engine/analysis.py": ("tests/engine/test_analysis.py",),
    "dvonn/engine/baseline.py": ("tests/engine/test_baseline.py",),
    "dvonn/engine/bench.py": ("tests/engine/test_bench.py",),
    "dvonn/engine/codecup_text.py": ("tests/engine/test_protocol_texts.py",),
    "dvonn/engine/endgame.py": ("tests/engine/test_endgame.py",),
    "dvonn/engine/evaluate.py": ("tests/engine/test_bench.py",),
    "dvonn/engine/moves.py": ("tests/engine/test_moves.py", "tests/engine/test_bench.py"),
    "dvonn/engine/ordering.py": ("tests/engine/test_ordering.py", "tests/engine/test_bench.py"),
    "dvonn/engine/player.py": ("tests/engine/test_player.py", "tests/engine/test_searcher.py"),
    "dvonn/engine/placement.py": tuple(
        f"tests/engine/test_placement.py::test_{name}"
        for name in (
            "placement_is_unchanged",
            "white_sets_reds_apart_and_black_together",
            "between_equal_points_for_a_red_piece_chance_decides",
            "a_swing_is_the_value_for_both_sides",
            "the_last_points_are_shared_out",
        )
    ),
    **{
        f"dvonn/engine/{name}.py": ("tests/engine/test_uci.py",)
        for name in ("jsonlines", "thinking", "uci")
    },
    "dvonn/engine/client.py": ("tests/engine/test_client.py",),
    "dvonn/engine/process.py": ("tests/engine/test_client.py",),
    "dvonn/engine/conformance.py": ("tests/engine/test_conformance.py",),
    "dvonn/engine/protocol.py": ("tests/engine/test_protocol.py",),
    "dvonn/engine/search.py": ("tests/engine/test_bench.py", "tests/engine/test_endgame.py"),
    "dvonn/engine/searcher.py": ("tests/engine/test_searcher.py", "tests/engine/test_bench.py"),
    "dvonn/engine/results.py": (
        "tests/engine/test_api.py::test_the_error_names_the_package_in_another_process_too",
    ),
    "dvonn/engine/state.py": ("tests/engine/test_moves.py", "tests/engine/test_state.py"),
    "dvonn/engine/tables.py": ("tests/engine/test_tables.py",),
    "dvonn/engine/weights.py": ("tests/engine/test_weights.py",),
    "dvonn/_rules/errors.py": (
        *("tests/dvonn/test_move.py", "tests/dvonn/test_record.py"),
        "tests/dvonn/test_diagram.py",
    ),
    "dvonn/_rules/move.py": ("tests/dvonn/test_move.py",),
    "dvonn/_rules/notation.py": ("tests/dvonn/test_notation.py",),
    "dvonn/_rules/position.py": (
        *("tests/dvonn/test_position.py", "tests/dvonn/test_rules.py"),
        *("tests/dvonn/test_properties.py", "tests/dvonn/test_vectors.py"),
    ),
    "dvonn/_records/record.py": ("tests/dvonn/test_record.py",),
}
"""Modules for which a few quick tests are enough. All others have those of tests/coverage_map.txt.
"""

AT_IMPORT: Final = (
    *(
        "dvonn/_rules/bitboard.py",
        "dvonn/_rules/board.py",
        "dvonn/starts.py",
        "dvonn/_rules/position.py",
    ),
    *("dvonn/engine/tables.py", "bot/base/time_words.py", "club/profiles/store/records.py"),
)
"""Modules whose functions are also called at import, for tables or by tests.

They and their tests are imported again for each change, which takes longer.
"""

NOTHING_TO_CHANGE: Final = (
    "bot/play/game_changes.py",
    *("bot/play/model/__init__.py", "bot/play/model/pings.py"),
    *("dvonn/__init__.py", "dvonn/_rules/pieces.py"),
    *("dvonn/engine/jit.py", "dvonn/engine/memory.py"),
)
"""Constants and names, and the compilation of functions, whose result is cached by numba."""

ONLY_COMPILED: Final = (
    *("dvonn/engine/evaluate.py", "dvonn/engine/moves.py"),
    *("dvonn/engine/ordering.py", "dvonn/engine/search.py"),
)
"""Modules of functions that numba compiles, which `in_source.py` changes instead of mutmut.

The rules at each ply of random games, perft and brute force guard the moves. Only the node
signature guards evaluations and the order of moves, because a change of strength can only be judged
by matches.
"""
PARTLY_COMPILED: Final = ("dvonn/engine/placement.py",)


def modules() -> list[str]:
    """Return the mutated modules: all with functions, except those with nothing to change."""
    return [name for name in coverage_map.modules() if name not in NOTHING_TO_CHANGE]


def guards(module: str) -> tuple[str, ...]:
    """Return the tests of a module, as arguments of pytest."""
    return GUARDS[module] if module in GUARDS else _tests_of_modules()[module]


@cache
def _tests_of_modules() -> dict[str, tuple[str, ...]]:
    return coverage_map.tests_of_modules()


def in_process(module: str) -> bool:
    """Return True if a module's tests run it in their own process, so that mutmut can change it."""
    return without_processes(module) == guards(module)


def without_processes(module: str) -> tuple[str, ...]:
    """Return the tests of a module that need no separate bot process."""
    return tuple(test for test in guards(module) if not needs_a_process(test))


def needs_a_process(test: str) -> bool:
    """Return True if a test starts a process that can't be a task of the test's loop here."""
    return starts_a_process(test) and not (BOT_TASKS in os.environ and test.startswith(_WITH_BOTS))


def starts_a_process(test: str) -> bool:
    """Return True if a test starts a bot or another program as a process."""
    return test.startswith(_WITH_PROCESSES)


BOT_TASKS: Final = "MUTATION_BOT_TASKS"
"""The variable that is set if `tests.mutation.bot_tasks` is loaded."""
_WITH_BOTS: Final = "tests/e2e/"
_WITH_PROCESSES: Final = (_WITH_BOTS, "tests/operations/", "tests/hosting/", "tests/demo/")


_FLOORS: Final = {
    "dvonn": 0.95,
    "dvonn_lessons": 0.95,
    "dvonn/engine": 0.91,
    **dict.fromkeys(ROOMS, 0.9),
    "bot/connection": 0.84,
    "bot/play/use_cases": 0.93,
    "bot/play/model": 0.92,
    "renderer": 0.9,
}
"""The rate of the least guarded module of each folder in a full run, rounded down."""


def floor(module: str) -> float:
    """Return the fraction of a module's changes that must be detected, from 0 to 1."""
    return next(
        _FLOORS[parent.as_posix()]
        for parent in Path(module).parents
        if parent.as_posix() in _FLOORS
    )
