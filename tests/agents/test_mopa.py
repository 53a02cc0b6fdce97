"""MOPA: a map of detections, and wandering until the goal is on it."""

from __future__ import annotations

from search_plays import play


def test_what_was_detected_is_gone_to() -> None:
    played = play("mopa@detector=truth", steps=1000)
    assert played.found == [True, True]
    assert played.claims == ["detector", "detector"]


def test_a_weak_detection_is_no_goal() -> None:
    """False alarms score at most 0.9; with the true detections missed, nothing reaches 0.95."""
    name = "mopa@detector=truth:miss=1@detection=0.95"
    played = play(name, steps=60)
    assert played.claims == []
