"""Success, efficiency, paths and safety."""
