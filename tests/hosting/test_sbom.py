"""Tests for the software bill of materials of a release."""

import json
import re
import runpy
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATUS = """\
Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.41-12+deb13u1
Description: GNU C Library
 more text

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

"""


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    """Return the script's list, if Python reads it from standard input as in a container."""
    script = (ROOT / "deploy" / "sbom.py").read_text(encoding="utf-8")
    command = [sys.executable, "-"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=True)
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def test_every_installed_package_is_listed_with_its_version_and_license(
    bill: dict[str, Any],
) -> None:
    python = [entry for entry in bill["components"] if entry["purl"].startswith("pkg:pypi/")]
    listed = {entry["name"]: entry for entry in python}

    text = (ROOT / "locks" / "run.txt").read_text(encoding="utf-8")
    lines = re.findall(r"^([\w.-]+)(?:\[.*\])?==(.+)$", text, re.MULTILINE)
    packages = {name for name, rest in lines if ";" not in rest}
    assert {"discord-py", "sqlalchemy"} <= packages <= set(listed)
    for package in packages:
        assert listed[package]["purl"] == f"pkg:pypi/{package}@{version(package)}"
        assert listed[package]["licenses"][0], package
    assert bill["metadata"]["component"]["name"] == "dvonn-bot"
    assert "dvonn-bot" not in listed


def test_dependencies_lead_to_components_that_are_listed_once(bill: dict[str, Any]) -> None:
    everything = [bill["metadata"]["component"], *bill["components"]]
    references = [entry["bom-ref"] for entry in everything]
    assert len(references) == len(set(references))

    needs = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert needs.keys() <= set(references)
    assert all(set(needed) <= set(references) for needed in needs.values())
    ours = needs[bill["metadata"]["component"]["bom-ref"]]
    assert f"pkg:pypi/discord-py@{version('discord.py')}" in ours


def test_debians_packages_are_listed_with_the_release_of_debian() -> None:
    script = runpy.run_path(str(ROOT / "deploy" / "sbom.py"))
    (package,) = script["of_debian"](STATUS, 'NAME="Debian"\nVERSION_ID="13"\n')
    assert package["purl"] == ("pkg:deb/debian/libc6@2.41-12%2Bdeb13u1?arch=amd64&distro=debian-13")
