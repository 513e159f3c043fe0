r"""Appendices G.4 and G.5: experiments on CIFAR-10 without labels."""

from __future__ import annotations

from theory.core import Check, Claim, Finding, Witness, Word
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.appendix_letters import entry
from theory.papers.zavatoneveth2023.image_settings import LARGEST

ON_THE_SPHERE = ("0.3", "-0.4")
SELF_SUPERVISED = "A matter of measurement: the study geometry-self-supervised."
PULL_BACK = "One should instead pull back the {metric} metric on the sphere."


def curvature_stated(claim: Claim) -> float:
    """Scalar curvature of the unit sphere in three dimensions with the metric that is named."""
    return {"flat": 0.0, "round": 2.0}[claim["metric"]]


def curvature_of_the_sphere() -> float:
    """By definition, in stereographic coordinates."""
    return christoffel.scalar(explicit_metrics.sphere, ON_THE_SPHERE)


def is_the_metric_of_the_sphere(claim: Claim) -> tuple[Check, ...]:
    """The curvature of the sphere, by definition."""
    return (Check("curvature", lambda: is_close(curvature_of_the_sphere(), curvature_stated(claim)), "definition"),)


EQUATIONS = (
    entry(
        "G.4 training without labels",
        "G.4",
        "Barlow Twins and SimCLR with ResNet-34, a projector of dimension 256; SGD with rate 0.01, weight decay 1e-4, "
        "batches of 1024, 1000 epochs; logistic regression on 512 features as the read-out.",
        Finding.NOTE,
        "Settings.",
    ),
    entry(
        "G.4 augmentation",
        "G.4",
        "Crops, flips, colour jitter, grayscale, blur and solarisation with their probabilities; channels shifted and "
        "scaled.",
        Finding.NOTE,
        "Settings.",
    ),
    entry(
        "G.4 accuracies",
        "G.4",
        "The read-out reaches 84 % on training and 70 % on test images.",
        Finding.OPEN,
        SELF_SUPERVISED + LARGEST,
    ),
    entry(
        "G.4 Barlow Twins",
        "G.4",
        "The volume element of Barlow Twins is large along decision boundaries of the read-out.",
        Finding.OPEN,
        SELF_SUPERVISED + LARGEST + " At smaller ones the read-out is far less accurate, so that its boundaries say "
        "little.",
    ),
    entry(
        "G.4 eigenvalues",
        "G.4",
        "The eigenvalues of the metric of Barlow Twins do not indicate any numerical issues.",
        Finding.OPEN,
        SELF_SUPERVISED + LARGEST,
    ),
    entry(
        "G.4 falling spectrum",
        "G.4",
        "As training proceeds, the eigenvalues of the metric of Barlow Twins at three images first rise and then fall, "
        "and the volume element decreases there.",
        Finding.OPEN,
        SELF_SUPERVISED + LARGEST,
    ),
    entry(
        "G.4 SimCLR",
        "G.4",
        "The volume element of SimCLR dips at decision boundaries.",
        Finding.OPEN,
        SELF_SUPERVISED + LARGEST + " At smaller ones the read-out is far less accurate, so that its boundaries say "
        "little.",
    ),
    entry(
        "G.4 embeddings on a sphere",
        "G.4",
        "The dips are due to the requirement that the embeddings of SimCLR lie on a unit sphere.",
        Finding.ASSUMPTION,
        "A suspicion of the paper. The study geometry-self-supervised also measures the volume element of features "
        "divided by their length.",
    ),
    entry(
        "G.4 sphere",
        "G.4",
        "",
        Finding.MISPRINT,
        "The scalar curvature of the unit sphere in three dimensions is 2, by definition; a sphere of two or more "
        "dimensions has no flat metric.",
        printed=Claim(PULL_BACK, {"metric": Word("flat", ("round",))}),
        corrected=Claim(PULL_BACK, {"metric": Word("round", ("flat",))}),
        prove=is_the_metric_of_the_sphere,
        witness=Witness({"sphere": "unit sphere in three dimensions", "coordinates": ON_THE_SPHERE},
                        curvature_of_the_sphere, value=curvature_stated),
        consequence="The round metric of the sphere is what the Euclidean metric of the embedding space induces on it, "
        "so that for normalised embeddings both pullbacks are the same; they differ for embeddings before "
        "normalisation.",
    ),
    entry(
        "G figures",
        "G",
        "Figures G.1 to G.34.",
        Finding.NOTE,
        "Pictures; what is said of them are entries of their own. The studies geometry-xor, geometry-sinusoid, "
        "geometry-mnist, geometry-resnet and geometry-self-supervised draw them. The curvatures of Figures G.2 and G.6 "
        "carry the factor 3 of (B.15).",
    ),
    entry(
        "G.5 code",
        "G.5",
        "The code is public; models were trained on GPUs with 80 GB.",
        Finding.NOTE,
        "Settings.",
    ),
)  # fmt: skip
