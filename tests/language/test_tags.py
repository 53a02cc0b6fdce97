"""Tags from words: written examples, traps, and agreement with the structure behind the words."""

from __future__ import annotations

import pytest

from navproof.core.seeding import rng
from navproof.language.goals.goals import draw_descriptions, say, unique_parts
from navproof.language.goals.tags import FEATURES, tags_from, tags_of
from navproof.world.library import load_scene

WRITTEN = {
    # the paper's own
    "the brown chair": {"colour": "brown"},
    "the small candle": {"size": "small"},
    "knitted bath mat": {"texture": "knitted"},
    "illuminated makeup mirror": {"state": "illuminated"},
    "the cabinet with two doors": {"number": 2},
    "wooden shoe rack": {"material": "wood"},
    "the easy chair": {"modifier": "easy"},
    "the potted plant on the console table": {"support": "console table"},
    "candle on night-stand": {"support": "night-stand"},
    "Go to the couch": {},
    "Go to the black couch": {"colour": "black"},
    "the red short pillar candle on the night-stand": {
        "colour": "red",
        "size": "short",
        "modifier": "pillar",
        "support": "night-stand",
    },
    "Go to the black three piece L-shaped sectional couch": None,
    "a chair that is not black": {"negation": "black"},
    "the candle next to the teacup": {"anchor": "next to"},
    # words that are a thing here and an attribute there
    "the orange on the table": {"support": "table"},
    "the orange chair": {"colour": "orange"},
    "a glass on the table": {"support": "table"},
    "the glass table": {"material": "glass"},
    "find the light": {},
    "the light blue sofa": {"colour": "light blue"},
    "the light on the desk": {"support": "desk"},
    "the lamp that is on": {"state": "on"},
    "the lamp that is switched on": {"state": "on"},
    "the lamp that is on on the desk": {"state": "on", "support": "desk"},
    "the lamp on the desk that is turned off": {"state": "off", "support": "desk"},
    "the potted plant": {},
    "a tall potted plant": {"size": "tall"},
    "the floral cushion": {"texture": "floral"},
    "the floral painting": {"modifier": "floral"},
    "a single bed": {"modifier": "single"},
    "a nightstand with a single drawer": {"number": 1},
    "the open book": {"state": "open"},
    "a bed that is neatly made": {"state": "made"},
    "a chair made of wood": {"material": "wood"},
    "the whiteboard": {},
    "a whiteboard that has been written on": {"state": "written on"},
    "the plate with food on it": {"state": "with food"},
    "one of the chairs": {},
    "now find the chair next to it": {"coreference": "next to"},
    "Now the mug on top of it.": {"coreference": "on"},
    # several at once, and free wording
    "Can you find the three-seater leather sofa?": {"number": 3, "material": "leather"},
    "painting with a red frame": {"colour": "red"},
    "the red-framed painting of a cat": {"colour": "red", "modifier": "cat"},
    "the white mug on the brown wooden desk, please": {
        "colour": "brown, white",
        "material": "wood",
        "support": "desk",
    },
    "Could you go to the armchair to the left of the TV?": {"spatial": "left of"},
    "a trash can right behind the sofa": {"spatial": "behind"},
    "the rug underneath the coffee table": {"spatial": "under"},
    "the nightstand in between the bed and the blue wardrobe": {
        "anchor": "between",
        "colour": "blue",
    },
    "the vase between two candles": {"anchor": "between"},
    "the polka-dot armchair which isn't grey": {"texture": "dotted", "negation": "grey"},
    "a table lamp that is not on": {"negation": "on"},
    "a painting that does not have a black frame": {"negation": "black"},
    "a stool that is not a bar stool": {"negation": "bar"},
    "the vase that has no flowers in it": {"negation": "with flowers"},
    "bed with 4 pillows": {"number": 4},
    "a bed with the blue blanket": {"colour": "blue"},
    "blue and white striped curtain": {"colour": "blue, white", "texture": "striped"},
    "a dark-green sofa": {"colour": "dark green"},
    "a table with a vase on it": {},
    "the door on the left": {},
    "the remote control": {},
    "the laptop (open) on the desk": {"state": "open", "support": "desk"},
    "the lamp, which is next to the bed and switched on": {"state": "on", "anchor": "next to"},
    "the toilet with its lid up": {"state": "open"},
}


@pytest.mark.parametrize("text", [t for t, tags in WRITTEN.items() if tags is not None])
def test_written_examples(text):
    tags = tags_of(text)
    count = tags.pop("attributes")
    assert tags == WRITTEN[text]
    assert count == sum(len(str(v).split(", ")) for v in tags.values())


def test_several_modifiers_and_a_numeral():
    tags = tags_of("Go to the black three piece L-shaped sectional couch")
    assert tags["colour"] == "black"
    assert tags["number"] == 3
    assert {"L-shaped", "sectional"} <= set(str(tags["modifier"]).split(", "))


@pytest.mark.parametrize("wrap", ["Find {}.", "Please go to {}.", "Can you look for {} for me?"])
def test_the_wrapping_tells_nothing(wrap):
    for text, tags in WRITTEN.items():
        phrase = text.removeprefix("Go to ").rstrip(".?")
        if tags is not None and phrase.startswith(("the ", "a ")):
            assert tags_of(wrap.format(phrase)) == tags_of(text), text


def test_words_and_structure_agree_on_thousands_of_texts():
    count = 0
    for ref in ("home/val/0", "home/val/3"):
        scene = load_scene(ref)
        for thing in scene.objects:
            for detail in ("attributes", "unique", "negation", "anchor", "spatial"):
                draw = rng(7, ref, detail, thing.id)
                for description in draw_descriptions(scene, thing.id, draw, detail):
                    meant = tags_from(description)
                    for _ in range(5):
                        text = say(description, draw, unique_parts(description, scene))
                        assert tags_of(text) == meant, text
                        count += 1
                    assert set(meant) <= {*FEATURES, "attributes"}
    assert count > 2000


@pytest.mark.parametrize("text", ["on", "with it", "of"])
def test_scraps_have_no_letters_as_modifiers(text):
    told = str(tags_of(text).get("modifier", ""))
    assert set(told.split(", ")) <= {"", *text.split()}


def test_a_number_beyond_any_count_is_none():
    assert tags_of(f"Find the {'9' * 5000} chairs.") == {"attributes": 0}
    assert tags_of(f"Find the cabinet with {'9' * 5000} doors.") == {"attributes": 0}
