"""The value types under one short name, for users: ``from navproof.types import SensorSpec``.

They are defined in ``navproof.core.types``, which navproof itself imports.
"""

from navproof.core.types import *  # noqa: F403
from navproof.core.types import __all__ as __all__
