"""What a category is, how its attributes are chosen, and what a builder function is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.registry import suggest
from navproof.core.types import Point, Scalar
from navproof.world.catalog.sizes import SIZES
from navproof.world.meshing import MeshBuilder
from navproof.world.model import ModelLight, Surface
from navproof.world.scene import RGB, Material
from navproof.world.textures.palette import (
    COLOURS,
    MATERIAL_COLOURS,
    PATTERN_TEXTURE,
    PATTERNED_MATERIALS,
    TEXTURE_OF,
    shade,
    srgb,
)

__all__ = ["REGISTRY", "SIZE_SCALE", "Category", "Entry", "Kit", "category", "choose"]

Values: TypeAlias = tuple[Scalar, ...]
Extent: TypeAlias = tuple[float, float, float]

SIZE_SCALE: Mapping[str, tuple[float, float]] = {
    "small": (0.74, 0.82),
    "medium": (0.95, 1.05),
    "large": (1.20, 1.30),
}
"""Factor on the category's usual dimensions for each size word."""
_PLAIN = "plain"
_BARE_WOOD = ("brown", "beige", "grey", "black")  # the others are painted
_KRAFT = srgb(156, 106, 66)  # unbleached board is a paler brown than wood
_SECOND_COLOURS = ("white", "black", "beige", "grey")


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of object. ``attributes`` lists what ``build`` may choose or be asked for;
    ``dimensions`` the measures that can be asked for besides, as (lowest, highest): lengths in
    metres (``_m``) and angles in degrees (``_deg``)."""

    name: str
    plural: str
    supercategory: str
    position_kind: str  # "floor" | "on" | "wall" | "ceiling" | "opening"
    attributes: Mapping[str, Values]
    size_m: tuple[Extent, Extent]
    dimensions: Mapping[str, tuple[float, float]] = field(default_factory=dict)


class Kit:
    """The tools with which one object is made: mesh builder, chosen attributes, randomness."""

    def __init__(
        self,
        rng: np.random.Generator,
        chosen: dict[str, Scalar],
        lengths: dict[str, float],
        wanted: frozenset[str] = frozenset(),
    ) -> None:
        self.b = MeshBuilder()
        self.wanted = wanted
        self.rng = rng
        self.chosen = chosen
        self.lengths = lengths
        self.surfaces: list[Surface] = []
        self.light: ModelLight | None = None
        low, high = SIZE_SCALE[str(chosen.get("size", "medium"))]
        self.k = self.u(low, high)
        self._tone = self.u(0.92, 1.06)

    # ------------------------------------------------------------------ choices
    def u(self, low: float, high: float) -> float:
        """A uniform random number in [low, high], rounded to a tenth of a millimetre."""
        return round(low + (high - low) * float(self.rng.random()), 4)

    def word(self, name: str) -> str:
        return str(self.chosen.get(name, ""))

    def count(self, name: str) -> int:
        return int(self.chosen[name])  # type: ignore[arg-type]

    def prefer(self, name: str, value: Scalar) -> None:
        """Change an attribute to what suits the rest of the object, unless it was asked for."""
        if name not in self.wanted:
            self.chosen[name] = value

    def length(self, name: str, low: float, high: float) -> float:
        """The length that was asked for, or a random one."""
        value = self.u(low, high)
        return self.lengths.get(name, value)

    def one_of(self, *options: str) -> str:
        return options[int(self.rng.integers(len(options)))]

    # ------------------------------------------------------------------ looks
    def paint(
        self, colour: str | RGB, material: str = "plastic", pattern: str = _PLAIN, tone: float = 1.0
    ) -> Material:
        """The look of ``material`` in ``colour``, with ``pattern`` in the second colour."""
        rgb = COLOURS[colour] if isinstance(colour, str) else colour
        texture = TEXTURE_OF[material]
        if pattern != _PLAIN:
            second = COLOURS[self.word("colour2")]
            return Material(PATTERN_TEXTURE[pattern], shade(rgb, tone), shade(second, tone))
        if material == "glass":
            return Material(texture, shade((rgb[0] + 0.02, rgb[1] + 0.02, rgb[2] + 0.02), 1.15))
        if material == "cardboard" and colour == "brown":
            return Material(texture, shade(_KRAFT, tone))
        if material == "wood" and colour not in _BARE_WOOD:
            texture = "painted_wood"
        lift = {"wood": 1.22, "fabric": 1.10, "leather": 1.14, "metal": 1.15, "wicker": 1.3}
        return Material(texture, shade(rgb, tone * lift.get(material, 1.0)))

    @property
    def main(self) -> Material:
        """The look that the chosen colour, material and pattern ask for."""
        return self.paint(
            self.word("colour") or "white",
            self.word("material") or "plastic",
            self.word("pattern") or _PLAIN,
            self._tone,
        )

    def steel(self, tone: float = 1.0) -> Material:
        return Material("metal", shade((0.56, 0.57, 0.59), tone))

    def dark(self) -> Material:
        return Material("plain", (0.025, 0.025, 0.028))

    def wood(self, tone: float = 1.0, dark: bool = False) -> Material:
        return Material("wood", shade((0.14, 0.075, 0.04) if dark else (0.42, 0.26, 0.13), tone))

    def lit(self, colour: RGB = (1.0, 0.88, 0.68), emission: float = 1.0) -> Material:
        return Material("plain", colour, emission=emission)

    # ------------------------------------------------------------------ results
    def stand(
        self, x: float, y: float, z: float, sx: float, sy: float, clearance_m: float = 0.6
    ) -> None:
        """A place for small things, centred at (x, y)."""
        if sx > 0.05 and sy > 0.05:
            self.surfaces.append(Surface(x, y, z, sx, sy, clearance_m))

    def glow(self, position: Point, power: float, colour: RGB = (1.0, 0.86, 0.66)) -> None:
        self.light = ModelLight(position, colour, power)


Maker: TypeAlias = Callable[[Kit], None]


@dataclass(frozen=True, slots=True)
class Entry:
    """A category with its maker and the weighted values it chooses from (repeats are weights)."""

    category: Category
    make: Maker
    values: Mapping[str, Values]


REGISTRY: dict[str, Entry] = {}


def category(
    name: str,
    plural: str,
    supercategory: str,
    kind: str = "floor",
    lengths: Mapping[str, tuple[float, float]] | None = None,
    **values: Values,
) -> Callable[[Maker], Maker]:
    """Register a maker. ``values`` are the attributes' possible values; a value that is repeated
    is chosen more often. ``size_m`` comes from the table of measured sizes."""

    def register(make: Maker) -> Maker:
        attributes = {key: tuple(dict.fromkeys(options)) for key, options in values.items()}
        if len(attributes.get("pattern", ())) > 1:
            attributes["colour2"] = _SECOND_COLOURS
        REGISTRY[name] = Entry(
            Category(name, plural, supercategory, kind, attributes, SIZES[name], lengths or {}),
            make,
            values,
        )
        return make

    return register


def choose(
    entry: Entry, rng: np.random.Generator, wanted: Mapping[str, Scalar]
) -> tuple[dict[str, Scalar], dict[str, float]]:
    """The attributes and lengths of an object: those that are wanted, and random values for the
    rest, consistent with each other.

    Every attribute draws from ``rng`` whether it is wanted or not, so that asking for one does not
    change the others. Raises ``SceneError`` for a name, value or combination that does not exist.
    """
    what = entry.category
    lengths: dict[str, float] = {}
    for key, value in wanted.items():
        if key in what.dimensions:
            low, high = what.dimensions[key]
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise SceneError(f"{what.name}: {key} must be a number, not {value!r}")
            if not low <= value <= high:
                raise SceneError(f"{what.name}: {key} {value} is not between {low} and {high}")
            lengths[key] = float(value)
        elif key not in what.attributes:
            hint = suggest(key, [*what.attributes, *what.dimensions])
            raise SceneError(f"{what.name} has no attribute '{key}'{hint}")
        elif value not in what.attributes[key]:
            hint = suggest(str(value), [str(v) for v in what.attributes[key]])
            raise SceneError(f"{what.name} cannot have {key} '{value}'{hint}")
    chosen: dict[str, Scalar] = {}
    for key, options in entry.values.items():
        chosen[key] = options[int(rng.integers(len(options)))]
    spare = rng.random(4)
    chosen.update({k: v for k, v in wanted.items() if k not in lengths})
    _reconcile(entry, chosen, wanted, spare)
    return chosen, lengths


def _pick(options: Values, spare: float) -> Scalar:
    return options[min(int(spare * len(options)), len(options) - 1)]


def _contrast(colour: str) -> Values:
    """Second colours that a pattern on ``colour`` is clearly seen in."""
    if colour in ("white", "beige", "yellow", "pink"):
        return ("black", "grey")
    return ("white", "beige") if colour != "grey" else ("white", "black")


def _reconcile(
    entry: Entry,
    chosen: dict[str, Scalar],
    wanted: Mapping[str, Scalar],
    spare: NDArray[np.float64],
) -> None:
    """Make colour, material, pattern and second colour agree, keeping what was wanted."""
    name, values = entry.category.name, entry.values
    materials = values.get("material", ())
    patterned = chosen.get("pattern", _PLAIN) != _PLAIN

    def fits(material: Scalar, colour: Scalar) -> bool:
        return colour is None or colour in MATERIAL_COLOURS.get(str(material), COLOURS)

    if patterned and materials and chosen["material"] not in PATTERNED_MATERIALS:
        able: Values = tuple(m for m in materials if m in PATTERNED_MATERIALS)
        if wanted.get("pattern", _PLAIN) == _PLAIN:
            chosen["pattern"] = _PLAIN
        elif "material" in wanted or not able:
            raise SceneError(
                f"{name}: a {chosen['material']} one cannot be {chosen['pattern']}; "
                f"patterns go with {', '.join(sorted(PATTERNED_MATERIALS))}"
            )
        else:
            chosen["material"] = _pick(able, float(spare[0]))
    if materials and not fits(chosen["material"], chosen.get("colour")):
        colours = tuple(c for c in values.get("colour", ()) if fits(chosen["material"], c))
        able = tuple(m for m in materials if fits(m, chosen.get("colour")))
        if "colour" not in wanted and colours:
            chosen["colour"] = _pick(colours, float(spare[1]))
        elif "material" not in wanted and able:
            chosen["material"] = _pick(able, float(spare[1]))
        else:
            raise SceneError(f"{name}: {chosen['material']} does not come in {chosen['colour']}")
    if chosen.get("pattern", _PLAIN) != _PLAIN:
        if "colour2" not in wanted:
            chosen["colour2"] = _pick(_contrast(str(chosen.get("colour"))), float(spare[2]))
        elif chosen["colour2"] == chosen.get("colour"):
            raise SceneError(f"{name}: colour2 must differ from colour '{chosen['colour']}'")
    else:
        if "colour2" in wanted and "colour2" not in values:
            raise SceneError(f"{name}: colour2 needs a pattern; ask for a pattern as well")
        chosen.pop("pattern", None)
