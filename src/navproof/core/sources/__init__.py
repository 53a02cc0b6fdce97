"""What something of a user's is made of: its files, and what of it cannot be followed."""

from navproof.core.sources.closure import (
    Sources,
    digest_of_files,
    file_of,
    source_files,
    sources_of,
)

__all__ = ["Sources", "digest_of_files", "file_of", "source_files", "sources_of"]
