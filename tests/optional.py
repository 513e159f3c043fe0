"""Marks for files of tests that need a package of an extra; it is not imported before the first of them runs."""

from importlib.util import find_spec

import pytest


def needs(package, extra):
    """A mark: its tests are skipped where a package is not installed."""
    reason = f"{package} is not installed (extra `{extra}`)"
    return pytest.mark.skipif(find_spec(package) is None, reason=reason)
