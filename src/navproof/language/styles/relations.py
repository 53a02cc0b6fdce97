"""What each style says for the words around the landmarks: where, when, on which side."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["RELATIONS"]

_SIDE_ENDS = (
    r"(?= *(?:$|[.,;:!?)])| (?:and|into|through|past|with|that|which|when|until|before|after|at|to"
    r"|in|as|is|by|just|then|where|from|near|next|beside|towards?|for|up|down|once|behind|or)\b)"
)
_REACH = r"(?:reach|get to|come to|arrive at|are at|get|see)"
RELATIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "friendly": (
        (rf"until you {_REACH}(?= (?:the|a|an|your)\b)", "till you get to|till you hit"),
        (
            r"(?:once|when|as soon as|after) you(?: have|'ve)? (?:reach(?:ed)?|get to|come to)",
            "once you get to|when you hit|once you've made it to|when you get to",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you pass|passing)(?= \w)(?! through)",
            "once you're past",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you (?:leave|exit)|leaving|exiting)",
            "once you're out of",
        ),
        (r"(?:just )?(?:after|as|once|when) (?:you enter|entering)", "once you're inside"),
        (r"you are(?= )", "you're"),
        (r"you have(?= \w+ed\b)", "you've"),
        (r"you will", "you'll"),
        (r"(?:right |just |directly )?in front of", "right in front of"),
        (r"(?:right |just |directly )?(?:next to|beside)", "right by|right next to|right beside"),
        (r"near(?= (?:the|a|an)\b)", "close to|near|over by"),
        (r"that is", "that's"),
        (r"through(?= (?:the|a|an)\b)", "through"),
    ),
    "novice": (
        (rf"until you {_REACH}(?= (?:the|a|an|your)\b)", "until you get to|until you are at"),
        (r"until reaching", "until you get to"),
        (
            r"(?:once|when|as soon as|after) you(?: have|'ve)? (?:reach(?:ed)?|get to|come to)",
            "when you get to|when you are at|when you come to",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you pass|passing)(?= \w)(?! through)",
            "after you go past",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you (?:leave|exit)|leaving|exiting)",
            "after you go out of",
        ),
        (r"(?:just )?(?:after|as|once|when) (?:you enter|entering)", "after you go into"),
        (r"you're", "you are"),
        (r"you'll", "you will"),
        (r"(?:next to|beside|adjacent to|alongside)", "next to|close to|near"),
        (r"in between", "between"),
        (rf"(?:on|to) (?:your|the) (left|right){_SIDE_ENDS}", r"on the \1 side|on your \1"),
    ),
    "professional": (
        (rf"until you {_REACH}(?= (?:the|a|an|your)\b)", "until reaching|until arrival at"),
        (
            r"(?:once|when|as soon as|after) you(?: have|'ve)? (?:reach(?:ed)?|get to|come to)",
            "upon reaching|on arrival at|upon arrival at",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you pass|passing)(?= \w)(?! through)",
            "after passing|upon passing",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you (?:leave|exit)|leaving|exiting)",
            "upon exiting|after exiting|upon departing",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you enter|entering)",
            "upon entering|after entering",
        ),
        (r"at(?= the (?:top|bottom|end|foot)\b)", "upon reaching|at"),
        (r"(?:right |just |directly )?in front of", "directly in front of"),
        (r"(?:right |just |directly )?(?:next to|beside)", "adjacent to|immediately adjacent to"),
        (r"near(?= (?:the|a|an)\b)", "in the vicinity of|adjacent to"),
        (
            rf"(?:on|to) (?:your|the) (left|right){_SIDE_ENDS}",
            r"on the \1-hand side|on your \1-hand side|located on the \1",
        ),
        (r"towards?(?= (?:the|a|an)\b)", "in the direction of|toward"),
        (r"through(?= the door)", "via|through"),
        (r"with(?= (?:the|a|an)\b)", "featuring|with"),
        (r"you're", "you are"),
        (r"you'll", "you will"),
    ),
    "formal": (
        (
            rf"until you {_REACH}(?= (?:the|a|an|your)\b)",
            "until you arrive at|until such time as you reach",
        ),
        (
            r"(?:once|when|as soon as|after) you(?: have|'ve)? (?:reach(?:ed)?|get to|come to)",
            "upon reaching|upon your arrival at|once you have arrived at",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you pass|passing)(?= \w)(?! through)",
            "having passed|upon passing",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you (?:leave|exit)|leaving|exiting)",
            "upon leaving|upon departing",
        ),
        (
            r"(?:just )?(?:after|as|once|when) (?:you enter|entering)",
            "upon entering|having entered",
        ),
        (r"at(?= the (?:top|bottom|end|foot)\b)", "upon reaching|at"),
        (r"(?:right |just |directly )?(?:next to|beside)", "alongside|adjacent to"),
        (r"near(?= (?:the|a|an)\b)", "in the vicinity of|close to"),
        (
            rf"(?:on|to) (?:your|the) (left|right){_SIDE_ENDS}",
            r"on your \1-hand side|upon your \1|to your \1-hand side",
        ),
        (r"towards?(?= (?:the|a|an)\b)", "in the direction of|toward"),
        (r"you're", "you are"),
        (r"you'll", "you will"),
        (r"(?<!over )(?<!is )(?<!are )there$", "at that location|there"),
    ),
}
"""Style → (what is found, what may stand for it), for the words around the landmarks."""
