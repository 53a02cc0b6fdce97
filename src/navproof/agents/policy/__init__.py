"""Servers of the common robot-policy convention: how one is spoken to (``policy_map``), in which
bytes (``packing``), and what its answers mean (``chunks``)."""
