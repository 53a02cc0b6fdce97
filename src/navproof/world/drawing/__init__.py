"""Scenes drawn as plans."""
