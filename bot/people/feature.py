"""Declares settings and personal data as a feature."""

from bot.guide.topics import TOPICS
from bot.people.delivery import ModeratorActionHandler, ServerBlockHandler, StoppedHandler
from bot.people.handlers import moderation, own_settings, setup
from bot.people.handlers.privacy import PrivacyButton
from bot.people.sweeping import recurring
from bot.people.use_cases.blocks import Blocks
from bot.people.use_cases.choices import PersonalSettings
from bot.people.use_cases.moderation import Moderation
from bot.people.use_cases.personal_data import Privacy
from bot.people.use_cases.retention_sweeper import RetentionSweeper
from bot.people.use_cases.servers import ServerSettings
from bot.people.use_cases.stops import Stops
from bot.people.words.refusals import REFUSALS
from bot.people.words.topics import PRIVACY
from bot.play.seams import Feature

PEOPLE = Feature(
    name="people",
    refusals=REFUSALS,
    deliveries=(StoppedHandler, ServerBlockHandler, ModeratorActionHandler),
    recurring=recurring,
    place_settings=(*setup.PLACE_SETTINGS, *moderation.PLACE_SETTINGS),
    factories=(
        lambda cases: PersonalSettings(cases.store, now=cases.now, switches=cases.switches),
        lambda cases: Blocks(cases.store, now=cases.now),
        lambda cases: ServerSettings(cases.store),
        lambda cases: Moderation(cases.store, cases.game_cache, now=cases.now),
        lambda cases: Stops(cases.store, now=cases.now),
        lambda cases: Privacy(cases.store, cases.game_cache, cases.leaving, now=cases.now),
        lambda cases: RetentionSweeper(
            cases.store, cases.game_cache, cases.retention, now=cases.now
        ),
    ),
    extends=(TOPICS.extended_by(PRIVACY),),
    commands={3: (own_settings.settings,)},
    buttons=(
        own_settings.ReminderButton,
        own_settings.PreferenceSelect,
        own_settings.PreferenceButton,
        PrivacyButton,
        moderation.RunningGamesButton,
        setup.StylePageButton,
        setup.StyleSelect,
    ),
    forms=(own_settings.read_own_settings,),
)
