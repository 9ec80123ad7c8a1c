"""The host's view of a running bot: numbers, health, and messages to a service manager."""
