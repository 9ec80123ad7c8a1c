import doctest

import dvonn


def test_all_names_exactly_what_the_package_offers() -> None:
    offered = {
        name
        for name, value in vars(dvonn).items()
        if not name.startswith("_") and type(value).__name__ != "module"
    }
    assert sorted(dvonn.__all__) == sorted(offered)


def test_the_docstring_example_holds() -> None:
    result = doctest.testmod(dvonn)
    assert result.attempted > 0
    assert result.failed == 0
