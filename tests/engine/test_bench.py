"""Tests for the node signature."""

import time

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn.engine import VERSION, bench

SIGNATURES = {7: 155_167}
"""The signature of each version. A change of search, evaluation or weights makes a new version."""


def test_the_node_signature() -> None:
    start = time.perf_counter()
    nodes, seconds = bench.signature()
    assert nodes == SIGNATURES[VERSION]
    assert 0 < seconds < time.perf_counter() - start


def test_the_signature_is_printed_with_nodes_per_second(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "signature", lambda: (1000, 0.5))
    bench.bench()
    assert capsys.readouterr().out == "nodes 1000 nps 2000\n"
