"""Ground-truth eyes: their answers against the facts, their errors against the rates."""

from __future__ import annotations

import numpy as np
import pytest

from navproof.core.errors import PerceptionError
from navproof.core.types import FLOOR, WALL, Scalar
from navproof.language.lexicon.nouns import could_mean
from navproof.perception import load_detector, load_encoder
from navproof.perception.protocol import SeesTruth, TruthFrame
from navproof.perception.truth import DetectorErrors, EncoderErrors, TruthDetector, TruthEncoder
from navproof.world.catalog import CATEGORIES

FACTS: dict[int, dict[str, Scalar]] = {
    10: {"category": "desk", "support": None, "attr.colour": "brown", "attr.material": "wood"},
    11: {"category": "vase", "support": 10, "attr.colour": "red", "attr.state": "with flowers"},
    12: {"category": "vase", "support": 13, "attr.colour": "blue", "attr.state": "empty"},
    13: {"category": "coffee table", "support": None, "attr.colour": "red", "attr.size": "large"},
    14: {"category": "dresser", "support": None, "attr.colour": "white", "attr.drawers": 3},
}
RGB = np.zeros((64, 64, 3), dtype=np.uint8)
PLACES = {10: (40, 0), 11: (32, 4), 12: (32, 40), 13: (48, 40), 14: (8, 24)}  # v, u of 8×8 squares


def frame(step: int = 0, seed: int = 0) -> TruthFrame:
    instances = np.full((64, 64), WALL, dtype=np.int32)
    instances[56:] = FLOOR
    for i, (v, u) in PLACES.items():
        instances[v : v + 8, u : u + 8] = i
    return TruthFrame(instances, FACTS, seed, step)


