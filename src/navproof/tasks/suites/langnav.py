"""LangNav, as large as the splits of LangNavBench."""

from __future__ import annotations

from navproof.tasks.suites.registry import Suite, register_suite
from navproof.tasks.suites.spread import MINI, scenes, spread

_TASK = "langnav-v1"
_VAL, _TEST = scenes("val", 16, 1), scenes("test", 11, 1)

register_suite(
    Suite("langnav-mini", "2 homes and an office, 12 LangNav episodes", spread(MINI, 12, _TASK))
)
register_suite(
    Suite(
        "langnav-val",
        "16 homes and 4 commercial spaces, 832 LangNav episodes, as many as the paper's",
        spread(_VAL, 832, _TASK),
    )
)
register_suite(
    Suite(
        "langnav-test",
        "11 homes and 4 commercial spaces, 750 LangNav episodes, other goal categories",
        spread(_TEST, 750, _TASK),
    )
)
register_suite(
    Suite(
        "langnav-ext-val",
        "as langnav-val, 200 episodes with negation, anchors, sides and coreference",
        spread(_VAL, 200, _TASK, extended=True),
    )
)
register_suite(
    Suite(
        "langnav-ext-test",
        "as langnav-test, 200 episodes with negation, anchors, sides and coreference",
        spread(_TEST, 200, _TASK, extended=True),
    )
)
