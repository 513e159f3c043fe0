"""Settings of the networks of Zavatone-Veth et al. (2023), as printed, as released, and ours.

The released programs are those of Pehlevan-Group/nn_curvature (states 0477eba to 6f8222f). Its command files are called
demonstrations and differ from the paper in places, so that they are not those of the figures.
"""

from bridge.results.settings import Setting

SINUSOID, XOR, MNIST = "geometry-sinusoid", "geometry-xor", "geometry-mnist"
RELEASED = ("geometry-sinusoid-released", "geometry-xor-released")
RESNET, UNSUPERVISED = "geometry-resnet", "geometry-self-supervised"
MNIST_RELEASED, NO_DECAY = "geometry-mnist-released", "geometry-mnist-no-decay-released"
DIGIT_STUDIES = (MNIST, MNIST_RELEASED, NO_DECAY)
RESNET_RELEASED = "geometry-resnet-released"
RESNETS = (RESNET, RESNET_RELEASED)

IN_THE_PLANE = ("2", "G.1", "G.2", "G.3", "G.5", "G.7", "G.7 (contrast)")
SINUSOIDS = ("2", "G.5", "G.7", "G.7 (contrast)")
LINES = ("3", "3 (lines)", "3 (training)")
TRIANGLES = ("3 (initialisation)", *(f"G.{number}" for number in (9, 10, 11)),
             *(f"G.{number} (growth)" for number in (9, 10, 11)))  # fmt: skip
SPECTRA = ("Section G.2, distance", "Section G.2, eigenvalues", "G.12")
RELEASED_SPECTRA = ("Section G.2, distance (released)", "Section G.2, eigenvalues (released)")
DIGITS = (*LINES, *TRIANGLES, *SPECTRA)
RELEASED_LINES = (
    "3 (released)",
    "3 (lines, released)",
    "3 (training, released)",
    "3 (initialisation, released)",
)
NO_DECAY_LINES = (
    "3 (released, no decay)",
    "3 (lines, released, no decay)",
    "3 (training, released, no decay)",
    "3 (initialisation, released, no decay)",
    "3 (volume, released, no decay)",
)
NO_DECAY_ACCURACIES = (
    "3 (accuracy, released, no decay)",
    "3 (training accuracy, released, no decay)",
)
NO_DECAY_SPECTRA = (
    "Section G.2, distance (released, no decay)",
    "Section G.2, eigenvalues (released, no decay)",
)
NO_DECAY_ROWS = (*NO_DECAY_LINES, *NO_DECAY_ACCURACIES, *NO_DECAY_SPECTRA)
RELU = ("5", "5 (same position)", "G.20", "G.21", *(f"G.{number}" for number in range(22, 26)))
SIMCLR = ("G.32", "G.33", "G.34", "Section G.4, SimCLR on the unit sphere")
ACCURACIES = ("3 (accuracy)", "3 (training accuracy)")
RELEASED_ACCURACIES = ("3 (accuracy, released)", "3 (training accuracy, released)")
PENALTY = (
    "the rows without decay have the numbers (six networks, 94 processor minutes): accuracies of 1 in training and "
    "0.973 on test images, and a bulge over the mean of the ends of 269 nats before training and 524 ± 24 after it; "
    "log10 of the volume in the middle ends at −1192 ± 15, where the axes of Figure 3 go from −980 to −1240, and with "
    "the decay near −3790"
)
BULGE = (
    "the rows of the released settings have the numbers: the middle lies above the higher end before training and "
    "after it, and training makes the bulge over the mean of the ends smaller; accuracies stay at 0.91"
)

