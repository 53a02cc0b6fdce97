"""Scenes from files of other programs."""
