"""Write the page to a file: `python -m renderer.game_page dvonn.html`."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from renderer import game_page


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page to a file."""
    parser = argparse.ArgumentParser(
        prog="python -m renderer.game_page", description=game_page.__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", type=Path)
    parser.parse_args(arguments).file.write_text(game_page.game_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
