"""Check built packages: `python deploy/packages.py FOLDER`.

For each wheel and source archive in the folder it checks what a package index would check: the
metadata is valid, and all links in the long description work outside this repository. It also
checks the size of the wheel `dvonn`, and that source archives have the same metadata as their
wheels. It ends with status 1 if something is wrong.
"""

import re
import sys
import tarfile
import zipfile
from pathlib import Path

from packaging.metadata import Metadata

LARGEST = 256_000
"""Maximum size of the wheel `dvonn` in bytes."""
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def main(arguments: list[str]) -> int:
    """Check the packages, print a line for each, and return the exit status."""
    folder = Path(arguments[0])
    wheels, archives = (sorted(folder.glob(pattern)) for pattern in ("*.whl", "*.tar.gz"))
    wrong = 0
    by_name: dict[str, list[bytes]] = {}
    for file in (*wheels, *archives):
        data = metadata_of(file)
        problems = problems_of(data)
        name = "-".join(file.name.removesuffix(".tar.gz").split("-")[:2])
        by_name.setdefault(name, []).append(data)
        if file.name.startswith("dvonn-") and file in wheels and file.stat().st_size > LARGEST:
            problems.append(f"more than {LARGEST} bytes")
        if any(data != other for other in by_name[name]):
            problems.append("the metadata differ between the wheel and the source archive")
        wrong += len(problems)
        print(f"{file.name}: {'; '.join(problems) or 'ok'} ({file.stat().st_size} bytes)")
    lacking = sorted(
        name for name, copies in by_name.items() if len(copies) < len((wheels, archives))
    )
    print(*(f"{name}: a wheel or a source archive is missing" for name in lacking), sep="\n")
    return 1 if wrong or lacking or not wheels else 0


def metadata_of(file: Path) -> bytes:
    """Return the metadata in a wheel or a source archive."""
    if file.suffix == ".whl":
        name, version, *_ = file.name.split("-")
        with zipfile.ZipFile(file) as wheel:
            return wheel.read(f"{name}-{version}.dist-info/METADATA")
    with tarfile.open(file) as archive:
        member = archive.extractfile(f"{file.name.removesuffix('.tar.gz')}/PKG-INFO")
        return member.read() if member else b""


def problems_of(data: bytes) -> list[str]:
    """Return the problems of a package's metadata."""
    try:
        metadata = Metadata.from_email(data, validate=True)
    except ExceptionGroup as group:
        return [str(error) for error in group.exceptions]
    problems = [f"a dead link: {link}" for link in dead_links(metadata.description or "")]
    if metadata.description_content_type != "text/markdown":
        problems.append("the description's content type is not Markdown")
    problems += [f"no {name}" for name in ("summary", "keywords") if not getattr(metadata, name)]
    return problems


def dead_links(text: str) -> list[str]:
    """Return the links in a Markdown text that don't work outside this repository."""
    return [link for link in _LINK.findall(text) if not re.match(r"https://|mailto:|#", link)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
