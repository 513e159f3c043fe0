"""Every public function and class has an example in its docstring, and the examples give what they show."""

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = [
    ".".join(stub.parent.relative_to(ROOT).parts)
    for package in ("theory", "empirics", "bridge")
    for stub in sorted((ROOT / package).rglob("__init__.pyi"))
]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public(package):
    """Name -> function or class with a docstring of its own that the package offers."""
    module = import_module(package)
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: one for name, one in found.items() if inspect.isfunction(one) or inspect.isclass(one)}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_has_an_example(package):
    without = [name for name, one in public(package).items() if ">>>" not in (inspect.getdoc(one) or "")]
    assert without == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_examples_give_what_they_show(package):
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for name, one in public(package).items():
        names = vars(import_module(one.__module__))
        example = doctest.DocTestParser().get_doctest(inspect.getdoc(one) or "", dict(names), name, one.__module__, 0)
        runner.run(example, out=lambda text: None)
    assert runner.summarize(verbose=False).failed == 0, [name for name, (failed, _) in counts(runner).items() if failed]


def counts(runner):
    """Name -> numbers of failures and examples."""
    return {name: tuple(result)[:2] for name, result in runner._stats.items()}


def test_no_example_needs_a_line_that_is_no_example():
    """A doctest that starts in the middle of a sentence would be read as text."""
    sources = [path for package in ("theory", "empirics", "bridge") for path in (ROOT / package).rglob("*.py")]
    lapses = [path.name for path in sources if re.search(r"^\s*\S+.*[^`\"'(]>>> ", path.read_text("utf-8"), re.MULTILINE)]
    assert lapses == []
