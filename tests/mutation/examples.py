"""A plug-in for mutmut's tests: Hypothesis's profile "mutation".

As in its own profile "ci", no test fails because it is slow, and the examples are always the same.
Failing examples are not shrunk, because a failure is enough.
"""

from hypothesis import Phase, settings

settings.register_profile(
    "mutation", settings.get_profile("ci"), phases=(Phase.explicit, Phase.generate)
)
