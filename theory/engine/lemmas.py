"""The lemmas on which the levels of every network rest: the same steps for all of them, so that each is proved once."""

from __future__ import annotations

import sympy as sp

from theory.core import Step
from theory.core.proof.premises import with_lemmas
from theory.engine import joining, metric_rules, rotational, rules, width


def lemmas() -> tuple[Step, ...]:
    """Return the lemmas of all rules, each after those that it uses.

    >>> lemmas()[0].claim
    'kernel and tangent kernel above a dense layer'
    """
    of_metrics = (
        metric_rules.dense(*sp.symbols("S Z", positive=True)),
        metric_rules.above_activation(),
        metric_rules.norm(),
    )
    norm, *_ = rules.norm().rests
    return with_lemmas(
        (
            rules.dense_lemma(),
            rules.convolution_lemma(),
            rules.gradient_lemma(),
            norm,
            joining.pool_lemma(),
            joining.flatten_lemma(),
            joining.attention_lemma(),
            joining.sum_lemma(),
            joining.product_lemma(),
            rotational.kernel_step(),
            *(rule.rests[0] for rule in of_metrics),
            metric_rules.sum_lemma(),
            metric_rules.product_lemma(),
            width.kernel_lemma(),
            width.layer_lemma(),
        )
    )
