"""Examples of texts about settings and stored data."""

from collections.abc import Iterator
from datetime import time
from typing import Final

import dvonn
from bot.base import ids
from bot.composition import FEATURE_SET
from bot.people import model
from bot.people.words import moderation, own_settings
from bot.people.words.moments import moment_choices
from bot.people.words.privacy import confirm_deletion, export_answer
from bot.people.words.setup import place_style, settings
from bot.people.words.stops import running_again, stop_begun, stop_line, stop_message
from bot.play.model.preferences import (
    AUTOMATIC,
    Preferences,
    QuietHours,
    RemindAhead,
    RemindBy,
    Style,
)
from bot.play.model.terms import (
    Defaults,
    GuildRules,
    Place,
    PlacementBoards,
    ServerBlock,
    Start,
)
from tests.bot.play.example_texts import NOW, ExampleTexts
from tests.bot.play.test_vacations import PLANNED, absence
from tests.bot.play.test_vacations import RUNNING as AWAY
from tests.bot.replayed import BOB, CID, started

BLOCK = ServerBlock(player=BOB, until=NOW, reason="1234")
STYLE = Style(language="en", theme="slate", coordinates=dvonn.Coordinates.PERGIOCO)


def chosen_ones() -> Iterator[Preferences]:
    quiet = QuietHours(time(22), time(8))
    for by in RemindBy:
        yield Preferences(remind_by=by, remind_at=frozenset(RemindAhead))
    for switch in FEATURE_SET.switches:
        yield Preferences(switched={switch.of.key: not switch.of.default})
    yield Preferences(
        language="en",
        theme="slate",
        coordinates=dvonn.Coordinates.STANDARD,
        switched={"side": True, "preview": True},
    )
    yield Preferences(coordinates=dvonn.Coordinates.PERGIOCO)
    yield Preferences(switched={"mentions": False}, quiet=quiet, zone="Europe/Rome")
    yield Preferences(digest=time(9))


REFUSED: Final = (
    *(model.BadBlock(problem, limit=50) for problem in model.BlockProblem),
    model.CannotDelete([ids.GameId(1)]),
    model.BadTime("25"),
    model.BadMoment(),
    model.BadLength(),
    model.SameTime(),
    model.NotBlockedHere(BOB),
    model.NoStop(),
    model.TooManyStops(),
)

EXAMPLE_TEXTS: Final[ExampleTexts] = {
    "block_fields": lambda who: [
        [title, *(field.label for field in fields)]
        for title, fields in (own_settings.block_fields(who, [BOB] * count) for count in (0, 30))
    ],
    "looks": lambda who: [
        own_settings.looks(who, chosen, FEATURE_SET.switches) for chosen in chosen_ones()
    ],
    "preferences": lambda who: [
        own_settings.preferences(
            who,
            chosen,
            FEATURE_SET.switches,
            [CID] if chosen.quiet else [],
            absence(*(AWAY, PLANNED)[: 2 * chosen.is_on(AUTOMATIC)]),
        )
        for chosen in chosen_ones()
    ],
    "export_answer": lambda who: export_answer(who, "json", b"{}"),
    "confirm_deletion": lambda who: [confirm_deletion(who, games) for games in (0, 1, 2)],
    "quiet_fields": lambda who: [
        [title, *((field.label, field.placeholder) for field in fields)]
        for title, fields in (own_settings.quiet_fields(who, chosen) for chosen in chosen_ones())
    ],
    "blocked_here": lambda who: moderation.blocked_here(who, BLOCK),
    "unblocked_here": lambda who: moderation.unblocked_here(who, BOB),
    "block_message": lambda who: moderation.block_message(who, "1234", BLOCK),
    "action_message": lambda who: moderation.action_message(
        who,
        7,
        model.ModeratorAction(by=CID, command="block", options=(("days", "7"),), player=BOB),
    ),
    "log_chosen": lambda who: [
        moderation.log_chosen(who, channel) for channel in (None, ids.ChannelId(5))
    ],
    "blocks_line": lambda who: moderation.blocks_line(who, [BLOCK]),
    "style_line": lambda who: [
        moderation.style_line(who, STYLE, channels)
        for channels in ((), [(ids.ChannelId(5), STYLE)])
    ],
    "running_list": lambda who: [
        moderation.running_list(who, games, 0, 1, 10) for games in ((), [started()])
    ],
    "moment_choices": lambda who: [
        option.label for option in moment_choices(who, "", lambda _: NOW, zone="Europe/Rome")
    ],
    "stop_line": lambda who: stop_line(who, NOW),
    "stop_begun": lambda who: stop_begun(who, NOW),
    "running_again": running_again,
    "stop_message": lambda who: [
        stop_message(who, "1234", NOW, is_over=is_over) for is_over in (True, False)
    ],
    "place_style": lambda who: [
        place_style(who, ids.ChannelId(5), STYLE, here) for here in (None, Style(), STYLE)
    ],
    "settings": lambda who: [
        settings(who, rules, [], forbidden=ids.ChannelId(5))
        for rules in (
            GuildRules(),
            GuildRules(defaults=Defaults(rated=False)),
            GuildRules(
                channels=frozenset({ids.ChannelId(5)}),
                placement_boards=PlacementBoards.EDIT,
            ),
            *(
                GuildRules(
                    defaults=Defaults(
                        start=start, coordinates=dvonn.Coordinates.PERGIOCO, place=Place.THREAD
                    )
                )
                for start in Start
            ),
        )
    ],
    "vacation_fields": lambda who: [
        [title, *((field.label, field.placeholder) for field in fields)]
        for title, fields in (own_settings.vacation_fields(who),)
    ],
}
