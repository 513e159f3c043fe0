"""Sessions that run the fast tests on the lowest and on the pinned versions: ``nox -s lowest pinned-3.12``.

Arguments after ``--`` go to pytest, as in ``nox -s lowest -- tests/theory``.
"""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = ["lowest"]


def _tested(session: nox.Session, constraints: str) -> None:
    session.install("--constraint", constraints, "hatchling", "editables")
    session.install("--constraint", constraints, "--no-build-isolation", "--editable", ".[all,test]")
    session.run("python", "-m", "pytest", "-p", "no:cacheprovider", "-q", *session.posargs)


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the tests on the lowest versions that pyproject.toml allows."""
    _tested(session, "constraints-lowest.txt")


@nox.session(python=["3.11", "3.12", "3.13"])
def pinned(session: nox.Session) -> None:
    """Run the tests on the versions of constraints.txt, which are the newest that were tried."""
    _tested(session, "constraints.txt")
