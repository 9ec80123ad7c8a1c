"""Declaration of the feature `EXPLORE`."""

from typing import Final

from bot.play.handlers.interactions import OwnBoards
from bot.play.seams import Feature
from bot.replay.parts import GAME_PAGE, REPLAY, Part
from school.explore.handlers import boards, engine, show
from school.explore.model import NoHint, StudyFull, StudyNotFound
from school.explore.use_cases import Studies
from school.explore.words import boards as words
from school.explore.words import hints

EXPLORE = Feature(
    name="explore",
    needs=("plans",),
    refusals={
        NoHint: hints.no_hint,
        StudyNotFound: words.study_not_found,
        StudyFull: words.study_full,
    },
    factories=(Studies, engine.HintsGiven),
    extends=(
        GAME_PAGE.extended_by(Part(3, words.explore_of_page)),
        GAME_PAGE.extended_by(Part(6, hints.hint_of_page)),
        REPLAY.extended_by(Part(0, words.explore_of_replay)),
        REPLAY.extended_by(Part(0, words.explore_of_shared, shared=True)),
    ),
    commands={3: (show.show,)},
    menus={3: (boards.explore_from_here,)},
    board=(hints.hint_of_board,),
    buttons=(
        boards.ExploreButton,
        boards.LeftButton,
        boards.StudyButton,
        boards.StudySelect,
        boards.StudiesSelect,
        engine.HintButton,
        engine.SuggestHintsButton,
    ),
    forms=(
        boards.read_moves,
        boards.read_comment,
        boards.read_start,
        show.read_shown,
    ),
)
OWN_BOARDS: Final[OwnBoards] = boards.StudyBoards()
