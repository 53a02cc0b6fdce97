"""Whether an answer is right: words, numerals, denials, rivals; and the paper's plain rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.types import Question
from navproof.language.questions.answer_words import tokens
from navproof.language.questions.answers import RULES, matches, matches_substring

TWO = Question("How many chairs are there in the kitchen?", "count", "2")
RED = Question("What colour is the mug on the brown desk?", "colour", "red", ("crimson",))
BLUE = Question("What colour is the sofa?", "colour", "blue")
DARK = Question("What colour is the sofa?", "colour", "dark blue")
YES = Question("Is there a mug in the study?", "existence", "yes", ("yeah", "yep"))
NO = Question("Is there a mug in the study?", "existence", "no", ("nope",))
ON = Question("Is the lamp in the study on or off?", "state", "on", ("switched on",))
OFF = Question("Is the lamp in the study on or off?", "state", "off", ("switched off",))
AJAR = Question("Is the cabinet closed or ajar?", "state", "ajar", ("half open", "open"))
DESK = Question("What is the laptop lying on?", "location", "desk", ("writing desk",))
OFFICE = Question("Which room is the copier in?", "location", "office")
WOOD = Question("What is the table made of?", "attribute", "wood", ("wooden",))
TALLER = Question("Which is taller, the bookshelf or the sofa?", "comparison", "bookshelf")
PLATES = Question("Which are there more of, bottles or plates?", "comparison", "plates", ("plate",))

RIGHT = [
    *((TWO, text) for text in ("2", "two", "Two.", "2.", "2.0", "02", "There are TWO chairs!")),
    *((TWO, text) for text in ("not 3 but 2", "I counted two chairs.", " 2\n")),
    *((RED, text) for text in ("red", "It is Red.", "bright red", "crimson", "red, not blue")),
    (RED, "The mug on the brown desk is red."),
    *((BLUE, text) for text in ("dark blue", "light-blue", "It's blue")),
    (DARK, "a dark blue sofa"),
    *((YES, text) for text in ("yes", "Yes, there is.", "Yeah", "I think so: yes")),
    *((NO, text) for text in ("No.", "no, there is no mug", "Nope", "There is no mug.")),
    *((ON, text) for text in ("on", "It is switched on.", "The lamp on the desk is on.")),
    *((OFF, text) for text in ("off", "The lamp on the desk is off.", "It is not on but off")),
    *((AJAR, text) for text in ("ajar", "It is half open", "It's not closed, it is open")),
    *((DESK, text) for text in ("desk", "on the desk", "a writing desk")),
    (DESK, "It is on the desk next to the lamp."),
    *((OFFICE, text) for text in ("the office", "In the office.")),
    *((WOOD, text) for text in ("wood", "It is wooden", "made of wood")),
    *((TALLER, text) for text in ("bookshelf", "The bookshelf is taller than the sofa.")),
    *((PLATES, text) for text in ("plates", "There are more plates than bottles")),
]
WRONG = [
    *((TWO, text) for text in ("12", "22", "2.5", "2nd", "twenty-two", "two or three", "1 2 3 4")),
    *((TWO, text) for text in ("not two", "three", "", "  ", "?", "tow", "many", "1,002")),
    *((RED, text) for text in ("not red", "it isn't red", "bored", "tired", "red or blue")),
    *(
        (RED, text)
        for text in ("brown", "blue, not red", "red orange yellow green blue", "reddish")
    ),
    *((RED, text) for text in ("anything but red", "blue rather than red", "never red")),
    *((BLUE, text) for text in ("blue-green", "navy", "not dark blue", "bluebird")),
    *((DARK, text) for text in ("blue", "dark", "dark red", "dark, blue or red")),
    *((YES, text) for text in ("yes and no", "eyes", "no", "not yes", "yesterday", "nope")),
    *((NO, text) for text in ("yes and no", "I don't know", "know", "no idea", "none", "not sure")),
    *((NO, text) for text in ("yes", "now", "nothing", "I cannot tell", "north")),
    *((ON, text) for text in ("The lamp on the desk is off", "not on", "on or off", "one", "off")),
    *((OFF, text) for text in ("office", "It is switched on", "on and off", "not off")),
    *((AJAR, text) for text in ("closed", "not ajar", "ajar or closed", "jar")),
    *((DESK, text) for text in ("desk lamp", "reception desk", "the desk chair", "not a desk")),
    *((DESK, text) for text in ("desk or table", "next to the lamp", "a desk and a sofa")),
    *((OFFICE, text) for text in ("open office", "home office", "officer", "office or kitchen")),
    *((WOOD, text) for text in ("metal", "wood and metal", "not wooden", "woods", "plywood")),
    *((TALLER, text) for text in ("sofa", "The sofa is taller than the bookshelf", "shelf")),
    (TALLER, "the bookshelf or the sofa"),
    *((PLATES, text) for text in ("bottles", "plates and bottles", "more bottles than plates")),
]


@pytest.mark.parametrize(("question", "text"), RIGHT)
def test_right_answers_are_right(question: Question, text: str) -> None:
    assert matches(text, question)


@pytest.mark.parametrize(("question", "text"), WRONG)
def test_traps_do_not_catch(question: Question, text: str) -> None:
    assert not matches(text, question)


def test_the_plain_rule_is_the_papers() -> None:
    """A substring in lower case with numerals normalised: it falls for what ours does not."""
    assert RULES["words"] is matches
    assert RULES["substring"] is matches_substring
    for question, text in ((TWO, "Two chairs"), (TWO, "2."), (RED, "It is RED."), (NO, "No")):
        assert matches_substring(text, question)
    for question, text in ((TWO, "12"), (NO, "I don't know"), (RED, "not red"), (RED, "bored")):
        assert matches_substring(text, question)
        assert not matches(text, question)
    for question, text in ((TWO, "three"), (RED, "blue"), (YES, "no"), (YES, "")):
        assert not matches_substring(text, question)
    assert not matches_substring("anything", Question("?", "count", ""))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Twenty-one chairs.", ["21", "chairs"]),
        ("2.", ["2"]),
        ("1,200.50", ["1200.50"]),
        ("007", ["7"]),
        ("zero", ["0"]),
        ("thirty four", ["34"]),
        ("twenty twenty", ["20", "20"]),
        ("It’s GREY!", ["it's", "grey"]),
        ("3rd", ["3rd"]),
        ("", []),
    ],
)
def test_numerals_are_normalised(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


ALL = (TWO, RED, DARK, YES, NO, ON, OFF, AJAR, DESK, OFFICE, WOOD, TALLER, PLATES)
BITS = [
    *("2", "two", "12", "red", "blue", "not", "no", "yes", "on", "off", "the", "desk", "lamp"),
    *("or", "and", "than", "dark", "office", "open", ".", ",", "isn't", "wood", "know", "plates"),
]


@given(
    st.sampled_from(ALL),
    st.one_of(st.text(max_size=200), st.lists(st.sampled_from(BITS), max_size=12).map(" ".join)),
)
def test_any_text_is_judged_and_words_are_stricter_than_characters(
    question: Question, text: str
) -> None:
    judged = matches(text, question)
    assert judged == matches(text.upper().lower(), question) or not text.isascii()
    if judged and text.isascii():
        said = " ".join(tokens(text))
        answers = (question.answer, *question.accepted)
        assert any(" ".join(tokens(answer)) in said for answer in answers)


@given(st.sampled_from(ALL), st.integers(min_value=0, max_value=40))
def test_only_the_right_number_answers_how_many(question: Question, number: int) -> None:
    assert matches(str(number), question) == (question is TWO and number == 2)
    assert matches(f"I see {number}.", question) == (question is TWO and number == 2)
