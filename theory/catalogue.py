"""Where every closed form and every ledger of equations lives, by name; nothing is imported until it is looked up."""

from __future__ import annotations

import difflib
import importlib
import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.core import ClosedForm, Equation

# Dotted name of the closed form -> "module:attribute"; the attribute is the ClosedForm, or a function of no arguments
# that returns it.
ENTRIES: dict[str, str] = {
    "two_point.dh2_rate": "theory.two_point.dynamics:dh2_rate",
    "two_point.dy2_rate": "theory.two_point.dynamics:dy2_rate",
    "two_point.w_rate": "theory.two_point.dynamics:w_rate",
    "two_point.conserved_quantity": "theory.two_point.conservation:conserved_quantity",
    "two_point.dh2": "theory.two_point.solution:representation_distance",
    "two_point.dy2": "theory.two_point.solution:output_distance",
    "two_point.w": "theory.two_point.solution:alignment",
    "two_point.final_distance": "theory.two_point.final_distance:final_distance",
    "two_point.loss": "theory.two_point.loss:loss_at_state",
    "two_point.relaxation_rate": "theory.two_point.rates:relaxation_rate",
    "two_point.growth_rate": "theory.two_point.rates:growth_rate",
    "two_point.lazy_rate": "theory.two_point.lazy_limit:lazy_rate",
    "two_point.escape_time": "theory.two_point.plateau:escape_time_form",
    "two_point.small_weights_escape_time": "theory.two_point.plateau:small_weights_escape_time",
    "two_point.crossing_time": "theory.two_point.crossing_time:crossing_time_form",
    "two_point.identical_outputs_dh2": "theory.two_point.identical_outputs:identical_outputs_dh2",
    "two_point.identical_outputs_dy2": "theory.two_point.identical_outputs:identical_outputs_dy2",
    "two_point.final_distance_density": "theory.two_point.distribution:final_distance_density",
    "two_point.final_distance_cdf": "theory.two_point.distribution:final_distance_cdf",
    "two_point.final_distance_median": "theory.two_point.distribution:final_distance_median",
    "two_point.final_distance_mean": "theory.two_point.distribution:final_distance_mean",
    "two_point.rotating_dh2": "theory.two_point.rotation:rotating_dh2",
    "two_point.rotating_dy": "theory.two_point.rotation:rotating_dy",
    "two_point.rotating_final_distance": "theory.two_point.rotation:rotating_final_distance",
    "collapse.simplex_nc1": "theory.collapse.gaussian_classes:balanced_simplex_nc1",
    "collapse.simplex_nc1_any_priors": "theory.collapse.gaussian_classes:any_priors_simplex_nc1",
    "collapse.noise_floor": "theory.collapse.class_blind:noise_floor",
    "collapse.noise_floor_few_dimensions": "theory.collapse.class_blind:noise_floor_few_dimensions",
    "collapse.two_class_finite_sample_nc1": "theory.collapse.two_class_finite_sample:two_class_finite_sample_nc1",
    "collapse.two_class_nc1": "theory.collapse.two_pass:two_class_nc1",
    "collapse.two_class_floor": "theory.collapse.linear_maps:two_class_floor",
    "collapse.linear_gain_bound": "theory.collapse.linear_maps:linear_gain_bound",
    "collapse.linear_depth_nc1": "theory.collapse.linear_depth:linear_depth_nc1",
    "collapse.equiseparation_depth": "theory.collapse.linear_depth:equiseparation_depth",
    "collapse.two_class_accuracy": "theory.collapse.two_classes:two_class_accuracy",
    "collapse.two_class_information": "theory.collapse.two_classes:two_class_information",
    "collapse.three_layer_correlation": "theory.collapse.correlation:three_layer_correlation",
    "collapse.correlation_chance": "theory.collapse.correlation:correlation_chance",
    "collapse.monotone_correlation_chance": "theory.collapse.correlation:monotone_correlation_chance",
    "compression.equiprobable_stripe": "theory.compression.equiprobable:equiprobable_stripe",
    "compression.equiprobable_radius.cylinder": "theory.compression.equiprobable:cylinder_radius",
    "compression.amplification": "theory.compression.linear_response:amplification",
    "compression.growth_time": "theory.compression.linear_response:growth_time",
    "compression.mean_log_amplification": "theory.compression.linear_response:mean_log_amplification",
    "compression.perpendicular_share": "theory.compression.linear_response:perpendicular_share",
    "compression.crossover_time": "theory.compression.linear_response:crossover_time",
    "compression.learning_curve_exponent.lazy": "theory.compression.scaling:lazy_exponent",
    "compression.learning_curve_exponent.feature": "theory.compression.scaling:feature_exponent",
    "compression.compression_gain": "theory.compression.scaling:compression_gain",
    "compression.tangent_kernel": "theory.compression.ntk:tangent_kernel",
    "compression.label_information_floor": "theory.compression.information:label_information_floor",
    "leaky_resnet.mode_path": "theory.leaky_resnet.linear_modes:mode_path",
    "leaky_resnet.mode_hamiltonian": "theory.leaky_resnet.linear_modes:mode_hamiltonian",
    "leaky_resnet.mode_weight_norm": "theory.leaky_resnet.linear_modes:mode_weight_norm",
    "leaky_resnet.discrete_mode_weight": "theory.leaky_resnet.discrete:discrete_mode_weight",
    "leaky_resnet.mode_fit_strength": "theory.leaky_resnet.mode_fit:mode_fit_strength",
    "leaky_resnet.affine_distance": "theory.leaky_resnet.affine_scalar:affine_distance",
    "leaky_resnet.affine_path": "theory.leaky_resnet.affine_scalar:affine_path",
    "leaky_resnet.depth_of_rate": "theory.leaky_resnet.constant_inputs:depth_of_rate",
    "leaky_resnet.nonnegative_cost": "theory.leaky_resnet.nonnegative:nonnegative_cost_form",
    "leaky_resnet.adaptive_multiplier": "theory.leaky_resnet.meshes:adaptive_multiplier",
    "geometry.nngp_kernel.erf": "theory.geometry.named:nngp_kernel.erf",
    "geometry.nngp_kernel.gelu": "theory.geometry.named:nngp_kernel.gelu",
    "geometry.nngp_kernel.relu": "theory.geometry.named:nngp_kernel.relu",
    "geometry.nngp_kernel.relu_power_2": "theory.geometry.named:nngp_kernel.relu_power_2",
    "geometry.nngp_kernel.sin": "theory.geometry.named:nngp_kernel.sin",
    "geometry.slope_kernel.gelu": "theory.geometry.named:slope_kernel.gelu",
    "geometry.volume_element.erf": "theory.geometry.named:volume_element.erf",
    "geometry.volume_element.gelu": "theory.geometry.named:volume_element.gelu",
    "geometry.volume_element.sin": "theory.geometry.named:volume_element.sin",
    "geometry.volume_element.cos": "theory.geometry.named:volume_element.cos",
    "geometry.volume_element.exp": "theory.geometry.named:volume_element.exp",
    "geometry.volume_element.gaussian": "theory.geometry.named:volume_element.gaussian",
    "geometry.volume_element.relu": "theory.geometry.named:volume_element.relu",
    "geometry.volume_element.relu_power_2": "theory.geometry.named:volume_element.relu_power_2",
    "geometry.volume_element.monomial_2": "theory.geometry.named:volume_element.monomial_2",
    "geometry.volume_element.hermite_3": "theory.geometry.named:volume_element.hermite_3",
    "geometry.volume_element.tanh": "theory.geometry.named:volume_element.tanh",
    "geometry.scalar_curvature.erf": "theory.geometry.named:scalar_curvature.erf",
    "geometry.scalar_curvature.gelu": "theory.geometry.named:scalar_curvature.gelu",
    "geometry.scalar_curvature.sin": "theory.geometry.named:scalar_curvature.sin",
    "geometry.scalar_curvature.exp": "theory.geometry.named:scalar_curvature.exp",
    "geometry.scalar_curvature.gaussian": "theory.geometry.named:scalar_curvature.gaussian",
    "geometry.scalar_curvature.relu_power_2": "theory.geometry.named:scalar_curvature.relu_power_2",
    "geometry.scalar_curvature.monomial_2": "theory.geometry.named:scalar_curvature.monomial_2",
    "geometry.curvature_threshold": "theory.geometry.threshold:curvature_threshold",
    "geometry.ntk_volume_element.erf": "theory.geometry.named:ntk_volume_element.erf",
    "geometry.ntk_volume_element.gelu": "theory.geometry.named:ntk_volume_element.gelu",
    "geometry.ntk_volume_element.sin": "theory.geometry.named:ntk_volume_element.sin",
    "geometry.ntk_volume_element.relu_power_2": "theory.geometry.named:ntk_volume_element.relu_power_2",
    "geometry.ntk_volume_element.monomial_2": "theory.geometry.named:ntk_volume_element.monomial_2",
    "geometry.ntk_scalar_curvature.monomial_2": "theory.geometry.named:ntk_scalar_curvature.monomial_2",
    "geometry.deep_volume_element.erf_2": "theory.geometry.orders:deep_volume_element.erf_2",
    "geometry.deep_volume_element.relu_3": "theory.geometry.orders:deep_volume_element.relu_3",
    "geometry.bayesian_factor.monomial_2": "theory.geometry.orders:bayesian_factor.monomial_2",
    "geometry.bayesian_factor.monomial_3": "theory.geometry.orders:bayesian_factor.monomial_3",
    "geometry.bayesian_fluctuation.monomial_2": "theory.geometry.orders:bayesian_fluctuation.monomial_2",
    "geometry.bayesian_mean_metric_volume.monomial_2": "theory.geometry.orders:bayesian_mean_metric_volume.monomial_2",
    "geometry.bayesian_volume_correction.monomial_2": "theory.geometry.orders:bayesian_volume_correction.monomial_2",
    "geometry.conformal_volume_factor": "theory.geometry.conformal:conformal_volume_factor",
    "geometry.three_unit_volume_element": "theory.geometry.shallow.three_units:three_unit_volume_element",
    "geometry.three_unit_curvature": "theory.geometry.shallow.three_units:three_unit_curvature",
}

