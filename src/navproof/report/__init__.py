"""Reports and replays: what a run folder looks like to a person."""

from navproof.report.html import write_report

__all__ = ["write_report"]
