"""Secrets for seeds: what is one, and that its fingerprint and references give nothing away."""

from __future__ import annotations

from pathlib import Path

import pytest

from navproof.core import salt as salt_module
from navproof.core.errors import SceneError, SpecError
from navproof.core.salt import Salt, known_salts, learn_salts, salt_called
from navproof.world.library import parse_ref, salted_ref, scene_seed

SECRET = bytes(range(32))


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(salt_module, "_salts", {})


def test_a_salt_is_what_its_file_holds(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(SECRET)
    (tmp_path / "b").write_bytes(SECRET)
    (tmp_path / "c").write_bytes(SECRET + b"1")
    a, b, c = (Salt.read(tmp_path / name) for name in "abc")
    assert a == b != c
    assert a.fingerprint == b.fingerprint != c.fingerprint
    assert a.file == tmp_path / "a"
    for hidden in (repr(a), a.fingerprint):
        assert SECRET.hex()[:12] not in hidden
        assert a.key[:12] not in hidden


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "could be guessed: it must hold at least 16 random bytes"),
        (b"secret", "could be guessed"),
        (b"0" * 40, "could be guessed"),
        (b"x" * (1 << 17), "is longer than 65536 bytes"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_secret_is_refused(tmp_path: Path, content: bytes | None, why: str) -> None:
    if content is not None:
        (tmp_path / "s").write_bytes(content)
    with pytest.raises(SpecError, match=why):
        Salt.read(tmp_path / "s")


def test_salted_scenes_are_others_and_only_their_holder_can_make_them() -> None:
    salt, other = Salt(SECRET), Salt(SECRET[::-1])
    ref = salted_ref("home/val/3", salt)
    assert ref == f"home/val/3~{salt.fingerprint}"
    assert parse_ref(ref).id == ref
    assert salted_ref("own/my.scene", salt) == "own/my.scene"
    with pytest.raises(SceneError, match="is made with a salt, and is not on this machine yet"):
        scene_seed(parse_ref(ref))
    learn_salts((salt, other))
    assert known_salts() == (salt, other)
    assert salt_called(salt.fingerprint) is not None
    refs = ("home/val/3", ref, salted_ref("home/val/3", other), salted_ref("home/val/4", salt))
    assert len({scene_seed(parse_ref(one)) for one in refs}) == 4
    assert scene_seed(parse_ref(ref)) == scene_seed(parse_ref(ref))


def test_what_is_no_fingerprint_is_refused() -> None:
    for ref in ("home/val/3~", "home/val/3~x", "home/val/3~0123456789AB", "home/val/3~../../../x"):
        with pytest.raises(SceneError):
            parse_ref(ref)
