"""The game itself, in the form of a feature."""

from bot.play.handlers import board_buttons, game_commands, game_views
from bot.play.handlers.challenge_buttons import ChallengeButton, PlayMeButton
from bot.play.seams import Feature
from bot.play.switches import OWN_SWITCHES
from bot.play.words import game_page

GAME = Feature(
    name="play",
    switches=OWN_SWITCHES,
    commands={
        0: (game_commands.play, game_commands.challenge),
        2: (
            game_commands.move,
            game_views.board,
            game_views.games,
            game_commands.undo,
            game_commands.draw,
            game_commands.resign,
        ),
    },
    menus={0: (game_views.board_as_text, game_views.my_moves), 2: (game_views.replay_game,)},
    replay={1: (game_page.ways_of_replay,), 3: (game_page.record_of_replay,)},
    page={
        -1: (game_page.ways_of_page,),
        2: (game_page.moves_of_page,),
        4: (game_page.text_of_page,),
    },
    buttons=(
        game_commands.AgainButton,
        ChallengeButton,
        PlayMeButton,
        game_commands.PlayFromButton,
        board_buttons.BoardButton,
        board_buttons.MoreButton,
        board_buttons.ResignButton,
        board_buttons.PlayOnButton,
        board_buttons.OfferButton,
        board_buttons.SpaceSelect,
        board_buttons.StackSelect,
        board_buttons.LandingButton,
        board_buttons.BackButton,
        game_views.NoticeButton,
        game_views.GameButton,
        game_views.GamesSelect,
        game_views.GamesButton,
        game_views.GamesPageButton,
        game_views.ReplayButton,
        game_views.JumpSelect,
        game_views.FormatSelect,
    ),
    forms=(
        game_commands.read_more_options,
        game_commands.read_start,
        board_buttons.read_move,
    ),
)
