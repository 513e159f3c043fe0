from .distribution import FinalDistanceDistribution as FinalDistanceDistribution
from .distribution import final_distance_distribution as final_distance_distribution
from .final_distance import final_distance as final_distance
from .fixed_points import FixedPoint as FixedPoint
from .fixed_points import fixed_points as fixed_points
from .loss import loss as loss
from .plateau import escape_time as escape_time
from .solution import crossing_time as crossing_time
from .trajectory import trajectory as trajectory

FORMS: dict[str, str]
