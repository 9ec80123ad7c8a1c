"""The tournament that a command is about, and suggestions for an organiser who types."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, Final

from bot.base.ids import TournamentId, UserId
from bot.features.tournaments import refusals
from bot.features.tournaments.model.tournament import Tournament, TournamentState
from bot.features.tournaments.use_cases.start_times import read_beginning
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.features.tournaments.words.answers import beginning_choices, tournament_choices
from bot.play.doors.interactions import Interaction, channel_of, guild_of
from bot.play.doors.option_choices import TextChoices, choices

OPEN: Final = frozenset({TournamentState.OPEN, TournamentState.CHECK_IN})
GOING_ON: Final = OPEN | {TournamentState.RUNNING}
BEGUN: Final = frozenset({TournamentState.RUNNING, TournamentState.DONE})
ANY: Final = frozenset(TournamentState)


async def meant(
    interaction: Interaction, which: str | None, states: frozenset[TournamentState]
) -> TournamentId:
    """Return the tournament that a command is about: the chosen one, else the only one it can be.

    Raises:
        NoTournament: if there is none in the server in such a state.
        NotOpen: if there is one, but not in such a state.
        WhichTournament: if there are several, and none or several of them in this channel.
        TournamentGone: if there is none of that number or name.
    """
    known = await _known(interaction, states)
    found = [one for one in known if one.state in states]
    if which is not None:
        return _named_so(which, found, known)
    if not known:
        raise refusals.NoTournament
    if not found:
        raise refusals.NotOpen(_problem(known[0]))
    here = [one for one in found if one.terms.channel == _home(interaction)]
    if states is ANY:
        return (here or found)[0].id
    for candidates in (here, found):
        if len(candidates) == 1:
            return candidates[0].id
    raise refusals.WhichTournament(tuple(one.terms.name for one in here or found))


def offered(
    states: frozenset[TournamentState],
) -> Callable[[Interaction, str], Coroutine[Any, Any, TextChoices]]:
    """Return the suggestions of tournaments in some states."""

    async def offer(interaction: Interaction, typed: str) -> TextChoices:
        found = [one for one in await _known(interaction, states) if one.state in states]
        reader = await interaction.client.services.readers.asker(interaction)
        return choices(tournament_choices(reader, found, typed))

    return offer


def _problem(known: Tournament) -> refusals.NotOpenProblem:
    """Return the state in which something cannot be done with a tournament."""
    if known.state in OPEN:
        return refusals.NotOpenProblem.NOT_BEGUN
    runs = known.state is TournamentState.RUNNING
    return refusals.NotOpenProblem.BEGUN if runs else refusals.NotOpenProblem.OVER


def _named_so(which: str, found: list[Tournament], known: list[Tournament]) -> TournamentId:
    """Return the tournament of a number or name, or of the part that tells it apart.

    Raises:
        TournamentGone: if there is none.
        NotOpen: if it is among those known, but too early or too late for what is asked.
        WhichTournament: if several begin so.
    """
    asked = which.strip().casefold()
    for one in (*found, *known):
        if asked in (str(one.id), one.terms.name.casefold()):
            if one not in found:
                raise refusals.NotOpen(_problem(one))
            return one.id
    begun = [one for one in found if one.terms.name.casefold().startswith(asked)]
    if not begun:
        raise refusals.TournamentGone
    if len(begun) > 1:
        raise refusals.WhichTournament(tuple(one.terms.name for one in begun))
    return begun[0].id


async def _known(interaction: Interaction, states: frozenset[TournamentState]) -> list[Tournament]:
    """Return a server's tournaments in which something could be meant, newest first."""
    tournaments, guild = interaction.client.services.of(Tournaments), guild_of(interaction)
    if states <= GOING_ON:
        return (await tournaments.find(guild))[::-1]
    return await tournaments.latest(guild)


def _home(interaction: Interaction) -> int:
    """Return the channel of a command, also where it was given in a thread."""
    return interaction.client.services.publisher.channels.home(channel_of(interaction))


async def moments(interaction: Interaction, typed: str) -> TextChoices:
    """Suggest beginnings, by the organiser's own clock."""
    services = interaction.client.services
    reader = await services.readers.asker(interaction)
    zone = (await services.store.players.get(UserId(interaction.user.id))).zone
    meant: str | None = None
    read = partial(read_beginning, now=interaction.created_at, zone=zone, language=reader.locale)

    def when(text: str) -> datetime | None:
        with suppress(refusals.BadBeginning):
            return read(text)
        return None

    try:
        read(typed)
    except refusals.BadBeginning as error:
        meant = error.meant
    return choices(beginning_choices(reader, typed, when, meant=meant, zone=zone))
