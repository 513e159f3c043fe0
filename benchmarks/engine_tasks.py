"""Ten tasks for which a user would otherwise derive by hand: lines of code, processor seconds, verdicts, one number.

Every task is a function of a few lines, which returns what is checked and a number that another route gives, too.
Each runs in a process of its own with an empty store of proofs. The one on images reads MNIST from the folder that
``CLOSEDFORM_DATA`` names, and is left out without it.

    python benchmarks/engine_tasks.py [NUMBER]
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
import torch

from empirics import data
from theory import geometry
from theory.core import Step
from theory.engine import (
    Act,
    Conv,
    Dense,
    Flatten,
    Flow,
    Mean,
    Order,
    Recursion,
    balance,
    critical,
    curvature,
    finite_width,
    kernel,
    residual,
    tangent,
)


def mixed_residual() -> tuple[list[Any], float]:
    """Kernel and tangent kernel of a residual network with two activations."""
    s, z = sp.symbols("s z", positive=True)
    layer = Dense(s**2, z**2)
    net = layer >> residual(Act("relu") >> layer) >> Act("erf") >> Dense()
    nngp, ntk = kernel(net), tangent(net)
    return [nngp, ntk], float(ntk(xx=1, yy=1, xy=0.3, s=1.2, z=0.3))


def its_curvature() -> tuple[list[Any], float]:
    """Scalar curvature of the metric of a residual network."""
    layer = Dense(2, "1/10")
    net = layer >> residual(Act("erf") >> layer) >> Act("erf")
    form = curvature(net)
    return [form], float(form(d=3, r=1.0))


def critical_line() -> tuple[list[Any], float]:
    """Weights and biases at which an activation of one's own keeps a variance and small angles."""
    line = critical(Act("z*erf(z)") >> Dense())
    return [line.weights, line.biases, line.along], float(line.weights(q=0.5))


def three_widths() -> tuple[list[Any], float]:
    """Excess kurtosis of a unit above three layers of finite width, to first order."""
    widths = sp.symbols("n1:4", positive=True)
    net = Dense(2, width=widths[0])
    for width in (*widths[1:], None):
        net = net >> Act("relu") >> Dense(2, width=width)
    form = finite_width(net).kurtosis
    return [form], float(form(n1=10, n2=20, n3=30))


def convolutions() -> tuple[list[Any], float]:
    """Kernel matrix of a small convolutional network on digits of MNIST."""
    digits = data.load("mnist", split="test", dtype=torch.float64).images[:4]
    layer = Conv(2, "1/100", padding="zeros") >> Act("relu")
    net = layer >> layer >> Flatten() >> Dense()
    matrix = geometry.kernel_matrix(net, digits.permute(0, 2, 3, 1))
    return [], float(matrix[0, 1])


def invariants_and_fixed_points() -> tuple[list[Any], float]:
    """What a flow of one's own conserves, and where it rests."""
    prey, hunters, r, c = sp.symbols("prey hunters r c", positive=True)
    hunt = Flow({prey: prey * (r - hunters), hunters: hunters * (prey - c)})
    logarithms = sp.log(prey), sp.log(hunters)
    (energy,) = hunt.conserved(1, among=(prey, hunters, *logarithms))
    (point,) = hunt.fixed_points()
    value = energy.expression.subs({prey: 2, hunters: 3, r: 1, c: 0.5})
    return [energy, point], float(value)


def learning_curve_exponent() -> tuple[list[Any], float]:
    """The exponent beta of an error that is the share of labels beyond a boundary resolved to r^d = 1/p."""
    distance, beta = sp.symbols("distance beta", real=True)
    d = sp.Symbol("d", positive=True)
    points, gap, error = Order("p", 1), Order("r", -distance), Order("e", -beta)
    words = {
        "a ball of radius r has one point": points * gap**d,
        "errors are in the margin": error / gap,
    }
    table = balance(words, (distance, beta))
    return [table], float(table[beta].expression.subs(d, 4))


