"""Every metric by name. One declares itself, in its own file, above its function::

    @register_metric("jerk", label="jerk", unit="m/s³", better="lower", definition="…")
    def jerk(trace): ...

``navproof run --metric my.py:jerk`` takes a function from a file; without the decorator it is
called what the function is called, higher is better, and its docstring says what it is.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar, get_args, overload

from navproof.core.errors import SpecError, type_of
from navproof.core.names import parse_name
from navproof.core.registry import Registry
from navproof.log.results import ID_COLUMNS, TIMING_PREFIX
from navproof.log.trace import Trace
from navproof.metrics.protocol import FAMILIES, Better, Family, Metric, every_trace

__all__ = ["METRICS", "as_metric", "register_metric"]

F = TypeVar("F", bound=Callable[[Trace], float | None])
_declared: dict[Any, Metric] = {}


def as_metric(value: Any, name: str) -> Metric:
    """What stands under a name outside: a ``Metric``, or a function (see above)."""
    if isinstance(value, Metric):
        return value
    declared = next((metric for function, metric in _declared.items() if function is value), None)
    return declared or _made(value, name, parse_name(name, "metric").attribute)


def _made(function: Any, what: str, name: str, **details: Any) -> Metric:
    """A function as a metric; a ``SpecError`` where it cannot be one."""
    if not callable(function) or isinstance(function, type):
        raise SpecError(f"metric '{what}' is {type_of(function)}, not a function")
    try:
        inspect.signature(function).bind(None)
    except TypeError as error:
        raise SpecError(f"metric '{what}' must be a function of one trace: {error}") from None
    except ValueError:  # written in C, and it does not say what it takes
        pass
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise SpecError(f"'{name}' cannot be a metric's name: letters, digits and '_' only")
    if name in ID_COLUMNS or name.startswith(TIMING_PREFIX):
        raise SpecError(f"'{name}' cannot be a metric's name: results have such a column already")
    paragraph = (inspect.getdoc(function) or "").partition("\n\n")[0]
    words = " ".join(paragraph.split())
    about = {"label": name, "definition": words if not words or words[-1] in ".!?" else f"{words}."}
    about |= {key: value for key, value in details.items() if value or key not in about}
    usual = {"unit": "", "better": "higher", "source": "", "function": function}
    return Metric(name, **{**usual, **about})


METRICS: Registry[Metric] = Registry(
    "metric",
    home="navproof.metrics",
    group="navproof.metrics",
    declared_by="register_metric",
    convert=as_metric,
    place=lambda metric: FAMILIES.index(metric.family),
)


@overload
def register_metric(name: F, /) -> F: ...
@overload
def register_metric(
    name: str | None = None,
    *,
    label: str = "",
    unit: str = "",
    better: Better = "higher",
    definition: str = "",
    source: str = "",
    bounded: bool = False,
    binary: bool = False,
    family: Family = "other",
    applies: Callable[[Trace], bool] = every_trace,
) -> Callable[[F], F]: ...


def register_metric(
    name: str | F | None = None,
    *,
    label: str = "",
    unit: str = "",
    better: Better = "higher",
    definition: str = "",
    source: str = "",
    bounded: bool = False,
    binary: bool = False,
    family: Family = "other",
    applies: Callable[[Trace], bool] = every_trace,
) -> F | Callable[[F], F]:
    """Declare a function ``trace -> float | None`` as a metric, as a decorator.

    It goes by its own name unless another is given; ``label`` (by default the name) and ``unit``
    head its columns, ``definition`` (by default the first paragraph of the docstring) and
    ``source`` explain it. For the rest see ``Metric``. The function itself stays as it is.
    """
    if better not in get_args(Better):
        raise SpecError(f"of a metric higher or lower is better, not '{better}'")
    if family not in FAMILIES:
        raise SpecError(f"a metric's family is one of {', '.join(FAMILIES)}, not '{family}'")

    explicit_name = name if isinstance(name, str) else ""

    def declare(function: F, depth: int = 2) -> F:
        name_in_file = explicit_name or getattr(function, "__name__", "")
        metric = _made(
            *(function, name_in_file, name_in_file),
            label=label, unit=unit, better=better, source=source,
            definition=definition, bounded=bounded, binary=binary, family=family, applies=applies,
        )  # fmt: skip
        METRICS.add(name_in_file, metric, depth)
        _declared[function] = metric
        return function

    if name is None or isinstance(name, str):
        return declare
    return declare(name, depth=3)  # above a function, without brackets
