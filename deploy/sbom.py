"""List the software in an environment: `python deploy/sbom.py > sbom.cdx.json`.

It prints a software bill of materials in CycloneDX 1.6: the Python that runs it, the packages in
its environment with their licenses and dependencies, and Debian's packages. The release reads it
into a container, so that it lists what the image contains:

    docker run --rm --interactive --entrypoint python dvonn-bot - < deploy/sbom.py

Only the standard library is needed.
"""

import json
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any
from urllib.parse import quote

NAME = "dvonn-bot"
DEBIAN = Path("/var/lib/dpkg/status")
SYSTEM = Path("/etc/os-release")
_REQUIRED = re.compile(r"[\w.-]+")
_FIELD = re.compile(r"^([\w-]+): (.*)$", re.MULTILINE)


def normalized(name: str) -> str:
    """Return a Python package's name in the normalized form of package indexes."""
    return re.sub(r"[-_.]+", "-", name).lower()


def component(kind: str, name: str, version: str, purl: str, licence: Any = None) -> dict[str, Any]:
    """Return a component in CycloneDX's JSON format.

    Args:
        kind: Component type in CycloneDX.
        name: Its name.
        version: Its version.
        purl: Its package URL, which also identifies it in this list.
        licence: Its license in CycloneDX's form, or None if unknown.
    """
    entry = {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl}
    return entry | ({"licenses": [licence]} if licence else {})


def licence_of(package: Distribution) -> dict[str, Any] | None:
    """Return the license of a Python package's metadata: an SPDX expression, or a name."""
    fields = ("License-Expression", "License", "Classifier")
    expressions, licences, classifiers = (package.metadata.get_all(name) or [] for name in fields)
    if expressions:
        return {"expression": expressions[0]}
    names = [text.rpartition(" :: ")[2] for text in classifiers if text.startswith("License ::")]
    name = "".join(licences).strip().partition("\n")[0] or ", ".join(names)
    return {"license": {"name": name}} if name else None


def of_python(package: Distribution) -> dict[str, Any]:
    """Return a Python package as a component."""
    name = normalized(package.metadata["Name"])
    purl = f"pkg:pypi/{name}@{package.version}"
    return component("library", name, package.version, purl, licence_of(package))


def of_debian(status: str, system: str) -> Iterator[dict[str, Any]]:
    """Yield the packages in dpkg's list of a Debian system as components."""
    release = re.search(r'^VERSION_ID="?([\d.]+)', system, re.MULTILINE)
    distro = f"&distro=debian-{release[1]}" if release else ""
    for block in status.split("\n\n"):
        fields = dict(_FIELD.findall(block))
        if fields.get("Status", "").endswith(" installed"):
            name, version = fields["Package"], fields["Version"]
            place = f"{quote(name, safe='')}@{quote(version, safe='')}"
            purl = f"pkg:deb/debian/{place}?arch={fields['Architecture']}{distro}"
            yield component("library", name, version, purl)


def dependencies(packages: dict[str, Distribution], purls: dict[str, str]) -> list[dict[str, Any]]:
    """Return each package's requirements that are installed in the environment."""
    listed = []
    for name, package in packages.items():
        matches = (_REQUIRED.match(text) for text in package.requires or ())
        needed = {normalized(match[0]) for match in matches if match} & (packages.keys() - {name})
        listed.append({"ref": purls[name], "dependsOn": sorted(purls[need] for need in needed)})
    return listed


def bill() -> dict[str, Any]:
    """Return the environment's bill of materials."""
    by_name = {
        normalized(distribution.metadata["Name"]): distribution for distribution in distributions()
    }
    packages = dict(sorted(by_name.items()))
    components = {name: of_python(package) for name, package in packages.items()}
    purls = {name: entry["purl"] for name, entry in components.items()}
    bot = components.pop(NAME) | {"type": "application"}
    version = platform.python_version()
    python = component("platform", "python", version, f"pkg:generic/python@{version}")
    debian = (
        list(of_debian(DEBIAN.read_text("utf-8"), SYSTEM.read_text("utf-8")))
        if DEBIAN.exists()
        else []
    )
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": bot},
        "components": [python, *components.values(), *debian],
        "dependencies": dependencies(packages, purls),
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
    sys.stdout.write("\n")
