"""The game itself, in the form of a feature."""

from bot.play.doors.begin_commands import AgainButton, challenge, play, read_more_options
from bot.play.doors.board_buttons import (
    BackButton,
    BoardButton,
    LandingButton,
    MoreButton,
    OfferButton,
    PlayOnButton,
    ResignButton,
    SpaceSelect,
    StackSelect,
    read_move,
)
from bot.play.doors.challenge_buttons import ChallengeButton, PlayMeButton
from bot.play.doors.game_commands import draw, move, resign, undo
from bot.play.doors.game_views import (
    FormatSelect,
    GameButton,
    GamesButton,
    GamesSelect,
    JumpSelect,
    ReplayButton,
    board,
    board_as_text,
    games,
    my_moves,
    replay_game,
)
from bot.play.doors.help_command import (
    AskedButton,
    HelpButton,
    HowToPlayButton,
    NoticeButton,
    show_help,
)
from bot.play.doors.own_settings import (
    PreferenceButton,
    PreferenceSelect,
    PrivacyButton,
    ReminderButton,
    read_own_settings,
    settings,
)
from bot.play.doors.setup_command import StylePageButton, StyleSelect
from bot.play.seams import Feature
from bot.play.words.game_page import moves_of_page, text_of_page, ways_of_page
from bot.play.words.own_settings import OWN_SWITCHES
from bot.play.words.replay import record_of_replay, ways_of_replay

GAME = Feature(
    name="play",
    switches=OWN_SWITCHES,
    commands={
        0: (play, challenge),
        2: (show_help, move, board, games, undo, draw, resign, settings),
    },
    menus={0: (board_as_text, my_moves), 2: (replay_game,)},
    replay={1: (ways_of_replay,), 3: (record_of_replay,)},
    page={-1: (ways_of_page,), 2: (moves_of_page,), 4: (text_of_page,)},
    buttons=(
        AgainButton,
        ChallengeButton,
        PlayMeButton,
        BoardButton,
        MoreButton,
        ResignButton,
        PlayOnButton,
        OfferButton,
        SpaceSelect,
        StackSelect,
        LandingButton,
        BackButton,
        HelpButton,
        HowToPlayButton,
        ReminderButton,
        PreferenceSelect,
        PreferenceButton,
        PrivacyButton,
        StylePageButton,
        StyleSelect,
        NoticeButton,
        AskedButton,
        GameButton,
        GamesSelect,
        GamesButton,
        ReplayButton,
        JumpSelect,
        FormatSelect,
    ),
    forms=(read_more_options, read_move, read_own_settings),
)
