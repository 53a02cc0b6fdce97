"""Missions in words, in four styles."""
