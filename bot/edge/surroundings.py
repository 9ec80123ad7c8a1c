"""What /help depends on: the channel, the game there, and what the bot may read."""

from bot.edge.desk import Interaction
from bot.edge.places import venue
from bot.messages import Surroundings
from bot.model.conduct import Venue, check_place
from bot.model.game import Game
from bot.model.ids import NO_GUILD, GuildId, UserId
from bot.model.refusals import NoGameHere, PlayError
from bot.model.terms import Place


async def surroundings(interaction: Interaction) -> Surroundings:
    """Where somebody asks for help, as it is now."""
    client, where = interaction.client, venue(interaction)
    assert client.user is not None  # we are logged in  # noqa: S101
    return Surroundings(
        asker=UserId(interaction.user.id),
        bot=UserId(client.user.id),
        game=await _game(interaction, where),
        reads_messages=client.intents.message_content,
        slowmode=getattr(interaction.channel, "slowmode_delay", 0) > 0,
        venue=where,
        obstacle=await _obstacle(interaction, where),
        command_ids=client.command_ids,
    )


async def _game(interaction: Interaction, where: Venue) -> Game | None:
    try:
        return await interaction.client.desk.games.here(where.channel)
    except NoGameHere:
        return None


async def _obstacle(interaction: Interaction, where: Venue) -> PlayError | None:
    guild = GuildId(interaction.guild_id or NO_GUILD)
    rules = await interaction.client.desk.store.guilds.rules(guild)
    try:
        check_place(rules, where, Place.HERE)
    except PlayError as error:
        return error
    return None
