"""The words on the effects of a move, told to its player alone before it is played."""

from bot.base.locales import Reader
from bot.connection.posts import Button, ButtonStyle, Post
from bot.play.model.previewing import Consequences, Preview, counts
from bot.play.words.picker import pick_id
from bot.play.words.pictures import picture, picture_name
from dvonn import Color, Coordinates, Phase, format_move


def preview(reader: Reader, found: Preview) -> Post:
    """Return the board after a move, what it does by the rules, and whether to play it."""
    game, move, does = found.game, found.move, found.does
    coordinates = reader.naming(game.row.coordinates)
    white, black = counts(does.after)
    lines = [
        reader.gettext("**{move}** isn't played yet.").format(move=format_move(move, coordinates)),
        _cuts(reader, does),
        reader.gettext("If the game ended now: White {white}, Black {black}.").format(
            white=white, black=black
        ),
        _next(reader, found, coordinates),
    ]
    kept = format_move(move, game.row.coordinates)
    return Post(
        content="\n".join(lines),
        picture=picture(
            reader,
            f"preview-{picture_name(game.row.id, game.row.revision)}",
            does.after,
            coordinates,
            last=move,
            seen_in=game,
        ),
        buttons=(
            Button(reader.gettext("Play it"), pick_id(game, f"play:{kept}"), ButtonStyle.SUCCESS),
            Button(reader.gettext("Choose another"), pick_id(game, "back")),
        ),
    )


def _cuts(reader: Reader, does: Consequences) -> str:
    """Tell the pieces that it cuts off, on both sides."""
    if not does.own and not does.others:
        return reader.gettext("It cuts nothing off.")
    return reader.gettext("✂ Cut off: {own} of yours, {others} of your opponent's.").format(
        own=does.own, others=does.others
    )


def _next(reader: Reader, found: Preview, coordinates: Coordinates) -> str:
    """Tell the threats after it."""
    before, does = found.game.position, found.does
    if does.after.phase is Phase.OVER:
        return reader.gettext("It ends the game.")
    if does.after.turn is before.turn:
        return (
            reader.gettext("Black can't move then: you move again.")
            if before.turn is Color.WHITE
            else reader.gettext("White can't move then: you move again.")
        )
    if does.threat is None:
        return reader.gettext("Your opponent can then cut off none of your pieces.")
    return reader.ngettext(
        "Your opponent can then cut off {count} of your pieces, with {move}.",
        "Your opponent can then cut off at most {count} of your pieces, with {move}.",
        does.threat.pieces,
    ).format(count=does.threat.pieces, move=format_move(does.threat.by, coordinates))
