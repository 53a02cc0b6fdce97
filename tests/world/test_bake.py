"""Baked light against closed forms, and relighting against what it promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.types import CEILING, FIRST_OBJECT_ID, FLOOR
from navproof.testing import tiny_scene
from navproof.world.light.bake import AMBIENT, EXPOSURE, bake
from navproof.world.light.lighting import LAYER_UNIT, Lighting, relight
from navproof.world.scene import LIGHT_UNIT, Light, Material, Scene, Window

WHITE = (1.0, 1.0, 1.0)
TABLE = FIRST_OBJECT_ID


def ceiling_light(power: float = 2.0, x: float = -2.0, light_id: int = 0) -> Light:
    return Light(light_id, "ceiling", 0, (x, 2.0, 2.4), WHITE, power, True)


def empty(scene: Scene, *lights: Light) -> Scene:
    """The two rooms without their furniture."""
    g = scene.geometry
    keep = g.face_instance < FIRST_OBJECT_ID
    geometry = replace(
        g,
        faces=g.faces[keep],
        **{
            name: getattr(g, name)[keep]
            for name in (
                "face_instance",
                "face_material",
                "face_room",
                "face_lightmapped",
                "face_two_sided",
            )
        },
    )
    return replace(scene, objects=(), lights=lights, geometry=geometry)


def slab_scene(*lights: Light) -> Scene:
    """The tiny scene, its table turned into a slab 5.5 cm thick at 0.7 m."""
    scene = tiny_scene()
    g = scene.geometry
    mine = np.unique(g.faces[g.face_instance == TABLE])
    vertices = g.vertices.copy()
    low = mine[vertices[mine, 2] == 0.0]
    vertices[low, 2] = 0.695
    return replace(scene, lights=lights, geometry=replace(g, vertices=vertices))


def floor_texels(scene: Scene, instance: int = FLOOR, room: int = 0) -> tuple[NDArray, NDArray]:
    """Point numbers (n,) and world (x, y) (n, 2) of the texels of one room's floor."""
    g = scene.geometry
    face = int(np.flatnonzero((g.face_instance == instance) & (g.face_room == room))[0])
    a, b, c = g.faces[face]
    uv, xy = g.light_uvs.astype(float), g.vertices.astype(float)[:, :2]
    to_world = np.linalg.solve(np.column_stack([uv[[a, b, c]], np.ones(3)]), xy[[a, b, c]])
    low, high = np.floor(uv[[a, b, c]].min(axis=0)), np.floor(uv[[a, b, c]].max(axis=0))
    columns, rows = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
    at = np.column_stack([columns.ravel() + 0.5, rows.ravel() + 0.5, np.ones(columns.size)])
    width = g.lightmap.shape[1]
    index = len(g.vertices) + rows.ravel().astype(int) * width + columns.ravel().astype(int)
    return index, at @ to_world


def direct_of(scene: Scene, light: int = 0) -> NDArray:
    """A layer's direct light at every point."""
    assert scene.baked is not None
    layer = next(x for x in scene.baked.layers if x.light == light)
    out = np.zeros(len(scene.baked.point_room))
    out[np.isin(scene.baked.point_room, layer.rooms)] = layer.direct / LAYER_UNIT
    return out


def openness_at(scene: Scene, x: float, y: float, room: int = 0) -> float:
    index, xy = floor_texels(scene, room=room)
    assert scene.baked is not None
    return float(scene.baked.openness[index[np.argmin(((xy - (x, y)) ** 2).sum(axis=1))]]) / 255


@pytest.fixture(scope="module")
def lit() -> Scene:
    lamp = Light(1, "lamp", 1, (3.0, 3.0, 1.2), (1.0, 0.8, 0.5), 0.6, True, FIRST_OBJECT_ID + 1)
    window = Light(2, "window", 0, (-4.0, 2.0, 1.5), (0.8, 0.9, 1.0), 3.0, True, 99)
    scene = replace(
        tiny_scene(),
        lights=(ceiling_light(), lamp, window),
        windows=(Window(99, 0, (-4.0, 2.0, 1.5), 0.0, 1.4, 1.2),),
    )
    return bake(scene)


def test_a_point_light_follows_lambert_and_the_inverse_square() -> None:
    scene = bake(empty(tiny_scene(), ceiling_light()))
    index, xy = floor_texels(scene)
    radius2 = ((xy - (-2.0, 2.0)) ** 2).sum(axis=1)
    expected = EXPOSURE["ceiling"] * 2.0 * 2.4 / (radius2 + 2.4**2) ** 1.5
    inside = np.abs(xy - (-2.0, 2.0)).max(axis=1) < 1.8
    assert inside.sum() > 1000
    np.testing.assert_allclose(direct_of(scene)[index[inside]], expected[inside], rtol=0.02)


