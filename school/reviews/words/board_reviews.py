"""The review of a study, which adds comments and lines to the study."""

from dataclasses import replace

from bot.base.formats import with_explanation
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle
from bot.play.words.names import Names
from bot.play.words.views import moves_text
from dvonn import Color, Phase, PlyReview, Position, Review
from dvonn.reviews.reasons import reasons_of
from school.exercises.words import reason_text
from school.explore.model import LONGEST_COMMENT, Study
from school.explore.words.boards import study_id
from school.reviews.words.moves import chances
from school.reviews.words.overview import side_name, summed_up


def review_of_study(reader: Reader, study: Study) -> tuple[Button, ...]:
    """Return the button for a review, if the study's line reaches the end of a game."""
    is_over = study.replay_view.position.phase is Phase.OVER
    if study.game is not None or not is_over or not study.place:
        return ()
    return (Button(reader.gettext("Review"), study_id(study, "review"), ButtonStyle.PRIMARY),)


def reviewed(reader: Reader, study: Study, review: Review) -> Study:
    """Return a study with the comments and better moves of its review."""
    place, positions, root = study.place, study.replay_view.positions, study.root
    for marked in review.marked:
        played, before = place[: marked.ply], place[: marked.ply - 1]
        node = root.at(played)
        comments = [node.comment] if node is not None and node.comment else []
        comment = _comment(reader, study, positions[marked.ply - 1], marked)[:LONGEST_COMMENT]
        root = root.with_line(played, " · ".join([*comments, comment])[:LONGEST_COMMENT])
        if marked.best:  # so that it appears in the select of lines
            root = root.with_line((*before, marked.best[0]), comment)
    return replace(study, root=root, kept=True)


def summary(reader: Reader, review: Review) -> str:
    """Return a short summary of a study's review."""
    count = len(review.marked)
    if not count:
        return summed_up(reader, review)
    return reader.ngettext(
        "I've commented on {count} move, and added a better one. Choose it in *Your lines*.",
        "I've commented on {count} moves, and added better ones. Choose them in *Your lines*.",
        count,
    ).format(count=count)


def _comment(reader: Reader, study: Study, position: Position, ply: PlyReview) -> str:
    before, after = chances(reader, ply)
    comment = with_explanation(reader, side_name(reader, ply.color), f"{before} → {after}.")
    if not ply.best:
        return comment
    better = moves_text(reader, ply.best[:1], study.coordinates)
    comment = f"{comment} {reader.gettext('Better: {move}.').format(move=better)}"
    reason = next(iter(reasons_of(position, ply)), None)
    if reason is None:
        return comment
    white, black = (side_name(reader, color) for color in Color)
    names = Names(white, black, you=None)
    return f"{comment} {reason_text(reader, reason, names, study.coordinates)}"
