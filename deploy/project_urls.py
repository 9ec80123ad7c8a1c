"""`python deploy/project_urls.py ADDRESS` adds the project's addresses to the packages.

Only the publisher knows where the project is hosted, so the release workflow calls this in its own
checkout before it builds. It also makes relative links absolute: in the READMEs, which package
indexes show, and in the changelog, which becomes the release notes. It requires only the standard
library.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = tuple(ROOT / folder / "pyproject.toml" for folder in (".", "dvonn", "dvonn_lessons"))

PAPERS = (*(path.with_name("README.md") for path in PROJECTS), ROOT / "CHANGELOG.md")
"""Documents that people read away from the repository."""

_LINK = re.compile(r"\]\((?!https://|#)([^)\s]+)\)")
_PICTURE = re.compile(r"\.(?:png|svg|gif)$")
_ADDRESS = re.compile(r"https://[\w.-]+(?:/[\w.-]+)+")


def with_urls(project: str, address: str) -> str:
    """Return the text of a pyproject.toml with the project's addresses added.

    Args:
        project: The original text, without addresses.
        address: URL of the repository, such as "https://github.com/OWNER/NAME".

    Raises:
        ValueError: if `address` is not such a URL, or the text already has addresses.
    """
    if _ADDRESS.fullmatch(address) is None:
        raise ValueError(f"{address} is not the address of a repository")
    if "[project.urls]" in project:
        raise ValueError("the project already has addresses")
    urls = {
        "Homepage": address,
        "Documentation": f"{address}#readme",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    lines = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    return f"{project.rstrip()}\n\n[project.urls]\n{lines}"


def with_links(readme: str, address: str, folder: str = "") -> str:
    """Return a README with absolute links.

    Args:
        readme: The original text, with links relative to its folder.
        address: URL of the repository.
        folder: The README's folder in the repository, such as "dvonn/".
    """

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if _PICTURE.search(link[1]) else "blob"
        path = f"{folder}{link[1]}"
        while (short := re.sub(r"[\w-]+/\.\./", "", path, count=1)) != path:
            path = short
        return f"]({address}/{kind}/main/{path})"

    return _LINK.sub(absolute, readme)


def main(arguments: list[str]) -> int:
    """Write the given address into all packages, and return the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python deploy/project_urls.py ADDRESS\n")
        return 2
    try:
        texts = [with_urls(path.read_text(encoding="utf-8"), arguments[0]) for path in PROJECTS]
    except ValueError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    for path, text in zip(PROJECTS, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    for path in PAPERS:
        folder = "" if path.parent == ROOT else f"{path.parent.name}/"
        paper = path.read_text(encoding="utf-8")
        path.write_text(with_links(paper, arguments[0], folder), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
