"""Every category, several seeds: sound meshes, true attributes, usable surfaces, bounded cost."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest

from navproof.core.errors import SceneError
from navproof.core.seeding import rng
from navproof.core.types import Scalar
from navproof.world.catalog import CATEGORIES, build
from navproof.world.model import ObjectModel
from navproof.world.scene import Material
from navproof.world.textures.library import texture_library
from navproof.world.textures.palette import COLOURS, MATERIALS, PATTERNS

NAMES = sorted(CATEGORIES)
SEEDS = range(6)
KINDS = {"floor", "on", "wall", "ceiling", "opening"}
LIT = {"on", "lit"}
HEAVY = {"bed": 1000, "bicycle": 900, "wheelchair": 1000, "sofa": 950, "plant": 900}
SUPPORTS = (
    "dining table", "coffee table", "side table", "desk", "nightstand", "dresser", "cabinet",
    "tv stand", "kitchen counter", "kitchen island", "bed", "sofa", "bookshelf", "shelf unit",
    "wall shelf", "conference table", "reception desk", "counter bar", "kitchen sink",
)  # fmt: skip


def make(name: str, seed: int = 0, **wanted: Scalar) -> ObjectModel:
    return build(name, rng(seed, name, "test"), wanted)


def look(model: ObjectModel) -> bytes:
    mesh = model.mesh
    parts = (mesh.vertices, mesh.normals, mesh.uvs, mesh.faces, mesh.face_material)
    return b"".join(part.tobytes() for part in parts) + repr(mesh.materials).encode()


def test_the_families_are_complete() -> None:
    assert len(CATEGORIES) >= 100
    for name, what in CATEGORIES.items():
        assert what.name == name
        assert what.plural != name
        assert what.position_kind in KINDS
        assert all(options for options in what.attributes.values())
        assert set(what.attributes.get("colour", ())) <= set(COLOURS)
        assert set(what.attributes.get("material", ())) <= set(MATERIALS)
        assert set(what.attributes.get("pattern", ())) <= set(PATTERNS)
    shown = {key: set() for key in ("colour", "material", "pattern")}
    for what in CATEGORIES.values():
        for key, words in shown.items():
            words.update(what.attributes.get(key, ()))
    assert len(shown["colour"]) >= 11
    assert len(shown["material"]) >= 8
    assert len(shown["pattern"]) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_meshes_are_sound(name: str) -> None:
    library = texture_library()
    for seed in SEEDS:
        mesh = make(name, seed).mesh
        count = len(mesh.vertices)
        assert mesh.vertices.dtype == mesh.normals.dtype == mesh.uvs.dtype == np.float32
        assert mesh.faces.dtype == mesh.face_material.dtype == np.int32
        assert mesh.vertices.shape == mesh.normals.shape == (count, 3)
        assert mesh.uvs.shape == (count, 2)
        assert np.isfinite(mesh.vertices).all()
        assert np.isfinite(mesh.uvs).all()
        assert np.abs(np.linalg.norm(mesh.normals, axis=1) - 1).max() < 1e-3
        assert 0 <= mesh.faces.min() <= mesh.faces.max() < count
        assert mesh.face_material.min() >= 0
        assert mesh.face_material.max() < len(mesh.materials)
        a, b, c = mesh.vertices[mesh.faces].astype(np.float64).transpose(1, 0, 2)
        facing = np.cross(b - a, c - a)
        mean = mesh.normals[mesh.faces].astype(np.float64).sum(axis=1)
        agree = (facing * mean).sum(axis=1) > 0
        assert agree.mean() > 0.995, f"{(~agree).sum()} faces wind against their normals"
        for material in mesh.materials:
            assert material.texture in library
            assert all(0 <= c <= 1 for c in (*material.tint, *material.tint2))


@pytest.mark.parametrize("name", NAMES)
def test_the_frame_and_the_size(name: str) -> None:
    what = CATEGORIES[name]
    for seed in SEEDS:
        model = make(name, seed)
        low = model.mesh.vertices.min(axis=0).astype(np.float64)
        high = model.mesh.vertices.max(axis=0).astype(np.float64)
        assert high - low == pytest.approx(model.size, abs=1e-4)
        assert (np.array(model.size) >= what.size_m[0]).all(), model.size
        assert (np.array(model.size) <= what.size_m[1]).all(), model.size
        if what.position_kind == "opening":
            continue
        assert low[1] == pytest.approx(-high[1], abs=1e-4)
        if what.position_kind == "wall":
            assert low[0] == pytest.approx(0.0, abs=1e-4)
        else:
            assert low[0] == pytest.approx(-high[0], abs=1e-4)
        ground = high[2] if what.position_kind == "ceiling" else low[2]
        assert ground == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_same_generator_same_bytes(name: str) -> None:
    first, second, other = make(name, 3), make(name, 3), [make(name, s) for s in (4, 5, 6)]
    assert look(first) == look(second)
    assert first.attributes == second.attributes
    assert any(look(first) != look(o) for o in other)


@pytest.mark.parametrize("name", NAMES)
def test_wanted_attributes_are_kept_and_seen(name: str) -> None:
    """Each value alone can be asked for; two values of one attribute look different."""
    for key, options in CATEGORIES[name].attributes.items():
        if key == "colour2" and "pattern" in CATEGORIES[name].attributes:
            continue
        looks = set()
        for value in options:
            model = make(name, 1, **{key: value})
            said = model.attributes.get(key)
            assert said == value or (value in (0, "plain") and said is None), (key, value)
            looks.add(look(model))
        assert len(looks) == len(options), key


@pytest.mark.parametrize("name", NAMES)
def test_attributes_come_from_the_declared_values(name: str) -> None:
    declared = CATEGORIES[name].attributes
    for seed in SEEDS:
        for key, value in make(name, seed).attributes.items():
            assert value in declared[key], (key, value)


@pytest.mark.parametrize("name", [n for n in NAMES if "size" in CATEGORIES[n].attributes])
def test_size_words_are_really_different_sizes(name: str) -> None:
    options = CATEGORIES[name].attributes["size"]
    ordered = [w for w in ("small", "medium", "large") if w in options]
    for seed in SEEDS:
        volumes = [np.prod(make(name, seed, size=word).size) for word in ordered]
        for smaller, larger in pairwise(volumes):
            assert larger > 1.25 * smaller


@pytest.mark.parametrize("name", [n for n in NAMES if "colour" in CATEGORIES[n].attributes])
def test_the_colour_is_in_the_pixels(name: str) -> None:
    """The colour's tint covers a visible part of the surface."""
    for colour in CATEGORIES[name].attributes["colour"]:
        model = make(name, 2, colour=colour)
        mesh = model.mesh
        a, b, c = mesh.vertices[mesh.faces].astype(np.float64).transpose(1, 0, 2)
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        aim = np.array(COLOURS[str(colour)])
        near = np.array([_alike(_seen(m), aim) for m in mesh.materials])
        if name == "plant" or name == "potted plant":
            near = np.array([m.texture == "leaves" for m in mesh.materials])
        if name in ("ceiling light", "whiteboard"):
            continue  # a lit lens and a written board show their own white
        share = areas[near[mesh.face_material]].sum() / areas.sum()
        assert share > (0.06 if name in ("shower", "window", "book", "washbasin") else 0.15), colour


