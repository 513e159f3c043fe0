"""The figures and tables of Cheong (2025)."""

from __future__ import annotations

from bridge.collapse import quantities as q
from bridge.results.printed_figure import PrintedFigure

DRAWING = "a drawing, which has no measured numbers"
LAYERS, CHANNELS, CONTROLS = "collapse-layers", "collapse-channels", "collapse-controls"
RANDOM_LABELS, INFORMATION = "collapse-random-labels", "collapse-information"
FEWER = {"f₋": "a fifth of the images", "f₊": "a fifth of the images and a quarter of the channels"}
NARROW = "both networks have a quarter of the channels of those of the thesis, and a fifth of the images"
SCENARIOS = (("f₊", "CIFAR-10", 0.753, 0.757), ("f₋", "CIFAR-10", 0.626, 1.260),
             ("f₊", "Fashion-MNIST", 0.910, 0.323), ("f₋", "Fashion-MNIST", 0.884, 0.387))  # fmt: skip
PHASE = -0.03  # bits: a tenth of the minimality of the last layer, which holds the least and can lose no more
NO_PHASE = "no compression phase (compared with a fall by 0.03 bits)"
SATURATED = 2.99  # bits: nine tenths of log2(10)
FULL = tuple(f"f₊ on Fashion-MNIST, train, cut {layer}" for layer in range(3))  # the images and two layers
GAP = 0.03  # bits: a tenth of the minimality of the last layer, too
ALL = 0.01  # smallest relevant distance from a training accuracy of 100 %
STOPPED = 0.02  # nats: the training loss at which the thesis stops

