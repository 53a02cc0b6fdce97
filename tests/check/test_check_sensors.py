"""Every kind of sensor passes the checks that users' own must pass; broken ones fail the right
one."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import assert_all_hold, assert_fault, wrong

from navproof.check.sensors import check_sensor
from navproof.sensors import SENSORS

BROKEN = """
import numpy as np
from navproof import Camera, ReadingSpec

CAMERA = Camera(16, 12)
READING = ReadingSpec((12, 16), "float32", 0.0, 20.0)

class Fine:
    reading = READING
    def __init__(self, spec): self.spec = spec
    def read(self, view): return view.frame(CAMERA).depth.copy()

class Scaled(Fine):
    def __init__(self, spec, *, factor: float = 1.0): self.factor = factor
    def read(self, view): return np.float32(self.factor) * view.frame(CAMERA).depth

class OtherShape(Fine):
    def read(self, view): return view.frame(CAMERA).depth[:3].copy()

class OutOfBounds(Fine):
    def read(self, view): return view.frame(CAMERA).depth + np.float32(30)

class NotFinite(Fine):
    def read(self, view): return view.frame(CAMERA).depth / np.float32(0)

class Shared(Fine):
    def read(self, view): return view.frame(CAMERA).depth

class Buffer(Fine):
    held = np.zeros((12, 16), np.float32)
    def read(self, view):
        self.held[:] = view.frame(CAMERA).depth
        return self.held

class OwnDice(Fine):
    def read(self, view):
        return view.frame(CAMERA).depth + np.random.random((12, 16)).astype(np.float32)

class Remembers(Fine):
    total = 0.0
    def read(self, view):
        self.total += 0.1
        return np.minimum(view.frame(CAMERA).depth + np.float32(self.total), np.float32(20))

class Noisy(Fine):
    def read(self, view):
        noise = view.fresh(self.spec.name, "noise").random((12, 16))
        return view.frame(CAMERA).depth + noise.astype(np.float32)

class Constant(Fine):
    def read(self, view): return np.ones((12, 16), np.float32)

class Raises(Fine):
    def read(self, view): return {}["depth"]

class NoRead:
    reading = READING
    def __init__(self, spec): ...
"""


@pytest.mark.parametrize("name", SENSORS.built_in())
def test_built_in(name: str) -> None:
    assert_all_hold(check_sensor(name))


@pytest.mark.parametrize(
    ("name", "failing", "says"),
    [
        ("Fine", "", ""),
        ("Scaled@factor=0.5", "", ""),
        ("Noisy", "", ""),
        ("Scaled@factor=-1", "readings as declared", "but says from 0 to 20"),
        ("Scaled@faktor=1", "loads", "did you mean 'factor'?"),
        ("OtherShape", "readings as declared", "read float32 (3, 16), but says float32 (12, 16)"),
        ("OutOfBounds", "readings as declared", "but says from 0 to 20"),
        ("NotFinite", "readings as declared", "not finite"),
        ("Shared", "readings are its own", "two readings share memory"),
        ("Buffer", "readings are its own", "two readings share memory"),
        ("OwnDice", "same episode, same readings", "differs at step 0"),
        ("OwnDice", "same moment, same reading", "differs at step 0"),
        ("Remembers", "goes on after a restore", "differs at step"),
        ("Remembers", "same moment, same reading", "differs at step 0"),
        ("Raises", "readings as declared", "raised KeyError: 'depth' (broken.py:"),
        ("NoRead", "loads", "has no method 'read'"),
    ],
)
def test_each_fault_is_found(broken: str, name: str, failing: str, says: str) -> None:
    assert_fault(wrong(check_sensor(f"{broken}:{name}", elsewhere=False)), failing, says)


def test_what_is_told(broken: str) -> None:
    constant = {c.name: c for c in check_sensor(f"{broken}:Constant", elsewhere=False)}
    assert constant["tells something"].ok is None
    noisy = {c.name: c.what for c in check_sensor(f"{broken}:Noisy", elsewhere=False)}
    assert noisy["noise"] == "another seed gives other readings"
    assert constant["noise"].what.startswith("none")


def test_a_slow_one_is_found(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navproof.check.sensors._SLOW_S", 0.0)
    found = wrong(check_sensor(f"{broken}:Fine", elsewhere=False))
    assert list(found) == ["cost"]
    assert "over 0 s" in found["cost"]


def test_every_sensor_of_a_file_is_checked(broken: str, tmp_path: Path) -> None:
    table = '[[sensor]]\nname = "{0}"\nkind = "{1}:{0}"\n'
    path = tmp_path / "sensors.toml"
    path.write_text(table.format("Fine", broken) + table.format("Shared", broken))
    assert list(wrong(check_sensor(str(path)))) == ["Shared: readings are its own"]
