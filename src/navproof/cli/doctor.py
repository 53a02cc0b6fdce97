"""``navproof doctor``: what is installed, what is missing, what it would enable, does it work."""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path
from typing import Any

import typer

from navproof.cli.terminal.output import JsonFlag, console, print_json

__all__ = ["REFERENCE_PICTURE", "doctor"]

REFERENCE_PICTURE = "7b386c2e80ded700"
"""Digest of the self-test's picture (colour, depth and instances): the same on every machine."""
_ENABLES = {
    "gym": 'Gymnasium environments: gymnasium.make("navproof/ObjectNav-v1")',
    "meshes": "scenes from PLY, OBJ and GLB files",
    "train": "navproof train perception",
    "physics": "the physics tier: navproof run --simulator physics (MuJoCo moves Carter)",
    "remote": "agents on a server: navproof run --agent ws://host:port",
    "foundation": "eyes of your own: CLIP, SigLIP, OpenCLIP, Grounding DINO, OWLv2",
    "bench": "render benchmarks against OpenGL and Embree",
    "dev": "tests, type checks and linting of navproof itself",
}

_SAME = {  # packages that provide the same module
    "opencv-python-headless": (
        "opencv-python",
        "opencv-contrib-python-headless",
        "opencv-contrib-python",
    ),
}


def doctor(json: JsonFlag = False) -> None:
    """Check this installation: packages, extras, machine, caches, and a short self-test."""
    found = _examine()
    if json:
        print_json(found)
    else:
        _show(found)
    raise typer.Exit(0 if found["ok"] else 1)


def _examine() -> dict[str, Any]:
    """Everything that doctor knows, as plain JSON."""
    import navproof

    base, extras = _packages()
    broken = [p for p in base if p["status"] != "ok"]
    test = _self_test() if not broken else {"ok": False, "error": "not run: packages are missing"}
    ok = not broken and bool(test["ok"])
    return {
        "ok": ok,
        "verdict": _verdict(broken, test, extras),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "navproof": navproof.__version__,
        "packages": base,
        "extras": extras,
        "machine": _machine(),
        "cache": _cache(),
        "self_test": test,
    }


def _verdict(broken: list[dict[str, Any]], test: dict[str, Any], extras: list[Any]) -> str:
    if broken:
        names = ", ".join(p["name"] for p in broken)
        return f"navproof cannot work: mend {names} (pip install --upgrade navproof)"
    if not test["ok"]:
        return f"the packages are there, but the self-test failed: {test['error']}"
    absent = [e["name"] for e in extras if e["missing"] and e["name"] != "dev"]
    more = f"; optional extras not installed: {', '.join(absent)}" if absent else ""
    return f"navproof works here{more}"


# ------------------------------------------------------------------------------------- packages
def _packages() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(base dependencies, extras), from the installed metadata of navproof."""
    from importlib.metadata import PackageNotFoundError, metadata, requires

    try:
        wanted = requires("navproof") or []
        names = metadata("navproof").get_all("Provides-Extra") or []
    except PackageNotFoundError:
        return [_package("navproof")], []
    base = [_package(line) for line in wanted if "extra ==" not in line]
    extras = []
    for extra in sorted(names):
        mine = [
            _package(line) for line in wanted if re.search(rf"extra == ['\"]{extra}['\"]", line)
        ]
        missing = [p["name"] for p in mine if p["status"] != "ok"]
        extras.append(
            {
                "name": extra,
                "missing": missing,
                "enables": _ENABLES.get(extra, "more"),
                "install": f"pip install 'navproof[{extra}]'" if missing else None,
            }
        )
    return sorted(base, key=lambda p: str(p["name"])), extras


def _package(requirement: str) -> dict[str, Any]:
    """A requirement line ("numpy>=1.26; …") against what is installed."""
    from importlib.metadata import PackageNotFoundError, version

    line = requirement.split(";")[0].strip()
    name = re.split(r"[<>=!~\s\[(]", line, maxsplit=1)[0]
    least = re.search(r">=\s*([\w.]+)", line)
    installed = None
    for candidate in (name, *_SAME.get(name, ())):
        try:
            installed = version(candidate)
            break
        except PackageNotFoundError:
            continue
    if installed is None:
        return {"name": name, "version": None, "needs": line[len(name) :], "status": "missing"}
    old = least is not None and _numbers(installed) < _numbers(least[1])
    status = "too old" if old else "ok"
    return {"name": name, "version": installed, "needs": line[len(name) :], "status": status}


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version, enough to compare releases."""
    return tuple(int(n) for n in re.findall(r"\d+", re.split(r"[a-zA-Z+-]", version)[0]))


# -------------------------------------------------------------------------------------- machine
def _machine() -> dict[str, Any]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "processor": platform.machine(),
        "cores": cores,
        "memory_gb": _memory_gb(),
        "gpu": "not needed",
    }


def _memory_gb() -> float | None:
    """Physical memory, where the platform tells."""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
        return round(pages * size / 1e9, 1)
    return None