SETTINGS = (
    Setting("weights at the start of networks in the plane", (XOR, SINUSOID), "Gaussian, features divided by the "
            "root of the width (Section IV)", "weights and biases N(0, 1), every layer after the first divided by "
            "the root of the width (weights_init)", "uniform, defaults of torch, not divided", "neither",
            "the appendix on these networks does not name them, and ours were chosen before the programs were read",
            "on the printed grid −0.195 ± 0.026 for two units (100 networks) and −0.358 ± 0.012 for 20 units (10); "
            "the rows of the released settings have the numbers", rows=IN_THE_PLANE, options={"start": "gaussian"}),
    Setting("region of the correlation", (XOR, SINUSOID), "40 x 40 points of [−1.5, 1.5]² (Figures 2 and G.1)",
            "the same", "those of them in [−1, 1]²", "neither", "the training data of the sinusoid lie there; in "
            "exclusive or they are the corners of it", "5 processor seconds: the sign of exclusive or turns for both "
            "initial weights, +0.55 ± 0.03 to −0.131 ± 0.009 and +0.66 ± 0.02 to −0.063 ± 0.005",
            rows=("2", "G.5", "G.7"), turns=("G.1",)),
    Setting("first measurement", (XOR, SINUSOID, *DIGIT_STUDIES, *RESNETS), "at initialisation (captions)",
            "after the first epoch of updates: 1 of exclusive or, 8 of the sinusoid, 45 of MNIST, 49 of ResNets",
            "before any update", "printed", "the captions say so", "MNIST: a bulge of 262 ± 13 nats for 261 ± 14",
            rows=("3 (initialisation)", "3 (training)", "3 (initialisation, released)", "3 (training, released)",
                  "3 (initialisation, released, no decay)", "3 (training, released, no decay)")),
    Setting("optimiser of exclusive or", (XOR,), "SGD 0.02, momentum 0.9, decay 1e-4, 2,000 epochs (G 1)",
            "the same (xor_demo.sh)", "the same"),
    Setting("loss in the plane", (XOR, SINUSOID), "cross-entropy (G 1)", "the same (commands)", "the same"),
    Setting("precision in the plane", (XOR, SINUSOID), "float64 (G 1)", "the same", "the same"),
    Setting("boundary of the sinusoid", (SINUSOID,), "a fraction of sin(7x − 1), which is hard to read (G 1)",
            "0.6 sin(7x − 1) (synthetic_data.py)", "0.5 sin(7x − 1)", "neither", "the fraction was read as one half",
            rows=SINUSOIDS, options={"height": 0.6}),
    Setting("rate and batch of the sinusoid", (SINUSOID,), "0.05 (G 1); the batch is not printed",
            "0.05 (train_sindata.sh), batches of 50 of 400 points", "0.5, full batches", "neither",
            "full batches at the printed rate end far from the sinusoid", "20 units, 8 networks, 55 processor "
            "seconds: the printed rate learns it with batches of 50, accuracy 0.993, change −0.252 ± 0.030 in [−1, "
            "1]²", rows=SINUSOIDS, options={"learning_rate": 0.05, "batch_size": 50}),
    Setting("weights, region, sinusoid, rate and batch of the released rows", RELEASED, "as above",
            "as above", "as released; the first measurement is before any update, as printed"),
    Setting("weights at the start of the network on MNIST", (MNIST,), "Gaussian, features divided by the root of the "
            "width (Section IV)", "weights and biases N(0, 1), the readout divided by the root of 2,000 "
            "(weights_init)", "uniform, defaults of torch, not divided", "neither", "the appendix on this network "
            "does not name them, and ours were chosen before the programs were read", BULGE,
            rows=(*TRIANGLES, *SPECTRA),
            turns=(*LINES, *ACCURACIES),
            options={"start": "gaussian"}),
    Setting("weights at the start of the released rows on MNIST", (MNIST_RELEASED, NO_DECAY), "Gaussian, features "
            "divided by the root of the width (Section IV)", "weights and biases N(0, 1), the readout divided by the "
            "root of 2,000, before training and throughout it (weights_init)", "as released"),
    Setting("lines of the released rows on MNIST", (MNIST_RELEASED, NO_DECAY), "from a 7 to a 6 (Figure 3), and "
            "between other digits (Figure G.8)", "one line from a 7 to a 6", "eight lines a network between digits "
            "that differ, the first from a 7 to a 6; means over lines and networks"),
    Setting("decay of the rows without decay on MNIST", (NO_DECAY,), "1e-4 (G 2)", "0 by default; 1e-4 in "
            "mnist_demo.sh", "0", "released", "it is the default, and with the printed one neither the accuracies nor "
            "the axes of Figure 3 are reached", PENALTY, rows=NO_DECAY_ROWS),
    Setting("decay on MNIST", (MNIST, MNIST_RELEASED), "1e-4 (G 2)", "0 by default; 1e-4 in mnist_demo.sh, "
            "as the penalty of Adam (run_mnist.py)", "1e-4, as the penalty of Adam", "printed", "it is printed",
            PENALTY, rows=(*LINES, *RELEASED_LINES, *ACCURACIES, *RELEASED_ACCURACIES, *SPECTRA, *RELEASED_SPECTRA),
            options={"weight_decay": 0.0}),
    Setting("optimiser on MNIST", DIGIT_STUDIES, "Adam 0.001, batch 1,000, 200 epochs (G 2)",
            "a rate of 0.001 by default; mnist_demo.sh has 0.01 and 30 epochs", "as printed at the paper's size"),
    Setting("pixels of MNIST", DIGIT_STUDIES, "no preprocessing (G 2)", "", "0 to 1", "both"),
    Setting("precision on MNIST", DIGIT_STUDIES, "float64 (G 2)", "float64 in training, too", "float32 in training, "
            "float64 in measurement", "neither", "training takes half the time",
            rows=("G.12", "Section G.2, eigenvalues", "Section G.2, eigenvalues (released)",
                  "Section G.2, eigenvalues (released, no decay)")),
    Setting("images of lines", DIGIT_STUDIES, "two test images (Figure 3)", "of all 60,000, three quarters of which "
            "train the network", "test images", "printed", "the caption says so",
            rows=(*LINES, *RELEASED_LINES, *NO_DECAY_LINES)),
    Setting("points of a line on MNIST", DIGIT_STUDIES, "from 0 to 1 (G 2)", "64, without the second end", "41 with "
            "both ends (9 at laptop size of the printed rows)", "printed", "both images are ends of the line",
            rows=(*LINES, *RELEASED_LINES, *NO_DECAY_LINES)),
    Setting("planes on MNIST", (MNIST,), "affine combinations of three test images (G 2)", "through the blank image, "
            "since their origin is not added (run_mnist_plane.py)", "through the three images", "printed",
            "the sentence says so", rows=TRIANGLES),
    Setting("images of the accuracy on MNIST", DIGIT_STUDIES, "a quarter of the 60,000 (G 2)", "the same",
            "the 10,000 of the test split", "neither", "no network has seen them, as those of the quarter",
            rows=("3 (accuracy)", "3 (accuracy, released)", "3 (accuracy, released, no decay)")),
    Setting("extent of planes of ResNets", (*RESNETS, UNSUPERVISED), "triangle and affine hull (G 3)", "60 points a "
            "side, from −1 to 1 about the centroid", "41 a side (11 and 9 at laptop size), half a side of the triangle "
            "beyond it (a tenth at laptop size of self-supervised ones)", "neither",
            "the paper does not print it; rows of a hull count the points of the triangle alone"),
    Setting("blocks of the ReLU ResNet", (RESNET,), "the same architecture but with ReLU (Section VI.B)",
            "ReLU after the first convolution alone; the blocks keep GELU (_make_layer of ResNet.py)",
            "ReLU everywhere", "printed", "the sentence says so; the figure was very probably drawn with GELU "
            "blocks, in which no unit can be dead", rows=RELU),
    Setting("blocks of the released rows", (RESNET_RELEASED,), "the same architecture but with ReLU (Section VI.B)",
            "ReLU after the first convolution alone (_make_layer of ResNet.py)", "the same", "released",
            "it is very probably that of the figure", rows=tuple(
                label[:-1] + ", released)" if label.endswith(")") else f"{label} (released)" for label in RELU)),
    Setting("optimiser of ResNets", RESNETS, "SGD 0.01, momentum 0.9, decay 1e-4, batch 1,024, 200 epochs (G 3)",
            "the same", "the same at the paper's size"),
    Setting("projector of Barlow Twins", (UNSUPERVISED,), "one layer of 256 (G 4)", "128 (barlow_demo.sh)", "256",
            "printed", "it is printed"),
    Setting("SimCLR", (UNSUPERVISED,), "", "temperature 0.07, batch 512, projection to 512 and to 10, pixels 0 to 1",
            "temperature 0.5, batch 1,024, one layer of 256", "neither", "values of the method's own paper",
            rows=SIMCLR),
)  # fmt: skip
