"""Sphinx extension that writes the pages on closed forms, equations, errata, figures and modules from the code.

The pages are written to docs/generated/, which is not tracked, at each build, so that they agree with the code. Pages
that take minutes, because all derivations are checked, are kept as long as only comments and docstrings change. The
gallery shows recorded results; nothing is trained.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import certificates
import figures
import ledger_pages
import mpmath
import sympy as sp
from explorers import explorer
from ledger_pages import measured
from public_names import names_table, reference
from rst import bullets, code, displayed, escape, heading, plain, table, write_if_changed
from sphinx.application import Sphinx
from thumbnails import draw_thumbnails
from unchanged import fingerprint, kept

import theory
from bridge.cli import errata
from bridge.results import evidence
from theory.core import Argument, ClosedForm
from theory.core.proof.certificates import certificate
from theory.core.proof.tree import Branch, tree
from theory.core.text.render import misprints

ROOT = Path(__file__).resolve().parents[2]
DIGITS = 20
LARGEST = 60  # modules on one page


def letter(argument: Argument) -> str:
    """Return the argument's symbol as an inline formula."""
    return f":math:`{argument.latex or sp.latex(argument.symbol)}`"


def example(form: ClosedForm) -> list[str]:
    """Return a call at a point of the domain, with its result."""
    point = {name: f"{values[0]:.3g}" for name, values in form.sample(1).items()}
    value = form.evaluate(digits=DIGITS, **point)
    words = [
        "closedform eval",
        form.name,
        *(f"{name}={text}" for name, text in point.items()),
        f"--digits {DIGITS}",
    ]
    call = " \\\n    ".join(textwrap.wrap(" ".join(words), 90, break_on_hyphens=False))
    return code("console", f"$ {call}\n{mpmath.nstr(value, DIGITS)}")


def closed_form(form: ClosedForm) -> list[str]:
    """Return the page of one closed form."""
    lines = [
        f".. _form-{form.name}:",
        "",
        *heading(f"``{form.name}``", "="),
        escape(form.meaning),
        "",
    ]
    whole, *letters = form.abbreviated().lines
    lines += displayed(whole)
    if letters:
        lines += ["with", "", *(line for definition in letters for line in displayed(definition))]
    sources = escape("; ".join(map(str, form.sources)) or "new here")
    lines += [f"**{form.status.name}**. Source: {sources}.", ""]
    for sentence in misprints(form, form.differs_from_print):
        lines += [f"Differs from print: {escape(sentence)}", ""]
    rows = [
        (letter(a), f"``{a.name}``", escape(a.meaning), escape(a.domain), escape(a.unit))
        for a in form.arguments
    ]
    lines += table(("symbol", "argument", "meaning", "domain", "unit"), rows)
    if limits := [*form.assumptions, *(condition.sentence for condition in form.conditions)]:
        lines += ["Holds where", "", *bullets(limits)]
    if found := measured(form.name):
        lines += ["Measured on networks", "", *bullets(found)]
    lines += explorer(form)
    if form.steps:
        lines += ["Steps, as checked when this page was built", ""]
        verdicts = form.check()
        rows = [
            (
                str(number),
                verdicts[s.claim].name,
                str(certificate(s)),
                escape(s.claim),
                escape(s.because),
            )
            for number, s in enumerate(form.steps, start=1)
        ]
        lines += table(("step", "verdict", "checked by", "claim", "because"), rows)
        lines += [f"``closedform show {form.name} --steps`` prints both sides of each step.", ""]
        lines += certificates.statements(form)
        lines += [
            "The way from the premises to the formula, read from below",
            "",
            *nested(tree(form).below),
        ]
    return [*lines, *example(form)]


def nested(branches: Iterable[Branch], depth: int = 0) -> list[str]:
    """Return steps and premises as a list, with what each of them uses in a list below it."""
    lines = []
    for branch in branches:
        # the number of a step begins no list of its own
        label = escape(branch.label).replace(". ", "\\. ", 1)
        lines += [f"{'  ' * depth}- {label}", ""]
        lines += nested(branch.below, depth + 1)
    return lines


def closed_form_pages() -> dict[str, list[str]]:
    """Return a page for each closed form, a list of them for each subject, and the list of the subjects."""
    forms = theory.catalogue()
    subjects: dict[str, list[ClosedForm]] = {}
    for name, form in forms.items():
        subjects.setdefault(name.split(".")[0], []).append(form)
    lines = [
        *heading("Closed forms", "="),
        f"The {len(forms)} closed forms of ``theory.catalogue()``, by subject.",
        "",
    ]
    lines += table(
        ("subject", "closed forms"),
        [(f":doc:`closed_forms/{s}`", str(len(f))) for s, f in subjects.items()],
    )
    pages = {"certificates": certificates.page(forms)}
    pages |= {
        "closed_forms": [
            *lines,
            *hidden_toctree(f"closed_forms/{subject}" for subject in subjects),
        ]
    }
    for subject, members in subjects.items():
        rows = [
            (f":ref:`{form.name} <form-{form.name}>`", escape(form.meaning)) for form in members
        ]
        listed = table(("closed form", "meaning"), rows)
        below = hidden_toctree(f"{subject}/{form.name}" for form in members)
        pages[f"closed_forms/{subject}"] = [*heading(f"``{subject}``", "="), *listed, *below]
        pages |= {f"closed_forms/{subject}/{form.name}": closed_form(form) for form in members}
    return pages


def hidden_toctree(names: Iterable[str]) -> list[str]:
    """Return a table of contents for the navigation alone."""
    return [".. toctree::", "   :hidden:", "", *(f"   {name}" for name in names), ""]


def theory_pages(directory: Path, with_verdicts: bool) -> dict[str, list[str]]:
    """Return the pages on the theory alone; computing the verdicts of the ledgers takes minutes the first time."""
    made = ledger_pages.pages(directory) if with_verdicts else ledger_pages.left_out()
    return {**closed_form_pages(), **made}


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
    ]
    shown = [
        ROOT / "closedform",
        ROOT / "theory",
        ROOT / "empirics" / "experiments",
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
