"""The commands that write skeletons of distributions: ``closedform new subject NAME`` and ``new ledger KEY``."""

import csv
import keyword
import re
from collections.abc import Iterator, Mapping
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from bridge.cli.command import FILE
from closedform import atomic_write

KEY = re.compile(r"[a-z]+[0-9]{4}[a-z]?")
COLUMNS = ("place", "sentence")  # of a list of claims
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PACKAGE = "package"  # the folder of the skeleton that becomes the package
ENDING = ".txt"  # suffix of the templates, which tools for Python code ignore


@click.group("new")
def run_new() -> int:
    """Write the skeleton of a distribution of your own."""
    return 0


@run_new.command("subject")
@click.argument("name", metavar="NAME")
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    help="Folder of the distribution (default: ./closedform-NAME).",
)
def run_new_subject(name: str, out: str | None) -> int:
    """Write the skeleton of a distribution that adds a subject.

    NAME is lower-case words joined by underscores, such as deep_linear.
    """
    directory = Path(out or f"closedform-{name.replace('_', '-')}")
    write(name, directory)
    print(f"{directory}: a distribution that adds the subject {name}")
    # pip would search the index for a bare name
    place = directory if directory.is_absolute() else f"./{directory}"
    print(f"next: pip install --editable {place} && closedform check {name}")
    return 0


def write(name: str, directory: Path) -> list[Path]:
    """Write the skeleton of a subject into a new or an empty folder; return the paths of the files."""
    from closedform.subjects import subjects
    from theory.subjects import FLOOR

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ValueError(
            f"NAME: got {name!r}, needs lower-case words joined by underscores, such as deep_linear"
        )
    if name in {subject.name for subject in subjects(FLOOR)}:
        raise ValueError(f"NAME: got {name!r}, which exists already, needs another name")
    year = str(date.today().year)
    values = {
        "name": name,
        "package": f"closedform_{name}",
        "hyphened": name.replace("_", "-"),
        "year": year,
        "key": f"{name.replace('_', '')}{year}",
    }
    return _filled("skeleton", values, directory)


@run_new.command("ledger")
@click.argument("key", metavar="KEY")
@click.option("--title", default="The title of the paper", help="Title of the paper.")
@click.option(
    "--claims",
    type=FILE,
    metavar="FILE",
    help="CSV with the columns place and sentence; each becomes an OPEN entry.",
)
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    help="Folder of the distribution (default: ./closedform-KEY).",
)
def run_new_ledger(key: str, title: str, claims: str | None, out: str | None) -> int:
    """Write the skeleton of a distribution with the ledger of a paper.

    KEY is the first author and the year, such as saxe2014.
    """
    directory = Path(out or f"closedform-{key}")
    write_ledger(key, directory, title, None if claims is None else Path(claims))
    place = directory if directory.is_absolute() else f"./{directory}"
    print(f"{directory}: a distribution with the ledger of {key}")
    print(f"next: pip install --editable {place} && closedform check --ledger {key}")
    return 0


def write_ledger(key: str, directory: Path, title: str, claims: Path | None) -> list[Path]:
    """Write the skeleton of a ledger into a new or an empty folder; return the paths of the files.

    Args:
        key: key of the paper, such as "saxe2014".
        directory: the folder.
        title: title of the paper.
        claims: CSV file with the columns ``place`` (such as "3.2" or "Section 3.2") and ``sentence``; None for none.

    Raises:
        ValueError: if the key is none or exists, the folder is not empty, or the file lacks a column or a cell.
    """
    import theory

    if not KEY.fullmatch(key):
        raise ValueError(f"KEY: got {key!r}, needs first author and year, such as saxe2014")
    if key in theory.ledgers():
        raise ValueError(f"KEY: got {key!r}, which has a ledger already, needs another key")
    values = {
        "key": key,
        "package": f"closedform_{key}",
        "title": title,
        "year": re.sub(r"\D", "", key),
        "claims": "" if claims is None else "\n".join(_entries(claims)),
    }
    return _filled("ledger_skeleton", values, directory)


def _entries(claims: Path) -> Iterator[str]:
    """Yield the OPEN entries of a list of claims, each with its passage, in the order of the list."""
    with claims.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if not {*COLUMNS} <= {*(rows.fieldnames or ())}:
            raise ValueError(
                f"--claims: got the columns {rows.fieldnames or 'none'}, needs {' and '.join(COLUMNS)}"
            )
        labels: set[str] = set()
        for row in rows:
            place, sentence = (" ".join((row[name] or "").split()) for name in COLUMNS)
            section = place.removeprefix("Section ")
            words = re.findall(r"[^\W_]+", sentence)
            if not re.fullmatch(r"[\w.()-]+", section) or not words:
                raise ValueError(
                    f"--claims, line {rows.line_num}: got {place!r}, {sentence!r}, needs a place such as 3.2 and a "
                    "sentence"
                )
            label = section if section.startswith("(") else " ".join([section, *words[:3]])
            if label in labels:
                label = f"{label}, line {rows.line_num}"
            labels.add(label)
            begins = " ".join(sentence.split()[:5])
            yield f"\n{section} > {begins}\n[{label}] OPEN {sentence}\n  evidence Not decided yet."


def _filled(skeleton: str, values: Mapping[str, str], directory: Path) -> list[Path]:
    """Write a skeleton with values in its places into a new or an empty folder; return the paths of the files."""
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise ValueError(
            f"--out: got {str(directory)!r}, which is not empty, needs an empty or a new folder"
        )
    root = Path(str(files("bridge.cli") / skeleton))
    written = []
    for template in sorted(root.rglob(f"*{ENDING}")):
        parts = [
            values["package"] if part == PACKAGE else part
            for part in template.relative_to(root).parts
        ]
        text = Template(template.read_text(encoding="utf-8")).substitute(values)
        written.append(atomic_write.text(directory.joinpath(*parts).with_suffix(""), text))
    return written
