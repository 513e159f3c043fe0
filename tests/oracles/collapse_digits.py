"""Digits of numbers as text, and entropies by counting, without division of the numbers into blocks."""

from __future__ import annotations

import math
from collections import Counter


def digits(number: int, base: int) -> list[int]:
    """Digits in the base, least significant first, counted up from zero by carrying."""
    found = [0]
    for _ in range(number):
        place = 0
        while True:
            if place == len(found):
                found.append(0)
            found[place] += 1
            if found[place] < base:
                break
            found[place] = 0
            place += 1
    return found


def count_up(size: int, base: int, length: int) -> list[list[int]]:
    """Digits of 0 to size - 1, padded with zeros to ``length``, by an odometer."""
    rows, state = [], [0] * length
    for _ in range(size):
        rows.append(list(state))
        for place in range(length):
            state[place] += 1
            if state[place] < base:
                break
            state[place] = 0
    return rows


def entropy(values: list[int]) -> float:
    """Entropy in bits of the values that occur."""
    counts = Counter(values)
    return -sum(n / len(values) * math.log2(n / len(values)) for n in counts.values())
