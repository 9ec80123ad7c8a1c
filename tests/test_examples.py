"""Runnable examples in the docstrings that engineers meet first, outside `dvonn`.

`tests/dvonn/test_exports.py` runs those of `dvonn`.
"""

import doctest
import importlib
from typing import Final

import pytest

FIRST: Final = {
    "bot.base.config": ("read_shards",),
    "bot.base.day_words": ("possible_days",),
    "bot.base.errors": ("count_text",),
    "bot.base.formats": (
        "duration",
        "approximate_duration",
        "and_list",
        "shortened_list",
    ),
    "bot.base.ids": ("shard_of",),
    "bot.base.glicko": ("rate_pair",),
    "bot.base.retention": ("read_days",),
    "bot.base.time_words": ("read_duration",),
    "bot.base.zones": ("suggest_zones",),
    "bot.people.use_cases.moments": (
        "read_length",
        "read_moment",
    ),
    "bot.play.model.clock": (
        "TimeControl",
        "Clock.spend",
    ),
    "bot.play.model.openings": ("random_placements",),
    "bot.play.model.pauses": ("elapsed",),
    "bot.play.model.played_boards": ("cells",),
    "bot.base.spelling": (
        "plain",
        "meaning",
    ),
    "bot.play.model.typed": ("read_typed",),
    "bot.play.model.typed_clocks": ("read_time_control",),
    "bot.play.use_cases.use_cases": ("UseCases",),
    "club.guesses.model": ("reveals",),
    "club.profiles.model": (
        "numbered",
        "wins_in_a_row",
    ),
    "club.ratings.model": ("score_of",),
    "club.ratings.words": ("rating_text",),
    "club.tournaments.model.knockout": ("knockout_rounds",),
    "club.tournaments.model.leagues": (
        "division_name",
        "division_sizes",
        "season_ends",
    ),
    "club.tournaments.model.pairing": (
        "berger_round",
        "most_swiss_rounds",
    ),
    "dvonn_lessons.primer": ("dvonn_lessons.primer",),
    "dvonn_lessons.printed": ("dvonn_lessons.printed",),
    "renderer.caption": ("headline",),
    "dvonn.svg.geometry": (
        "Layout",
        "crossed",
    ),
    "renderer.lettering": (
        "renderable_name",
        "shortened",
    ),
    "renderer.picture": ("render",),
    "renderer.text_twin": ("describe",),
    "dvonn.svg.theme": ("mix",),
    "renderer.vector": ("svg",),
    "sandbox.clock": ("ManualClock.advance",),
    "sandbox.files": ("size",),
    "sandbox.forms": ("snowflake",),
    "sandbox.permissions": ("overwrite",),
    "sandbox.ratelimits": ("RateLimits.but",),
    "sandbox.router": ("read_params",),
    "sandbox.snowflakes": (
        "seconds",
        "isoformat",
    ),
    "sandbox.storage_records": ("moved",),
    "school.exercises.model": (
        "one_move",
        "ExerciseState.text",
    ),
    "school.exercises.words": ("exercise_id",),
    "school.explore.model": ("checksum",),
    "school.practice.use_cases": ("PracticeRow.answered",),
    "school.puzzles.model": (
        "PuzzleKey.found",
        "PuzzleKey.server_puzzle_id",
        "puzzle_of",
    ),
    "school.reviews.words.moves": ("chance_text",),
}
"""Functions and classes of each module that must have an example."""


@pytest.mark.parametrize("name", FIRST)
def test_the_examples_of_a_module_hold(name: str) -> None:
    module = importlib.import_module(name)
    shown = {
        test.name.removeprefix(f"{name}.")
        for test in doctest.DocTestFinder(exclude_empty=True).find(module)
        if test.examples
    }
    assert set(FIRST[name]) <= shown
    assert doctest.testmod(module).failed == 0
