"""``nv.report``: one self-contained HTML file about one or more runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from navproof.api.outputs import PAGE, check_output
from navproof.api.plain import file_name, whole_number
from navproof.api.run_folder import RunLike, path_of
from navproof.core.errors import RunError
from navproof.core.lock import refuse_in_use
from navproof.diagnosis.fuzz.store import is_campaign
from navproof.log.folder import RunFolder
from navproof.metrics.named import MetricLike
from navproof.reports.campaign.page import write_campaign_report
from navproof.reports.html import write_report
from navproof.reports.index import runs_below, write_index

__all__ = ["Report", "report"]


@dataclass(frozen=True)
class Report:
    """A report that was written."""

    path: Path

    @property
    def bytes(self) -> int:
        """The size of the file."""
        return self.path.stat().st_size

    def open(self) -> None:
        """Show it in the web browser."""
        import webbrowser

        webbrowser.open(self.path.resolve().as_uri())

    def __fspath__(self) -> str:
        return str(self.path)

    def _repr_html_(self) -> str:
        return f'<a href="{self.path.as_posix()}" target="_blank">{self.path.as_posix()}</a>'


def report(
    runs: RunLike | Iterable[RunLike],
    *,
    out: Path | str | None = None,
    episodes: int = 6,
    metrics: MetricLike | Iterable[MetricLike] = (),
) -> Report:
    """Write one HTML report about run folders, agents side by side, or about folders of
    ``navproof fuzz``. ``out`` is the file, by default ``report.html`` in the first folder.
    ``episodes`` is how many are shown in full; of a run with conditions, how many pairs of a
    damaged episode and its clean twin (and a third as many single ones). ``metrics`` are more
    metrics to show, beside those that the runs remember."""
    if isinstance(runs, RunLike) or not isinstance(runs, Iterable):
        folders = [path_of(runs)]
    else:
        folders = [path_of(one) for one in runs]
    if not folders:
        raise RunError("a report needs at least one run")
    below = runs_below(folders[0]) if len(folders) == 1 and not is_campaign(folders[0]) else []
    for folder in () if below else folders:
        refuse_in_use(folder)
    to = folders[0] if out is None else Path(file_name("out", out))
    whole_number("episodes", episodes)
    if out is None or to.is_dir():
        to = to / ("index.html" if below else "report.html")
    check_output(to, PAGE, option="--out", makes_folder=True)
    if below:
        return Report(write_index(folders[0], below, to))
    found = [folder for folder in folders if is_campaign(folder)]
    if found and len(found) < len(folders):
        other = next(folder for folder in folders if folder not in found)
        _ = RunFolder(other).info  # raises where there is nothing at all
        raise RunError(
            f"{found[0]} is a search for failures and {other} is not: report them one at a time"
        )
    if found:
        return Report(write_campaign_report(found, to))
    return Report(write_report(folders, to, episodes=episodes, metrics=metrics))
