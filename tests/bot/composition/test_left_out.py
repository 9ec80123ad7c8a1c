"""Tests that no part of a missing feature is registered, offered or mentioned."""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.base.ids import SourceId
from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURES, PARTS, ROLES
from bot.guide.words import help as guide
from bot.play.handlers.interactions import help_lines
from bot.play.model.refusals import StaleBoard
from bot.play.model.terms import Defaults, Place, Start
from bot.play.seams import Feature, FeatureSet, combine
from bot.play.store.store import Store
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.begin_form import TEAMS, more_options
from dvonn.machine import LEVELS
from tests import rooms
from tests.bot.composition import catalogues
from tests.bot.composition.test_help import around
from tests.bot.conftest import Clock
from tests.bot.replayed import challenge
from tests.bot.table import CHANNEL, raises, venue
from tests.unplug import composed_without, with_those_above

NEEDS = {feature.name: set(feature.needs) for feature in FEATURES}

SUBJECTS = {
    "reviews": r"\breview",
    "puzzles": r"\bpuzzle",
    "tournaments": r"\btournament",
    "plans": r"/plan\b|\*Plan",
    "guesses": r"\bguess(?!ed it)",
    "lessons": r"\blesson|/learn",
    "practice": r"\bpractis",
    "profiles": r"\bprofile|\bleaderboard",
    "explore": r"\bexplore|\bown board",
}
"""Patterns of texts that mention a feature.

Levels, rated games and reminders belong to the game itself.
"""

TEXTS_ALLOWED_WITHOUT_IT = (
    # These appear only in a game of a tournament, which needs that feature.
    "In a tournament everybody has the same time.",
    "No pauses in tournaments",
    # These words have another meaning here.
    "I can't see inside the taller stacks, so I guessed.",
    "Your rating, **{rating}**, is a first guess.",
    # The feature talk answers the word “learn” in any case.
    "Hi again! Say “play” for a game",
    "Great! Say “play” for a game",
    "I didn't get that. Say “play” for a game",
)
"""Beginnings of sentences that mention a feature elsewhere, each with its reason."""


def without(name: str) -> tuple[Feature, ...]:
    """Return the parts that are left without a feature and those that need it."""
    gone = with_those_above(name, NEEDS)
    return tuple(feature for feature in PARTS if feature.name not in gone)


def made_in(thing: Any) -> str:
    """Return the module of a class, function or command, or of a declaration's values."""
    for name in ("callback", "command", "label", "pick"):
        if (inner := getattr(thing, name, None)) is not None:
            return made_in(inner)
    return str(thing.__module__)


def everything(joined: FeatureSet) -> Iterator[object]:
    for name in joined.__dataclass_fields__:
        value = getattr(joined, name)
        if isinstance(value, tuple):
            yield from value


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_nothing_of_a_feature_that_is_left_out_is_joined(name: str) -> None:
    gone = with_those_above(name, NEEDS)
    left = without(name)
    there = [
        *everything(combine(left)),
        *(extend.addition for part in left for extend in part.extends),
    ]
    assert [item for item in there if rooms.feature_of(made_in(item)) in gone] == []


def test_each_role_is_played_by_a_feature() -> None:
    played = {name: getattr(ROLES, name) for name in ROLES.__dataclass_fields__}
    players = {name: rooms.feature_of(made_in(role)) for name, role in played.items() if role}
    assert set(players.values()) <= NEEDS.keys()


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_the_composition_is_whole_without_a_feature(name: str) -> None:
    text = (rooms.ROOT / "bot" / "composition.py").read_text(encoding="utf-8")
    left = ast.parse(composed_without(text, rooms.package(name)))
    names = [node for node in ast.walk(left) if isinstance(node, ast.Name)]
    known = {name.id for name in names if isinstance(name.ctx, ast.Store)} | {
        *dir(builtins),
        "part",
    }
    imports = [node for node in ast.walk(left) if isinstance(node, ast.ImportFrom)]
    assert f"{rooms.package(name)}.feature" not in {item.module for item in imports}
    imported = {name.name for node in imports for name in node.names}
    assert {name.id for name in names} - known - imported == set()


