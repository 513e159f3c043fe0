"""The configuration of learning curves: data, sizes of the training set and regimes of learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from closedform import checks
from empirics.runs.config import Configuration

INFORMATIVE = {"stripe": 1, "cylinder": 2}  # number of informative directions, which come first
REGIMES = ("lazy", "compressed", "feature", "final_kernel")


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: the test error of one data model as a function of the number of training points.

    The activation is the ReLU: the exponents of the theory come from the cusp of its tangent kernel.

    Attributes:
        model: "stripe" or "cylinder".
        dimension: dimension d of the data, larger than the model's number of informative directions.
        sizes: numbers of training points p.
        regimes: any of "lazy" (kernel of the infinitely wide network at initialisation), "compressed" (the same kernel
            on data with :math:`x_\perp \to x_\perp/\Lambda`), "feature" (a network trained from small weights) and
            "final_kernel" (the frozen kernel of that network after training, applied to other training points; needs
            "feature").
        kernel_method: "support_vectors" (largest margin) or "flow" (hinge gradient flow, as in the paper).
        compression: coefficient c of :math:`\Lambda = c\sqrt p`, dimensionless; None takes the amplification factor of
            the network of the same realisation at t* (needs "feature").
        width: number of neurons h.
        alpha: network scale, dimensionless.
        turning: see ``training.HingeFlow``; learning curves tolerate coarser steps than trajectories.
        moving: see ``training.HingeFlow``.
        most_steps: largest number of attempted steps of a network, for each number of training points.
        kernel_steps: largest number of steps of a kernel's flow.
        realisations: number of realisations of data and networks.
        test_points: number of points for the test error.
    """

    experiment: ClassVar[str] = "compression.learning_curves"

    model: Literal["stripe", "cylinder"] = "stripe"
    dimension: int = 2
    sizes: tuple[int, ...] = (250, 500, 1000, 2000, 4000)
    regimes: tuple[str, ...] = ("lazy", "compressed")
    kernel_method: Literal["support_vectors", "flow"] = "support_vectors"
    compression: float | None = 1.0
    width: int = 100
    alpha: float = 1e-6
    turning: float = 1.0
    moving: float = 0.5
    most_steps: int = 4000
    kernel_steps: int = 20_000
    realisations: int = 10
    first_seed: int = 0
    test_points: int = 20_000
    device: str = "cpu"

    def __post_init__(self) -> None:
        self.check_integers(dimension=self.informative + 1)
        self.set_field("sizes", checks.increasing("sizes", checks.sizes("sizes", self.sizes, 20)))
        names = checks.sequence("regimes", self.regimes, "names")
        regimes = {checks.one_of("regimes", name, REGIMES) for name in names}
        checks.require(len(regimes) > 0, "regimes", "none", f"some of {', '.join(REGIMES)}")
        self.set_field("regimes", tuple(name for name in REGIMES if name in regimes))
        self.check_integers(width=1, most_steps=1, kernel_steps=1, test_points=100)
        self.check_numbers("alpha", "turning", "moving", "compression", above=0)
        if "feature" not in regimes:
            if "final_kernel" in regimes:
                raise ValueError("regimes: got 'final_kernel' without 'feature', needs both")
            if "compressed" in regimes and self.compression is None:
                raise ValueError(
                    "compression: got None, needs a number, or 'feature' among the regimes"
                )

    @property
    def informative(self) -> int:
        """The number of informative directions."""
        return INFORMATIVE[self.model]

    def __str__(self) -> str:
        return (
            f"{self.model}, d = {self.dimension}, {len(self.regimes)} regimes, {self.sizes[0]:,} to {self.sizes[-1]:,} "
            f"points, {self.realisations} realisations, {self.device}"
        )
