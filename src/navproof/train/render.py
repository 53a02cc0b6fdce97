"""Pictures for perception to learn from: many scenes, many views, with what each shows.

``python -m navproof.train.render OUT --scenes 800 --views 100`` fills a folder that
``load_dataset`` reads. One process per core takes whole scenes: generate, choose views, light,
render, write in place. The bytes do not depend on the number of processes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from navproof.core.errors import NavproofError, SpecError, one_line
from navproof.core.seeding import rng as stream
from navproof.core.types import FIRST_OBJECT_ID, Scalar
from navproof.sim.render.render import Renderer
from navproof.train.contact_sheet import sheet
from navproof.train.dataset import (
    VERSION,
    Dataset,
    array_shapes,
    encode_objects,
    load_dataset,
    object_facts,
    summarise,
)
from navproof.train.illumination import draw_illumination, lit_by
from navproof.train.people import PEOPLE, PEOPLE_SHARE, people_in_view
from navproof.train.viewpoints import Viewpoints
from navproof.world.generate import generate
from navproof.world.library import SPLITS, WORLD_VERSION, parse_ref, scene_seed
from navproof.world.people.bodies import LightField

__all__ = [
    "PEOPLE_SHARE",
    "Dataset",
    "balance",
    "load_dataset",
    "main",
    "render_dataset",
    "scene_mix",
    "sheet",
]

_MIX = ("home", "home", "office", "home", "cafe", "home", "shop", "home", "clinic", "home")
_VIEWS_PER_ILLUMINATION = 34
_SPARE_BYTES = 1 << 30
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Job:
    out: Path
    index: int
    scene: str
    views: int
    seed: int
    size: int
    people: float


@dataclass(frozen=True, slots=True)
class _Done:
    """What a scene leaves besides its frames; ``error`` where it failed."""

    index: int
    facts: tuple[dict[str, Scalar], ...] = ()
    ids: tuple[int, ...] = ()
    room_types: tuple[str, ...] = ()
    error: str = ""


def scene_mix(split: str, count: int) -> tuple[str, ...]:
    """``count`` scene ids of a split: 60 % homes, the other kinds in equal parts, interleaved."""
    number: Counter[str] = Counter()
    ids = []
    for k in range(count):
        kind = _MIX[k % len(_MIX)]
        ids.append(parse_ref(f"{kind}/{split}/{number[kind]}").id)
        number[kind] += 1
    return tuple(ids)


def render_dataset(
    out: Path,
    *,
    scenes: Sequence[str],
    views: int,
    seed: int,
    size: int = 256,
    people: float = PEOPLE_SHARE,
    workers: int = 1,
    say: Say = lambda _: None,
) -> Path:
    """Render ``views`` frames of ``size``² pixels in each scene into the folder ``out``, a share
    ``people`` of them with people.

    The same arguments give the same bytes, whatever ``workers``; 1 renders in this process.
    A scene that fails loses its frames only (``Dataset.valid``), and ``say`` is told.
    Raises ``SpecError`` for settings that make no sense.
    """
    began = time.perf_counter()
    _check(scenes, views, size, workers)
    if not 0.0 <= people <= 1.0:
        raise SpecError(f"a share of people from 0 to 1, not {people:g}")
    jobs = [_Job(out, k, scene, views, seed, size, people) for k, scene in enumerate(scenes)]
    _make_files(out, len(scenes) * views, size)
    done: dict[int, _Done] = {}
    last = 0.0
    for result in _results(jobs, workers):
        done[result.index] = result
        if result.error:
            say(f"{scenes[result.index]} is left out: {result.error}")
        now = time.perf_counter() - began
        if now - last >= 5.0 or len(done) == len(jobs):
            last = now
            rate = len(done) / now
            say(
                f"{len(done)}/{len(jobs)} scenes · {rate:.2f} scenes/s · {rate * views:.0f} "
                f"frames/s · {(len(jobs) - len(done)) / rate:.0f} s left"
            )
    lost = sorted(scenes[k] for k, d in done.items() if d.error)
    if len(lost) == len(jobs):
        raise NavproofError(f"no scene could be rendered; the first: {done[0].error}")
    _finish(out, jobs, [done[k] for k in range(len(jobs))])
    about = {
        "version": VERSION, "world": WORLD_VERSION, "seed": seed, "scenes": list(scenes),
        "views": views, "size": size, "people": people, "frames": len(jobs) * views, "lost": lost,
        "workers": workers, "seconds": round(time.perf_counter() - began, 1),
    }  # fmt: skip
    (out / "meta.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return out


def balance(data: Dataset) -> list[tuple[str, int, int, int]]:
    """Per category of the catalogue: its name, objects, frames that list it, listed instances."""
    category = data.columns["category"]
    names = data.values["category"]
    objects = np.bincount(category, minlength=len(names))
    frames = np.zeros(len(names), dtype=np.int64)
    instances = np.zeros(len(names), dtype=np.int64)
    for k in data.frames:
        rows = np.asarray(data.frame_objects[k])
        codes = category[rows[rows >= 0]]
        np.add.at(instances, codes, 1)
        frames[np.unique(codes)] += 1
    return [
        (str(names[k]), int(objects[k]), int(frames[k]), int(instances[k]))
        for k in range(1, len(names))
    ]


# ----------------------------------------------------------------------------------- one scene
def _render_scene(job: _Job) -> _Done:
    try:
        return _rendered(job)
    except Exception as error:  # one scene must not cost the others
        return _Done(job.index, error=one_line(error))


def _rendered(job: _Job) -> _Done:
    ref = parse_ref(job.scene)
    scene = generate(ref.kind, scene_seed(ref), scene_id=ref.id)
    first_person = max((o.id for o in scene.objects), default=FIRST_OBJECT_ID) + 1
    row_of = np.full(first_person + len(PEOPLE), -1, dtype=np.int32)
    for k, thing in enumerate(scene.objects):
        row_of[thing.id] = k
    row_of[first_person:] = len(scene.objects) + np.arange(len(PEOPLE))
    files = {name: np.load(job.out / f"{name}.npy", mmap_mode="r+") for name in array_shapes(0, 0)}
    first = job.index * job.views
    renderer = viewpoints = light = None
    for k in range(job.views):
        if k % _VIEWS_PER_ILLUMINATION == 0:
            light_rng = stream(job.seed, scene.id, "mood", k // _VIEWS_PER_ILLUMINATION)
            lit = lit_by(scene, draw_illumination(light_rng, k // _VIEWS_PER_ILLUMINATION))
            renderer, light = Renderer(lit), LightField(lit)
            viewpoints = viewpoints or Viewpoints(scene, renderer, job.seed, job.size)
        assert renderer is not None
        assert viewpoints is not None
        assert light is not None
        view = viewpoints.draw(k)
        draw = stream(job.seed, scene.id, "people", k)
        people = people_in_view(view, viewpoints.places, first_person, light, draw, job.people)
        frame = renderer.render(view.camera, view.pose, extra=people)
        files["rgb"][first + k] = frame.rgb
        files["frame_room"][first + k] = view.room
        for name, value in summarise(frame.instances, frame.depth, row_of).items():
            files[name][first + k] = value
    files["valid"][first : first + job.views] = True
    somebody: list[dict[str, Scalar]] = [{"category": name} for name in PEOPLE]
    return _Done(
        job.index,
        (*object_facts(scene), *somebody),
        (*(o.id for o in scene.objects), *range(first_person, first_person + len(PEOPLE))),
        tuple(room.type for room in scene.rooms),
    )


# --------------------------------------------------------------------------------- all of them
def _results(jobs: Sequence[_Job], workers: int) -> Iterator[_Done]:
    """As they come. The first scene goes alone: it compiles the kernels for all the others."""
    if workers == 1 or len(jobs) == 1:
        yield from map(_render_scene, jobs)
        return
    with _worker_environment(), ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        try:
            yield pool.submit(_render_scene, jobs[0]).result()
            for future in as_completed([pool.submit(_render_scene, job) for job in jobs[1:]]):
                yield future.result()
        except BrokenProcessPool:
            raise NavproofError(
                "a rendering process was killed (out of memory?): use fewer --workers"
            ) from None


@contextmanager
def _worker_environment() -> Iterator[None]:
    """What the processes inherit: one thread each, kernels kept under ``$NAVPROOF_CACHE``."""
    wanted = dict.fromkeys(_ONE_THREAD, "1")
    kept = os.environ.get("NAVPROOF_CACHE")
    if kept and "NUMBA_CACHE_DIR" not in os.environ:
        wanted["NUMBA_CACHE_DIR"] = str(Path(kept).resolve() / "numba")
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _check(scenes: Sequence[str], views: int, size: int, workers: int) -> None:
    for scene in scenes:
        parse_ref(scene)
    for name, value, least in (
        ("scenes", len(scenes), 1), ("views", views, 1), ("size", size, 16), ("workers", workers, 1)
    ):  # fmt: skip
        if value < least:
            raise SpecError(f"{name} must be at least {least}, not {value}")
    if len(set(scenes)) != len(scenes):
        raise SpecError("a scene is named twice")


def _make_files(out: Path, frames: int, size: int) -> None:
    """Empty arrays of their full size, for the workers to fill."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "meta.json").unlink(missing_ok=True)
    except OSError as error:
        raise SpecError(f"cannot write to {out}: {error.strerror}") from None
    shapes = array_shapes(frames, size)
    need = sum(int(np.prod(shape)) * np.dtype(kind).itemsize for kind, shape in shapes.values())
    there = sum((out / f"{n}.npy").stat().st_size for n in shapes if (out / f"{n}.npy").is_file())
    free = shutil.disk_usage(out).free + there - _SPARE_BYTES
    if need > free:
        raise SpecError(
            f"{frames} frames need {need / 2**30:.1f} GiB in {out}, {max(0, free) / 2**30:.1f} "
            "GiB are free"
        )
    for name, (kind, shape) in shapes.items():
        array = open_memmap(out / f"{name}.npy", mode="w+", dtype=kind, shape=shape)
        if name in ("frame_objects", "frame_room"):
            array[:] = -1
        array.flush()


