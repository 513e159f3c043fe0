from .page import Page as Page
from .page import explore as explore
