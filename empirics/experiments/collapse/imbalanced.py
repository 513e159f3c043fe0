"""Collapse of networks that learn imbalanced classes, with NC1 by several conventions as controls of each other.

The thesis assumes balanced classes, for which all weights of the classes in the covariance of class means agree. With
imbalanced classes they do not: ``nc1`` weights each class by its number of images, ``nc1_equal`` gives all classes the
same weight. The test images keep the proportions of the test split.
"""

from __future__ import annotations

from empirics import data
from empirics.data.dataset import imbalanced
from empirics.data.names import CLASSES
from empirics.experiments.collapse.config import ImbalancedConfig as Config
from empirics.experiments.collapse.records import SPLITS, CollapseRecorder
from empirics.experiments.collapse.run import LAYER, recorded
from empirics.measure.collapse.layerwise import layerwise_collapse
from empirics.runs.session import RunResult, Session, run_of

__all__ = ["Config", "run"]


class ImbalancedRecorder(CollapseRecorder):
    """Trains the network of one seed on imbalanced classes, and measures NC1 with classes of equal weight, too."""

    config: Config
    measures = (*CollapseRecorder.measures, "nc1_equal")

    def images_of(self, split: str) -> data.Dataset:
        """Return the images of a split."""
        if split == "test":
            return super().images_of(split)
        config = self.config
        return imbalanced(
            data.load(config.dataset, split="train"), config.train_size, config.ratio, self.seed
        )

    def _collapse(self, number: int) -> None:
        super()._collapse(number)
        for s, split in enumerate(SPLITS):
            measured = layerwise_collapse(
                self.model, self.model.layers, self.parts[split], CLASSES, class_weights="equal"
            )
            self.values["nc1_equal"][number, s] = [
                measured[name].nc1 for name in self.model.layers
            ]


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` on imbalanced classes and return the measurements of their layers.

    Returns:
        The variables of :func:`empirics.experiments.collapse.run`, and ``nc1_equal``.
    """
    more = {"nc1_equal": (LAYER, "tr(Sigma_W Sigma_B^+) with classes of equal weight in Sigma_B")}
    return recorded(config, session, ImbalancedRecorder, more)
