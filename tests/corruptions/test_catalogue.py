"""What holds for every corruption of the catalogue, whoever wrote it."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from navproof.core.errors import NavproofError, UnknownNameError
from navproof.corruptions.condition import Applied
from navproof.corruptions.navtrust import MIXED, PAPER
from navproof.corruptions.protocol import Corruption, Moment
from navproof.corruptions.registry import CORRUPTIONS

IMAGES = [c for c in CORRUPTIONS.values() if c.target == "rgb"]
DEPTHS = [c for c in CORRUPTIONS.values() if c.target == "depth"]
SAID = ("Walk past the large brown sofa, turn left and stop at the kitchen door.", "Go on.")
ARGUMENTS = {
    "rgb": ("intensity", "rng", "still"),
    "depth": ("intensity", "rng", "still", "max_range_m"),
    "words": ("intensity", "rng"),
    "prompt": ("intensity", "rng"),
    "mount": ("intensity", "still"),
    "arrival": ("rng",),
    "pose": ("before", "now", "intensity", "rng", "still"),
    "drive": ("rng", "still"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_every_entry_is_complete(name: str) -> None:
    entry = CORRUPTIONS.get(name)
    assert entry.name == name
    assert entry.stands_for.endswith(".")
    assert entry.stands_for.count(".") == 1
    assert 30 < len(entry.stands_for) < 100
    assert len(entry.source) > 10
    assert "TODO" not in entry.source
    assert 0.0 < entry.default <= 1.0


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_every_function_has_the_signature_of_its_target(name: str) -> None:
    entry = CORRUPTIONS.get(name)
    found = list(inspect.signature(entry.apply).parameters)
    wanted = ARGUMENTS[entry.target]
    assert tuple(found[1 : 1 + len(wanted)]) == wanted
    assert entry.apply.__doc__


def test_the_published_protocol_is_all_there() -> None:
    families = [entry.family for entry in CORRUPTIONS.values()]
    counts = {family: families.count(family) for family in dict.fromkeys(families)}
    assert counts == {"rgb": 8, "depth": 4, "instruction": 10, "body": 8}
    ours = {n for n, c in CORRUPTIONS.items() if c.family == "body"} | {"mask_any"}
    assert set(PAPER) == (set(CORRUPTIONS) - ours) | set(MIXED)
    assert len(PAPER) == 8 + 4 + 9 + 2
    strong = {n for n, c in CORRUPTIONS.items() if c.default == 1.0 and c.family == "rgb"}
    assert strong == {"low_light", "flare"}
    assert {c.default for c in DEPTHS} == {0.6}
    with pytest.raises(UnknownNameError, match="did you mean 'spatter'"):
        CORRUPTIONS.get("splatter")


def test_their_names_do_not_load_the_engine() -> None:
    code = (
        "import sys; from navproof.corruptions.registry import CORRUPTIONS as c; list(c);"
        "print(sorted({'numba', 'cv2', 'scipy', 'gymnasium'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ------------------------------------------------------------------------------ images and depth
def picture(height: int, width: int, seed: int) -> NDArray[np.uint8]:
    """Smooth shapes under noise, from black to white."""
    stream = np.random.default_rng(seed)
    rows, columns = np.mgrid[:height, :width]
    wave = 127 + 100 * np.sin(rows / 7.0 + seed)[..., None] * np.cos(columns / 5.0)[..., None]
    noisy = wave + stream.normal(0.0, 30.0, (height, width, 3))
    return np.clip(noisy, 0, 255).astype(np.uint8)


def ranges(height: int, width: int, seed: int, far_m: float = 10.0) -> NDArray[np.float32]:
    """A slanted wall with steps and holes."""
    stream = np.random.default_rng(seed)
    slant = np.linspace(0.3, far_m, width)[None, :] * np.linspace(0.6, 1.0, height)[:, None]
    depth = np.where(stream.random((height, width)) < 0.5, slant, slant[:, ::-1])
    depth[stream.random((height, width)) < 0.1] = 0.0
    return depth.astype(np.float32)


@pytest.mark.parametrize("entry", IMAGES, ids=lambda entry: entry.name)
@settings(max_examples=25)
@given(
    height=st.integers(1, 40),
    width=st.integers(1, 40),
    intensity=st.floats(0.0, 1.0),
    seed=st.integers(0, 2**63),
    lasting=st.booleans(),
)
def test_images_keep_their_form(
    entry: Corruption, height: int, width: int, intensity: float, seed: int, lasting: bool
) -> None:
    image = picture(height, width, seed % 97)
    before = image.copy()
    moment = Moment(seed, "fuzz", "rgb", 3)
    assert np.array_equal(Applied(entry, 0.0, lasting).corrupt(image, moment), image)
    part = Applied(entry, intensity, lasting)
    one, again = part.corrupt(image, moment), part.corrupt(image, moment)
    assert np.array_equal(image, before)
    assert one.shape == image.shape
    assert one.dtype == np.uint8
    assert not np.shares_memory(one, image)
    assert np.array_equal(one, again)
    image.flags.writeable = False
    assert np.array_equal(part.corrupt(image, moment), one)


@pytest.mark.parametrize("entry", DEPTHS, ids=lambda entry: entry.name)
@settings(max_examples=25)
@given(
    height=st.integers(1, 40),
    width=st.integers(1, 40),
    far_m=st.floats(0.5, 60.0),
    intensity=st.floats(0.0, 1.0),
    seed=st.integers(0, 2**63),
    lasting=st.booleans(),
)
def test_depth_stays_metric_and_in_range(
    entry: Corruption,
    height: int,
    width: int,
    far_m: float,
    intensity: float,
    seed: int,
    lasting: bool,
) -> None:
    depth = np.minimum(ranges(height, width, seed % 97, far_m), np.float32(far_m * 0.999))
    before = depth.copy()
    moment = Moment(seed, "fuzz", "depth", 3)
    clean = Applied(entry, 0.0, lasting).corrupt(depth, moment, max_range_m=far_m)
    assert np.array_equal(clean, depth)
    part = Applied(entry, intensity, lasting)
    one = part.corrupt(depth, moment, max_range_m=far_m)
    assert np.array_equal(depth, before)
    assert one.shape == depth.shape
    assert one.dtype == np.float32
    assert not np.shares_memory(one, depth)
    assert np.all(np.isfinite(one))
    assert np.all(one[depth == 0.0] == 0.0)
    assert float(one.min()) >= 0.0
    assert float(one.max()) <= far_m
    assert np.array_equal(part.corrupt(depth, moment, max_range_m=far_m), one)
    depth.flags.writeable = False
    assert np.array_equal(part.corrupt(depth, moment, max_range_m=far_m), one)


@pytest.mark.parametrize("entry", IMAGES + DEPTHS, ids=lambda entry: entry.name)
def test_more_intensity_never_means_less_damage(entry: Corruption) -> None:
    clean: Any = picture(96, 128, 1) if entry.target == "rgb" else ranges(96, 128, 1, 5.0)
    steps = np.linspace(0.0, 1.0, 9)
    damage = []
    for intensity in steps:
        part = Applied(entry, float(intensity), entry.lasting)
        spoiled = [part.corrupt(clean, Moment(0, f"e{k}", "x", k)) for k in range(24)]
        damage.append(np.mean([np.mean((s.astype(float) - clean) ** 2) for s in spoiled]))
    assert damage[0] == 0.0
    assert damage[-1] > 0.0
    slack = 0.02 * damage[-1]
    assert all(later >= sooner - slack for sooner, later in pairwise(damage))


@pytest.mark.parametrize("entry", IMAGES + DEPTHS, ids=lambda entry: entry.name)
@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), "much", None])
def test_a_wrong_intensity_is_refused(entry: Corruption, wrong: Any) -> None:
    clean: Any = picture(4, 4, 0) if entry.target == "rgb" else ranges(4, 4, 0)
    with pytest.raises(NavproofError, match="intensity"):
        entry.apply(clean, wrong, np.random.default_rng(0))


@pytest.mark.parametrize("entry", IMAGES + DEPTHS, ids=lambda entry: entry.name)
@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [[1, 2], [3, 4]],
        np.zeros((4, 4, 2), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
        np.zeros((0, 4), np.float32),
        np.full((4, 4), np.nan, np.float32),
        np.full((4, 4), -1.0, np.float32),
    ],
    ids=["none", "list", "two", "float", "empty", "empty_depth", "nan", "negative"],
)
def test_odd_input_is_refused_in_one_line(entry: Corruption, wrong: Any) -> None:
    for intensity in (0.0, 0.5):
        with pytest.raises(NavproofError) as caught:
            entry.apply(wrong, intensity, np.random.default_rng(0))
        assert len(str(caught.value).splitlines()) == 1


# ----------------------------------------------------------------------------------- determinism
def digests() -> dict[str, str]:
    """Of what every corruption of images, depth and words makes of fixed input."""
    found = {}
    for entry in CORRUPTIONS.values():
        summed = hashlib.sha256()
        for step, intensity, lasting in product((0, 5), (0.3, 1.0), (False, True)):
            part = Applied(entry, intensity, lasting)
            moment = Moment(11, "home/val/0:3", entry.target, step)
            if entry.target in ("words", "prompt"):
                summed.update("".join(part.corrupt(said, moment) for said in SAID).encode())
            elif entry.target in ("rgb", "depth"):
                clean: Any = picture(37, 53, 2) if entry.target == "rgb" else ranges(37, 53, 2)
                summed.update(part.corrupt(clean, moment).tobytes())
        found[entry.name] = summed.hexdigest()
    return found


def test_another_process_sees_the_same() -> None:
    here = str(Path(__file__).parent)
    code = f"import json, sys; sys.path.insert(0, {here!r}); "
    code += "import test_catalogue; print(json.dumps(test_catalogue.digests()))"
    changed = os.environ | {"PYTHONHASHSEED": "12345"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=changed, check=False
    )
    assert done.returncode == 0, done.stderr
    np.random.seed(1)  # noqa: NPY002
    there = json.loads(done.stdout)
    assert digests() == there
    assert digests() == there
