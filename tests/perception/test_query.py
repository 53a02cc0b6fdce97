"""Questions in words: cosines kept up to date, text as a kernel across layers, candidates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.types import Camera, Pose
from navproof.perception.feature_map import FeatureMap, MapSettings
from navproof.perception.grid import Grid
from navproof.perception.query import (
    UNKNOWN,
    TextQuery,
    likelihood,
    on_support,
    top_candidates,
)

CAMERA = Camera(48, 48, 90.0, height_m=1.2)
SETTINGS = MapSettings(size_m=12.0, layers=3)
SCALE, BIAS = 20.0, -10.0  # a cosine of ½ is even odds
F32 = NDArray[np.float32]


def random_frame(draw: np.random.Generator, f: int = 10) -> tuple[F32, F32]:
    return (
        draw.normal(size=(6, 6, f)).astype(np.float32),
        draw.uniform(0.3, 6.0, size=(48, 48)).astype(np.float32),
    )


def cosines(world: FeatureMap, texts: F32) -> F32:
    """By definition, over the whole of M."""
    dense = world.dense()
    dots = np.einsum("lrcf,kf->klrc", dense, texts)
    norms = np.linalg.norm(dense, axis=-1) * np.linalg.norm(texts, axis=1)[:, None, None, None]
    return np.where(world.slots == 0, UNKNOWN, dots / np.where(norms > 0, norms, 1)).astype("f4")


def test_updates_give_what_a_full_comparison_gives_also_after_growth() -> None:
    draw = np.random.default_rng(0)
    world = FeatureMap(10, SETTINGS)
    texts = draw.normal(size=(3, 10)).astype(np.float32)
    query = TextQuery(world, texts)
    assert (query.scores == UNKNOWN).all()
    for step, x in enumerate((0.0, 0.2, 0.5, 14.0)):  # the last step makes the grid grow
        features, depth = random_frame(draw)
        grid = world.grid
        seen = world.fuse(features, depth, CAMERA, Pose(x, 0.0, 0.0, 0.3 * step), 4.0)
        assert query.update() == (seen if world.grid is grid else len(world))
        np.testing.assert_allclose(query.scores, cosines(world, texts), atol=1e-5)
        low, high = world.cells[1:].min(axis=0), world.cells[1:].max(axis=0) + 1
        assert world.known_bounds() == (low[1], high[1], low[2], high[2])
    assert query.update() == 0
    late = TextQuery(world, texts)  # the next goal: the map is there already
    np.testing.assert_array_equal(late.scores, query.scores)


def test_two_queries_of_one_map_do_not_disturb_each_other() -> None:
    draw = np.random.default_rng(1)
    world = FeatureMap(10, SETTINGS)
    first, second = (TextQuery(world, draw.normal(size=(1, 10)).astype("f4")) for _ in range(2))
    for step in range(3):
        world.fuse(*random_frame(draw), CAMERA, Pose(0, 0, 0, step))
        first.update()
    second.update()
    np.testing.assert_allclose(second.scores, cosines(world, second.texts), atol=1e-5)


def test_the_best_cell_is_found_under_a_mask() -> None:
    draw = np.random.default_rng(2)
    world = FeatureMap(10, SETTINGS)
    query = TextQuery(world, draw.normal(size=(2, 10)).astype(np.float32))
    assert query.best() is None
    world.fuse(*random_frame(draw), CAMERA, Pose(0, 0))
    query.update()
    best = query.best(text=1)
    assert best is not None
    score, *cell = best
    assert tuple(cell) == np.unravel_index(query.scores[1].argmax(), world.shape)
    assert score == query.scores[1].max()
    flat = np.ones(world.shape[1:], dtype=np.bool_)
    flat[cell[1], cell[2]] = False
    other = query.best(flat, text=1)
    assert other is not None
    assert other[0] == np.where(flat, query.scores[1], -2).max()
    layers = np.zeros(world.shape, dtype=np.bool_)
    layers[2] = True
    top = query.best(layers, text=1)
    assert top is not None
    assert top[:2] == (query.scores[1, 2].max(), 2)
    assert query.best(np.zeros_like(flat)) is None


def test_likelihood_is_the_encoders_calibration() -> None:
    given = np.array([[[0.5, 0.6, 1.0, -0.9, UNKNOWN]]], dtype=np.float32)
    p = likelihood(given, SCALE, BIAS)[0, 0]
    odds = [0.0, 2.0, 10.0, -28.0]
    np.testing.assert_allclose(p[:4], [1 / (1 + math.exp(-o)) for o in odds], rtol=1e-4)
    assert p[4] == UNKNOWN


# ------------------------------------------------------------------------------ text as a kernel
class Plot:
    """A small map of cosines in which things are put by hand: 3 layers, 40 × 40 cells."""

    def __init__(self, layers: int = 3) -> None:
        self.target = np.full((layers, 40, 40), 0.2, dtype=np.float32)
        self.support = np.full((layers, 40, 40), 0.2, dtype=np.float32)

    def candle(self, layer: int, row: int, col: int, cosine: float = 0.8) -> None:
        self.target[layer, row : row + 2, col : col + 2] = cosine

    def nightstand(self, layer: int, row: int, col: int, cosine: float = 0.75) -> None:
        self.support[layer, row - 3 : row + 5, col - 3 : col + 5] = cosine

    def best(self, **options: bool) -> tuple[float, tuple[int, int, int]]:
        score = on_support(self.target, self.support, SCALE, BIAS, 5, **options)
        layer, row, col = np.unravel_index(score.argmax(), score.shape)
        return float(score.max()), (int(layer), int(row), int(col))


def test_the_candle_on_the_nightstand_beats_candle_and_nightstand_apart() -> None:
    plot = Plot()
    plot.candle(1, 10, 10)
    plot.nightstand(0, 10, 10)
    plot.candle(1, 30, 10, cosine=0.99)  # a surer candle on something else
    plot.nightstand(0, 30, 30, cosine=0.99)  # a surer nightstand with nothing on it
    score, (layer, row, col) = plot.best()
    assert (layer, row // 2, col // 2) == (1, 5, 5)
    p = [1 / (1 + math.exp(-(SCALE * c + BIAS))) for c in (0.8, 0.75)]
    assert score == pytest.approx(math.sqrt(p[0] * p[1]), rel=1e-4)
    apart = on_support(plot.target, plot.support, SCALE, BIAS, 5)
    assert apart[1, 30, 10] < 0.1
    assert apart[1, 30, 30] < 0.1


def test_a_mean_of_log_odds_would_have_chosen_the_sure_candle() -> None:
    sure_alone = 0.5 * ((SCALE * 0.99 + BIAS) + (SCALE * 0.5 + BIAS))
    both = 0.5 * ((SCALE * 0.70 + BIAS) + (SCALE * 0.70 + BIAS))
    assert sure_alone > both  # what on_support must not do
    plot = Plot()
    plot.support[:] = 0.5
    plot.candle(1, 30, 10, cosine=0.99)
    plot.candle(1, 10, 10, cosine=0.70)
    plot.nightstand(0, 10, 10, cosine=0.70)
    assert plot.best()[1][1] in (10, 11)


def test_a_candle_on_the_floor_beside_a_nightstand_is_not_on_it() -> None:
    plot = Plot()
    plot.candle(0, 20, 27)
    plot.nightstand(0, 20, 20)
    assert plot.best()[0] < 0.1
    # Within one layer, beside and on are not told apart: what ``same_layer`` costs …
    assert plot.best(same_layer=True)[0] > 0.9
    # … and what it buys: a thing and its low support may share a layer.
    low = Plot()
    low.candle(0, 20, 20)
    low.nightstand(0, 20, 20)
    assert low.best()[0] < 0.1
    assert low.best(same_layer=True)[0] > 0.9


def test_the_support_is_immediately_below_and_near() -> None:
    plot = Plot()
    plot.candle(2, 20, 20)
    plot.nightstand(0, 20, 20)  # two layers down
    assert plot.best()[0] < 0.1
    plot.nightstand(2, 20, 20)  # the same layer is not below
    assert plot.best()[0] < 0.1
    far = Plot()
    far.candle(1, 20, 20)
    far.nightstand(0, 20, 31)  # its nearest cell is 7 cells from the candle's right edge
    assert far.best()[0] < 0.1
    near = Plot()
    near.candle(1, 20, 20)
    near.nightstand(0, 20, 28)  # 4 cells
    assert near.best()[0] > 0.9


def test_one_layer_looks_in_itself_and_unknown_supports_nothing() -> None:
    flat = Plot(layers=1)
    flat.candle(0, 20, 20)
    flat.nightstand(0, 20, 20)
    assert flat.best()[0] > 0.9
    plot = Plot()
    plot.candle(1, 20, 20)
    plot.support[:] = UNKNOWN
    plot.target[0, :5] = UNKNOWN
    score = on_support(plot.target, plot.support, SCALE, BIAS)
    assert (score[1:] == 0.0).all()
    assert (score[0, :5] == UNKNOWN).all()


def test_a_query_applies_the_kernel_to_its_map() -> None:
    # A column of pixels 1 m ahead: a candle at 1.0 m (layer 1) above a nightstand (layer 0).
    world = FeatureMap(3, MapSettings(size_m=12.0, layers=3, top_m=2.4))
    candle, nightstand, wall = np.eye(3, dtype=np.float32)
    dot = Camera(1, 1, 60.0, height_m=1.0)
    low = Camera(1, 1, 60.0, height_m=0.5)
    one = np.ones((1, 1), dtype=np.float32)
    for camera, feature, yaw in (
        (dot, candle, 0.0),
        (low, nightstand, 0.0),
        (dot, candle, 2.0),
        (low, wall, 2.0),
    ):
        world.fuse(feature.reshape(1, 1, 3), one, camera, Pose(0, 0, 0, yaw))
    query = TextQuery(world, np.stack([candle, nightstand]))
    plain = query.likelihood(SCALE, BIAS)
    score = query.supported(SCALE, BIAS)
    on, off = world.grid.index(1.0, 0.0), world.grid.index(math.cos(2.0), math.sin(2.0))
    assert plain[(1, *on)] == plain[(1, *off)] > 0.99
    assert score[(1, *on)] > 0.99
    assert score[(1, *off)] < 0.01
    assert (score > UNKNOWN).sum() == len(world) == 4
    with pytest.raises(PerceptionError, match="two texts"):
        TextQuery(world, candle.reshape(1, 3)).supported(SCALE, BIAS)


# ------------------------------------------------------------------------------------ candidates
def test_candidates_are_peaks_best_first_in_the_episode_frame() -> None:
    grid = Grid.of_size(0.1, 12.0)
    scores = np.full((2, *grid.shape), UNKNOWN, dtype=np.float32)

    def put(x: float, y: float, layer: int, peak: float) -> None:
        row, col = grid.index(x, y)
        scores[layer, row - 1 : row + 2, col - 1 : col + 2] = peak - 0.1
        scores[layer, row, col] = peak

    put(1.05, 2.05, 1, 0.9)
    put(-3.05, 0.05, 0, 0.8)
    put(-3.05, 0.45, 0, 0.7)  # within 0.5 m of a better one
    put(4.05, 4.05, 0, 0.3)  # too weak
    found = top_candidates(scores, grid, 0.5, radius_m=0.5)
    assert [(round(c.x, 2), c.layer, round(c.score, 2)) for c in found[:2]] == [
        (1.05, 1, 0.9),
        (-3.05, 0, 0.8),
    ]
    assert found[0].y == pytest.approx(2.05)
    assert found[0].cells == 9
    assert found[0].extent_m == pytest.approx(0.1 * math.sqrt(2.0))
    assert sum(c.cells for c in found) == 27
    for i, one in enumerate(found):
        assert one.score >= 0.5
        assert all(one.score >= other.score for other in found[i + 1 :])
    assert len(top_candidates(scores, grid, 0.5, 0.5, n=1)) == 1
    assert top_candidates(scores, grid, 0.95) == []


def test_specks_are_dropped_and_unknown_is_never_a_candidate() -> None:
    grid = Grid.of_size(0.1, 4.0)
    scores = np.full((1, *grid.shape), UNKNOWN, dtype=np.float32)
    assert top_candidates(scores, grid, -2.0) == []
    scores[0, 5, 5] = 0.99
    scores[0, 30:33, 30:33] = 0.6
    assert [c.cells for c in top_candidates(scores, grid, 0.5)] == [1, 9]
    assert [c.cells for c in top_candidates(scores, grid, 0.5, min_cells=2)] == [9]


def test_bad_questions_are_one_clear_line() -> None:
    world = FeatureMap(4, SETTINGS)
    for texts, words in (
        (np.ones((1, 5), "f4"), "feature_dim = 4"),
        (np.ones(4, "f4"), r"\(k, f\)"),
        (np.ones((0, 4), "f4"), "k ≥ 1"),
        (np.zeros((1, 4), "f4"), "zeros"),
        (np.full((1, 4), np.nan, "f4"), "finite"),
    ):
        with pytest.raises(PerceptionError, match=words) as caught:
            TextQuery(world, texts)
        assert "\n" not in str(caught.value)
    with pytest.raises(PerceptionError, match="layers, rows, cols"):
        on_support(np.ones((3, 4, 4), "f4"), np.ones((2, 4, 4), "f4"), SCALE, BIAS)
    with pytest.raises(PerceptionError, match="as the grid is"):
        top_candidates(np.ones((1, 3, 3), "f4"), world.grid, 0.5)
