"""Goals in words: what a description says, what it fits, how it is drawn, said and proved.

>>> description = draw_descriptions(scene, target_id, rng)[0]     # a structure …
>>> ids = matches(description, scene)                             # … its meaning …
>>> text = say(description, rng, unique_parts(description, scene))  # … and its words
"""

from __future__ import annotations

from navproof.language.goals.check import check_goal
from navproof.language.goals.draw import Detail, draw_descriptions
from navproof.language.goals.match import ambiguous, matches
from navproof.language.goals.structure import ATTRIBUTES, COUNTS, GoalDescription
from navproof.language.goals.words import say, unique_parts

__all__ = [
    "ATTRIBUTES",
    "COUNTS",
    "Detail",
    "GoalDescription",
    "ambiguous",
    "check_goal",
    "draw_descriptions",
    "matches",
    "say",
    "unique_parts",
]
