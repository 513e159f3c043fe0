from .balance import Balance as Balance
from .balance import balance as balance
from .derived import Derived as Derived
from .flow import Flow as Flow
