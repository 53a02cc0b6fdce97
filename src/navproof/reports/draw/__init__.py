"""Charts, plans, frames and films."""
