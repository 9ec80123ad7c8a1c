"""The declaration of the feature."""

from bot.features.explore import doors, words
from bot.features.explore.model import NoHint
from bot.features.explore.use_cases import Studies
from bot.features.plans.words import TryingBoard
from bot.play.seams import Feature

EXPLORE = Feature(
    name="explore",
    needs=("machine", "plans"),
    refusals={NoHint: words.no_hint},
    makes=(Studies, lambda _: TryingBoard(words.on_board)),
    commands={3: (doors.show,)},
    menus={3: (doors.explore_from_here,)},
    page={3: (words.explore_of_page,), 6: (words.hint_of_page,)},
    replay={0: (words.explore_of_replay,)},
    board=(words.hint_of_board,),
    shared=(words.explore_of_shared,),
    buttons=(doors.ExploreButton, doors.ExploreSelect, doors.HintButton, doors.SuggestHintsButton),
    forms=(doors.read_tried, doors.read_shown),
)
