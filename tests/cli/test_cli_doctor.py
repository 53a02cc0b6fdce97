"""``navproof doctor``: what it finds is true, and it says so when something is missing."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path

import pytest

from navproof.cli import doctor as module
from navproof.cli.main import main


def navproof(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["navproof", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / "cache"))


def test_doctor_json_is_true(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "cache" / "deep").mkdir(parents=True)
    (tmp_path / "cache" / "deep" / "file").write_bytes(b"x" * 2_000_000)
    assert navproof(monkeypatch, "doctor", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is True
    versions = {p["name"]: p["version"] for p in found["packages"]}
    assert versions["numpy"] == importlib.metadata.version("numpy")
    assert "gymnasium" not in versions
    assert {e["name"] for e in found["extras"]} >= {"gym", "meshes", "bench"}
    assert found["cache"]["folder"] == str(tmp_path / "cache")
    assert found["cache"]["files"] >= 1
    assert found["cache"]["megabytes"] >= 2.0
    assert found["cache"]["jit"] in ("warm", "cold")
    assert found["machine"]["cores"] >= 1


def test_the_self_test_renders_the_reference_picture() -> None:
    """When the renderer or the tiny scene changes on purpose, REFERENCE_PICTURE changes too."""
    test = module._self_test()
    assert test["ok"]
    assert test["depth_m"] == 6.0
    assert test["picture"] == module.REFERENCE_PICTURE


def test_doctor_speaks_to_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert navproof(monkeypatch, "doctor") == 0
    told = capsys.readouterr().out
    assert "navproof works here" in told
    assert "no GPU needed" in told
    assert "gymnasium.make" in told


def test_a_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name == "gymnasium":
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    found = module._examine()
    gym = next(e for e in found["extras"] if e["name"] == "gym")
    assert gym["missing"] == ["gymnasium"]
    assert gym["install"] == "pip install 'navproof[gym]'"
    assert found["ok"]
    assert "gym" in found["verdict"]


@pytest.mark.parametrize(("installed", "status"), [(None, "missing"), ("0.9", "too old")])
def test_a_broken_base_fails(
    installed: str | None,
    status: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name != "scipy":
            return real(name)
        if installed is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return installed

    monkeypatch.setattr(importlib.metadata, "version", version)
    assert navproof(monkeypatch, "doctor", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert next(p for p in found["packages"] if p["name"] == "scipy")["status"] == status
    assert "scipy" in found["verdict"]
    assert found["self_test"]["ok"] is False


def test_a_crash_in_the_self_test_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> tuple[str, float, float]:
        raise RuntimeError("no\nkernel")

    monkeypatch.setattr(module, "_picture", broken)
    found = module._examine()
    assert found["ok"] is False
    assert "RuntimeError: no kernel" in found["verdict"]


@pytest.mark.parametrize(
    ("less", "more"), [("1.9", "1.10"), ("2.0", "2.0.1"), ("1.26", "2.0rc1"), ("4.11", "5.0.0.93")]
)
def test_versions_compare_as_numbers(less: str, more: str) -> None:
    assert module._numbers(less) < module._numbers(more)
