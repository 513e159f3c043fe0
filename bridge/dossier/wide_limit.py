"""The kernels of a fully connected network next to those of infinite width, before and after training."""

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from bridge.dossier.cost import FEWEST, Budget, calls_of
from bridge.dossier.dense import Dense, dense_of, finite_kernels, kernels_of, pairs, wide_kernels
from bridge.dossier.expectation import Expectation, called, numeral
from bridge.dossier.network import MeasuredNetwork
from bridge.dossier.spread import spread_finding
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Table, table_of
from bridge.results.quantity import Quantity
from bridge.statistics.arrays import Array
from bridge.statistics.compare import compare
from bridge.validity.placed import placed
from closedform.measured import Measured
from empirics.measure.models.memory import OPERATIONS
from empirics.training.progress import bar

READING = {
    "Infinite width": "the NNGP kernel E[φ(z_x) φ(z_y)] of every layer and the tangent kernel of all parameters (also "
    "of frozen ones), for weights and biases with the variances of the initial network (of torch’s default "
    "initialisation if that is not given), in closed form or by certified integration. A finite network deviates from "
    "it by about 1/√n for n units in a layer; the band is the standard deviation over networks of these widths with "
    "normal weights.",
    "Size and similarity": "of a kernel: its mean on the diagonal, and the mean over pairs of points of K(x, y) / "
    "√(K(x, x) K(y, y)).",
}
QUANTITY = Quantity("dossier.wide_kernel", "size or similarity of a kernel")
DRAWS = 20  # random networks behind the band
MOST = 40  # points


@dataclass(frozen=True)
class Kernels:
    """Kernels of the features of a network."""

    last: Array  # of the last hidden layer, [N, N]
    # size and similarity of the kernels of all layers and of the tangent kernel
    numbers: dict[str, float]


def wide_limit(
    trained: MeasuredNetwork,
    initial: MeasuredNetwork | None,
    seed: int,
    budget: Budget,
    progress: bool,
) -> tuple[Analysis, tuple[Expectation, ...]]:
    """Analyse the kernels of a fully connected network, also those before training, against infinite width."""
    network = dense_of(trained)
    origin = None if initial is None else dense_of(initial)
    weights, biases = network.default_variances() if origin is None else origin.variances()
    inputs = trained.inputs.flatten(1).double().cpu().numpy()
    # compiles the formulas, which is not part of the cost of a pair
    wide_kernels(network, weights, biases, inputs[:2])
    # two points have three pairs
    pair = budget.paid(calls_of(lambda: wide_kernels(network, weights, biases, inputs[:2]))) / 3
    point, pair = _drawing(network, pair)
    most = min(MOST, len(inputs))
    count = budget.affordable(most, point, pair)
    if count < FEWEST:
        raise ValueError(budget.said("infinite width", 0, most, most * point + most**2 * pair))
    x = inputs[:count]
    wide = _kernels(network, *wide_kernels(network, weights, biases, x))
    draws = []
    with bar("infinite width", DRAWS, "network", progress=progress) as shown:
        for number in range(DRAWS):
            draws.append(
                _kernels(network, *finite_kernels(network, weights, biases, x, seed + number))
            )
            shown.update()
    band = {}
    for name in wide.numbers:
        band[name] = float(np.std([draw.numbers[name] for draw in draws], ddof=1))
    after = _kernels(network, *kernels_of(network, network.parameters(), x))
    before = (
        None if origin is None else _kernels(origin, *kernels_of(origin, origin.parameters(), x))
    )
    measured, expectations = ((), ()) if before is None else _comparison(wide, before, band)
    deviation = np.std([draw.last for draw in draws], axis=0, ddof=1)
    analysis = Analysis(
        traces={},
        pictures=(
            picture(wide.last, deviation, after.last, None if before is None else before.last),
        ),
        tables=(_table(network, wide, band, before, after, count),),
        measured=measured,
        how_compared="The network before training is one draw; its error is the standard deviation over random "
        "networks of the same widths.",
        findings=(
            _finding(wide, band, after, before is not None),
            *_placed(network),
            spread_finding(network, weights, biases, x),
        ),
        reading=READING,
    )
    return analysis, expectations


def _drawing(network: Dense, predicted: float) -> tuple[float, float]:
    """Return the work of a point and of a pair of points: of the prediction, and of the kernels of random networks."""
    widths, outputs = network.widths, network.widths[-1]
    forward = sum(2 * a * b for a, b in pairwise(widths))
    draws = (DRAWS + 2) / OPERATIONS
    return draws * (1 + outputs) * forward, predicted / 2 + draws * 2 * outputs * sum(widths)


def _finding(wide: Kernels, band: dict[str, float], after: Kernels, is_trained: bool) -> str:
    size, similarity = "size of the tangent kernel", "similarity in the tangent kernel"
    subject = "After training, the" if is_trained else "The"
    return (
        f"{subject} tangent kernel has {numeral(after.numbers[size] / wide.numbers[size])} times the size of "
        f"infinite width at initialisation (random networks: ±{band[size] / wide.numbers[size]:.0%}), and a similarity "
        f"of {after.numbers[similarity]:.2f} instead of {wide.numbers[similarity]:.2f} "
        f"(±{numeral(band[similarity], 2)})."
    )


