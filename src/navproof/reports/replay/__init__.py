"""Replays: an episode as a video, an animation or a contact strip, rendered again from its trace;
or, of an agent that asks a language model, what was asked and answered, as text.
"""

from navproof.reports.replay.find import find_key, find_keys
from navproof.reports.replay.render import FORMATS, frame_steps, render_replay

__all__ = ["FORMATS", "find_key", "find_keys", "frame_steps", "render_replay"]
