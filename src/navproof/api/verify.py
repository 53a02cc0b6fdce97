"""``nv.verify``: whether a run's traces give its numbers."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.api.plain import salt_of, whole_number
from navproof.api.result import Result
from navproof.api.run import processors
from navproof.api.run_folder import Run, RunLike
from navproof.api.text.progress import VerificationProgress, shown
from navproof.core.errors import SpecError
from navproof.core.lock import refuse_in_use
from navproof.core.salt import Salt, learn_salts
from navproof.log.folder import RunFolder
from navproof.tasks.suites.pack.read import open_pack
from navproof.verification.types import RunVerdict, Verdict
from navproof.verification.verify import Progress, verify_run

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Verification", "verify"]

_SHOWN = 10
_SAYS: dict[Verdict, str] = {
    "verified": "verified: these actions give these scores",
    "refuted": "REFUTED",
    "unverifiable": "not verifiable",
}
_STYLES: dict[Verdict, str] = {
    "verified": "bold green",
    "refuted": "bold red",
    "unverifiable": "bold yellow",
}
_MEANING = (
    "It says that these actions give these scores; not that these agents chose them. "
    "See docs/guides/trust.md."
)


class Verification(Result):
    """What was found of a run. ``rows`` has one row for each trace that was looked at."""

    def __init__(self, path: Path, found: RunVerdict) -> None:
        self.path, self.found = path, found

    def __repr__(self) -> str:
        return f"Verification({str(self.path)!r}, {self.verdict!r})"

    def __bool__(self) -> bool:
        """Whether the run is verified."""
        return self.verdict == "verified"

    @property
    def verdict(self) -> Verdict:
        """``verified``; ``refuted`` where something does not follow from the actions, or was
        changed; ``unverifiable`` where this machine cannot tell."""
        return self.found.verdict

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {**asdict(one.key), "verdict": one.verdict, "why": one.why} for one in self.found.traces
        ]

    def document(self) -> dict[str, Any]:
        """Everything as plain data."""
        found = self.found
        return {
            "run": str(self.path),
            "verdict": self.verdict,
            "digest": found.digest or None,
            "shard": found.shard or None,
            "planned": found.planned,
            "checked": len(found.traces),
            "verified": found.counts["verified"],
            "refuted": found.counts["refuted"],
            "unverifiable": found.counts["unverifiable"],
            "faults": list(found.faults),
            "gaps": list(found.gaps),
            "notes": list(found.notes),
            "traces": [row for row in self.rows if row["verdict"] != "verified"],
        }

    def show(self, console: Console) -> None:
        found = self.found

        def tell(text: str, style: str | None = None) -> None:
            console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

        for line in (*found.faults, *found.gaps):
            tell(line)
        told = [one for one in found.traces if one.verdict != "verified"]
        told.sort(key=lambda one: one.verdict != "refuted")
        for one in told[:_SHOWN]:
            key = one.key
            where = f"{key.agent}, {key.episode_id}, {key.condition}, seed {key.seed}"
            what = "refuted" if one.verdict == "refuted" else "not verifiable"
            tell(f"{where}: {what}: {one.why}")
        if len(told) > _SHOWN:
            tell(f"… and {len(told) - _SHOWN} more (--json has all)")
        for note in found.notes:
            tell(f"note: {note}", "dim")
        of = f"{found.counts['verified']} of {found.planned} traces"
        if (count := len(found.traces)) < found.planned:
            of = f"{found.counts['verified']} of {count} traces looked at, of {found.planned}"
        tell(f"{_SAYS[self.verdict]} ({of})", _STYLES[self.verdict])
        if found.digest:
            tell(f"all traces have the digest {found.digest}", "dim")
        if self.verdict == "verified":
            tell(_MEANING, "dim")


def _learn(salt: Salt, folder: RunFolder) -> None:
    """Take note of a run's salt; ``SpecError`` where it is another's."""
    made_with = folder.info.spec.get("salt")
    if salt.fingerprint != made_with:
        what = f"was made with salt {made_with}" if made_with else "is not salted"
        raise SpecError(f"{folder.path} {what}, and this one is {salt.fingerprint}")
    learn_salts((salt,))


def verify(
    run: RunLike,
    *,
    sample: int | None = None,
    suite: Path | str | None = None,
    salt: Path | str | Salt | None = None,
    workers: int | None = None,
    allow_shard: bool = False,
    progress: bool | Progress = True,
) -> Verification:
    """Simulate what a run recorded again, without its agents, and compare everything that the judge
    calculated from it, exactly: poses, distances, events, what tasks measure, scores.

    ``sample`` looks at so many of its traces, drawn at random. ``suite`` is the file of the packed
    suite that was played: scenes, episodes and settings must be those in it. ``salt`` is the file
    of the salt that a salted run was made with, where its scenes are not on this machine.
    ``allow_shard`` says of one shard of a run that it is verified where all of its own episodes
    are, which is otherwise said of whole runs alone.
    ``workers`` processes simulate at once, by default one for each processor. ``progress`` shows a
    bar on the error stream. ``RunError`` where there is no run, or one is going on.
    """
    folder = Run(run).folder
    refuse_in_use(folder.path)
    if (secret := salt_of(salt)) is not None:
        _learn(secret, folder)
    pack = None if suite is None else open_pack(suite)
    if pack is not None:
        pack.unpack()
    count = whole_number("workers", workers)
    with shown(progress, VerificationProgress) as heard:
        found = verify_run(
            folder,
            sample=whole_number("sample", sample),
            workers=processors() if count is None else count,
            progress=heard,
            pack=pack,
            allow_shard=allow_shard,
        )
    return Verification(folder.path, found)
