"""Metrics: pure functions of traces, and the statistics of their means.

from navproof.log import RunFolder
from navproof.metrics import METRICS, score, summarise

rows = RunFolder("runs/demo").results()
for summary in summarise(rows, by=("agent", "task")):
    print(summary.group, summary.intervals["success"])
"""

from navproof.metrics.catalogue import (
    built_in,
    metric,
    played,
    result_row,
    result_rows,
    score,
)
from navproof.metrics.goals.failures import FAILURES, VIEWPOINT_M, target_at
from navproof.metrics.goals.goals import GoalResult, goal_results
from navproof.metrics.goals.table import GoalRow, cuts_of, goal_table, paired_goals
from navproof.metrics.missions.failures import MODES, mission_end
from navproof.metrics.missions.pauses import BEHAVIOURS, PauseWindow, pause_windows
from navproof.metrics.missions.table import (
    MissionResult,
    MissionRow,
    mission_result,
    mission_results,
    mission_table,
)
from navproof.metrics.named import BUILT_IN, MetricLike, MetricSet, metric_set
from navproof.metrics.protocol import Better, Metric
from navproof.metrics.registry import METRICS, register_metric
from navproof.metrics.retention.retention import TrustScores, trust_scores
from navproof.metrics.stats.clusters import cluster_interval, clustered_difference
from navproof.metrics.stats.stats import Interval, PairedResult, mean_interval, paired_difference
from navproof.metrics.stats.summary import Summary, pair_rows, paired, summarise

__all__ = [
    "BEHAVIOURS",
    "BUILT_IN",
    "FAILURES",
    "METRICS",
    "MODES",
    "VIEWPOINT_M",
    "Better",
    "GoalResult",
    "GoalRow",
    "Interval",
    "Metric",
    "MetricLike",
    "MetricSet",
    "MissionResult",
    "MissionRow",
    "PairedResult",
    "PauseWindow",
    "Summary",
    "TrustScores",
    "built_in",
    "cluster_interval",
    "clustered_difference",
    "cuts_of",
    "goal_results",
    "goal_table",
    "mean_interval",
    "metric",
    "metric_set",
    "mission_end",
    "mission_result",
    "mission_results",
    "mission_table",
    "pair_rows",
    "paired",
    "paired_difference",
    "paired_goals",
    "pause_windows",
    "played",
    "register_metric",
    "result_row",
    "result_rows",
    "score",
    "summarise",
    "target_at",
    "trust_scores",
]
