"""Tests that the generated pages of the documentation agree with the code."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace

import pytest
import sympy as sp

import theory
from theory.core import Argument, ClosedForm, Status, besselk_scaled

X = sp.Symbol("x", positive=True)
EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"


@pytest.fixture
def extension(monkeypatch):
    """Imports a module of docs/_extensions, which is not a package."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return importlib.import_module


def test_text_is_escaped_and_formulas_and_code_are_kept(extension):
    docutils = pytest.importorskip(
        "docutils.core", reason="docutils is not installed (extra `docs`)"
    )
    text = r"a*b_ |c| <d> [e] \f, *all*, `code_x`, $\tau_h$ and w_0"
    parts = docutils.publish_parts(
        extension("rst").escape(text), settings_overrides={"report_level": 2}
    )
    seen = docutils.publish_string(extension("rst").escape(text), writer="pseudoxml").decode()
    assert "problematic" not in parts["whole"] + seen
    for piece in (r"a*b_ |c| <d> [e] \f, *all*,", "<literal>", r"<math>", r"\tau_h", "w_0"):
        assert piece in seen


def test_a_docstring_has_absolute_values_and_no_references(extension):
    docutils = pytest.importorskip(
        "docutils.core", reason="docutils is not installed (extra `docs`)"
    )
    text = """The mean of |x|^2, ``|code|``, :math:`\\|a\\|
    |b|` and NDArray[np.bool_].

    .. math:: |c|

        d_

    |e| again, x_1 and \\|f\\|, as in::

        |g|
    """
    lines = extension("rst").plain([line.removeprefix("    ") for line in text.splitlines()])
    settings = {"report_level": 2}
    seen = docutils.publish_string(
        "\n".join(lines), writer="pseudoxml", settings_overrides=settings
    ).decode()
    assert "problematic" not in seen
    assert "system_message" not in seen
    for piece in (
        "|x|^2",
        "|code|",
        "|b|",
        "np.bool_]",
        "|c|",
        "d_",
        "|e| again, x_1 and |f|",
        "|g|",
    ):
        assert piece in seen
    assert not any(wrong in seen for wrong in ("\\|c", "\\|g", "\\|b", "\\|code"))


def test_a_page_that_says_the_same_is_left_untouched(extension, tmp_path):
    page, write = tmp_path / "deep" / "a.rst", extension("rst").write_if_changed
    write(page, ["one"])
    before = page.stat().st_mtime_ns
    write(page, ["one"])
    assert page.stat().st_mtime_ns == before
    write(page, ["two"])
    assert page.read_text(encoding="utf-8") == "two\n"


def test_pages_are_made_again_only_where_the_code_has_changed(extension, tmp_path):
    unchanged, code, made = extension("unchanged"), tmp_path / "code", []
    (code / "deep").mkdir(parents=True)
    (code / "deep" / "a.py").write_text("one")

    def make():
        made.append(1)
        return {"x/page": [f"build {len(made)}", "", "end"]}

    def build(*also):
        return unchanged.kept(
            tmp_path / "out", "group", unchanged.fingerprint([code], *also), make
        )

    first = build("smoke")
    assert build("smoke") == first == {"x/page": ["build 1", "", "end"]}
    assert (tmp_path / "out" / "x" / "page.rst").read_text(encoding="utf-8") == "build 1\n\nend\n"
    (code / "deep" / "a.py").write_text("two")
    assert build("smoke")["x/page"][0] == "build 2"
    assert build("laptop")["x/page"][0] == "build 3"
    (tmp_path / "out" / "x" / "page.rst").unlink()
    assert build("laptop")["x/page"][0] == "build 4"
    (code / "measurements.json").write_text("{}")
    assert build("laptop")["x/page"][0] == "build 5"
    assert len(made) == 5


def test_docstrings_comments_and_layout_make_no_difference_where_they_are_not_shown(
    extension, tmp_path
):
    code = tmp_path / "a.py"

    def prints(text):
        code.write_text(text)
        return [
            extension("unchanged").fingerprint([tmp_path], without_text=flag)
            for flag in (True, False)
        ]

    first = prints('"""What."""\ndef f(x):\n    """Double."""\n    return 2 * x\n')
    reworded = prints(
        '"""That."""\n\ndef f(x):  # twice\n    """Return twice."""\n    return 2*x\n'
    )
    changed = prints('"""What."""\ndef f(x):\n    """Double."""\n    return 3 * x\n')
    assert reworded[0] == first[0] != changed[0]
    assert len({one[1] for one in (first, reworded, changed)}) == 3
    text = prints('LABEL = "one"\n'), prints('LABEL = "two"\n')
    assert text[0][0] != text[1][0]  # a text that is used is no docstring


def test_an_interrupted_build_is_made_anew(extension, tmp_path):
    unchanged = extension("unchanged")
    unchanged.kept(tmp_path, "group", "old", lambda: {"page": ["old"]})

    def cut():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        unchanged.kept(tmp_path, "group", "new", cut)
    assert unchanged.kept(tmp_path, "group", "old", lambda: {"page": ["again"]}) == {
        "page": ["again"]
    }