def _seen(material: Material) -> np.ndarray:
    """The mean colour of the surface where the pattern leaves the first tint."""
    texels = texture_library()[material.texture][..., :3].reshape(-1, 3)
    return np.array(material.tint) * texels.mean(axis=0) / 255


def _alike(tint: np.ndarray, aim: np.ndarray) -> bool:
    """The same hue and about the same lightness, compared in display space."""
    return bool(np.linalg.norm(tint ** (1 / 2.2) - aim ** (1 / 2.2)) < 0.24)


@pytest.mark.parametrize("name", ["table lamp", "floor lamp", "pendant lamp"])
def test_a_lit_shade_does_not_bleach(name: str) -> None:
    """Its own light stays below what would turn beige into white and orange into yellow."""
    for colour in CATEGORIES[name].attributes["colour"]:
        model = make(name, 1, colour=colour, state="on", material="fabric")
        shades = [m for m in model.mesh.materials if m.emission > 0 and m.texture == "fabric"]
        assert shades
        assert all(m.emission * max(m.tint) < 0.55 for m in shades), colour


@pytest.mark.parametrize("name", NAMES)
def test_a_lit_thing_glows_and_an_unlit_one_does_not(name: str) -> None:
    states = CATEGORIES[name].attributes.get("state", ())
    if CATEGORIES[name].supercategory != "lighting" and not LIT & set(states):
        return
    for state in states:
        model = make(name, 1, state=state)
        emission = max(m.emission for m in model.mesh.materials)
        if state in LIT:
            assert emission > 0.3
        elif name not in ("vending machine", "display fridge"):
            assert emission == 0.0
            assert model.light is None
        if state in LIT and CATEGORIES[name].supercategory == "lighting":
            assert model.light is not None
            assert model.light.power > 0
            low, high = model.mesh.vertices.min(axis=0), model.mesh.vertices.max(axis=0)
            inside = (np.array(model.light.position) >= low - 0.1) & (
                np.array(model.light.position) <= high + 0.1
            )
            assert inside.all()


@pytest.mark.parametrize("name", NAMES)
def test_surfaces_lie_on_a_real_top(name: str) -> None:
    """Each surface is within the box and most of it rests on upward faces just below it."""
    for seed in SEEDS:
        model = make(name, seed)
        low = model.mesh.vertices.min(axis=0)
        high = model.mesh.vertices.max(axis=0)
        for s in model.surfaces:
            assert s.clearance_m > 0.02
            assert low[0] - 1e-3 <= s.x - s.size_x / 2
            assert s.x + s.size_x / 2 <= high[0] + 1e-3
            assert low[1] - 1e-3 <= s.y - s.size_y / 2
            assert s.y + s.size_y / 2 <= high[1] + 1e-3
            assert low[2] <= s.z <= high[2] + 0.01
            points = [(s.x + fx * s.size_x, s.y + fy * s.size_y)
                      for fx in (-0.45, 0.0, 0.45) for fy in (-0.45, 0.0, 0.45)]  # fmt: skip
            held = [_top_below(model, x, y, s.z) for x, y in points]
            good = [h is not None and abs(h - s.z) < 0.05 for h in held]
            assert sum(good) >= 6, (seed, s, held)
            assert good[4]


