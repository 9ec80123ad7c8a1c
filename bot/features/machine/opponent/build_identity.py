"""The identity of this code, told apart also where two commits have one version."""

from hashlib import sha256
from pathlib import Path

import bot
import dvonn

THINKS = (
    Path(dvonn.__file__).parent,
    *(Path(bot.__file__).parent / name for name in ("play/model", "features/machine/opponent")),
)
"""Packages that think, and those that carry questions and answers."""


def build(folders: tuple[Path, ...] = THINKS) -> str:
    """Return the version and a checksum of the code that thinks; the same on any machine."""
    digest = sha256()
    for folder in folders:
        files = (file for kind in ("py", "json") for file in folder.rglob(f"*.{kind}"))
        for name, file in sorted((file.relative_to(folder).as_posix(), file) for file in files):
            digest.update(f"{folder.name}/{name}\0".encode())
            digest.update(sha256(file.read_bytes()).digest())
    return f"{bot.__version__}+{digest.hexdigest()[:12]}"
