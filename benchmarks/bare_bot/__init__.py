"""A bot to compare with.

It is a package because `./run bench` takes each runnable module for a benchmark.
"""