def _finish(out: Path, jobs: Sequence[_Job], done: Sequence[_Done]) -> None:
    """Number objects and room types over all scenes, and write what they are."""
    facts = [row for d in done for row in d.facts]
    codes, values = encode_objects(facts)
    types = sorted({name for d in done for name in d.room_types})
    objects: NDArray[np.int32] = np.load(out / "frame_objects.npy", mmap_mode="r+")
    rooms: NDArray[np.int16] = np.load(out / "frame_room.npy", mmap_mode="r+")
    before = 0
    for job, d in zip(jobs, done, strict=True):
        if not d.error:
            mine = slice(job.index * job.views, (job.index + 1) * job.views)
            objects[mine] += np.where(objects[mine] >= 0, before, 0).astype(np.int32)
            number = np.array([*(types.index(t) for t in d.room_types), -1], dtype=np.int16)
            rooms[mine] = number[rooms[mine]]
        before += len(d.facts)
    scene_of: list[int] = [d.index for d in done for _ in d.facts]
    columns: dict[str, NDArray[Any]] = {
        **codes,
        "_scene": np.array(scene_of, dtype=np.int32),
        "_id": np.array([i for d in done for i in d.ids], dtype=np.int32),
    }
    np.savez(out / "objects.npz", allow_pickle=False, **columns)
    vocab = {"columns": list(codes), "values": values, "room_types": types}
    (out / "vocab.json").write_text(json.dumps(vocab, indent=1) + "\n", encoding="utf-8")


