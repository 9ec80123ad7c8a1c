"""The declaration of the feature."""

from bot.features.explore.doors import (
    ExploreButton,
    ExploreSelect,
    HintButton,
    SuggestHintsButton,
    explore_from_here,
    read_shown,
    read_tried,
    show,
)
from bot.features.explore.model import NoHint
from bot.features.explore.words import (
    explore_of_page,
    explore_of_replay,
    explore_of_shared,
    hint_of_board,
    hint_of_page,
    no_hint,
    on_board,
)
from bot.features.plans.words import TryingBoard
from bot.play.seams import Feature

EXPLORE = Feature(
    name="explore",
    needs=("machine", "plans"),
    refusals={NoHint: no_hint},
    makes=(lambda _: TryingBoard(on_board),),
    commands={3: (show,)},
    menus={3: (explore_from_here,)},
    page={3: (explore_of_page,), 6: (hint_of_page,)},
    replay={0: (explore_of_replay,)},
    board=(hint_of_board,),
    shared=(explore_of_shared,),
    buttons=(ExploreButton, ExploreSelect, HintButton, SuggestHintsButton),
    forms=(read_tried, read_shown),
)
