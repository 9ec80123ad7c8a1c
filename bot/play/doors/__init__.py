"""The commands: each stands in one module and is registered here, and nowhere else."""
