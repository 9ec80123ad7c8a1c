"""`dvonn-bot ratings`: all ratings and results are counted again, from the games."""

import argparse
import sys
from typing import Final

from bot.base.config import StoreSettings, load_store_settings
from bot.base.errors import counted
from bot.database.opening import create_engine
from bot.features.profiles.store.recounting import recount
from bot.play.seams import Tool


async def count_again(settings: StoreSettings, asked: argparse.Namespace) -> int:
    """Count all ratings again, and say what was wrong; returns the exit status.

    Raises:
        StartError: if that cannot be done.
    """
    mend = not asked.check
    engine = create_engine(settings.database)
    try:
        found = await recount(engine, mend=mend)
    finally:
        await engine.dispose()
    wrong = (
        f"{counted(found.wrong_ratings, 'rating')}, "
        f"{counted(found.wrong_changes, 'change')} by games and "
        f"{counted(found.wrong_records, 'count')} of results"
    )
    if found.is_right:
        said = "all ratings are as stored"
    elif mend:
        said = f"put {wrong} right"
    else:
        said = f"not as counted: {wrong}; without --check this puts them right"
    sys.stdout.write(f"counted {counted(found.games, 'rated game')}: {said}\n")
    return 0 if found.is_right or mend else 1


def _fill(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="only say whether they are right")


COUNT_AGAIN: Final = Tool(
    name="ratings",
    help="count all ratings again, from the games",
    fill=_fill,
    load=load_store_settings,
    run=count_again,
)
