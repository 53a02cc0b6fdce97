"""Rendering, geodesics, motion and snapshots: the ``Simulator`` protocol and the embedded one."""
