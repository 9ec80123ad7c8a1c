"""Run a command so that file permissions apply to it, even if root runs the tests."""

import os
import shutil

import pytest

_POWERLESS = "-dac_override,-dac_read_search"
"""Capabilities that root must drop."""


def powerless() -> tuple[str, ...]:
    """Return the prefix of such a command."""
    if os.geteuid() != 0:
        return ()
    tool = shutil.which("setpriv")
    if tool is None:
        pytest.skip("root may write everywhere, and there is no setpriv to hold it back")
    return (tool, "--bounding-set", _POWERLESS, "--inh-caps", _POWERLESS)
