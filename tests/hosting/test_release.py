"""Tests for a release by a tag: notes, workflows, licenses."""

import io
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest
import yaml

import bot
import dvonn
from tests.bot.released import FOLDER

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FREE = {
    *("0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause"),
    *("CC0-1.0", "LGPL-3.0-only", "MIT", "MIT-CMU", "OFL-1.1", "PSF-2.0", "Zlib"),
}

PACKAGES = ("dvonn", "dvonn_lessons")
"""Folders of the packages beside the bot's."""

notes_script = runpy.run_path(str(ROOT / "deploy" / "release_notes.py"))
release_notes, CannotRelease = notes_script["release_notes"], notes_script["CannotRelease"]

PACKAGE = '__version__ = "1.2.0"\n'
CHANGELOG = """\
# Changelog

## [Unreleased]

## [1.2.0] - 2027-01-31

### Added

- this

## [1.1.0] - 2026-12-24

- that
"""


def read_workflow(path: Path) -> dict[Any, Any]:
    workflow: dict[Any, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return workflow


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_the_notes_are_the_section_of_that_version() -> None:
    assert release_notes("v1.2.0", PACKAGE, CHANGELOG) == "### Added\n\n- this"
    last = PACKAGE.replace("1.2.0", "1.1.0")
    assert release_notes("v1.1.0", last, CHANGELOG) == "- that"
    without = CHANGELOG.replace("## [Unreleased]\n\n", "")
    assert release_notes("v1.2.0", PACKAGE, without) == "### Added\n\n- this"


@pytest.mark.parametrize(
    ("tag", "package", "changelog", "reason"),
    [
        ("1.2.0", PACKAGE, CHANGELOG, "not of the form"),
        ("v1.2.0rc1", PACKAGE, CHANGELOG, "not of the form"),
        ("v1.3.0", PACKAGE, CHANGELOG, "does not say 1.3.0"),
        ("v1.2.0", "", CHANGELOG, "does not say 1.2.0"),
        ("v1.2.0", PACKAGE, CHANGELOG.replace("1.2.0", "1x2x0"), "has no section"),
        ("v1.2.0", PACKAGE, CHANGELOG.replace(" - 2027-01-31", ""), "has no section"),
        ("v1.2.0", PACKAGE, CHANGELOG.replace("### Added\n\n- this\n", ""), "empty section"),
        ("v1.2.0", PACKAGE, CHANGELOG.replace("ed]\n", "ed]\n\n- later\n", 1), "Unreleased"),
    ],
)
def test_an_inconsistent_release_is_refused(
    tag: str, package: str, changelog: str, reason: str
) -> None:
    with pytest.raises(CannotRelease, match=reason):
        release_notes(tag, package, changelog)


def test_this_version_can_be_released_unless_something_waits_for_a_later_one() -> None:
    script = str(ROOT / "deploy" / "release_notes.py")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    waits = re.search(r"^## \[Unreleased\]\s+(?!## )\S", changelog, re.MULTILINE) is not None
    done = subprocess.run(
        [sys.executable, "-I", script, f"v{bot.__version__}"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == int(waits or is_on_the_way())
    assert ("not of the form v1.2.3" in done.stderr) is is_on_the_way()
    assert done.stdout.strip() in changelog
    # Unreleased changes don't belong to a released version.
    assert is_on_the_way() or not waits


def is_on_the_way() -> bool:
    return bot.__version__.endswith(".dev0")


def test_the_version_is_the_newest_release_or_on_the_way_to_a_later_one() -> None:
    def numbers(version: str) -> tuple[int, ...]:
        return tuple(map(int, version.split(".")))

    newest = max(numbers(file.stem) for file in FOLDER.glob("*.json"))
    version = numbers(bot.__version__.removesuffix(".dev0"))
    assert len(version) == 3
    assert version > newest if is_on_the_way() else version == newest


def test_no_paper_claims_a_tag() -> None:
    """A tag in the documents must exist, except the example v1.2.3."""
    for paper in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        named = re.findall(r"\bv\d+\.\d+\.\d+\b", paper.read_text(encoding="utf-8"))
        assert set(named) <= {"v1.2.3"}, paper.name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_and_every_job_has_only_the_rights_it_names(path: Path) -> None:
    workflow = read_workflow(path)

    for step in steps(workflow):
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"]), step["uses"]
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
    assert workflow["permissions"] in ({}, {"contents": "read"})
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 45
        if "write" in job.get("permissions", {}).values():
            assert path.name != "ci.yml"


def test_one_action_has_one_version_and_says_which() -> None:
    versions: dict[str, set[str]] = {}
    for path in WORKFLOWS:
        lines = re.findall(r"uses: (\S+)@(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        for action, version in lines:
            assert re.search(r" # v\d+\.\d+\.\d+$", version), (path.name, action)
            versions.setdefault(action, set()).add(version)
    assert all(len(found) == 1 for found in versions.values()), versions


@pytest.mark.parametrize("name", ["nightly.yml", "release.yml"])
def test_all_tests_have_the_history_with_the_releases(name: str) -> None:
    """Without it, `test_way_back.py` skips the test with the real 0.1.0."""
    jobs = read_workflow(ROOT / ".github/workflows" / name)["jobs"].values()
    (job,) = [
        job
        for job in jobs
        if "bash .ci/run --thorough" in [each.get("run") for each in job["steps"]]
    ]
    (checkout,) = [each for each in job["steps"] if "actions/checkout@" in each.get("uses", "")]
    assert checkout["with"]["fetch-depth"] == 0


def test_each_night_all_tests_are_run() -> None:
    workflow = read_workflow(ROOT / ".github/workflows/nightly.yml")

    assert "schedule" in workflow[True]  # YAML reads "on" as a truth value
    assert "bash .ci/run --thorough" in [step.get("run") for step in steps(workflow)]


def test_each_night_has_a_seed_of_its_own_and_tells_it() -> None:
    job = read_workflow(ROOT / ".github/workflows/nightly.yml")["jobs"]["fuzz"]
    (commands,) = [step["run"] for step in job["steps"] if "tests.fuzz" in step.get("run", "")]
    for script in ("texts", "interactions", "doings"):
        called = rf"-m tests\.fuzz\.{script} --count \d+ --seed \"\$GITHUB_RUN_ID\" \|\| failed=1\n"
        assert re.search(called, commands)
        assert "seed {options.seed}" in (ROOT / f"tests/fuzz/{script}.py").read_text("utf-8")
    assert commands.startswith('echo "seed $GITHUB_RUN_ID"\n')
    assert commands.endswith('exit "$failed"\n')


def test_a_release_is_checked_before_anything_is_published() -> None:
    workflow = read_workflow(ROOT / ".github/workflows/release.yml")
    jobs = workflow["jobs"]

    assert workflow[True] == {"push": {"tags": ["v*"]}}
    commands = "\n".join(step.get("run", "") for step in jobs["check"]["steps"])
    early, tested, late = commands.partition("bash .ci/run --thorough")
    assert 'git merge-base --is-ancestor "$GITHUB_SHA" origin/main' in early
    assert "python deploy/release_notes.py" in early
    assert tested
    # The notes have absolute links.
    assert "deploy/release_notes.py" in late.partition("python deploy/project_urls.py")[2]
    assert re.findall(r"(?:cd (\w+) && )?\S*/hatchling build", commands) == ["", *PACKAGES]
    assert "python deploy/project_urls.py" in commands.partition("hatchling")[0]
    assert jobs["image"]["needs"] == "check"
    assert jobs["publish"]["needs"] == ["check", "image"]
    assert {name: job["permissions"] for name, job in jobs.items()} == {
        "check": {"contents": "read"},
        "image": {"contents": "read", "packages": "write"},
        "publish": {
            "attestations": "write",
            "contents": "write",
            "id-token": "write",
            "packages": "write",
        },
    }


def test_the_tested_image_is_pushed_for_both_architectures() -> None:
    image = read_workflow(ROOT / ".github/workflows/release.yml")["jobs"]["image"]
    words = [step.get("run", step.get("uses", "")) for step in image["steps"]]
    (build,) = [n for n, one in enumerate(words) if re.search(r"docker (buildx )?build\b", one)]
    (play,) = [n for n, one in enumerate(words) if "test_installed.py" in one]
    (push,) = [n for n, one in enumerate(words) if "docker push" in one]

    assert build < play < push
    assert image["steps"][play]["env"]["DVONN_BOT_IMAGE"] == "dvonn-bot"
    assert "docker tag dvonn-bot " in words[push]
    machines = {row["machine"]: row["runner"] for row in image["strategy"]["matrix"]["include"]}
    assert machines == {"amd64": "ubuntu-latest", "arm64": "ubuntu-24.04-arm"}
    assert not any("qemu" in word or "build-push-action" in word for word in words)


def test_latest_moves_when_everything_else_is_done() -> None:
    workflow = read_workflow(ROOT / ".github/workflows/release.yml")
    publish = workflow["jobs"]["publish"]["steps"]
    named = [step for step in steps(workflow) if "latest" in str(step.get("run", ""))]

    assert named == [publish[-1]]
    assert "gh release create" in publish[-2]["run"]


def test_wheel_and_image_are_attested_as_they_are_published() -> None:
    publish = read_workflow(ROOT / ".github/workflows/release.yml")["jobs"]["publish"]["steps"]
    attested = [step["with"] for step in publish if "actions/attest@" in step.get("uses", "")]
    image, *lists, files = attested

    assert image["subject-digest"] == "${{ steps.image.outputs.digest }}"
    assert "DIGEST" in publish[-1]["env"]
    assert publish[-1]["env"]["DIGEST"] == image["subject-digest"]
    (release,) = [step["run"] for step in publish if "gh release create" in step.get("run", "")]
    assert release.endswith(files["subject-path"])
    # Each architecture has its list of software, made in the tested image.
    for machine, each in zip(("amd64", "arm64"), lists, strict=True):
        assert each["subject-digest"] == f"${{{{ steps.image.outputs.{machine} }}}}"
        assert each["subject-name"] == image["subject-name"]
        assert each["sbom-path"].endswith(f"-{machine}.cdx.json")
    (copied,) = [step["run"] for step in publish if "cdx.json" in step.get("run", "")]
    assert copied == "cp image/*.cdx.json release/dist/"


def test_the_list_of_software_is_made_in_the_image_that_has_played() -> None:
    image = read_workflow(ROOT / ".github/workflows/release.yml")["jobs"]["image"]["steps"]
    commands = [step.get("run", "") for step in image]
    (listed,) = [number for number, text in enumerate(commands) if "deploy/sbom.py" in text]
    (played,) = [number for number, text in enumerate(commands) if "test_installed.py" in text]
    (pushed,) = [number for number, text in enumerate(commands) if "docker push" in text]

    assert played < listed < pushed
    assert "--entrypoint python dvonn-bot -" in commands[listed]


def test_paths_that_the_workflows_name_exist() -> None:
    for path in WORKFLOWS:
        for step in steps(read_workflow(path)):
            for named in re.findall(r"(?:tests|deploy|\.ci|docs)/[\w./-]*\w", step.get("run", "")):
                assert (ROOT / named).exists(), (path.name, named)


def test_the_job_with_write_permission_runs_no_new_code() -> None:
    propose = read_workflow(ROOT / ".github/workflows/locks.yml")["jobs"]["propose"]
    commands = "\n".join(step.get("run", "") for step in propose["steps"])

    assert not re.search(r"\./run|\.ci/|pip|python|pytest", commands.replace("`./run lock\\`", ""))


def test_dependabot_covers_dependencies_outside_the_locks() -> None:
    updates = read_workflow(ROOT / ".github" / "dependabot.yml")["updates"]

    assert {update["package-ecosystem"] for update in updates} == {"github-actions", "docker"}


def test_the_licenses_match_the_locks_and_allow_a_free_bot() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_licences.py"))
    paper = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")

    assert paper == script["up_to_date"](), "update it: .venv/bin/python docs/make_licences.py"
    rows = re.findall(r"^\| (.+) \| ([a-z0-9.-]+(?:, [a-z0-9.-]+)*) \|$", paper, re.MULTILINE)
    packages = [package for _, names in rows for package in names.split(", ")]
    locked = [package for lock in script["LOCKS"] for package in script["locked"](lock)]
    assert sorted(packages) == sorted(locked)
    assert {"font-source-sans-pro", "llvmlite", "numba", "numpy"} <= set(packages)
    for licence, names in rows:
        assert set(re.split(r" AND | OR ", licence)) <= FREE, names


def test_the_packages_name_their_origin() -> None:
    script = runpy.run_path(str(ROOT / "deploy" / "project_urls.py"))

    assert len(script["PROJECTS"]) == len(("dvonn_bot", *PACKAGES))
    for path in script["PROJECTS"]:
        before = path.read_text(encoding="utf-8")
        after = script["with_urls"](before, "https://example.org/owner/dvonn-bot")
        urls = tomllib.loads(after)["project"].pop("urls")
        assert urls["Homepage"] == "https://example.org/owner/dvonn-bot"
        assert {"Documentation", "Changelog", "Issues"} < set(urls)
        assert after.startswith(before.rstrip())
        with pytest.raises(ValueError, match="already"):
            script["with_urls"](after, "https://example.org/owner/dvonn-bot")
        with pytest.raises(ValueError, match="not the address"):
            script["with_urls"](before, "example.org")


def test_no_link_of_a_package_leads_nowhere() -> None:
    urls, packages = (
        runpy.run_path(str(ROOT / "deploy" / f"{name}.py")) for name in ("project_urls", "packages")
    )
    address = "https://example.org/owner/dvonn-bot"

    assert ROOT / "CHANGELOG.md" in urls["PAPERS"]  # it becomes the notes of a release
    for path in urls["PAPERS"]:
        paper = path.read_text(encoding="utf-8")
        whole = urls["with_links"](paper, address, f"{path.parent.name}/")
        assert not packages["dead_links"](whole)
        if path.parent != ROOT:  # these are read in their packages, too
            assert whole == paper
    told = urls["with_links"]("![a](docs/x.png) [b](../docs/y.md#z) [c](#d)", address, "dvonn/")
    assert told == (
        f"![a]({address}/raw/main/dvonn/docs/x.png) [b]({address}/blob/main/docs/y.md#z) [c](#d)"
    )
    assert packages["dead_links"]("[a](x.md) [b](https://x.org) [c](#d)") == ["x.md"]


def test_the_wheel_of_the_game_stays_small() -> None:
    """Zip its files as in a wheel. tests/hosting/test_packages.py measures the wheel itself."""
    wheel, folder = io.BytesIO(), ROOT / "dvonn"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".bin", ".json", ".py"}:
                archive.writestr(f"dvonn/{path.relative_to(folder).as_posix()}", path.read_bytes())
    about = 9_300  # its metadata and the list of its files, which were 9,212 bytes
    assert len(wheel.getvalue()) + about <= 256_000


def test_one_version_and_one_licence_hold_for_the_packages() -> None:
    whole, *others = (
        tomllib.loads((ROOT / name / "pyproject.toml").read_text(encoding="utf-8"))
        for name in (".", *PACKAGES)
    )
    bots, groups = whole["project"], whole["dependency-groups"]
    games, lessons = (other["project"] for other in others)

    assert f"dvonn=={dvonn.__version__}" in bots["dependencies"]
    assert f"dvonn-lessons=={dvonn.__version__}" in bots["dependencies"]
    assert games["optional-dependencies"]["lessons"] == [f"dvonn-lessons=={dvonn.__version__}"]
    assert (lessons["version"], lessons["dependencies"]) == (
        *(dvonn.__version__, [f"dvonn=={dvonn.__version__}"]),
    )
    assert bots["optional-dependencies"] == {
        "engine": [f"dvonn[engine]=={dvonn.__version__}"],
        "postgres": ["asyncpg>=0.31"],
        "club": ["caissify-pairings>=0.5,<0.6", "networkx>=3.6"],
        "cluster": groups["cluster"],  # their locks are made from these
        "fast": groups["fast"],
    }
    assert bot.__version__ == dvonn.__version__
    for name in ("requires-python", "license", "license-files"):
        assert bots[name] == games[name]
    assert bots["requires-python"] == lessons["requires-python"]
    # Each package needs a license file, and hatchling takes none from the parent folder.
    for folder in PACKAGES:
        assert (ROOT / folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_libraries_inside_numpys_wheel_are_listed() -> None:
    numpy = pytest.importorskip("numpy", reason="the extra `engine` is not installed")
    paper = " ".join((ROOT / "docs" / "licences.md").read_text(encoding="utf-8").split())

    (text,) = (file for file in files("numpy") or [] if file.match("licenses/LICENSE.txt"))
    inside = re.findall(r"^Name: (.+)\n(?:.+\n)*?License: (.+)$", text.read_text(), re.MULTILINE)
    assert inside or not list(Path(numpy.__file__).parents[1].glob("numpy.libs/*"))
    for name, licence in inside:
        assert f"{name.split()[-1].replace('library', 'libgfortran')} ({licence})" in paper, name


def test_no_package_that_the_bot_runs_on_is_built_where_it_is_installed() -> None:
    launcher = runpy.run_path(str(ROOT / "run"))

    for step in launcher["TO_RUN"]:
        ours = step is launcher["PROJECT"]
        assert ours or "--only-binary" in step.arguments, step.name


def test_all_that_run_installs_has_a_version_and_a_hash_uv_too() -> None:
    launcher = runpy.run_path(str(ROOT / "run"))
    assert launcher["UV"] in launcher["LOCKS"]
    for step in (*launcher["TO_TEST"], *launcher["LOCKS"]):
        ours = step is launcher["PROJECT"]
        assert ours or step.arguments[:2] == ("--require-hashes", "-r"), step.name
    assert re.findall(r"^(\S+)==", (ROOT / "locks/uv.txt").read_text("utf-8"), re.MULTILINE) == [
        "uv"
    ]
    # Nothing else of `run` installs anything.
    assert (ROOT / "run").read_text("utf-8").count("_pip(") == 2
