"""Descriptions of goals: structure, words, and the proof that they fit."""
