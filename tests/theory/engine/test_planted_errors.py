"""Errors planted in the rules of the engine: each must make a step fail, in one of four networks."""

import importlib
import re
import shutil
import sys
from pathlib import Path

import pytest
import sympy as sp

import theory.engine
from theory.core import Verdict
from theory.engine import Act, Attention, Conv, Dense, Flatten, Norm, Pool, Product, residual

S, Z, N = sp.symbols("S Z n", positive=True)
ENGINE = Path(theory.engine.__file__).parent
PLANTED = [
    ("rules.py", "below[0, 1] + biases", "below[0, 1] + 2 * biases"),
    ("rules.py", "return weights * theta", "return weights**2 * theta"),
    ("rules.py", "below[0, 1] + gains[1]", "below[0, 1] + 2 * gains[1]"),
    ("rules.py", "gains[0] * below[0, 1] + gains[1]", "gains[1] * below[0, 1] + gains[0]"),
    ("rules.py", "shifted(p + tap, q + tap)", "shifted(p + tap, q - tap)"),
    (
        "rules.py",
        "(below[0, 0], below[1, 1], below[0, 1])",
        "(below[0, 0], below[0, 0], below[0, 1])",
    ),
    ("rules.py", "return slopes * tangent", "return slopes + tangent"),
    ("rules.py", "sp.sqrt(below[0, 0]) * sp.sqrt(below[1, 1])", "below[0, 0] * below[1, 1]"),
    (
        "joining.py",
        "return sp.Add(*kernels) / len(kernels)",
        "return sp.Add(*kernels) / kernels.rows",
    ),
    ("joining.py", "return kernels.trace() / kernels.rows", "return kernels.trace()"),
    (
        "joining.py",
        "sp.Add(*kernels), sp.Add(*tangents)",
        "sp.Add(*kernels), sp.Add(*tangents[:1])",
    ),
    ("joining.py", "sp.Add(*(t * rest", "sp.Add(*(t"),
    ("joining.py", "for other in own[p, :]", "for other in own[:, q]"),
    ("joining.py", "* attention(right, scale).T", "* attention(left, scale).T"),
    (
        "kernel_levels.py",
        "joining.attended(below.tangent, own, other, scale)",
        "joining.attended(below.tangent, other, own, scale)",
    ),
    (
        "kernel_levels.py",
        "below.gram.extract([i, j], [i, j])",
        "below.gram.extract([i, i], [i, j])",
    ),
    ("kernel_levels.py", "return rule([end.gram[i, j]", "return rule([end.gram[i, i]"),
    ("metric_rules.py", "mu[0], omega[0] * a,", "mu[0], 2 * omega[0] * a,"),
    ("metric_rules.py", "+ 2 * omega[1] * v1**2", "+ omega[1] * v1**2"),
    ("metric_rules.py", "b / v - (v1 / v) ** 2", "b / v + (v1 / v) ** 2"),
    ("metric_rules.py", "return weights * v + biases,", "return weights * v + 2 * biases,"),
    ("metric_rules.py", "+ biases, weights * a,", "+ biases, weights**2 * a,"),
    ("metric_rules.py", "+ 2 * s_ * t_", "+ s_ * t_"),
    ("metric_levels.py", "*squared_slope_jet(act)\n", "*second_moment(act)\n"),
    ("width.py", "(S * m2_slope) ** 2 * nu", "S * m2_slope**2 * nu"),
    ("width.py", "S * m2_bend * nu / 2", "S * m2_bend * nu"),
    ("width.py", "watched(m4 - m2**2) / n", "watched(m4 + m2**2) / n"),
    (
        "width.py",
        "with_warnings((two, second_moment(squared)[0], slope, bend))",
        "with_warnings((two, second_moment(squared)[0], bend, slope))",
    ),
    (
        "tangent_rules.py",
        "own, mixed, slopes = m4 - m2**2, sd",
        "own, mixed, slopes = m4 - m2**2, 2 * sd",
    ),
    ("tangent_rules.py", "S**2 * q4 * theta**2 / n", "S**2 * q4 * theta / n"),
    ("tangent_rules.py", "(S * m2_slope) ** 2 * f,", "(S * q2) ** 2 * f,"),
    ("tangent_rules.py", "+ 2 * along * across * d", "+ along * across * d"),
    ("tangent_rules.py", "+ 2 * S * q2_slope * f", "+ S * q2_slope * f"),
    ("tangent_rules.py", "+ S * q2_slope * d", "+ S * q2_slope * t"),
    ("width_pair.py", "WITHIN[one, other] / n +", "WITHIN[one, other] +"),
    ("width_pair.py", "S**2 * watched(WITHIN", "S * watched(WITHIN"),
    ("width_pair.py", '* means[f"G_{other}"]', '* means[f"G_{one}"]'),
    ("width_pair.py", "= own[letter.name]", "= own[m2.name]"),
    ("width_pair.py", "watched(carried + bent)", "watched(carried - bent)"),
    ("width_pair.py", "(sp.Rational(1, 2) if e == f else 1)", "sp.Rational(1, 2)"),
    ("tangent_rules.py", "m2, q2 * theta)", "m2, q2)"),
    ("tangent_rules.py", "(S, Z, (G, G_b))", "(S, Z, (S, G_b))"),
    (
        "width_tangent.py",
        "second_moment(mixed)[0], jet[0], second_moment(fourth)[0]",
        "second_moment(fourth)[0], jet[0], second_moment(mixed)[0]",
    ),
]
"""The file, what stands in it once, and what is planted instead."""


