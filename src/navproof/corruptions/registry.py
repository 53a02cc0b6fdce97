"""Every corruption by name. One declares itself, in its own file, above its function::

    @register_corruption("fog", target="rgb", stands_for="Mist before the lens.")
    def fog(image, intensity, rng): ...

``navproof run -c my.py:fog@0.5`` takes a function from a file; without the decorator its first
parameter says what it spoils: ``image``, ``depth`` or ``text``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from navproof.core.errors import SpecError, type_of
from navproof.core.registry import Registry
from navproof.core.types import Instruction
from navproof.corruptions.navtrust import SINGLE
from navproof.corruptions.protocol import Corruption, Family, Target

__all__ = ["CORRUPTIONS", "register_corruption"]

F = TypeVar("F", bound=Callable[..., Any])
_FAMILY: dict[Target, Family] = {
    "rgb": "rgb", "depth": "depth", "words": "instruction", "prompt": "instruction",
    "mount": "body", "arrival": "body", "pose": "body", "drive": "body",
}  # fmt: skip
_BY_PARAMETER: dict[str, Target] = {
    "image": "rgb", "img": "rgb", "rgb": "rgb", "frame": "rgb", "depth": "depth",
    "text": "words", "words": "words", "instruction": "words",
}  # fmt: skip
_OPTIONAL = {"rgb": ("still",), "depth": ("still", "max_range_m")}
_declared: dict[Any, Corruption] = {}


def _corruption(value: Any, name: str) -> Corruption:
    """What stands under a name outside: a ``Corruption``, or a function (see above)."""
    if isinstance(value, Corruption):
        return value
    if not callable(value) or isinstance(value, type):
        raise SpecError(f"corruption '{name}' is {type_of(value)}, not a function")
    known = _declared.get(value)
    if known is not None:
        return _named(known, name)
    try:
        first = next(iter(inspect.signature(value).parameters), "")
    except (TypeError, ValueError):
        first = ""
    target = _BY_PARAMETER.get(first)
    if target is None:
        raise SpecError(
            f"corruption '{name}': it is not known what it spoils; call its first parameter image, "
            'depth or text, or put @nv.register_corruption(target="rgb") above it'
        )
    about = (inspect.getdoc(value) or "").partition("\n")[0]
    return Corruption(name, _FAMILY[target], target, _fitted(value, target), about, "")


def _named(known: Corruption, name: str) -> Corruption:
    return Corruption(
        name, known.family, known.target, known.apply, known.stands_for, known.source,
        known.default, known.lasting,
    )  # fmt: skip


def _fitted(function: Callable[..., Any], target: Target) -> Callable[..., Any]:
    """The function as the loop calls it: one that takes (x, intensity, rng) alone is not given
    what it has no parameter for. Words come as a plain text unless the first parameter is said to
    be an ``Instruction``."""
    optional = _OPTIONAL.get(target, ())
    parameters = inspect.signature(function).parameters
    if target == "words" and not _takes_structure(parameters):
        return _of_plain_text(function)
    takes_all = any(p.kind is p.VAR_POSITIONAL for p in parameters.values())
    given = [name for name in optional if name in parameters]
    if takes_all or len(given) == len(optional):
        return function

    def fitted(x: Any, intensity: float, rng: Any, *rest: Any) -> Any:
        told = dict(zip(optional, rest, strict=False))
        return function(x, intensity, rng, **{name: told[name] for name in given if name in told})

    return fitted


def _takes_structure(parameters: Mapping[str, inspect.Parameter]) -> bool:
    return any("Instruction" in str(p.annotation) for p in list(parameters.values())[:1])


def _of_plain_text(function: Callable[..., Any]) -> Callable[..., Any]:
    def of_plain_text(words: Any, intensity: float, rng: Any) -> Any:
        text = words.text if isinstance(words, Instruction) else words
        return function(text, intensity, rng)

    return of_plain_text


CORRUPTIONS: Registry[Corruption] = Registry(
    "corruption",
    home="navproof.corruptions",
    group="navproof.corruptions",
    declared_by="register_corruption",
    convert=_corruption,
    order=SINGLE,
)


def register_corruption(
    name: str | None = None,
    *,
    target: Target,
    stands_for: str = "",
    source: str = "",
    default: float = 0.6,
    lasting: bool = True,
) -> Callable[[F], F]:
    """Declare a function as a corruption, under its own name by default; for the signatures see
    ``Corruption``. The function itself stays as it is."""
    if target not in _FAMILY:
        raise SpecError(f"a corruption spoils one of {', '.join(_FAMILY)}, not '{target}'")

    def declare(function: F) -> F:
        known = name or function.__name__
        made = Corruption(
            known, _FAMILY[target], target, _fitted(function, target), stands_for, source, default,
            lasting,
        )  # fmt: skip
        CORRUPTIONS.add(known, made)
        _declared[function] = made
        return function

    return declare