FIGURES = (
    PrintedFigure("1.1", "a network that fits random labels, f₊ on Fashion-MNIST (f₋ at laptop size)", RANDOM_LABELS,
                  "it fits them perfectly, so 100 % of them", quantity=q.TRAINING_ACCURACY,
                  configurations="random labels", value=1.0, resolution=ALL),
    PrintedFigure("Section 1, random labels", "training loss of a network on random labels", RANDOM_LABELS,
                  "a perfect fit, compared with the loss of 0.02 at which the thesis stops", quantity=q.TRAINING_LOSS,
                  configurations="random labels", value=STOPPED, relation="<", entry="Figure 1.1"),
    PrintedFigure("1.2", "bins of the entries of a representation", reason=DRAWING),
    PrintedFigure("1.3", "an invented penultimate layer early and late in training", reason=DRAWING),
    PrintedFigure("2.1", "the relabelling function of Algorithm 2", reason=DRAWING),
    PrintedFigure("2.2", "the network that decodes a representation", reason=DRAWING),
    PrintedFigure("2.3", "the architectures of f₊ and f₋, by the dimension of f₋'s first layer on CIFAR-10", LAYERS,
                  "10 x 10 x 16", quantity=q.DIMENSION, configurations="f₋ on CIFAR-10, layer 1", value=1600),
    PrintedFigure("2.4", "the timeline of one epoch", reason=DRAWING),
    PrintedFigure("3.1", "accuracy and loss against the epoch", LAYERS,
                  "all four networks reach 100 % training accuracy", quantity=q.TRAINING_ACCURACY, value=1.0,
                  resolution=ALL),
    *(
        PrintedFigure(f"Section 3.1, {kind} of {network} on {images}", f"test {kind} at the end of training", LAYERS,
                      f"{100 * value:.1f} %" if kind == "accuracy" else f"{value:.3f}", quantity=quantity,
                      configurations=f"{network} on {images}", value=value, reason=FEWER[network])
        for network, images, accuracy, loss in SCENARIOS
        for kind, quantity, value in (("accuracy", q.TEST_ACCURACY, accuracy), ("loss", q.TEST_LOSS, loss))
    ),
    *(
        PrintedFigure(f"Section 3.1, f₊ over f₋ on {images}",
                      "lead in test accuracy, where both networks have a quarter of their channels", CHANNELS,
                      f"f₊ is ahead; by {points} points, of which only the sign is compared with ours", quantity=q.LEAD,
                      configurations=f"f₊ over f₋ on {images}", value=0.0, relation=">", reason=NARROW)
        for images, points in (("CIFAR-10", 12.7), ("Fashion-MNIST", 2.6))
    ),
    PrintedFigure("Section 3.1", "lead in test accuracy on CIFAR-10 minus that on Fashion-MNIST", CHANNELS,
                  "smaller on the easier Fashion-MNIST", quantity=q.LEAD,
                  configurations="lead on CIFAR-10 over lead on Fashion-MNIST", value=0.0, relation=">",
                  reason=NARROW),
    *(
        PrintedFigure(f"Section 3.1, test loss of f₋ on {images}", "test loss at the end minus that after epoch 10",
                      LAYERS, "starts to increase after the 10th epoch", quantity=q.TEST_LOSS_RISE,
                      configurations=f"f₋ on {images}", value=0.0, relation=">", entry="3.1 overfitting")
        for images in ("CIFAR-10", "Fashion-MNIST")
    ),
    PrintedFigure("Section 3.1, test loss of f₋", "its rise on CIFAR-10 minus that on Fashion-MNIST", LAYERS,
                  "f₋ overfits in particular on CIFAR-10", quantity=q.TEST_LOSS_RISE,
                  configurations="f₋ on CIFAR-10 over f₋ on Fashion-MNIST", value=0.0, relation=">",
                  entry="3.1 overfitting on CIFAR-10"),
    PrintedFigure("3.2", "NC1 of every layer against the epoch", LAYERS, "training values lie below test values",
                  quantity=q.LOG_NC1_GAP, value=0.0, relation=">", entry="3.2 compression gap"),
    PrintedFigure("Section 3.2, layers", "range of log NC1 over the layers, after minus before training", LAYERS,
                  "roughly the same for all layers at the beginning, compared with the range at the end",
                  quantity=q.RANGE_RISE, value=0.0, relation=">", entry="3.2 layers at the beginning"),
    *(
        PrintedFigure(f"Section 3.2, layers of {network} on {images}", "steps of log NC1, training images", LAYERS,
                      "deeper layers compress more: every step is negative", quantity=q.STEP,
                      configurations=f"{network} on {images}, train, after training", value=0.0, relation="<",
                      entry="3.2 layers diverge")
        for network, images, _, _ in SCENARIOS
    ),
    PrintedFigure("3.3", "compression gap against generalisation gap", LAYERS,
                  "at most mildly correlated, except for layers 2 and 3 of f₋ on CIFAR-10 (below 0.5; a negative "
                  "correlation counts as none)", quantity=q.GAP_CORRELATION,
                  configurations=("f₊ on CIFAR-10", "f₊ on Fashion-MNIST", "f₋ on Fashion-MNIST"), value=0.5,
                  relation="<", entry="3.2 correlation of the gaps"),
    *(
        PrintedFigure(f"Section 3.2, f₋ on CIFAR-10, layer {layer}", "the two gaps", LAYERS, "positively correlated",
                      quantity=q.GAP_CORRELATION, configurations=f"f₋ on CIFAR-10, layer {layer}", value=0.0,
                      relation=">", entry="3.2 gaps of f_- on CIFAR-10")
        for layer in (2, 3)
    ),
    PrintedFigure("3.4", "correlation of log NC1 with the layer", LAYERS,
                  "log NC1 is linear in the layer: steps are equal", quantity=q.LATER_STEP,
                  cause="the thesis tests the correlation alone, which is −√3/2 or less for any fall over three "
                  "layers; the two steps differ all the same"),
    PrintedFigure("3.4 (training images)", "the same for the training images alone", LAYERS,
                  "close to perfectly linear", quantity=q.LATER_STEP,
                  configurations=tuple(f"{network} on {images}, train" for network, images, _, _ in SCENARIOS),
                  entry="3.2 perfectly linear",
                  cause="the two steps differ, which the correlation over three layers hardly shows"),
    PrintedFigure("3.5", "sufficiency and minimality of f₊ against the epoch", INFORMATION,
                  "layers 0, 1 and, to a lesser extent, 2 saturate at log2(10) = 3.32 bits (compared with nine tenths)",
                  quantity=q.SUFFICIENCY_LAST, configurations=FULL, value=SATURATED, relation=">"),
    PrintedFigure("Section 3.3, sufficiency of f₊", "that of the third layer, training minus test images", INFORMATION,
                  "the test value plateaus much lower than the training value", quantity=q.SUFFICIENCY_GAP,
                  configurations="f₊ on Fashion-MNIST, layer 3", value=0.0, relation=">",
                  entry="3.3 gap in sufficiency of f_+"),
    PrintedFigure("Section 3.3, minimality of f₊", "that of the third layer, training minus test images", INFORMATION,
                  "they do not diverge (the former not above the latter by 0.03 bits)", quantity=q.MINIMALITY_GAP,
                  configurations="f₊ on Fashion-MNIST, layer 3", value=GAP, relation="<",
                  entry="3.3 no gap in minimality of f_+"),
    PrintedFigure("3.6", "information planes of f₊", INFORMATION, NO_PHASE, quantity=q.LATER_CHANGE,
                  configurations="f₊ on Fashion-MNIST", value=PHASE, relation=">", entry="3.3 compression phase"),
    PrintedFigure("3.7", "sufficiency and minimality of f₋ against the epoch", INFORMATION,
                  "f₋ compresses more than f₊", quantity=q.MINIMALITY_LEAD,
                  configurations="f₊ on Fashion-MNIST over f₋ on Fashion-MNIST", value=0.0, relation=">",
                  reason="layers 1 and 2 saturate in both networks, whose channels are as many here"),
    PrintedFigure("Section 3.3, minimality of f₋", "that of the first layer on Fashion-MNIST, from epoch 2 to the end",
                  INFORMATION, "it increases during training", quantity=q.LATER_CHANGE,
                  configurations="f₋ on Fashion-MNIST, layer 1", value=0.0, relation=">",
                  reason="with a few hundred images the layer holds as much as the images from the beginning on"),
    PrintedFigure("3.8", "information planes of f₋", INFORMATION, NO_PHASE, quantity=q.LATER_CHANGE,
                  configurations="f₋ on Fashion-MNIST", value=PHASE, relation=">", entry="3.3 compression phase"),
    PrintedFigure("Section 4", "NC1 of the last layer, classes 10 : 1 over equal classes, test images", CONTROLS,
                  "a question: what if there is class imbalance?", quantity=q.LOG_NC1_RISE),
    PrintedFigure("Section 2.2, balanced classes", "test accuracy, classes 10 : 1 minus equal classes", CONTROLS,
                  "by folklore, networks trained on larger balanced data sets generalise better",
                  quantity=q.ACCURACY_RISE, value=0.0, relation="<"),
    PrintedFigure("Section 3.2, simplified metric", "steps of log tr Σ_W / tr Σ_B from layer to layer, equal classes",
                  CONTROLS, "the law of equal steps has been proven for tr Σ_W / tr Σ_B", quantity=q.LATER_TRACE_STEP,
                  configurations="classes 1 : 1",
                  reason="three layers of different sizes, 12 epochs on a tenth of the images"),
    PrintedFigure("Section 3.3, table", "dimension of f₋'s last layer on Fashion-MNIST", LAYERS, "1 x 1 x 64",
                  quantity=q.DIMENSION, configurations="f₋ on Fashion-MNIST, layer 3", value=64),
)  # fmt: skip
