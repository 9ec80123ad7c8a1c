"""All use cases over one database: joined here, for the bot's process and for tests alike."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random

from bot.games.archive import Archive
from bot.games.blocks import Blocks
from bot.games.calling import Calling
from bot.games.clocks import ClockRoom
from bot.games.dailies import Dailies
from bot.games.fair_play import FairPlay
from bot.games.games import Games
from bot.games.history import History
from bot.games.leaderboards import Leaderboards
from bot.games.learning import Learning
from bot.games.leaving import Leaving
from bot.games.ledger import Ledger
from bot.games.lobby import Lobby
from bot.games.offers import Offers
from bot.games.pie import Pie
from bot.games.planning import Planning
from bot.games.practising import Practising
from bot.games.preferences import Choices, Styles
from bot.games.previews import Previews
from bot.games.privacy import Privacy
from bot.games.profiles import Profiles
from bot.games.puzzles import Puzzles
from bot.games.ratings import Ratings
from bot.games.rematches import Rematches
from bot.games.reminders import Reminders
from bot.games.retention import Housekeeping
from bot.games.reviews import Reviews
from bot.games.servers import Servers
from bot.games.standin import StandIn
from bot.games.timekeeper import Timekeeper
from bot.games.tournaments.director import Director
from bot.games.tournaments.seasons import Seasons
from bot.games.tournaments.tournaments import Tournaments
from bot.games.vacations import Vacations
from bot.games.votes import Votes
from bot.games.whereabouts import Whereabouts
from bot.model.retention import Retention
from bot.store.store import Store


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
