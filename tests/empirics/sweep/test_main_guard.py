"""Tests that a script whose workers would run it again is refused before any worker is started."""

from __future__ import annotations

import runpy

import pytest

from empirics.sweep import cluster, work

START = "from empirics.sweep import cluster\ncontext = cluster.client('local:2', progress=False)\n"


class Started(Exception):
    """A worker would have been started."""


@pytest.fixture
def script(tmp_path, monkeypatch):
    """A function that runs a text as a script, which raises Started where it would start workers."""
    distributed = pytest.importorskip("distributed")

    def start(**options):
        raise Started

    monkeypatch.setattr(distributed, "LocalCluster", start)

    def run(text):
        path = tmp_path / "mine.py"
        path.write_text(START + text)
        runpy.run_path(str(path), run_name="__main__")

    return run


@pytest.mark.parametrize(
    "text",
    [
        "context.__enter__()\n",
        "if context:\n    context.__enter__()\n",
        "def go():\n    context.__enter__()\n\n\ngo()\n",
    ],
)
def test_code_without_a_guard_is_refused_by_its_line(script, text):
    last = len((START + text).splitlines())
    with pytest.raises(
        RuntimeError, match=rf"line {last} of mine\.py starts workers, .* put `if __name__ =="
    ):
        script(text)


@pytest.mark.parametrize(
    "text",
    [
        "if __name__ == '__main__':\n    context.__enter__()\n",
        "def go():\n    context.__enter__()\n\n\nif '__main__' == __name__:\n    go()\n",
    ],
)
def test_code_with_a_guard_is_not(script, text):
    with pytest.raises(Started):
        script(text)


def test_code_that_is_no_script_needs_no_guard():
    work.require_guard()
    exec(
        compile("work.require_guard()", "<stdin>", "exec"), {"__name__": "__main__", "work": work}
    )
    assert cluster.require_guard is work.require_guard
