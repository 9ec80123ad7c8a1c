"""A plug-in for mutmut's tests: Hypothesis's profile "mutation".

As in its own profile "ci", no test fails because it is slow, and the examples are the same each
time. What it finds it does not make smaller: that one fails is enough to know.
"""

from hypothesis import Phase, settings

settings.register_profile(
    "mutation", settings.get_profile("ci"), phases=(Phase.explicit, Phase.generate)
)
