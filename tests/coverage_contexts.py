"""A plug-in for `tests.coverage_map`: record which test file runs which lines.

It is loaded into a pytest that runs under `coverage run`. Bots and workers write their data when
they end, which is before the next test file starts. A forked process also writes a file with the
data of its origin, always the same, which is ignored.
"""

import json
import os
import shutil
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from coverage import Coverage, CoverageData
from coverage.exceptions import DataError

OUTPUT: Final = "COVERAGE_MAP_OUTPUT"
"""The variable that names the file to write, which maps test files to modules to lines."""
ROOT: Final = Path(__file__).parents[1]

Lines = dict[str, dict[str, list[int]]]


class Contexts:
    """The lines that each test file has run so far."""

    def __init__(self, own: Coverage, output: Path) -> None:
        self._own = own
        self._output = output
        self._file = ""
        self._of_others: defaultdict[str, list[tuple[str, Path]]] = defaultdict(list)
        self._kept = output.with_suffix("")
        self._kept.mkdir(exist_ok=True)
        self._lines: defaultdict[str, defaultdict[str, set[int]]] = defaultdict(
            lambda: defaultdict(set)
        )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._go_on_with(nodeid.partition("::")[0])

    def pytest_sessionfinish(self) -> None:
        self._go_on_with("")
        data = self._own.get_data()
        for name in data.measured_contexts() - {""}:
            data.set_query_context(name)
            self._add(name, data)
        for (file, path), *same in self._of_others.values():
            if not same:
                with suppress(DataError):  # it was killed while it wrote that
                    self._add(file, _read_data(path))
        shutil.rmtree(self._kept)
        found = {
            file: {module: sorted(lines) for module, lines in modules.items()}
            for file, modules in self._lines.items()
        }
        self._output.write_text(json.dumps(found), encoding="utf-8")

    def _go_on_with(self, file: str) -> None:
        if file != self._file:
            self._put_aside()
            self._file = file
            self._own.switch_context(file)

    def _put_aside(self) -> None:
        own = Path(self._own.get_data().data_filename())
        for path in self._output.parent.glob(f"{self._output.stem}.coverage.*"):
            if path != own:
                content = path.suffix  # coverage names files by a hash of their content
                kept = path.rename(self._kept / path.name)
                self._of_others[content].append((self._file, kept))

    def _add(self, file: str, data: CoverageData) -> None:
        for name in data.measured_files() if file else ():
            module = os.path.relpath(name, ROOT)
            self._lines[file][module].update(data.lines(name) or ())


def _read_data(path: Path) -> CoverageData:
    data = CoverageData(basename=os.fspath(path))
    data.read()
    return data


def pytest_configure(config: pytest.Config) -> None:
    own = Coverage.current()
    assert own is not None, "it runs under `coverage run`"
    config.pluginmanager.register(Contexts(own, Path(os.environ[OUTPUT])))
