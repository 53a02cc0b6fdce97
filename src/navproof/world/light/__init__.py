"""Light: how it is baked into a scene, and made brighter or darker afterwards."""
