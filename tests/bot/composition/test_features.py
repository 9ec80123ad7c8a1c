"""Tests for the list of features against their folders, and for names that must be unique."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.errors import InputError, PlayError
from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET, FEATURES, PARTS, refusal
from bot.connection.delivery_handlers import DeliveryHandler
from bot.connection.forms import DynamicComponent
from bot.connection.posts import Button, Post, Select
from bot.play.handlers.interactions import Component
from bot.play.model.preferences import Preferences
from bot.play.model.refusals import NotKept
from bot.play.model.terms import GuildRules
from bot.play.switches import Switch
from tests import rooms
from tests.bot.composition import catalogues
from tests.bot.composition.example_texts import texts_of_feature
from tests.bot.table import ANN, BOB, GUILD, Table

NEEDS = {feature.name: set(feature.needs) for feature in FEATURES}


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements of a file. Expressions are skipped, because they contain no imports."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, part, ()):
            yield node
            yield from statements(node)


@cache
def modules(file: Path) -> frozenset[str]:
    """Return the modules that a file imports."""
    found = set[str]()
    for node in statements(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    return frozenset(found)


def features_in(file: Path) -> set[str]:
    """Return the features that a file imports."""
    return {name for module in modules(file) if (name := rooms.feature_of(module)) is not None}


def below(kind: Any) -> Iterator[Any]:
    """Return all product classes derived from a class."""
    for subclass in kind.__subclasses__():
        yield subclass
        yield from below(subclass)


@pytest.fixture(scope="module", autouse=True)
def all_is_imported() -> None:
    assert list(rooms.modules())


def test_a_feature_needs_the_features_that_it_imports() -> None:
    imported = {
        name: set[str]().union(*map(features_in, folder.rglob("*.py"))) - {name}
        for name, folder in rooms.features().items()
    }
    assert imported == NEEDS


def test_features_are_in_no_circle_and_each_folder_is_one() -> None:
    order = list(TopologicalSorter(NEEDS).static_order())
    assert set(order) == rooms.features().keys()


RANKED = (
    *("play", "challenge", "learn", "help"),
    *("plan", "show", "puzzle", "profile", "leaderboard", "tournament"),
)
MENUS = ("Board as text", "My moves", "Review", "Replay", "Explore from here", "Profile")
SUBCOMMANDS = (
    *("show", "style", "allow", "forbid", "anywhere", "limit", "boards", "reviews"),
    *("tournaments", "defaults", "puzzle", "abort", "pause", "resume"),
)
SETUP: Any = next(command for command in FEATURE_SET.commands if command.name == "setup")


@pytest.mark.parametrize(
    ("ranked", "there"),
    [(RANKED, FEATURE_SET.commands), (MENUS, FEATURE_SET.menus), (SUBCOMMANDS, SETUP.commands)],
)
def test_parts_of_the_game_and_features_are_sorted_by_rank(
    ranked: Sequence[str], there: Sequence[Any]
) -> None:
    names = [part.name for part in there]
    assert [name for name in names if name in ranked] == [item for item in ranked if item in names]


@pytest.mark.parametrize("switch", FEATURE_SET.switches, ids=lambda one: str(one.of.key))
async def test_a_switch_is_stored_without_changing_others(table: Table, switch: Switch) -> None:
    usual = Preferences()
    for is_on in (not switch.of.default, switch.of.default):
        chosen = await table.choices.switch(ANN, **{switch.of.key: is_on})
        assert chosen == await table.store.players.get(ANN)
        assert chosen.is_on(switch.of) is is_on
    assert chosen == usual == await table.store.players.get(BOB)


@pytest.mark.parametrize("is_reviewed", [True, False])
async def test_settings_of_a_server_are_shown(table: Table, *, is_reviewed: bool) -> None:
    told = {
        setting.command.name
        for setting in FEATURE_SET.place_settings
        if await setting.line(
            table.does, IN_ENGLISH, GUILD, GuildRules(chosen={"reviews": is_reviewed})
        )
        is not None
    }
    there = {setting.command.name for part in FEATURES for setting in part.place_settings}
    always = {"style", "log"}
    assert told == always | there - ({"reviews"} if is_reviewed else set())


def test_the_kernel_imports_no_feature() -> None:
    folders = set(rooms.features().values())
    files = (source for source in rooms.sources() if folders.isdisjoint(source.parents))
    assert {file.name for file in files if features_in(file)} <= {"composition.py"}


def test_only_the_composition_imports_feature_declarations() -> None:
    plugs = re.compile(
        r"(bot\.features|school|club)\.\w+\.feature|bot\.(play|replay|guide|people)\.feature"
    )
    for file in rooms.sources():
        assert file.name == "composition.py" or not any(map(plugs.fullmatch, modules(file))), file


def test_each_refusal_has_words() -> None:
    refusals = {item for item in below(PlayError) if item.__module__.split(".")[0] in rooms.ROOMS}
    assert refusals == refusal.known_types | {InputError, NotKept}


def test_each_delivery_kind_has_a_unique_name() -> None:
    names = Counter(
        part.name
        for part in below(DeliveryHandler)
        if part.__module__.split(".")[0] in rooms.ROOMS and hasattr(part, "name")
    )
    assert set(names.values()) == {1}


def test_settings_have_unique_names() -> None:
    for names in (
        [switch.of.key for switch in FEATURE_SET.switches],
        [setting.command.name for setting in FEATURE_SET.place_settings],
        [part.name for part in (*FEATURE_SET.commands, *FEATURE_SET.menus)],
        [part.name for part in PARTS],
    ):
        assert len(names) == len(set(names))


def template(button: type[DynamicComponent]) -> re.Pattern[str]:
    """Return the custom ids that a button handles."""
    return button.ids


@given(st.data())
def test_a_custom_id_belongs_to_one_button(data: st.DataObject) -> None:
    """If another button handled one, too, chance would decide."""
    for button in FEATURE_SET.buttons:
        made = data.draw(st.from_regex(template(button), fullmatch=True))
        found = [button for button in FEATURE_SET.buttons if template(button).fullmatch(made)]
        assert found == [button], made


def ids(shown: object) -> Iterator[str]:
    """Return the custom ids of everything that is shown."""
    match shown:
        case list() | tuple():
            yield from (item for part in shown for item in ids(part))
        case Post():
            beside = [section.button for section in shown.sections]
            yield from ids([*shown.buttons, *shown.selects, *beside])
        case Button() | Select():
            yield shown.custom_id


def below_and_with(name: str) -> set[str]:
    """Return a feature and those that it needs."""
    return {name}.union(*map(below_and_with, NEEDS.get(name, ())))


@pytest.mark.parametrize(
    "name", ["play", "guide", "people", *sorted(NEEDS.keys() - {"exercises", "machine"})]
)
def test_each_button_is_answered_without_the_features_above(name: str) -> None:
    there = {"play", "replay", "guide", "people", *below_and_with(name)}
    answering = [
        template(button) for feature in PARTS if feature.name in there for button in feature.buttons
    ]
    said = texts_of_feature(name)
    said.pop("help_page", None)  # made with the parts of all features
    shown = {item for say in said.values() for item in ids(say(IN_ENGLISH))}
    assert {item for item in shown if not any(made.fullmatch(item) for made in answering)} == set()


def test_each_button_of_the_product_is_joined() -> None:
    # A base class is not a button.
    made = {
        item
        for item in below(Component)
        if item.__module__.split(".")[0] in rooms.ROOMS and not item.__subclasses__()
    }
    assert made == set(FEATURE_SET.buttons)


def below_all(feature: str) -> set[str]:
    """Return a feature and everything that it needs."""
    return {feature}.union(*(below_all(item) for item in NEEDS.get(feature, ())))


def test_a_sentence_names_only_commands_and_buttons_that_are_there_with_it() -> None:
    sentences = [
        (str(form), rooms.feature_of(file.replace("/", ".")) or "play")
        for item in catalogues.template()
        for file, _ in item.locations
        for form in ([item.id] if isinstance(item.id, str) else item.id)
    ]
    owners = {
        f"/{command.name}": {feature.name}
        for feature in FEATURES
        for command in chain(*feature.commands.values())
    }
    for label, owner in sentences:
        owners.setdefault(f"*{label}*", set()).add(owner)
    named = re.compile(r"(?<![\w/<*])(?:/[a-z]+|\*[^*\n]+\*)(?!\*)")
    assert [
        (teller, name)
        for sentence, teller in sentences
        for name in named.findall(sentence)
        if not owners.get(name, {"play"}) & (below_all(teller) | {"play"})
    ] == []
