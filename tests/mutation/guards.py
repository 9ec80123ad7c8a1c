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
    "bot/model/clock.py": ("tests/bot/test_clock.py", "tests/bot/test_time_control.py"),
    "bot/model/preferences.py": (
        "tests/bot/test_preferences.py",
        "tests/bot/test_reminder_times.py",
    ),
    "bot/model/zones.py": ("tests/bot/test_zones.py", "tests/bot/test_preferences.py"),
    "bot/games/archive.py": (
        "tests/bot/test_archive.py",
        "tests/bot/test_endings.py",
        "tests/bot/test_long_games.py",
        "tests/bot/test_games.py",
        "tests/bot/test_races.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_stand_in.py",
    ),
    "bot/games/clocks.py": (
        "tests/bot/test_clocks.py",
        "tests/bot/test_vacations.py",
        "tests/bot/test_clock_words.py",
    ),
    "bot/model/conduct.py": ("tests/bot/test_conduct.py", "tests/bot/test_lobby.py"),
    "bot/model/agreements.py": (
        "tests/bot/test_events.py",
        "tests/bot/test_offers.py",
        "tests/bot/test_clocks_in_games.py",
    ),
    "bot/model/event_kinds.py": ("tests/bot/test_clocks_in_games.py",),
    "bot/model/events.py": (
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
    "bot/games/games.py": (
        "tests/bot/test_games.py",
        "tests/bot/test_races.py",
        "tests/bot/test_conduct.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_planning.py",
        "tests/bot/test_machine_games.py",
        "tests/bot/test_closing.py",
        "tests/bot/test_endings.py",
    ),
    "bot/games/leaving.py": (
        "tests/bot/test_claims.py",
        "tests/bot/test_games.py",
        "tests/bot/test_closing.py",
        "tests/bot/test_desertion.py",
        "tests/bot/test_endings.py",
        "tests/bot/test_privacy.py",
    ),
    "bot/games/ledger.py": (
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
    "bot/model/lists.py": ("tests/bot/test_lists.py", "tests/bot/test_planning.py"),
    "bot/model/conditional.py": (
        "tests/bot/test_conditional.py",
        "tests/bot/test_conditional_games.py",
    ),
    "bot/model/conditional_clause.py": ("tests/bot/test_conditional.py",),
    "bot/model/conditional_reading.py": ("tests/bot/test_conditional.py",),
    "bot/model/conditional_text.py": ("tests/bot/test_conditional.py",),
    "bot/games/lobby.py": (
        "tests/bot/test_games.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_conduct.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_machine_games.py",
    ),
    "bot/games/rematches.py": (
        "tests/bot/test_rematches.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_conduct.py",
        "tests/bot/test_pie.py",
    ),
    "bot/model/game.py": (
        "tests/bot/test_games.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_offers.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_planning.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_reminders.py",
        "tests/bot/test_machine_games.py",
    ),
    "bot/games/offers.py": (
        "tests/bot/test_long_games.py",
        "tests/bot/test_offers.py",
        "tests/bot/test_games.py",
        "tests/bot/test_planning.py",
        "tests/bot/test_races.py",
        "tests/bot/test_clocks_in_games.py",
    ),
    "bot/games/deadlines.py": (
        "tests/bot/test_claims.py",
        "tests/bot/test_desertion.py",
        "tests/bot/test_clocks.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_vacations.py",
    ),
    "bot/games/pie.py": (
        "tests/bot/test_pie.py",
        "tests/bot/test_races.py",
    ),
    "bot/games/planning.py": (
        "tests/bot/test_planning.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_races.py",
    ),
    "bot/games/preferences.py": (
        "tests/bot/test_preferences.py",
        "tests/bot/test_reminders.py",
    ),
    "bot/model/reminding.py": ("tests/bot/test_reminder_times.py",),
    "bot/games/reminders.py": (
        "tests/bot/test_claims.py",
        "tests/bot/test_reminders.py",
        "tests/bot/test_vacations.py",
    ),
    "bot/games/protocol.py": (
        "tests/bot/test_races.py",
        "tests/bot/test_lobby.py",
        "tests/bot/test_rematches.py",
    ),
    "bot/model/attempts.py": ("tests/bot/test_attempts.py", "tests/bot/test_narrowing.py"),
    "bot/model/openings.py": (
        "tests/bot/test_openings.py",
        "tests/bot/test_pie.py",
        "tests/bot/test_courses.py",
        "tests/bot/test_reviews.py",
    ),
    "bot/model/outcome.py": ("tests/bot/test_events.py", "tests/bot/test_endings.py"),
    "bot/games/standin.py": ("tests/bot/test_stand_in.py",),
    "bot/games/retention.py": ("tests/bot/test_retention.py",),
    "bot/model/retention.py": ("tests/bot/test_retention.py",),
    "bot/games/votes.py": ("tests/bot/test_votes.py", "tests/bot/test_voting.py"),
    "bot/model/voting.py": (
        *("tests/bot/test_voting.py", "tests/bot/test_votes.py"),
        *("tests/bot/test_offers.py", "tests/bot/test_rematches.py"),
    ),
    "bot/model/time_control.py": (
        "tests/bot/test_time_control.py",
        "tests/bot/test_time_words.py",
    ),
    "bot/model/time_words.py": (
        "tests/bot/test_time_words.py",
        "tests/bot/test_time_control.py",
    ),
    "bot/games/timekeeper.py": (
        "tests/bot/test_claims.py",
        "tests/bot/test_clocks_in_games.py",
        "tests/bot/test_reminders.py",
        "tests/bot/test_races.py",
        "tests/bot/test_pie.py",
    ),
    "bot/games/vacations.py": ("tests/bot/test_vacations.py",),
    **dict.fromkeys(
        (
            *("bot/model/tournaments/pairing.py", "bot/model/tournaments/records.py"),
            "bot/model/tournaments/swiss.py",
        ),
        (
            *("tests/bot/test_swiss.py", "tests/bot/test_standings.py"),
            "tests/bot/test_round_robins.py",
            *(f"tests/bot/test_tournaments_in_play.py::test_{name}" for name in _IN_PLAY),
        ),
    ),
    "bot/model/tournaments/arena.py": (
        *("tests/bot/test_arenas.py", "tests/bot/test_standings.py"),
    ),
    "bot/model/tournaments/matching.py": (
        *("tests/bot/test_arenas.py", "tests/bot/test_swiss.py"),
    ),
    "bot/model/tournaments/deadlines.py": (
        *("tests/bot/test_standings.py", "tests/bot/test_tournaments.py"),
        *(f"tests/bot/test_tournaments_in_play.py::test_{name}" for name in _IN_PLAY),
    ),
    "bot/model/tournaments/field.py": (
        *("tests/bot/test_knockouts.py", "tests/bot/test_round_robins.py"),
        *("tests/bot/test_standings.py", "tests/bot/test_tournaments.py"),
    ),
    "bot/model/tournaments/bracket.py": ("tests/bot/test_knockouts.py",),
    "bot/model/tournaments/corrections.py": ("tests/bot/test_tournament_rules.py",),
    "bot/model/tournaments/knockout.py": (
        *("tests/bot/test_knockouts.py", "tests/bot/test_tournament_rules.py"),
    ),
    "bot/model/tournaments/ladder.py": ("tests/bot/test_standings.py",),
    "bot/model/tournaments/results.py": (
        *("tests/bot/test_pairing_ends.py", "tests/bot/test_no_shows.py"),
    ),
    "bot/model/tournaments/round_robin.py": ("tests/bot/test_round_robins.py",),
    **dict.fromkeys(
        ("bot/model/tournaments/allowed.py", "bot/model/tournaments/rules.py"),
        ("tests/bot/test_tournament_rules.py", "tests/bot/test_no_shows.py"),
    ),
    "bot/model/tournaments/standings.py": (
        *("tests/bot/test_standings.py", "tests/bot/test_knockouts.py"),
        "tests/bot/test_round_robins.py",
    ),
    "bot/model/tournaments/terms.py": (
        *("tests/bot/test_standings.py", "tests/bot/test_knockouts.py"),
    ),
    "bot/model/tournaments/tiebreaks.py": (
        *("tests/bot/test_standings.py", "tests/bot/test_round_robins.py"),
    ),
    **dict.fromkeys(
        (
            *("bot/model/seasons.py", "bot/model/tournaments/badges.py"),
            "bot/games/tournaments/seasons.py",
        ),
        ("tests/bot/test_seasons.py",),
    ),
    "bot/games/tournaments/aside.py": (
        *("tests/bot/test_aside.py", "tests/bot/test_directors.py"),
    ),
    "bot/games/tournaments/director.py": (
        *("tests/bot/test_tournaments.py", "tests/bot/test_directors.py"),
        *("tests/bot/test_members.py", "tests/bot/test_tournament_blocks.py"),
    ),
    "bot/games/tournaments/opening.py": (
        *("tests/bot/test_tournaments.py", "tests/bot/test_directors.py"),
    ),
    "bot/games/tournaments/presence.py": ("tests/bot/test_presence.py",),
    "bot/games/tournaments/telling.py": ("tests/bot/test_tournament_news.py",),
    "bot/games/tournaments/tournaments.py": (
        *("tests/bot/test_tournaments.py", "tests/bot/test_corrections.py"),
        "tests/bot/test_no_shows.py",
    ),
    "bot/store/pauses.py": (
        *("tests/bot/test_vacations.py", "tests/bot/test_clocks.py"),
        "tests/bot/test_clocks_in_games.py",
    ),
    "bot/store/records.py": ("tests/bot/test_records.py",),
    "bot/places.py": ("tests/bot/test_places.py",),
    "bot/edge/pace.py": ("tests/bot/test_pace.py",),
    "bot/model/reviewing.py": ("tests/bot/test_reviews.py", "tests/bot/test_courses.py"),
    **dict.fromkeys(
        (
            *("bot/messages/tournament_answers.py", "bot/messages/tournament_games.py"),
            *("bot/messages/tournament_tables.py", "bot/messages/tournament_terms.py"),
            "bot/messages/tournaments.py",
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
    *("dvonn/engine/tables.py", "bot/model/time_words.py", "bot/store/records.py"),
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
    *("bot/games/__init__.py", "bot/games/update.py"),
    *("bot/games/tournaments/__init__.py", "bot/model/tournaments/__init__.py"),
    "bot/model/tournaments/steps.py",
    *("bot/model/__init__.py", "bot/model/ids.py", "bot/model/pings.py"),
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
