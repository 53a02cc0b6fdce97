"""Questions of missions: what they ask, and answers out of what was remembered."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from navproof.agents.generalist.answers import EvidenceCollector
from navproof.agents.generalist.questions import Form, read_question
from navproof.agents.generalist.rooms import RoomMap
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.sightings import Sighting, Sightings
from navproof.core.types import Camera, Detection, Pose

EYES = Eyes("truth", "truth")


class Rooms:
    """Everything with x < 0 is kitchen, the rest bedroom."""

    def around(self, room: str, x: float, y: float) -> float:
        return float((x < 0) == room.endswith("kitchen"))

    def kind_at(self, x: float, y: float) -> str:
        return "kitchen" if x < 0 else "bedroom"


def witness(question: str, *seen: tuple[str, float, float]) -> EvidenceCollector:
    """One who has seen these things clearly: (name, x, y)."""
    known = Sightings()
    for name, x, y in seen:
        for step in range(3):
            known.add(Sighting(name, (0.9,), (x, y, 0.5), np.array([[x, y]]), step, 1.0))
    found = EvidenceCollector(question, EYES, cast("RoomMap", Rooms()))
    survey = SimpleNamespace(sightings=known, perceived=())
    found.watch(np.zeros((8, 8, 3), dtype=np.uint8), cast("Any", survey))
    return found


@pytest.mark.parametrize(
    ("question", "form", "things", "rooms"),
    [
        ("What colour is the sofa in the living room?", "fits", ("sofa",), ("living room",)),
        ("What colour is the frame of the large painting?", "fits", ("large painting",), ()),
        ("Is the bed in the green bedroom unmade?", "fits", ("bed",), ("green bedroom",)),
        ("Is the microwave in the kitchen open or closed?", "fits", ("microwave",), ("kitchen",)),
        ("Is there any fruit in the bowl in the kitchen?", "fits", ("bowl",), ("kitchen",)),
        ("How many drawers does the desk in the study have?", "fits", ("desk",), ("study",)),
        ("What is the vase in the study made of?", "fits", ("vase",), ("study",)),
        ("How many windows does the kitchen have?", "count", ("window",), ("kitchen",)),
        ("How many red chairs are there in the hall?", "count", ("red chair",), ("hall",)),
        ("Is there a grey toilet in the bathroom?", "exists", ("grey toilet",), ("bathroom",)),
        ("Which room is the piano in?", "room", ("piano",), ()),
        ("What is the mug in the kitchen sitting on?", "support", ("mug",), ("kitchen",)),
        ("Which is taller in the study, the desk or the plant?", "taller", ("desk", "plant"),
         ("study",)),
        ("Are the bed and the rug in the bedroom the same colour?", "same", ("bed", "rug"),
         ("bedroom",)),
        ("Are there more chairs than mugs in the kitchen?", "more", ("chair", "mug"), ("kitchen",)),
        ("Are there more chairs in the study than in the hall?", "more", ("chair",),
         ("study", "hall")),
        ("Which are there more of in the hall, mugs or paintings?", "which more",
         ("mug", "painting"), ("hall",)),
        ("Which has more chairs, the study or the hall?", "which room more", ("chair",),
         ("study", "hall")),
        ("Why?", "unknown", (), ()),
    ],
)  # fmt: skip
def test_what_is_asked(
    question: str, form: Form, things: tuple[str, ...], rooms: tuple[str, ...]
) -> None:
    asked = read_question(question)
    assert (asked.form, asked.things, asked.rooms) == (form, things, rooms)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many chairs are there in the kitchen?", "2"),
        ("How many chairs are there in the bedroom?", "1"),
        ("Is there a mug in the kitchen?", "yes"),
        ("Is there a mug in the bedroom?", "no"),
        ("Is there a piano in the kitchen?", "no"),
        ("Which room is the mug in?", "kitchen"),
        ("What is the mug in the kitchen sitting on?", "dining table"),
        ("Are there more chairs than mugs in the kitchen?", "yes"),
        ("Are there more chairs in the bedroom than in the kitchen?", "no"),
        ("Which are there more of in the kitchen, mugs or chairs?", "chair"),
        ("Which has more chairs, the bedroom or the kitchen?", "kitchen"),
    ],
)
def test_answers_from_memory(question: str, answer: str) -> None:
    seen = [("chair", -1.0, 0.0), ("chair", -3.0, 0.0), ("chair", 2.0, 0.0), ("mug", -2.0, 2.0)]
    seen += [("dining table", -2.1, 2.3), ("desk", 2.0, 2.0)]
    told = witness(question, *seen)
    assert told.answer() == answer
    assert told.answer() is None


def test_a_frame_has_a_colour_of_its_own() -> None:
    choices = read_question("What colour is the frame of the painting in the hall?").choices
    assert ("red-framed {}", "red") in choices
    assert ("red {}", "red") in read_question("What colour is the painting?").choices


@pytest.mark.parametrize(
    ("question", "guess"),
    [
        ("What colour is the sofa in the den?", "white"),
        ("Is there a piano in the hall?", "no"),
        ("How many chairs are there in the kitchen?", "2"),
        ("Is the fridge open or closed?", "open"),
        ("What is the mug in the kitchen standing on?", "kitchen counter"),
        ("What is the cushion in the bedroom lying on?", "bed"),
        ("Why?", "yes"),
    ],
)
def test_a_guess_that_fits_the_question_when_nothing_was_seen(question: str, guess: str) -> None:
    assert witness(question).answer() == guess


def test_who_is_not_asked_does_not_answer() -> None:
    told = EvidenceCollector(None, EYES, cast("RoomMap", Rooms()))
    assert told.queries() == ()
    assert told.answer() is None


class TwoWords:
    """An encoder for which every text that starts with "red" is like every red picture."""

    scale, bias = 8.0, -4.0
    image_scale, image_bias = 8.0, -4.0

    def encode_text(self, texts: list[str]) -> np.ndarray[Any, Any]:
        return np.array(
            [[1.0, 0.0] if t.startswith(("red", "kitchen")) else [0.0, 1.0] for t in texts]
        )

    def encode_patches(self, rgb: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        red = rgb[..., 0] > rgb[..., 2]
        return np.stack([red, ~red], axis=-1).astype(np.float32)

    def encode_image(self, rgb: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        mean: np.ndarray[Any, Any] = self.encode_patches(rgb).reshape(-1, 2).mean(axis=0)
        return mean


def test_a_colour_is_that_of_the_thing_in_its_room() -> None:
    """A red sofa in the kitchen, and one of another colour, as clearly seen, in the bedroom."""
    eyes = cast("Eyes", SimpleNamespace(encoder=TwoWords(), image_odds=(8.0, -4.0)))
    told = EvidenceCollector(
        "What colour is the sofa in the kitchen?", eyes, cast("RoomMap", Rooms())
    )
    rgb = np.zeros((64, 64, 3), dtype=np.uint8)
    rgb[:, :32, 0] = 255
    rgb[:, 32:, 2] = 255
    perceived = (
        Detection("sofa", 0.9, (2.0, 2.0, 30.0, 60.0), (-2.0, 1.0, 0.4)),
        Detection("sofa", 0.9, (34.0, 2.0, 62.0, 60.0), (2.0, 1.0, 0.4)),
    )
    survey = SimpleNamespace(perceived=perceived, camera=Camera(64, 64), pose=Pose(0.0, 0.0))
    told.watch(rgb, cast("Any", survey))
    assert told.answer() == "red"


def test_a_room_is_where_it_looks_like_one_from_several_sides() -> None:
    eyes = cast("Eyes", SimpleNamespace(encoder=TwoWords(), image_odds=(8.0, -4.0)))
    rooms = RoomMap(eyes)
    red, blue = (np.zeros((32, 32, 3), dtype=np.uint8) for _ in range(2))
    red[..., 0], blue[..., 2] = 255, 255
    depth = np.full((32, 32), 4.0, dtype=np.float32)
    camera = Camera(32, 32)
    assert rooms.region("kitchen", (0.0, 0.0)) is None
    assert not rooms.denies("kitchen", 2.0, 0.0, 0.2)  # nothing is known of it
    for _ in range(4):
        rooms.look(red, depth, camera, Pose(0.0, 0.0, 0.0, 0.0))
        rooms.look(blue, depth, camera, Pose(0.0, 0.0, 0.0, np.pi))
    assert rooms.at("kitchen", 2.5, 0.0) > 0.45 > rooms.at("kitchen", -2.5, 0.0)
    found = rooms.region("kitchen", (0.0, 0.0))
    assert found is not None
    assert found[0][0] > 1.0
    assert rooms.region("kitchen", (0.0, 0.0), least=0.999) is None
    assert rooms.denies("kitchen", -2.5, 0.0, 0.2)
    assert not rooms.denies("kitchen", 2.5, 0.0, 0.2)
    assert rooms.kind_at(2.5, 0.0).startswith("kitchen")
