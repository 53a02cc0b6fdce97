"""One line of what a conformance check found, and how such lines are made."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from navproof.core.blame import blame
from navproof.core.errors import NavproofError

__all__ = ["Check", "NotChecked", "Wrong", "checked", "other_global_seed"]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the result: what was seen and, where it is wrong, how to mend it. ``ok`` is None
    where the check could not be made, or where what was seen is only worth knowing."""

    name: str
    ok: bool | None
    what: str
    mend: str = ""


class Wrong(Exception):
    """A check that failed; the text says what was seen."""


class NotChecked(Exception):
    """A check that does not apply, or that found something worth knowing; the text says what."""


def checked(name: str, mend: str, test: Callable[[], str]) -> Check:
    """Run ``test``, which returns what it saw or raises ``Wrong``; anything else that is raised is
    a failure, too, told with its place in the user's file."""
    try:
        return Check(name, True, test())
    except NotChecked as why:
        return Check(name, None, str(why))
    except (Wrong, NavproofError) as error:
        return Check(name, False, str(error), mend)
    except (Exception, SystemExit) as error:
        return Check(name, False, f"raised {blame(error)}", mend)


@contextlib.contextmanager
def other_global_seed(seed: int = 12345) -> Iterator[None]:
    """Global random state as another process might have it; put back afterwards."""
    plain, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(plain)
        np.random.set_state(numpy_state)  # noqa: NPY002
