"""The import of torchvision, which also works with a build of torch that its compiled operators do not fit.

torchvision's compiled operators load only with the build of torch for which they were compiled. With another one, such
as a CPU build of torch and the default build of torchvision, ``import torchvision`` fails with "operator
torchvision::nms does not exist". This package does not use these operators (non-maximum suppression of detection
boxes). It therefore declares their names, without an implementation, and repeats the import. Models, transforms and
data sets then work as usual; only a call of ``torchvision.ops.nms`` fails.

All modules import torchvision by ``from empirics.vision import datasets, models, transforms``.
"""

import sys
from typing import Final

import torch

from closedform.missing import require

OPERATORS: Final = ("nms", "qnms")
SCHEMA: Final = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"


def _declare_operators() -> torch.library.Library:
    """Declare the operators that do not exist; the declarations last as long as the returned object."""
    library = torch.library.Library("torchvision", "FRAGMENT")  # type: ignore[no-untyped-call]
    for name in OPERATORS:
        if not hasattr(torch.ops.torchvision, name):
            library.define(name + SCHEMA)  # type: ignore[no-untyped-call]
    return library


require("images of this kind", "torchvision")
try:
    import torchvision
except RuntimeError as error:
    if "torchvision::" not in str(error):
        raise
    for module in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
        del sys.modules[module]  # the failed import leaves them incomplete
    _DECLARED = _declare_operators()
    import torchvision

from torchvision import datasets, models  # noqa: E402
from torchvision.transforms import v2 as transforms  # noqa: E402

__all__ = ["datasets", "models", "torchvision", "transforms"]
