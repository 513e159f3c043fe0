"""The pytest plugin: one run for each test, the trace of a failure, and a line on the examples of every test."""

from collections.abc import Generator
from itertools import chain
from typing import Any

import pytest

PROPERTY = "closedform"
FOLDER = "closedform-failures"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Give the test a run of its own; a test without ``require`` pays a millisecond for it at most once."""
    import sys

    # a test that needs it imports it at the latest when its module is collected
    if "bridge" not in sys.modules:
        return (yield)
    from bridge.testing.requirement import SharedLevel, running

    with running(SharedLevel()) as run:
        try:
            result = yield
            if run.open:
                pytest.fail(run.open, pytrace=False)
            return result
        finally:
            if run.decisions:
                item.user_properties.append((PROPERTY, run.counts))
                item.stash[_RUN] = run


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Add the simplest failure to the report of a failed test, with the file of its trace."""
    report = yield
    run = item.stash.get(_RUN, None)
    if report.when == "call" and report.failed and run is not None and run.failure is not None:
        from bridge.testing.requirement import report as described

        text = described(run.failure)
        trace = _trace(item, run.failure)
        if trace:
            text += f"\ntrace: {trace}"
        report.sections.append(("closedform: the simplest failure", text))
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the examples of every test that required a claim."""
    reports = list(
        chain.from_iterable(terminalreporter.stats.get(kind, ()) for kind in ("passed", "failed"))
    )
    rows = [
        (report.nodeid, dict(report.user_properties)[PROPERTY])
        for report in reports
        if PROPERTY in dict(report.user_properties)
    ]
    if rows:
        terminalreporter.section("closedform: examples")
    for name, counts in rows:
        numbers = ", ".join(
            f"{int(counts[word])} {word}" for word in ("holds", "not decided", "fails")
        )
        terminalreporter.write_line(f"{name}: {numbers}; {counts['seconds']:.1f} s")


def _trace(item: pytest.Item, failure: Any) -> str:
    """Run the networks of a failure once more and store their trace in pytest's cache; empty without cache or trace."""
    cache = getattr(item.config, "cache", None)
    if cache is None or not failure.claim.is_of_experiment:
        return ""
    from bridge.validity.prediction import with_seeds
    from empirics.sweep import store

    first = failure.first_seed
    config = with_seeds(failure.config, range(first, first + len(failure.measured)))
    folder = cache.mkdir(FOLDER)
    store.run_or_load(config, folder, progress=False, on_divergence="mark")
    return str(store.path_of(config, folder))


_RUN = pytest.StashKey[Any]()
