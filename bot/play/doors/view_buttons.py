"""The buttons and lists of the private views: a game's page, its replay, a board for trying."""

from typing import Any

import discord

from bot.base.ids import NO_GUILD, GameId, GuildId
from bot.connection.from_id import FromId
from bot.play.doors.answers import Answer, answering
from bot.play.doors.looking import look_at, share, show_page, show_replay
from bot.play.model.refusals.looking import NoSuchPly
from bot.play.model.refusals.playing import TurnOver
from bot.play.model.spots import SPOT, Seen, Spot
from bot.play.words.asides import played as played_post
from bot.play.words.game_page import OWN_FORMAT, games_list
from bot.play.words.game_page import record as record_post
from bot.play.words.pictures import seats
from bot.play.words.replay import animated, shared_ply
from bot.play.words.views import film as film_post
from dvonn.formats import FORMATS


class GameButton(FromId, template=r"dvonn:game:(?P<game>[0-9]{1,18}):page"):
    """A game's page, or the way back to it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the page."""
        async with answering(interaction) as answer:
            await show_page(answer, await answer.services.games.current(self.game))


class GamesSelect(FromId, template=r"dvonn:games:open"):
    """A list of one's games."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the page of the one that was chosen."""
        async with answering(interaction) as answer:
            if self.number is None:
                raise TurnOver
            game = await answer.services.games.current(GameId(self.number))
            await show_page(answer, game)


class GamesButton(FromId, template=r"dvonn:games:(?P<action>before|after):(?P<game>[0-9]{1,18})"):
    """Older or newer games that are over."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show another page."""
        async with answering(interaction) as answer:
            guild, user = GuildId(interaction.guild_id or NO_GUILD), answer.user
            games = await answer.services.history.ended(guild, user, **{self.action: self.game})
            await answer.view(games_list(answer.reader, (), games, guild, user))


class ReplayButton(
    FromId, template=rf"dvonn:replay:{SPOT}:(?P<action>at|first|back|next|last|share|record|film)"
):
    """A ply of a game, or what can be done with it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show it, or do that."""
        async with answering(interaction) as answer:
            seen = await look_at(interaction, Spot.found(self.found))
            match self.action:
                case "share":
                    by = answer.user
                    reader = await answer.everybody()
                    await share(
                        answer, seen, shared_ply(reader, seen, by, interaction.client.shared_parts)
                    )
                case "record":
                    await show_record(answer, seen)
                case "film":
                    film = film_post(answer.reader, seen)
                    gif = await answer.services.publisher.animate(film)
                    await answer.privately(animated(answer.reader, film, gif))
                case _:
                    await show_replay(answer, seen)


async def show_record(answer: Answer, seen: Seen, form: str = OWN_FORMAT) -> None:
    """Give the record of a game, with the names that were heard last."""
    services, game = answer.services, seen.game
    if game is None:
        raise TurnOver
    white, black = seats(game).names(services.names.name)
    game, record = await services.history.record(game.row.id, white=white, black=black)
    await answer.view(record_post(answer.reader, game, record, form))


class FormatSelect(FromId, template=r"dvonn:record:(?P<game>[0-9]{1,18})"):
    """A list of programs whose form of a record can be chosen."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Give the record in that form."""
        async with answering(interaction) as answer:
            if self.chosen not in FORMATS:
                raise TurnOver
            await show_record(answer, await look_at(interaction, Spot(self.game)), self.chosen)


class JumpSelect(FromId, template=rf"dvonn:replay:{SPOT}:jump"):
    """A list of plies to jump to."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the ply that was chosen."""
        async with answering(interaction) as answer:
            if self.number is None:
                raise NoSuchPly
            spot = Spot.found(self.found).at(self.number)
            await show_replay(answer, await look_at(interaction, spot))


class SuggestHintsButton(FromId, template=r"dvonn:hints:(?P<game>[0-9]{1,18})"):
    """Suggest hints, on the page of a game between people."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Ask the other player, where everybody sees it; or agree, if they have asked."""
        async with answering(interaction) as answer:
            update = await answer.services.offers.suggest_hints(
                self.game, answer.user, source=answer.source
            )
            await answer.publish(update, answer.privately(played_post(answer.reader, update)))
