"""Rendered training data: what is written is what was seen, whoever renders it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from navproof.core.errors import NavproofError, PerceptionError, SceneError, SpecError
from navproof.core.seeding import rng as stream
from navproof.core.types import FIRST_OBJECT_ID
from navproof.sim.render.render import Renderer
from navproof.testing import tiny_scene
from navproof.train import render
from navproof.train.dataset import FIRST_LISTED, LISTED, LISTED_PIXELS, UNLISTED, summarise
from navproof.train.illumination import Illumination, draw_illumination, lit_by
from navproof.train.people import PEOPLE
from navproof.train.render import balance, load_dataset, render_dataset, scene_mix, sheet
from navproof.train.viewpoints import SHOWN_PIXELS, Viewpoints
from navproof.world.generate import generate
from navproof.world.library import parse_ref, scene_seed
from navproof.world.light.lighting import Lighting, relight
from navproof.world.scene import Scene

SCENES = ("shop/train/0", "home/train/0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rendered")
    return render_dataset(out, scenes=SCENES, views=5, seed=3, size=96)


@pytest.fixture(scope="module")
def home() -> Scene:
    ref = parse_ref(SCENES[1])
    return generate(ref.kind, scene_seed(ref), scene_id=ref.id)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every scene is the tiny one; shop/train/1 cannot be made."""

    def fake(kind: str, seed: int, *, scene_id: str) -> Scene:
        if scene_id == "shop/train/1":
            raise SceneError("no luck")
        return replace(tiny_scene(), id=scene_id)

    monkeypatch.setattr(render, "generate", fake)


