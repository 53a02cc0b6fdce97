"""The rasteriser: visibility, shading, views."""
