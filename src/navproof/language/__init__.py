"""Instructions from paths: structure first, then words, and a checker that proves them true."""
