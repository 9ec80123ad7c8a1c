"""The game itself, declared as a feature."""

from bot.play.handlers import board_buttons, compat_0_1_0, game_commands, rounds
from bot.play.handlers.challenge_buttons import ChallengeButton, PlayMeButton
from bot.play.seams import Feature
from bot.play.switches import OWN_SWITCHES

GAME = Feature(
    name="play",
    switches=OWN_SWITCHES,
    commands={
        0: (game_commands.play, game_commands.challenge),
        2: (game_commands.move,),
        3: (game_commands.undo, game_commands.draw, game_commands.resign),
    },
    buttons=(
        game_commands.AgainButton,
        ChallengeButton,
        PlayMeButton,
        board_buttons.BoardButton,
        board_buttons.ResignButton,
        board_buttons.PlayOnButton,
        board_buttons.OfferButton,
        board_buttons.SpaceSelect,
        board_buttons.StackButton,
        board_buttons.LandingButton,
        board_buttons.BackButton,
        rounds.NextGameButton,
        compat_0_1_0.PieButton,
        compat_0_1_0.StackSelect,
    ),
    forms=(
        game_commands.read_more_options,
        board_buttons.read_move,
    ),
)
