"""Corrections inside our agents: what they then see and hold, for one step, and nothing else."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from run_samples import open_run

from navproof.agents.baselines.frontier import FrontierAgent
from navproof.agents.correction import CorrectableAgent, Correction
from navproof.agents.load import load_agent
from navproof.agents.route.sight import AgreeingEyes
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.sightings import Sighting, Sightings
from navproof.agents.search.truth import moved_to_fit, true_features
from navproof.core.errors import PerceptionError
from navproof.core.types import Beliefs, Detection, Observation, Remembered, TaskBrief
from navproof.diagnosis.attribution.corrected import CorrectedRun
from navproof.diagnosis.capabilities import Capability
from navproof.metrics.navigation.success import success
from navproof.perception.protocol import TruthFrame

_BLIND = "mlfm@encoder=truth:miss=1@detector=truth:miss=1"
_WITH_EYES = {
    "frontier": "",
    "vlmaps": "@encoder=truth",
    "vlfm": "@encoder=truth",
    "vlfm-v2": "@encoder=truth@detector=truth",
    "mopa": "@detector=truth",
    "l3mvn@lm=stats": "@detector=truth",
    "apexnav@lm=stats": "@encoder=truth@detector=truth",
    "onemap": "@encoder=truth@detector=truth",
    "mlfm": "@encoder=truth@detector=truth",
    "route": "@encoder=truth@detector=truth",
    "generalist": "@encoder=truth@detector=truth",
}
_CHAIR = Remembered("chair", (5.0, 2.0, 0.4), 3)


class _SeesNothing:
    def detect(self, obs: Observation, brief: TaskBrief) -> tuple[Detection, ...]:
        return ()


def _blind(name: str, steps: int = 40) -> CorrectedRun:
    """A stage on which the agent's own eyes see nothing at all."""
    stage = open_run(name, steps=steps)
    if isinstance(stage.agent, FrontierAgent):
        stage.agent.detector = _SeesNothing()
    return stage


def _beliefs(stage: CorrectedRun) -> Beliefs:
    held = stage.records[-1].beliefs
    assert held is not None
    return held


def _seam(stage: CorrectedRun) -> CorrectableAgent:
    assert isinstance(stage.agent, CorrectableAgent)
    return stage.agent


@pytest.mark.parametrize("name", _WITH_EYES)
def test_an_empty_correction_changes_nothing(name: str) -> None:
    full = name + _WITH_EYES[name]
    tasks = load_agent(full).tasks
    task = "objectnav-v1" if tasks is None or "objectnav-v1" in tasks else tasks[0]
    steps = 40 if task == "mission-v1" else 16  # of which a mission keeps a few for its end
    plain, corrected = (open_run(full, task, steps=steps) for _ in range(2))
    while not plain.done:
        plain.step()
        _seam(corrected).correct(Correction())
        corrected.step()
    assert corrected.records == plain.records


@pytest.mark.parametrize("name", ["frontier", _BLIND])
def test_blind_eyes_that_are_set_right_find_the_goal(name: str) -> None:
    alone, helped = (_blind(name, 50) for _ in range(2))
    while not alone.done:
        alone.step()
    while not helped.done:
        helped.step(Capability.PERCEPTION)
    assert not success(alone.trace())
    assert not any(record.beliefs and record.beliefs.perceived for record in alone.records)
    assert success(helped.trace())


def test_a_correction_lasts_one_step() -> None:
    stage = _blind("frontier")
    stage.step(Capability.PERCEPTION)
    assert [seen.label for seen in _beliefs(stage).perceived] == ["chair"]
    stage.step()
    assert _beliefs(stage).perceived == ()
    assert [thing.label for thing in _beliefs(stage).remembered] == ["chair"]  # what follows stays


def test_a_corrected_frame_is_what_is_seen() -> None:
    """Objects that are not in it are not seen, whatever the agent's own eyes say."""
    stage = open_run("mlfm@encoder=truth@detector=truth")
    played = stage.step()
    frame = played.situation.frame
    assert frame is not None
    assert _beliefs(stage).perceived
    stage = open_run("mlfm@encoder=truth@detector=truth")
    empty = TruthFrame(np.full_like(frame.instances, 1), frame.facts)
    _seam(stage).correct(Correction(sight=empty))
    stage.step()
    assert _beliefs(stage).perceived == ()


@pytest.mark.parametrize("name", ["frontier", "mlfm@encoder=truth@detector=truth"])
def test_memory_holds_what_it_is_given_and_what_is_seen_now(name: str) -> None:
    stage = open_run(name)
    for _ in range(6):
        stage.step()
    seen = {d.label for d in stage.step().decision.beliefs.perceived}  # type: ignore[union-attr]
    lamp = Remembered("lamp", (1.0, -1.0, 0.5), 2)
    _seam(stage).correct(Correction(remembered=(lamp,)))
    stage.step()
    fresh = [d.label for d in _beliefs(stage).perceived]
    held = _beliefs(stage).remembered
    assert lamp in held
    assert {thing.label for thing in held} == {"lamp", *fresh}
    assert seen <= {"chair", "table"}


def test_the_generalist_looks_where_it_is_corrected() -> None:
    """By itself it looks at every third step; what it is made to hold are things, not people."""
    stage = open_run("generalist@encoder=truth@detector=truth:miss=1", "mission-v1", steps=80)
    while stage.observation.step % 3 != 1:
        stage.step()
    frame = np.ones((96, 96), dtype=np.int32)
    frame[40:60, 40:60] = chair = next(
        thing.id for thing in stage.env.sim.scene.objects if thing.category == "chair"
    )
    facts = {chair: {"category": "chair", "attr.colour": "blue", "support": None, "room": None}}
    person = Remembered("person", (2.0, 0.0, 0.0), 0)
    held = Remembered("blue chair", (5.0, 2.0, 0.4), 0)
    _seam(stage).correct(Correction(TruthFrame(frame, facts), (person, held)))
    stage.step()
    assert "blue chair" in {seen.label for seen in _beliefs(stage).perceived}
    assert {thing.label for thing in _beliefs(stage).remembered} == {"blue chair"}
    stage.step()
    assert _beliefs(stage).perceived == ()


