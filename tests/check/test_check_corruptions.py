"""Every corruption passes the checks that users' own must pass; broken ones fail the right one."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from checking import assert_all_hold, assert_fault, wrong

from navproof.check import corruptions
from navproof.check.corruptions import check_corruption
from navproof.corruptions.registry import CORRUPTIONS

BROKEN = """
import time
import numpy as np
from navproof import Corruption, register_corruption

def hangs(image, intensity, rng):
    time.sleep(3600)

def fine(image, intensity, rng):
    return np.clip(image + 90.0 * intensity, 0, 255).astype(np.uint8)

def not_identity(image, intensity, rng):
    return np.clip(image + 5.0 + 90.0 * intensity, 0, 255).astype(np.uint8)

def same_array(image, intensity, rng):
    return image if intensity == 0.0 else fine(image, intensity, rng)

def in_place(image, intensity, rng):
    if intensity == 0.0:
        return image.copy()
    image[: len(image) // 2 + 1] //= 2
    return image.copy()

def floats(image, intensity, rng):
    return image.copy() if intensity == 0.0 else image * (1.0 - intensity)

def smaller(image, intensity, rng):
    return image.copy() if intensity == 0.0 else image[: max(1, len(image) // 2)]

def own_dice(image, intensity, rng):
    noise = np.random.default_rng().normal(0, 50 * intensity, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)

def global_dice(image, intensity, rng):
    noise = np.random.normal(0, 50 * intensity, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)

def nothing(image, intensity, rng):
    return image.copy()

def slow(image, intensity, rng):
    time.sleep(0.6 * (image.size > 100_000))
    return fine(image, intensity, rng)

def falls(image, intensity, rng):
    return fine(image, intensity * (1.1 - intensity), rng)

def small_only(image, intensity, rng):
    return fine(image[:, :48].copy(), intensity, rng) if intensity else image.copy()

def hashes(image, intensity, rng):
    return fine(image, intensity * (0.5 + hash("fog") % 1000 / 2000), rng)

def nan(depth, intensity, rng):
    return depth.copy() if intensity == 0.0 else depth * np.float32("nan")

def forgets(depth, intensity, rng):
    if intensity == 0.0:
        return depth.copy()

def raises_at_once(image, intensity, rng):
    raise RuntimeError("no lens")

def beyond(depth, intensity, rng):
    return depth + np.float32(9.0 * intensity) * (depth > 0)

def fills(depth, intensity, rng):
    return np.where(depth == 0, np.float32(intensity), depth)

def numbers(text, intensity, rng):
    return text if intensity == 0.0 else 3

def raises(text, intensity, rng):
    return text if intensity == 0.0 else text[1000]
"""


@pytest.mark.parametrize("name", CORRUPTIONS.built_in())
def test_built_in(name: str) -> None:
    assert_all_hold(check_corruption(name))


@pytest.mark.parametrize(
    ("name", "failing", "says"),
    [
        ("fine", "", ""),
        ("not_identity", "nothing at intensity 0", "uint8 (1, 1, 3) became uint8 (1, 1, 3)"),
        ("same_array", "nothing at intensity 0", "is returned, not a copy"),
        ("in_place", "leaves its input alone", "was changed in place"),
        ("floats", "form is kept", "became float64"),
        ("smaller", "form is kept", "became uint8 (3, 1, 3)"),
        ("small_only", "form is kept", "uint8 (20, 160, 3) at intensity 1e-06: became"),
        ("own_dice", "same generators, same result", "came out in two ways"),
        ("global_dice", "same generators, same result", "came out in two ways"),
        ("nothing", "something at intensity 1", "nothing is changed"),
        ("slow", "cost", "over 0.5 s"),
        ("nan", "form is kept", "not finite"),
        ("beyond", "form is kept", "the range is 0–3.3 m"),
        ("fills", "form is kept", "holes (0) were filled"),
        ("numbers", "form is kept", "became 3, not a text"),
        ("raises", "form is kept", "raised IndexError: string index out of range (broken.py:"),
        ("absent", "loads", "has no 'absent'"),
        ("np", "loads", "is a module, not a function"),
    ],
)
def test_each_fault_is_found(broken: str, name: str, failing: str, says: str) -> None:
    assert_fault(wrong(check_corruption(f"{broken}:{name}", elsewhere=False)), failing, says)


def test_what_differs_between_processes_is_found(broken: str) -> None:
    found = wrong(check_corruption(f"{broken}:hashes"))
    assert found == {"same in another process": "another process gives another result"}


def test_damage_that_falls_is_told_but_not_failed(broken: str) -> None:
    checks = {c.name: c for c in check_corruption(f"{broken}:falls", elsewhere=False)}
    assert checks["stronger is not weaker"].ok is None
    assert checks["stronger is not weaker"].what.endswith("it falls")


@pytest.mark.parametrize("name", ["nan", "forgets"])
def test_damage_that_is_no_number_is_wrong(broken: str, name: str) -> None:
    found = wrong(check_corruption(f"{broken}:{name}", elsewhere=False))
    assert found["stronger is not weaker"].endswith("nan, nan, nan, nan: not always a number")


def test_what_raises_is_told_once(broken: str) -> None:
    checks = check_corruption(f"{broken}:raises_at_once", elsewhere=False)
    assert list(wrong(checks)) == ["nothing at intensity 0"]
    assert "RuntimeError: no lens (broken.py:" in checks[1].what
    for check in checks[2:]:
        assert (check.ok, check.what[:17]) == (None, "could not be made")


def test_an_intensity_in_the_name_does_not_matter() -> None:
    assert wrong(check_corruption("black_out@0.3")) == {}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no interval timers")
def test_one_that_hangs_comes_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corruptions, "CALL_LIMIT_S", 0.5)
    (tmp_path / "broken.py").write_text(BROKEN)
    began = time.monotonic()
    checks = check_corruption(f"{tmp_path / 'broken.py'}:hangs")
    assert time.monotonic() - began < 10.0
    (failed,) = [check for check in checks if check.ok is False]
    assert failed.what.startswith("raised TimeoutError: a call took longer than 0.5 s (broken.py:")
    assert sum("does not return" in check.what for check in checks) >= 4
