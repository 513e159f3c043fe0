"""Settings of the networks of Jacot and Kaiser (2024), as printed, and ours; the authors released no program.

What is neither printed nor released cannot differ: such a setting is listed as ours, with what was found when others
were tried.
"""

from bridge.results.settings import Setting

BOTTLENECK, DEPTHS, RANKS = "leaky-resnet-bottleneck", "leaky-resnet-depths", "leaky-resnet-ranks"
MESHES, ADAPTIVE, CODES = "leaky-resnet-meshes", "leaky-resnet-adaptive", "leaky-resnet-codes"
CONTINUATION = "leaky-resnet-continuation"
NETWORKS = (BOTTLENECK, DEPTHS, RANKS, MESHES, ADAPTIVE, CODES, CONTINUATION)
FIRST = (BOTTLENECK, DEPTHS, RANKS, CODES, CONTINUATION)
SCANNED = (
    "one network each, 157 to 185 processor seconds, a constant rate of 0.01, weights of torch and no warm-up: it "
    "converges and ends further from a critical point than ours (relative gradient 10 for 0.9), so that ours is no "
    "disadvantage"
)

SETTINGS = (
    Setting("teacher of Figure 1", FIRST, "two random networks 30 → 3 → 30 (caption of Figure 1)", "",
            "the same, one hidden layer of 100 each, whitened code"),
    Setting("teacher of Figure 2", (MESHES, ADAPTIVE), "three random ResNets 30 → 6 → 3 → 30 (caption of Figure 2)",
            "", "the same, one residual block each"),
    Setting("data", NETWORKS, "1,000 and 1,000 points, demeaned and normalised (appendix B)", "",
            "the same, divided by one number"),
    Setting("width and layers", NETWORKS, "100, L = 20; up to 18 in Figure 2 (appendix B)", "",
            "the same at the paper's size"),
    Setting("maps at both ends", NETWORKS, "learned or fixed (appendix B)", "", "fixed isometries"),
    Setting("weights at the start", NETWORKS, "", "", "normal, of variance 2 L̃²/w", effect=SCANNED),
    Setting("loss", NETWORKS, "mean squared error (appendix B)", "", "summed over outputs, with λ 30 times as large"),
    Setting("λ", NETWORKS, "0.001/L̃ (appendix B)", "", "the same, in the penalty of Section 1.1",
            effect="14 times larger, as the coefficient of a program's penalty, gives the zero network"),
    Setting("optimiser", NETWORKS, "Adam for 5,000 epochs, then SGD for 1,000 with a smaller rate (appendix B)", "",
            "the same, 0.02 along a cosine and 1e-4", effect=SCANNED),
    Setting("warm-up of λ", NETWORKS, "", "", "from 1 % during the first 60 % of Adam", effect=SCANNED),
    Setting("networks", NETWORKS, "", "", "3 to 12, and mean over them of the median over layers of Figure 1a"),
    Setting("batch", NETWORKS, "full (Section 2.1)", "", "full"),
    Setting("precision", NETWORKS, "", "", "float32"),
    Setting("γ", NETWORKS, "a γ without its value (Section 2.1)", "", "1e-3 of the squared norm of σ(A)"),
    Setting("inverse of K", NETWORKS, "`solve` in the place of the pseudo-inverse (appendix B)", "",
            "the pseudo-inverse on the image, infinite off it", "neither", "the quantity of the theory is infinite "
            "off the image; no program says what γ `solve` was given", "without γ, −2H/L̃ is near −2,000 in a "
            "network of the plain reading of appendix B", rows=("1a", "1a (stable H)", "1c", "1c (paper's size)")),
    Setting("slope of the irregular mesh", (MESHES,), "a slope a without its value (Section 3)", "", "0.9"),
    Setting("updates of the adaptive mesh", (MESHES, ADAPTIVE), "", "", "every 20 steps during Adam"),
)  # fmt: skip
