"""Tests for the measures of the code's structure, and of limits that hold for the code."""

import ast

from benchmarks import structure


def test_no_optional_part_is_looked_up_by_type() -> None:
    assert structure.type_lookups() == 0


def test_few_seams_serve_one_part() -> None:
    alone = {seam for seam, parts in structure.implementors().items() if len(parts) == 1}
    assert len(alone) <= 8, alone


def test_other_processes_are_spoken_of_in_few_places() -> None:
    places = structure.lines_about_processes()
    assert len({path for path, _ in places}) <= 40
    assert len(places) <= 220


def test_the_game_is_small_enough_and_needs_little() -> None:
    assert structure.lines("bot/play") <= 18_000
    assert structure.lines("benchmarks") <= 5_500
    assert structure.dependencies() <= 12
    assert structure.places_in_libraries() <= 8


def test_a_look_up_by_type_is_found() -> None:
    texts = "cases.get(Analyst)", "cases.get(key)", "rows.get(KEY)", "cases.require(Analyst)"
    found = [structure.is_type_lookup(ast.parse(text, mode="eval").body) for text in texts]
    assert found == [True, False, False, False]


def test_lines_about_processes_are_distinguished_from_other_places() -> None:
    speaks = structure.PROCESSES.search
    for text in ("another process has it", "the lease ran out", "self._begun_elsewhere()"):
        assert speaks(text), text
    for text in ("VoteProblem.ELSEWHERE", "taller, it lands elsewhere", "they processed it"):
        assert not speaks(text), text