def maximal_update() -> tuple[list[Any], float]:
    """Weights and learning rates of the maximal update parametrisation, one hidden layer."""
    a, b, c, d = names = sp.symbols("a b c d", real=True)
    w, v, eta_w, eta_v = Order("w", -a), Order("v", -b), Order("eta_w", -c), Order("eta_v", -d)
    words = {
        "features are of order one": w,
        "a step moves features by order one": eta_w * v,
        "moved features move the output by order one": (eta_w * v**2).sum(1),
        "a moved readout moves the output by order one": (eta_v * w**2).sum(1),
    }
    table = balance(words, names)
    return [table], float(table[b].expression)


def recursion() -> tuple[list[Any], float]:
    """Variance of a deep rectifier network's kernel, solved in the depth."""
    kept, spread, n, x = sp.symbols("K V n x", positive=True)
    layers = Recursion({kept: kept, spread: spread + 5 * kept**2 / n}, {kept: x, spread: 0})
    solved = layers.solve()[spread]
    return [solved], float(solved.expression.subs({layers.index: 6, n: 100, x: 1}))


def mean_of_unknown_function() -> tuple[list[Any], float]:
    """Stein's lemma for a function that is not named, and the mean of the fourth power of a sine."""
    u, v = sp.Symbol("u", real=True), sp.Symbol("v", positive=True)
    f = sp.Function("f", real=True)
    stein = Step("Stein", Mean(u * f(u), u, v), v * Mean(sp.diff(f(u), u), u, v), uses=())
    return [stein], float(Mean(sp.sin(u) ** 4, u, v).doit().subs(v, 1))


TASKS: dict[Callable[[], tuple[list[Any], float]], float | None] = {
    mixed_residual: None,
    its_curvature: None,
    critical_line: None,
    three_widths: 3 * (5 / 10 + 5 / 20 + 5 / 30),
    convolutions: 0.042486725341822296,  # by neural-tangents
    invariants_and_fixed_points: 2 + 3 - float(np.log(3)) - 0.5 * float(np.log(2)),
    learning_curve_exponent: 1 / 4,
    maximal_update: 1,
    recursion: 0.3,
    mean_of_unknown_function: float(3 / 8 - np.exp(-2) / 2 + np.exp(-8) / 8),
}
"""Each task with its number by another route; None where a page of numbers of other programs is among the tests."""
ON_IMAGES = {convolutions}


def lines(task: Callable[..., Any]) -> int:
    """Return the lines of a task's body, its docstring aside."""
    return len(inspect.getsource(task).splitlines()) - 2


def verdicts(checked: list[Any]) -> list[str]:
    """Return the verdicts on the steps of closed forms, derived results and steps."""
    names = []
    for part in checked:
        made = part.check()
        names += [
            verdict.name for verdict in (made.values() if isinstance(made, dict) else [made])
        ]
    return names


def row(number: int) -> list[Any]:
    """Return name, lines, processor seconds, steps that hold of how many, value and that by hand, of one task."""
    task, by_hand = list(TASKS.items())[number]
    begin = time.process_time()
    checked, value = task()
    held = verdicts(checked)
    seconds = time.process_time() - begin
    share = f"{held.count('HOLDS')} of {len(held)}"
    return [task.__name__, lines(task), round(seconds, 1), share, value, by_hand]


def main() -> None:
    """Print the table, or the row of one task as JSON."""
    if len(sys.argv) > 1:
        print(json.dumps(row(int(sys.argv[1]))))
        return
    print(f"{'task':30}{'lines':>6}{'seconds':>9}{'steps':>11}  number, and by another route")
    for number, task in enumerate(TASKS):
        if task in ON_IMAGES and "CLOSEDFORM_DATA" not in os.environ:
            print(f"{task.__name__:30} left out: CLOSEDFORM_DATA names no folder with mnist/")
            continue
        with tempfile.TemporaryDirectory() as cache:
            printed = subprocess.run(
                [sys.executable, __file__, str(number)],
                env={**os.environ, "CLOSEDFORM_CACHE": cache, "OMP_NUM_THREADS": "1"},
                capture_output=True,
                text=True,
                check=True,
            )
        name, count, seconds, share, value, by_hand = json.loads(printed.stdout)
        other = "" if by_hand is None else f", {by_hand:.6g}"
        print(f"{name:30}{count:6}{seconds:9}{share:>11}  {value:.6g}{other}", flush=True)


if __name__ == "__main__":
    main()
