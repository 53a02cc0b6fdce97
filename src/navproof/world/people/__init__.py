"""People: who they are, how they look, walk and are called."""
