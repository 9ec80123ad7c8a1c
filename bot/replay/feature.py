"""Declares the views of games as a feature."""

from bot.play.seams import Feature
from bot.replay.handlers import play_from, views
from bot.replay.parts import GAME_PAGE, REPLAY, Part
from bot.replay.use_cases.history import History
from bot.replay.use_cases.pasted_texts import PastedTexts
from bot.replay.words import game_page
from bot.replay.words.refusals import REFUSALS

VIEWS = Feature(
    name="replay",
    refusals=REFUSALS,
    factories=(
        lambda cases: History(cases.store, cases.game_cache),
        lambda cases: PastedTexts(now=cases.now),
    ),
    extends=(
        GAME_PAGE.extended_by(Part(-1, game_page.page_actions)),
        GAME_PAGE.extended_by(Part(2, game_page.page_replay)),
        GAME_PAGE.extended_by(Part(4, game_page.page_as_text)),
        REPLAY.extended_by(Part(1, game_page.replay_actions)),
        REPLAY.extended_by(Part(3, game_page.replay_record)),
    ),
    commands={2: (views.board, views.games)},
    menus={0: (views.board_as_text, views.my_moves), 2: (views.replay_game,)},
    buttons=(
        play_from.PlayFromButton,
        views.MoreButton,
        views.NoticeButton,
        views.GameButton,
        views.GamesSelect,
        views.GamesButton,
        views.GamesPageButton,
        views.ReplayButton,
        views.JumpSelect,
        views.FormatSelect,
    ),
    forms=(play_from.read_start,),
)