def odds(encoder: TruthEncoder, text: str) -> dict[int, float]:
    """Log-odds that ``text`` fits, at the middle of each object."""
    heat = encoder.scale * (encoder.encode_patches(RGB) @ encoder.encode_text([text])[0])
    heat += encoder.bias
    return {i: float(heat[(v + 4) // 2, (u + 4) // 2]) for i, (v, u) in PLACES.items()}


def found(detector: TruthDetector, *queries: str) -> list[set[int]]:
    """The objects under the masks, for each query."""
    answer = detector.detect(RGB, queries)
    instances = frame().instances
    objects: list[set[int]] = [set() for _ in queries]
    for query, mask in zip(answer.queries, answer.masks, strict=True):
        (i,) = set(instances[mask].tolist())
        objects[query].add(i)
    return objects


WORDS = [
    ("vase", {11, 12}),
    ("the red vase", {11}),
    ("a table", {13}),
    ("large red table", {13}),
    ("blue table", set()),
    ("wooden desk", {10}),
    ("vase with flowers", {11}),
    ("vase that is not red", {12}),
    ("dresser with three drawers", {14}),
    ("chest of drawers with 3 drawers", {14}),
    ("two-drawer dresser", set()),
    ("crimson vase next to the blue table", {11}),
    ("an empty vase", {12}),
    ("desk made of wood", {10}),
    ("white chest-high zorp", set()),
    ("piano", set()),
]


@pytest.mark.parametrize(("text", "fitting"), WORDS)
def test_encoder_and_detector_agree_with_the_facts(text: str, fitting: set[int]) -> None:
    encoder, detector = TruthEncoder(), TruthDetector()
    encoder.see(frame())
    detector.see(frame())
    assert {i for i, value in odds(encoder, text).items() if value > 0} == fitting
    assert found(detector, text) == [fitting]


def test_support_is_judged_by_the_detector_and_not_by_looks() -> None:
    encoder, detector = TruthEncoder(), TruthDetector()
    encoder.see(frame())
    detector.see(frame())
    queries = ("vase on the desk", "vase standing on a table", "blue vase on the desk")
    assert found(detector, *queries) == [{11}, {12}, set()]
    assert odds(encoder, "vase on the desk") == odds(encoder, "vase")


def test_every_noun_of_the_catalogue_fits_what_it_could_mean_and_nothing_else() -> None:
    encoder = TruthEncoder()
    names = sorted(CATEGORIES)
    facts: dict[int, dict[str, Scalar]] = {10 + i: {"category": n} for i, n in enumerate(names)}
    instances = np.full((32, 32), WALL, dtype=np.int32)
    instances.flat[: len(names)] = sorted(facts)
    encoder.see(TruthFrame(instances, facts))
    patches = encoder.encode_patches(np.zeros((32, 32, 3), np.uint8)).reshape(-1, 96)[: len(names)]
    likely = encoder.scale * (patches @ encoder.encode_text(names).T) + encoder.bias > 0
    expected = [[could_mean(said, seen) for said in names] for seen in names]
    np.testing.assert_array_equal(likely, expected)


def test_a_fit_has_one_cosine_however_much_is_said() -> None:
    encoder = TruthEncoder("feature_dim=320")
    encoder.see(frame())
    patches = encoder.encode_patches(RGB)
    v, u = PLACES[13]
    words = encoder.encode_text(["table", "red table", "large red coffee table"])
    np.testing.assert_allclose(patches[(v + 4) // 2, (u + 4) // 2] @ words.T, 0.4, atol=1e-5)


def test_a_patch_mixes_by_share_and_vectors_are_units() -> None:
    encoder = TruthEncoder("feature_dim=320")
    instances = np.full((64, 64), 14, dtype=np.int32)
    instances[0, :2] = WALL  # half of the first 2×2 patch
    encoder.see(TruthFrame(instances, FACTS))
    patches = encoder.encode_patches(RGB)
    assert patches.shape == (32, 32, 320)
    assert patches.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(patches, axis=2), 1.0, atol=1e-5)
    pure = patches[5, 5]
    wall = TruthEncoder("feature_dim=320")
    wall.see(TruthFrame(np.full((64, 64), WALL, dtype=np.int32), {}))
    both = pure + wall.encode_patches(RGB)[0, 0]
    np.testing.assert_allclose(patches[0, 0], both / np.linalg.norm(both), atol=1e-5)
    whole = encoder.encode_image(RGB)
    shares = (4094 * pure + 2 * wall.encode_image(RGB)) / 4096
    np.testing.assert_allclose(whole, shares / np.linalg.norm(shares), atol=1e-5)


@pytest.mark.parametrize("size", [(8, 8), (31, 50), (100, 37), (256, 256)])
def test_any_size_gives_the_same_grid(size: tuple[int, int]) -> None:
    encoder = TruthEncoder()
    encoder.see(TruthFrame(np.full(size, 10, dtype=np.int32), FACTS))
    patches = encoder.encode_patches(np.zeros((*size, 3), np.uint8))
    np.testing.assert_allclose(patches, np.broadcast_to(patches[0, 0], (32, 32, 96)), atol=1e-6)


def test_boxes_are_those_of_the_pixels() -> None:
    detector = TruthDetector()
    detector.see(frame())
    answer = detector.detect(RGB, ["desk", "vase"])
    assert len(answer) == 3
    assert answer.scores.tolist() == [1.0] * 3
    for box, mask in zip(answer.boxes, answer.masks, strict=True):
        v, u = np.nonzero(mask)
        assert box.tolist() == [u.min(), v.min(), u.max() + 1, v.max() + 1]


def test_rates_of_error_are_those_asked_for() -> None:
    detector = TruthDetector(DetectorErrors(miss=0.3, false_positives=0.2))
    encoder = TruthEncoder(EncoderErrors(miss=0.3))
    right = false = seen = 0
    steps = 400
    for step in range(steps):
        detector.see(frame(step))
        encoder.see(frame(step))
        answer = detector.detect(RGB, ["desk"])
        right += int((answer.scores == 1.0).sum())
        false += int((answer.scores < 1.0).sum())
        seen += odds(encoder, "desk")[10] > 0
    assert abs(right / steps - 0.7) < 0.08
    assert abs(false / steps - 0.2) < 0.08
    assert abs(seen / steps - 0.7) < 0.08


def test_confusion_lasts_for_the_episode_and_differs_between_the_two() -> None:
    taken: list[tuple[bool, bool]] = []
    for seed in range(120):
        encoder, detector = TruthEncoder("confusion=0.5"), TruthDetector("confuse=0.5")
        views = []
        for step in (0, 7):
            encoder.see(frame(step, seed))
            detector.see(frame(step, seed))
            views.append((odds(encoder, "desk")[10] > 0, found(detector, "desk") == [{10}]))
        assert views[0] == views[1]
        taken.append(views[0])
    rates = np.mean(taken, axis=0)
    assert abs(rates - 0.5).max() < 0.15
    assert any(a != b for a, b in taken)


def test_noise_has_the_size_asked_for() -> None:
    clean, noisy = TruthEncoder(), TruthEncoder("noise=0.02")
    clean.see(frame())
    noisy.see(frame())
    error = noisy.encode_patches(RGB) - clean.encode_patches(RGB)
    assert abs(error.std() / 0.02 - 1.0) < 0.1


def test_box_noise_moves_boxes_but_not_out_of_the_image() -> None:
    detector = TruthDetector("box_noise_px=4")
    shifts = []
    for step in range(100):
        detector.see(frame(step))
        answer = detector.detect(RGB, ["dresser"])
        u0, v0, u1, v1 = answer.boxes[0]
        assert 0 <= u0 < u1 <= 64
        assert 0 <= v0 < v1 <= 64
        shifts.append(u0 - PLACES[14][1])
    assert 2.5 < np.std(shifts) < 5.5


def test_errors_depend_on_seed_and_step_and_on_nothing_else() -> None:
    def look(order: list[int]) -> dict[int, bytes]:
        encoder = TruthEncoder("noise=0.1,miss=0.5")
        detector = TruthDetector("box_noise_px=2,miss=0.5,false_positives=0.5")
        seen = {}
        for step in order:
            encoder.see(frame(step))
            detector.see(frame(step))
            answer = detector.detect(RGB, ["vase", "desk"])
            seen[step] = encoder.encode_patches(RGB).tobytes() + answer.boxes.tobytes()
        return seen

    forth, back = look([0, 1, 2]), look([2, 0, 1])
    assert forth == back
    assert len(set(forth.values())) == 3


def test_small_views_are_not_found() -> None:
    detector = TruthDetector("min_pixels=65")
    detector.see(frame())
    assert len(detector.detect(RGB, ["desk", "vase"])) == 0


def test_names_tell_the_options_and_load() -> None:
    encoder = load_encoder("truth:noise=0.1,feature_dim=128")
    detector = load_detector("truth:miss=0.2")
    assert encoder.name == "truth:noise=0.1,feature_dim=128"
    assert encoder.feature_dim == 128
    assert detector.name == "truth:miss=0.2"
    assert load_encoder("truth").name == "truth"
    assert isinstance(encoder, SeesTruth)
    assert isinstance(detector, SeesTruth)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("truth:nois=0.1", "no option 'nois'; did you mean 'noise'?"),
        ("truth:noise=much", "noise must be a number, got 'much'"),
        ("truth:noise", "noise must be a number, got nothing"),
        ("truth:miss=1.5", "miss must be from 0 to 1, got 1.5"),
        ("truth:miss=nan", "miss must be from 0 to 1, got nan"),
        ("truth:miss=0.1,miss=0.2", "miss is given twice"),
        ("truth:feature_dim=9.5", "feature_dim must be a whole number, got '9.5'"),
        ("truth:feature_dim=8", "feature_dim must be from 64 to 4096, got 8"),
    ],
)
def test_bad_options_are_one_line(name: str, says: str) -> None:
    with pytest.raises(PerceptionError, match="truth encoder") as caught:
        load_encoder(name)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_shown_or_another_size_is_one_line() -> None:
    for eyes in (TruthEncoder().encode_patches, TruthEncoder().encode_image):
        with pytest.raises(PerceptionError, match="shown no truth: call see"):
            eyes(RGB)
    detector = TruthDetector()
    with pytest.raises(PerceptionError, match="the truth detector has been shown no truth"):
        detector.detect(RGB, ["desk"])
    detector.see(frame())
    with pytest.raises(PerceptionError, match="a frame of 64×64 and asked about one of 32×16"):
        detector.detect(np.zeros((16, 32, 3), np.uint8), ["desk"])
    with pytest.raises(PerceptionError, match="a query must be words"):
        detector.detect(RGB, ["  "])
    assert len(detector.detect(RGB, [])) == 0
    assert TruthEncoder().encode_text([]).shape == (0, 96)
