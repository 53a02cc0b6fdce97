"""Reports and replays: what a run folder looks like to a person."""

from navproof.reports.html import write_report
from navproof.reports.replay import render_replay

__all__ = ["render_replay", "write_report"]
