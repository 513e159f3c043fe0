"""Sphinx extension that writes the pages on closed forms, equations, errata, figures and modules from the code.

The pages are written to docs/generated/, which is not tracked, at each build, so that they agree with the code. Pages
that take minutes, because all derivations are checked, are kept as long as only comments and docstrings change. The
gallery shows recorded results; nothing is trained.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import certificates
import errata_pages
import figures
import ledger_pages
from catalogue_page import catalogue_page
from formula_pages import formula_page
from public_names import names_table, reference
from rst import heading, plain, write_if_changed
from sphinx.application import Sphinx
from thumbnails import draw_thumbnails
from unchanged import fingerprint, kept

import theory
from bridge.cli import errata
from bridge.results import evidence
from bridge.results.evidence import current
from theory.core.ledger.checked_entry import CheckedEntry
from theory.ledger_records import recorded_errata

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 60  # modules on one page


def closed_form_pages() -> dict[str, list[str]]:
    """Return a page for each closed form, that of all of them, and that of what the kernel of Coq has proved."""
    catalogue = theory.catalogue()
    forms = dict(catalogue.items())
    pages = {
        "certificates": certificates.page(forms),
        "closed_forms": catalogue_page(forms, catalogue.families),
    }
    for name, form in forms.items():
        pages[f"closed_forms/{name.split('.')[0]}/{name}"] = formula_page(form)
    return pages


def theory_pages(directory: Path, with_verdicts: bool) -> dict[str, list[str]]:
    """Return the pages on the theory alone; computing the verdicts of the ledgers takes minutes the first time."""
    ledgers = by_paper(current(theory.check_ledger())) if with_verdicts else {}
    listed = ledgers or by_paper(recorded_errata())
    errata = {
        paper: [entry for entry in entries if entry.is_listed] for paper, entries in listed.items()
    }
    return {
        **closed_form_pages(),
        **ledger_pages.pages(ledgers),
        **errata_pages.pages(directory, errata, ledgers),
    }


def by_paper(entries: Iterable[CheckedEntry]) -> dict[str, list[CheckedEntry]]:
    """Return the entries of each paper, also of one that has none."""
    papers: dict[str, list[CheckedEntry]] = {paper: [] for paper in theory.ledgers()}
    for entry in entries:
        papers[entry.paper].append(entry)
    return papers


def modules_in(package: str) -> list[str]:
    """Return the public modules and packages in a package at any depth, without importing them."""
    folder, names = ROOT / package.replace(".", "/"), []
    for entry in sorted(folder.iterdir()) if folder.is_dir() else []:
        if not entry.name.startswith("_") and (
            entry.suffix == ".py" or (entry / "__init__.py").is_file()
        ):
            names += [f"{package}.{entry.stem}", *modules_in(f"{package}.{entry.stem}")]
    return names


def module_pages(package: str) -> dict[str, list[str]]:
    """Return the page of the modules of a package, from their docstrings, and those of the packages in a large one."""
    names = modules_in(package)
    inside = [n for n in names if n.count(".") == package.count(".") + 1 and modules_in(n)]
    own_pages = inside if len(names) > LARGEST else []
    lines = [*heading(package, "="), *names_table(package), f".. automodule:: {package}", ""]
    for name in names:
        if not any(f"{name}.".startswith(f"{inner}.") for inner in own_pages):
            lines += [*heading(name, "-"), f".. automodule:: {name}", ""]
    if own_pages:
        lines += [
            ".. toctree::",
            "   :maxdepth: 1",
            "",
            *(f"   {inner}" for inner in own_pages),
            "",
        ]
    pages = {f"api/{package}": lines}
    for inner in own_pages:
        pages |= module_pages(inner)
    return pages


def modules() -> dict[str, list[str]]:
    """Return the packages that have a page of their own, which are those inside of each of the packages."""
    tops = ("closedform", "theory", "empirics", "bridge")
    return {top: [name for name in modules_in(top) if name.count(".") == 1] for top in tops}


def write_pages(app: Sphinx) -> None:
    """Write the pages that changed, so that a second build is quick."""
    directory = Path(app.srcdir) / "generated"
    directory.mkdir(exist_ok=True)
    packages = modules()
    own = Path(__file__).parent
    with_verdicts = "pages" not in app.tags
    shown_by = [
        *(Path(module.__file__) for module in (errata, evidence)),
        ROOT / "bridge" / "explorer",
        ROOT / "bridge" / "search",
    ]
    shown = [
        ROOT / "closedform",
        ROOT / "theory",
        ROOT / "empirics" / "experiments",
        ROOT / "papers",
        *shown_by,
        own,
    ]
    # these pages show no docstring
    theory_now = fingerprint(shown, str(with_verdicts), without_text=True)
    all_now = fingerprint(
        [*(ROOT / name for name in ("closedform", "empirics", "bridge", "examples")), own]
    )
    pages: dict[str, list[str]] = {
        **kept(directory, "theory", theory_now, lambda: theory_pages(directory, with_verdicts)),
        **kept(directory, "gallery", all_now, figures.gallery),
        "api": reference(packages),
        **{
            page: lines
            for names in packages.values()
            for name in names
            for page, lines in module_pages(name).items()
        },
    }
    draw_thumbnails(Path(app.srcdir) / figures.RESULTS, directory / figures.THUMBNAILS)
    for name, lines in pages.items():
        write_if_changed(directory / f"{name}.rst", lines)
    for page in directory.rglob("*.rst"):
        if page.relative_to(directory).with_suffix("").as_posix() not in pages:
            page.unlink()  # of a module or subject that no longer exists


def escape_docstring(
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Escape absolute values and trailing underscores in a docstring."""
    lines[:] = plain(lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension, which writes the pages before the sources are read."""
    app.connect("builder-inited", write_pages)
    # after napoleon, which adds types
    app.connect("autodoc-process-docstring", escape_docstring, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
