"""Packed suites: the same bytes for the same suite, everything in them, nothing believed."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import packed_samples as samples
from navproof.core.errors import NavproofError, SpecError
from navproof.core.plain import as_plain
from navproof.core.types import Episode, Robot, TaskSpec
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.registry import CORRUPTIONS
from navproof.runner.conditions import expand_conditions, usual_conditions
from navproof.runner.spec import RunSpec
from navproof.sim.robots import ROBOTS, load_robot
from navproof.tasks import TASKS, spec_for
from navproof.tasks.episodes import write_episodes
from navproof.tasks.settings import STANDARD, Changes
from navproof.tasks.suites import find_pack, load_suite, settings_of
from navproof.tasks.suites.pack import Needed, open_pack, write_pack
from navproof.tasks.suites.pack.manifest import MANIFEST
from navproof.world.library import load_scene, scene_digest

KEPT_DIGEST = "de2377f284e4172847c1cd9d8cb368987624e56c7b0562aa41f0ce954a60e831"
KEPT_LOOK = "fa22742ebfe97126"
"""Of the suite in ``tests/data/packed``, and of what a camera sees in its scene."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples.own_cache(monkeypatch, tmp_path)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A packed suite, in a folder with the scene that it was made of."""
    folder = tmp_path_factory.mktemp("packed")
    with pytest.MonkeyPatch.context() as patch:
        samples.own_cache(patch, folder)
        return samples.pack_flat(folder)


# ------------------------------------------------------------------------------------- packing
def test_the_same_suite_gives_the_same_bytes(packed: Path, tmp_path: Path) -> None:
    again = samples.pack_flat(tmp_path)
    assert again.read_bytes() == packed.read_bytes()
    with zipfile.ZipFile(packed) as archive:
        assert archive.namelist()[0] == MANIFEST
        told = hashlib.sha256(archive.read(MANIFEST)).hexdigest()
    assert open_pack(packed).digest == told


def test_the_digest_is_of_what_is_in_it_and_not_of_how_it_is_compressed(
    packed: Path, tmp_path: Path
) -> None:
    other = rewritten(packed, tmp_path / "other.suite", method=zipfile.ZIP_STORED)
    assert other.stat().st_size != packed.stat().st_size
    assert open_pack(other).digest == open_pack(packed).digest
    assert open_pack(other).unpack() == 1


def test_everything_is_in_it(packed: Path) -> None:
    pack = open_pack(packed)
    manifest = pack.manifest
    assert (manifest.name, manifest.episodes, manifest.conditions) == (
        "tiny",
        6,
        samples.CONDITIONS,
    )
    assert manifest.made_by.navproof == "0.2.0"
    assert pack.identity == {"name": "tiny", "digest": pack.digest}
    (scene,) = manifest.scenes
    assert scene.startswith("flat.scene#")
    for mine, source in zip(pack.episodes, samples.episodes("flat.scene"), strict=True):
        assert mine == replace(source, scene=scene)
    for task, spec in pack.settings.tasks.items():
        assert spec == spec_for(task)
    assert pack.settings.robots == {"h1": load_robot("h1")}
    assert pack.settings.spec("mission-v1", "h1") == STANDARD.spec("mission-v1", "h1")
    assert pack.settings.spec("mission-v1", "carter") == STANDARD.spec("mission-v1", "carter")


def test_settings_are_written_with_every_field(packed: Path) -> None:
    """So that they mean the same where defaults are others."""
    with zipfile.ZipFile(packed) as archive:
        told = json.loads(archive.read("settings.json"))
    for spec in told["tasks"].values():
        assert spec.keys() == {f.name for f in fields(TaskSpec)}
        assert spec["robot"].keys() == {f.name for f in fields(Robot)}
    assert as_plain(load_robot("h1"), complete=True) == told["robots"]["h1"]
    assert "wheel_base_m" in told["robots"]["h1"]
    assert "wheel_base_m" not in as_plain(load_robot("h1"))


def test_scenes_are_put_in_their_place(packed: Path) -> None:
    (ref,) = open_pack(packed).manifest.scenes
    with pytest.raises(NavproofError, match="is not on this machine"):
        load_scene(ref)
    episodes = load_suite(str(packed))
    assert {episode.scene for episode in episodes} == {ref}
    assert load_scene(ref).id == ref
    assert scene_digest(ref) == ref.partition("#")[2][:12]
    pack = open_pack(packed)
    assert pack.unpack() == 0
    pack.manifest.refs[0].file.write_bytes(b"PK, and then something else")
    assert pack.unpack() == 1
    assert samples.look(load_scene(ref)) == KEPT_LOOK


