"""What people compare themselves by: ratings, profiles, tournaments, guesses at moves."""
