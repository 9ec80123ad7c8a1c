"""A minimal bot, as a baseline for the real one.

It is a package because `./run bench` treats each runnable module as a benchmark.
"""
