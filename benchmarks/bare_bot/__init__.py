"""A minimal bot to compare with.

It is a package because `./run bench` treats each runnable module as a benchmark.
"""