def commands_of(parts: Iterable[Feature]) -> set[str]:
    return {item.name for part in parts for some in part.commands.values() for item in some}


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_help_names_no_command_of_a_feature_that_is_left_out(name: str) -> None:
    left = without(name)
    joined, gone = combine(left), commands_of(PARTS) - commands_of(left)
    place = around(parts=joined.help, has_machine=name != "machine")
    lines = help_lines(joined.commands, IN_ENGLISH, place)
    pages = [guide.help_page(IN_ENGLISH, page, place, lines).content for page in guide.PAGES]
    named = {item for page in pages for item in re.findall(r"</?(\w+)", page)}
    assert named & gone == set()


def described(commands: Iterable[Any]) -> Iterator[str]:
    """Return what Discord shows of commands: descriptions, options and choices."""
    for command in commands:
        yield from described(getattr(command, "commands", ()))
        yield str(getattr(command, "description", ""))
        for option in getattr(command, "parameters", ()):
            yield str(option.description)
            yield from (str(choice.name) for choice in option.choices)


@pytest.mark.parametrize("name", sorted({*SUBJECTS, "teams"} & NEEDS.keys()))
def test_no_command_or_option_speaks_of_a_feature_that_is_left_out(name: str) -> None:
    speaks = re.compile(SUBJECTS.get(name, rf"\b{name.rstrip('s')}"), re.IGNORECASE)
    joined = combine(without(name))
    shown = [*described(joined.commands), *(str(menu.name) for menu in joined.menus)]
    assert [words for words in shown if speaks.search(words)] == []


def below_all(feature: str) -> set[str]:
    """Return a feature and everything that it needs."""
    return {feature}.union(*(below_all(item) for item in NEEDS.get(feature, ())))


@pytest.mark.parametrize("name", sorted(SUBJECTS))
def test_only_a_feature_and_those_above_it_speak_of_it(name: str) -> None:
    """The game's own texts make sense without the feature."""
    speaks = re.compile(SUBJECTS[name], re.IGNORECASE)
    tellers = {
        (words, rooms.feature_of(file.replace("/", ".")) or "play")
        for message in catalogues.template()
        for words in ([message.id] if isinstance(message.id, str) else message.id)
        if speaks.search(words) and not words.startswith(TEXTS_ALLOWED_WITHOUT_IT)
        for file, _ in message.locations
    }
    alone = {words for words, teller in tellers if name in below_all(teller)}
    others = {words for words, teller in tellers if name not in below_all(teller)} - alone
    assert others == set(), (
        "a word of another feature: say it otherwise, or see TEXTS_ALLOWED_WITHOUT_IT"
    )


@pytest.mark.skipif("teams" not in NEEDS, reason="the bot is without teams")
@pytest.mark.parametrize("name", [None, "teams"])
async def test_only_with_teams_a_team_game_is_offered_and_begun(
    store: Store, clock: Clock, name: str | None
) -> None:
    teams = ROLES.teams if name is None else None
    cases = UseCases(store, now=clock, rng=Random(1), levels=LEVELS, teams=teams)
    team = cases.teams.choice(IN_ENGLISH)
    _, fields = more_options(IN_ENGLISH, Defaults(), to_machine=True, team=team)
    offered = [option.value for field in fields for option in getattr(field, "options", ())]
    assert (TEAMS in offered) is (name is None)
    here = replace(challenge().terms, channel=CHANNEL, level=3, vote=timedelta(hours=1))
    terms = replace(here, clock=None, start=Start.BALANCED, place=Place.HERE)
    asked = cases.lobby.challenge(terms, opponent_is_bot=False, venue=venue(), source=SourceId(5))
    if name is None:
        assert (await asked).terms.vote == terms.vote
    else:
        await raises(StaleBoard, asked)
