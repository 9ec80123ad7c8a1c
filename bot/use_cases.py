"""All use cases over one database: joined here, for the bot's process and for tests alike."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random

from bot.base.retention import Retention
from bot.features.guesses.use_cases import Calling
from bot.features.lessons.use_cases import Learning
from bot.features.plans.use_cases import Planning
from bot.features.practice.use_cases import Practising
from bot.features.previews.use_cases import Previews
from bot.features.profiles.use_cases.leaderboards import Leaderboards
from bot.features.profiles.use_cases.profiles import Profiles
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.ratings.use_cases import Ratings
from bot.features.reminders.use_cases import Reminders
from bot.features.reviews.use_cases import Reviews
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.blocks import Blocks
from bot.play.use_cases.clocks import ClockRoom
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.games import Games
from bot.play.use_cases.history import History
from bot.play.use_cases.leaving import Leaving
from bot.play.use_cases.ledger import Ledger
from bot.play.use_cases.lobby import Lobby
from bot.play.use_cases.offers import Offers
from bot.play.use_cases.pie import Pie
from bot.play.use_cases.preferences import Choices, Styles
from bot.play.use_cases.privacy import Privacy
from bot.play.use_cases.rematches import Rematches
from bot.play.use_cases.retention import Housekeeping
from bot.play.use_cases.servers import Servers
from bot.play.use_cases.standin import StandIn
from bot.play.use_cases.timekeeper import Timekeeper
from bot.play.use_cases.vacations import Vacations
from bot.play.use_cases.votes import Votes
from bot.play.use_cases.whereabouts import Whereabouts
from bot.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    """What can be done, each by its own part."""

    lobby: Lobby
    rematches: Rematches
    games: Games
    leaving: Leaving
    previews: Previews
    ratings: Ratings
    offers: Offers
    pie: Pie
    planning: Planning
    calling: Calling
    votes: Votes
    stand_in: StandIn
    timekeeper: Timekeeper
    reminders: Reminders
    reviews: Reviews
    practising: Practising
    clocks: ClockRoom
    vacations: Vacations
    choices: Choices
    blocks: Blocks
    servers: Servers
    styles: Styles
    whereabouts: Whereabouts
    history: History
    learning: Learning
    fair_play: FairPlay
    puzzles: Puzzles
    privacy: Privacy
    dailies: Dailies
    tournaments: Tournaments
    director: Director
    seasons: Seasons
    housekeeping: Housekeeping
    profiles: Profiles
    leaderboards: Leaderboards

    @classmethod
    def over(
        cls,
        store: Store,
        *,
        now: Callable[[], datetime],
        rng: Random,
        archive: Archive | None = None,
        reviews: bool = False,
        retention: Retention | None = None,
    ) -> "UseCases":
        """Join them.

        Args:
            store: The database.
            now: Tells the time.
            rng: Chance: colours, boards, seeds.
            archive: The games at hand; None: as many as usual.
            reviews: There is a machine to review games.
            retention: How long a host keeps what; None: all of it, for ever.
        """
        archive = archive or Archive(store)
        ledger = Ledger(store, archive, now=now, reviews=reviews)
        lobby = Lobby(store, ledger, now=now, rng=rng)
        games = Games(store, archive, ledger, now=now)
        leaving = Leaving(store, archive, ledger)
        choices = Choices(store, now=now)
        fair_play = FairPlay(store, archive)
        looked_over = Reviews(store, archive, fair_play, now=now, makes=reviews)
        reminders = Reminders(store, archive, ledger, now=now)
        ratings = Ratings(store, now=now)
        votes = Votes(store, archive, ledger, now=now)
        return UseCases(
            lobby=lobby,
            rematches=Rematches(store, lobby, now=now),
            games=games,
            leaving=leaving,
            previews=Previews(games, choices),
            ratings=ratings,
            offers=Offers(archive, ledger, now=now, rng=rng),
            pie=Pie(archive, ledger),
            planning=Planning(store, archive, ledger, games),
            calling=Calling(store, archive, now=now),
            votes=votes,
            stand_in=StandIn(store, archive, ledger),
            timekeeper=Timekeeper(store, archive, ledger, reminders, votes, fair_play, now=now),
            reminders=reminders,
            reviews=looked_over,
            practising=Practising(store, archive, looked_over, fair_play, now=now),
            clocks=ClockRoom(store, games, now=now),
            vacations=Vacations(store, now=now),
            choices=choices,
            blocks=Blocks(store, now=now),
            servers=Servers(store),
            styles=Styles(store),
            whereabouts=Whereabouts(store),
            history=History(store, archive),
            learning=Learning(store, now=now),
            fair_play=fair_play,
            puzzles=Puzzles(store, fair_play, now=now, rng=rng),
            privacy=Privacy(store, archive, leaving, now=now),
            dailies=Dailies(store, now=now),
            tournaments=Tournaments(store, archive, ratings, now=now),
            director=Director(store, archive, ledger, ratings, now=now, rng=rng),
            seasons=Seasons(store, now=now),
            profiles=Profiles(store, now=now),
            leaderboards=Leaderboards(store, now=now),
            housekeeping=Housekeeping(store, archive, retention or Retention(), now=now),
        )
