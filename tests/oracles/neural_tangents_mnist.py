"""Kernels of two convolutional networks on four digits of MNIST by neural-tangents, for the tests of ours.

It is archived, and does not import on current JAX: run this in an environment of its own.

    pip install "jax==0.4.30" "jaxlib==0.4.30" "numpy<2" "scipy<1.13" neural-tangents
    python tests/oracles/neural_tangents_mnist.py FOLDER > tests/theory/geometry/neural_tangents_mnist.json

FOLDER has ``t10k-images-idx3-ubyte.gz``.
"""

from __future__ import annotations

import gzip
import json
import platform
import sys
from pathlib import Path
from typing import Any

import jax
import neural_tangents
import numpy as np
from neural_tangents import stax

IMAGES = 4
HEADER = 16  # bytes


def convolution() -> Any:
    """Return a convolution of three by three, with zeros beyond the borders."""
    return stax.Conv(1, (3, 3), padding="SAME", W_std=2**0.5, b_std=0.1)


def main() -> None:
    """Print versions, and for each network the matrices of the NNGP kernel and of the tangent kernel."""
    jax.config.update("jax_enable_x64", True)
    path = Path(sys.argv[1]) / "t10k-images-idx3-ubyte.gz"
    raw = np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8, offset=HEADER)
    images = raw.reshape(-1, 28, 28, 1)[:IMAGES] / 255
    ends = {"conv_flat": stax.Flatten(), "conv_pool": stax.GlobalAvgPool()}
    modules = {"neural-tangents": neural_tangents, "jax": jax, "numpy": np}
    page: dict[str, Any] = {name: module.__version__ for name, module in modules.items()}
    page["python"] = platform.python_version()
    for name, end in ends.items():
        layers = (convolution(), stax.Relu(), convolution(), stax.Relu(), end, stax.Dense(1, 1, 0))
        kernel = stax.serial(*layers)[2](images, None, ("nngp", "ntk"))
        page[name] = [np.asarray(kernel.nngp).tolist(), np.asarray(kernel.ntk).tolist()]
    print(json.dumps(page))


if __name__ == "__main__":
    main()