def steps_that_do_not_hold(package):
    engine = importlib.import_module(package)
    dense, narrow = Dense(S, Z), Dense(S, Z, width=N)
    forms = [
        engine.tangent(dense >> residual(Act("relu") >> dense) >> Act("erf") >> dense),
        engine.kernel(dense >> Norm() >> Act("erf")),
        engine.tangent(Conv(S, Z) >> Act("relu") >> Pool() >> dense, positions=3),
        engine.tangent(Conv(S, Z) >> Act("relu") >> Flatten() >> dense, positions=3),
        engine.tangent(dense >> Product(dense >> Act("erf"), dense) >> dense),
        engine.tangent(dense >> Attention(S) >> dense >> Pool(), positions=2),
        engine.curvature(dense >> residual(Act("erf") >> dense) >> Norm() >> Act("erf")),
        engine.volume(dense >> Product(dense >> Act("erf"), dense)),
        engine.finite_width(narrow >> Act("sin") >> narrow >> Act("sin") >> dense).shift,
        engine.finite_pair(narrow >> Act("sin") >> dense).covariance("xx", "xy"),
        engine.finite_pair(narrow >> Act("sin") >> narrow >> Act("sin") >> dense).shift("xy"),
        *engine.finite_tangent(narrow >> Act("sin") >> narrow >> Act("sin") >> dense),
    ]
    return [
        step.claim for form in forms for step in form.steps if step.check() is not Verdict.HOLDS
    ]


@pytest.mark.slow
def test_every_planted_error_is_a_step_that_fails(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    survivors = []
    for number, (file, right, wrong) in enumerate([("rules.py", "", ""), *PLANTED]):
        package = f"planted_{number}"
        shutil.copytree(ENGINE, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
        for path in (tmp_path / package).glob("*.py*"):
            text = path.read_text()
            if path.name == file and right:
                assert text.count(right) == 1, (file, right)
                text = text.replace(right, wrong)
            path.write_text(re.sub(r"\btheory\.engine\b", package, text))
        importlib.invalidate_caches()
        try:
            failed = steps_that_do_not_hold(package)
        except (ValueError, ArithmeticError) as error:
            failed = [str(error)]
        if not number:
            assert failed == []
        elif not failed:
            survivors.append((file, wrong))
        for name in [name for name in sys.modules if name.split(".")[0] == package]:
            del sys.modules[name]
    assert survivors == []
