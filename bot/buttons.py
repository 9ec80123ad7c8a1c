"""What the buttons do. It is written in their ids, so that they work after a restart."""

from typing import Any

import discord

from bot.connection.from_id import FromId
from bot.features.exercises.doors.buttons import ExerciseButton, ExerciseSelect, read_answer
from bot.features.explore.doors.show_command import read_shown
from bot.features.guesses.doors import (
    CallButton,
    CallLandingButton,
    CallStackSelect,
    read_called,
)
from bot.features.plans.doors.buttons import KeepLineButton, PlanButton, PlanSelect, read_planned
from bot.features.profiles.doors.buttons import LeaderboardButton, ProfileButton
from bot.features.puzzles.doors.buttons import DailyTableButton, MyPuzzlesButton
from bot.features.reviews.doors import PractiseButton, ReviewButton
from bot.features.tournaments.doors.buttons import (
    CameButton,
    CorrectionButton,
    TournamentButton,
    TournamentViewButton,
)
from bot.play.doors.answers import answering
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
from bot.play.doors.services import Interaction
from bot.play.doors.view_buttons import (
    ExploreButton,
    ExploreSelect,
    FormatSelect,
    GameButton,
    GamesButton,
    GamesSelect,
    HintButton,
    JumpSelect,
    ReplayButton,
    SuggestHintsButton,
    TryAgainButton,
    read_tried,
)
from bot.play.model.refusals.playing import TurnOver

ALL: tuple[type[FromId], ...] = (
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
    TryAgainButton,
    ExploreButton,
    ExploreSelect,
    HintButton,
    SuggestHintsButton,
    ReviewButton,
    PractiseButton,
    CallButton,
    CallStackSelect,
    CallLandingButton,
    ExerciseButton,
    ExerciseSelect,
    MyPuzzlesButton,
    DailyTableButton,
    PlanButton,
    PlanSelect,
    KeepLineButton,
    ProfileButton,
    LeaderboardButton,
    CameButton,
    CorrectionButton,
    TournamentButton,
    TournamentViewButton,
)


async def read_form(interaction: Interaction) -> None:
    """Carry out what was typed into a form: each knows its own."""
    for read in (
        read_move,
        read_tried,
        read_shown,
        read_called,
        read_answer,
        read_own_settings,
        read_planned,
    ):
        await read(interaction)


async def answer_unknown(interaction: discord.Interaction[Any]) -> None:
    """Answer a button that no version of ours knows, or this one no more; pass over the others."""
    data: Any = interaction.data or {}
    pressed = str(data.get("custom_id", ""))
    if not any(kind.__discord_ui_compiled_template__.fullmatch(pressed) for kind in ALL):
        async with answering(interaction):
            raise TurnOver
