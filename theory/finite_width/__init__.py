"""Finite width: how the kernels of a random network vary from one draw of its weights to the next.

Functions of an activation and a depth return closed forms to first order in the inverse width; those of networks of
rectifiers, and of the tangent kernel of one hidden layer, are exact at every width. All closed forms are in
``theory.catalogue()`` under ``finite_width.``; a network of other words has them by the verbs ``finite_width`` and
``finite_tangent`` of ``theory.engine``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

FORMS = {
    "finite_width.rectifier_kurtosis": "theory.finite_width.rectifiers:rectifier_kurtosis",
    "finite_width.rectifier_spread": "theory.finite_width.rectifiers:rectifier_spread",
    "finite_width.resting_variance": "theory.finite_width.depth:resting_variance",
    "finite_width.rectifier_tangent_spread": "theory.finite_width.tangent_depth:rectifier_tangent_spread",
    **{
        f"finite_width.{name}": f"theory.finite_width.critical:{name}"
        for name in (
            *("critical_spread", "critical_shift"),
            *("critical_tangent_spread", "critical_tangent_shift"),
        )
    },
}
FAMILIES = {
    f"finite_width.{name}": f"theory.finite_width.families:{name}"
    for name in (
        *("kernel_spread", "kernel_variance", "kernel_shift", "excess_kurtosis"),
        *("spread_of_widths", "kurtosis_of_widths"),
        *("tangent_mean", "tangent_variance", "tangent_shift", "tangent_spread"),
        *(
            "pair_covariance_xx_xy",
            "pair_covariance_xy_xy",
            "pair_covariance_xx_yy",
            "pair_shift_xy",
        ),
    )
}
_OF_KERNEL = (
    *("nngp_kernel", "slope_kernel", "volume_element", "log_volume_element", "scalar_curvature"),
    *("radial_curvature", "tangential_curvature", "deep_volume_element", "deep_scalar_curvature"),
)
_OF_TANGENT = ("ntk_volume_element", "ntk_log_volume_element", "ntk_scalar_curvature")
AT_FINITE_WIDTH = {
    **{f"geometry.{name}": "finite_width.kernel_spread" for name in _OF_KERNEL},
    **{f"geometry.{name}": "finite_width.tangent_spread" for name in _OF_TANGENT},
}
"""Families of infinite width, and the family that says how far off a finite one is."""
