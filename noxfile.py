#!/usr/bin/env -S uv run --script

# /// script
# dependencies = ["nox>=2025.2.9"]
# ///

"""Sessions that run the fast tests on the lowest and on the pinned versions: ``nox -s lowest pinned-3.12 hostile``.

Arguments after ``--`` go to pytest, as in ``nox -s lowest -- tests/theory``. Each session takes two processes, or as
many as TEST_PROCESSES says.
"""

from __future__ import annotations

import os

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "venv"


# Nothing can be written below a file, and text is ASCII where no encoding is named.
HOSTILE = {"HOME": "/dev/null/home", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Pacific/Chatham"}


def _tested(session: nox.Session, constraints: str, env: dict[str, str] | None = None) -> None:
    session.install("--constraint", constraints, "hatchling", "editables")
    session.install(
        "--constraint", constraints, "--no-build-isolation", "--editable", ".[all,test]"
    )
    processes = ("-n", os.environ.get("TEST_PROCESSES", "2"), "--dist", "worksteal")
    session.run(
        "python",
        "-m",
        "pytest",
        *processes,
        "-p",
        "no:cacheprovider",
        "-q",
        *session.posargs,
        env=env,
    )


@nox.session(python="3.11", default=True)
def lowest(session: nox.Session) -> None:
    """Run the tests on the lowest versions that pyproject.toml allows."""
    _tested(session, "constraints-lowest.txt")


@nox.session(python=["3.11", "3.12", "3.13"], default=False)
def pinned(session: nox.Session) -> None:
    """Run the tests on the versions of constraints.txt, which are the newest that were tried."""
    _tested(session, "constraints.txt")


@nox.session(python="3.11", default=False)
def hostile(session: nox.Session) -> None:
    """Run the tests in random order, without a home folder, in the C locale and in another time zone."""
    session.install("pytest-randomly>=4.0")
    _tested(session, "constraints.txt", env=HOSTILE)


if __name__ == "__main__":
    nox.main()
