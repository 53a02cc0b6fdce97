"""The same instruction in other styles, with its content kept."""
