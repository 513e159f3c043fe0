"""torchvision, imported so that it also works beside a build of torch that its compiled operators do not fit.

torchvision's compiled operators load only beside the build of torch that they were compiled for. Beside another one,
such as a CPU build of torch with the default build of torchvision, ``import torchvision`` ends with "operator
torchvision::nms does not exist". Nothing here needs these operators (non-maximum suppression of detection boxes), so
their names are declared, without an implementation, and the import is tried once more. Models, transforms and data sets
work as usual then; calling ``torchvision.ops.nms`` fails, which is what torchvision itself says of such an
installation.

Everything here imports torchvision by ``from empirics.vision import datasets, models, transforms``.
"""

from __future__ import annotations

import sys
from typing import Final

import torch

OPERATORS: Final = ("nms", "qnms")
SCHEMA: Final = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"


def _declare_operators() -> torch.library.Library:
    """Declare the operators that do not exist; the declarations last as long as the library object."""
    library = torch.library.Library("torchvision", "FRAGMENT")  # type: ignore[no-untyped-call]
    for name in OPERATORS:
        if not hasattr(torch.ops.torchvision, name):
            library.define(name + SCHEMA)  # type: ignore[no-untyped-call]
    return library


try:
    import torchvision
except RuntimeError as error:
    if "torchvision::" not in str(error):
        raise
    for module in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
        del sys.modules[module]  # half of them are initialised
    _DECLARED = _declare_operators()
    import torchvision

from torchvision import datasets, models  # noqa: E402
from torchvision.transforms import v2 as transforms  # noqa: E402

__all__ = ["datasets", "models", "torchvision", "transforms"]
