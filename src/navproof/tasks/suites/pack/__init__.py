"""Packed suites: episodes, their scenes and the settings of their tasks in one file."""

from navproof.tasks.suites.pack.manifest import Manifest, Needed
from navproof.tasks.suites.pack.read import Pack, is_pack_name, open_pack
from navproof.tasks.suites.pack.write import write_pack

__all__ = ["Manifest", "Needed", "Pack", "is_pack_name", "open_pack", "write_pack"]
