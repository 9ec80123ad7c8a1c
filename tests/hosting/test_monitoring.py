"""Tests that alert rules, dashboard and document name existing metrics."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry

from bot.base.health import Fault, HealthStatus
from bot.base.metrics import REGISTRY, WORKER_REGISTRY

ROOT = Path(__file__).resolve().parents[2]
PAPER = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")


def ours(registry: CollectorRegistry) -> dict[str, str]:
    """The bot's metrics as Prometheus names them, each with its type."""
    found = {part.name: part.type for part in registry.collect() if part.name.startswith("dvonn_")}
    return {f"{name}_total" if kind == "counter" else name: kind for name, kind in found.items()}


def samples(registries: Iterable[CollectorRegistry]) -> set[str]:
    """Return all names that a query may contain."""
    known = set[str]()
    for registry in registries:
        for name, kind in ours(registry).items():
            ends = ("_bucket", "_count", "_sum") if kind == "histogram" else ("",)
            known |= {f"{name}{end}" for end in ends}
    process = {part.name for part in REGISTRY.collect() if part.name.startswith("process_")}
    return known | process | {f"{name}_total" for name in process}


def labels(name: str) -> set[str]:
    """Return the labels of a metric."""
    plain = re.sub("_(bucket|total)$", "", name)
    collectors = {*REGISTRY._collector_to_names, *WORKER_REGISTRY._collector_to_names}
    of = (collector for collector in collectors if getattr(collector, "_name", None) == plain)
    return {label for item in of for label in item._labelnames}  # type: ignore[attr-defined]


def column(heading: str, number: int = 0) -> list[str]:
    """Return the cells of a column of the table with a heading, without code marks."""
    table = PAPER.partition(f"| {heading} |")[2].partition("\n\n")[0]
    rows = [row.strip("|").split("|") for row in table.splitlines()[2:]]
    return [row[number].strip() for row in rows]


def codes(cells: Iterable[str]) -> list[str]:
    return [code for cell in cells for code in re.findall("`([^`]+)`", cell)]


def test_each_status_and_fault_is_explained_once() -> None:
    assert codes(column("`status`")) == list(HealthStatus)
    told = [int(item) for item in column("`status`", 1)]
    assert told == [200 if HealthStatu.is_healthy else 503 for HealthStatu in HealthStatus]
    assert sorted(codes(column("Fault"))) == sorted(Fault)


@pytest.mark.parametrize("registry", [REGISTRY, WORKER_REGISTRY])
def test_each_number_explains_itself_in_a_sentence_of_its_own(registry: CollectorRegistry) -> None:
    helps = [found.documentation for found in registry.collect() if found.name.startswith("dvonn_")]
    assert len(helps) > 5
    assert len(set(helps)) == len(helps)
    assert all(re.match("[A-Z1]", text) and len(text.split()) > 3 for text in helps), helps


def test_the_sample_board_shows_all_numbers_and_no_others() -> None:
    board = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    named = {name for query in queries for name in re.findall(r"\b(?:dvonn|process)_\w+", query)}

    both = (REGISTRY, WORKER_REGISTRY)
    assert named - samples(both) == set()
    shown = {re.sub("_bucket$", "", name) for name in named}
    assert {name for item in both for name in ours(item)} - shown == set()
    numbers = [panel["id"] for panel in board["panels"]]
    assert len(numbers) == len(set(numbers))


def rules() -> list[dict[str, Any]]:
    """Test the alert rules. Prometheus itself would reject invalid ones."""
    read = yaml.safe_load((ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8"))
    assert read.keys() == {"groups"}
    found: list[dict[str, Any]] = []
    for group in read["groups"]:
        assert group.keys() == {"name", "rules"}
        found += group["rules"]
    return found


def test_the_alert_rules_are_such_as_prometheus_reads() -> None:
    known = samples((REGISTRY, WORKER_REGISTRY)) | {"up"}
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names)) > 10
    for rule in rules():
        assert {"alert", "expr", "labels", "annotations"} <= rule.keys() <= {*rule, "for"}
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert re.fullmatch(r"\w+", rule["alert"])
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "0s"))
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert rule["annotations"].keys() == {"summary"}
        assert set(re.findall(r"\{\{ (.*?) \}\}", rule["annotations"]["summary"])) <= {
            *("$labels.instance", "$labels.fault", "$labels.what"),
            *("$value", "$value | humanizeDuration"),
        }
        query = rule["expr"]
        assert all(query.count(one) == query.count(other) for one, other in ("()", "[]", "{}"))
        for name, chosen in re.findall(r"\b(dvonn_\w+|up)\b(?:\{(.*?)\})?", query):
            assert name in known, name
            asked = dict(re.findall(r'(\w+)=~?"([^"]*)"', chosen))
            assert asked.keys() <= labels(name) | {"job"}, query
            for fault in asked.get("fault", "").split("|"):
                assert fault in {"", *Fault}


def test_each_alert_is_explained() -> None:
    assert sorted(codes(column("Alert"))) == sorted(rule["alert"] for rule in rules())