def test_a_blind_agent_goes_to_what_it_is_made_to_remember() -> None:
    for name in ("frontier", _BLIND):
        stage = _blind(name, 60)
        _seam(stage).correct(Correction(remembered=(_CHAIR,)))
        while not stage.done:
            stage.step()
        assert min(record.distance_m for record in stage.records) < 1.0, name


def test_a_copy_takes_a_pending_correction_along() -> None:
    for name in ("frontier", "mlfm@encoder=truth@detector=truth"):
        stage = open_run(name)
        stage.step()
        _seam(stage).correct(Correction(remembered=(_CHAIR,)))
        copied = copy.deepcopy(_seam(stage))
        original = _seam(stage).act(stage.observation)
        assert copied.act(stage.observation) == original


def test_eyes_are_their_own_again_whatever_happens() -> None:
    eyes = Eyes("truth", "truth")
    frame = TruthFrame(np.zeros((16, 16), dtype=np.int32), {})
    with eyes.corrected(frame):
        assert eyes.sight is frame
    assert eyes.sight is None
    with pytest.raises(PerceptionError), eyes.corrected(frame):
        eyes.detect(np.zeros((9, 9, 3), dtype=np.uint8), ["chair"])
    assert eyes.sight is None


def test_the_truth_needs_no_consent_of_the_encoder() -> None:
    eyes = AgreeingEyes("truth", "truth")
    instances = np.zeros((32, 32), dtype=np.int32)
    instances[8:24, 8:24] = 20
    facts = {20: {"category": "chair", "support": None, "room": None}}
    rgb = np.zeros((32, 32, 3), dtype=np.uint8)
    with eyes.corrected(TruthFrame(instances, facts)):
        found = eyes.detect(rgb, ["chair"])
    assert found is not None
    assert found.scores.tolist() == [1.0]
    assert found.boxes.tolist() == [[8.0, 8.0, 24.0, 24.0]]


def _p(features: np.ndarray, texts: np.ndarray, scale: float, bias: float) -> np.ndarray:
    unit = texts / np.linalg.norm(texts, axis=1, keepdims=True)
    return np.asarray(1.0 / (1.0 + np.exp(-(scale * features @ unit.T + bias))))


def test_features_are_moved_where_they_are_wrong_and_nowhere_else() -> None:
    draw = np.random.default_rng(3)
    common = draw.normal(size=64)  # texts of one kind are nearly alike
    texts = (common + 0.5 * draw.normal(size=(4, 64))).astype(np.float32)
    features = draw.normal(size=(200, 64))
    features = (features / np.linalg.norm(features, axis=1, keepdims=True)).astype(np.float32)
    fits = draw.random((200, 4)) < 0.3
    fails = ~fits & (draw.random((200, 4)) < 0.8)
    scale, bias = 30.0, -6.0
    before = _p(features, texts, scale, bias)
    right = ~((fits & (before < 0.5)) | (fails & (before > 0.5))).any(axis=1)
    moved = moved_to_fit(features, texts, fits, fails, (scale, bias))
    after = _p(moved, texts, scale, bias)
    assert (after[fits] >= 0.5).all()
    assert (after[fails] <= 0.5).all()
    np.testing.assert_array_equal(moved[right], features[right])
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 1.0, atol=1e-5)


def test_patches_of_the_trained_encoder_come_out_right() -> None:
    """A picture of nothing, whose truth has a red mug in it: the mug's patches become a mug's."""
    encoder = Eyes("default", None).encoder
    rgb = np.full((256, 256, 3), 128, dtype=np.uint8)
    instances = np.ones((256, 256), dtype=np.int32)
    instances[100:160, 60:130] = 30
    facts = {30: {"category": "mug", "attr.colour": "red", "support": None, "room": None}}
    words = ["red mug", "mug", "blue mug", "chair"]
    texts = dict(zip(words, encoder.encode_text(words), strict=True))
    odds = encoder.scale, encoder.bias
    features = encoder.encode_patches(rgb)
    moved = true_features(features, texts, TruthFrame(instances, facts), rgb, odds)
    p = _p(moved, np.stack(list(texts.values())), *odds)
    rows, cols = p.shape[:2]
    inside = p[rows // 2, int(cols * 95 / 256)]
    assert (inside[:2] > 0.5).all()
    assert (inside[2:] < 0.5).all()
    assert (p[0, -1] < 0.5).all()


def test_things_held_keep_their_outline() -> None:
    known = Sightings()
    spots = np.array([[1.0, 1.0], [1.1, 1.0]])
    known.add(Sighting("chair", (0.4,), (1.05, 1.0, 0.4), spots, 2, 3.0))
    known.add(Sighting("desk", (0.9,), (3.0, 1.0, 0.4), spots, 2, 3.0))
    known.hold([Remembered("chair", (1.2, 1.0, 0.4), 5), Remembered("mug", (0.0, 0.0, 0.8), 6)])
    (chair,), (mug,) = known.of("chair"), known.of("mug")
    assert known.of("desk") == []
    assert chair.position == (1.2, 1.0, 0.4)
    assert chair.steady == 1.0
    np.testing.assert_array_equal(chair.spots, spots)
    np.testing.assert_allclose(np.hypot(*mug.spots.T), 0.15)
