"""Count which things stand in which rooms of train worlds: what the offline stand-in knows.

    python scripts/room_statistics.py

writes ``src/navproof/agents/language/data/rooms.toml``: how many rooms of each kind there are in
the first train scenes, and in how many of them there is at least one thing of each category. Doors
and windows, which are part of every room, are left out. The same command gives the same file.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from navproof.core.files import write_atomically
from navproof.world.generate import KINDS, generate
from navproof.world.library import parse_ref, scene_ids, scene_seed

OUT = Path(__file__).parent.parent / "src/navproof/agents/language/data/rooms.toml"
_HOME_SHARE = 0.6
_EVERYWHERE = ("door", "window")


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="room_statistics.py")
    parser.add_argument("--scenes", type=int, default=300, help="60 %% of them homes")
    parser.add_argument("-o", "--out", type=Path, default=OUT)
    asked = parser.parse_args(words)
    began = time.process_time()
    rooms, holding = count(asked.scenes)
    write_atomically(asked.out, written(asked.scenes, rooms, holding).encode())
    print(
        f"{asked.out}: {sum(rooms.values())} rooms, {time.process_time() - began:.0f} core-seconds"
    )


def count(scenes: int) -> tuple[Counter[str], Mapping[str, Counter[str]]]:
    """Rooms by kind; and by category, the rooms of each kind that hold one."""
    rooms: Counter[str] = Counter()
    holding: dict[str, Counter[str]] = {}
    for ref in _train_scenes(scenes):
        scene = generate(parse_ref(ref).kind, scene_seed(parse_ref(ref)), baked=False)
        kinds = {room.id: room.type for room in scene.rooms}
        rooms.update(kinds.values())
        inside = {(thing.room, thing.category) for thing in scene.objects if thing.room in kinds}
        for room, category in inside:
            if category not in _EVERYWHERE:
                holding.setdefault(category, Counter())[kinds[room]] += 1
    return rooms, holding


def _train_scenes(count: int) -> list[str]:
    homes = round(_HOME_SHARE * count)
    others = [kind for kind in KINDS if kind != "home"]
    each, more = divmod(count - homes, len(others))
    sizes = {"home": homes} | {kind: each + (i < more) for i, kind in enumerate(others)}
    return [ref for kind, size in sizes.items() for ref in scene_ids(kind, "train", size)]


def written(scenes: int, rooms: Counter[str], holding: Mapping[str, Counter[str]]) -> str:
    """The file's text."""
    lines = [
        f"# Made by: python scripts/room_statistics.py --scenes {scenes}",
        f"# Scenes: {_told(scenes)}; seeds follow from their ids; 2 minutes of one core.",
        "# [rooms]: rooms of each kind. [holding]: by category, rooms of a kind with one or more.",
        "",
        "[rooms]",
        *(f'"{kind}" = {rooms[kind]}' for kind in sorted(rooms)),
        "",
        "[holding]",
    ]
    for category in sorted(holding):
        counts = holding[category]
        inner = ", ".join(f'"{kind}" = {counts[kind]}' for kind in sorted(counts))
        lines.append(f'"{category}" = {{ {inner} }}')
    return "\n".join(lines) + "\n"


def _told(scenes: int) -> str:
    first: dict[str, list[str]] = {}
    for ref in _train_scenes(scenes):
        first.setdefault(parse_ref(ref).kind, []).append(ref)
    return ", ".join(f"{kind}/train/0-{len(refs) - 1}" for kind, refs in first.items())


if __name__ == "__main__":
    main(sys.argv[1:])