def _top_below(model: ObjectModel, x: float, y: float, z: float) -> float | None:
    """Height of the highest upward face at (x, y) that is not above z by more than 5 cm."""
    mesh = model.mesh
    a, b, c = mesh.vertices[mesh.faces].astype(np.float64).transpose(1, 0, 2)
    det = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
    ok = np.abs(det) > 1e-12
    safe = np.where(ok, det, 1.0)
    u = ((x - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (y - a[:, 1])) / safe
    v = ((b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (x - a[:, 0]) * (b[:, 1] - a[:, 1])) / safe
    hit = ok & (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6)
    height = a[:, 2] + u * (b[:, 2] - a[:, 2]) + v * (c[:, 2] - a[:, 2])
    height = height[hit & (height < z + 0.05)]
    return float(height.max()) if len(height) else None


@pytest.mark.parametrize("name", SUPPORTS)
def test_furniture_offers_surfaces(name: str) -> None:
    assert all(make(name, seed).surfaces for seed in SEEDS)


@pytest.mark.parametrize("name", NAMES)
def test_triangle_budgets(name: str) -> None:
    small = CATEGORIES[name].position_kind == "on"
    budget = HEAVY.get(name, 600 if small else 700)
    counts = [len(make(name, seed).mesh.faces) for seed in range(10)]
    assert max(counts) <= budget
    if small and name not in ("teddy bear", "potted plant"):
        assert np.median(counts) <= 480


def test_a_home_of_objects_is_light_and_quick() -> None:
    """One of each category: few triangles on average, and milliseconds each."""
    for name in NAMES:
        make(name)
    start = time.process_time()
    counts = [len(make(name, 7).mesh.faces) for name in NAMES]
    spent = time.process_time() - start
    assert np.mean(counts) < 320
    assert spent / len(NAMES) < 0.010


def test_lengths_can_be_asked_for() -> None:
    assert make("kitchen counter", length_m=2.4).size[1] == pytest.approx(2.4, abs=0.05)
    assert make("rug", width_m=1.5, length_m=2.5).size[0] == pytest.approx(1.5, abs=0.01)
    window = make("window", width_m=1.6, height_m=1.1)
    assert window.size[1] == pytest.approx(1.7, abs=0.15)
    curtain = make("curtain", width_m=2.0, height_m=2.2)
    assert curtain.size[1] == pytest.approx(2.0, abs=0.1)
    assert curtain.size[2] == pytest.approx(2.2, abs=0.05)


def test_a_door_hinges_on_its_left_edge() -> None:
    """Closed, the leaf fills the opening; open, the way through is free of it."""
    closed = make("door", width_m=0.9, height_m=2.0, state="closed").mesh.vertices
    opened = make("door", width_m=0.9, height_m=2.0, state="open").mesh.vertices
    assert closed[:, 0].max() < 0.2
    assert opened[:, 0].max() > 0.7
    assert opened[opened[:, 0] > 0.3][:, 1].min() > 0.2
    middle = (np.abs(opened[:, 1]) < 0.3) & (opened[:, 2] < 1.8) & (opened[:, 2] > 0.01)
    assert not middle.any()


@pytest.mark.parametrize(
    ("name", "wanted", "says"),
    [
        ("sofaa", {}, "did you mean 'sofa'"),
        ("sofa", {"color": "red"}, "did you mean 'colour'"),
        ("sofa", {"colour": "rde"}, "did you mean 'red'"),
        ("sofa", {"seats": 9}, "cannot have seats '9'"),
        ("sofa", {"material": "leather", "pattern": "striped"}, "cannot be striped"),
        ("chair", {"material": "metal", "colour": "brown"}, "does not come in brown"),
        ("chair", {"material": "plastic", "modifier": "slat-back"}, "slat-back"),
        ("door", {"width_m": 9.0}, "not between"),
        ("door", {"width_m": "wide"}, "must be a number"),
        ("sofa", {"colour2": "white"}, "needs a pattern"),
    ],
)
def test_impossible_wishes_are_refused_in_one_line(
    name: str, wanted: dict[str, Scalar], says: str
) -> None:
    with pytest.raises(SceneError, match=says) as error:
        build(name, rng(0, name, "test"), wanted)
    assert "\n" not in str(error.value)


def test_asking_for_one_thing_leaves_the_rest() -> None:
    for seed in SEEDS:
        free = make("sofa", seed)
        asked = make("sofa", seed, seats=2)
        rest = {k: v for k, v in free.attributes.items() if k != "seats"}
        assert rest == {k: v for k, v in asked.attributes.items() if k != "seats"}
