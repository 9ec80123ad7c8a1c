"""For the host of a running bot: metrics, health, and messages to a service manager."""
