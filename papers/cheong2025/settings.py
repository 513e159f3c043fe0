"""Settings of the networks of Cheong (2025), as printed, as released, and ours.

The released programs are those of ziyong-was-taken/Compression-In-DNNs at f8dce90, the last state before the thesis;
values are defaults of its programs, which has no command lines.
"""

from bridge.results.settings import Setting

LAYERS, CHANNELS, CONTROLS = "collapse-layers", "collapse-channels", "collapse-controls"
RANDOM_LABELS, INFORMATION = "collapse-random-labels", "collapse-information"
ALL = (LAYERS, CHANNELS, CONTROLS, RANDOM_LABELS, INFORMATION)
SCENARIOS = (LAYERS, CHANNELS, INFORMATION)
RELEASED = (f"{LAYERS}-released", f"{INFORMATION}-released", f"{CHANNELS}-released")

LOSSES = tuple(f"Section 3.1, loss of f₋ on {images}" for images in ("CIFAR-10", "Fashion-MNIST"))
RISES = (
    *(f"Section 3.1, test loss of f₋ on {images}" for images in ("CIFAR-10", "Fashion-MNIST")),
    "Section 3.1, test loss of f₋",
)
RELEASED_ROWS = tuple(f"{row} (released)" for row in (*LOSSES, *RISES))
OF_FEWER_IMAGES = tuple(
    f"Section 3.1, {kind} of {network} on CIFAR-10 (released)"
    for kind in ("accuracy", "loss")
    for network in ("f₊", "f₋")
)
ACCURACIES = tuple(
    f"Section 3.1, accuracy of {network} on {images}{ending}"
    for network in ("f₊", "f₋")
    for images in ("CIFAR-10", "Fashion-MNIST")
    for ending in ("", " (released)")
)
CUT_OFF = "3.7 (cut-off layer, Fashion-MNIST)"
DECODED = (
    "3.5", "Section 3.3, sufficiency of f₊", "Section 3.3, minimality of f₊", "3.6", "3.7", "3.5 (cut-off layer)",
    "3.7 (cut-off layer, CIFAR-10)", "Section 3.3, minimality of f₋ on Fashion-MNIST",
    "Section 3.3, minimality of f₋ on CIFAR-10", "3.8",
)  # fmt: skip
OF_TRAINING = ("3.2", "Section 3.2, layers", "3.3", "3.4", "3.4 (training images)")
WIDE = (
    *(f"Section 3.1, {kind} of f₊ on {images}" for kind in ("accuracy", "loss")
      for images in ("CIFAR-10", "Fashion-MNIST")),
    "Section 3.1, f₊ over f₋ on CIFAR-10", "Section 3.1, f₊ over f₋ on Fashion-MNIST", "Section 3.1",
)  # fmt: skip
TOGETHER = (
    "batch, decoders of 50 epochs and the subset together, one network in float32, 224 processor seconds: minimality "
    "2.83, 1.18 and 0.01 bits after layers 1 to 3, so that it drops most after layer 1, as printed"
)
LOSSES_FOUND = (
    "test loss 0.464 on Fashion-MNIST and 1.557 on CIFAR-10 with the batch alone, one network each; 0.392 ± 0.004 and "
    "1.204 ± 0.014 in bfloat16, too, five networks each, 60 to 160 processor seconds a network"
)
IN_BATCHES = f"{LOSSES_FOUND}; {TOGETHER}"
IN_BFLOAT = (
    f"{LOSSES_FOUND}; f₋ on CIFAR-10 then stays above the training loss of 0.02, and its test loss does not grow, as "
    "printed"
)

