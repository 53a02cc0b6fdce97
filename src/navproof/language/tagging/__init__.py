"""Parts of speech of navigation English."""
