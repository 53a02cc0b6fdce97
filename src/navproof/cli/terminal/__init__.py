"""How commands print, show progress and are stopped."""
