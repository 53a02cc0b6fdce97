"""Floor plans: sketches, exact layouts, and the shell that is built on them."""
