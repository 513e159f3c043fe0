"""The special functions of the numpy backend; scipy is imported when one of them is first called."""

from collections.abc import Callable
from typing import Any


def _special(name: str) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        import scipy.special

        return getattr(scipy.special, name)(*arguments)

    return call


def _expint(order: Any, x: Any) -> Any:
    if order != int(order):
        raise NotImplementedError(
            f"the numpy backend has expint only for integer orders, got {order}"
        )
    return _special("expn")(int(order), x)


# Name in sympy -> name in scipy.special, for functions whose arguments and conventions agree.
_SAME_CONVENTION = {
    **{name: name for name in ("erf", "erfc", "erfi", "erfinv", "erfcinv", "gamma", "beta")},
    "loggamma": "gammaln",
    "besselj": "jv",
    "bessely": "yv",
    "besseli": "iv",
    "besselk": "kv",
    "besselk_scaled": "kve",
    "normal_cdf": "ndtr",
    "Ei": "expi",
    "elliptic_k": "ellipk",
    "elliptic_f": "ellipkinc",
    "hyper_2_1": "hyp2f1",
    "hyper_1_1": "hyp1f1",
    "hyper_0_1": "hyp0f1",
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{sympy_name: _special(scipy_name) for sympy_name, scipy_name in _SAME_CONVENTION.items()},
    **{name: _special(name) for name in ("zeta", "polygamma")},  # these are not ufuncs
    "expint": _expint,
    "elliptic_e": lambda *a: _special("ellipe" if len(a) == 1 else "ellipeinc")(*a),
    "lowergamma": lambda a, x: _special("gammainc")(a, x) * _special("gamma")(a),
    "uppergamma": lambda a, x: _special("gammaincc")(a, x) * _special("gamma")(a),
    "LambertW": lambda x: _special("lambertw")(x).real,
    "Si": lambda x: _special("sici")(x)[0],
    "Ci": lambda x: _special("sici")(x)[1],
    "Shi": lambda x: _special("shichi")(x)[0],
    "Chi": lambda x: _special("shichi")(x)[1],
}
