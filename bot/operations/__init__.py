"""What a host sees of a running bot: numbers, health, and what a service manager is told."""