def _hashes(folder: Path) -> dict[str, str]:
    files = [p for p in folder.iterdir() if p.name != "meta.json"]
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_the_number_of_processes_does_not_change_a_byte(folder: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    render_dataset(
        tmp_path, scenes=SCENES, views=5, seed=3, size=96, workers=2, say=lines.append
    )  # fmt: skip
    assert _hashes(tmp_path) == _hashes(folder)
    assert lines[-1].startswith("2/2 scenes")


def test_frames_show_what_their_lists_say(folder: Path) -> None:
    data = load_dataset(folder)
    assert data.rgb.shape == (10, 96, 96, 3)
    assert data.instances.shape == (10, 48, 48)
    assert data.valid.all()
    looked_at = 0
    for k in range(10):
        listed = data.frame_objects[k] >= 0
        pixels = data.frame_pixels[k][listed]
        assert (np.diff(pixels) <= 0).all()
        assert (pixels >= LISTED_PIXELS).all()
        looked_at += bool((pixels >= SHOWN_PIXELS).any())
        for slot in np.flatnonzero(listed):
            v, u = np.nonzero(data.instances[k] == FIRST_LISTED + slot)
            u0, v0, u1, v1 = data.frame_boxes[k, slot]
            assert (2 * u >= u0).all()
            assert (2 * u < u1).all()
            assert (2 * v >= v0).all()
            assert (2 * v < v1).all()
            assert 0.0 < data.frame_depth_m[k, slot] < 30.0
            assert SCENES[data.object_scene[data.frame_objects[k, slot]]] == data.scenes[k // 5]
        assert not np.isin(data.instances[k], FIRST_LISTED + np.arange(listed.sum(), LISTED)).any()
    assert looked_at >= 6


def test_facts_are_those_of_the_scene(folder: Path, home: Scene) -> None:
    data, scene = load_dataset(folder), home
    rows = np.flatnonzero(data.object_scene == 1)
    people = [data.facts(row) for row in rows[len(scene.objects) :].tolist()]
    assert people == [{"category": name} for name in PEOPLE]
    rows = rows[: len(scene.objects)]
    rooms = {room.id: room.type for room in scene.rooms}
    for row, thing in zip(rows.tolist(), scene.objects, strict=True):
        facts = data.facts(row)
        assert int(data.object_id[row]) == thing.id
        assert facts.pop("category") == thing.category
        on = facts.pop("on", None)
        assert on == (None if thing.support is None else scene.object(thing.support).category)
        assert facts.pop("room", None) == rooms.get(thing.room)
        assert facts == dict(thing.attributes)
    assert {rooms[r.id] for r in scene.rooms} <= set(data.room_types)


def test_summary_of_a_frame_against_brute_force() -> None:
    rng = stream(0, "test", "summary")
    things = FIRST_OBJECT_ID + np.arange(60)
    instances = np.kron(rng.choice([0, 1, 2, 3, *things], (16, 16)), np.ones((4, 4))).astype(
        np.int32
    )
    instances[0, :3] = FIRST_OBJECT_ID + 60  # too few pixels to be listed
    depth = rng.uniform(0.5, 5.0, instances.shape).astype(np.float32)
    row_of = np.full(90, -1, dtype=np.int32)
    row_of[FIRST_OBJECT_ID : FIRST_OBJECT_ID + 61] = 1000 + np.arange(61)
    got = summarise(instances, depth, row_of)
    size = {i: int((instances == i).sum()) for i in range(FIRST_OBJECT_ID, FIRST_OBJECT_ID + 61)}
    expected = sorted((i for i in size if size[i] >= 12), key=lambda i: (-size[i], i))[:LISTED]
    assert len(expected) == LISTED  # some did not fit
    codes = {0: 0, 1: 1, 2: 2, 3: 3}
    for k, i in enumerate(expected):
        v, u = np.nonzero(instances == i)
        assert got["frame_objects"][k] == 990 + i
        assert got["frame_pixels"][k] == size[i]
        assert got["frame_boxes"][k].tolist() == [u.min(), v.min(), u.max() + 1, v.max() + 1]
        assert got["frame_depth_m"][k] == np.sort(depth[instances == i])[size[i] // 2]
        codes[i] = FIRST_LISTED + k
    wanted = [[codes.get(int(i), UNLISTED) for i in row[::2]] for row in instances[::2]]
    assert got["instances"].tolist() == wanted
    assert UNLISTED in got["instances"]


def test_views_look_at_things_from_where_one_can_stand() -> None:
    scene = tiny_scene()
    eye = Renderer(scene)
    points = Viewpoints(scene, eye, seed=1, size=64)
    views = [points.draw(k) for k in range(60)]
    again = Viewpoints(scene, eye, seed=1, size=64)
    assert views == [again.draw(k) for k in range(60)]
    seen = {o.id: 0 for o in scene.objects}
    for view in views:
        x, y = view.pose.x, view.pose.y
        for thing in scene.objects:
            (cx, cy, _), (sx, sy, _) = thing.box.centre, thing.box.size
            gap = max(abs(x - cx) - sx / 2, abs(y - cy) - sy / 2)
            assert gap > 0.05
        room = scene.room_at(x, y)
        if view.room >= 0 and min(abs(x), abs(abs(x) - 4), y, 4 - y) > 0.05:
            assert scene.rooms[view.room] == room
        assert -35.0 <= view.camera.pitch_deg <= 15.0
        assert 60.0 <= view.camera.hfov_deg <= 100.0
        ids, counts = np.unique(eye.render(view.camera, view.pose).instances, return_counts=True)
        for i, n in zip(ids.tolist(), counts.tolist(), strict=True):
            if i in seen and n >= SHOWN_PIXELS:
                seen[i] += 1
        assert counts[ids == 1].sum() <= 0.8 * 64 * 64
    assert min(seen.values()) >= 12


def test_scene_mix_stays_in_its_split() -> None:
    ids = scene_mix("val", 40)
    assert len(set(ids)) == 40
    assert {parse_ref(i).split for i in ids} == {"val"}
    assert sum(i.startswith("home/") for i in ids) == 24
    assert {parse_ref(i).kind for i in ids} == {"home", "office", "cafe", "shop", "clinic"}
    assert scene_mix("val", 10) == ids[:10]


def test_illuminations_keep_lamps_lit_and_tint_what_they_name(home: Scene) -> None:
    rng = stream(0, "test", "moods")
    for k in range(200):
        light = draw_illumination(rng, k).lighting
        assert min(light.gain(0, "ceiling"), light.gain(0, "lamp")) >= 0.35
    lighting = Lighting(brightness=0.7)
    plain = lit_by(home, Illumination("plain", lighting)).geometry
    assert np.array_equal(plain.lightmap, relight(home, lighting).geometry.lightmap)
    warm = lit_by(home, Illumination("warm", lighting, indoors=(1.2, 1.0, 0.8))).geometry
    change = warm.lightmap.astype(int) - plain.lightmap
    assert change[..., 0].max() > 0
    assert change[..., 0].min() >= -1
    assert change[..., 1].any() == 0
    assert change[..., 2].min() < 0


@pytest.mark.usefixtures("tiny")
def test_a_scene_that_fails_loses_only_itself(tmp_path: Path) -> None:
    lines: list[str] = []
    scenes = ("shop/train/0", "shop/train/1", "shop/train/2")
    render_dataset(tmp_path, scenes=scenes, views=4, seed=1, size=32, say=lines.append)
    data = load_dataset(tmp_path)
    assert data.frames.tolist() == [0, 1, 2, 3, 8, 9, 10, 11]
    assert data.meta["lost"] == ["shop/train/1"]
    assert any("shop/train/1 is left out: SceneError: no luck" in line for line in lines)
    each = 3 + len(PEOPLE)
    assert data.object_scene.tolist() == [0] * each + [2] * each
    assert (data.frame_objects[4:8] == -1).all()
    later = data.frame_objects[8:]
    assert set(later[later >= 0].tolist()) <= set(range(each, 2 * each))
    assert data.facts(each + 1) == {
        "category": "chair", "colour": "blue", "material": "wood", "room": "bedroom",
    }  # fmt: skip
    counted = {name: rest for name, *rest in balance(data)}
    assert counted["table"][0] == 2
    assert counted["sofa"] == [0, 0, 0]
    assert sum(c[2] for c in counted.values()) == (data.frame_objects >= 0).sum()


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_people_are_in_as_many_frames_as_asked(tmp_path: Path, share: float) -> None:
    render_dataset(tmp_path, scenes=["shop/train/0"], views=6, seed=1, size=48, people=share)
    data = load_dataset(tmp_path)
    people = [data.facts(k)["category"] in PEOPLE for k in range(len(data.object_scene))]
    seen = {int(k) for k in data.frame_objects.ravel() if k >= 0}
    assert any(people[k] for k in seen) == (share > 0)


@pytest.mark.usefixtures("tiny")
def test_sheet_draws_the_frames(tmp_path: Path) -> None:
    render_dataset(tmp_path, scenes=["shop/train/0"], views=3, seed=1, size=32)
    sheet(tmp_path, tmp_path / "sheet.png", n=3)
    image = cv2.imread(str(tmp_path / "sheet.png"))
    assert image.shape[1] % 3 == 0
    assert image.std() > 5


@pytest.mark.usefixtures("tiny")
def test_what_cannot_be_is_said_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SceneError, match="no kind 'hut'"):
        render_dataset(tmp_path, scenes=["hut/train/0"], views=1, seed=1)
    with pytest.raises(SpecError, match="views must be at least 1, not 0"):
        render_dataset(tmp_path, scenes=SCENES, views=0, seed=1)
    with pytest.raises(SpecError, match="a share of people from 0 to 1, not 2"):
        render_dataset(tmp_path, scenes=SCENES, views=1, seed=1, people=2.0)
    with pytest.raises(SpecError, match="twice"):
        render_dataset(tmp_path, scenes=["home/val/1", "home/val/1"], views=1, seed=1)
    with pytest.raises(SpecError, match=r"frames need .* GiB"):
        render_dataset(tmp_path, scenes=["home/val/1"], views=10**9, seed=1)
    with pytest.raises(NavproofError, match="no luck"):
        render_dataset(tmp_path, scenes=["shop/train/1"], views=1, seed=1, size=32)
    with pytest.raises(PerceptionError, match="no finished training data"):
        load_dataset(tmp_path)
    (tmp_path / "file").write_text("")
    assert render.main([str(tmp_path / "file"), "--scenes", "1"]) == 1
    assert capsys.readouterr().err.startswith("error: cannot write to")
