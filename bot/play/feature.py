"""The game itself, in the form of a feature."""

from bot.play.doors.begin_commands import challenge, play
from bot.play.doors.board_buttons import (
    BoardButton,
    OfferButton,
    PickBoardButton,
    PickSideButton,
    PlayOnButton,
    ResignButton,
    read_move,
)
from bot.play.doors.challenge_buttons import ChallengeButton, PlayMeButton
from bot.play.doors.game_commands import draw, move, resign, undo
from bot.play.doors.help_command import show_help
from bot.play.doors.look_commands import board, games
from bot.play.doors.menus import board_as_text, my_moves, replay_game
from bot.play.doors.notice_buttons import AskedButton, HelpButton, HowToPlayButton, NoticeButton
from bot.play.doors.own_settings_buttons import (
    PreferenceButton,
    PreferenceSelect,
    ReminderButton,
    read_own_settings,
)
from bot.play.doors.picker_buttons import BackButton, LandingButton, SpaceSelect, StackSelect
from bot.play.doors.place_settings_buttons import StylePageButton, StyleSelect
from bot.play.doors.privacy_buttons import PrivacyButton
from bot.play.doors.settings_command import settings
from bot.play.doors.setup_command import setup
from bot.play.doors.view_buttons import (
    FormatSelect,
    GameButton,
    GamesButton,
    GamesSelect,
    JumpSelect,
    ReplayButton,
    SuggestHintsButton,
)
from bot.play.seams import Feature
from bot.play.words.game_page import moves_of_page, text_of_page
from bot.play.words.replay import record_of_replay, ways_of_replay

GAME = Feature(
    name="play",
    commands={
        0: (play, challenge),
        2: (show_help, move, board, games, undo, draw, resign, settings, setup),
    },
    menus={0: (board_as_text, my_moves), 2: (replay_game,)},
    replay={1: (ways_of_replay,), 3: (record_of_replay,)},
    page={2: (moves_of_page,), 4: (text_of_page,)},
    buttons=(
        ChallengeButton,
        PlayMeButton,
        BoardButton,
        ResignButton,
        PlayOnButton,
        OfferButton,
        PickBoardButton,
        PickSideButton,
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
        SuggestHintsButton,
    ),
    forms=(read_move, read_own_settings),
)