SETTINGS = (
    Setting("blocks of f₊ and f₋", ALL, "two convolutions of 3 x 3 with a skip connection, 64, 128, 256 channels; "
            "one of 5 x 5, 16, 32, 64 channels (Section 2.3)", "the same (networks.py)", "the same"),
    Setting("weights at the start", ALL, "defaults of PyTorch 2.6 (Section 2.3)", "the same", "the same"),
    Setting("running statistics of batch normalisation", ALL, "none (Section 2.3)", "none (networks.py)", "none"),
    Setting("optimiser and rate", ALL, "AdamW, 0.002, constant (Section 2.3)", "the same, weight decay 0.01 "
            "(utils.py)", "the same"),
    Setting("batch size", SCENARIOS, "", "400 (utils.py)", "100", "neither", "the thesis does not print it, and ours "
            "was chosen before its programs were read", IN_BATCHES, rows=(*RISES, *WIDE, *DECODED, *OF_TRAINING),
            turns=(*LOSSES, CUT_OFF), options={"batch_size": 400}),
    Setting("precision", SCENARIOS, "", "bfloat16 for weights, activations, loss and optimiser (utils.py)", "float32",
            "neither", "float32 is what networks of this size are usually trained in",
            IN_BFLOAT,
            rows=(*RISES, *WIDE, *DECODED), turns=LOSSES),
    Setting("training images", SCENARIOS, "as many as the test set has (Section 2.3)", "the first 1,000 of each "
            "class in the order of the file (datasets.py)", "10,000 drawn at random, so that classes differ in size",
            "neither", "ours was drawn before the programs were read; classes of more than 1,000 images have a "
            "fourth digit in minimality, whose maximum is then lower", TOGETHER, rows=(*DECODED, *OF_TRAINING),
            turns=(CUT_OFF,)),
    Setting("epochs of decoders", (INFORMATION,), "trained as the main network (Section 2.2)",
            "50 for minimality, without early stopping (utils.py)", "up to 200 (300 at laptop size), with a "
            "patience of 100 updates", "neither", "decoders that are trained to the end bound the information more "
            "closely", TOGETHER, rows=DECODED, turns=(CUT_OFF,), options={"decoder_epochs": 50}),
    Setting("pixels", SCENARIOS, "", "0 to 255, not scaled: the transform that scales is not used (datasets.py)",
            "0 to 1", "neither", "images are scaled so in all of our experiments", "f₊ on 2,000 images for 9 epochs, "
            "80 processor seconds: test accuracy 0.869 for 0.843, test loss 0.404 for 0.453; none for f₋, whose "
            "first layer is normalised", rows=(*WIDE, "3.5", "3.6", "3.7", *OF_TRAINING)),
    Setting("batch size, precision, decoders of the released rows", RELEASED, "as above", "as above",
            "as released"),
    Setting("training images of the released rows", RELEASED, "as many as the test set has (Section 2.3)",
            "the first 1,000 of each class in the order of the file (datasets.py)",
            "1,000 of each class drawn at random, on CIFAR-10 all of the subset at hand", "neither",
            "a draw for each seed lets the errors be those of data sets, which the order of the file says nothing of"),
    Setting("pixels of the released rows", RELEASED, "", "0 to 255 (datasets.py)", "0 to 255 for f₊, 0 to 1 for f₋",
            "neither", "the first layer of f₋ is normalised, so that the scale has no effect"),
    Setting("stopping", (*SCENARIOS, *RELEASED), "training loss of 0.02, at most 50 epochs (Section 2.3)",
            "a number of epochs; the training loss is the mean over the batches of an epoch (networks.py)",
            "loss of the training images after the epoch, with frozen weights", "printed",
            "the sentence does not say of which state the loss is; the mean during the epoch stops about an epoch "
            "or two later", "two f₊ on Fashion-MNIST, one and two epochs more: test accuracy 0.905 and 0.907 (for "
            "0.905), 0.900 and 0.902 (0.900), test loss 0.305 and 0.303 (0.293), 0.326 and 0.321 (0.334)",
            rows=(*LOSSES, *RISES, *RELEASED_ROWS)),
    Setting("NC1", (LAYERS, CHANNELS, CONTROLS, RELEASED[0], RELEASED[2]), "tr Σ_W Σ_B⁺ (Algorithm 1)",
            "class means of training images are summed up during the epoch, while the weights change (callbacks "
            "of main.py), and eigenvalues below 1e-5 of the largest are left out (utils.py)",
            "one set of weights for both passes, all eigenvalues", "printed", "it is what Algorithm 1 says",
            rows=OF_TRAINING),
    Setting("accuracy", (*ALL, *RELEASED), "accuracy (Section 3.1)", "mean over the classes of a batch, "
            "averaged over batches (networks.py)", "the share of images", "printed",
            "it is what the word says; with classes of equal size both differ by little", rows=ACCURACIES),
    Setting("value of the information", (INFORMATION, RELEASED[1]),
            "log₂ 10 minus the loss of the decoders (Section 2.2)",
            "minus its mean over the batches of the last epoch (utils.py)", "minus the loss of the trained decoders",
            "printed", "the mean during the last epoch is a larger loss than that of the decoders", rows=DECODED),
    Setting("images of CIFAR-10", (LAYERS, CHANNELS, INFORMATION, RELEASED[0], RELEASED[2]),
            "10,000 and 10,000 (Section 2.3)", "the same", "10,000 and 2,000", "neither",
            "the subset at hand has no more test images",
            rows=(LOSSES[0], RISES[0], RISES[2], "3.7 (cut-off layer, CIFAR-10)", *OF_FEWER_IMAGES)),
    Setting("seeds", ALL, "one run is shown", "0 (utils.py)", "3 and more", "both"),
    Setting("network of the random labels", (RANDOM_LABELS,), "", "", "f₋ at laptop size", "both"),
)  # fmt: skip
