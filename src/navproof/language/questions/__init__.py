"""Questions about a scene, and answers to them."""
