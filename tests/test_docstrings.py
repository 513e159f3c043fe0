"""Public functions and classes have an example in their docstring, and all examples give what they show.

Numbers are compared as numbers, since their last digits depend on the order in which a processor adds.
"""

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from pytest_doctestplus.output_checker import FLOAT_CMP, OutputChecker

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = [
    ".".join(stub.parent.relative_to(ROOT).parts)
    for package in ("theory", "empirics", "bridge")
    for stub in sorted((ROOT / package).rglob("__init__.pyi"))
]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
HOUSE = ("closedform", "theory", "empirics", "bridge", "papers")
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in HOUSE
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
ROOMS = sorted({".".join(module.split(".")[:2]) for module in MODULES})


class Numbers(OutputChecker):
    """Compares numbers up to rounding, and everything else, also numbers within texts, letter by letter."""

    # roundings of 2e-16 add up to less; a wrong digit that a reader sees is more
    rtol, atol = (1e-9, 1e-14)

    def check_output(self, want, got, flags):
        is_literal = doctest.OutputChecker.check_output(self, want, got, flags)
        return is_literal or super().check_output(want, got, flags | FLOAT_CMP)


def public(package):
    """Name -> function (with a cache or without) or class that the package offers."""
    module = import_module(package)
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: one for name, one in found.items() if inspect.isclass(one) or is_function(one)}


def is_function(one):
    return inspect.isfunction(inspect.unwrap(one)) if callable(one) else False


def example(one):
    text = inspect.getdoc(one) or ""
    # the second is not run: it would define an experiment for all
    return ">>>" in text or "For example::" in text


def made():
    """Names of the classes that public functions with an example return, with those of their fields and methods."""
    offered = [one for package in PACKAGES for one in public(package).values()]
    returned = [
        str(one.__annotations__.get("return"))
        for one in offered
        if is_function(one) and example(one)
    ]
    names = set(re.findall(r"\w+", " ".join(returned)))
    inside = [
        one for one in offered if inspect.isclass(one) and (one.__name__ in names or example(one))
    ]
    fields = [str(vars(one).get("__annotations__")) for one in inside]
    methods = [
        str(value.__annotations__)
        for one in inside
        for value in vars(one).values()
        if inspect.isfunction(value)
    ]
    return names | set(re.findall(r"\w+", " ".join(fields + methods)))


def test_every_public_function_and_class_has_an_example():
    """An error is raised, not made, and a result is made by a function with an example."""
    results, missing = made(), []
    for package in PACKAGES:
        for name, one in public(package).items():
            is_error = inspect.isclass(one) and issubclass(one, Exception)
            is_result = inspect.isclass(one) and one.__name__ in results
            if not (example(one) or is_error or is_result):
                missing.append(f"{package}.{name}")
    assert missing == []


def failures(test):
    """The number of examples of a docstring that give something else."""
    return (
        doctest.DocTestRunner(Numbers(), optionflags=OPTIONS)
        .run(test, out=lambda text: None)
        .failed
    )


@pytest.mark.parametrize("room", ROOMS)
def test_the_examples_give_what_they_show(room):
    wrong, finder = [], doctest.DocTestFinder()
    for name in MODULES:
        if f"{name}.".startswith(f"{room}."):
            wrong += [
                test.name
                for test in finder.find(import_module(name))
                if test.examples and failures(test)
            ]
    assert wrong == []


@pytest.mark.parametrize(
    ("shown", "given", "is_right"),
    [
        ("0.0", 2.5e-32, True),
        ("0.0", -0.0, True),
        ("[1.0, 0.0]", [1 - 2e-16, -3e-17], True),
        ("0.3", 0.1 + 0.2, True),
        ("0.333...", 1 / 3, True),
        ("1e-200", 1e-200, True),
        ("0.0", 0.1, False),
        ("0.0", 1e-12, False),
        ("0.1234567", 0.1234568, False),
        ("1234567", 1234568, False),
        ("0.5", -0.5, False),
        ("[1.0, 2.0]", [1.0, 2.0, 3.0], False),
        ("nan", 1.0, False),
        ("'1.0 ± 0.1'", "1.0 ± 0.2", False),
        ("True", False, False),
    ],
)
def test_a_wrong_digit_is_seen_and_rounding_is_not(shown, given, is_right):
    test = doctest.DocTestParser().get_doctest(
        f">>> given\n{shown}\n", {"given": given}, "planted", None, 0
    )
    assert failures(test) == (not is_right)
