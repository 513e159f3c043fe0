"""Which verdicts are good and which are bad, for their colours in terminals and on pages; all others leave a doubt."""

GOOD = (
    *("HOLDS", "CONFIRMED", "SUPPORTED"),
    *("agrees", "differs by less than matters", "yes"),
    *("transfers", "as expected"),
)
BAD = (
    *("FAILS", "MISPRINT", "CONTRADICTED"),
    *("disagrees", "no"),
    *("grows", "vanishes", "drifts", "more than expected", "less than expected"),
)
KINDS = dict.fromkeys(GOOD, "good") | dict.fromkeys(BAD, "bad")
"""Verdict -> "good" or "bad"."""
DOUBT = "doubt"
