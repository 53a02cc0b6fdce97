"""Parts of speech in sentences composed for the purpose, imperatives above all."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navproof.language.tagging.tagger import tag

LETTERS = {
    "NOUN": "N",
    "VERB": "V",
    "ADJ": "J",
    "ADV": "R",
    "ADP": "P",
    "DET": "D",
    "PRON": "O",
    "NUM": "M",
    "CONJ": "C",
    "PART": "T",
    "PUNCT": ".",
    "OTHER": "X",
}
# A letter for each token; several where grammarians differ ("around" in "turn around").
LABELLED = """
Walk past the sofa and turn left . | V P D N C V R .
Turn right at the lamp , then stop . | V R P D N . R V .
Exit the bedroom and head down the hall . | V D N C V P D N .
Take a left at the exit sign . | V D N P D N N .
Take the second right and walk straight . | V D J N C V R .
Face the window and step onto the rug . | V D N C V P D N .
The door on the left leads to a patio . | D N P D N V P D N .
Stop at the head of the stairs . | V P D N P D N .
Head towards the face of the clock . | V P D N P D N .
Walk down three steps and step left . | V P M N C V R .
Make a right turn after the fridge . | V D J N PC D N .
Make a sharp left and go up the stairs . | V D J N C V P D N .
Go up to the landing , face the mirror and wait . | V RP P D N . V D N C V .
Walk through the open door on your right . | V P D J N P DO N .
Open the door and go inside . | V D N C V RP .
Pass the kitchen and enter the living room . | V D N C V D N N .
Stop once you pass the dining table . | V CR O V D N N .
When you reach the end of the corridor , turn around . | CR O V D N P D N . V RP .
Leave the office through the left door . | V D N P D J N .
Keep left until you see the piano . | V R C O V D N .
Keep walking until you get to the top of the staircase . | V V C O V P D N P D N .
Go straight past the two white chairs . | V R P D M J N .
Wait next to the big round table . | V PR P D J J N .
Stand between the bed and the closet . | V P D N C D N .
Turn slightly right and continue forward . | V R R C V R .
Walk to the right of the couch . | V P D N P D N .
Step out of the shower and turn to face the sink . | V PR P D N C V T V D N .
Start walking down the hallway . | V V P D N .
Begin to climb the stairs . | V T V D N .
exit bathroom turn left go past bed stop at door . | V N V R V P N V P N .
Cross the room diagonally . | V D N R .
Follow the red carpet around the corner . | V D J N P D N .
Go back the way you came . | V R D N O V .
There is a painting on the back wall . | O V D N P D J N .
It should be on your left side . | O V V P DO J N .
You will see a set of double doors . | O V V D N P J N .
The stairs go down to the pool . | D N V RP P D N .
Do not enter the laundry room . | V T V D N N .
Veer right , passing the fireplace on your left . | V R . V D N P DO N .
Once inside , walk across the foyer . | CR RP . V P D N .
Before the archway , bear left . | P D N . V R .
After you leave the gym , take the stairs up . | CP O V D N . V D N R .
With your back to the bed , go through the door ahead . | P DO N P D N . V P D N R .
Move forward two steps and stop in front of the desk . | V R M N C V P N P D N .
Proceed along the wall to the first door . | V P D N P D J N .
Ascend the spiral staircase to the upper level . | V D J N P D J N .
Descend the steps and stop at the bottom . | V D N C V P D N .
Walk into the room that has a piano in it . | V P D N OC V D N P O .
Enter the room to the left of the mirror . | V D N P D N P D N .
Turn left again at the painting of a horse . | V R R P D N P D N .
Look for the plant that is near the window . | V P D N OC V P D N .
Stop just outside the bathroom door . | V R P D N N .
Stop right there . | V R R .
Go outside and wait by the bench . | V R C V P D N .
Walk over to the light switch . | V RP P D N N .
Reach the top step and halt . | V D JN N C V .
Set off down the path towards the gate . | V RP P D N P D N .
Turn into the hall , not the pantry . | V P D N . T D N .
Immediately on your right is a closet . | R P DO N V D N .
Continue foward and go acrros the hallway . | V R C V P D N .
Walk streight thru the kichen . | V R P D N .
Go to the nearest chair and stand behind it . | V P D J N C V P O .
Your goal is the third office on the right-hand side . | DO N V D J N P D J N .
Climb four stairs , then head left past the railing . | V M N . R V R P D N .
"""
CASES = [[part.split() for part in line.split("|")] for line in LABELLED.strip().splitlines()]


def labelled(words: list[str]) -> list[str]:
    return [LETTERS[token.pos] for token in tag(" ".join(words))]


def test_the_table_is_well_formed() -> None:
    assert len(CASES) >= 60
    for words, gold in CASES:
        assert len(words) == len(gold), " ".join(words)
        assert [t.text for t in tag(" ".join(words))] == words


def test_nearly_every_word_is_right() -> None:
    pairs = [
        (word, found, gold, " ".join(words))
        for words, golds in CASES
        for word, found, gold in zip(words, labelled(words), golds, strict=True)
    ]
    wrong = [pair for pair in pairs if pair[1] not in pair[2]]
    assert len(pairs) > 500
    assert len(wrong) <= 0.01 * len(pairs), wrong


def test_every_imperative_is_a_verb() -> None:
    for words, golds in CASES:
        if golds[0] == "V":
            assert labelled(words)[0] == "V", " ".join(words)


@pytest.mark.parametrize(
    ("text", "word", "pos"),
    [
        ("Turn left.", "left", "ADV"),
        ("It is on the left.", "left", "NOUN"),
        ("Use the left door.", "left", "ADJ"),
        ("Exit the hall.", "Exit", "VERB"),
        ("Go to the exit.", "exit", "NOUN"),
        ("Face the wall.", "Face", "VERB"),
        ("Look at its face.", "face", "NOUN"),
        ("Step inside.", "Step", "VERB"),
        ("Stop on the step.", "step", "NOUN"),
        ("Walk past it.", "past", "ADP"),
        ("Go to the sofa.", "to", "ADP"),
        ("Turn to face it.", "to", "PART"),
    ],
)
def test_the_same_word_in_two_parts(text: str, word: str, pos: str) -> None:
    assert next(t.pos for t in tag(text) if t.text == word) == pos


def test_capitals_do_not_change_the_parts() -> None:
    text = "Walk past the open door and turn left at the top of the stairs."
    assert [t.pos for t in tag(text.upper())] == [t.pos for t in tag(text)]


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_is_covered_exactly(text: str) -> None:
    at = 0
    for token in tag(text):
        assert text[token.start : token.end] == token.text
        assert not text[at : token.start].strip()
        assert token.pos in LETTERS
        at = token.end
    assert not text[at:].strip()


def test_scripts_emojis_and_marks() -> None:
    text = "Gehe 🚪 zum Café\u0301, 直走 👨‍👩‍👧 — [MASK] stop…"
    tokens = tag(text)
    assert "[MASK]" in [t.text for t in tokens]
    assert {t.text: t.pos for t in tokens}["🚪"] == "OTHER"
    assert {t.text: t.pos for t in tokens}["—"] == "PUNCT"
    assert tag("") == tag(" \n\t") == ()


def test_long_texts_take_linear_time() -> None:
    started = time.perf_counter()
    assert len(tag("walk past the red door and " * 2000)) == 12000
    assert time.perf_counter() - started < 5.0
