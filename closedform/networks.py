"""Words for wide networks, joined by ``>>``: what theory derives from and what empirics builds and trains.

A word says what a level does and nothing about numbers of inputs. Numbers may be sympy expressions, so that a theory
has letters where a trained network has values; this module only keeps them.

>>> net = Dense(2) >> residual(Act("relu") >> Dense(2)) >> Act("erf") >> Dense()
>>> print(net)
Dense(2) >> residual(Act(relu) >> Dense(2)) >> Act(erf) >> Dense()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from closedform import checks


@dataclass(frozen=True)
class Network:
    """A level, or several of them; ``first >> second`` puts the second above the first.

    >>> (Dense(2) >> Act("erf")).gaussian
    False
    """

    def __rshift__(self, above: Network) -> Chain:
        if not isinstance(above, Network):
            return NotImplemented
        return Chain((*levels_of(self), *levels_of(above)))

    @property
    def gaussian(self) -> bool | None:
        """Whether the features above are Gaussian, by wide layers with weights of their own; None if as below."""
        return None

    @property
    def within(self) -> tuple[Network, ...]:
        """The networks of which this one is made."""
        return ()

    def __str__(self) -> str:
        parts = []
        for item in fields(self):
            value = getattr(self, item.name)
            if value != item.default:
                named = f"{item.name}=" if item.kw_only else ""
                parts.append(f"{named}{getattr(value, 'name', value)}")
        return f"{type(self).__name__}({', '.join(parts)})"


@dataclass(frozen=True)
class Chain(Network):
    """Levels one above the other; ``Chain()`` is the identity.

    Args:
        levels: the levels, the lowest first.

    Raises:
        TypeError: if one is no network.
        ValueError: if two levels do not fit together, or two have the same name.

    >>> len(Chain((Dense(2), Act("erf"))).levels)
    2
    """

    levels: tuple[Network, ...] = ()

    def __post_init__(self) -> None:
        is_gaussian = None
        for below, level in zip((None, *self.levels), self.levels, strict=False):
            checks.instance("levels", level, Network, "a network")
            if below is not None and needs_gaussian(level) and is_gaussian is False:
                raise ValueError(
                    f"{level}: got {below} below it, whose features are not Gaussian, needs a Dense or Conv between"
                )
            is_gaussian = is_gaussian if level.gaussian is None else level.gaussian
        require_distinct_names(self)

    @property
    def gaussian(self) -> bool | None:
        """As that of the last level that decides it."""
        return _last(level.gaussian for level in self.levels)

    @property
    def within(self) -> tuple[Network, ...]:
        """The levels."""
        return self.levels

    def __str__(self) -> str:
        return " >> ".join(map(str, self.levels)) or "Chain()"


@dataclass(frozen=True)
class Dense(Network):
    """A dense layer ``h = W f / sqrt(n) + b`` with independent Gaussian weights and biases of mean zero.

    Args:
        weights: variance of a weight times the width n below; in the lowest layer the sum over the inputs is not
            divided by their number. Default: 1.
        biases: variance of a bias. Default: 0.
        gains: factors of the gradients in weights and biases in the tangent kernel; ``(weights, biases)`` is the
            parametrisation of the literature, in which what is trained has unit variance. Default: None, that one.
        width: number of its units, for finite width and for building it. Default: None, infinitely many.
        name: name of the level in derivations. Default: none.

    >>> print(Dense("3/2", 0.1, width=300))
    Dense(3/2, 0.1, width=300)
    """

    weights: Any = 1
    biases: Any = 0
    gains: tuple[Any, Any] | None = field(default=None, kw_only=True)
    width: Any = field(default=None, kw_only=True)
    name: str | None = field(default=None, kw_only=True)

    @property
    def gaussian(self) -> bool:
        """Sums over many units are Gaussian."""
        return True


@dataclass(frozen=True)
class Conv(Dense):
    """A convolution over positions with ``2 reach + 1`` taps along each axis, each a dense map between channels.

    Args:
        weights: variance of a weight times the number of channels below and of taps. Default: 1.
        biases, gains, width, name: as for :class:`Dense`; the width is that of the channels.
        reach: positions to each side that a unit sees. Default: 1.
        padding: "circular" (default), or "zeros" beyond the borders.

    >>> print(Conv(2, reach=2))
    Conv(2, reach=2)
    """

    reach: int = field(default=1, kw_only=True)
    padding: str = field(default="circular", kw_only=True)

    def __post_init__(self) -> None:
        checks.integer("reach", self.reach, 0)
        checks.one_of("padding", self.padding, ("circular", "zeros"))


@dataclass(frozen=True)
class Act(Network):
    """An activation, unit by unit.

    Args:
        activation: its name, an expression in ``z``, or an activation of ``theory.activations``.
        name: name of the level in derivations. Default: none.

    >>> print(Act("z*erf(z)"))
    Act(z*erf(z))
    """

    activation: Any
    name: str | None = field(default=None, kw_only=True)

    @property
    def gaussian(self) -> bool:
        """Functions of Gaussians are not Gaussian."""
        return False


@dataclass(frozen=True)
class Norm(Network):
    """Layer norm over the channels of Gaussian features, whose mean over many channels is zero.

    >>> print(Dense() >> Norm() >> Act("relu"))
    Dense() >> Norm() >> Act(relu)
    """

    name: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Pool(Network):
    """The mean over all positions.

    >>> print(Conv() >> Act("relu") >> Pool())
    Conv() >> Act(relu) >> Pool()
    """

    name: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Flatten(Network):
    """The channels of all positions side by side, for a dense layer above.

    >>> print(Conv() >> Act("relu") >> Flatten() >> Dense())
    Conv() >> Act(relu) >> Flatten() >> Dense()
    """

    name: str | None = field(default=None, kw_only=True)

    @property
    def gaussian(self) -> bool:
        """A unit is not one Gaussian but those of several positions."""
        return False


@dataclass(frozen=True)
class Attention(Network):
    """Every position becomes the mean of all, with the softmax of its inner products with them as weights.

    Inner products are over the channels and divided by their number (in the lowest level the sum is not divided), so
    that wide layers give them a limit, and features stay Gaussian. A wide linear map of the features to queries, and
    the same one to keys, changes ``scale`` only. With maps of their own, inner products vanish in this limit.

    Args:
        scale: factor of the inner products, at least 0. Default: 1.
        name: name of the level in derivations. Default: none.

    >>> print(Dense() >> residual(Attention(2) >> Dense()) >> Pool())
    Dense() >> residual(Attention(2) >> Dense()) >> Pool()
    """

    scale: Any = 1
    name: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class _Branches(Network):
    """Networks that have the same features below."""

    branches: tuple[Network, ...]

    def __init__(self, *branches: Any) -> None:
        if len(branches) == 1 and isinstance(branches[0], tuple | list):
            branches = tuple(branches[0])
        for branch in branches:
            checks.instance("branches", branch, Network, "a network")
        if len(branches) < 2:
            raise ValueError(f"branches: got {len(branches)}, needs two or more")
        object.__setattr__(self, "branches", branches)
        self._require_independent()
        require_distinct_names(self)

    def _require_independent(self) -> None:
        raise NotImplementedError

    @property
    def within(self) -> tuple[Network, ...]:
        """The branches."""
        return self.branches

    def __str__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.branches))})"


class Sum(_Branches):
    """The sum of branches, each but one of which ends in weights of its own; ``Chain()`` is the identity.

    Raises:
        TypeError: if a branch is no network.
        ValueError: for fewer than two branches, or two that are correlated.

    >>> Sum(Dense(), Act("relu") >> Dense()).gaussian
    True
    """

    def _require_independent(self) -> None:
        shared = [str(branch) for branch in self.branches if not branch.gaussian]
        if len(shared) > 1:
            raise ValueError(
                f"Sum: got the branches {' and '.join(shared)}, whose products have a mean, needs at most one branch "
                "that does not end in weights of its own (Dense or Conv)"
            )

    @property
    def gaussian(self) -> bool | None:
        """Whether all branches are Gaussian; None if this is as below."""
        known = [branch.gaussian for branch in self.branches]
        return False if False in known else None if None in known else True

    def __str__(self) -> str:
        identity, *others = self.branches
        if identity == Chain() and len(others) == 1:
            return f"residual({others[0]})"
        return super().__str__()


class Product(_Branches):
    """The product of branches unit by unit, each but one of which has weights of its own.

    Raises:
        TypeError: if a branch is no network.
        ValueError: for fewer than two branches, or two that are correlated.

    >>> Product(Dense(), Dense()).gaussian
    False
    """

    def _require_independent(self) -> None:
        shared = [str(branch) for branch in self.branches if not has_weights(branch)]
        if len(shared) > 1:
            raise ValueError(
                f"Product: got the branches {' and '.join(shared)}, which are functions of the same features, needs at "
                "most one branch without weights of its own (Dense or Conv)"
            )

    @property
    def gaussian(self) -> bool:
        """Products of Gaussians are not Gaussian."""
        return False


def residual(net: Network) -> Sum:
    """Return ``net`` with a connection beside it that skips it: the sum of the identity and ``net``.

    Args:
        net: the branch, which ends in weights of its own.

    Raises:
        TypeError: if ``net`` is no network.
        ValueError: if it does not end in weights of its own.

    >>> print(residual(Act("relu") >> Dense(2)))
    residual(Act(relu) >> Dense(2))
    """
    return Sum(Chain(), net)


def levels_of(net: Network) -> tuple[Network, ...]:
    """Return the levels of a chain, and any other network as the only level of one."""
    return net.levels if isinstance(net, Chain) else (net,)


def every(net: Network) -> Iterator[Network]:
    """Yield a network and all of which it is made, in the order of their text."""
    yield net
    for part in net.within:
        yield from every(part)


def has_weights(net: Network) -> bool:
    """Return whether a network has weights."""
    return any(isinstance(part, Dense) for part in every(net))


def needs_gaussian(net: Network) -> bool:
    """Return whether a network acts on Gaussian features only: activations, norms, and what begins with them."""
    if isinstance(net, Chain):
        return bool(net.levels) and needs_gaussian(net.levels[0])
    if isinstance(net, _Branches):
        return any(map(needs_gaussian, net.branches))
    return isinstance(net, Act | Norm)


def require_distinct_names(net: Network) -> None:
    """Raise ValueError if two levels have the same name: each level has weights of its own.

    Args:
        net: the network.
    """
    names = [getattr(part, "name", None) for part in every(net)]
    for name in names:
        if name is not None and names.count(name) > 1:
            raise ValueError(
                f"name: got {name!r} for two levels, needs one for each, since no weights are shared"
            )


def _last(values: Iterable[bool | None]) -> bool | None:
    known = [value for value in values if value is not None]
    return known[-1] if known else None