def test_a_second_build_checks_and_draws_nothing(extension, monkeypatch, tmp_path):
    pytest.importorskip("sphinx", reason="sphinx is not installed (extra `docs`)")
    pages, made = extension("pages_from_code"), []

    def making(*names):
        def make(*_arguments):
            made.extend(names)
            return {name: [f"page {name}"] for name in names}

        return make

    monkeypatch.setattr(pages, "theory_pages", making("closed_forms", "equations", "errata"))
    monkeypatch.setattr(pages.figures, "gallery", making("gallery", "gallery/geometry"))
    root = tmp_path / "a small repository"
    for module in (pages, extension("public_names")):
        monkeypatch.setattr(module, "ROOT", root)
    for package in (
        "theory",
        "theory/core",
        "empirics",
        "empirics/experiments",
        "bridge",
        "bridge/explorer",
    ):
        (root / package).mkdir(parents=True)
        (root / package / "__init__.py").write_text('"""A package."""\n')
    app = SimpleNamespace(srcdir=tmp_path, tags=set())
    pages.write_pages(app)
    assert made == ["closed_forms", "equations", "errata", "gallery", "gallery/geometry"]
    pages.write_pages(app)
    assert len(made) == 5
    (root / "theory" / "core" / "__init__.py").write_text('"""A package, reworded."""\n')
    pages.write_pages(app)
    assert len(made) == 5
    (root / "bridge" / "explorer" / "__init__.py").write_text('"""A package."""\nSIZE = 1\n')
    pages.write_pages(app)
    assert len(made) == 10
    for name in made:
        assert (tmp_path / "generated" / f"{name}.rst").read_text(
            encoding="utf-8"
        ) == f"page {name}\n"
    assert "automodule:: theory.core" in (
        tmp_path / "generated" / "api" / "theory.core.rst"
    ).read_text(encoding="utf-8")


def test_a_form_has_sliders_on_its_page_if_a_browser_can_compute_it(extension):
    pytest.importorskip("sphinx", reason="sphinx is not installed (extra `docs`)")
    explorers, forms = extension("explorers"), theory.catalogue()
    lines = explorers.explorer(forms["collapse.linear_gain_bound"])
    assert lines[:4] == [".. rubric:: Explore", "", ".. raw:: html", ""]
    assert any('<input type="range" id="slider-condition"' in line for line in lines)
    assert all(line.startswith("   ") for line in lines[4:] if line)
    unknown = ClosedForm(
        "a.form", "A form.", (Argument(X, "an order"),), besselk_scaled(2, X), Status.TRANSCRIBED
    )
    assert explorers.explorer(unknown) == []


def test_a_large_package_has_a_page_for_each_package_inside(extension, monkeypatch, tmp_path):
    pytest.importorskip("sphinx", reason="sphinx is not installed (extra `docs`)")
    pages = extension("pages_from_code")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    for name in (
        "big/__init__",
        "big/own",
        "big/_hidden",
        "big/inner/__init__",
        "big/inner/a",
        "big/inner/b",
    ):
        (tmp_path / f"{name}.py").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.py").touch()

    def modules(largest):
        monkeypatch.setattr(pages, "LARGEST", largest)
        listed = pages.module_pages("big")
        return {
            page: [line.split()[-1] for line in lines if "automodule" in line]
            for page, lines in listed.items()
        }

    everything = ["big", "big.inner", "big.inner.a", "big.inner.b", "big.own"]
    assert modules(4) == {"api/big": everything}
    assert modules(3) == {
        "api/big": ["big", "big.own"],
        "api/big.inner": ["big.inner", "big.inner.a", "big.inner.b"],
    }
    assert "   big.inner" in pages.module_pages("big")["api/big"]


def test_only_uses_of_glyphs_need_their_definitions(extension):
    pytest.importorskip("sphinx", reason="sphinx is not installed (extra `docs`)")
    maths = extension("maths_as_svg")
    maths.glyphs["g-x"] = '<path id="g-x" d=""/>'
    context = {
        "body": '<h2>G: definition<a href="#g-definition">#</a></h2><svg><use href="#g-x"/></svg>'
    }
    maths.define_glyphs(None, "page", "page.html", context, None)
    assert context["body"].count('id="g-') == 1


def test_the_way_to_a_formula_is_a_list_in_lists(extension):
    docutils = pytest.importorskip(
        "docutils.core", reason="docutils is not installed (extra `docs`)"
    )
    pages = extension("formula_pages")
    lines = pages.nested(pages.tree(theory.catalogue()["two_point.final_distance"]).below)
    seen = docutils.publish_string(
        "\n".join(lines), writer="pseudoxml", settings_overrides={"report_level": 1}
    ).decode()
    assert "system_message" not in seen
    assert "enumerated_list" not in seen
    assert seen.index("1. w stays at zero there") < seen.index("[a] closed form: two_point.w_rate")
    assert "assumption: dh does not rotate (Eq. 19)" in seen