# Key of the paper -> module (or package) with a tuple EQUATIONS.
LEDGERS: dict[str, str] = {
    "vanrossem2024": "theory.papers.vanrossem2024",
    "paccolat2021": "theory.papers.paccolat2021",
    "cheong2025": "theory.papers.cheong2025",
    "zavatoneveth2023": "theory.papers.zavatoneveth2023",
    "jacot2024": "theory.papers.jacot2024",
}

# Former keys, which are still accepted.
RENAMED_LEDGERS = {"leakyresnets2024": "jacot2024"}


class Catalogue(Mapping[str, "ClosedForm"]):
    """Closed forms by dotted name.

    Listing names imports nothing, and looking one up builds only that one.

    Args:
        entries: name -> "module:attribute".
    """

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._entries = dict(entries)
        self._built: dict[str, ClosedForm] = {}

    def __getitem__(self, name: str) -> ClosedForm:
        if name not in self._entries:
            near = difflib.get_close_matches(str(name), self._entries, n=3, cutoff=0.4)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise KeyError(f"no closed form is named {name!r}{hint}")
        if name not in self._built:
            self._built[name] = self._build(name)
        return self._built[name]

    def _build(self, name: str) -> ClosedForm:
        from theory.core import ClosedForm

        module, _, attribute = self._entries[name].partition(":")
        found = getattr(importlib.import_module(module), attribute)
        if not isinstance(found, ClosedForm) and callable(found):
            found = found()
        if not isinstance(found, ClosedForm):
            raise TypeError(f"{self._entries[name]} must give a ClosedForm, got {type(found).__name__}")
        if found.name != name:
            raise ValueError(f"{self._entries[name]} is listed as {name!r} but calls itself {found.name!r}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __repr__(self) -> str:
        return f"Catalogue({', '.join(self._entries)})"


_CATALOGUE: Catalogue | None = None


def catalogue() -> Mapping[str, ClosedForm]:
    """All closed forms by dotted name, each built when it is first looked up."""
    global _CATALOGUE
    if _CATALOGUE is None:
        _CATALOGUE = Catalogue(ENTRIES)
    return _CATALOGUE


def equations(paper: str | None = None) -> tuple[Equation, ...]:
    """The equation ledger: every equation and checkable sentence of the papers, in their order.

    Args:
        paper: key of one paper, for its entries only; the others are not imported. A former key gives a warning that
            names the new one.

    Raises:
        ValueError: if there is no ledger of that paper, or two entries share paper and label.
    """
    if paper is None:
        return collect(tuple(LEDGERS.values()))
    if paper in RENAMED_LEDGERS:
        warnings.warn(f"the ledger {paper!r} is now {RENAMED_LEDGERS[paper]!r}", FutureWarning, stacklevel=2)
        paper = RENAMED_LEDGERS[paper]
    if paper not in LEDGERS:
        raise ValueError(f"paper: got {paper!r}, needs one of {', '.join(LEDGERS)}")
    return collect((LEDGERS[paper],))


def errata(paper: str | None = None) -> tuple[Equation, ...]:
    """The entries of the ledger whose printed form is wrong, or right only under a condition that is not printed.

    Args:
        paper: key of one paper, for its entries only.
    """
    from theory.core import Finding

    return tuple(entry for entry in equations(paper) if entry.verdict in (Finding.MISPRINT, Finding.CONDITIONAL))


def collect(modules: tuple[str, ...]) -> tuple[Equation, ...]:
    """Concatenates the tuples EQUATIONS of ``modules``; two entries with one paper and label raise ValueError."""
    entries = tuple(entry for module in modules for entry in importlib.import_module(module).EQUATIONS)
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        if entry.key in seen:
            raise ValueError(f"the ledger holds {entry.paper} {entry.label} twice")
        seen.add(entry.key)
    return entries