def _placed(network: Dense) -> tuple[str, ...]:
    """Return where the narrowest layer lies in the recorded maps of random networks, shallow ones and deep ones."""
    narrow = int(np.argmin(network.widths[1:-1]))
    values = {
        "width": network.widths[narrow + 1], "activation": network.activations[narrow].name,
        "dimension": network.widths[narrow], "depth": len(network.names),
    }  # fmt: skip
    sentences = chain.from_iterable(
        placed(kind, values) for kind in ("geometry.random_networks", "deep random networks")
    )
    return tuple(f"{called(network.names[narrow])}: {sentence}" for sentence in sentences)


def _comparison(
    wide: Kernels, before: Kernels, band: dict[str, float]
) -> tuple[tuple[Measured, ...], tuple[Expectation, ...]]:
    """Return the comparisons of the network before training with infinite width, one by one and together."""
    names = list(wide.numbers)
    predicted, measured = list(wide.numbers.values()), [before.numbers[name] for name in names]
    joint = compare(
        predicted, measured, error=[band[name] for name in names], repetitions=DRAWS, names=names
    )
    outcome = Expectation(
        "Before training, kernels are those of infinite width", f"{len(names)} numbers",
        f"largest |z| {np.abs(joint.z).max():.1f}", "NNGP and tangent kernel", joint.overall,
    )  # fmt: skip
    return tuple(
        comparison.of(QUANTITY, f"before training, {comparison.names[0]}") for comparison in joint
    ), (outcome,)


def _table(
    network: Dense,
    wide: Kernels,
    band: dict[str, float],
    before: Kernels | None,
    after: Kernels,
    points: int,
) -> Table:
    network_is = "this network" if before is None else "after training"
    caption = (
        f"{points} points; widths {' – '.join(map(str, network.widths))}; variances of "
        f"{'torch’s default initialisation' if before is None else 'the initial network'}. The error of infinite width "
        f"is the standard deviation over {DRAWS} random networks of these widths, and z counts in it."
    )
    return table_of(
        "infinite-width", "Kernels and infinite width", caption, wide.numbers,
        (
            ("quantity", lambda name: name),
            ("infinite width", lambda name: Measured(QUANTITY, name, wide.numbers[name], band[name])),
            ("before training", lambda name: None if before is None else before.numbers[name]),
            (network_is, lambda name: after.numbers[name]),
            (f"{network_is}, z", lambda name: (after.numbers[name] - wide.numbers[name]) / band[name]),
        ),
    )  # fmt: skip


def _kernels(network: Dense, kernels: list[Array], tangent: Array) -> Kernels:
    named = {
        f"kernel of {called(name)}": kernel
        for name, kernel in zip(network.names, kernels, strict=True)
    }
    numbers = {}
    for name, kernel in {**named, "tangent kernel": tangent}.items():
        diagonal = np.diag(kernel)
        scaled = kernel / np.sqrt(np.outer(diagonal, diagonal))
        numbers[f"size of the {name}"] = float(diagonal.mean())
        numbers[f"similarity in the {name}"] = float(scaled[pairs(len(kernel))].mean())
    return Kernels(kernels[-1], numbers)


def picture(wide: Array, deviation: Array, after: Array, before: Array | None) -> Picture:
    """Return the kernel ``[N, N]`` of the last hidden layer against that at infinite width, every pair of points."""
    entries = pairs(len(wide))
    order = np.argsort(wide[entries])
    predicted, half = wide[entries][order], 2 * deviation[entries][order]
    look: dict[str, Any] = {"linestyle": "", "marker": "o", "markersize": 2.5, "alpha": 0.5}
    x, y, size = "kernel at infinite width", "kernel of the network", (4.6, 2.8)
    with layout.drawing(x=x, y=y, size=size) as (figure, axes):
        panel = axes[0, 0]
        panel.fill_between(
            predicted, predicted - half, predicted + half, color=style.INK, alpha=0.15, linewidth=0
        )
        name = "this network" if before is None else "after training"
        panel.plot(predicted, after[entries][order], color=style.BLUE, label=name, **look)
        if before is not None:
            panel.plot(
                predicted,
                before[entries][order],
                color=style.ORANGE,
                label="before training",
                **look,
            )
        panel.plot(predicted, predicted, label="infinite width", **style.THEORY)
        shown = [predicted, after[entries], *([] if before is None else [before[entries]])]
        # training often changes the size by orders of magnitude
        if all((kernel > 0).all() for kernel in shown):
            panel.set_yscale("log")
            # where the band ends at zero
            panel.set_ylim(bottom=min(kernel.min() for kernel in shown) / 2)
        style.legend(figure)
    return Picture("dossier-infinite-width", "Every pair of points once: the kernel of the last hidden layer. Band: "
                   "two standard deviations over random networks of these widths.", figure)  # fmt: skip
