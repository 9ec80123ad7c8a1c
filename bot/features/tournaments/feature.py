"""The declaration of the feature."""

from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Final

from bot.base.ids import Shards, TournamentId
from bot.features.tournaments.delivery import messages
from bot.features.tournaments.delivery.scheduled_events import ScheduledEventKind
from bot.features.tournaments.doors import buttons
from bot.features.tournaments.doors.command import read_making, tournament
from bot.features.tournaments.doors.setup_commands import PLACE_SETTINGS
from bot.features.tournaments.hook import TournamentHook
from bot.features.tournaments.model.seasons import SeasonSetting
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.features.tournaments.words.refused import REFUSALS
from bot.features.tournaments.words.seasons import season_name
from bot.play.seams import Feature, Recurring, ShardContext

_SEASONS_EVERY: Final = timedelta(seconds=5)
_TICK: Final = timedelta(seconds=1)


def recurring(work: ShardContext) -> tuple[Recurring, ...]:
    services = work.services
    director, seasons, tournaments = (
        services.of(Director),
        services.of(Seasons),
        services.of(Tournaments),
    )

    async def open_season(seen: SeasonSetting) -> None:
        """Let a month have its ladder, and the one before its play-off."""
        reader = await services.readers.everybody(seen.guild, seen.channel)
        await seasons.look(seen, name=partial(season_name, reader), machine=work.machine)

    async def due(shards: Shards) -> Iterable[TournamentId]:
        work.look()
        return await director.due(shards)

    async def direct(number: TournamentId) -> None:
        found = await tournaments.get(number)
        if found is not None and services.deleted_channels.is_away(found.terms.guild):
            await director.put_off(number, work.later())
            return
        gone = services.publisher.channels.gone
        for update in await director.look(number, heard=work.heard, gone=gone):
            await services.publisher.publish(update)

    return (
        Recurring(name="seasons", every=_SEASONS_EVERY, due=seasons.due, do=open_season),
        Recurring(name="director", every=_TICK, due=due, do=direct),
    )


TOURNAMENTS = Feature(
    name="tournaments",
    needs=("ratings",),
    refusals=REFUSALS,
    place_settings=PLACE_SETTINGS,
    makes=(Tournaments, Director, Seasons, TournamentHook),
    deliveries=(
        messages.TournamentNewsKind,
        messages.PairingKind,
        messages.WithdrawnKind,
        messages.BlockedKind,
        ScheduledEventKind,
    ),
    recurring=recurring,
    commands={3: (tournament,)},
    forms=(read_making,),
    buttons=(
        buttons.CameButton,
        buttons.CorrectionButton,
        buttons.OwnTournamentButton,
        buttons.TournamentButton,
        buttons.TournamentViewButton,
    ),
)