def test_a_window_lights_like_a_small_lambertian_area_far_away() -> None:
    pane = Window(99, 0, (-4.0, 2.0, 1.5), 0.0, 0.2, 0.2)
    light = Light(0, "window", 0, pane.centre, WHITE, 50.0, True, 99)
    scene = bake(replace(empty(tiny_scene(), light), windows=(pane,)))
    index, xy = floor_texels(scene)
    at = int(np.argmin(((xy - (-1.0, 2.0)) ** 2).sum(axis=1)))
    d = np.array([xy[at, 0] + 3.98, xy[at, 1] - 2.0, 1.5])
    d2 = float(d @ d)
    sky = 0.8 + 0.2 * 1.5 / d2**0.5
    power = 50.0 * EXPOSURE["window"]
    expected = power * 0.04 / np.pi * (d[0] / d2**0.5) * (1.5 / d2**0.5) / d2 * sky
    assert direct_of(scene)[index[at]] == pytest.approx(expected, rel=0.03)


def test_without_lights_a_room_has_the_ambient_only() -> None:
    scene = bake(empty(tiny_scene()))
    assert scene.baked is not None
    assert [layer.kind for layer in scene.baked.layers] == ["ambient"]
    index, _ = floor_texels(scene)
    levels = scene.geometry.lightmap.reshape(-1, 3)[index - len(scene.geometry.vertices)]
    assert levels.max() <= np.ceil(max(AMBIENT) * LIGHT_UNIT)
    assert levels.mean() == pytest.approx(0.93 * np.mean(AMBIENT) * LIGHT_UNIT, rel=0.12)


def test_corners_are_less_open_than_the_middle_of_the_floor() -> None:
    scene = bake(empty(tiny_scene()))
    middle, edge, corner = (openness_at(scene, *p) for p in ((-2, 2), (-3.95, 2), (-3.95, 0.05)))
    assert middle > 0.97
    assert edge < 0.9 * middle
    assert corner < 0.9 * edge
    assert corner > 0.4  # dark, never black


def test_it_is_darker_under_a_table_and_in_its_shadow() -> None:
    scene = bake(slab_scene(ceiling_light()))
    assert openness_at(scene, -2.0, 3.4) < 0.85 * openness_at(scene, -2.0, 1.5)
    index, xy = floor_texels(scene)
    direct = direct_of(scene)[index]
    # the slab spans y 3.1 … 3.7 at 0.75 m: seen from (−2, 2, 2.4) it hides y = 3.6 … 4.4
    hidden = (np.abs(xy[:, 0] + 2) < 0.3) & (xy[:, 1] > 3.75) & (xy[:, 1] < 3.95)
    clear = (np.abs(xy[:, 0] + 2) < 0.3) & (xy[:, 1] > 2.6) & (xy[:, 1] < 3.2)
    assert hidden.any()
    assert direct[hidden].max() < 0.1 * direct[clear].min()


def test_walls_stop_light_and_the_doorway_lets_it_through() -> None:
    scene = bake(empty(tiny_scene(), ceiling_light(4.0)))
    index, xy = floor_texels(scene, room=1)
    direct = direct_of(scene)[index]
    beside = (xy[:, 1] < 0.9) & (xy[:, 0] < 1.0)
    through = (np.abs(xy[:, 1] - 2.0) < 0.3) & (xy[:, 0] > 0.3) & (xy[:, 0] < 1.2)
    assert direct[beside].max() == 0.0
    assert direct[through].min() > 0.05


def test_a_room_gives_light_back_by_the_closed_form() -> None:
    grey = 0.5
    scene = empty(tiny_scene(), ceiling_light())
    materials = (Material("plain", (grey,) * 3),) * len(scene.geometry.materials)
    scene = bake(replace(scene, geometry=replace(scene.geometry, materials=materials)))
    assert scene.baked is not None
    layer = scene.baked.layers[1]
    texels = np.arange(len(scene.baked.point_room)) >= len(scene.geometry.vertices)
    mean = direct_of(scene)[texels & (scene.baked.point_room == 0)].mean()
    expected = mean * grey / (1.0 - 0.85 * grey)
    assert layer.bounce[0, 0] == pytest.approx(expected, rel=1e-3)


def test_the_same_scene_bakes_to_the_same_bytes(lit: Scene) -> None:
    again = bake(replace(lit, baked=None))
    assert lit.baked is not None
    assert again.baked is not None
    assert again.geometry.light.tobytes() == lit.geometry.light.tobytes()
    assert again.geometry.lightmap.tobytes() == lit.geometry.lightmap.tobytes()
    assert again.geometry.light_uvs.tobytes() == lit.geometry.light_uvs.tobytes()
    assert again.baked.openness.tobytes() == lit.baked.openness.tobytes()


