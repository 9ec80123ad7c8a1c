"""A bot to compare with; a package, as `./run bench` takes each runnable module for a benchmark."""
