"""What the bot says: pure functions from what happened to words, picture and buttons."""

from bot.messages.aloud import board_aloud
from bot.messages.boards import (
    board,
    board_as_text,
    confirm_resignation,
    done,
    kept,
    kept_playing,
    look,
    played,
    running_games,
)
from bot.messages.challenges import challenge, challenge_accepted, challenge_closed, thread_name
from bot.messages.clocks import clock_choices, clocks
from bot.messages.help import FIRST_PAGE, Surroundings, help_page
from bot.messages.moves import legal_moves, plan_given_up, plan_made, plan_shown, suggestions
from bot.messages.picker import landings, move_form, picker
from bot.messages.pictures import Boards, Picture, picture_name, turn_of_picture
from bot.messages.posts import (
    Button,
    ButtonStyle,
    Option,
    Post,
    Select,
)
from bot.messages.refusals import refusal
from bot.messages.reminders import reminder, reminder_button_id, reminders
from bot.messages.settings import (
    blocked,
    forbidden,
    preferences,
    reminder_times,
    reminder_ways,
    settings,
    unblocked,
)
from bot.messages.troubles import (
    Status,
    cannot_read,
    cannot_write,
    not_posted,
    not_understood,
    read_in_part,
    set_back,
    something_went_wrong,
    status,
    too_slow,
    unknown_form,
    will_be_played,
)
from bot.messages.vacations import vacation_ended, vacation_started, vacations

__all__ = [
    "FIRST_PAGE",
    "Boards",
    "Button",
    "ButtonStyle",
    "Option",
    "Picture",
    "Post",
    "Select",
    "Status",
    "Surroundings",
    "blocked",
    "board",
    "board_aloud",
    "board_as_text",
    "cannot_read",
    "cannot_write",
    "challenge",
    "challenge_accepted",
    "challenge_closed",
    "clock_choices",
    "clocks",
    "confirm_resignation",
    "done",
    "forbidden",
    "help_page",
    "kept",
    "kept_playing",
    "landings",
    "legal_moves",
    "look",
    "move_form",
    "not_posted",
    "not_understood",
    "picker",
    "picture_name",
    "plan_given_up",
    "plan_made",
    "plan_shown",
    "played",
    "preferences",
    "read_in_part",
    "refusal",
    "reminder",
    "reminder_button_id",
    "reminder_times",
    "reminder_ways",
    "reminders",
    "running_games",
    "set_back",
    "settings",
    "something_went_wrong",
    "status",
    "suggestions",
    "thread_name",
    "too_slow",
    "turn_of_picture",
    "unblocked",
    "unknown_form",
    "vacation_ended",
    "vacation_started",
    "vacations",
    "will_be_played",
]
