"""The quantities that the studies of collapse measure."""

from bridge.results.quantity import quantities_of

quantity, logarithm = quantities_of("collapse")

TRAINING_ACCURACY = quantity("training_accuracy", "accuracy on the training images at the end")
TRAINING_LOSS = quantity("training_loss", "cross-entropy of the training images at the end, nats")
TEST_ACCURACY = quantity("test_accuracy", "accuracy on the test images at the end")
TEST_LOSS = quantity("test_loss", "cross-entropy of the test images at the end, nats")
LEAD = quantity("lead", "lead in test accuracy")
TEST_LOSS_RISE = quantity("test_loss_rise", "rise of the test loss since the tenth epoch, nats")
DIMENSION = quantity("dimension", "number of features of a layer")

NC1 = quantity("nc1", "NC1 of a layer, geometric mean")
LOG_NC1 = logarithm("log_nc1", "NC1, classes weighted by size")
LOG_NC1_EQUAL = logarithm("log_nc1_equal", "NC1, classes of equal weight")
LOG_TRACE_RATIO = logarithm("log_trace_ratio", "tr Σ_W / tr Σ_B")
LOG_NC1_GAP = quantity(
    "log_nc1_gap", "log NC1 of the test images minus that of the training images"
)
RANGE_RISE = quantity("range_rise", "rise of the range of log NC1 over the layers by training")
GAP_CORRELATION = quantity(
    "gap_correlation", "correlation of compression gap and generalisation gap"
)
LOG_NC1_RISE = quantity(
    "log_nc1_rise", "rise of log NC1 of the last layer with imbalanced classes"
)
LOG_NC1_EQUAL_RISE = quantity(
    "log_nc1_equal_rise",
    "rise of log NC1 of the last layer, classes of equal weight, with imbalanced classes",
)
LOG_TRACE_RATIO_RISE = quantity(
    "log_trace_ratio_rise", "rise of log tr Σ_W / tr Σ_B of the last layer with imbalanced classes"
)
ACCURACY_RISE = quantity("accuracy_rise", "rise of the test accuracy with imbalanced classes")

CORRELATION = quantity("correlation", "Pearson's correlation of log NC1 and the layer")
STEP = quantity("step", "step of log NC1 from layer to layer")
BEND = quantity("bend", "difference of the steps of log NC1")
LATER_STEP = quantity("later_step", "later step of log NC1, which the law says is the first step")
LATER_TRACE_STEP = quantity(
    "later_trace_step", "later step of log tr Σ_W / tr Σ_B, which the law says is the first step"
)

SUFFICIENCY_FIRST = quantity("sufficiency_first", "sufficiency at the first measured epoch, bits")
SUFFICIENCY_LAST = quantity("sufficiency_last", "sufficiency at the end, bits")
MINIMALITY_FIRST = quantity("minimality_first", "minimality at the first measured epoch, bits")
MINIMALITY_LAST = quantity("minimality_last", "minimality at the end, bits")
SUFFICIENCY_GAP = quantity(
    "sufficiency_gap", "sufficiency of the training minus that of the test images, bits"
)
MINIMALITY_GAP = quantity(
    "minimality_gap", "minimality of the training minus that of the test images, bits"
)
LATER_CHANGE = quantity(
    "later_change", "change of minimality after the beginning of training, bits"
)
DROP_LEAD = quantity(
    "drop_lead", "how much more minimality drops after this layer than after any other, bits"
)
MINIMALITY_LEAD = quantity(
    "minimality_lead", "minimality that a network keeps beyond another one, bits"
)
