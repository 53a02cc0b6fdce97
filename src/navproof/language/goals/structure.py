"""What a goal's words say, as structure: ``GoalDescription`` and its flat form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from navproof.core.errors import EpisodeError
from navproof.core.types import Scalar
from navproof.language.lexicon.relations import RELATIONS

__all__ = ["ATTRIBUTES", "COUNTS", "GoalDescription"]

ATTRIBUTES = ("colour", "size", "pattern", "state", "material", "modifier")
"""Attributes that have words for values."""
COUNTS = (
    "doors",
    "drawers",
    "shelves",
    "seats",
    "cushions",
    "pillows",
    "panels",
    "panes",
    "blades",
)
"""Attributes that are counted."""


@dataclass(frozen=True, slots=True)
class GoalDescription:
    """A thing as it is described.

    ``attributes`` it has (``ATTRIBUTES`` with words, ``COUNTS`` with numbers); ``support`` is what
    it stands on; ``negation`` an attribute and a value that it does not have; ``relation`` (one of
    ``relations.RELATIONS``) to its ``anchors``, two for "between", one otherwise.
    ``coreference`` is a relation (or "on") to the object of the goal before, the "it" of "the lamp
    beside it".
    """

    category: str
    attributes: Mapping[str, Scalar] = field(default_factory=dict)
    support: GoalDescription | None = None
    negation: tuple[str, str] | None = None
    relation: str | None = None
    anchors: tuple[GoalDescription, ...] = ()
    coreference: str | None = None

    def __post_init__(self) -> None:
        if not self.category:
            raise EpisodeError("a goal description needs a category")
        for key, value in self.attributes.items():
            if key not in ATTRIBUTES and key not in COUNTS:
                raise EpisodeError(f"a goal description knows no attribute '{key}'")
            if not isinstance(value, int if key in COUNTS else str) or not value:
                kind = "a number" if key in COUNTS else "a word"
                raise EpisodeError(f"a goal's {key} must be {kind}, not {value!r}")
        expected = 0 if self.relation is None else 2 if self.relation == "between" else 1
        if len(self.anchors) != expected:
            raise EpisodeError(
                f"relation '{self.relation}' takes {expected} anchors, not {len(self.anchors)}"
            )
        for name in (self.relation, self.coreference):
            if name is not None and name not in (*RELATIONS, "on"):
                raise EpisodeError(f"a goal description knows no relation '{name}'")

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.facts().items())))

    @property
    def is_bare(self) -> bool:
        """Whether it is a category and nothing else."""
        return len(self.facts()) == 1

    def parts(self) -> Iterator[GoalDescription]:
        """Itself, then what it names besides, in the order in which that is said."""
        yield self
        if self.support is not None:
            yield from self.support.parts()
        for anchor in self.anchors:
            yield from anchor.parts()

    # ---------------------------------------------------------------------------------- flat form
    def facts(self) -> dict[str, Scalar]:
        """As ``Goal.description`` stores it: ``category``, ``attr.colour``, ``not.colour``,
        ``relation``, ``coreference``; ``support.…``, ``anchor.0.…`` hold the same of others."""
        stored: dict[str, Scalar] = {"category": self.category}
        stored |= {f"attr.{key}": self.attributes[key] for key in sorted(self.attributes)}
        if self.negation is not None:
            stored[f"not.{self.negation[0]}"] = self.negation[1]
        if self.support is not None:
            stored |= {f"support.{key}": value for key, value in self.support.facts().items()}
        if self.relation is not None:
            stored["relation"] = self.relation
        for index, anchor in enumerate(self.anchors):
            stored |= {f"anchor.{index}.{key}": value for key, value in anchor.facts().items()}
        if self.coreference is not None:
            stored["coreference"] = self.coreference
        return stored

    @classmethod
    def from_facts(cls, facts: Mapping[str, Scalar]) -> GoalDescription:
        """The description that ``facts`` stores. Raises ``EpisodeError`` for anything else."""
        own: dict[str, Scalar] = {}
        nested: dict[str, dict[str, Scalar]] = {}
        for key, value in facts.items():
            head, _, rest = key.partition(".")
            if head == "anchor":
                index, _, rest = rest.partition(".")
                head = f"anchor.{index}"
            if head == "support" or head.startswith("anchor."):
                nested.setdefault(head, {})[rest] = value
            else:
                own[key] = value
        negations = [(k[4:], str(v)) for k, v in own.items() if k.startswith("not.")]
        known = ("category", "relation", "coreference")
        strange = [k for k in own if k not in known and not k.startswith(("attr.", "not."))]
        if strange or len(negations) > 1 or not set(nested) <= {"support", "anchor.0", "anchor.1"}:
            raise EpisodeError(f"not a goal description: {dict(facts)}")
        return cls(
            category=str(own.get("category") or ""),
            attributes={k[5:]: v for k, v in own.items() if k.startswith("attr.")},
            support=cls.from_facts(nested["support"]) if "support" in nested else None,
            negation=negations[0] if negations else None,
            relation=_word(own.get("relation")),
            anchors=tuple(cls.from_facts(nested[k]) for k in sorted(nested) if k != "support"),
            coreference=_word(own.get("coreference")),
        )


def _word(value: Scalar) -> str | None:
    return None if value is None else str(value)
