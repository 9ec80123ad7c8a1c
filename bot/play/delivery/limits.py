"""Updates the time limit shown on a board when the player to move gets a different one.

Vacations, outages, gifts of time, pauses and late boards change it. After each, the limit on the
newest board is compared with the current one.
"""

from dataclasses import replace

from bot.database.delivery_rows import BOARD
from bot.play.delivery.boards import DeliveryContext
from bot.play.model.game import Game
from bot.play.model.limits import limit_of
from bot.play.words.boards import board as board_post


async def correct_limit(context: DeliveryContext, game: Game) -> None:
    """Edit a game's newest board if the time limit on it is outdated.

    Raises:
        One of `DISCORD_ERRORS`: if Discord refuses.
    """
    row, deliveries, now = game.row, context.cases.store.deliveries, context.now()
    pauses = await context.cases.games.pauses(game)
    limit = limit_of(game, game.deadline(pauses, now), game.displayed_pause(pauses, now))
    if limit is None or row.visiting:
        return
    board = await deliveries.newest_of(row.id, BOARD)
    # Boards without a stored limit or a known message are left alone.
    if board is None or board.message is None or "until_ms" not in board.data:
        return
    is_live = row.clock is not None and row.clock.is_live
    if limit.is_shown_by(board.data, live=is_live):
        return
    old_update, pause = await context.news(*board.event_key), game.pause
    is_paused = pause is not None and pause.as_pause(now).covers(now)
    update = replace(
        old_update,
        game=replace(old_update.game, pause=pause if is_paused else None),
        deadline=limit.until,
        pause=limit.pause,
    )
    reader = await context.readers.for_game(row)
    content = board_post(reader, update, parts=context.board_parts).content
    await context.channels.reword(board.channel, board.message, content)
    await deliveries.note(board, {**board.data, **limit.data})
