"""What an instruction forbids stays forbidden in every style."""

from __future__ import annotations

import re

import pytest

from navproof.core.seeding import keyed
from navproof.language.styles.content import content_of, kept
from navproof.language.styles.styles import STYLES, restyle

FORBIDDING = (
    ("Don't go into the bathroom, walk past it and stop.", "into the bathroom"),
    ("Walk past the sofa, but don’t turn left at the desk.", "turn left at the desk"),
    ("Do not enter the kitchen. Turn right at the lamp.", "enter the kitchen"),
    ("Never walk through the office, turn left instead.", "walk through the office"),
    ("Stop at the door without going through it.", "going through it"),
)
_NOT = r"(?:not|never|without|don['’]t)"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("text", "deed"), FORBIDDING)
def test_no_style_does_what_was_forbidden(style: str, text: str, deed: str) -> None:
    for seed in range(12):
        said = restyle(text, style, keyed(seed))
        assert kept(text, said) == []
        assert len(re.findall(rf"{_NOT}\b", re.sub("am not|if not", "", said), re.I)) == 1, said
        first = deed.split()[0]
        assert re.search(rf"\b{_NOT} (?:\w+ ){{0,2}}?\b{first}\b", said, re.I), said
        forbidden = re.search(rf"{_NOT}\b[^.!?;]*", re.sub("am not|if not", "", said), re.I)
        assert forbidden
        assert not re.search(r"\band (?:turn|walk|head|stop)", forbidden.group()), said


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Do not enter the bathroom.", "Enter the bathroom."),
        ("Enter the bathroom.", "Don't enter the bathroom."),
        ("Walk through the kitchen, not the bedroom.", "Walk through the kitchen and the bedroom."),
    ],
)
def test_a_negation_is_content(before: str, after: str) -> None:
    assert any("not" in line for line in kept(before, after))


def test_how_it_is_forbidden_does_not_matter() -> None:
    assert content_of("Do not enter the den.") == content_of("Don’t enter the den.")