# -------------------------------------------------------------------------------- command line
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m navproof.train.render", description=__doc__)
    parser.add_argument("out", type=Path, help="folder to fill")
    parser.add_argument("--scenes", type=int, default=800, help="how many scenes (800)")
    parser.add_argument("--views", type=int, default=100, help="frames of each (100)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seed", type=int, default=1, help="of views and light (1)")
    parser.add_argument("--split", choices=SPLITS, default="train", help="of scenes (train)")
    parser.add_argument("--size", type=int, default=256, help="pixels of a side (256)")
    parser.add_argument(
        "--people", type=float, default=PEOPLE_SHARE, help="share with people (0.3)"
    )
    parser.add_argument("--sheet", type=Path, help="also draw 40 labelled frames into this PNG")
    parser.add_argument("--balance", action="store_true", help="also count categories")
    given = parser.parse_args(arguments)

    def say(line: str) -> None:
        print(line, flush=True)

    try:
        render_dataset(
            given.out,
            scenes=scene_mix(given.split, given.scenes),
            views=given.views,
            seed=given.seed,
            size=given.size,
            people=given.people,
            workers=given.workers,
            say=say,
        )
        if given.balance:
            for name, objects, frames, instances in balance(load_dataset(given.out)):
                say(f"{name:24s} {objects:6d} objects {frames:7d} frames {instances:7d} instances")
        if given.sheet:
            sheet(given.out, given.sheet)
    except NavproofError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
