"""Reports and replays: what a run folder looks like to a person."""

from navproof.report.html import write_report
from navproof.report.replay import render_replay

__all__ = ["render_replay", "write_report"]
