"""A batch equals the loop over its items."""

from __future__ import annotations

import numpy as np
import pytest

from navproof.core.errors import SpecError
from navproof.core.types import Instruction
from navproof.corruptions import parse_condition
from navproof.corruptions.batch import corrupt_depth, corrupt_rgb, corrupt_words, item_moment

IMAGES = np.random.default_rng(0).integers(0, 256, (5, 24, 32, 3), dtype=np.uint8)
DEPTHS = np.random.default_rng(1).uniform(0.5, 6.0, (5, 24, 32)).astype(np.float32)
WORDS = [
    "Walk past the large sofa and stop at the door.",
    "Turn left in the kitchen.",
    "Go upstairs, then wait by the blue lamp.",
]


def test_images_equal_the_loop() -> None:
    condition = parse_condition("spatter@0.8+low_light_noise")
    before = IMAGES.copy()
    batch = corrupt_rgb(condition, IMAGES, seed=4)
    for number, image in enumerate(IMAGES):
        alone = condition.corrupt("rgb", image, item_moment("rgb", number, 4))
        assert np.array_equal(batch[number], alone)
    assert np.array_equal(IMAGES, before)
    assert batch.dtype == np.uint8
    assert not np.array_equal(batch, corrupt_rgb(condition, IMAGES, seed=5))


def test_depth_equals_the_loop_and_keeps_to_its_range() -> None:
    condition = parse_condition("depth_gaussian@1+depth_quantisation")
    batch = corrupt_depth(condition, DEPTHS, max_range_m=6.0)
    for number, depth in enumerate(DEPTHS):
        moment = item_moment("depth", number)
        alone = condition.corrupt("depth", depth, moment, max_range_m=6.0)
        assert np.array_equal(batch[number], alone)
    assert float(batch.max()) <= 6.0
    assert batch.dtype == np.float32


def test_words_equal_the_loop() -> None:
    condition = parse_condition("mask_50+black_box")
    heard = corrupt_words(condition, WORDS, seed=2)
    alone = [
        condition.corrupt("words", text, item_moment("words", number, 2))
        for number, text in enumerate(WORDS)
    ]
    assert heard == alone
    assert corrupt_words("clean", [Instruction("Go."), "Stop."]) == ["Go.", "Stop."]


def test_chunks_equal_the_whole() -> None:
    whole = corrupt_rgb("motion_blur", IMAGES)
    chunks = [corrupt_rgb("motion_blur", IMAGES[i : i + 2], first=i) for i in range(0, 5, 2)]
    assert np.array_equal(np.concatenate(chunks), whole)
    heard = corrupt_words("capitalise@0.5", WORDS)
    assert corrupt_words("capitalise@0.5", WORDS[1:], first=1) == heard[1:]


def test_dirt_is_shared_within_an_episode_only() -> None:
    grey = np.full((4, 48, 64, 3), 128, np.uint8)
    shared = corrupt_rgb("spatter@1", grey, episodes=["a", "a", "b", "b"])
    assert np.array_equal(shared[0], shared[1])
    assert np.array_equal(shared[2], shared[3])
    assert not np.array_equal(shared[1], shared[2])
    own = corrupt_rgb("spatter@1", grey)
    assert not np.array_equal(own[0], own[1])


def test_a_list_may_hold_any_sizes() -> None:
    images = [IMAGES[0], IMAGES[1][:10, :7].copy()]
    spoiled = corrupt_rgb("defocus", images)
    assert [image.shape for image in spoiled] == [(24, 32, 3), (10, 7, 3)]
    clean = corrupt_rgb("clean", images)
    assert np.array_equal(clean[0], images[0])
    assert not np.shares_memory(clean[0], images[0])


def test_an_empty_batch_stays_empty() -> None:
    assert corrupt_rgb("spatter", IMAGES[:0]).shape == (0, 24, 32, 3)
    assert corrupt_words("friendly", []) == []


def test_a_mixed_condition_does_its_part_on_each() -> None:
    mixed = "motion_blur+depth_missing"
    assert np.array_equal(corrupt_rgb(mixed, IMAGES), corrupt_rgb("motion_blur", IMAGES))
    assert np.array_equal(corrupt_depth(mixed, DEPTHS), corrupt_depth("depth_missing", DEPTHS))


def test_mistakes_are_told() -> None:
    with pytest.raises(SpecError, match=r"'depth_gaussian' has nothing that acts on rgb"):
        corrupt_rgb("depth_gaussian", IMAGES)
    with pytest.raises(SpecError, match=r"\(n, h, w, 3\) or a list, got \(24, 32, 3\)"):
        corrupt_rgb("spatter", IMAGES[0])
    with pytest.raises(SpecError, match=r"item 0: .*uint8"):
        corrupt_rgb("spatter", IMAGES.astype(np.float32))
    with pytest.raises(SpecError, match="5 items need as many episodes, got 1"):
        corrupt_rgb("spatter", IMAGES, episodes=["a"])
    with pytest.raises(SpecError, match=r"write \[text\]"):
        corrupt_words("friendly", "Walk on.")
