"""Double-double arithmetic: pairs of float64 numbers as tuples, of numbers, arrays or tensors.

Sums and products of two numbers are exactly such pairs (Knuth; Dekker, with Veltkamp's splitting), and further
operations lose only digits beyond the second number. The source of expressions in ``compensated`` calls them.
"""

from collections.abc import Callable
from typing import Any

from closedform import rounding
from theory.core.numbers.backends.pair_source import PRINTED


def functions(
    sqrt: Callable[..., Any],
    sign: Callable[..., Any],
    part: Callable[..., Any] = lambda function: function,
    fma: Callable[..., Any] | None = None,
) -> dict[str, Any]:
    """Return the operations on pairs by name.

    Args:
        sqrt: square root of the numbers of a backend.
        sign: their sign.
        part: decorator of each operation, such as that of numba. Default: the operation itself.
        fma: product and sum with one rounding, which gives the error of a product at once. Default: none.
    """
    two_sum, two_product = part(rounding.two_sum), part(rounding.two_product)
    if fma is not None:

        @part
        def two_product(a: Any, b: Any) -> Any:
            total = a * b
            return total, fma(a, b, -total)

    @part
    def in_order(a: Any, b: Any) -> Any:
        """Return the sum, where ``a`` is the larger number or 0 (Dekker)."""
        total = a + b
        return total, b - (total - a)

    @part
    def add(x: Any, y: Any) -> Any:
        high, error = two_sum(x[0], y[0])
        low, rest = two_sum(x[1], y[1])
        high, error = in_order(high, error + low)
        return in_order(high, error + rest)

    @part
    def add_single(x: Any, y: Any) -> Any:
        high, error = two_sum(x[0], y)
        return in_order(high, error + x[1])

    @part
    def multiply(x: Any, y: Any) -> Any:
        high, error = two_product(x[0], y[0])
        return in_order(high, error + (x[0] * y[1] + x[1] * y[0]))

    @part
    def multiply_single(x: Any, y: Any) -> Any:
        high, error = two_product(x[0], y)
        return in_order(high, error + x[1] * y)

    @part
    def of_square(x: Any) -> Any:
        """Return the square of one number, as :func:`two_product` with one splitting."""
        total = x * x
        part = rounding.SPLITTER * x
        part = part - (part - x)
        rest = x - part
        return total, ((part * part - total) + 2.0 * (part * rest)) + rest * rest

    @part
    def square(x: Any) -> Any:
        high, error = of_square(x[0])
        return in_order(high, error + 2.0 * (x[0] * x[1]))

    @part
    def scaled(x: Any, y: Any) -> Any:
        """Return the product with a power of two or 0, which is exact."""
        return x[0] * y, x[1] * y

    @part
    def of_ratio(x: Any, y: Any) -> Any:
        first = x / y
        total, error = two_product(first, y)
        return in_order(first, ((x - total) - error) / y)

    @part
    def divide(x: Any, y: Any) -> Any:
        first = x[0] / y[0]
        total, error = two_product(first, y[0])
        return in_order(first, ((((x[0] - total) - error) + x[1]) - first * y[1]) / y[0])

    @part
    def divide_single(x: Any, y: Any) -> Any:
        first = x[0] / y
        total, error = two_product(first, y)
        return in_order(first, (((x[0] - total) - error) + x[1]) / y)

    @part
    def negative(x: Any) -> Any:
        return -x[0], -x[1]

    @part
    def root(x: Any) -> Any:
        first = sqrt(x[0])
        total, error = two_product(first, first)
        return in_order(first, (((x[0] - total) - error) + x[1]) / (2 * first + (first == 0)))

    @part
    def magnitude(x: Any) -> Any:
        return sign(x[0]) * x[0], sign(x[0]) * x[1]

    @part
    def quotient(x: Any, y: Any) -> Any:
        is_zero = (x[0] == 0) * (y[0] == 0) * 1.0
        return divide(x, (y[0] + is_zero, y[1]))

    return {
        **PRINTED,
        "pair_of_sum": two_sum,
        "pair_of_product": two_product,
        "pair_of_square": of_square,
        "pair_of_ratio": of_ratio,
        "pair_add": add,
        "pair_add_single": add_single,
        "pair_multiply": multiply,
        "pair_multiply_single": multiply_single,
        "pair_square": square,
        "pair_scaled": scaled,
        "pair_divide": divide,
        "pair_divide_single": divide_single,
        "pair_negative": negative,
        "pair_sqrt": root,
        "pair_Abs": magnitude,
        "pair_quotient": quotient,
    }
