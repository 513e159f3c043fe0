"""The pages generated from the code say what the code says."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"


@pytest.fixture
def extension(monkeypatch):
    """Imports a module of docs/_extensions, which is no package."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return importlib.import_module


def test_text_is_escaped_and_formulas_and_code_are_kept(extension):
    docutils = pytest.importorskip("docutils.core", reason="docutils is not installed (extra `docs`)")
    text = r"a*b_ |c| <d> [e] \f, *all*, `code_x`, $\tau_h$ and w_0"
    parts = docutils.publish_parts(extension("rst").escape(text), settings_overrides={"report_level": 2})
    seen = docutils.publish_string(extension("rst").escape(text), writer="pseudoxml").decode()
    assert "problematic" not in parts["whole"] + seen
    for piece in (r"a*b_ |c| <d> [e] \f, *all*,", "<literal>", r"<math>", r"\tau_h", "w_0"):
        assert piece in seen


def test_a_docstring_has_absolute_values_and_no_references(extension):
    docutils = pytest.importorskip("docutils.core", reason="docutils is not installed (extra `docs`)")
    text = """The mean of |x|^2, ``|code|``, :math:`\\|a\\|
    |b|` and NDArray[np.bool_].

    .. math:: |c|

        d_

    |e| again, x_1 and \\|f\\|, as in::

        |g|
    """
    lines = extension("rst").plain([line.removeprefix("    ") for line in text.splitlines()])
    settings = {"report_level": 2}
    seen = docutils.publish_string("\n".join(lines), writer="pseudoxml", settings_overrides=settings).decode()
    assert "problematic" not in seen
    assert "system_message" not in seen
    for piece in ("|x|^2", "|code|", "|b|", "np.bool_]", "|c|", "d_", "|e| again, x_1 and |f|", "|g|"):
        assert piece in seen
    assert not any(wrong in seen for wrong in ("\\|c", "\\|g", "\\|b", "\\|code"))


def test_a_page_that_says_the_same_is_left_untouched(extension, tmp_path):
    page, write = tmp_path / "deep" / "a.rst", extension("rst").write_if_changed
    write(page, ["one"])
    before = page.stat().st_mtime_ns
    write(page, ["one"])
    assert page.stat().st_mtime_ns == before
    write(page, ["two"])
    assert page.read_text() == "two\n"
