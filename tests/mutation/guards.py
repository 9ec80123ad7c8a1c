"""The tests that guard each module: if the module is changed, these are to fail."""

from pathlib import Path
from typing import Final

_IN_PLAY: Final = (
    "small_events_hold_what_must_be_true",
    "an_arena_pairs_whoever_is_free_and_near",
    "two_alone_in_an_arena_play_each_other_again_with_colours_swapped",
    "in_an_arena_whoever_sat_out_plays_next",
    "an_arena_ends_with_its_time_and_waits_ten_minutes_for_running_games",
    "only_what_runs_is_paired",
)
GUARDS: Final[dict[str, tuple[str, ...]]] = {
    "bot/play/model/clock.py": ("tests/bot/test_clock.py", "tests/bot/test_time_control.py"),
    "bot/play/model/preferences.py": (
        "tests/bot/test_preferences.py",
        "tests/bot/test_reminder_times.py",
    ),
    "bot/base/zones.py": ("tests/bot/test_zones.py", "tests/bot/test_preferences.py"),
    "bot/play/use_cases/archive.py": (
        "tests/bot/test_archive.py",
        "tests/bot/test_endings.py",
        "tests/bot/test_long_games.py",
        "tests/bot/test_games.py",
        "tests/bot/test_races.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_stand_in.py",
    ),
    "bot/play/use_cases/clocks.py": (
        "tests/bot/test_clocks.py",
        "tests/bot/test_vacations.py",
        "tests/bot/test_clock_words.py",
    ),
    "bot/play/model/conduct.py": ("tests/bot/test_conduct.py", "tests/bot/test_lobby.py"),
    "bot/play/model/agreements.py": (
        "tests/bot/test_events.py",
        "tests/bot/test_offers.py",
        "tests/bot/test_clocks_in_games.py",
    ),
    "bot/play/model/event_kinds.py": ("tests/bot/test_clocks_in_games.py",),
    "bot/play/model/events.py": (
        "tests/bot/test_events.py",
        "tests/bot/test_games.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_offers.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_planning.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_stand_in.py",
        "tests/bot/test_messages.py",
    ),
    "bot/play/use_cases/games.py": (
        "tests/bot/test_games.py",
        "tests/bot/test_races.py",
        "tests/bot/test_conduct.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_planning.py",
        "tests/bot/test_machine_games.py",
        "tests/bot/test_closing.py",
        "tests/bot/test_endings.py",
    ),
    "bot/play/use_cases/leaving.py": (
        "tests/bot/test_claims.py",
        "tests/bot/test_games.py",
        "tests/bot/test_closing.py",
        "tests/bot/test_desertion.py",
        "tests/bot/test_endings.py",
        "tests/bot/test_privacy.py",
    ),
    "bot/play/use_cases/ledger.py": (
        "tests/bot/test_lobby.py",
        "tests/bot/test_stand_in.py",
        "tests/bot/test_games.py",
        "tests/bot/test_offers.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_planning.py",
        "tests/bot/test_clocks.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_vacations.py",
        "tests/bot/test_reminders.py",
        "tests/bot/test_races.py",
    ),
    "bot/play/model/lists.py": ("tests/bot/test_lists.py", "tests/bot/test_planning.py"),
    "bot/play/model/ahead/decided.py": (
        "tests/bot/test_conditional.py",
        "tests/bot/test_conditional_games.py",
    ),
    "bot/play/model/ahead/clause.py": ("tests/bot/test_conditional.py",),
    "bot/play/model/ahead/reading.py": ("tests/bot/test_conditional.py",),
    "bot/play/model/ahead/text.py": ("tests/bot/test_conditional.py",),
    "bot/play/use_cases/lobby.py": (
        "tests/bot/test_games.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_conduct.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_machine_games.py",
    ),
    "bot/play/use_cases/rematches.py": (
        "tests/bot/test_rematches.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_conduct.py",
        "tests/bot/test_pie.py",
    ),
    "bot/play/model/game.py": (
        "tests/bot/test_games.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_offers.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_planning.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_reminders.py",
        "tests/bot/test_machine_games.py",
    ),
    "bot/play/use_cases/offers.py": (
        "tests/bot/test_long_games.py",
        "tests/bot/test_offers.py",
        "tests/bot/test_games.py",
        "tests/bot/test_planning.py",
        "tests/bot/test_races.py",
        "tests/bot/test_clocks_in_games.py",
    ),
    "bot/play/use_cases/deadlines.py": (
        "tests/bot/test_claims.py",
        "tests/bot/test_desertion.py",
        "tests/bot/test_clocks.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_vacations.py",
    ),
    "bot/play/use_cases/pie.py": (
        "tests/bot/test_pie.py",
        "tests/bot/test_races.py",
    ),
    "bot/features/plans/use_cases.py": (
        "tests/bot/test_planning.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_races.py",
    ),
    "bot/play/use_cases/preferences.py": (
        "tests/bot/test_preferences.py",
        "tests/bot/test_reminders.py",
    ),
    "bot/play/model/reminding.py": ("tests/bot/test_reminder_times.py",),
    "bot/features/reminders/use_cases.py": (
        "tests/bot/test_claims.py",
        "tests/bot/test_reminders.py",
        "tests/bot/test_vacations.py",
    ),
    "bot/play/use_cases/protocol.py": (
        "tests/bot/test_races.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_rematches.py",
    ),
    "bot/play/model/attempts.py": ("tests/bot/test_attempts.py", "tests/bot/test_narrowing.py"),
    "bot/play/model/openings.py": (
        "tests/bot/test_openings.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_courses.py",
        "tests/bot/test_reviews.py",
    ),
    "bot/play/model/outcome.py": ("tests/bot/test_events.py", "tests/bot/test_endings.py"),
    "bot/play/use_cases/standin.py": ("tests/bot/test_stand_in.py",),
    "bot/play/use_cases/retention.py": ("tests/bot/test_retention.py",),
    "bot/base/retention.py": ("tests/bot/test_retention.py",),
    "bot/play/use_cases/votes.py": ("tests/bot/test_votes.py", "tests/bot/test_voting.py"),
    "bot/play/model/voting.py": (
        *("tests/bot/test_voting.py", "tests/bot/test_votes.py"),
        *("tests/bot/test_offers.py", "tests/bot/test_rematches.py"),
    ),
    "bot/play/model/time_control.py": (
        "tests/bot/test_time_control.py",
        "tests/bot/test_time_words.py",
    ),
    "bot/base/time_words.py": (
        "tests/bot/test_time_words.py",
        "tests/bot/test_time_control.py",
    ),
    "bot/play/use_cases/timekeeper.py": (
        "tests/bot/test_claims.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_reminders.py",
        "tests/bot/test_races.py",
        "tests/bot/test_pie.py",
    ),
    "bot/play/use_cases/vacations.py": ("tests/bot/test_vacations.py",),
    **dict.fromkeys(
        (
            *(
                "bot/features/tournaments/model/pairing.py",
                "bot/features/tournaments/model/records.py",
            ),
            "bot/features/tournaments/model/swiss.py",
        ),
        (
            *("tests/bot/test_swiss.py", "tests/bot/test_standings.py"),
            "tests/bot/test_round_robins.py",
            *(f"tests/bot/test_tournaments_in_play.py::test_{name}" for name in _IN_PLAY),
        ),
    ),
    "bot/features/tournaments/model/arena.py": (
        *("tests/bot/test_arenas.py", "tests/bot/test_standings.py"),
    ),
    "bot/features/tournaments/model/matching.py": (
        *("tests/bot/test_arenas.py", "tests/bot/test_swiss.py"),
    ),
    "bot/features/tournaments/model/deadlines.py": (
        *("tests/bot/test_standings.py", "tests/bot/test_tournaments.py"),
        *(f"tests/bot/test_tournaments_in_play.py::test_{name}" for name in _IN_PLAY),
    ),
    "bot/features/tournaments/model/field.py": (
        *("tests/bot/test_knockouts.py", "tests/bot/test_round_robins.py"),
        *("tests/bot/test_standings.py", "tests/bot/test_tournaments.py"),
    ),
    "bot/features/tournaments/model/bracket.py": ("tests/bot/test_knockouts.py",),
    "bot/features/tournaments/model/corrections.py": ("tests/bot/test_tournament_rules.py",),
    "bot/features/tournaments/model/knockout.py": (
        *("tests/bot/test_knockouts.py", "tests/bot/test_tournament_rules.py"),
    ),
    "bot/features/tournaments/model/ladder.py": ("tests/bot/test_standings.py",),
    "bot/features/tournaments/model/results.py": (
        *("tests/bot/test_pairing_ends.py", "tests/bot/test_no_shows.py"),
    ),
    "bot/features/tournaments/model/round_robin.py": ("tests/bot/test_round_robins.py",),
    **dict.fromkeys(
        ("bot/features/tournaments/model/allowed.py", "bot/features/tournaments/model/rules.py"),
        ("tests/bot/test_tournament_rules.py", "tests/bot/test_no_shows.py"),
    ),
    "bot/features/tournaments/model/standings.py": (
        *("tests/bot/test_standings.py", "tests/bot/test_knockouts.py"),
        "tests/bot/test_round_robins.py",
    ),
    "bot/features/tournaments/model/terms.py": (
        *("tests/bot/test_standings.py", "tests/bot/test_knockouts.py"),
    ),
    "bot/features/tournaments/model/tiebreaks.py": (
        *("tests/bot/test_standings.py", "tests/bot/test_round_robins.py"),
    ),
    **dict.fromkeys(
        (
            *(
                "bot/features/tournaments/model/seasons.py",
                "bot/features/tournaments/model/badges.py",
            ),
            "bot/features/tournaments/use_cases/seasons.py",
        ),
        ("tests/bot/test_seasons.py",),
    ),
    "bot/features/tournaments/use_cases/aside.py": (
        *("tests/bot/test_aside.py", "tests/bot/test_directors.py"),
    ),
    "bot/features/tournaments/use_cases/director.py": (
        *("tests/bot/test_tournaments.py", "tests/bot/test_directors.py"),
        *("tests/bot/test_members.py", "tests/bot/test_tournament_blocks.py"),
    ),
    "bot/features/tournaments/use_cases/opening.py": (
        *("tests/bot/test_tournaments.py", "tests/bot/test_directors.py"),
    ),
    "bot/features/tournaments/use_cases/presence.py": ("tests/bot/test_presence.py",),
    "bot/features/tournaments/use_cases/telling.py": ("tests/bot/test_tournament_news.py",),
    "bot/features/tournaments/use_cases/tournaments.py": (
        *("tests/bot/test_tournaments.py", "tests/bot/test_corrections.py"),
        "tests/bot/test_no_shows.py",
    ),
    "bot/play/store/pauses.py": (
        *("tests/bot/test_vacations.py", "tests/bot/test_clocks.py"),
        "tests/bot/test_clocks_in_games.py",
    ),
    "bot/features/profiles/store/records.py": ("tests/bot/test_records.py",),
    "bot/base/priority_semaphore.py": ("tests/bot/test_places.py",),
    "bot/connection/rate_budget.py": ("tests/bot/test_pace.py",),
    "bot/features/reviews/model.py": ("tests/bot/test_reviews.py", "tests/bot/test_courses.py"),
    **dict.fromkeys(
        (
            *(
                "bot/features/tournaments/words/answers.py",
                "bot/features/tournaments/words/games.py",
            ),
            *(
                "bot/features/tournaments/words/tables.py",
                "bot/features/tournaments/words/terms.py",
            ),
            "bot/features/tournaments/words/tournaments.py",
        ),
        ("tests/bot/test_tournament_posts.py", "tests/bot/test_tournament_words.py"),
    ),
    "dvonn/bitboard.py": (
        *("tests/dvonn/test_position.py", "tests/dvonn/test_rules.py"),
        *("tests/dvonn/test_properties.py", "tests/dvonn/test_vectors.py"),
    ),
    "dvonn/board.py": ("tests/dvonn/test_board.py",),
    "dvonn/diagram.py": ("tests/dvonn/test_diagram.py",),
    "dvonn/layout.py": ("tests/dvonn/test_diagram.py",),
    "dvonn/starts.py": tuple(
        f"tests/dvonn/test_starts.py::test_{name}"
        for name in (
            "a_seed_gives_the_same_board_for_ever",
            "each_rule_alone_makes_a_board_unfair",
            "an_empty_board_is_fair",
            "near_the_end_no_other_way_is_nearer",
            "new_reds_keep_away_from_all_others",
            "nothing_is_left_to_place_once_the_placement_is_over",
            "of_equally_near_ways_each_is_taken",
            "the_figures_of_every_position_are_those_of_a_plain_count",
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
    "dvonn/engine/codecup.py": ("tests/engine/test_protocol_texts.py",),
    "dvonn/engine/endgame.py": ("tests/engine/test_endgame.py",),
    "dvonn/engine/evaluate.py": ("tests/engine/test_bench.py",),
    "dvonn/engine/levels.py": ("tests/engine/test_searcher.py",),
    "dvonn/engine/moves.py": ("tests/engine/test_moves.py", "tests/engine/test_bench.py"),
    "dvonn/engine/ordering.py": ("tests/engine/test_bench.py",),
    "dvonn/engine/player.py": ("tests/engine/test_player.py",),
    "dvonn/engine/placement.py": tuple(
        f"tests/engine/test_placement.py::test_{name}"
        for name in (
            "the_signature",
            "white_sets_reds_apart_and_black_together",
            "between_equal_points_for_a_red_piece_chance_decides",
            "a_swing_is_what_both_sides_want",
            "the_last_points_are_shared_out",
        )
    ),
    "dvonn/engine/protocol.py": ("tests/engine/test_protocol.py",),
    "dvonn/engine/search.py": ("tests/engine/test_bench.py", "tests/engine/test_endgame.py"),
    "dvonn/engine/searcher.py": ("tests/engine/test_searcher.py", "tests/engine/test_bench.py"),
    "dvonn/engine/results.py": (
        "tests/engine/test_api.py::test_the_error_names_the_package_in_another_process_too",
    ),
    "dvonn/engine/state.py": ("tests/engine/test_moves.py", "tests/engine/test_state.py"),
    "dvonn/engine/strength.py": ("tests/engine/test_searcher.py",),
    "dvonn/engine/tables.py": ("tests/engine/test_tables.py",),
    "dvonn/engine/weights.py": ("tests/engine/test_weights.py",),
    "dvonn/errors.py": (
        *("tests/dvonn/test_move.py", "tests/dvonn/test_record.py"),
        "tests/dvonn/test_diagram.py",
    ),
    "dvonn/move.py": ("tests/dvonn/test_move.py",),
    "dvonn/notation.py": ("tests/dvonn/test_notation.py",),
    "dvonn/position.py": (
        *("tests/dvonn/test_position.py", "tests/dvonn/test_rules.py"),
        *("tests/dvonn/test_properties.py", "tests/dvonn/test_vectors.py"),
    ),
    "dvonn/record.py": ("tests/dvonn/test_record.py",),
}
"""Modules with a few quick tests that are enough; the rest is guarded by all tests of its folder.
"""

AT_IMPORT: Final = (
    *("dvonn/bitboard.py", "dvonn/board.py", "dvonn/starts.py", "dvonn/position.py"),
    *("dvonn/engine/tables.py", "bot/base/time_words.py", "bot/features/profiles/store/records.py"),
)
"""Modules whose functions are also called at import, for their tables or for what tests compare
with: they and their tests are imported again for each change, which takes longer.
"""

_FOLDERS: Final = (
    ("bot/games", ("tests/bot",)),
    ("bot/games/tournaments", ("tests/bot",)),
    ("bot/model", ("tests/bot",)),
    ("bot/model/tournaments", ("tests/bot",)),
    ("dvonn", ("tests/dvonn",)),
    ("dvonn/engine", ("tests/engine",)),
)
_NOTHING_TO_CHANGE: Final = (
    *("bot/play/use_cases/__init__.py", "bot/play/use_cases/update.py"),
    *(
        "bot/features/tournaments/use_cases/__init__.py",
        "bot/features/tournaments/model/__init__.py",
    ),
    "bot/features/tournaments/model/steps.py",
    *("bot/play/model/__init__.py", "bot/base/ids.py", "bot/play/model/pings.py"),
    *("dvonn/__init__.py", "dvonn/pieces.py"),
    *("dvonn/engine/jit.py", "dvonn/engine/layout.py"),
)
"""Constants and names; and how functions are compiled, which is the same for what was compiled
before and lies in numba's cache.
"""

ONLY_COMPILED: Final = (
    *("dvonn/engine/evaluate.py", "dvonn/engine/moves.py"),
    *("dvonn/engine/ordering.py", "dvonn/engine/search.py"),
)
"""Modules of functions that numba compiles, which `compiled.py` changes instead of mutmut. The
moves are guarded by the rules at each ply of random games, by perft and brute force; what is
estimated and in which order moves are looked at by the node signature alone, as any change of it
is a change of strength that only matches can judge.
"""
PARTLY_COMPILED: Final = ("dvonn/engine/placement.py",)


def modules(root: Path) -> list[str]:
    """List the mutated modules: game, engine, domain, use cases, and all of GUARDS."""
    found = [
        path.relative_to(root).as_posix()
        for folder, _ in _FOLDERS
        for path in sorted(root.joinpath(folder).glob("*.py"))
    ]
    found += [name for name in GUARDS if name not in found]
    return [name for name in found if name not in _NOTHING_TO_CHANGE]


def guards(module: str) -> tuple[str, ...]:
    """Return the tests of a module, as pytest takes them."""
    folder = module.rpartition("/")[0]
    return GUARDS.get(module) or dict(_FOLDERS)[folder]


_FLOORS: Final = {"dvonn": 0.95, "dvonn/engine": 0.91, "bot/games": 0.93, "bot/model": 0.92}
"""The rate that the least guarded module of each folder reached in a full run, rounded down."""
_FLOORS["bot/games/tournaments"] = _FLOORS["bot/model/tournaments"] = 0.9
_FLOORS["bot/messages"] = _FLOORS["bot/store"] = _FLOORS["bot"] = 0.9
_FLOORS["bot/edge"] = 0.84


def floor(module: str) -> float:
    """Return the part of a module's changes that must be noticed, from 0 to 1."""
    return _FLOORS[module.rpartition("/")[0]]
