"""The option of the golden pictures: pytest reads options only here, above all tests."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="take what tests/renderer draws as the golden pictures; then look at them",
    )