def test_conditions_mean_the_same_where_usual_intensities_are_others(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert usual_conditions(str(packed)) == ("wheel_slip@0.6:frame",)
    assert RunSpec(("a",), str(packed)).conditions == ("clean", "wheel_slip")
    assert RunSpec(("a",), str(packed), conditions=("spatter",)).conditions == ("clean", "spatter")
    for text in ("spatter", "depth_gaussian@0.4", "verbose+mask_50+motion_blur:frame", "clean"):
        condition = parse_condition(text)
        assert parse_condition(condition.full_name) == condition
        assert parse_condition(condition.full_name).name == condition.name
    slip = CORRUPTIONS["wheel_slip"]
    monkeypatch.setitem(CORRUPTIONS._things, "wheel_slip", replace(slip, default=0.1, lasting=True))
    (condition,) = expand_conditions(usual_conditions(str(packed)))[1:]
    assert condition == "wheel_slip@0.6:frame"


def test_an_episode_file_in_packed_scenes_is_packed_again(packed: Path, tmp_path: Path) -> None:
    pack = open_pack(packed)
    pack.unpack()
    write_episodes(tmp_path / "some.jsonl", pack.episodes[2:4])
    some = load_suite(str(tmp_path / "some.jsonl"))
    write_pack(tmp_path / "some.suite", "some", some, generator=4)
    again = open_pack(tmp_path / "some.suite")
    assert again.manifest.scenes == pack.manifest.scenes
    assert again.episodes == pack.episodes[2:4]
    assert set(again.settings.tasks) == {e.task for e in again.episodes}


def test_what_cannot_be_packed_is_told(tmp_path: Path) -> None:
    scene = tmp_path / "flat.scene"
    samples.pack_flat(tmp_path)
    episodes = samples.episodes(str(scene))
    with pytest.raises(SpecError, match="cannot be packed: a name in it is empty, too long or not"):
        write_pack(tmp_path / "a.suite", "two\nlines", episodes, generator=4)
    with pytest.raises(
        SpecError, match=r"a\.suite cannot be written \(No such file or directory\)"
    ):
        write_pack(tmp_path / "none" / "a.suite", "a", episodes, generator=4)
    assert not list(tmp_path.glob("*.part")) + list(tmp_path.glob("a.suite"))
    with pytest.raises(NavproofError, match=r"there is no scene file nowhere\.scene"):
        write_pack(tmp_path / "a.suite", "a", samples.episodes("nowhere.scene"), generator=4)


def test_scenes_of_two_salts_are_not_packed_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navproof.tasks.suites.pack.write.load_scene", lambda _: samples.flat())
    (first, second, *_) = samples.episodes("home/val/0~0123456789ab")
    both = [first, replace(second, scene="home/val/0~ba9876543210")]
    with pytest.raises(SpecError, match="scenes made with two salts cannot be packed together"):
        write_pack(tmp_path / "a.suite", "a", both, generator=4)
    write_pack(tmp_path / "a.suite", "a", both[:1], generator=4)
    pack = open_pack(tmp_path / "a.suite")
    assert pack.salt == "0123456789ab"
    assert pack.identity["salt"] == "0123456789ab"
    (ref,) = pack.manifest.refs
    assert "withheld" in ref.file.parts
    assert ref.file.is_file()


def test_settings_of_other_suites_are_those_of_today() -> None:
    assert settings_of("mini") is STANDARD
    assert find_pack("mini") is None
    assert find_pack("mine.jsonl") is None


def test_runs_change_settings_of_packs_as_they_do_those_of_today() -> None:
    changes = Changes((64, 48), (), frozenset({"mission-v1"}))
    spec = changes.of(spec_for("mission-v1"))
    assert {(s.camera.width, s.camera.height) for s in spec.sensors if s.camera} == {(64, 48)}
    assert spec.reacting_people
    assert not changes.of(spec_for("vln-v1")).reacting_people
    assert Changes().of(spec_for("vln-v1")) == spec_for("vln-v1")


# ---------------------------------------------------------------------- under later versions
def test_the_suite_that_is_kept_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {task: TASKS[task].spec for task in TASKS.built_in()}
    robot = ROBOTS["h1"]
    samples.later_version(monkeypatch)
    pack = open_pack(samples.SUITE)
    assert pack.digest == KEPT_DIGEST
    assert {e.task for e in pack.episodes} == before.keys()
    for task, spec in before.items():
        assert pack.settings.spec(task) == spec != spec_for(task)
    assert pack.settings.robot("h1") == robot != load_robot("h1")
    pack.unpack()
    assert samples.look(load_scene(pack.episodes[0].scene), pack.settings) == KEPT_LOOK


# --------------------------------------------------------------------------------- bad input
def rewritten(
    source: Path,
    target: Path,
    change: Callable[[dict[str, bytes]], None] | None = None,
    method: int = zipfile.ZIP_DEFLATED,
) -> Path:
    """A pack with other members."""
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if change is not None:
        change(members)
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target


def scene_of(members: Mapping[str, bytes]) -> str:
    return next(name for name in members if name.startswith("scenes/"))


def manifest_with(**changes: Any) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        told = json.loads(members[MANIFEST])
        members[MANIFEST] = json.dumps({**told, **changes}).encode()

    return change


def member_with(name: str, old: str, new: str) -> Callable[[dict[str, bytes]], None]:
    """An edit of a text that the manifest knows of."""

    def change(members: dict[str, bytes]) -> None:
        text = members[name].decode()
        assert old in text
        members[name] = text.replace(old, new, 1).encode()
        told = json.loads(members[MANIFEST])
        told["members"][name] = hashlib.sha256(members[name]).hexdigest()
        members[MANIFEST] = json.dumps(told).encode()

    return change


def without(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.__delitem__(name)


def edited(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.update({name: members[name].replace(b"5", b"6", 1)})


def with_another_scene(members: dict[str, bytes]) -> None:
    import io

    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("scene.json", "{}")
    members[scene_of(members)] = data.getvalue()


def with_garbage(members: dict[str, bytes]) -> None:
    members[scene_of(members)] = b"garbage"


def with_a_bomb(members: dict[str, bytes]) -> None:
    import io

    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scene.json", bytes(100_000_000))
    members[scene_of(members)] = data.getvalue()


SCENE = "scenes/340f18f6b813952d37124091d9c5652b.scene"
LIES: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "no manifest": (without(MANIFEST), "is not a packed suite, or not a whole one: it has no man"),
    "no episodes": (without("episodes.jsonl"), "edited: episodes.jsonl: is missing"),
    "no settings": (without("settings.json"), "edited: settings.json: is missing"),
    "no scene": (without(SCENE), f"edited: {SCENE}: is missing"),
    "something more": (
        lambda members: members.update({"more.txt": b"!"}),
        "more.txt: is not named in manifest.json",
    ),
    "edited episodes": (
        edited("episodes.jsonl"),
        "episodes.jsonl: its digest is not the one in manifest.json",
    ),
    "edited settings": (
        edited("settings.json"),
        "settings.json: its digest is not the one in manifest.json",
    ),
    "another scene": (with_another_scene, f"{SCENE}: its digest is not the one in manifest.json"),
    "no scene file": (with_garbage, f"{SCENE}: flat.scene#340f18f6b813952d37124091d9c5652b is not"),
    "a bomb": (with_a_bomb, "it would unpack to 100 MB"),
    "manifest of something else": (manifest_with(format="zip"), "it is not that of a packed suite"),
    "a newer format": (
        manifest_with(version=2),
        "it has format version 2, and this navproof reads",
    ),
    "manifest without episodes": (manifest_with(episodes="6"), "episodes: expected a whole number"),
    "an unknown field": (manifest_with(more=1), "more is not a known field"),
    "two names": (manifest_with(name="a\nb"), "a name in it is empty, too long or not printable"),
    "a scene by name": (manifest_with(scenes=["home/val/0"]), "is not named by its content"),
    "a scene of its own": (
        manifest_with(scenes=[f"a#{'0' * 32}"]),
        "scenes/00000000000000000000000000000000.scene is in one of its lists and not in the other",
    ),
    "a hidden salt": (
        manifest_with(scenes=["home/val/0~0123456789ab#340f18f6b813952d37124091d9c5652b"]),
        "it hides that its scenes are made with a salt",
    ),
    "other members": (
        manifest_with(
            members={"episodes.jsonl": "0", "settings.json": "0", SCENE: "0"},
        ),
        "has another digest among its members",
    ),
    "a count that is none": (manifest_with(episodes=7), "episodes.jsonl: it has not the 7 told of"),
    "broken JSON": (lambda members: members.update({MANIFEST: b"{"}), "manifest.json: Expecting"),
    "another scene in an episode": (
        member_with("episodes.jsonl", "flat.scene#", "house.glb#"),
        "house.glb#340f18f6b813952d37124091d9c5652b is no scene of the suite",
    ),
    "an episode that is none": (
        member_with("episodes.jsonl", '"start"', '"begin"'),
        "episodes.jsonl, line 1: unknown field 'begin'",
    ),
    "no settings for a task": (
        member_with("settings.json", '"vln-v1": {', '"vln-v2": {'),
        "settings.json: those of vln-v2 are said to be of vln-v1",
    ),
    "no settings for a robot": (
        member_with("settings.json", '"h1": {', '"h2": {'),
        "settings.json: it has no robot h1",
    ),
    "an endless distance": (
        member_with("settings.json", '"near_m": 0.05', '"near_m": Infinity'),
        "Infinity is not a number",
    ),
    "a camera that is too large": (
        member_with("settings.json", '"width": 640', '"width": 64000000'),
        "a camera of 64000000×480 pixels is too large",
    ),
    "a robot without a body": (
        member_with("settings.json", '"radius_m": 0.18', '"radius_m": 0.0'),
        "field 'radius_m' must be greater than 0",
    ),
    "no end of steps": (
        member_with("settings.json", '"budget_steps": 500', '"budget_steps": 500000000000'),
        "has a budget or a distance of success that makes no sense",
    ),
    "a sensor that there is not": (
        member_with("settings.json", '"kind": "rgb"', '"kind": "sonar"'),
        "sensor kind 'sonar'; known:",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_pack_that_was_changed_is_refused_in_one_line(lie: str, tmp_path: Path) -> None:
    change, says = LIES[lie]
    bad = rewritten(samples.SUITE, tmp_path / "bad.suite", change)
    with pytest.raises(NavproofError) as told:
        load_suite(str(bad))
    assert says in str(told.value)
    assert str(told.value).startswith(str(bad))
    assert "\n" not in str(told.value)
    assert not list((tmp_path / "cache").rglob("*.part"))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is not a packed suite, or not a whole one: File is not a zip file"),
        (b'{"episode_id": "a"}\n', "is not a packed suite, or not a whole one"),
        (
            b"PK\x05\x06" + bytes(18),
            "is not a packed suite, or not a whole one: it has no manifest",
        ),
    ],
)
def test_other_files_are_refused(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "bad.suite").write_bytes(content)
    with pytest.raises(SpecError, match=says):
        load_suite(str(tmp_path / "bad.suite"))


@pytest.mark.parametrize("share", [0.2, 0.9, 0.999])
def test_a_pack_that_was_cut_short_is_refused(share: float, tmp_path: Path) -> None:
    data = samples.SUITE.read_bytes()
    (tmp_path / "bad.suite").write_bytes(data[: int(share * len(data))])
    with pytest.raises(SpecError, match=r"bad\.suite is not a packed suite, or not a whole one"):
        load_suite(str(tmp_path / "bad.suite"))


def test_every_flipped_byte_is_noticed_or_does_not_count(tmp_path: Path) -> None:
    """What is read is what was packed, or nothing is."""
    data, bad = samples.SUITE.read_bytes(), tmp_path / "bad.suite"
    good = load_suite(str(samples.SUITE))
    refused = 0
    for at in range(0, len(data), len(data) // 60):
        bad.write_bytes(data[:at] + bytes([data[at] ^ 0x5A]) + data[at + 1 :])
        found = read(bad)
        if isinstance(found, str):
            assert found.startswith(str(bad))
            refused += 1
        else:
            assert found == good
    assert refused > 50


def read(path: Path) -> tuple[Episode, ...] | str:
    """The episodes of a pack, or why it was refused."""
    try:
        return load_suite(str(path))
    except NavproofError as error:
        return str(error)


def test_files_that_are_not_there_or_are_folders(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.suite cannot be read \(No such file or directory"):
        load_suite(str(tmp_path / "none.suite"))
    (tmp_path / "folder.suite").mkdir()
    with pytest.raises(SpecError, match=r"folder\.suite cannot be read \(Is a directory"):
        load_suite(str(tmp_path / "folder.suite"))


def test_what_it_needs_besides_is_written_down(tmp_path: Path) -> None:
    samples.pack_flat(tmp_path)
    need = Needed("corruption", "fog.py:fog", "0123456789ab")
    episodes = samples.episodes(str(tmp_path / "flat.scene"))
    write_pack(tmp_path / "a.suite", "a", episodes, generator=4, needs=[need])
    assert open_pack(tmp_path / "a.suite").manifest.needs == (need,)
