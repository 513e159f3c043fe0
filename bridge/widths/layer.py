"""One layer of a width check: how its signals depend on the width, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from closedform.measured import Measured
from closedform.verdicts import DISAGREES, FOR

TRANSFERS, GROWS, VANISHES, DRIFTS = "transfers", "grows", "vanishes", "drifts"
EXPECTED, MORE, LESS = "as expected", "more than expected", "less than expected"
BLUNT = "too blunt"


@dataclass(frozen=True, repr=False)
class LayerScaling(Result):
    """How the signals of one layer depend on the width.

    Attributes:
        name: name of the module, "(root)" for parameters of the model itself.
        size: exponent of the output before training.
        own: exponents of the change of the output by the layer's own weights, one for each number of steps, each as one
            ``among`` those of all layers.
        change: the same of the whole change of the output.
        values: root mean square of the layer's own update at the first step that is looked at and has one, ``[width,
            seed]``.
        expected: exponent of the layer's own update that the theory has for a parametrisation; 0 if none was named.

    An exponent is None where a root mean square is 0 or not finite.
    """

    name: str
    size: Measured | None
    own: tuple[Measured | None, ...]
    change: tuple[Measured | None, ...]
    values: Array = field(repr=False)
    expected: float = 0.0

    @property
    def verdict(self) -> str:
        """What becomes of the layer's own update in wide networks.

        It "grows" or "vanishes" by the first look that has an exponent; it "drifts" if only later looks disagree, as
        where growing updates of other layers saturate it; it "transfers" if all looks agree, and is "too blunt" else.
        With another exponent expected than 0, it is "more than expected", "less than expected" or "as expected".

        An alarm allows for the number of layers of the model, so that a right model raises one in 4.6 % of the checks
        and not of the layers. That a layer agrees needs no such allowance, since all layers have to agree.
        """
        looks = [number for number in self.own if number is not None]
        verdicts = [number.verdict for number in looks]
        if not looks:
            return BLUNT
        if verdicts[0] == DISAGREES:
            is_more = looks[0].value > self.expected
            return (GROWS, VANISHES, MORE, LESS)[2 * bool(self.expected) + (not is_more)]
        if DISAGREES in verdicts:
            return DRIFTS
        if not all(replace(number, among=1).verdict in FOR for number in looks):
            return BLUNT
        return EXPECTED if self.expected else TRANSFERS
