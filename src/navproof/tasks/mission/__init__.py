"""Missions: sub-tasks in order, among people."""
