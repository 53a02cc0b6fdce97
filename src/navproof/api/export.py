"""``nv.export``: episodes of a run as files for other programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, get_args

from navproof.api.outputs import RECORDING, VIDEO, check_output, check_output_folder
from navproof.api.plain import file_name
from navproof.api.run_folder import RunLike, path_of
from navproof.core.errors import RunError, SpecError
from navproof.core.lock import refuse_in_use
from navproof.core.registry import suggest
from navproof.log.folder import RunFolder
from navproof.log.trace import NOT_PLAYED, TraceKey
from navproof.reports.replay.find import find_key, find_keys

__all__ = ["EXPORTS", "ExportFormat", "export"]

ExportFormat = Literal["mp4", "rerun"]
EXPORTS: tuple[str, ...] = get_args(ExportFormat)
_SUFFIXES = {"mp4": ".mp4", "rerun": ".rrd"}
_KINDS = {"mp4": VIDEO, "rerun": RECORDING}


def export(
    run: RunLike,
    episode: str | None = None,
    *,
    to: str,
    out: Path | str,
    agent: str | None = None,
    condition: str | None = None,
    seed: int | None = None,
    fps: float = 10.0,
) -> list[Path]:
    """Write an episode for other programs, and return what was written: ``to="mp4"`` a video that
    browsers play (the extra ``video``), ``"rerun"`` a recording for the Rerun viewer (the extra
    ``rerun``). ``episode`` is an id or the beginning of one, and ``out`` then the file; without
    it, every episode (of ``agent``, ``condition`` and ``seed``) is written into the folder ``out``.
    ``fps`` are steps a second of a video."""
    if to not in EXPORTS:
        raise SpecError(
            f"--to must be one of {', '.join(EXPORTS)}, not '{to}'{suggest(to, list(EXPORTS))}"
        )
    _needs(to, fps)
    path = path_of(run)
    target = Path(file_name("out", out))
    folder, suffix = RunFolder(path), _SUFFIXES[to]
    if episode is None:
        check_output_folder(target, [path])
        keys = find_keys(folder, agent, condition, seed)
        if not keys:
            raise RunError(f"{path} holds no finished episode to export")
        files = {key: target / f"{_stem(key)}{suffix}" for key in keys}
    else:
        if target.suffix.lower() != suffix:
            raise SpecError(f"--out must be a {suffix} file, not '{target}'")
        files = {find_key(folder, episode, agent, condition, seed): target}
    refuse_in_use(path)
    for file in files.values():
        check_output(file, _KINDS[to], option="--out", makes_folder=True)
    return [
        file for key, file in files.items() if _write(folder, key, file, to, fps, len(files) == 1)
    ]


def _write(folder: RunFolder, key: TraceKey, file: Path, to: str, fps: float, alone: bool) -> bool:
    """Whether there was anything to show: an episode that was not played is left out of many."""
    trace = folder.trace(key)
    if trace.status == NOT_PLAYED and not alone:
        return False
    if to == "mp4":
        from navproof.reports.replay.render import render_replay

        render_replay(trace, file, fps)
    else:
        from navproof.reports.exports.recording import write_recording

        write_recording(trace, file)
    return True


def _needs(to: str, fps: float) -> None:
    """A ``MissingExtraError`` before anything is read."""
    if to == "mp4":
        from navproof.reports.replay.render import check_format

        check_format(Path("export.mp4"), fps)
    else:
        from navproof.reports.exports.recording import needs_rerun

        needs_rerun()


def _stem(key: TraceKey) -> str:
    """The name of a file that tells one episode from all others of its run."""
    parts = [key.episode_id, key.agent, key.condition]
    parts += [f"seed{key.seed}"] if key.seed else []
    return "__".join(re.sub(r"[^\w.@=+-]+", "-", part).strip("-.") or "x" for part in parts)