def _cache() -> dict[str, Any]:
    from navproof.core.cache import cache_dir
    from navproof.play.warmup import is_warm

    try:
        folder = cache_dir()
    except OSError as error:
        return {"folder": None, "error": str(error), "files": 0, "megabytes": 0.0, "jit": "cold"}
    sizes = [p.stat().st_size for p in folder.rglob("*") if p.is_file()]
    return {
        "folder": str(folder),
        "files": len(sizes),
        "megabytes": round(sum(sizes) / 1e6, 1),
        "jit": "warm" if is_warm() else "cold",
    }


# ------------------------------------------------------------------------------------ self-test
def _self_test() -> dict[str, Any]:
    """Render the tiny scene and measure a distance in it, against closed forms."""
    from time import perf_counter

    begun = perf_counter()
    try:
        picture, depth, away = _picture()
    except Exception as error:  # whatever is broken here, doctor has to say so
        line = " ".join(str(error).split())[:200]
        return {"ok": False, "error": f"{type(error).__name__}: {line}"}
    seconds = round(perf_counter() - begun, 2)
    wrong = None
    if abs(depth - 6.0) > 1e-3:
        wrong = f"the wall 6 m away was rendered at {depth:.3f} m"
    elif abs(away - 5.0) > 0.05:
        wrong = f"a path of 5 m was measured as {away:.3f} m"
    return {
        "ok": wrong is None,
        "error": wrong,
        "picture": picture,
        "same_picture_as_everywhere": picture == REFERENCE_PICTURE,
        "depth_m": round(depth, 4),
        "geodesic_m": round(away, 4),
        "seconds": seconds,
    }


def _picture() -> tuple[str, float, float]:
    """(digest of a frame, depth in its middle, a geodesic distance of 5 m)."""
    import hashlib

    from navproof.core.types import Camera, Pose, Robot
    from navproof.sim.embedded import EmbeddedSimulator
    from navproof.testing import tiny_scene

    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), Robot("doctor", 0.2, 1.0))
    sim.place(Pose(-2.0, 2.0))
    frame = sim.render(Camera(128, 96, hfov_deg=90.0, height_m=1.0))
    digest = hashlib.sha256()
    for array in (frame.rgb, frame.depth, frame.instances):
        digest.update(array.tobytes())
    away = sim.geodesic((-2.0, 2.0, 0.0), ((3.0, 2.0, 0.0),))
    return digest.hexdigest()[:16], float(frame.depth[48, 64]), away


# ------------------------------------------------------------------------------------- printing
def _show(found: dict[str, Any]) -> None:
    from rich.table import Table

    def table(*columns: str) -> Table:
        made = Table(show_header=bool(columns), box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for name in columns:
            made.add_column(name, header_style="dim")
        return made

    console.print(f"[bold]navproof {found['navproof']}[/] on Python {found['python']}")
    console.print(f"{found['platform']}, {sys.executable}", style="dim", highlight=False)
    packages = table("package", "installed", "needed", "")
    for p in found["packages"]:
        style = "green" if p["status"] == "ok" else "bold red"
        packages.add_row(p["name"], p["version"] or "–", p["needs"], f"[{style}]{p['status']}[/]")
    console.print()
    console.print(packages)
    extras = table("extra", "", "enables", "how")
    for e in found["extras"]:
        state = "[yellow]not installed[/]" if e["missing"] else "[green]ok[/]"
        how = (e["install"] or "").replace("[", "\\[")
        extras.add_row(e["name"], state, e["enables"], how)
    console.print()
    console.print(extras)
    machine, cache, test = found["machine"], found["cache"], found["self_test"]
    rest = table("", "")
    rest.show_header = False
    memory = f", {machine['memory_gb']} GB memory" if machine["memory_gb"] else ""
    rest.add_row(
        "machine", f"{machine['cores']} cores ({machine['processor']}){memory}; no GPU needed"
    )
    rest.add_row("cache", _cache_line(cache))
    rest.add_row("compiled code", _jit_line(cache))
    rest.add_row("self-test", _test_line(test))
    console.print()
    console.print(rest, highlight=False)
    console.print()
    style = "bold green" if found["ok"] else "bold red"
    console.print(found["verdict"], style=style, highlight=False, soft_wrap=True)


def _cache_line(cache: dict[str, Any]) -> str:
    if cache["folder"] is None:
        return f"cannot be used: {cache['error']}; set NAVPROOF_CACHE"
    return f"{Path(cache['folder'])}: {cache['files']} files, {cache['megabytes']} MB"


def _jit_line(cache: dict[str, Any]) -> str:
    return "in place" if cache["jit"] == "warm" else "not yet: the first run compiles it, once"


def _test_line(test: dict[str, Any]) -> str:
    if not test["ok"]:
        return str(test["error"])
    same = "" if test["same_picture_as_everywhere"] else ", which differs from the reference"
    return f"ok, {test['seconds']} s; picture {test['picture']}{same}"
