"""Scikit-learn's handwritten digits: 1,797 grey images of 8 x 8 pixels in 17 levels, slightly imbalanced.

The data set has no official split. Here the last 360 images (a fifth), in the original order, are the test split.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from closedform.missing import require

TEST = 360
LEVELS = 16  # the largest pixel value


def read_digits(split: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
    """Read images ``[N, 1, 8, 8]`` with values 0 ... 16, labels ``[N]`` and a description of one split.

    Raises:
        ModuleNotFoundError: if scikit-learn is not installed.
    """
    require("name: 'digits'", "sklearn")
    from sklearn.datasets import load_digits

    bunch = load_digits()
    part = slice(None, -TEST) if split == "train" else slice(-TEST, None)
    images, labels = bunch.images[part].astype(np.uint8)[:, None], bunch.target[part].astype(np.uint8)
    return images, labels, f"{len(images):,} images"