def test_mapped_faces_stay_within_charts_of_their_own(lit: Scene) -> None:
    g = lit.geometry
    structure = g.face_instance < FIRST_OBJECT_ID
    assert g.face_lightmapped[structure].all()
    height, width = g.lightmap.shape[:2]
    owner = np.full((height, width), -1)
    for quad in np.flatnonzero(g.face_lightmapped)[::2]:
        uv = g.light_uvs[np.unique(g.faces[quad : quad + 2])]
        # bilinear sampling at the rim reads half a texel further out, rounding aside
        c0, r0 = np.floor(uv.min(axis=0) - 0.501).astype(int)
        c1, r1 = np.floor(uv.max(axis=0) + 0.501).astype(int)
        assert min(c0, r0) >= 0
        assert c1 < width
        assert r1 < height
        taken = owner[r0 : r1 + 1, c0 : c1 + 1]
        plane = int(np.abs(g.normals[g.faces[quad, 0]]).argmax()) + 10 * int(g.face_room[quad])
        plane += 100 * int(g.face_instance[quad]) + 10000 * round(
            float(g.vertices[g.faces[quad, 0]] @ g.normals[g.faces[quad, 0]]) * 100
        )
        assert ((taken == -1) | (taken == plane)).all()
        taken[:] = plane


# ------------------------------------------------------------------------------------- relight
def test_default_lighting_is_the_baked_light_in_fresh_arrays(lit: Scene) -> None:
    again = relight(lit, Lighting())
    for name in ("light", "lightmap"):
        new, old = getattr(again.geometry, name), getattr(lit.geometry, name)
        assert new.tobytes() == old.tobytes()
        assert not np.shares_memory(new, old)
    assert not np.shares_memory(again.geometry.face_material, lit.geometry.face_material)
    assert again.geometry.materials == lit.geometry.materials


def test_no_brightness_is_black(lit: Scene) -> None:
    dark = relight(lit, Lighting(brightness=0.0, off=frozenset({0, 1, 2})))
    assert dark.geometry.light.max() == 0
    assert dark.geometry.lightmap.max() == 0


def test_sources_add_up(lit: Scene) -> None:
    """Light over the ambient is the sum of the sources alone, to the rounding."""
    kinds = ("ceiling", "lamps", "daylight")

    def under(**on: float) -> NDArray:
        lighting = Lighting(**{k: on.get(k, 0.0) for k in kinds})
        return relight(lit, lighting).geometry.light.astype(int)

    ambient = under()
    total = under(ceiling=1.0, lamps=1.0, daylight=1.0)
    parts = sum(under(**{k: 1.0}) - ambient for k in kinds)
    open_range = total < 250
    assert np.abs(total - ambient - parts)[open_range].max() <= 3


def test_brightness_is_linear(lit: Scene) -> None:
    half = relight(lit, Lighting(brightness=0.5)).geometry.lightmap.astype(float)
    full = lit.geometry.lightmap.astype(float)
    assert np.abs(2 * half - full)[full < 255].max() <= 2


def test_a_light_that_is_off_takes_its_glow_along(lit: Scene) -> None:
    g = lit.geometry
    glowing = replace(g.materials[3], emission=2.0)
    materials = (*g.materials[:3], glowing, *g.materials[4:])
    # the crate shares the lamp's material and must go on glowing
    shared = np.where(g.face_material == 4, 3, g.face_material).astype(np.int32)
    scene = replace(lit, geometry=replace(g, materials=materials, face_material=shared))
    dark = relight(scene, Lighting(off=frozenset({1}))).geometry

    def emission(instance: int) -> set[float]:
        faces = dark.face_material[dark.face_instance == instance]
        return {dark.materials[m].emission for m in faces}

    assert emission(FIRST_OBJECT_ID + 1) == {0.0}
    assert emission(FIRST_OBJECT_ID + 2) == {2.0}
    off, lamps = Lighting(off=frozenset({1})), Lighting(lamps=0.0)
    assert np.array_equal(relight(scene, off).geometry.light, relight(scene, lamps).geometry.light)


def test_bad_lighting_is_one_line(lit: Scene) -> None:
    with pytest.raises(SceneError, match="no baked light"):
        relight(tiny_scene(), Lighting())
    with pytest.raises(SceneError, match="between 0 and 1000"):
        relight(lit, Lighting(brightness=-1.0))
    with pytest.raises(SceneError, match="between 0 and 1000"):
        relight(lit, Lighting(brightness=float("nan")))
    with pytest.raises(SceneError, match="no light 77"):
        relight(lit, Lighting(off=frozenset({77})))


def test_ceilings_are_lit_from_below_without_a_burnt_spot(lit: Scene) -> None:
    index, _ = floor_texels(lit, CEILING)
    levels = lit.geometry.lightmap.reshape(-1, 3)[index - len(lit.geometry.vertices)]
    assert levels.max() < 200
    assert levels.min() > 0
