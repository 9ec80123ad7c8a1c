"""What was measured by matches.

`python -m benchmarks.matches` is `python -m dvonn.engine match`, with what it was measured with;
`ladder` and `fairness` play others. `results` keeps what came out.
"""
