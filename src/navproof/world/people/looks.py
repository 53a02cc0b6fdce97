"""The appearances of six people: what can be said of each, and what that looks like.

They differ in gender, skin, age, height and clothes, as OmniNavBench's six characters do (its Fig.
6), and each main garment has a colour of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from navproof.core.types import Scalar
from navproof.world.scene import RGB
from navproof.world.textures.palette import COLOURS, srgb

__all__ = ["APPEARANCES", "Appearance", "Garment"]

Hair = Literal["curly", "short", "long", "bun", "bald"]
Cut = Literal["jacket", "jumper", "shirt", "dress", "cardigan", "vest", "trousers", "skirt"]


@dataclass(frozen=True, slots=True)
class Garment:
    """A piece of clothing: its cut, the word for its colour, the word for it ("" = the cut)."""

    cut: Cut
    colour: str
    word: str = ""

    @property
    def words(self) -> str:
        return f"{self.colour} {self.word or self.cut}"

    @property
    def rgb(self) -> RGB:
        return COLOURS[self.colour]


@dataclass(frozen=True, slots=True)
class Appearance:
    """The looks of a person. ``stature`` and ``age`` are words or "", ``extra`` is another striking
    feature ("glasses"), ``under`` is worn beneath an open ``upper``, and ``build`` scales
    widths."""

    name: str
    noun: Literal["woman", "man"]
    height_m: float
    skin: str
    hair: Hair
    hair_colour: str
    upper: Garment
    lower: Garment | None
    shoes: str
    stature: str = ""
    age: str = ""
    extra: str = ""
    under: str = "white"
    build: float = 1.0

    @property
    def hair_words(self) -> str:
        """ "curly black hair", "grey hair in a bun", "" for somebody bald."""
        if self.hair == "bald":
            return ""
        if self.hair == "bun":
            return f"{self.hair_colour} hair in a bun"
        shape = "" if self.hair == "short" else f"{self.hair} "
        return f"{shape}{self.hair_colour} hair"

    @property
    def features(self) -> Mapping[str, str]:
        """Everything that can be said of her, by what it is about."""
        found = {
            "upper": self.upper.words,
            "lower": self.lower.words if self.lower else "",
            "hair": self.hair_words,
            "bald": "bald" if self.hair == "bald" else "",
            "stature": self.stature,
            "age": self.age,
            "extra": self.extra,
        }
        return {kind: words for kind, words in found.items() if words}

    @property
    def attributes(self) -> Mapping[str, Scalar]:
        """As an object's attributes: what is true of her, for ground truth."""
        return {
            "colour": self.upper.colour,
            "gender": self.noun,
            "skin": self.skin,
            "height_m": self.height_m,
            **self.features,
        }


SKIN: Mapping[str, RGB] = MappingProxyType(
    {
        "dark": srgb(96, 60, 42),
        "brown": srgb(156, 104, 72),
        "olive": srgb(196, 148, 108),
        "light": srgb(232, 188, 160),
        "pale": srgb(240, 206, 186),
    }
)
"""Word to linear RGB."""

HAIR: Mapping[str, RGB] = MappingProxyType(
    {
        "black": srgb(26, 23, 24),
        "blond": srgb(214, 176, 104),
        "grey": srgb(176, 176, 178),
    }
)
"""Word to linear RGB."""

APPEARANCES: Mapping[str, Appearance] = MappingProxyType(
    {
        look.name: look
        for look in (
            Appearance(
                "red_jacket", "woman", 1.71, "dark", "curly", "black",
                Garment("jacket", "red"), Garment("trousers", "black"), "white",
                under="white",
            ),
            Appearance(
                "blue_jumper", "man", 1.92, "light", "short", "blond",
                Garment("jumper", "blue"), Garment("trousers", "beige"), "brown",
                stature="tall",
            ),
            Appearance(
                "white_shirt", "man", 1.72, "olive", "short", "black",
                Garment("shirt", "white"), Garment("trousers", "grey"), "black",
                extra="glasses", build=0.96,
            ),
            Appearance(
                "yellow_dress", "woman", 1.58, "brown", "long", "black",
                Garment("dress", "yellow"), None, "red",
                stature="short",
            ),
            Appearance(
                "green_cardigan", "woman", 1.65, "pale", "bun", "grey",
                Garment("cardigan", "green"), Garment("skirt", "purple"), "black",
                age="older", under="beige", build=1.04,
            ),
            Appearance(
                "orange_vest", "man", 1.80, "olive", "bald", "black",
                Garment("vest", "orange"), Garment("trousers", "blue", "jeans"), "brown",
                extra="beard", under="black", build=1.06,
            ),
        )
    }
)  # fmt: skip
"""The people there are, by name."""
