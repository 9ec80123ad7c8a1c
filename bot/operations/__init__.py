"""Tools for the host of a running bot: metrics, health checks and service notifications."""
