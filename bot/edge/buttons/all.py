"""What the buttons do. It is written in their ids, so that they work after a restart."""

from typing import Any

import discord

from bot.edge.answers import answering
from bot.edge.buttons.boards import (
    BoardButton,
    OfferButton,
    PickBoardButton,
    PickSideButton,
    PlayOnButton,
    ResignButton,
    read_move,
)
from bot.edge.buttons.calling import (
    CallButton,
    CallLandingButton,
    CallStackSelect,
    read_called,
)
from bot.edge.buttons.challenges import ChallengeButton, PlayMeButton
from bot.edge.buttons.exercises import ExerciseButton, ExerciseSelect, read_answer
from bot.edge.buttons.from_id import FromId
from bot.edge.buttons.notices import AskedButton, HelpButton, HowToPlayButton, NoticeButton
from bot.edge.buttons.own_settings import (
    PreferenceButton,
    PreferenceSelect,
    ReminderButton,
    read_own_settings,
)
from bot.edge.buttons.picker import BackButton, LandingButton, SpaceSelect, StackSelect
from bot.edge.buttons.place_settings import StylePageButton, StyleSelect
from bot.edge.buttons.plans import KeepLineButton, PlanButton, PlanSelect, read_planned
from bot.edge.buttons.privacy import PrivacyButton
from bot.edge.buttons.puzzles import DailyTableButton, MyPuzzlesButton
from bot.edge.buttons.reviews import PractiseButton, ReviewButton
from bot.edge.buttons.standing import LeaderboardButton, ProfileButton
from bot.edge.buttons.tournaments import (
    CameButton,
    CorrectionButton,
    TournamentButton,
    TournamentViewButton,
)
from bot.edge.buttons.views import (
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
from bot.edge.commands.show import read_shown
from bot.edge.desk import Interaction
from bot.model.refusals.playing import TurnOver

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
