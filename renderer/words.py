"""The texts in pictures and text twins. Callers pass them in, possibly translated."""

from dataclasses import dataclass

from dvonn import Color


@dataclass(frozen=True, slots=True)
class PerColor:
    """A sentence in two versions, because in some languages the color changes other words."""

    white: str
    black: str

    def for_color(self, color: Color) -> str:
        """Return the sentence for a color."""
        return self.white if color is Color.WHITE else self.black


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The texts in a picture and in its text twin. `{names}` are placeholders.

    A `PerColor` sentence has the same meaning as the `player_` sentence, with a color in place of a
    name.
    """

    # Shown above the board, and with periods in the text twin. {player} is a name or a color.
    to_place: PerColor = PerColor("White to place", "Black to place")
    to_place_red: PerColor = PerColor("White to place a red piece", "Black to place a red piece")
    to_move: PerColor = PerColor("White to move", "Black to move")
    wins: PerColor = PerColor("White wins", "Black wins")
    player_to_place: str = "{player} to place"
    player_to_place_red: str = "{player} to place a red piece"
    player_to_move: str = "{player} to move"
    player_wins: str = "{player} wins"
    draw: str = "A draw"
    no_result: str = "No result"
    placement: str = "Placement {number} of {total}"
    move: str = "Move {number}"
    you_are: PerColor = PerColor("You're White.", "You're Black.")
    cut_off: str = "Cut off: {lost}"
    lost: PerColor = PerColor("White −{count}", "Black −{count}")
    player_lost: str = "{player} −{count}"
    passed: PerColor = PerColor("White had to pass", "Black had to pass")
    player_passed: str = "{player} had to pass"
    counted: str = "{more} to {fewer} pieces"
    resigned: PerColor = PerColor("White resigned", "Black resigned")
    out_of_time: PerColor = PerColor("White ran out of time", "Black ran out of time")
    player_resigned: str = "{player} resigned"
    player_out_of_time: str = "{player} ran out of time"
    time_over: str = "Time ran out"
    agreed: str = "Draw agreed"
    aborted: str = "The game was canceled"
    after_moves: str = "After move {number}"

    # Names of themes, by their keys in `dvonn.svg.themes`.
    theme_slate: str = "Slate"
    theme_light: str = "Light"
    theme_contrast: str = "High contrast"
    theme_colourblind: str = "Color-blind friendly"
    theme_newsletter: str = "Printed diagram"
    theme_wood: str = "Wood"

    # Below the board of an ended game.
    course: str = "Pieces, move by move"

    # In the chart of a review.
    player_chance: str = "{player}'s chance to win"
    your_chance: str = "Your chance to win"
    player_lead: str = "{player}'s lead in pieces, forecast shaded"
    your_lead: str = "Your lead in pieces, forecast shaded"
    exact: str = "exact"
    inaccuracy: str = "Inaccuracy"
    mistake: str = "Mistake"
    blunder: str = "Blunder"

    # In the chart of a puzzle rating.
    rating: str = "Puzzle rating"
    solved: str = "solved"
    missed: str = "missed"

    # In the chart of a player's ratings.
    settled: str = "settled"
    unsettled: str = "not settled yet"
    give_or_take: str = "give or take"

    # In the table of a tournament. The short texts are headings of narrow columns.
    standings: str = "Standings"
    rows_of: str = "{when} · {first} to {last} of {count} players"
    points: str = "Pts"
    round_short: str = "R{number}"
    game_short: str = "G{number}"
    buchholz_short: str = "Bh"
    sonneborn_short: str = "SB"
    margin_short: str = "±"
    number_short: str = "No."
    sign_won: str = "+3 beat number 3"
    sign_tied: str = "= drew"
    sign_lost: str = "− lost"
    sign_open: str = "* still playing"
    sign_bye: str = "+ bye"
    sign_out: str = "· no game"
    cross_won: str = "+ won"
    buchholz: str = "Bh: Buchholz, the opponents' points"
    sonneborn: str = "SB: Sonneborn–Berger"
    margin: str = "±: pieces ahead"
    unnamed_player: str = "Player {number}"
    player_out: str = "{player} (left)"

    # On the page of a game.
    first: str = "First"
    back: str = "Back"
    next: str = "Next"
    last: str = "Last"
    play: str = "Play"
    pause: str = "Pause"
    moves: str = "Moves"
    position: str = "Position"
    beginning: str = "Start"
    in_words: str = "The board in words"
    keys: str = "Step with the arrow keys, jump with Home and End, or swipe."
    review: str = "Review"
    no_script: str = "This page needs JavaScript to show the other positions."
    new_game: str = "New game"
    fill: str = "Fill the board"
    undo: str = "Undo"
    turn_round: str = "Turn the board"
    copy_link: str = "Copy the link"
    link_copied: str = "The link is copied."
    copy_move: str = "Copy {move}"
    move_copied: str = "{move} is copied. Paste it into the game's channel."
    back_to_game: str = "Back to the game"
    your_move: str = "Your move, such as d2 or d2-d4"
    enter_move: str = "Play it"
    not_legal: str = "{move} isn't possible here."
    bad_link: str = "There is no game in this link."

    # Only in text twins.
    you: str = "you"
    your_turn: str = "Your turn"
    your_turn_red: str = "Your turn to place a red piece"
    you_passed: str = "You had to pass"
    chance_course: str = "{chance}: {first}% before the first move, {last}% at the end."
    player_lead_course: str = (
        "{player}'s lead in pieces: {first} before the first move, {last} at the end,"
        " lowest {least}, highest {most}."
    )
    your_lead_course: str = (
        "Your lead in pieces: {first} before the first move, {last} at the end,"
        " lowest {least}, highest {most}."
    )
    turn: str = "Mark {number}: {what}."
    rating_course: str = (
        "Puzzle rating from {first} to {last}: {solved} of the last {count} puzzles solved."
    )
    curve: str = (
        "{title}: from {first} ({begins}) to {last} ({ends}), lowest {least}, highest {most}."
    )
    standings_at: str = "{when}. Place, player, points:"
    exact_from: str = "Exact from move {number} on."
    themes: str = "Themes to choose from: {names}."
    may_go: str = "From {source} you can go to {landings}."
    may_not_go: str = "{source} cannot move."
    outlined: str = "{source} is outlined."
    may_choose: str = "You can choose {landings}."
    last_move: str = "Last move {move}."
    last_landing: str = "Last move {move}, onto {stack}."
    white_stack: str = "white"
    black_stack: str = "black"
    red_piece: str = "red"
    played_move: str = "Played: {move}."
    better_move: str = "Better: {move}."
    suggested_move: str = "Suggested: {move}."
    goes_on: str = "Then {moves}."
    chances: str = "Chance to win in percent: {spaces}."
    left: str = "Left the board:"
    sides: str = "White: {white}. Black: {black}."
    score: str = "Pieces: {white} {white_count}, {black} {black_count}."
    empty: str = "The board is empty."
    on_board: str = "On the board:"
    owned: str = "{owner} {stacks}."
    white: str = "White"
    black: str = "Black"
    red: str = "Red"
    height: str = "{height} tall"
    reds: str = "{count} red"
    movable: str = "Can move: {points}."
    turned: str = "Black's side is at the bottom."

    def theme(self, key: str) -> str:
        """Return the name of the theme with a key in `dvonn.svg.themes`."""
        name: str = getattr(self, f"theme_{key}")
        return name


ENGLISH = Words()
